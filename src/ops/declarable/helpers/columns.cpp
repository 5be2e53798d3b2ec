// im2col, col2im and the functions of ConvolutionUtils.
#include <ops/declarable/helpers/col2im.h>
#include <ops/declarable/helpers/convolutions.h>
#include <ops/declarable/helpers/im2col.h>

#include "ops/declarable/helpers/convolution.h"

namespace sd::ops {
namespace {

using helpers::Convolution;
using helpers::Padding;
using helpers::WindowArguments;
using helpers::WindowAxis;

/// Checks and describes images [N, C, spatial...] and columns [N, C, kernel..., windows...] over `dims` axes.
Convolution columnsOf(const NDArray& image, const NDArray& columns, int dims, const std::array<int, 9>& strides) {
  if (image.rankOf() != dims + 2 || columns.rankOf() != 2 * dims + 2 || image.sizeAt(0) != columns.sizeAt(0) ||
      image.sizeAt(1) != columns.sizeAt(1))
    reject("columns of shape {} do not match images of shape {}", text(columns), text(image));
  if (!image.isR() || !columns.isR()) reject("the arrays must have float types");
  Convolution c{image.sizeAt(0), image.sizeAt(1), 0, {}};
  for (int d = 0; d < dims; d++) {
    const auto axis = static_cast<size_t>(3 - dims + d);
    c.windows.axes[axis] = {image.sizeAt(2 + d),   columns.sizeAt(2 + dims + d),
                            columns.sizeAt(2 + d), strides[axis],
                            strides[3 + axis],     strides[6 + axis]};
    if (strides[axis] <= 0 || strides[6 + axis] <= 0)
      reject("stride {} and dilation {} must be positive", strides[axis], strides[6 + axis]);
  }
  return c;
}

void toColumns(const NDArray& image, double padding, NDArray& columns, int dims, const std::array<int, 9>& strides) {
  const Convolution c = columnsOf(image, columns, dims, strides);
  if (columns.isEmpty()) return;
  if (image.isEmpty()) return columns.assign(padding);
  const DataType type = helpers::realTypeOf(columns.dataType());
  const Dense images(image, type);
  DenseOut result(columns, type);
  helpers::withReal(type, [&](auto t) {
    using T = decltype(t);
    helpers::imageToColumns(c, images.as<T>(), static_cast<T>(padding), result.as<T>());
  });
  result.commit();
}

void toImage(const NDArray& columns, NDArray& image, int dims, const std::array<int, 9>& strides) {
  const Convolution c = columnsOf(image, columns, dims, strides);
  if (image.isEmpty()) return;
  if (columns.isEmpty()) return image.nullify();
  const DataType type = helpers::realTypeOf(image.dataType());
  const Dense values(columns, type);
  DenseOut result(image, type);
  helpers::withReal(type, [&](auto t) {
    using T = decltype(t);
    helpers::columnsToImage(c, values.as<T>(), result.as<T>());
  });
  result.commit();
}

Padding paddingOf(int mode) { return mode == 0 ? Padding::Explicit : mode == 1 ? Padding::Same : Padding::Causal; }

int narrow(LongType size) {
  if (size > INT32_MAX) reject("a size of {} does not fit 32 bits", size);
  return static_cast<int>(size);
}

void requirePositive(std::initializer_list<int> values) {
  for (int value : values)
    if (value <= 0) reject("sizes, strides and dilations must be positive, but one is {}", value);
}

}  // namespace

namespace helpers {

void im2col(LaunchContext&, const NDArray& im, NDArray& columns, int kH, int kW, int sH, int sW, int pH, int pW, int dH,
            int dW, const NDArray& paddingValue) {
  if (columns.rankOf() == 6 && (columns.sizeAt(2) != kH || columns.sizeAt(3) != kW))
    reject("columns of shape {} do not match windows of {} x {}", text(columns), kH, kW);
  toColumns(im, paddingValue.isEmpty() ? 0.0 : paddingValue.e<double>(0), columns, 2,
            {1, sH, sW, 0, pH, pW, 1, dH, dW});
}

void col2im(LaunchContext&, const NDArray& columns, NDArray& im, int sH, int sW, int pH, int pW, int iH, int iW, int dH,
            int dW) {
  if (im.rankOf() == 4 && (im.sizeAt(2) != iH || im.sizeAt(3) != iW))
    reject("images of shape {} are not {} x {}", text(im), iH, iW);
  toImage(columns, im, 2, {1, sH, sW, 0, pH, pW, 1, dH, dW});
}

}  // namespace helpers

void ConvolutionUtils::calcOutSizePool2D(int& oH, int& oW, int kH, int kW, int sH, int sW, int pH, int pW, int dH,
                                         int dW, int iH, int iW, int paddingMode) {
  int oD;
  calcOutSizePool3D(oD, oH, oW, 1, kH, kW, 1, sH, sW, 0, pH, pW, 1, dH, dW, 1, iH, iW, paddingMode);
}

void ConvolutionUtils::calcOutSizePool3D(int& oD, int& oH, int& oW, int kD, int kH, int kW, int sD, int sH, int sW,
                                         int pD, int pH, int pW, int dD, int dH, int dW, int iD, int iH, int iW,
                                         int paddingMode) {
  requirePositive({kD, kH, kW, sD, sH, sW, dD, dH, dW, iD, iH, iW});
  const WindowArguments a{3, {kD, kH, kW}, {sD, sH, sW}, {pD, pH, pW}, {dD, dH, dW}};
  const LongType in[] = {iD, iH, iW};
  const auto windows = a.over(in, paddingOf(paddingMode));
  oD = narrow(windows.axes[0].out);
  oH = narrow(windows.axes[1].out);
  oW = narrow(windows.axes[2].out);
}

void ConvolutionUtils::calcPadding2D(int& pH, int& pW, int oH, int oW, int iH, int iW, int kH, int kW, int sH, int sW,
                                     int dH, int dW, int paddingMode) {
  int pD = 0;
  calcPadding3D(pD, pH, pW, 1, oH, oW, 1, iH, iW, 1, kH, kW, 1, sH, sW, 1, dH, dW, paddingMode);
}

void ConvolutionUtils::calcPadding3D(int& pD, int& pH, int& pW, int oD, int oH, int oW, int iD, int iH, int iW, int kD,
                                     int kH, int kW, int sD, int sH, int sW, int dD, int dH, int dW, int paddingMode) {
  const auto pad = [paddingMode](int& p, int o, int i, int k, int s, int d) {
    p = narrow(helpers::beginPad({i, o, k, s, p, d}, paddingOf(paddingMode)));
  };
  pad(pD, oD, iD, kD, sD, dD);
  pad(pH, oH, iH, kH, sH, dH);
  pad(pW, oW, iW, kW, sW, dW);
}

void ConvolutionUtils::calcOutSizeDeconv2D(int& oH, int& oW, int kH, int kW, int sH, int sW, int pH, int pW, int dH,
                                           int dW, int iH, int iW, int paddingMode) {
  requirePositive({kH, kW, sH, sW, dH, dW, iH, iW});
  const WindowArguments a{2, {1, kH, kW}, {1, sH, sW}, {0, pH, pW}, {1, dH, dW}};
  const Padding padding = paddingMode == 0 ? Padding::Explicit : Padding::Same;
  oH = narrow(a.transposedAxis(0, iH, padding).in);
  oW = narrow(a.transposedAxis(1, iW, padding).in);
}

void ConvolutionUtils::vol2col(graph::Context&, const NDArray& vol, NDArray& col, int sD, int sH, int sW, int pD,
                               int pH, int pW, int dD, int dH, int dW) {
  toColumns(vol, 0.0, col, 3, {sD, sH, sW, pD, pH, pW, dD, dH, dW});
}

void ConvolutionUtils::col2vol(graph::Context&, const NDArray& col, NDArray& vol, int sD, int sH, int sW, int pD,
                               int pH, int pW, int dD, int dH, int dW) {
  toImage(col, vol, 3, {sD, sH, sW, pD, pH, pW, dD, dH, dW});
}

}  // namespace sd::ops
