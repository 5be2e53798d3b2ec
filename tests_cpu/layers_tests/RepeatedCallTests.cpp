// Calls that repeat the last one of their operation take over its arguments and shapes: nothing may be taken over from
// a call that differs.
#include <array/NDArray.h>
#include <array/NDArrayFactory.h>
#include <graph/Context.h>
#include <gtest/gtest.h>
#include <ops/declarable/CustomOperations.h>
#include <system/Environment.h>

#include <array>
#include <cmath>

#include "ops/declarable/ReusedContext.h"

using namespace sd;

namespace {

using Sizes = std::vector<LongType>;

NDArray matrix() {
  NDArray x('c', {2, 3}, FLOAT32);
  x.linspace(1);
  return x;
}

/// Calls an operation several times in one context, whose first output it drops.
class Caller {
 public:
  explicit Caller(const char* name) : _op(*ops::OpRegistrator::getInstance().getOperation(name)) {}

  graph::Context& context() { return _block; }
  void input(int index, NDArray& array) { _block.setInputArray(index, &array); }
  std::vector<double> call() {
    if (_op.execute(&_block) != Status::OK) return {};
    return _block.optionalOutput(0)->getBufferAsVector<double>();
  }
  Sizes shape() { return _block.optionalOutput(0)->getShapeAsVector(); }

 private:
  ops::DeclarableOp& _op;
  graph::Context _block{1};
};

using Values = std::vector<double>;

}  // namespace

TEST(RepeatedCalls, argumentsThatChange) {
  NDArray x = matrix();
  Caller sum("reduce_sum");
  sum.input(0, x);
  sum.context().setIArguments(Sizes{1});
  for (int i = 0; i < 4; i++) EXPECT_EQ(sum.call(), (Values{6, 15}));
  sum.context().getIArguments()->at(0) = 0;
  for (int i = 0; i < 4; i++) EXPECT_EQ(sum.call(), (Values{5, 7, 9}));
  sum.context().setBArguments(std::vector<bool>{true});
  for (int i = 0; i < 4; i++) EXPECT_EQ(sum.call(), (Values{5, 7, 9}));
  EXPECT_EQ(sum.shape(), (Sizes{1, 3}));
  sum.context().setArgument("axis", {ops::ArgumentValue::Form::Integers, {0, 1}, {}, {}});
  for (int i = 0; i < 4; i++) EXPECT_EQ(sum.call(), (Values{21}));
  sum.context().clearNamedArguments();
  for (int i = 0; i < 4; i++) EXPECT_EQ(sum.call(), (Values{5, 7, 9}));
}

TEST(RepeatedCalls, structsThatChange) {
  NDArray x = matrix();
  Caller sum("reduce_sum");
  sum.input(0, x);
  struct Row {
    std::vector<int> axis;
    bool keepDims;
    Values values;
    Sizes shape;
  };
  const Row rows[] = {{{1}, false, {6, 15}, {2}},  {{0}, false, {5, 7, 9}, {3}}, {{0}, true, {5, 7, 9}, {1, 3}},
                      {{}, false, {21}, {}},       {{0, 1}, false, {21}, {}},    {{0, 1}, true, {21}, {1, 1}},
                      {{-1}, false, {6, 15}, {2}}, {{1}, false, {6, 15}, {2}}};
  for (int times = 1; times < 4; times++)
    for (const Row& row : rows)
      for (int i = 0; i < times; i++) {
        sum.context().setArguments(ops::args::Reduction{row.axis, row.keepDims});
        EXPECT_EQ(sum.call(), row.values);
        EXPECT_EQ(sum.shape(), row.shape);
      }
  // What the struct says is gone with it.
  sum.context().clearNamedArguments();
  EXPECT_EQ(sum.call(), (Values{21}));
  sum.context().setArguments(ops::args::Reduction{{1}, false});
  for (int i = 0; i < 3; i++) EXPECT_EQ(sum.call(), (Values{6, 15}));
  sum.context().setArgument("axis", {ops::ArgumentValue::Form::Integers, {0}, {}, {}});
  for (int i = 0; i < 3; i++) EXPECT_EQ(sum.call(), (Values{5, 7, 9}));
  sum.context().setArguments(ops::args::Norm{});
  for (int i = 0; i < 3; i++) EXPECT_ANY_THROW(sum.call()) << "the struct of another operation";
}

TEST(RepeatedCalls, numbersOfStructs) {
  Caller range("range");
  struct Row {
    ops::args::NumberRange arguments;
    Values values;
    DataType type;
  };
  const Row rows[] = {{{.limit = 3}, {0, 1, 2}, INT32},
                      {{.limit = 3.0}, {0, 1, 2}, FLOAT32},
                      {{.limit = 3, .dtype = INT64}, {0, 1, 2}, INT64},
                      {{.start = 1, .limit = 3}, {1, 2}, INT32},
                      {{.start = 1, .limit = 3, .delta = 0.5}, {1, 1.5, 2, 2.5}, FLOAT32}};
  for (int times = 1; times < 4; times++)
    for (const Row& row : rows)
      for (int i = 0; i < times; i++) {
        range.context().setArguments(row.arguments);
        EXPECT_EQ(range.call(), row.values);
        EXPECT_EQ(range.context().optionalOutput(0)->dataType(), row.type);
      }
}

