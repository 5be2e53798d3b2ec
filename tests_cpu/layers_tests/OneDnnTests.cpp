// Platform helpers on oneDNN: they are used when they should be, agree with the operations' own bodies, and can be
// switched off. (The cases of tests_cpu/data/ops also run with and without helpers.)
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
  std::vector<double> floats = {};
  std::vector<bool> booleans = {};
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
  auto with = op->evaluate(inputs, row.floats, row.arguments, row.booleans);
  environment.setUseONEDNN(false);
  auto without = op->evaluate(inputs, row.floats, row.arguments, row.booleans);
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
  block.setTArguments(row.floats);
  block.setBArguments(row.booleans);
  EXPECT_EQ(helper->isUsable(block), row.used);
  environment.setUseONEDNN(false);
  EXPECT_FALSE(helper->isUsable(block));
  environment.setUseONEDNN(true);
  block.setUseONEDNN(false);
  EXPECT_FALSE(helper->isUsable(block));
}

const std::vector<LongType> CONV = {3, 3, 1, 1, 0, 0, 1, 1, 1};
const Dims X = {4, 8, 30, 31}, W = {3, 3, 8, 16}, B = {16}, Y = {4, 16, 30, 31};
const std::vector<LongType> ONE = {1, 1, 1, 1, 0, 0, 1, 1, 0};
const Dims V = {2, 4, 7, 9, 10};
const std::vector<LongType> CONV3 = {3, 2, 3, 1, 1, 1, 0, 0, 0, 1, 1, 1, 1, 0};
const std::vector<LongType> LAST3 = {3, 2, 3, 2, 1, 1, 1, 0, 1, 1, 1, 1, 0, 1, 1};

