// The operation `composite`: its arguments, its inference, and what repeated calls keep.
#include <array/NDArray.h>
#include <array/NDArrayFactory.h>
#include <graph/Context.h>
#include <gtest/gtest.h>
#include <ops/declarable/CustomOperations.h>

#include <cmath>

#include "AllocationCount.h"
#include "ops/declarable/helpers/composite.h"

using namespace sd;
using loops::CompositeReduction;
using loops::CompositeStep;
using loops::OpGroup;
using ops::PartialShape;

namespace {

int number(OpGroup group, const char* name) { return loops::findOp(group, name)->number; }

/// tanh(x * 2 + y) * z, where 2 is the last input.
std::vector<CompositeStep> steps(DataType type) {
  return {{OpGroup::Scalar, number(OpGroup::Scalar, "Multiply"), 0, 3, type},
          {OpGroup::Pairwise, number(OpGroup::Pairwise, "Add"), 4, 1, type},
          {OpGroup::TransformStrict, number(OpGroup::TransformStrict, "Tanh"), 5, -1, type},
          {OpGroup::Pairwise, number(OpGroup::Pairwise, "Multiply"), 6, 2, type}};
}

CompositeReduction sum(loops::Axes axes, bool keepDims, DataType type) {
  return {OpGroup::ReduceSame, number(OpGroup::ReduceSame, "Sum"), 7, std::move(axes), keepDims, type};
}

void setArguments(graph::Context& block, const ops::args::CompositeArguments& a) {
  block.setIArguments(a.program);
  block.setTArguments(a.parameters);
}

class CompositeOp : public testing::Test {
 protected:
  CompositeOp() {
    x.linspace(-1);
    y.linspace(0);
    z.linspace(2);
    for (NDArray* array : {&x, &y, &z, &two}) inputs.push_back(array);
    expected = NDArray(x);
    expected *= 2;
    expected += y;
    expected.applyTransform(transform::Tanh, expected);
    expected *= z;
  }
  void set(graph::Context& block) {
    for (size_t i = 0; i < inputs.size(); i++) block.setInputArray(static_cast<int>(i), inputs[i]);
  }

