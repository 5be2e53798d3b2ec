// The harness of operations detects the faults that it should detect.
#include <gtest/gtest-spi.h>
#include <gtest/gtest.h>
#include <ops/declarable/CustomOperations.h>

#include <cmath>
#include <cstring>

#include "OpHarness.h"

using namespace sd;
using namespace sd::optest;

namespace {

/// z = 2x, with one fault.
class Twice : public ops::DeclarableOp {
 public:
  enum Fault { NONE, VALUES, SHAPE, TYPE, INPUT, CONTIGUOUS, ORDER, OUTSIDE };
  explicit Twice(Fault fault) : DeclarableOp(1, 1, "twice", true), _fault(fault) {}

  ShapeList* calculateOutputShape(ShapeList* inputs, graph::Context&) override {
    const LongType* x = inputs->at(0);
    if (_fault == SHAPE) return new ShapeList(ConstantShapeHelper::getInstance().vectorShapeInfo(6, DOUBLE));
    return new ShapeList(
        ConstantShapeHelper::getInstance().createShapeInfo(_fault == TYPE ? FLOAT32 : ArrayOptions::dataType(x), x));
  }

 protected:
  void registerTypes() override {}
  Status validateAndExecute(graph::Context& block) override {
    NDArray &x = *block.array(0), &z = *getZ(block);
    NDArray result = x * (_fault == VALUES ? 3.0 : 2.0);
    if (_fault == INPUT && z.buffer() != x.buffer()) x.p(0, 7.0);
    if (_fault == ORDER && x.ordering() == 'f') result = result * 0.5;
    if (_fault == CONTIGUOUS)
      std::memcpy(z.buffer(), result.buffer(), sizeof(double) * 6);
    else
      z.assign(result);
    if (_fault == OUTSIDE && z.isView()) *static_cast<double*>(z.bufferWithOffset(-1)) = 1;
    return Status::OK;
  }

 private:
  Fault _fault;
};

OpCase twice() {
  OpCase c;
  c.op = "twice";
  c.inputs = {std::make_shared<NDArray>('c', Dims{2, 3}, std::vector<double>{1, 2, 3, 4, 5, 6}, DOUBLE)};
  c.outputs = {std::make_shared<NDArray>('c', Dims{2, 3}, std::vector<double>{2, 4, 6, 8, 10, 12}, DOUBLE)};
  c.outputTypes = {DOUBLE};
  c.extraTypes.emplace();
  return c;
}

/// The failures that the harness reports for an operation with a fault.
std::string failuresOf(Twice::Fault fault) {
  ::testing::TestPartResultArray results;
  {
    ::testing::ScopedFakeTestPartResultReporter reporter(
        ::testing::ScopedFakeTestPartResultReporter::INTERCEPT_ONLY_CURRENT_THREAD, &results);
    Twice op(fault);
    checkCalls(twice(), op);
  }
  std::string text;
  for (int k = 0; k < results.size(); k++) text += std::string(results.GetTestPartResult(k).message()) + "\n";
  return text;
}

TEST(OpHarness, AcceptsARightOperation) { EXPECT_EQ(failuresOf(Twice::NONE), ""); }

TEST(OpHarness, FindsFaults) {
  const struct {
    Twice::Fault fault;
    const char* message;
  } table[] = {
      {Twice::VALUES, "element 0 is 3, expected 2"},
      {Twice::SHAPE, "the shape function: output 0 is DOUBLE[6], expected DOUBLE[2, 3]"},
      {Twice::TYPE, "the shape function: output 0 is FLOAT"},
      {Twice::INPUT, "input 0 was changed"},
      {Twice::CONTIGUOUS, "given outputs in the layout 'every second'"},
      {Twice::ORDER, "inputs in the layout 'f'"},
      {Twice::OUTSIDE, "wrote outside the elements of output 0"},
  };
  for (const auto& row : table) {
    const std::string failures = failuresOf(row.fault);
    EXPECT_NE(failures.find(row.message), std::string::npos) << row.message << " is not in: " << failures;
  }
}

TEST(OpHarness, FindsWrongGradients) {
  OpCase c;
  c.op = "multiply";
  c.inputs = {std::make_shared<NDArray>('c', Dims{3}, std::vector<double>{1, 2, 3}, DOUBLE),
              std::make_shared<NDArray>('c', Dims{3}, std::vector<double>{4, 5, 6}, DOUBLE)};
  c.outputs = {nullptr};
  c.outputTypes = {INHERIT};
  c.gradient.outputOf = {{0, 0}, {1, 1}};
  checkGradients(c);
  c.gradient.op = "divide_bp";
  c.gradient.outputOf.erase(1);
  EXPECT_NONFATAL_FAILURE(checkGradients(c), "gradient by input 0, element 0");
}

TEST(OpHarness, ComparesValues) {
  const NDArray x('c', {2}, {1, 100}, FLOAT32), same('c', {2}, {1.00001, 100.001}, FLOAT32);
  const NDArray nan('c', {2}, {NAN, INFINITY}, FLOAT32), negative('c', {2}, {NAN, -INFINITY}, FLOAT32);
  EXPECT_FALSE(difference(same, x, FLOAT32, 2e-5));
  EXPECT_TRUE(difference(same, x, FLOAT32, 1e-6));
  EXPECT_TRUE(difference(same, x, DOUBLE, 2e-5));
  EXPECT_FALSE(difference(nan, nan, FLOAT32, 0));
  EXPECT_TRUE(difference(nan, negative, FLOAT32, 1));
  EXPECT_TRUE(difference(x, nan, FLOAT32, 1));
  EXPECT_TRUE(difference(nan, x, FLOAT32, 1));
  const NDArray half('c', {1}, {INFINITY}, HALF), large('c', {1}, {1e6}, DOUBLE);
  EXPECT_FALSE(difference(half, large, HALF, 4e-3)) << "1e6 is beyond HALF";
}

}  // namespace
