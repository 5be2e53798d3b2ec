// The C interface of custom operations. This file defines an operation that takes every kind of argument, which shows
// what a context holds.
#include <gtest/gtest.h>
#include <helpers/helper_hash.h>
#include <legacy/NativeOpsBindings.h>
#include <memory/MemoryCounter.h>
#include <ops/declarable/CustomOperations.h>
#include <system/op_boilerplate.h>

#include <functional>
#include <nlohmann/json.hpp>
#include <thread>

#include "NativeOpsSupport.h"

namespace sd::ops {

// z = [T0, I0, B0, D0, training]
DECLARE_CUSTOM_OP(test_arguments, 1, 1, false, 1, 1)
CUSTOM_OP_IMPL(test_arguments, 1, 1, false, 1, 1) {
  NDArray& z = *OUTPUT_VARIABLE(0);
  z.p(0, T_ARG(0));
  z.p(1, static_cast<double>(block.intArgument64(0)));
  z.p(2, B_ARG(0) ? 1.0 : 0.0);
  z.p(3, static_cast<double>(static_cast<int>(D_ARG(0))));
  z.p(4, block.isTraining() ? 1.0 : 0.0);
  return Status::OK;
}
DECLARE_SHAPE_FN(test_arguments) { return SHAPELIST(ConstantShapeHelper::getInstance().vectorShapeInfo(5, DOUBLE)); }
DECLARE_TYPES(test_arguments) {
  getOpDescriptor()
      ->setAllowedInputTypes({ALL_FLOATS})
      ->setAllowedOutputTypes(DOUBLE)
      ->schema()
      .summary("Says \"what\\it\" got.\n")
      .note("not UTF-8: \xe9t\xe9");
}

// Its integer argument is the number of the status that it returns.
DECLARE_OP(test_status, 1, 1, true)
OP_IMPL(test_status, 1, 1, true) { return static_cast<Status>(INT_ARG(0)); }
DECLARE_SAME_TYPE(test_status)

// The second input determines the number of elements.
DECLARE_CUSTOM_OP(test_by_value, 2, 1, false, 0, 0)
CUSTOM_OP_IMPL(test_by_value, 2, 1, false, 0, 0) {
  OUTPUT_VARIABLE(0)->assign(*INPUT_VARIABLE(0));
  return Status::OK;
}
DECLARE_SHAPE_FN(test_by_value) {
  return SHAPELIST(ConstantShapeHelper::getInstance().vectorShapeInfo(INPUT_VARIABLE(1)->e<LongType>(0), FLOAT32));
}
DECLARE_TYPES(test_by_value) { getOpDescriptor()->setAllowedInputTypes(ANY); }

DECLARE_BOOLEAN_OP(test_is_long, 1, true)
BOOLEAN_OP_IMPL(test_is_long, 1, true) {
  return INPUT_VARIABLE(0)->lengthOf() > 3 ? Status::EQ_TRUE : Status::EQ_FALSE;
}
DECLARE_TYPES(test_is_long) { getOpDescriptor()->setAllowedInputTypes(ANY); }

}  // namespace sd::ops

using namespace sd;
using namespace native;

namespace {

LongType hashOf(const char* name) { return ops::HashHelper::hashOf(name); }
void* info(const NDArray& array) { return const_cast<LongType*>(array.shapeInfo()); }

/// A context that is deleted at the end of the scope.
struct Call {
  OpaqueContext* context = createGraphContext(1);
  ~Call() { deleteGraphContext(context); }
  void in(int index, NDArray& array) {
    setGraphContextInputArray(context, index, array.buffer(), info(array), nullptr, nullptr);
  }
  void out(int index, NDArray& array) {
    setGraphContextOutputArray(context, index, array.buffer(), info(array), nullptr, nullptr);
  }
  Status run(const char* op) { return execCustomOp2(nullptr, hashOf(op), context); }
};

}  // namespace

