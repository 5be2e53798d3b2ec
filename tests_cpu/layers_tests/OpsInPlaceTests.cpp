// Calls in place of operations of every kind.
#include <gtest/gtest.h>
#include <indexing/NDIndexUtils.h>
#include <legacy/NativeOps.h>
#include <ops/declarable/CustomOperations.h>
#include <ops/declarable/OpRegistrator.h>

#include <memory>
#include <string>
#include <vector>

#include "Messages.h"

namespace sd {
namespace {

using nd_test::errorOf;
using Values = std::vector<double>;
using Dims = std::vector<LongType>;

struct In {
  Dims shape;
  Values values;
  DataType type = FLOAT32;
  char order = 'c';

  NDArray array() const {
    NDArray made('c', shape, values, type);
    return order == 'c' ? made : made.dup(order);
  }
};

ops::DeclarableOp* named(const char* name) { return ops::OpRegistrator::getInstance().getOperation(name); }

#if defined(SD_ALL_OPS)
#define SKIP_WITHOUT_OPERATIONS
#else
#define SKIP_WITHOUT_OPERATIONS GTEST_SKIP() << "operations are left out of this build"
#endif

void expectArray(const NDArray& z, const Dims& shape, const Values& values, const std::string& what) {
  EXPECT_EQ(z.getShapeAsVector(), shape) << what;
  ASSERT_EQ(z.lengthOf(), static_cast<LongType>(values.size())) << what;
  for (size_t i = 0; i < values.size(); i++)
    EXPECT_FLOAT_EQ(z.e<float>(static_cast<LongType>(i)), static_cast<float>(values[i])) << what << ", element " << i;
}

struct Call {
  const char* op;
  std::vector<In> inputs;
  std::vector<LongType> integers;
  Dims shape;
  Values values;
  Values floats;
};

const In X{{2, 1, 3}, {1, 2, 3, 4, 5, 6}};
const In SQUARE{{2, 2}, {1, 2, 3, 4}};
const In VECTOR{{3}, {1, 2, 3}};

/// The shape and the elements of input 0 after the call.
const Call CALLS[] = {
    // the same number of elements
    {"reshape", {X}, {3, 2}, {3, 2}, {1, 2, 3, 4, 5, 6}, {}},
    {"reshape", {X, {{2}, {6, 1}, INT64}}, {}, {6, 1}, {1, 2, 3, 4, 5, 6}, {}},
    {"reshape", {{{2, 1, 3}, {1, 2, 3, 4, 5, 6}, FLOAT32, 'f'}}, {3, 2}, {3, 2}, {1, 2, 3, 4, 5, 6}, {}},
    {"reshapeas", {X, {{3, 2}, {0, 0, 0, 0, 0, 0}}}, {}, {3, 2}, {1, 2, 3, 4, 5, 6}, {}},
    {"squeeze", {X}, {}, {2, 3}, {1, 2, 3, 4, 5, 6}, {}},
    {"squeeze", {X}, {1}, {2, 3}, {1, 2, 3, 4, 5, 6}, {}},
    {"squeeze", {X}, {0}, {2, 1, 3}, {1, 2, 3, 4, 5, 6}, {}},
    {"squeeze", {{{2, 1, 3}, {1, 2, 3, 4, 5, 6}, FLOAT32, 'f'}}, {}, {2, 3}, {1, 2, 3, 4, 5, 6}, {}},
    {"squeeze", {{{1}, {8}}}, {}, {}, {8}, {}},
    {"expand_dims", {X}, {0}, {1, 2, 1, 3}, {1, 2, 3, 4, 5, 6}, {}},
    {"expand_dims", {{{}, {4}}}, {0}, {1}, {4}, {}},
    {"set_shape", {X, {{2}, {3, 2}, INT64}}, {}, {3, 2}, {1, 2, 3, 4, 5, 6}, {}},
    {"flatten_2d", {X}, {2}, {2, 3}, {1, 2, 3, 4, 5, 6}, {}},
    {"permute", {X}, {2, 0, 1}, {3, 2, 1}, {1, 4, 2, 5, 3, 6}, {}},
    {"permute", {{{2, 1, 3}, {1, 2, 3, 4, 5, 6}, FLOAT32, 'f'}}, {2, 0, 1}, {3, 2, 1}, {1, 4, 2, 5, 3, 6}, {}},
    {"permute", {SQUARE}, {1, 0}, {2, 2}, {1, 3, 2, 4}, {}},
    {"transpose", {X}, {}, {3, 1, 2}, {1, 4, 2, 5, 3, 6}, {}},
    {"transpose", {SQUARE}, {}, {2, 2}, {1, 3, 2, 4}, {}},
    {"test_output_reshape", {X}, {}, {6}, {1, 2, 3, 4, 5, 6}, {}},
    // the same shape
    {"mergeadd", {SQUARE, SQUARE, SQUARE}, {}, {2, 2}, {3, 6, 9, 12}, {}},
    {"mergeavg", {SQUARE, {{2, 2}, {3, 4, 5, 6}}}, {}, {2, 2}, {2, 3, 4, 5}, {}},
    {"mergemax", {SQUARE, {{2, 2}, {4, 1, 1, 1}}}, {}, {2, 2}, {4, 2, 3, 4}, {}},
    {"zeros_as", {SQUARE}, {}, {2, 2}, {0, 0, 0, 0}, {}},
    {"ones_as", {SQUARE}, {}, {2, 2}, {1, 1, 1, 1}, {}},
    {"axpy", {VECTOR, {{3}, {10, 20, 30}}}, {}, {3}, {21, 42, 63}, {2}},
    {"invert_permutation", {{{4}, {2, 0, 3, 1}, INT32}}, {}, {4}, {1, 3, 0, 2}, {}},
    {"cross", {VECTOR, {{3}, {3, 2, 1}}}, {}, {3}, {-4, 8, -4}, {}},
    {"triu", {SQUARE}, {0}, {2, 2}, {1, 2, 0, 4}, {}},
    {"matrix_set_diag", {SQUARE, {{2}, {8, 9}}}, {}, {2, 2}, {8, 2, 3, 9}, {}},
    {"tile_to_shape", {SQUARE}, {2, 2}, {2, 2}, {1, 2, 3, 4}, {}},
    {"reverse_sequence", {SQUARE, {{2}, {2, 1}, INT32}}, {1, 0}, {2, 2}, {2, 1, 3, 4}, {}},
    {"roll", {VECTOR}, {1}, {3}, {3, 1, 2}, {}},
    {"add", {SQUARE, {{2}, {10, 20}}}, {}, {2, 2}, {11, 22, 13, 24}, {}},
    {"cast", {SQUARE}, {FLOAT32}, {2, 2}, {1, 2, 3, 4}, {}},
    {"permute", {{{0, 3}, {}}}, {1, 0}, {3, 0}, {}, {}},
    {"reshape", {{{0, 3}, {}}}, {3, 0}, {3, 0}, {}, {}},
    // another number of elements
    {"concat", {{{2}, {1, 2}}, {{1}, {3}}}, {0}, {3}, {1, 2, 3}, {}},
    {"gather", {VECTOR, {{2}, {2, 0}, INT32}}, {0}, {2}, {3, 1}, {}},
    {"reduce_sum", {SQUARE}, {}, {}, {10}, {}},
    {"reduce_max", {SQUARE}, {0}, {2}, {3, 4}, {}},
    {"pad", {VECTOR, {{1, 2}, {1, 1}, INT32}}, {0}, {5}, {0, 1, 2, 3, 0}, {}},
    {"broadcast_to", {VECTOR, {{2}, {2, 3}, INT32}}, {}, {2, 3}, {1, 2, 3, 1, 2, 3}, {}},
    {"crelu", {{{2}, {1, -2}}}, {}, {4}, {1, 0, 0, 2}, {}},
    // more results than inputs
    {"clip_by_global_norm", {{{2}, {3, 4}}}, {}, {2}, {0.6, 0.8}, {1}},
    {"split", {{{4}, {1, 2, 3, 4}}}, {2}, {2}, {1, 2}, {}},
};

TEST(OpsInPlace, InputsBecomeResults) {
  SKIP_WITHOUT_OPERATIONS;
  for (const Call& call : CALLS) {
    ops::DeclarableOp* op = named(call.op);
    ASSERT_NE(op, nullptr) << call.op;
    for (const bool evaluates : {true, false}) {
      const std::string what = std::string(call.op) + (evaluates ? ", evaluate" : ", execute");
      SCOPED_TRACE(what);
      std::vector<NDArray> arrays;
      for (const In& in : call.inputs) arrays.push_back(in.array());
      std::vector<NDArray*> inputs;
      for (NDArray& array : arrays) inputs.push_back(&array);
      if (evaluates) {
        const auto results = op->evaluate(inputs, call.floats, call.integers, {}, {}, true);
        ASSERT_EQ(results.status(), Status::OK);
        ASSERT_EQ(results.size(), static_cast<int>(inputs.size()));
        for (size_t i = 0; i < inputs.size(); i++) EXPECT_EQ(results.at(i), inputs[i]);
      } else {
        ASSERT_EQ(op->execute(inputs, {}, call.floats, call.integers, {}, {}, true), Status::OK);
      }
      expectArray(arrays[0], call.shape, call.values, what);
      EXPECT_EQ(arrays[0].dataType(), call.inputs[0].type);
      for (size_t i = 1; i < inputs.size() && std::string(call.op) != "clip_by_global_norm"; i++)
        expectArray(arrays[i], call.inputs[i].shape, call.inputs[i].values, what + ", other input");
    }
  }
}

TEST(OpsInPlace, MemoryStaysWhereItCan) {
  SKIP_WITHOUT_OPERATIONS;
  for (const Call& call : CALLS) {
    NDArray x = call.inputs[0].array();
    if (x.lengthOf() != static_cast<LongType>(call.values.size()) || x.ordering() != 'c') continue;
    std::vector<NDArray> others;
    for (size_t i = 1; i < call.inputs.size(); i++) others.push_back(call.inputs[i].array());
    std::vector<NDArray*> inputs{&x};
    for (NDArray& array : others) inputs.push_back(&array);
    const void* buffer = x.buffer();
    ASSERT_EQ(named(call.op)->execute(inputs, {}, call.floats, call.integers, {}, {}, true), Status::OK) << call.op;
    EXPECT_EQ(x.buffer(), buffer) << call.op;
  }
}

TEST(OpsInPlace, PartsOfArrays) {
  SKIP_WITHOUT_OPERATIONS;
  NDArray whole('c', {3, 4}, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}, FLOAT32);
  {
    NDArray columns = whole({0, 3, 1, 3}, true);
    ASSERT_EQ(named("transpose")->execute({&columns}, {}, {}, {}, {}, {}, true), Status::OK);
    expectArray(columns, {2, 3}, {1, 5, 9, 2, 6, 10}, "transposed part");
    expectArray(whole, {3, 4}, {0, 1, 5, 3, 4, 9, 2, 7, 8, 6, 10, 11}, "what it is a part of");
  }
  NDArray row = whole({1, 2, 0, 4}, true);
  ASSERT_EQ(named("squeeze")->execute({&row}, {}, {}, {}, {}, {}, true), Status::OK);
  expectArray(row, {4}, {4, 9, 2, 7}, "row");
  row.assign(-1);
  EXPECT_EQ(whole.e<float>(1, 3), -1);
}

TEST(OpsInPlace, ConversionsLeaveOtherTypes) {
  SKIP_WITHOUT_OPERATIONS;
  const struct {
    const char* op;
    std::vector<LongType> integers;
  } rows[] = {{"cast", {INT32}}, {"cast", {DOUBLE}}, {"to_double", {}}, {"to_float16", {}}, {"to_int32", {}},
              {"to_int64", {}},  {"to_uint32", {}},  {"to_uint64", {}}, {"to_float32", {}}};
  for (const auto& [op, integers] : rows) {
    NDArray x('c', {2}, {1.5, -2.5}, FLOAT32);
    const auto results = named(op)->evaluate({&x}, {}, integers, {}, {}, true);
    ASSERT_EQ(results.status(), Status::OK) << op;
    EXPECT_EQ(results.at(0), &x) << op;
    EXPECT_EQ(x.dataType(), FLOAT32) << op;
    expectArray(x, {2}, {1.5, -2.5}, op);
    // The next call is none in place.
    if (std::string(op) == "to_int32") {
      EXPECT_EQ(named(op)->evaluate({&x}).at(0)->dataType(), INT32);
    }
  }
}

struct Refused {
  const char* op;
  std::vector<In> inputs;
  const char* message;
  std::vector<LongType> integers = {};
};

TEST(OpsInPlace, RefusedCalls) {
  SKIP_WITHOUT_OPERATIONS;
  const Refused rows[] = {
      {"add",
       {VECTOR, {{2, 3}, {1, 2, 3, 4, 5, 6}}},
       "[add] in place: output 0 (FLOAT32 of shape [2, 3]) does not fit into input 0 (FLOAT32 of shape [3])"},
      {"subtract",
       {VECTOR, {{1, 3}, {1, 2, 3}}},
       "[subtract] in place: output 0 (FLOAT32 of shape [1, 3]) does not fit into input 0 (FLOAT32 of shape [3])"},
      {"greater",
       {VECTOR, VECTOR},
       "[greater] in place: output 0 (BOOL of shape [3]) does not fit into input 0 (FLOAT32 of shape [3])"},
      {"repeat",
       {VECTOR},
       "[repeat] in place: output 0 (FLOAT32 of shape [6]) does not fit into input 0 (FLOAT32 of shape [3])",
       {2, 0}},
      {"argmax",
       {VECTOR},
       "[argmax] in place: output 0 (INT64 of shape []) does not fit into input 0 (FLOAT32 of shape [3])"},
      {"shape_of",
       {VECTOR},
       "[shape_of] in place: output 0 (INT64 of shape [1]) does not fit into input 0 (FLOAT32 of shape [3])"},
  };
  for (const auto& [op, inputs, message, integers] : rows) {
    std::vector<NDArray> arrays;
    for (const In& in : inputs) arrays.push_back(in.array());
    std::vector<NDArray*> pointers;
    for (NDArray& array : arrays) pointers.push_back(&array);
    EXPECT_EQ(message, errorOf([&, name = op, i = integers] { named(name)->evaluate(pointers, {}, i, {}, {}, true); }));
    for (size_t i = 0; i < inputs.size(); i++) expectArray(arrays[i], inputs[i].shape, inputs[i].values, op);
  }
  // elements that share memory
  NDArray one('c', {1}, {1}, FLOAT32);
  NDArray same(one.getDataBuffer(), ShapeDescriptor(FLOAT32, 'c', {3}, {0}));
  EXPECT_NE(errorOf([&] { named("triu")->evaluate({&same}, {}, {}, {}, {}, true); }), "no error");
  // A body that refuses leaves the input as it is.
  NDArray x('c', {2, 3}, {1, 2, 3, 4, 5, 6}, FLOAT32);
  EXPECT_NE(errorOf([&] { named("reshape")->evaluate({&x}, {}, {4, 2}, {}, {}, true); }), "no error");
  expectArray(x, {2, 3}, {1, 2, 3, 4, 5, 6}, "refused");
}

TEST(OpsInPlace, OutputsThatAreGiven) {
  SKIP_WITHOUT_OPERATIONS;
  // Output k is given: result k goes there, and input k stays.
  for (const char* name : {"identity", "tanh", "mergeadd"}) {
    NDArray x('c', {2}, {0, 0}, FLOAT32), z('c', {2}, {5, 5}, FLOAT32);
    ASSERT_EQ(named(name)->execute({&x}, {&z}, {}, {}, {}, {}, true), Status::OK) << name;
    expectArray(z, {2}, {0, 0}, name);
    expectArray(x, {2}, {0, 0}, name);
  }
  NDArray x('c', {4}, {1, -2, 0.1, 2}, FLOAT32), encoded('c', {7}, {0, 0, 0, 0, 0, 0, 0}, INT32);
  ASSERT_EQ(named("encode_threshold")->execute({&x}, {&x, &encoded}, {0.5}, {}, {}, {}, true), Status::OK);
  expectArray(x, {4}, {0.5, -1.5, 0.1, 1.5}, "residual");
  EXPECT_EQ(encoded.e<int>(0), 3);
  EXPECT_EQ(encoded.e<int>(5), -2);
}

TEST(OpsInPlace, ContextsKeepTheirArrays) {
  SKIP_WITHOUT_OPERATIONS;
  NDArray x('c', {2, 3}, {1, 2, 3, 4, 5, 6}, FLOAT32);
  graph::Context context(1);
  context.setInputArray(0, &x);
  context.markInplace(true);
  for (int run = 0; run < 3; run++) {
    ASSERT_EQ(named("transpose")->execute(&context), Status::OK);
    EXPECT_TRUE(context.isInplace());
    EXPECT_TRUE(context.fastpath_out().empty());
    if (run % 2 == 0)
      expectArray(x, {3, 2}, {1, 4, 2, 5, 3, 6}, "transposed");
    else
      expectArray(x, {2, 3}, {1, 2, 3, 4, 5, 6}, "and back");
  }
  // Results without an input are outputs of the context.
  NDArray y('c', {2}, {3, 4}, FLOAT32);
  graph::Context clip(1);
  clip.setInputArray(0, &y);
  clip.markInplace(true);
  clip.setTArguments({1.0});
  for (int run = 0; run < 2; run++) {
    y.assign(run == 0 ? NDArray('c', {2}, {3, 4}, FLOAT32) : NDArray('c', {2}, {6, 8}, FLOAT32));
    ASSERT_EQ(named("clip_by_global_norm")->execute(&clip), Status::OK);
    expectArray(y, {2}, {0.6, 0.8}, "clipped");
    ASSERT_EQ(clip.numberOfOutputs(), 2);
    EXPECT_EQ(clip.optionalOutput(0), nullptr);
    EXPECT_FLOAT_EQ(clip.optionalOutput(1)->e<float>(0), run == 0 ? 5.f : 10.f);
  }
}

TEST(OpsInPlace, MemoryOfCFunctions) {
  SKIP_WITHOUT_OPERATIONS;
  NDArray x('c', {2, 3}, {1, 2, 3, 4, 5, 6}, FLOAT32);
  const auto run = [&](const char* name) {
    Pointer buffers[] = {x.buffer()};
    Pointer shapes[] = {const_cast<LongType*>(x.shapeInfo())};
    return execCustomOp(nullptr, named(name)->getOpHash(), buffers, shapes, 1, nullptr, nullptr, 0, nullptr, 0, nullptr,
                        0, nullptr, 0, true);
  };
  EXPECT_EQ(run("transpose"), Status::OK);
  expectArray(x, {2, 3}, {1, 4, 2, 5, 3, 6}, "elements of the transposed matrix");
  EXPECT_EQ(run("mergeadd"), Status::OK);
  // The memory has another size.
  EXPECT_EQ(run("reduce_sum"), Status::BAD_INPUT);
  EXPECT_STREQ(lastErrorMessage(),
               "[reduce_sum] in place: output 0 (FLOAT32 of shape []) does not fit into input 0 (FLOAT32 of shape [2, "
               "3])");
  expectArray(x, {2, 3}, {1, 4, 2, 5, 3, 6}, "unchanged");
}

TEST(OpsInPlace, ViewsShareMemory) {
  SKIP_WITHOUT_OPERATIONS;
  NDArray base('c', {3, 4}, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}, FLOAT32);
  NDArray row = NDIndexUtils::createPoint(1), columns = NDIndexUtils::createInterval(1, 3, 1, 0);
  for (int run = 0; run < 2; run++) {
    const auto results = named("create_view")->evaluate({&base, &row, &columns});
    ASSERT_EQ(results.status(), Status::OK);
    NDArray& view = *results.at(0);
    expectArray(view, {2}, run == 0 ? Values{5, 6} : Values{-1, -2}, "view");
    EXPECT_EQ(view.dataBuffer(), base.dataBuffer());
    view.p(0, -1);
    base.p(6, -2);
    EXPECT_EQ(base.e<float>(1, 1), -1);
    EXPECT_EQ(view.e<float>(1), -2);
  }
  // An output of the caller gets the elements.
  NDArray z('c', {2}, {0, 0}, FLOAT32);
  ASSERT_EQ(named("create_view")->execute({&base, &row, &columns}, {&z}), Status::OK);
  EXPECT_NE(z.dataBuffer(), base.dataBuffer());
  expectArray(z, {2}, {-1, -2}, "copy");
  // The view keeps the memory alive.
  auto gone = std::make_unique<NDArray>(base);
  const auto kept = named("create_view")->evaluate({gone.get(), &row});
  gone.reset();
  expectArray(*kept.at(0), {4}, {4, -1, -2, 7}, "without its base");
}

}  // namespace
}  // namespace sd
