// Functions behind convolutions and recurrent layers that programs call directly.
#include <graph/Context.h>
#include <gtest/gtest.h>
#include <ops/declarable/helpers/col2im.h>
#include <ops/declarable/helpers/convolutions.h>
#include <ops/declarable/helpers/im2col.h>
#include <ops/declarable/helpers/lstmLayer.h>
#include <ops/declarable/helpers/rnn.h>

#include <cmath>

namespace sd {
namespace {

using ops::ConvolutionUtils;
namespace helpers = ops::helpers;

TEST(ConvolutionUtils, sizesAndPaddings) {
  // in, kernel, stride, pad, dilation, mode; out, begin pad: the sizes that PyTorch and TensorFlow document.
  struct Row {
    int in, kernel, stride, pad, dilation, mode, out, begin;
  };
  for (const Row& r : {Row{5, 3, 1, 0, 1, 0, 3, 0}, Row{5, 3, 2, 1, 1, 0, 3, 1}, Row{7, 3, 1, 2, 2, 0, 7, 2},
                       Row{5, 3, 1, 0, 1, 1, 5, 1}, Row{6, 3, 2, 0, 1, 1, 3, 0}, Row{5, 4, 1, 9, 1, 1, 5, 1},
                       Row{7, 1, 4, 0, 1, 1, 2, 0}, Row{5, 3, 1, 0, 2, 2, 5, 4}, Row{6, 2, 4, 0, 1, 2, 2, 1}}) {
    int oD, oH, oW, pD = r.pad, pH = r.pad, pW = r.pad;
    ConvolutionUtils::calcOutSizePool3D(oD, oH, oW, r.kernel, r.kernel, 1, r.stride, r.stride, 1, r.pad, r.pad, 0,
                                        r.dilation, r.dilation, 1, r.in, r.in, 4, r.mode);
    EXPECT_EQ(oD, r.out);
    EXPECT_EQ(oH, r.out);
    EXPECT_EQ(oW, 4);
    ConvolutionUtils::calcPadding3D(pD, pH, pW, oD, oH, r.out, r.in, r.in, r.in, r.kernel, r.kernel, r.kernel, r.stride,
                                    r.stride, r.stride, r.dilation, r.dilation, r.dilation, r.mode);
    EXPECT_EQ(pD, r.begin);
    EXPECT_EQ(pH, r.begin);
    EXPECT_EQ(pW, r.begin);
  }
  int oH, oW, pH = 7, pW = 7;
  ConvolutionUtils::calcOutSizePool2D(oH, oW, 3, 2, 1, 2, 0, 1, 1, 1, 5, 6, 0);
  EXPECT_EQ(oH, 3);
  EXPECT_EQ(oW, 4);
  ConvolutionUtils::calcPadding2D(pH, pW, 5, 6, 5, 6, 3, 4, 1, 1, 1, 1);
  EXPECT_EQ(pH, 1);
  EXPECT_EQ(pW, 1);
  ConvolutionUtils::calcOutSizeDeconv2D(oH, oW, 3, 2, 2, 1, 1, 0, 1, 2, 4, 5, 0);
  EXPECT_EQ(oH, 2 * 3 + 3 - 2);
  EXPECT_EQ(oW, 4 + 3);
  ConvolutionUtils::calcOutSizeDeconv2D(oH, oW, 3, 2, 2, 1, 1, 0, 1, 2, 4, 5, 1);
  EXPECT_EQ(oH, 8);
  EXPECT_EQ(oW, 5);
  EXPECT_THROW(ConvolutionUtils::calcOutSizePool2D(oH, oW, 6, 2, 1, 1, 0, 0, 1, 1, 5, 6, 0), std::invalid_argument);
  EXPECT_THROW(ConvolutionUtils::calcOutSizePool2D(oH, oW, 2, 2, 0, 1, 0, 0, 1, 1, 5, 6, 0), std::invalid_argument);
}

TEST(ConvolutionUtils, columns) {
  auto& context = *LaunchContext::defaultContext();
  NDArray image('c', {1, 1, 2, 3}, {1, 2, 3, 4, 5, 6}, FLOAT32), columns('c', {1, 1, 2, 2, 1, 2}, FLOAT32),
      zero(FLOAT32);
  helpers::im2col(context, image, columns, 2, 2, 1, 1, 0, 0, 1, 1, zero);
  EXPECT_TRUE(columns.equalsTo(NDArray('c', {1, 1, 2, 2, 1, 2}, {1, 2, 2, 3, 4, 5, 5, 6}, FLOAT32)));
  NDArray back('c', {1, 1, 2, 3}, FLOAT32);
  helpers::col2im(context, columns, back, 1, 1, 0, 0, 2, 3, 1, 1);
  EXPECT_TRUE(back.equalsTo(NDArray('c', {1, 1, 2, 3}, {1, 4, 3, 4, 10, 6}, FLOAT32)));
  EXPECT_THROW(helpers::im2col(context, image, columns, 2, 2, 0, 1, 0, 0, 1, 1, zero), std::invalid_argument);
  EXPECT_THROW(helpers::col2im(context, columns, back, 1, 1, 0, 0, 3, 3, 1, 1), std::invalid_argument);
}

TEST(ConvolutionUtils, volumes) {
  graph::Context block(1);
  // One volume of 2 x 2 x 2; windows of 2 x 1 x 2, with one cell of padding in front of the width.
  NDArray volume('c', {1, 1, 2, 2, 2}, {1, 2, 3, 4, 5, 6, 7, 8}, DOUBLE),
      columns('c', {1, 1, 2, 1, 2, 1, 2, 2}, DOUBLE);
  ConvolutionUtils::vol2col(block, volume, columns, 1, 1, 1, 0, 0, 1, 1, 1, 1);
  EXPECT_TRUE(columns.equalsTo(
      NDArray('c', {1, 1, 2, 1, 2, 1, 2, 2}, {0, 1, 0, 3, 1, 2, 3, 4, 0, 5, 0, 7, 5, 6, 7, 8}, DOUBLE)));
  NDArray back('c', {1, 1, 2, 2, 2}, DOUBLE);
  ConvolutionUtils::col2vol(block, columns, back, 1, 1, 1, 0, 0, 1, 1, 1, 1);
  EXPECT_TRUE(back.equalsTo(NDArray('c', {1, 1, 2, 2, 2}, {2, 2, 6, 4, 10, 6, 14, 8}, DOUBLE)));
  EXPECT_THROW(ConvolutionUtils::vol2col(block, volume, volume, 1, 1, 1, 0, 0, 1, 1, 1, 1), std::invalid_argument);
}

TEST(RecurrentHelpers, cells) {
  // One unit, one input: the formulas by hand.
  NDArray x('c', {1, 1}, {0.5}, DOUBLE), h('c', {1, 1}, {-0.25}, DOUBLE), c('c', {1, 1}, {0.75}, DOUBLE);
  NDArray wx('c', {1, 4}, {0.1, 0.2, 0.3, 0.4}, DOUBLE), wr('c', {1, 4}, {-0.4, 0.3, -0.2, 0.1}, DOUBLE);
  NDArray newH('c', {1, 1}, DOUBLE), newC('c', {1, 1}, DOUBLE);
  helpers::lstmLayerCell(&x, &wx, &wr, nullptr, &h, &c, nullptr, {0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0}, &newH, &newC);
  const auto sigmoid = [](double v) { return 1 / (1 + std::exp(-v)); };
  const double state = sigmoid(0.1 - 0.075) * 0.75 + sigmoid(0.05 + 0.1) * std::tanh(0.15 + 0.05);
  EXPECT_NEAR(newC.e<double>(0), state, 1e-12);
  EXPECT_NEAR(newH.e<double>(0), sigmoid(0.2 - 0.025) * std::tanh(state), 1e-12);
  EXPECT_THROW(helpers::lstmLayerCell(&x, &wx, &wx, nullptr, &h, &c, nullptr, {0, 0, 0}, &newH, &newC),
               std::invalid_argument);

  NDArray w('c', {1, 1}, {0.3}, DOUBLE), r('c', {1, 1}, {-0.6}, DOUBLE), b('c', {2}, {0.1, -0.4}, DOUBLE);
  helpers::rnnCell(nullptr, &x, &w, &r, &b, &h, &newH);
  EXPECT_NEAR(newH.e<double>(0), std::tanh(0.15 + 0.1 + 0.15 - 0.4), 1e-12);
  EXPECT_THROW(helpers::rnnCell(nullptr, &x, &w, &r, &w, &h, &newH), std::invalid_argument);
}

}  // namespace
}  // namespace sd
