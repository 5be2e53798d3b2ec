// Platform helpers on oneDNN: they are used when they should be, agree with the operations' own bodies, and can be
// switched off. (The cases of tests_cpu/data/ops run with and without helpers, too.)
#include <array/NDArray.h>
#include <gtest/gtest.h>
#include <ops/declarable/DeclarableOp.h>
#include <ops/declarable/OpRegistrator.h>
#include <ops/declarable/PlatformHelper.h>
#include <system/Environment.h>

#include <cmath>
#include <memory>
#include <ostream>

namespace sd {
namespace {

using Dims = std::vector<LongType>;

struct Row {
  const char* op;
  std::vector<Dims> inputs;
  std::vector<LongType> arguments;
  bool used;
  DataType type = FLOAT32;
};

void PrintTo(const Row& row, std::ostream* stream) { *stream << row.op; }

NDArray filled(const Dims& dims, DataType type) {
  NDArray array('c', dims, type);
  for (LongType i = 0; i < array.lengthOf(); i++) array.p(i, std::sin(0.37 * static_cast<double>(i * i % 1009)));
  return array;
}

ops::platforms::PlatformHelper* helperOf(const char* name) {
  auto& registry = ops::OpRegistrator::getInstance();
  ops::DeclarableOp* op = registry.find(name);
  return op == nullptr ? nullptr : registry.findHelper(op->getOpHash(), samediff::ENGINE_CPU);
}

class OneDnn : public testing::TestWithParam<Row> {};

TEST_P(OneDnn, agreesAndCanBeSwitchedOff) {
  const Row& row = GetParam();
  auto* helper = helperOf(row.op);
  if (helper == nullptr) GTEST_SKIP() << "this build has no oneDNN";
  ops::DeclarableOp* op = ops::OpRegistrator::getInstance().find(row.op);
  std::vector<NDArray> arrays;
  for (const Dims& dims : row.inputs) arrays.push_back(filled(dims, row.type));
  std::vector<NDArray*> inputs;
  for (NDArray& array : arrays) inputs.push_back(&array);

  auto& environment = Environment::getInstance();
  auto with = op->evaluate(inputs, {}, row.arguments);
  environment.setUseONEDNN(false);
  auto without = op->evaluate(inputs, {}, row.arguments);
  environment.setUseONEDNN(true);
  ASSERT_EQ(with.status(), Status::OK);
  ASSERT_EQ(without.status(), Status::OK);
  ASSERT_EQ(with.size(), without.size());
  for (int k = 0; k < with.size(); k++)
    EXPECT_TRUE(with.at(k)->equalsTo(without.at(k), 1e-4)) << row.op << ", output " << k;

  graph::Context block(1);
  for (size_t k = 0; k < inputs.size(); k++) block.setInputArray(static_cast<int>(k), inputs[k]);
  for (int k = 0; k < with.size(); k++) block.setOutputArray(k, with.at(k));
  block.setIArguments(row.arguments);
  EXPECT_EQ(helper->isUsable(block), row.used);
  environment.setUseONEDNN(false);
  EXPECT_FALSE(helper->isUsable(block));
  environment.setUseONEDNN(true);
  block.setUseONEDNN(false);
  EXPECT_FALSE(helper->isUsable(block));
}

const std::vector<LongType> CONV = {3, 3, 1, 1, 0, 0, 1, 1, 1};
const Dims X = {4, 8, 30, 31}, W = {3, 3, 8, 16}, B = {16}, Y = {4, 16, 30, 31};

INSTANTIATE_TEST_SUITE_P(
    Rows, OneDnn,
    testing::Values(Row{"conv2d", {X, W}, CONV, true}, Row{"conv2d", {X, W, B}, CONV, true},
                    Row{"conv2d", {X, W, B}, CONV, false, DOUBLE},
                    Row{"conv2d", {{4, 30, 31, 8}, W, B}, {3, 3, 2, 1, 0, 0, 1, 2, 1, 1}, true},
                    Row{"conv2d", {X, {16, 8, 3, 3}, B}, {3, 3, 1, 1, 1, 2, 2, 1, 0, 0, 1}, true},
                    Row{"conv2d", {X, {16, 3, 3, 8}}, {3, 3, 1, 1, 3, 2, 1, 1, 0, 0, 2}, false},
                    Row{"conv2d_bp", {X, W, Y}, CONV, true}, Row{"conv2d_bp", {X, W, B, Y}, CONV, true},
                    Row{"depthwise_conv2d", {X, {3, 3, 8, 2}, B}, CONV, true},
                    Row{"depthwise_conv2d_bp", {X, {3, 3, 8, 2}, B, Y}, CONV, true},
                    Row{"maxpool2d", {X}, {3, 3, 2, 2, 1, 1, 1, 1, 0}, true},
                    Row{"maxpool2d", {X}, {2, 2, 1, 1, 2, 2, 1, 1, 0}, false},
                    Row{"avgpool2d", {X}, {3, 3, 2, 2, 1, 1, 1, 1, 0, 0}, true},
                    Row{"avgpool2d", {X}, {3, 3, 2, 2, 1, 1, 1, 1, 0, 1}, true},
                    Row{"avgpool2d", {{4, 30, 31, 8}}, {3, 2, 2, 2, 1, 1, 1, 1, 1, 0, 1}, true},
                    Row{"avgpool2d_bp", {X, {4, 8, 15, 16}}, {3, 3, 2, 2, 1, 1, 1, 1, 0, 1}, true}));

TEST(OneDnnMaxPool, leavesNaNToTheOperation) {
  auto* helper = helperOf("maxpool2d");
  if (helper == nullptr) GTEST_SKIP() << "this build has no oneDNN";
  NDArray x('c', {1, 1, 2, 2}, {NAN, 1, 2, NAN}, FLOAT32), y('c', {1, 1, 1, 1}, FLOAT32);
  auto* op = ops::OpRegistrator::getInstance().find("maxpool2d");
  ASSERT_EQ(op->execute({&x}, {&y}, {}, {2, 2, 1, 1, 0, 0, 1, 1, 0}), Status::OK);
  EXPECT_EQ(y.e<float>(0), 2.f);
}

}  // namespace
}  // namespace sd