TEST(NativeOpsCustomTests, ArgumentsOfAContext) {
  NDArray x('c', {2}, {1, 2}, FLOAT32), z('c', {5}, {0, 0, 0, 0, 0}, DOUBLE);
  Call call;
  call.in(0, x);
  call.out(0, z);
  double floats[] = {2.5, 9};
  LongType integers[] = {LongType{1} << 40};
  bool booleans[] = {true};
  int types[] = {INT64};
  setGraphContextTArguments(call.context, floats, 2);
  setGraphContextTArguments(call.context, floats, 1);  // replaces the previous arguments
  setGraphContextIArguments(call.context, integers, 1);
  setGraphContextBArguments(call.context, booleans, 1);
  setGraphContextDArguments(call.context, types, 1);
  ctxSetExecutionMode(call.context, 1);
  EXPECT_EQ(call.run("test_arguments"), Status::OK);
  const double expected[] = {2.5, 1099511627776.0, 1, INT64, 1};
  for (int i = 0; i < 5; i++) EXPECT_EQ(z.e<double>(i), expected[i]) << i;

  // A purge keeps the arguments. Mode 7 does not exist and does not mean training.
  ctxPurge(call.context);
  call.in(0, x);
  call.out(0, z);
  ctxSetExecutionMode(call.context, 7);
  EXPECT_EQ(call.run("test_arguments"), Status::OK);
  EXPECT_EQ(z.e<double>(1), 1099511627776.0);
  EXPECT_EQ(z.e<double>(4), 0);

  setGraphContextIArguments(call.context, nullptr, 0);
  EXPECT_EQ(call.run("test_arguments"), Status::VALIDATION);
  expectError("[test_arguments] 1 integer arguments are needed, 0 given");
  EXPECT_EQ(takeError(), "");
}

TEST(NativeOpsCustomTests, ListedInPlaceFlags) {
  const std::string all = std::string(";") + getAllCustomOps();
  const auto flagOf = [&](const std::string& name) {
    // name:hash:inputs:outputs:in place:…
    size_t at = all.find(";" + name + ":");
    if (at == std::string::npos) return std::string("not listed");
    for (int field = 0; field < 4; field++) at = all.find(':', at + 1);
    return all.substr(at + 1, all.find(':', at + 1) - at - 1);
  };
  // Cut-down builds leave operations out.
  const auto isRegistered = [](const char* name) {
    return sd::ops::OpRegistrator::getInstance().getOperation(name) != nullptr;
  };
  for (const char* name :
       {"add", "Sub", "sub", "RDiv", "squareddifference", "Pow", "assign", "copy", "set", "equals", "less_equal",
        "boolean_xor", "bitwise_and", "shift_bits", "cyclic_rshift_bits", "igamma", "igammac", "tf_atan2", "maximum"})
    EXPECT_TRUE(!isRegistered(name) || flagOf(name) == "0") << name << ": " << flagOf(name);
  for (const char* name : {"Conditional", "Return", "Scope", "While", "tanh", "softmax", "boolean_not", "sigmoid_bp"})
    EXPECT_TRUE(!isRegistered(name) || flagOf(name) == "1") << name << ": " << flagOf(name);
}

TEST(NativeOpsCustomTests, StatusesAreErrors) {
  NDArray x('c', {4}, {1, 2, 3, 4}, FLOAT32), answer(BOOL);
  Call call;
  call.in(0, x);
  call.out(0, x);
  for (LongType status : {0, 100, 101, 119}) {
    setGraphContextIArguments(call.context, &status, 1);
    EXPECT_EQ(static_cast<LongType>(call.run("test_status")), status);
    EXPECT_EQ(takeError(), "");
  }
  for (LongType status : {50, 34, 20}) {
    setGraphContextIArguments(call.context, &status, 1);
    EXPECT_EQ(static_cast<LongType>(call.run("test_status")), status);
    expectError("[test_status] ended with status " + std::to_string(status));
  }
  setGraphContextIArguments(call.context, nullptr, 0);
  EXPECT_EQ(call.run("test_status"), Status::VALIDATION);  // throws an exception
  expectError("[test_status] integer argument 0 is missing");

  Call question;
  question.in(0, x);
  question.out(0, answer);
  EXPECT_EQ(question.run("test_is_long"), Status::OK);
  EXPECT_TRUE(answer.e<bool>(0));
}

TEST(NativeOpsCustomTests, NumberedOperationsByHash) {
  NDArray x('c', {2, 2}, {1, 2, 3, 4}, FLOAT32), sums('c', {2}, {0, 0}, FLOAT32);
  Call call;
  call.in(0, x);
  call.out(0, sums);
  LongType axis = 0;
  setGraphContextIArguments(call.context, &axis, 1);
  EXPECT_EQ(call.run("reduce.Sum"), Status::OK);
  EXPECT_EQ(sums.e<float>(1), 6);
}

TEST(NativeOpsCustomTests, RandomGeneratorOfAContext) {
  NDArray shape('c', {1}, {8}, INT64), first('c', {8}, {0, 0, 0, 0, 0, 0, 0, 0}, FLOAT32), again(first), next(first);
  Call call;
  call.in(0, shape);
  double range[] = {0, 1};
  setGraphContextTArguments(call.context, range, 2);
  OpaqueRandomGenerator* generator = getGraphContextRandomGenerator(call.context);
  NDArray* outputs[] = {&first, &next, &again};
  for (NDArray* z : outputs) {
    if (z != &next) setRandomGeneratorStates(generator, 119, 5);
    call.out(0, *z);
    EXPECT_EQ(call.run("random.UniformDistribution"), Status::OK);
  }
  EXPECT_TRUE(first.equalsTo(again));
  EXPECT_FALSE(first.equalsTo(next));
  EXPECT_EQ(takeError(), "");
}