INSTANTIATE_TEST_SUITE_P(
    Rows, OneDnn,
    testing::Values(
        Row{"conv2d", {X, W}, CONV, true}, Row{"conv2d", {X, W, B}, CONV, true},
        Row{"conv2d", {X, W, B}, CONV, false, DOUBLE},
        Row{"conv2d", {{4, 30, 31, 8}, W, B}, {3, 3, 2, 1, 0, 0, 1, 2, 1, 1}, true},
        Row{"conv2d", {X, {16, 8, 3, 3}, B}, {3, 3, 1, 1, 1, 2, 2, 1, 0, 0, 1}, true},
        Row{"conv2d", {X, {16, 3, 3, 8}}, {3, 3, 1, 1, 3, 2, 1, 1, 0, 0, 2}, false},
        Row{"conv2d_bp", {X, W, Y}, CONV, true}, Row{"conv2d_bp", {X, W, B, Y}, CONV, true},
        Row{"conv2d_bp", {{4, 3, 30, 31}, {3, 3, 3, 16}, B, Y}, CONV, true},
        Row{"conv2d", {X, {1, 1, 8, 32}, {32}}, {1, 1, 1, 1, 0, 0, 1, 1, 0}, true},
        Row{"conv2d", {{4, 30, 31, 8}, {1, 1, 8, 32}}, {1, 1, 1, 1, 0, 0, 1, 1, 0, 1}, true},
        Row{"conv2d_bp", {{4, 30, 31, 8}, W, {4, 30, 31, 16}}, {3, 3, 1, 1, 0, 0, 1, 1, 1, 1}, true},
        Row{"conv2d_bp", {X, {1, 1, 8, 32}, {32}, {4, 32, 30, 31}}, ONE, true},
        Row{"conv2d_bp", {X, {1, 1, 8, 32}, {4, 32, 30, 31}}, ONE, true},
        Row{"conv2d_bp", {{4, 30, 31, 8}, {1, 1, 8, 32}, {32}, {4, 30, 31, 32}}, {1, 1, 1, 1, 0, 0, 1, 1, 0, 1}, true},
        Row{"conv2d_bp", {X, {1, 1, 8, 64}, {64}, {4, 64, 15, 16}}, {1, 1, 2, 2, 0, 0, 1, 1, 0}, true},
        Row{"conv2d_bp", {{2, 256, 9, 7}, {1, 1, 256, 300}, {2, 300, 9, 7}}, ONE, true},
        Row{"deconv2d", {X, {1, 1, 32, 8}, {32}}, ONE, true},
        Row{"deconv2d_bp", {X, {1, 1, 32, 8}, {32}, {4, 32, 30, 31}}, ONE, true},
        Row{"conv3dnew_bp",
            {V, {1, 1, 1, 4, 48}, {48}, {2, 48, 7, 9, 10}},
            {1, 1, 1, 1, 1, 1, 0, 0, 0, 1, 1, 1, 0, 0},
            true},
        Row{"conv3dnew", {V, {3, 2, 3, 4, 8}, {8}}, CONV3, true},
        Row{"conv3dnew", {{3, 7, 9, 10, 4}, {8, 4, 3, 2, 3}}, LAST3, true},
        Row{"conv3dnew_bp", {V, {3, 2, 3, 4, 8}, {8}, {2, 8, 7, 9, 10}}, CONV3, true},
        Row{"deconv2d", {Y, {3, 3, 8, 16}, {8}}, CONV, true},
        Row{"deconv2d", {{4, 15, 16, 16}, {16, 4, 4, 8}}, {4, 4, 2, 2, 1, 1, 1, 1, 0, 1, 2}, true},
        Row{"deconv2d", {{4, 15, 16, 16}, {4, 4, 8, 16}}, {4, 4, 2, 2, 1, 1, 1, 1, 0, 1}, true},
        Row{"deconv2d_bp", {Y, {3, 3, 8, 16}, {8}, X}, CONV, true},
        Row{"deconv3d", {{2, 8, 7, 9, 10}, {3, 2, 3, 4, 8}, {4}}, CONV3, true},
        Row{"depthwise_conv2d", {X, {3, 3, 8, 2}, B}, CONV, true},
        Row{"depthwise_conv2d_bp", {X, {3, 3, 8, 2}, B, Y}, CONV, true},
        Row{"maxpool2d", {{4, 30, 31, 8}}, {3, 3, 2, 2, 1, 1, 1, 1, 0, 0, 1}, true},
        Row{"maxpool2d", {{4, 30, 31, 8}}, {2, 2, 1, 1, 2, 2, 1, 1, 0, 0, 1}, false},
        Row{"maxpool2d", {X}, {3, 3, 2, 2, 1, 1, 1, 1, 0}, false},
        Row{"maxpool2d", {X}, {2, 2, 2, 2, 0, 0, 1, 1, 0}, false},
        Row{"avgpool2d", {X}, {3, 3, 2, 2, 1, 1, 1, 1, 0, 0}, false},
        Row{"avgpool2d", {X}, {3, 3, 2, 2, 1, 1, 1, 1, 0, 1}, false},
        Row{"avgpool2d", {{4, 30, 31, 8}}, {3, 2, 2, 2, 1, 1, 1, 1, 1, 0, 1}, true},
        Row{"avgpool2d", {{4, 30, 31, 8}}, {3, 3, 2, 2, 1, 1, 1, 1, 0, 1, 1}, true},
        Row{"avgpool2d_bp", {X, {4, 8, 15, 16}}, {3, 3, 2, 2, 1, 1, 1, 1, 0, 1}, true},
        Row{"maxpool2d_bp", {X, {4, 8, 15, 16}}, {3, 3, 2, 2, 1, 1, 1, 1, 0, 0}, false},
        Row{"maxpool2d_bp", {{4, 30, 31, 8}, {4, 15, 16, 8}}, {3, 3, 2, 2, 1, 1, 1, 1, 1, 0, 1}, true}));

// Arguments: format, direction, activations of gates, cell and output.
Row lstm(bool used, bool gradient, std::vector<LongType> arguments, std::vector<bool> flags, std::vector<Dims> inputs,
         double clip = 0, DataType type = FLOAT32) {
  return {gradient ? "lstmLayer_bp" : "lstmLayer", inputs, arguments, used, type, {clip}, flags};
}
const Dims SEQUENCE = {20, 24, 8}, WX = {8, 64}, WR = {16, 64}, STATE = {24, 16}, OUT = {20, 24, 16};