// An operation that was called by name takes no positional arguments, and need not have those that it demands.
TEST(RepeatedCalls, byNameAndByPosition) {
  NDArray x = matrix();
  Caller clip("clipbyvalue");
  clip.input(0, x);
  for (int round = 0; round < 2; round++) {
    clip.context().setTArguments(std::array<double, 2>{2, 3}.data(), 2);
    for (int i = 0; i < 3; i++) EXPECT_EQ(clip.call(), (Values{2, 2, 3, 3, 3, 3}));
    clip.context().clearFastPath();
    clip.input(0, x);
    for (int i = 0; i < 3; i++) EXPECT_ANY_THROW(clip.call()) << "arguments are missing";
    clip.context().setArguments(ops::args::ClipBounds{.min = 2, .max = 9});
    for (int i = 0; i < 3; i++) EXPECT_EQ(clip.call(), (Values{2, 2, 3, 4, 5, 6}));
    clip.context().clearFastPath();
    clip.input(0, x);
  }
}

TEST(RepeatedCalls, axesOfTheContext) {
  NDArray x = matrix();
  Caller sum("reduce.Sum");
  sum.input(0, x);
  *sum.context().getAxis() = {1};
  for (int i = 0; i < 3; i++) EXPECT_EQ(sum.call(), (Values{6, 15}));
  *sum.context().getAxis() = {0};
  for (int i = 0; i < 3; i++) EXPECT_EQ(sum.call(), (Values{5, 7, 9}));
}

TEST(RepeatedCalls, zerosOfBothSigns) {
  NDArray x = matrix();
  Caller clip("clipbyvalue");
  clip.input(0, x);
  for (const double zero : {0.0, 0.0, 0.0, -0.0, -0.0, 0.0}) {
    clip.context().setTArguments(std::array<double, 2>{-5, zero}.data(), 2);
    ASSERT_EQ(clip.call().size(), 6u);
    EXPECT_EQ(std::signbit(clip.context().optionalOutput(0)->e<double>(0)), std::signbit(zero)) << zero;
  }
}

TEST(RepeatedCalls, inputsThatChange) {
  NDArray x = matrix(), longer('c', {2, 4}, FLOAT32);
  longer.linspace(1);
  Caller sum("reduce_sum");
  sum.context().setIArguments(Sizes{1});
  for (int i = 0; i < 6; i++) {
    sum.input(0, i % 3 == 2 ? longer : x);
    EXPECT_EQ(sum.call(), i % 3 == 2 ? (Values{10, 26}) : (Values{6, 15}));
  }
  NDArray whole = x.cast(INT32);
  sum.input(0, whole);
  EXPECT_EQ(sum.call(), (Values{6, 15}));
  EXPECT_EQ(sum.context().optionalOutput(0)->dataType(), INT32);
}

TEST(RepeatedCalls, axesFromAnInput) {
  NDArray x = matrix(), axis = NDArrayFactory::create<int>('c', {1}, {1});
  Caller sum("reduce_sum");
  sum.input(0, x);
  sum.input(1, axis);
  for (int i = 0; i < 3; i++) EXPECT_EQ(sum.call(), (Values{6, 15}));
  axis.p(0, 0);
  for (int i = 0; i < 3; i++) EXPECT_EQ(sum.call(), (Values{5, 7, 9}));
}

TEST(RepeatedCalls, shapesFromValues) {
  NDArray x = NDArrayFactory::create<float>('c', {4}, {1, 2, 1, 2});
  Caller unique("unique");
  unique.input(0, x);
  for (int i = 0; i < 3; i++) EXPECT_EQ(unique.call(), (Values{1, 2}));
  x.p(3, 5);
  for (int i = 0; i < 3; i++) EXPECT_EQ(unique.call(), (Values{1, 2, 5}));
}

TEST(RepeatedCalls, settingsOfTheProcess) {
  NDArray x = matrix().cast(INT32);
  Caller mean("reduce_mean");
  mean.input(0, x);
  for (int i = 0; i < 3; i++) EXPECT_EQ(mean.call(), (Values{3.5}));
  EXPECT_EQ(mean.context().optionalOutput(0)->dataType(), FLOAT32);
  Environment::getInstance().setDefaultFloatDataType(DOUBLE);
  EXPECT_EQ(mean.call(), (Values{3.5}));
  EXPECT_EQ(mean.context().optionalOutput(0)->dataType(), DOUBLE);
  Environment::getInstance().setDefaultFloatDataType(FLOAT32);
}