TEST(NativeOpsCustomTests, InPlaceAndOverride) {
  NDArray x('c', {2}, {1, 2}, FLOAT32), y('c', {2}, {10, 20}, FLOAT32), z('c', {2}, {0, 0}, FLOAT32);
  Call call;
  call.in(0, x);
  call.in(1, y);
  markGraphContextInplace(call.context, true);
  EXPECT_EQ(call.run("add"), Status::OK);
  EXPECT_EQ(x.e<float>(1), 22);
  markGraphContextInplace(call.context, false);
  ctxShapeFunctionOverride(call.context, true);
  call.out(0, z);
  EXPECT_EQ(call.run("subtract"), Status::OK);
  EXPECT_EQ(z.e<float>(1), 2);
  ctxAllowHelpers(call.context, false);
  setGraphContextCudaContext(call.context, nullptr, nullptr, nullptr);
  EXPECT_EQ(call.run("subtract"), Status::OK);
  EXPECT_EQ(takeError(), "");
}

#ifdef SD_ALL_OPS
TEST(NativeOpsCustomTests, ViewsFillOutputsThatAreReady) {
  NDArray x('c', {2, 3}, {1, 2, 3, 4, 5, 6}, FLOAT32), second('c', {5}, {0, 1, 1, 1, 1}, INT64);
  NDArray row('c', {3}, {0, 0, 0}, FLOAT32), column('f', {3, 1}, {7, 7, 7}, FLOAT32);
  Call call;
  call.in(0, x);
  call.in(1, second);
  ctxShapeFunctionOverride(call.context, true);
  call.out(0, row);
  EXPECT_EQ(call.run("create_view"), Status::OK) << takeError();
  EXPECT_EQ(row.getBufferAsVector<float>(), (std::vector<float>{4, 5, 6}));
  call.out(0, column);
  EXPECT_NE(call.run("create_view"), Status::OK);
  expectError("[create_view] output 0: its shape is [3, 1], but the view has shape [3]");
  EXPECT_EQ(column.e<float>(0), 7);
}
#endif

TEST(NativeOpsCustomTests, BuffersAreSharedUntilTheCallEnds) {
  OpaqueDataBuffer* buffer = allocateDataBuffer(6, FLOAT32, false);
  OpaqueDataBuffer* view = dbCreateView(buffer, 12, 12);
  NDArray three('c', {3}, {1, 1, 1}, FLOAT32), empty('c', std::vector<LongType>{0, 3}, FLOAT32);
  Call call;
  setGraphContextInputBuffer(call.context, 0, view, info(three), nullptr);
  call.in(1, three);
  setGraphContextOutputBuffer(call.context, 0, view, info(three), nullptr);
  EXPECT_EQ(call.run("add"), Status::OK);
  auto* values = static_cast<float*>(dbPrimaryBuffer(buffer));
  EXPECT_EQ(values[2], 0);
  EXPECT_EQ(values[3], 1);
  deleteDataBuffer(view);
  EXPECT_EQ(call.run("add"), Status::OK);
  EXPECT_EQ(values[3], 2);
  EXPECT_EQ(dbUseCount(buffer), 1);
  setGraphContextInputBuffer(call.context, 1, buffer, info(three), nullptr);
  EXPECT_EQ(dbUseCount(buffer), 2);
  ctxPurge(call.context);
  EXPECT_EQ(dbUseCount(buffer), 1);
  deleteDataBuffer(buffer);

  // An empty array needs no buffer.
  setGraphContextInputBuffer(call.context, 0, nullptr, info(empty), nullptr);
  EXPECT_EQ(takeError(), "");
  setGraphContextInputBuffer(call.context, 0, nullptr, info(three), nullptr);
  expectError("null");
}

TEST(NativeOpsCustomTests, WrongOutputsLeaveTheContextUsable) {
  NDArray x('c', {2}, {1, 2}, FLOAT32), wrong('c', {3}, {7, 7, 7}, FLOAT32), z('c', {2}, {0, 0}, FLOAT32);
  Call call;
  call.in(0, x);
  call.in(1, x);
  call.out(0, wrong);
  EXPECT_EQ(call.run("add"), Status::VALIDATION);
  expectError("[add] output 0: its shape is [3], but the operation returns shape [2]");
  EXPECT_EQ(wrong.e<float>(0), 7);
  call.out(0, z);
  EXPECT_EQ(call.run("add"), Status::OK);
  EXPECT_EQ(z.e<float>(1), 4);

  // An array that was created for a missing output must not stay in the context when a later output is invalid.
  NDArray long1('c', {1}, {1}, FLOAT32);
  Call split;
  split.in(0, x);
  split.out(1, wrong);
  EXPECT_EQ(execCustomOp2(nullptr, hashOf("add"), split.context), Status::VALIDATION);
  EXPECT_NE(takeError(), "");
  EXPECT_EQ(execCustomOp2(nullptr, hashOf("add"), split.context), Status::VALIDATION);
  EXPECT_NE(takeError(), "");
}