INSTANTIATE_TEST_SUITE_P(
    Lstm, OneDnn,
    testing::Values(
        lstm(true, false, {0, 0, 2, 0, 0}, {0, 0, 0, 0, 0, 1, 1, 1}, {SEQUENCE, WX, WR}),
        lstm(true, false, {0, 1, 2, 0, 0}, {1, 0, 1, 1, 0, 1, 1, 1}, {SEQUENCE, WX, WR, {64}, STATE, STATE}),
        lstm(true, false, {1, 3, 2, 0, 0}, {1, 0, 0, 0, 0, 1, 1, 1}, {{24, 20, 8}, {2, 8, 64}, {2, 16, 64}, {2, 64}}),
        lstm(true, false, {2, 2, 2, 0, 0}, {0, 0, 0, 0, 0, 1, 0, 1}, {{24, 8, 20}, {2, 8, 64}, {2, 16, 64}}),
        lstm(true, false, {0, 0, 2, 0, 0}, {0, 0, 0, 0, 0, 0, 0, 1}, {SEQUENCE, WX, WR}),
        lstm(false, false, {0, 0, 2, 0, 1}, {0, 0, 0, 0, 0, 1, 0, 0}, {SEQUENCE, WX, WR}),
        lstm(false, false, {0, 0, 2, 0, 0}, {0, 0, 0, 0, 1, 1, 0, 0}, {SEQUENCE, WX, WR, {48}}),
        lstm(false, false, {0, 0, 2, 0, 0}, {0, 0, 0, 0, 0, 1, 0, 0}, {SEQUENCE, WX, WR}, 0.5),
        lstm(false, false, {0, 0, 2, 0, 0}, {0, 0, 0, 0, 0, 1, 0, 0}, {SEQUENCE, WX, WR}, 0, DOUBLE),
        lstm(true, true, {0, 0, 2, 0, 0}, {0, 0, 0, 0, 0, 1, 0, 0}, {SEQUENCE, WX, WR, OUT}),
        lstm(true, true, {0, 1, 2, 0, 0}, {1, 0, 1, 1, 0, 1, 1, 1},
             {SEQUENCE, WX, WR, {64}, STATE, STATE, OUT, STATE, STATE}),
        lstm(true, true, {1, 3, 2, 0, 0}, {1, 0, 0, 0, 0, 0, 1, 1},
             {{24, 20, 8}, {2, 8, 64}, {2, 16, 64}, {2, 64}, {2, 24, 16}, {2, 24, 16}}),
        lstm(false, true, {0, 0, 2, 0, 0}, {0, 0, 0, 0, 1, 1, 0, 0}, {SEQUENCE, WX, WR, {48}, OUT})));

// Maxima that occur several times, and windows in which no value is above the lowest one.
TEST(OneDnnMaxPoolGradient, goesToTheFirstOfEqualValues) {
  if (helperOf("maxpool2d_bp") == nullptr) GTEST_SKIP() << "this build has no oneDNN";
  auto& environment = Environment::getInstance();
  auto* op = ops::OpRegistrator::getInstance().find("maxpool2d_bp");
  for (const bool channelsLast : {false, true})
    for (const double lowest : {0., -static_cast<double>(INFINITY)}) {
      const LongType format = channelsLast ? 1 : 0;
      NDArray x('c', {3, 24, 24, 24}, FLOAT32),
          gradY = filled({3, channelsLast ? 12 : 24, 12, channelsLast ? 24 : 12}, FLOAT32);
      for (LongType i = 0; i < x.lengthOf(); i++) {
        const auto value = static_cast<double>(i * i % 7919 % 3);
        x.p(i, value == 0 ? lowest : value - 1);
      }
      const std::vector<LongType> arguments = {3, 3, 2, 2, 1, 1, 1, 1, 0, 0, format};
      auto with = op->evaluate({&x, &gradY}, {}, arguments);
      environment.setUseONEDNN(false);
      auto without = op->evaluate({&x, &gradY}, {}, arguments);
      environment.setUseONEDNN(true);
      EXPECT_TRUE(with.at(0)->equalsTo(without.at(0), 1e-5));
      double sum = 0, all = 0;
      for (LongType i = 0; i < gradY.lengthOf(); i++) all += gradY.e<double>(i);
      for (LongType i = 0; i < x.lengthOf(); i++) sum += with.at(0)->e<double>(i);
      EXPECT_NEAR(sum, all, 1e-2);
    }
}