TEST(RepeatedCalls, failuresBetween) {
  NDArray x = matrix();
  Caller sum("reduce_sum");
  sum.input(0, x);
  sum.context().setIArguments(Sizes{1});
  for (int i = 0; i < 3; i++) EXPECT_EQ(sum.call(), (Values{6, 15}));
  sum.context().getIArguments()->at(0) = 7;
  EXPECT_ANY_THROW(sum.call());
  EXPECT_ANY_THROW(sum.call());
  sum.context().getIArguments()->at(0) = 1;
  for (int i = 0; i < 3; i++) EXPECT_EQ(sum.call(), (Values{6, 15}));
}

TEST(RepeatedCalls, otherOperationsInTheSameContext) {
  NDArray x = matrix();
  graph::Context block(1);
  block.setInputArray(0, &x);
  block.setIArguments(Sizes{1});
  auto& registry = ops::OpRegistrator::getInstance();
  for (const char* name : {"reduce_sum", "reduce_sum", "reduce_sum", "reduce_max", "reduce_max", "reduce_max"}) {
    ASSERT_EQ(registry.getOperation(name)->execute(&block), Status::OK);
    const bool sum = std::string(name) == "reduce_sum";
    EXPECT_EQ(block.optionalOutput(0)->getBufferAsVector<double>(), sum ? (Values{6, 15}) : (Values{3, 6}));
  }
  // Another shape is asked for between the calls.
  const NDArray other('c', {5, 7}, FLOAT32);
  ShapeList shapes(other.shapeInfo());
  ShapeList* answer = registry.getOperation("reduce_max")->calculateOutputShape(&shapes, block);
  EXPECT_EQ(answer->at(0)[1], 5);
  delete answer;
  ASSERT_EQ(registry.getOperation("reduce_max")->execute(&block), Status::OK);
  EXPECT_EQ(block.optionalOutput(0)->getBufferAsVector<double>(), (Values{3, 6}));
}

// Objects of two operations may stand at the same address, one after the other.
TEST(RepeatedCalls, objectsOnTheStack) {
  NDArray x = matrix();
  const auto call = [&](auto op) { return op.evaluate({&x}, {}, {1}).at(0)->template getBufferAsVector<double>(); };
  for (int i = 0; i < 3; i++) EXPECT_EQ(call(ops::reduce_sum()), (Values{6, 15}));
  for (int i = 0; i < 3; i++) EXPECT_EQ(call(ops::reduce_max()), (Values{3, 6}));
  EXPECT_EQ(call(ops::argmax()), (Values{2, 2}));
}

TEST(RepeatedCalls, evaluate) {
  NDArray x = matrix();
  ops::reduce_sum sum;
  for (int axis : {1, 1, 1, 0, 0, 1})
    EXPECT_EQ(sum.evaluate({&x}, {}, {axis}).at(0)->getBufferAsVector<double>(),
              axis == 1 ? (Values{6, 15}) : (Values{5, 7, 9}));
  // A call in place after others.
  ops::tanh tanh;
  for (int i = 0; i < 3; i++) tanh.evaluate({&x});
  NDArray y = matrix();
  tanh.evaluate({&y}, {}, {}, {}, {}, true);
  EXPECT_FLOAT_EQ(y.e<float>(0), std::tanh(1.f));
}

TEST(RepeatedCalls, contextsAreAsNew) {
  const graph::OperationKey key{&typeid(int), 17};
  {
    const ops::ReusedContext first(key);
    NDArray x = matrix();
    auto& block = *first;
    block.setInputArray(0, &x);
    block.setOutputArray(0, &x);
    block.appendI(3);
    block.appendT(0.5);
    block.appendB(true);
    block.appendD(INT8);
    block.markInplace(true);
    block.setDataType(0, INT16);
    block.setBranch(1);
    block.setShapeFunctionOverride(true);
    block.allowHelpers(false);
    block.setExecutionMode(samediff::MODE_TRAINING);
    block.callByName();
    block.rememberCall(key, *ops::OpRegistrator::getInstance().getOperation("tanh")->getOpDescriptor(), ShapeList(),
                       ShapeList());
  }
  const ops::ReusedContext second(key);
  auto& block = *second;
  EXPECT_EQ(block.width(), 0u);
  EXPECT_EQ(block.numberOfOutputs(), 0);
  EXPECT_EQ(block.numI() + block.numT() + block.numB() + block.numD(), 0u);
  EXPECT_FALSE(block.isInplace() || block.hasDataType() || block.shapeFunctionOverride() || block.isTraining() ||
               block.hasNamedArguments());
  EXPECT_TRUE(block.helpersAllowed());
  EXPECT_EQ(block.getBranch(), 0);
}