TEST(NativeOpsCustomTests, Shapes) {
  NDArray x('c', {2, 3}, {1, 2, 3, 4, 5, 6}, FLOAT32), row('c', {3}, {1, 2, 3}, FLOAT32), four('c', {1}, {4}, INT64);
  NDArray text("text");
  Pointer buffers[] = {x.buffer(), row.buffer()}, infos[] = {info(x), info(row)};
  const auto shapesOf = [](const char* op, Pointer* data, Pointer* shapes, int n) {
    return calculateOutputShapes2(nullptr, hashOf(op), data, shapes, n, nullptr, 0, nullptr, 0, nullptr, 0, nullptr, 0);
  };
  OpaqueShapeList* list = shapesOf("add", buffers, infos, 2);
  ASSERT_EQ(getShapeListSize(list), 1);
  EXPECT_TRUE(shape::equalsSoft(getShape(list, 0), x.shapeInfo()));
  for (LongType i : {-1LL, 1LL}) {
    EXPECT_EQ(getShape(list, i), nullptr);
    expectError("outside 0..0");
  }
  deleteShapeList(list);

  Pointer byValue[] = {row.buffer(), four.buffer()}, byValueInfos[] = {info(row), info(four)};
  list = shapesOf("test_by_value", byValue, byValueInfos, 2);
  ASSERT_EQ(getShapeListSize(list), 1);
  EXPECT_EQ(getShape(list, 0)[1], 4);
  deleteShapeList(list);
  // Without the values this is an error. A caller's shapeInfo does not become part of the list.
  EXPECT_EQ(calculateOutputShapes(nullptr, hashOf("test_by_value"), byValueInfos, 2, nullptr, 0, nullptr, 0), nullptr);
  const char* const withoutValues =
      "[test_by_value] the output's shape depends on the values of input 1, which only has a shape here";
  EXPECT_EQ(takeError(), withoutValues);
  // The same with null memory for that input, but not for the other one.
  Pointer noCount[] = {row.buffer(), nullptr}, noRow[] = {nullptr, four.buffer()};
  EXPECT_EQ(shapesOf("test_by_value", noCount, byValueInfos, 2), nullptr);
  EXPECT_EQ(takeError(), withoutValues);
  list = shapesOf("test_by_value", noRow, byValueInfos, 2);
  ASSERT_EQ(getShapeListSize(list), 1);
  EXPECT_EQ(getShape(list, 0)[1], 4);
  deleteShapeList(list);
#ifdef SD_ALL_OPS
  EXPECT_EQ(calculateOutputShapes(nullptr, hashOf("reshape"), byValueInfos, 2, nullptr, 0, nullptr, 0), nullptr);
  EXPECT_EQ(takeError(),
            "[reshape] the output's shape depends on the values of input 1 'shape', which only has a shape here");
#endif
  EXPECT_EQ(calculateOutputShapes(nullptr, hashOf("add"), infos, 1, nullptr, 0, nullptr, 0), nullptr);
  EXPECT_EQ(takeError(), "[add] input 1 is missing: 1 given");
  std::vector<LongType> own(x.shapeInfo(), x.shapeInfo() + 8);
  Pointer ownInfos[] = {own.data(), own.data()};
  list = calculateOutputShapes(nullptr, hashOf("add"), ownInfos, 2, nullptr, 0, nullptr, 0);
  ASSERT_EQ(getShapeListSize(list), 1);
  EXPECT_NE(getShape(list, 0), own.data());
  deleteShapeList(list);

  Pointer texts[] = {text.buffer()}, textInfos[] = {info(text)};
  EXPECT_EQ(shapesOf("test_arguments", texts, textInfos, 1), nullptr);
  expectError("[test_arguments] input 0: type UTF8");
  EXPECT_EQ(takeError(), "");
}

