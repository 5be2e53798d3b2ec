// The framework of operations: macros, the steps of a call, the registry.
#include <array/NDArrayList.h>
#include <gtest/gtest.h>
#include <ops/declarable/CustomOperations.h>
#include <system/platform_boilerplate.h>

#include <cstring>
#include <thread>

#include "Messages.h"

// ---- one operation of each kind

namespace sd::ops {

DECLARE_CUSTOM_OP(t_rows, 1, -1, false, 0, -1)
CUSTOM_OP_IMPL(t_rows, 1, -1, false, 0, -1) {
  auto x = INPUT_VARIABLE(0);
  for (int i = 0; i < x->sizeAt(0); i++) OUTPUT_VARIABLE(i)->assign((*x)(i, {0}));
  return Status::OK;
}
DECLARE_SHAPE_FN(t_rows) {
  REQUIRE_TRUE(INT_ARG(0) == 0, 0, "T_ROWS OP: axis is %i, not 0", INT_ARG(0));
  auto list = SHAPELIST();
  auto x = inputShape->at(0);
  for (int i = 0; i < shape::sizeAt(x, 0); i++)
    list->push_back(ConstantShapeHelper::getInstance().vectorShapeInfo(shape::sizeAt(x, 1), ArrayOptions::dataType(x)));
  return list;
}
DECLARE_TYPES(t_rows) { getOpDescriptor()->setAllowedInputTypes(ANY)->setSameMode(true); }
DECLARE_SYN(TRows, t_rows);

DECLARE_CONFIGURABLE_OP(t_scale, 1, 1, true, 1, 0)
CONFIGURABLE_OP_IMPL(t_scale, 1, 1, true, 1, 0) {
  INPUT_VARIABLE(0)->applyScalar(scalar::Multiply, T_ARG(0), *OUTPUT_VARIABLE(0));
  return Status::OK;
}
DECLARE_TYPES(t_scale) { getOpDescriptor()->setAllowedInputTypes({ALL_FLOATS})->setSameMode(true); }

DECLARE_OP(t_flip, 1, 1, false)
OP_IMPL(t_flip, 1, 1, false) {
  auto x = INPUT_VARIABLE(0), z = OUTPUT_VARIABLE(0);
  for (LongType i = 0; i < x->lengthOf(); i++) z->p(i, x->e<double>(x->lengthOf() - 1 - i));
  return Status::OK;
}
DECLARE_TYPES(t_flip) { getOpDescriptor()->setAllowedInputTypes(ANY)->setSameMode(true); }

DECLARE_OP(t_careless, 1, 1, false)
OP_IMPL(t_careless, 1, 1, false) {
  INPUT_VARIABLE(0)->assign(7.0);
  OUTPUT_VARIABLE(0)->assign(1.0);
  return Status::OK;
}
DECLARE_TYPES(t_careless) { getOpDescriptor()->setAllowedInputTypes(ANY)->setSameMode(true); }

DECLARE_REDUCTION_OP(t_total, 1, 1, false, 0, 0)
REDUCTION_OP_IMPL(t_total, 1, 1, false, 0, 0) {
  INPUT_VARIABLE(0)->reduceAlongDimension(reduce::Sum, *OUTPUT_VARIABLE(0), dimensions(block));
  return Status::OK;
}
DECLARE_TYPES(t_total) { getOpDescriptor()->setAllowedInputTypes(ANY)->setAllowedOutputTypes(ANY); }

DECLARE_BOOLEAN_OP(t_longer, 2, true)
BOOLEAN_OP_IMPL(t_longer, 2, true) {
  if (INPUT_VARIABLE(0)->lengthOf() == 99) return Status::MAYBE;
  return INPUT_VARIABLE(0)->lengthOf() > INPUT_VARIABLE(1)->lengthOf() ? Status::EQ_TRUE : Status::EQ_FALSE;
}
DECLARE_TYPES(t_longer) { getOpDescriptor()->setAllowedInputTypes(ANY); }

DECLARE_LIST_OP(t_append, 2, 1, 0, 0)
LIST_OP_IMPL(t_append, 2, 1, 0, 0) {
  auto list = INPUT_LIST(0);
  auto x = INPUT_VARIABLE(1);
  REQUIRE_TRUE(list != nullptr, 0, "input 0 is no list");
  REQUIRE_TRUE(list->write(list->elements(), new NDArray(*x)) == Status::OK, 0, "the array does not fit");
  setupResult(new NDArray(x->dup()), block);
  return Status::OK;
}

DECLARE_LOGIC_OP(t_logic)
LOGIC_OP_IMPL(t_logic)

DECLARE_DIVERGENT_OP(t_split, 2, 2, true)
DIVERGENT_OP_IMPL(t_split, 2, 2, true) {
  OUTPUT_VARIABLE(0)->assign(*INPUT_VARIABLE(0));
  OUTPUT_VARIABLE(1)->assign(*INPUT_VARIABLE(0));
  return Status::OK;
}

// optional inputs and arguments of every kind
DECLARE_CUSTOM_OP(t_arguments, 1, 1, false, -2, -2)
CUSTOM_OP_IMPL(t_arguments, 1, 1, false, -2, -2) {
  auto z = OUTPUT_VARIABLE(0);
  z->p(0, static_cast<double>(block.numT()) * 1000 + static_cast<double>(block.numI()) * 100 +
              static_cast<double>(block.numB()) * 10 + static_cast<double>(block.numD()));
  z->p(1, block.numI() > 0 ? static_cast<double>(block.intArgument64(0)) : -1.0);
  z->p(2, block.width() > 1 && INPUT_VARIABLE(1) == nullptr ? 1.0 : 0.0);
  return Status::OK;
}
DECLARE_SHAPE_FN(t_arguments) { return SHAPELIST(ConstantShapeHelper::getInstance().vectorShapeInfo(3, DOUBLE)); }
DECLARE_TYPES(t_arguments) { getOpDescriptor()->setAllowedInputTypes(ANY)->setAllowedOutputTypes(DOUBLE); }

DECLARE_CONFIGURABLE_OP(t_one_helper, 1, 1, true, 0, 0)
CONFIGURABLE_OP_IMPL(t_one_helper, 1, 1, true, 0, 0) {
  OUTPUT_VARIABLE(0)->assign(*INPUT_VARIABLE(0));
  return Status::OK;
}
DECLARE_TYPES(t_one_helper) { getOpDescriptor()->setAllowedInputTypes({ALL_FLOATS})->setSameMode(true); }

namespace platforms {
DECLARE_PLATFORM(t_scale, ENGINE_CPU)
PLATFORM_IMPL(t_scale, ENGINE_CPU) {
  getZ(block)->assign(-1.0);
  return Status::OK;
}
// only for arrays of 5 elements
PLATFORM_CHECK(t_scale, ENGINE_CPU) { return block.array(0)->lengthOf() == 5; }
}  // namespace platforms

}  // namespace sd::ops