  NDArray x{'c', {3, 4}, FLOAT32}, y{'c', {4}, FLOAT32}, z{'c', {3, 4}, FLOAT32},
      two = NDArrayFactory::create<float>(2.0f), expected;
  std::vector<NDArray*> inputs;
  ops::additional::composite op;
};

TEST_F(CompositeOp, hasTheOutputsOfItsSteps) {
  const auto a = ops::compositeArguments(steps(FLOAT32), {7, 5}, sum({-1}, true, FLOAT32));
  const auto results = op.evaluate(inputs, a.parameters, a.program);
  ASSERT_EQ(Status::OK, results.status());
  ASSERT_EQ(3, results.size());
  EXPECT_TRUE(results.at(0)->equalsTo(expected, 0));
  EXPECT_EQ((std::vector<LongType>{3, 4}), results.at(1)->getShapeAsVector());
  EXPECT_EQ((std::vector<LongType>{3, 1}), results.at(2)->getShapeAsVector());
  NDArray rows = expected.reduceAlongDimension(reduce::Sum, {1}, true);
  EXPECT_TRUE(results.at(2)->equalsTo(rows, 0));
}

TEST_F(CompositeOp, theOutputIsTheLastStepWhenNoneIsGiven) {
  const auto a = ops::compositeArguments(steps(FLOAT32), {});
  const auto results = op.evaluate(inputs, a.parameters, a.program);
  ASSERT_EQ(1, results.size());
  EXPECT_TRUE(results.at(0)->equalsTo(expected, 0));
}

TEST_F(CompositeOp, typesMayFollowFromTheGroups) {
  auto untyped = steps(INHERIT);
  untyped.push_back({OpGroup::ScalarBool, number(OpGroup::ScalarBool, "GreaterThan"), 7, 3, INHERIT});
  CompositeReduction count{OpGroup::ReduceLong, number(OpGroup::ReduceLong, "CountNonZero"), 8, {}, false, INHERIT};
  const auto a = ops::compositeArguments(untyped, {8}, count);
  const auto results = op.evaluate(inputs, a.parameters, a.program);
  ASSERT_EQ(2, results.size());
  EXPECT_EQ(BOOL, results.at(0)->dataType());
  EXPECT_EQ(INT64, results.at(1)->dataType());
  LongType above = 0;
  for (LongType i = 0; i < 12; i++) above += expected.e<float>(i) > 2;
  EXPECT_EQ(above, results.at(1)->e<LongType>(0));
}

TEST_F(CompositeOp, argumentsSurviveTheList) {
  const std::vector<CompositeStep> list = {
      {OpGroup::TransformSame, number(OpGroup::TransformSame, "ClipByValue"), 0, -1, FLOAT32, {-0.5, 0.5}},
      {OpGroup::Scalar, 2, 1, 0, FLOAT32}};
  CompositeReduction norm{OpGroup::ReduceFloat, number(OpGroup::ReduceFloat, "NormP"), 2, {0, -1}, true, DOUBLE, {3}};
  const auto a = ops::compositeArguments(list, {1, 2}, norm);
  EXPECT_EQ((std::vector<double>{-0.5, 0.5, 3}), a.parameters);
  const auto read = ops::readComposite(a);
  ASSERT_EQ(2u, read.steps.size());
  EXPECT_EQ((std::vector<double>{-0.5, 0.5}), read.steps[0].params);
  EXPECT_EQ(OpGroup::Scalar, read.steps[1].group);
  EXPECT_EQ(0, read.steps[1].y);
  EXPECT_EQ((std::vector<int>{1, 2}), read.outputs);
  ASSERT_TRUE(read.reduction);
  EXPECT_EQ((loops::Axes{0, -1}), read.reduction->axes);
  EXPECT_TRUE(read.reduction->keepDims);
  EXPECT_EQ(DOUBLE, read.reduction->result);
  EXPECT_EQ((std::vector<double>{3}), read.reduction->params);
}

TEST_F(CompositeOp, infersWhatIsKnown) {
  graph::Context block(1);
  setArguments(block, ops::compositeArguments(steps(FLOAT32), {7}, sum({0}, false, FLOAT32)));
  const auto shapes = op.infer({PartialShape(FLOAT32, {PartialShape::UNKNOWN, 4}), PartialShape(FLOAT32, {4}),
                                PartialShape(FLOAT32, {3, 1}), PartialShape::scalar(FLOAT32)},
                               block);
  ASSERT_EQ(2u, shapes.size());
  EXPECT_EQ(PartialShape(FLOAT32, {3, 4}), shapes[0]);
  EXPECT_EQ(PartialShape(FLOAT32, {4}), shapes[1]);
  const auto unknown = op.infer(
      {PartialShape(), PartialShape(FLOAT32, {4}), PartialShape(FLOAT32, {3, 4}), PartialShape::scalar(FLOAT32)},
      block);
  ASSERT_EQ(2u, unknown.size());
  EXPECT_FALSE(unknown[0].hasRank());
  EXPECT_FALSE(unknown[0].hasType());
}

TEST_F(CompositeOp, repeatedCallsFollowWhatChanges) {
  graph::Context block(1);
  set(block);
  setArguments(block, ops::compositeArguments(steps(FLOAT32), {}));
  NDArray out('c', {3, 4}, FLOAT32);
  block.setOutputArray(0, &out);
  for (int i = 0; i < 4; i++) {
    out.nullify();
    ASSERT_EQ(Status::OK, op.execute(&block));
    EXPECT_TRUE(out.equalsTo(expected, 0));
  }
  // other strides of an output, then of an input, then other steps
  NDArray turned('f', {3, 4}, FLOAT32);
  block.setOutputArray(0, &turned);
  for (int i = 0; i < 3; i++) {
    turned.nullify();
    ASSERT_EQ(Status::OK, op.execute(&block));
    EXPECT_TRUE(turned.equalsTo(expected, 0));
  }
  NDArray wide('f', {3, 4}, FLOAT32);
  wide.assign(x);
  block.setInputArray(0, &wide);
  for (int i = 0; i < 3; i++) {
    turned.nullify();
    ASSERT_EQ(Status::OK, op.execute(&block));
    EXPECT_TRUE(turned.equalsTo(expected, 0));
  }
  block.getIArguments()->clear();
  auto other = steps(FLOAT32);
  other[2].number = number(OpGroup::TransformStrict, "Sigmoid");
  setArguments(block, ops::compositeArguments(other, {}));
  ASSERT_EQ(Status::OK, op.execute(&block));
  EXPECT_FALSE(turned.equalsTo(expected, 1e-3));
}

TEST_F(CompositeOp, repeatedCallsDoNotAllocate) {
  graph::Context block(1);
  set(block);
  setArguments(block, ops::compositeArguments(steps(FLOAT32), {}));
  NDArray out('c', {3, 4}, FLOAT32);
  block.setOutputArray(0, &out);
  for (int i = 0; i < 4; i++) ASSERT_EQ(Status::OK, op.execute(&block));
  const long long before = sd_test::allocationCount();
  for (int i = 0; i < 10; i++) op.execute(&block);
  EXPECT_EQ(before, sd_test::allocationCount());
}

TEST_F(CompositeOp, badArguments) {
  const auto good = ops::compositeArguments(steps(FLOAT32), {7}, sum({0}, false, FLOAT32));
  const auto message = [&](const ops::args::CompositeArguments& a) -> std::string {
    try {
      op.evaluate(inputs, a.parameters, a.program);
    } catch (const std::logic_error& e) {
      return e.what();
    }
    return "accepted";
  };
  EXPECT_EQ("accepted", message(good));
  // every list that is cut off is refused, unless it ends where a program may end
  for (size_t length = 0; length < good.program.size() - 1; length++) {
    auto cut = good;
    cut.program.resize(length);
    const std::string text = message(cut);
    if (length == 1 + 4 * 6 + 2) {
      EXPECT_EQ("accepted", text);
    } else {
      EXPECT_NE(std::string::npos, text.find("[composite]")) << length << ": " << text;
    }
  }
  const struct {
    size_t index;
    LongType value;
    const char* text;
  } rows[] = {{0, -1, "-1 at [0] is not the number of steps"},
              {0, 1LL << 40, "is too large"},
              {1, 99, "99 at [1] is not a group"},
              {2, 63, "there is no operation with this number"},
              {3, 9, "x is not a value that comes before it"},
              {5, 77, "the result has the type of x"},
              {6, 3, "fewer than the steps need"},
              {6, 1LL << 30, "is not the number of parameters"}};
  for (const auto& row : rows) {
    auto bad = good;
    bad.program[row.index] = row.value;
    EXPECT_NE(std::string::npos, message(bad).find(row.text)) << message(bad);
  }
  auto more = good;
  more.parameters.push_back(1);
  EXPECT_NE(std::string::npos, message(more).find("1 numbers where 0 are needed")) << message(more);
}

}  // namespace