TEST(OneDnnMaxPool, leavesNaNToTheOperation) {
  auto* helper = helperOf("maxpool2d");
  if (helper == nullptr) GTEST_SKIP() << "this build has no oneDNN";
  NDArray x('c', {1, 1, 2, 2}, {NAN, 1, 2, NAN}, FLOAT32), y('c', {1, 1, 1, 1}, FLOAT32);
  auto* op = ops::OpRegistrator::getInstance().find("maxpool2d");
  ASSERT_EQ(op->execute({&x}, {&y}, {}, {2, 2, 1, 1, 0, 0, 1, 1, 0}), Status::OK);
  EXPECT_EQ(y.e<float>(0), 2.f);
}

// Primitives are kept: calls that differ in one thing only, more of them than are kept, and again.
TEST(OneDnnConvolution, keptPrimitivesAreThoseOfTheCall) {
  if (helperOf("conv2d") == nullptr) GTEST_SKIP() << "this build has no oneDNN";
  auto& environment = Environment::getInstance();
  struct Variant {
    LongType batch, channels, kernel, stride, dilation;
    bool bias;
    char order;
  };
  std::vector<Variant> variants;
  for (const LongType kernel : {1, 3})
    for (const LongType batch : {2, 3})
      for (const bool bias : {false, true})
        for (const char order : {'c', 'f'}) variants.push_back({batch, 16, kernel, 1, 1, bias, order});
  for (const Variant& other : {Variant{2, 24, 3, 1, 1, true, 'c'}, Variant{2, 16, 3, 2, 1, true, 'c'},
                               Variant{2, 16, 3, 1, 2, true, 'c'}, Variant{2, 3, 3, 1, 1, true, 'c'}})
    variants.push_back(other);
  auto* op = ops::OpRegistrator::getInstance().find("conv2d");
  auto* gradient = ops::OpRegistrator::getInstance().find("conv2d_bp");
  for (int round = 0; round < 3; round++)
    for (const Variant& v : variants) {
      const LongType side = (32 + v.stride - 1) / v.stride, out = v.kernel == 1 ? 64 : 16;
      NDArray x = filled({v.batch, v.channels, 32, 32}, FLOAT32).dup(v.order),
              w = filled({v.kernel, v.kernel, v.channels, out}, FLOAT32), b = filled({out}, FLOAT32),
              gradY = filled({v.batch, out, side, side}, FLOAT32);
      const std::vector<LongType> arguments = {v.kernel, v.kernel, v.stride, v.stride, 0, 0, v.dilation, v.dilation, 1};
      std::vector<NDArray*> inputs{&x, &w};
      if (v.bias) inputs.push_back(&b);
      std::vector<NDArray*> more = inputs;
      more.push_back(&gradY);
      auto y = op->evaluate(inputs, {}, arguments), gradients = gradient->evaluate(more, {}, arguments);
      environment.setUseONEDNN(false);
      auto expectedY = op->evaluate(inputs, {}, arguments), expected = gradient->evaluate(more, {}, arguments);
      environment.setUseONEDNN(true);
      EXPECT_TRUE(y.at(0)->equalsTo(expectedY.at(0), 1e-4)) << &v - variants.data();
      for (int k = 0; k < expected.size(); k++)
        EXPECT_TRUE(gradients.at(k)->equalsTo(expected.at(k), 2e-3)) << &v - variants.data() << ", output " << k;
    }
}

}  // namespace
}  // namespace sd