using namespace sd;
using nd_test::errorOf;

namespace {

NDArray numbers(std::vector<LongType> dims, DataType type = FLOAT32) {
  NDArray x('c', dims, type);
  x.linspace(1);
  return x;
}

// ---- evaluate

TEST(DeclarableOp, EvaluateMakesOutputs) {
  NDArray x = numbers({2, 3});
  ops::t_rows op;
  const auto rows = op.evaluate({&x}, {}, {0});
  ASSERT_EQ(Status::OK, rows.status());
  ASSERT_EQ(2, rows.size());
  EXPECT_TRUE(rows.at(1)->equalsTo(NDArray('c', {3}, {4, 5, 6}, FLOAT32)));
}

TEST(DeclarableOp, OneListOfArguments) {
  NDArray x = numbers({3});
  ops::t_arguments op;
  const auto first = [&](ResultSet set) { return set.at(0)->e<double>(0); };
  EXPECT_EQ(2000, first(op.evaluate({&x}, {1.0, 2.0})));
  EXPECT_EQ(1000, first(op.evaluate({&x}, {1.f})));
  EXPECT_EQ(200, first(op.evaluate({&x}, {1, 2})));
  EXPECT_EQ(100, first(op.evaluate({&x}, {x.lengthOf()})));
  EXPECT_EQ(20, first(op.evaluate({&x}, {true, false})));
  EXPECT_EQ(1, first(op.evaluate({&x}, {DOUBLE})));
  EXPECT_EQ(0, first(op.evaluate({&x})));
  EXPECT_EQ(2121, first(op.evaluate({&x}, {1, 2}, {3}, {true, true}, {INT8})));
}

TEST(DeclarableOp, IntegerArgumentsKeep64Bits) {
  NDArray x = numbers({1});
  const LongType large = 5'000'000'000;
  EXPECT_EQ(double(large), ops::t_arguments().evaluate({&x}, {}, {large}).at(0)->e<double>(1));
  EXPECT_EQ(-double(large), ops::t_arguments().evaluate({&x}, {}, {-large}).at(0)->e<double>(1));
}

TEST(DeclarableOp, InPlaceInASpaceTheOutputIsAVariable) {
  graph::VariableSpace space;
  space.putVariable(-1, new NDArray('c', {2}, {1, 2}, FLOAT32));
  graph::Context block(1, &space, true);
  block.fillInputs({-1});
  ops::square op;
  ASSERT_EQ(Status::OK, op.execute(&block));
  EXPECT_EQ(4.f, space.getVariable(-1)->getNDArray()->e<float>(1));
  EXPECT_EQ(space.getVariable(-1)->getNDArray(), space.getVariable(1)->getNDArray());
}

TEST(DeclarableOp, NullInputs) {
  NDArray x = numbers({3}), z('c', {3}, DOUBLE);
  ops::t_arguments op;
  // evaluate removes missing inputs, execute keeps their positions
  EXPECT_EQ(0, op.evaluate({&x, nullptr}).at(0)->e<double>(2));
  ASSERT_EQ(Status::OK, op.execute({&x, nullptr}, {&z}));
  EXPECT_EQ(1, z.e<double>(2));
  EXPECT_EQ(Status::VALIDATION, op.execute({nullptr}, {&z}));
  EXPECT_EQ(Status::VALIDATION, op.evaluate({}).status());
  EXPECT_NE(std::string::npos, ops::DeclarableOp::lastValidationMessage().find("[t_arguments] no inputs"));
}

TEST(DeclarableOp, ChecksBeforeTheCall) {
  NDArray x = numbers({2, 2}), integers = numbers({2}, INT32), wrong('c', {4}, FLOAT32);
  ops::t_scale scale;
  EXPECT_EQ(Status::VALIDATION, scale.evaluate({&x}).status());
  EXPECT_EQ("[t_scale] 1 floating arguments are needed, 0 given", ops::DeclarableOp::lastValidationMessage());
  EXPECT_EQ(0, scale.evaluate({&x}).size());
  EXPECT_EQ(Status::VALIDATION, scale.evaluate({&integers}, {2.0}).status());
  EXPECT_NE(std::string::npos, ops::DeclarableOp::lastValidationMessage().find("input 0: type INT32 is not one of"));
  NDArray complex('c', {2}, COMPLEX64);
  EXPECT_EQ(Status::VALIDATION, ops::less().evaluate({&complex, &complex}).status());
  EXPECT_EQ("[less] input 0: type COMPLEX64 is not one of all types but the complex ones",
            ops::DeclarableOp::lastValidationMessage());
  NDArray doubles('c', {2, 2}, DOUBLE);
  EXPECT_EQ(Status::VALIDATION, scale.execute({&x}, {&doubles}, {2.0}));
  EXPECT_EQ(Status::VALIDATION, ops::t_rows().evaluate({&x}).status());  // at least one integer
  const auto message = errorOf([&] { scale.execute({&x}, {&wrong}, {2.0}); });
  EXPECT_EQ("[t_scale] output 0: its shape is [4], but the operation returns shape [2, 2]", message);
  EXPECT_THROW(scale.execute({&x}, {&wrong}, {2.0}), std::runtime_error);
}

TEST(DeclarableOp, RequirementsCarryTheNameOnce) {
  NDArray x = numbers({2, 3});
  EXPECT_EQ("[t_rows] axis is 1, not 0", errorOf([&] { ops::t_rows().evaluate({&x}, {1}); }));
  EXPECT_THROW(ops::t_rows().evaluate({&x}, {1}), std::invalid_argument);
}

TEST(DeclarableOp, MissingArgumentsInTheBodyAreNamed) {
  graph::Context block(1);
  const std::string name = "some_op";
  ops::RunningOp running(name);
  EXPECT_THROW(block.intArgument(0), std::out_of_range);
  EXPECT_EQ("[some_op] floating argument 2 is missing: 0 given", errorOf([&] { block.floatArgument(2); }));
  EXPECT_EQ("[some_op] input 3 is missing: 0 given", errorOf([&] { block.array(3); }));
  EXPECT_THROW(block.boolArgument(0), std::out_of_range);
  EXPECT_THROW(block.typeArgument(0), std::out_of_range);
}

// ---- in place and shared memory

TEST(DeclarableOp, InPlace) {
  NDArray x = numbers({4});
  ops::t_scale scale;
  const auto result = scale.evaluate({&x}, {2.0}, {}, {}, {}, true);
  EXPECT_EQ(&x, result.at(0));
  EXPECT_EQ(8.f, x.e<float>(3));
  // t_flip does not declare that it works in place: its result is computed apart.
  const auto flipped = ops::t_flip().evaluate({&x}, {}, {}, {}, {}, true);
  ASSERT_EQ(Status::OK, flipped.status());
  EXPECT_EQ(&x, flipped.at(0));
  EXPECT_TRUE(x.equalsTo(NDArray('c', {4}, {8, 6, 4, 2}, FLOAT32)));
}

TEST(DeclarableOp, OutputsThatAreInputs) {
  // t_flip would read what it has already written if x and z were the same array, so the framework separates them
  NDArray x = numbers({4});
  ASSERT_EQ(Status::OK, ops::t_flip().execute({&x}, {&x}));
  EXPECT_TRUE(x.equalsTo(NDArray('c', {4}, {4, 3, 2, 1}, FLOAT32)));
  NDArray whole = numbers({6});
  NDArray first = whole({0, 4}), second = whole({2, 6});
  ASSERT_EQ(Status::OK, ops::t_flip().execute({&first}, {&second}));
  EXPECT_TRUE(whole.equalsTo(NDArray('c', {6}, {1, 2, 4, 3, 2, 1}, FLOAT32)));
  // an operation that may work in place still must not overwrite a part of its input
  NDArray again = numbers({6});
  NDArray from = again({0, 4}), to = again({1, 5});
  ASSERT_EQ(Status::OK, ops::t_scale().execute({&from}, {&to}, {10.0}));
  EXPECT_TRUE(again.equalsTo(NDArray('c', {6}, {1, 10, 20, 30, 40, 6}, FLOAT32)));
}

TEST(DeclarableOp, ChangedInputsAreFoundInDebugMode) {
  NDArray x = numbers({3});
  Environment::getInstance().setDebug(true);
  const auto message = errorOf([&] { ops::t_careless().evaluate({&x}); });
  Environment::getInstance().setDebug(false);
  EXPECT_EQ("[t_careless] the operation has changed input 0, but is not declared to work in place", message);
}

TEST(DeclarableOp, OutputsOfOtherTypesAreConverted) {
  NDArray x = numbers({3}), y = numbers({2}), z(FLOAT32);
  ops::t_longer longer;
  ASSERT_EQ(Status::OK, longer.execute({&x, &y}, {&z}));
  EXPECT_EQ(1.f, z.e<float>(0));
  NDArray sum(DOUBLE);
  ASSERT_EQ(Status::OK, ops::t_total().execute({&x}, {&sum}));
  EXPECT_EQ(6.0, sum.e<double>(0));
}

// ---- kinds

TEST(DeclarableOp, Reduction) {
  NDArray x = numbers({2, 3}), axis('c', {1}, {1}, INT32);
  ops::t_total total;
  EXPECT_TRUE(total.evaluate({&x}, {1}).at(0)->equalsTo(NDArray('c', {2}, {6, 15}, FLOAT32)));
  EXPECT_TRUE(total.evaluate({&x, &axis}).at(0)->equalsTo(NDArray('c', {2}, {6, 15}, FLOAT32)));
  const auto all = total.evaluate({&x});
  EXPECT_EQ(0, all.at(0)->rankOf());
  EXPECT_EQ(21.f, all.at(0)->e<float>(0));
}

TEST(DeclarableOp, Boolean) {
  NDArray x = numbers({3}), y = numbers({2}), broken = numbers({99});
  ops::t_longer op;
  EXPECT_TRUE(op.verify({&x, &y}));
  EXPECT_FALSE(op.verify({&y, &x}));
  const auto answer = op.evaluate({&x, &y});
  ASSERT_EQ(Status::OK, answer.status());
  EXPECT_EQ(BOOL, answer.at(0)->dataType());
  EXPECT_TRUE(answer.at(0)->e<bool>(0));
  EXPECT_THROW(op.verify({&broken, &x}), std::runtime_error);
  EXPECT_EQ(Status::KERNEL_FAILURE, op.evaluate({&broken, &x}).status());
}

TEST(DeclarableOp, Lists) {
  NDArrayList list(0, true);
  NDArray x = numbers({2});
  const auto result = ops::t_append().execute(&list, {&x}, {}, {});
  ASSERT_EQ(Status::OK, result.status());
  ASSERT_EQ(1, result.size());
  EXPECT_EQ(1, list.elements());
  EXPECT_TRUE(result.at(0)->equalsTo(x));
}

TEST(DeclarableOp, LogicAndDivergent) {
  NDArray x = numbers({2});
  graph::Context block(1);
  EXPECT_EQ(Status::BAD_INPUT, ops::t_logic().execute(&block));
  const auto both = ops::t_split().evaluate({&x, &x});
  ASSERT_EQ(2, both.size());
  EXPECT_TRUE(both.at(1)->equalsTo(x));
  EXPECT_TRUE(ops::t_split().getOpDescriptor()->isDivergent());
}

// ---- contexts

TEST(DeclarableOp, ContextIsReused) {
  NDArray x = numbers({4}), z('f', {4}, FLOAT32);
  graph::Context block(1);
  block.setInputArray(0, &x);
  block.setOutputArray(0, &z);
  block.setTArguments(std::vector<double>{3.0});
  EXPECT_TRUE(block.isFastPath());
  ops::t_scale scale;
  ASSERT_EQ(Status::OK, scale.execute(&block));
  x.assign(1.f);
  ASSERT_EQ(Status::OK, scale.execute(&block));
  EXPECT_EQ(3.f, z.e<float>(2));
  EXPECT_THROW(block.setInputArray(-1, &x), std::runtime_error);
}

TEST(DeclarableOp, VariableSpace) {
  graph::VariableSpace space;
  space.putVariable(-1, new NDArray(numbers({4})));
  graph::Context block(3, &space, false);
  block.fillInputs({-1});
  block.setTArguments(std::vector<double>{2.0});
  ops::t_scale scale;
  ASSERT_EQ(Status::OK, scale.execute(&block));
  ASSERT_TRUE(space.hasVariable(3));
  EXPECT_EQ(8.f, space.getVariable(3)->getNDArray()->e<float>(3));
  EXPECT_EQ(4.f, space.getVariable(-1)->getNDArray()->e<float>(3));
  ASSERT_EQ(Status::OK, scale.execute(&block));
}

TEST(DeclarableOp, EqualArguments) {
  graph::Context a(1), b(2);
  for (auto* block : {&a, &b}) {
    block->setTArguments(std::vector<double>{1.5, std::numeric_limits<double>::quiet_NaN()});
    block->setIArguments({1, 2});
    block->setBArguments(std::vector<bool>{true});
  }
  EXPECT_TRUE(a.sameArguments(b));
  EXPECT_EQ(a.argumentsHash(), b.argumentsHash());
  b.getIArguments()->push_back(3);
  EXPECT_FALSE(a.sameArguments(b));
  EXPECT_NE(a.argumentsHash(), b.argumentsHash());
}

// ---- registry

TEST(OpRegistrator, NamesAliasesHashes) {
  auto& registry = ops::OpRegistrator::getInstance();
  ops::t_rows op;
  auto* named = registry.getOperation("t_rows");
  ASSERT_NE(nullptr, named);
  EXPECT_EQ(named, registry.getOperation("TRows"));
  EXPECT_EQ(named, registry.getOperation(op.getOpHash()));
  std::string alias = "TRows";
  EXPECT_EQ(named, registry.getOperation(ops::HashHelper::getInstance().getLongHash(alias)));
  EXPECT_EQ(nullptr, registry.getOperation("no_such_operation"));
  EXPECT_EQ(nullptr, registry.getOperation(LongType{1}));
  EXPECT_EQ(nullptr, registry.getOperation(static_cast<const char*>(nullptr)));
  EXPECT_EQ(std::vector<std::string>{"TRows"}, registry.aliasesOf(named));
  EXPECT_NE(nullptr, std::strstr(registry.getAllCustomOperations(), ";t_scale:"));
  EXPECT_FALSE(registry.registerOperation(new ops::t_rows));
  EXPECT_EQ(named, registry.getOperation("t_rows"));
}

// Values of the published algorithm, computed with Python's integers.
TEST(OpRegistrator, Hashes) {
  EXPECT_EQ(-5176033361941572836LL, ops::HashHelper::hashOf("add"));
  EXPECT_EQ(-4953706369002393500LL, ops::HashHelper::hashOf(""));
  EXPECT_EQ(7325441780195652299LL, ops::HashHelper::hashOf("conv2d"));
}

TEST(OpRegistrator, ManyThreads) {
  auto& registry = ops::OpRegistrator::getInstance();
  std::vector<std::thread> threads;
  std::atomic<int> good{0};
  for (int t = 0; t < 8; t++)
    threads.emplace_back([&] {
      NDArray x = numbers({10});
      for (int i = 0; i < 200; i++) {
        auto result = registry.getOperation("t_scale")->evaluate({&x}, {2.0});
        good += result.at(0)->e<float>(9) == 20.f && std::strlen(registry.getAllCustomOperations()) > 0;
      }
    });
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(1600, good);
}

TEST(PlatformHelper, IsUsedWhenItAcceptsAndHelpersAreAllowed) {
  NDArray five = numbers({5}), four = numbers({4}), z('c', {5}, FLOAT32);
  ops::t_scale scale;
  EXPECT_EQ(-1.f, scale.evaluate({&five}, {2.0}).at(0)->e<float>(4));
  EXPECT_EQ(8.f, scale.evaluate({&four}, {2.0}).at(0)->e<float>(3));
  auto& environment = Environment::getInstance();
  environment.allowHelpers(false);
  EXPECT_EQ(10.f, scale.evaluate({&five}, {2.0}).at(0)->e<float>(4));
  environment.allowHelpers(true);
  graph::Context block(1);
  block.setInputArray(0, &five);
  block.setOutputArray(0, &z);
  block.setTArguments(std::vector<double>{2.0});
  block.allowHelpers(false);
  ASSERT_EQ(Status::OK, scale.execute(&block));
  EXPECT_EQ(10.f, z.e<float>(4));
  auto& registry = ops::OpRegistrator::getInstance();
  EXPECT_TRUE(registry.hasHelper(scale.getOpHash(), samediff::ENGINE_CPU));
  EXPECT_FALSE(registry.hasHelper(scale.getOpHash(), samediff::ENGINE_CUDA));
  EXPECT_THROW(registry.getPlatformHelper(1, samediff::ENGINE_CPU), std::runtime_error);
}

class HelperOfRows final : public ops::platforms::PlatformHelper {
 public:
  explicit HelperOfRows(samediff::Engine engine) : PlatformHelper("t_one_helper", engine) {}
  bool isUsable(graph::Context&) override { return true; }
  Status invokeHelper(graph::Context& block) override {
    getZ(block)->assign(engine() == samediff::ENGINE_CPU ? -1.0 : -2.0);
    return Status::OK;
  }
};

TEST(PlatformHelper, EachEngineHasItsOwnAndOnlyOne) {
  auto& registry = ops::OpRegistrator::getInstance();
  for (const auto engine : {samediff::ENGINE_CPU, samediff::ENGINE_CUDA})
    EXPECT_TRUE(registry.registerHelper(new HelperOfRows(engine)));
  const auto* first = registry.getPlatformHelper(ops::t_one_helper().getOpHash(), samediff::ENGINE_CPU);
  EXPECT_EQ("[registerHelper] operation 't_one_helper' already has a helper for engine 0",
            errorOf([&] { registry.registerHelper(new HelperOfRows(samediff::ENGINE_CPU)); }));
  EXPECT_EQ(first, registry.getPlatformHelper(first->hash(), samediff::ENGINE_CPU));

  NDArray x = numbers({3}), z('c', {3}, FLOAT32);
  ops::t_one_helper op;
  for (const auto engine : {samediff::ENGINE_CPU, samediff::ENGINE_CUDA, samediff::ENGINE_CPU}) {
    graph::Context block(1);
    block.setInputArray(0, &x);
    block.setOutputArray(0, &z);
    block.setTargetEngine(engine);
    ASSERT_EQ(Status::OK, op.execute(&block));
    EXPECT_EQ(engine == samediff::ENGINE_CPU ? -1.f : -2.f, z.e<float>(1));
  }
}

}  // namespace

TEST(DeclarableOpCalls, AnOutputMayBeAnyInputOfTheCaller) {
  // Updates copy their first input to the output, so that another input must not be there.
  NDArray x('c', {3}, {1, 2, 3}, FLOAT32);
  NDArray all('c', {3}, {0, 1, 2}, FLOAT32), updates('c', {3}, {10, 20, 30}, FLOAT32);
  const NDArray order = all.cast(INT32);
  sd::ops::scatter_add scatter;
  ASSERT_EQ(scatter.execute({&x, const_cast<NDArray*>(&order), &updates}, {&updates}, {}, {}, {}), Status::OK);
  for (int i = 0; i < 3; i++) EXPECT_EQ(updates.e<float>(i), (i + 1) * 11);
  // Element by element it may.
  NDArray y('c', {3}, {5, 6, 7}, FLOAT32);
  sd::ops::subtract subtract;
  ASSERT_EQ(subtract.execute({&x, &y}, {&y}, {}, {}, {}), Status::OK);
  for (int i = 0; i < 3; i++) EXPECT_EQ(y.e<float>(i), -4);
}