TEST(NativeOpsCustomTests, NothingCrosses) {
  NDArray x('c', {2}, {1, 2}, FLOAT32);
  Call call;
  Pointer buffers[] = {x.buffer(), nullptr}, infos[] = {info(x), nullptr}, both[] = {info(x), info(x)};
  LongType broken[] = {40, 1, 1, 1, 1, 1, 1, 1};
  int noType[] = {9999};
  const LongType add = hashOf("add");
  const std::vector<std::pair<const char*, std::function<void()>>> calls = {
      {"createGraphContext's null generator", [] { EXPECT_EQ(getGraphContextRandomGenerator(nullptr), nullptr); }},
      {"mark", [] { markGraphContextInplace(nullptr, true); }},
      {"purge", [] { ctxPurge(nullptr); }},
      {"mode", [] { ctxSetExecutionMode(nullptr, 1); }},
      {"helpers", [] { ctxAllowHelpers(nullptr, true); }},
      {"override", [] { ctxShapeFunctionOverride(nullptr, true); }},
      {"T of null", [] { setGraphContextTArguments(nullptr, nullptr, 0); }},
      {"T", [&] { setGraphContextTArguments(call.context, nullptr, 1); }},
      {"I", [&] { setGraphContextIArguments(call.context, nullptr, 2); }},
      {"I negative", [&] { setGraphContextIArguments(call.context, nullptr, -1); }},
      {"B", [&] { setGraphContextBArguments(call.context, nullptr, 2); }},
      {"D", [&] { setGraphContextDArguments(call.context, nullptr, 2); }},
      {"D no type", [&] { setGraphContextDArguments(call.context, noType, 1); }},
      {"input of null", [&] { setGraphContextInputArray(nullptr, 0, x.buffer(), info(x), nullptr, nullptr); }},
      {"input index", [&] { setGraphContextInputArray(call.context, -1, x.buffer(), info(x), nullptr, nullptr); }},
      {"input shape", [&] { setGraphContextInputArray(call.context, 0, x.buffer(), nullptr, nullptr, nullptr); }},
      {"input data", [&] { setGraphContextInputArray(call.context, 0, nullptr, info(x), nullptr, nullptr); }},
      {"input broken", [&] { setGraphContextInputArray(call.context, 0, x.buffer(), broken, nullptr, nullptr); }},
      {"output index",
       [&] { setGraphContextOutputArray(call.context, 1 << 30, x.buffer(), info(x), nullptr, nullptr); }},
      {"output shape", [&] { setGraphContextOutputBuffer(call.context, 0, nullptr, nullptr, nullptr); }},
      {"no context", [&] { EXPECT_EQ(execCustomOp2(nullptr, add, nullptr), Status::VALIDATION); }},
      {"hash", [&] { EXPECT_EQ(execCustomOp2(nullptr, 1, call.context), Status::BAD_ARGUMENTS); }},
      {"empty context", [&] { EXPECT_EQ(call.run("add"), Status::VALIDATION); }},
      {"null buffer",
       [&] {
         EXPECT_EQ(
             execCustomOp(nullptr, add, buffers, both, 2, buffers, infos, 1, nullptr, 0, nullptr, 0, nullptr, 0, false),
             Status::BAD_INPUT);
       }},
      {"null shape",
       [&] {
         EXPECT_EQ(execCustomOp(nullptr, add, buffers, infos, 2, buffers, infos, 1, nullptr, 0, nullptr, 0, nullptr, 0,
                                false),
                   Status::BAD_INPUT);
       }},
      {"null outputs",
       [&] {
         EXPECT_EQ(execCustomOp(nullptr, add, buffers, infos, 1, nullptr, infos, 1, nullptr, 0, nullptr, 0, nullptr, 0,
                                false),
                   Status::BAD_INPUT);
       }},
      {"arguments",
       [&] {
         EXPECT_EQ(execCustomOp(nullptr, add, buffers, infos, 1, buffers, infos, 1, nullptr, 3, nullptr, 0, nullptr, 0,
                                false),
                   Status::BAD_INPUT);
       }},
      {"shapes hash",
       [&] {
         EXPECT_EQ(
             calculateOutputShapes2(nullptr, 3, buffers, infos, 1, nullptr, 0, nullptr, 0, nullptr, 0, nullptr, 0),
             nullptr);
       }},
      {"shapes null",
       [&] {
         EXPECT_EQ(
             calculateOutputShapes2(nullptr, add, buffers, infos, 2, nullptr, 0, nullptr, 0, nullptr, 0, nullptr, 0),
             nullptr);
       }},
      {"one input",
       [&] {
         EXPECT_EQ(
             calculateOutputShapes2(nullptr, add, buffers, infos, 1, nullptr, 0, nullptr, 0, nullptr, 0, nullptr, 0),
             nullptr);
       }},
      {"shapes of shapes",
       [&] { EXPECT_EQ(calculateOutputShapes(nullptr, add, infos, 2, nullptr, 0, nullptr, 0), nullptr); }},
      {"shapes count",
       [&] { EXPECT_EQ(calculateOutputShapes(nullptr, add, infos, -1, nullptr, 0, nullptr, 0), nullptr); }},
      {"list size", [] { EXPECT_EQ(getShapeListSize(nullptr), 0); }},
      {"list element", [] { EXPECT_EQ(getShape(nullptr, 0), nullptr); }},
      {"library", [] { EXPECT_EQ(loadOpLibrary("no/such/file.so"), 1); }},
      {"library null", [] { EXPECT_EQ(loadOpLibrary(nullptr), 1); }},
      {"description", [] { EXPECT_EQ(describeOperation("no_such_op"), nullptr); }},
      {"long library", [] { EXPECT_EQ(loadOpLibrary(std::string(80'000, 'a').c_str()), 1); }},
      {"long description", [] { EXPECT_EQ(describeOperation(std::string(80'000, 'a').c_str()), nullptr); }},
  };
  for (const auto& [what, run] : calls) {
    takeError();
    run();
    EXPECT_EQ(lastErrorCode(), 1) << what;
    const std::string message = takeError();
    EXPECT_NE(message, "") << what;
    EXPECT_LT(message.size(), 300u) << what;
  }
  deleteShapeList(nullptr);
  deleteGraphContext(nullptr);
  EXPECT_EQ(x.e<float>(0), 1);
}

TEST(NativeOpsCustomTests, DescriptionsAreJson) {
  const auto described = nlohmann::json::parse(describeOperation("test_arguments"));
  EXPECT_EQ(described["name"], "test_arguments");
  EXPECT_EQ(described["hash"], std::to_string(hashOf("test_arguments")));
  const auto& stated = described["schema"];
  EXPECT_EQ(stated["summary"], "Says \"what\\it\" got.\n");
  EXPECT_EQ(stated["note"], "not UTF-8: \xef\xbf\xbdt\xef\xbf\xbd");  // U+FFFD stands for the invalid bytes
  // Only the summary is stated: arguments have positions, but no names.
  EXPECT_TRUE(stated["inputs"].empty() && stated["arguments"].empty() && stated["outputs"].empty()) << stated;
  EXPECT_EQ(described["integers"], 1);
  EXPECT_EQ(described["inputTypes"].size(), 4u);
  EXPECT_NE(described["inputTypes"].dump().find(R"("FLOAT32")"), std::string::npos) << described["inputTypes"];
  EXPECT_EQ(described["floats"], 1);
  for (ops::DeclarableOp* op : ops::OpRegistrator::getInstance().operations()) {
    const std::string text = describeOperation(op->getOpName()->c_str());
    ASSERT_TRUE(nlohmann::json::accept(text)) << text;
    EXPECT_EQ(nlohmann::json::parse(text)["name"], *op->getOpName());
  }
#ifdef SD_ALL_OPS
  const auto conv = nlohmann::json::parse(describeOperation("conv2d"));
  EXPECT_EQ(conv["gradient"], "conv2d_bp");
  EXPECT_TRUE(conv["gradientOf"].is_array() && conv["gradientOf"].empty());
  EXPECT_EQ(conv["schema"]["arguments"][0]["name"], "kernel");
  EXPECT_EQ(conv["schema"]["arguments"][5]["default"], "nchw");
  EXPECT_EQ(nlohmann::json::parse(describeOperation("conv2d_bp"))["gradientOf"], nlohmann::json({"conv2d"}));
  EXPECT_EQ(nlohmann::json::parse(describeOperation("create_view"))["views"],
            nlohmann::json::parse(R"([{"output":0,"input":0}])"));
  EXPECT_EQ(nlohmann::json::parse(describeOperation("reduce_sum"))["numbered"], nlohmann::json({"reduce.Sum"}));
  EXPECT_EQ(nlohmann::json::parse(describeOperation("reduce.Sum"))["custom"], nlohmann::json({"reduce_sum"}));
#endif
  const auto aliases = nlohmann::json::parse(describeOperation("Sub"));
  EXPECT_EQ(aliases["name"], "subtract");
  EXPECT_EQ(aliases["aliases"], nlohmann::json({"Sub", "sub"}));
}

// ---- buffers that are closed while a context has them

namespace {

size_t hostBytes() { return memory::MemoryCounter::getInstance().allocatedGroup(memory::HOST); }

/// A call of add with the operands 1 and 2.
struct SumCall : Call {
  Tensor x{FLOAT32, {1000}}, y{FLOAT32, {1000}}, z{FLOAT32, {1000}};

  SumCall() {
    for (int i = 0; i < 1000; i++) {
      x.at<float>(i) = 1;
      y.at<float>(i) = 2;
    }
    set();
  }
  void set() {
    setGraphContextInputBuffer(context, 0, x.data, x.info, nullptr);
    setGraphContextInputBuffer(context, 1, y.data, y.info, nullptr);
    setGraphContextOutputBuffer(context, 0, z.data, z.info, nullptr);
  }
  Status add() { return run("add"); }
};

class ClosedBufferTests : public NativeTest {};

}  // namespace

TEST_F(ClosedBufferTests, AContextKeepsTheMemoryUntilItsCallEnds) {
  SumCall call;
  const size_t before = hostBytes();
  dbClose(call.x.data);
  dbClose(call.x.data);
  EXPECT_EQ(lastErrorCode(), 0);
  EXPECT_EQ(call.x.memory(), nullptr);
  EXPECT_EQ(hostBytes(), before);
  EXPECT_EQ(call.add(), Status::OK);
  EXPECT_EQ(call.z.at<float>(999), 3);
  EXPECT_EQ(hostBytes(), before - 4000);
}

TEST_F(ClosedBufferTests, AfterSeveralCallsTheMemoryIsFreedAtOnce) {
  SumCall call;
  for (int i = 0; i < 3; i++) {
    call.y.at<float>(7) = static_cast<float>(i);
    EXPECT_EQ(call.add(), Status::OK);
    EXPECT_EQ(call.z.at<float>(7), static_cast<float>(1 + i));
  }
  // Another array takes the place of an input, of other memory and another size of its buffer.
  Tensor other(FLOAT32, {1000});
  other.at<float>(7) = 40;
  setGraphContextInputBuffer(call.context, 1, other.data, other.info, nullptr);
  for (int i = 0; i < 2; i++) {
    EXPECT_EQ(call.add(), Status::OK);
    EXPECT_EQ(call.z.at<float>(7), 41);
  }
  const size_t before = hostBytes();
  dbClose(call.z.data);
  EXPECT_EQ(hostBytes(), before - 4000);
  EXPECT_NE(call.add(), Status::OK);
  expectError("[add] output 0: its buffer was closed after the last call; set another one");
  EXPECT_NE(call.add(), Status::OK);
  expectError("[add] output 0: its buffer was closed after the last call; set another one");
}

TEST_F(ClosedBufferTests, AfterTheCallTheMemoryIsFreedAtOnce) {
  SumCall call;
  EXPECT_EQ(call.add(), Status::OK);
  const size_t before = hostBytes();
  dbClose(call.z.data);
  EXPECT_EQ(lastErrorCode(), 0);
  EXPECT_EQ(hostBytes(), before - 4000);
  EXPECT_NE(call.add(), Status::OK);
  expectError("[add] output 0: its buffer was closed after the last call; set another one");
  EXPECT_EQ(call.x.at<float>(5), 1);

  Tensor other(FLOAT32, {1000});
  setGraphContextOutputBuffer(call.context, 0, other.data, other.info, nullptr);
  EXPECT_EQ(call.add(), Status::OK);
  EXPECT_EQ(other.at<float>(0), 3);
  // Deleting a buffer closes it, too.
  setGraphContextInputBuffer(call.context, 0, other.data, other.info, nullptr);
  deleteDataBuffer(other.data);
  other.data = nullptr;
  setGraphContextOutputBuffer(call.context, 0, call.y.data, call.y.info, nullptr);
  EXPECT_EQ(call.add(), Status::OK);
  EXPECT_EQ(call.y.at<float>(7), 5);
  EXPECT_NE(call.add(), Status::OK);
  expectError("[add] input 0: its buffer was closed");
}

TEST_F(ClosedBufferTests, ContextsCanBeCalledAgain) {
  SumCall call;
  for (int i = 0; i < 3; i++) {
    call.x.at<float>(0) = static_cast<float>(i);
    EXPECT_EQ(call.add(), Status::OK);
    EXPECT_EQ(call.z.at<float>(0), 2.f + static_cast<float>(i));
    // C++ programs look at the arrays of the context.
    EXPECT_EQ(call.context->fastpath_out()[0]->e<float>(0), 2.f + static_cast<float>(i));
  }
  const LongType* info = nullptr;
  OpaqueDataBuffer* shared = getGraphContextOutput(call.context, 0, &info);
  EXPECT_EQ(dbPrimaryBuffer(shared), call.z.memory());
  deleteDataBuffer(shared);
  // A buffer that has grown has moved.
  dbExpand(call.z.data, 100000);
  EXPECT_EQ(call.add(), Status::OK);
  EXPECT_EQ(call.z.at<float>(1), 3);
  // Arrays that take the place of others do not depend on the buffers of those.
  NDArray plain('c', {1000}, FLOAT32);
  call.out(0, plain);
  dbClose(call.z.data);
  EXPECT_EQ(call.add(), Status::OK);
  EXPECT_EQ(plain.e<float>(999), 3);
  ctxPurge(call.context);
  dbClose(call.x.data);
  dbClose(call.y.data);
  call.in(0, plain);
  call.in(1, plain);
  call.out(0, plain);
  EXPECT_EQ(call.add(), Status::OK);
  EXPECT_EQ(plain.e<float>(999), 6);
  // A call that fails ends, too.
  EXPECT_NE(call.run("no such operation"), Status::OK);
  expectError("hash");
}

// A made output may lie where an array was that was set before.
TEST_F(ClosedBufferTests, OutputsOfLaterCallsBelongToTheContext) {
  SumCall call;
  NDArray x('c', {1000}, FLOAT32), y('c', {1000}, FLOAT32);
  x.assign(1.f);
  y.assign(2.f);
  for (int round = 0; round < 50; round++) {
    call.set();
    ASSERT_EQ(call.add(), Status::OK);
    // So many blocks of the size of an array are taken before that of the set output.
    std::vector<std::unique_ptr<NDArray>> blocks;
    for (int i = 0; i < round % 10; i++) blocks.push_back(std::make_unique<NDArray>());
    ctxPurge(call.context);
    blocks.clear();
    call.in(0, x);
    call.in(1, y);
    ASSERT_EQ(call.add(), Status::OK);
    const LongType* info = nullptr;
    OpaqueDataBuffer* made = getGraphContextOutput(call.context, 0, &info);
    ASSERT_NE(made, nullptr) << lastErrorMessage();
    EXPECT_NE(dbPrimaryBuffer(made), call.z.memory());
    EXPECT_EQ(static_cast<const float*>(dbPrimaryBuffer(made))[999], 3);
    ctxPurge(call.context);
    EXPECT_EQ(static_cast<const float*>(dbPrimaryBuffer(made))[999], 3);
    deleteDataBuffer(made);
  }
}

TEST_F(ClosedBufferTests, OtherThreadsCloseDuringCalls) {
  for (int round = 0; round < 200; round++) {
    SumCall call;
    std::thread other([&] {
      dbClose(call.x.data);
      dbClose(call.y.data);
      EXPECT_EQ(lastErrorCode(), 0);
    });
    EXPECT_EQ(call.add(), Status::OK);
    other.join();
    ASSERT_EQ(call.z.at<float>(round), 3) << round;
  }
}

// ---- strings

namespace {

/// The strings of a c-order array whose bytes are in `data`.
std::vector<std::string> stringsIn(OpaqueDataBuffer* data, size_t count) {
  const auto* offsets = static_cast<const LongType*>(dbPrimaryBuffer(data));
  const char* bytes = reinterpret_cast<const char*>(offsets + count + 1);
  std::vector<std::string> result;
  for (size_t i = 0; i < count; i++) result.emplace_back(bytes + offsets[i], bytes + offsets[i + 1]);
  return result;
}

}  // namespace

class StringOutputTests : public NativeTest {};

// As the JVM calls: room for the offsets only, bytes as the type of the buffer, and shapes that it has asked for
// before.
TEST_F(StringOutputTests, GrowInTheCallersBuffer) {
  NDArray text({2}, std::vector<std::string>{"one,two", "three"}), delimiter(std::string(","));
  const NDArray values({3}, std::vector<std::string>(3)), places('c', {6}, INT64),
      table({2, 2}, std::vector<std::string>(4));
  struct Row {
    const char* operation;
    std::vector<const NDArray*> outputs;
    std::vector<std::string> expected;
  };
  const Row rows[] = {{"compat_string_split", {&places, &values}, {"one", "two", "three"}},
                      {"split_string", {&table}, {"one", "two", "three", ""}}};
  for (const Row& row : rows)
    for (const bool shapesAreRight : {false, true}) {
      SCOPED_TRACE(row.operation);
      Call call;
      InteropDataBuffer first(text.getDataBuffer()), second(delimiter.getDataBuffer());
      setGraphContextInputBuffer(call.context, 0, &first, info(text), nullptr);
      setGraphContextInputBuffer(call.context, 1, &second, info(delimiter), nullptr);
      ctxShapeFunctionOverride(call.context, shapesAreRight);
      std::vector<OpaqueDataBuffer*> buffers;
      for (size_t i = 0; i < row.outputs.size(); i++) {
        const NDArray& like = *row.outputs[i];
        buffers.push_back(allocateDataBuffer(8 * (like.lengthOf() + 1), INT8, false));
        setGraphContextOutputBuffer(call.context, static_cast<int>(i), buffers.back(), info(like), nullptr);
      }
      EXPECT_EQ(call.run(row.operation), Status::OK);
      EXPECT_EQ(stringsIn(buffers.back(), row.expected.size()), row.expected);
      for (OpaqueDataBuffer* buffer : buffers) deleteDataBuffer(buffer);
    }
}
