#include "ops/declarable/helpers/convolution_call.h"

#include <numeric>
#include <optional>

#include "ops/declarable/helpers/checked_size.h"

namespace sd::ops::helpers {
namespace {

/// The positions of the dimensions of weights in one layout.
struct WeightPositions {
  int in, out, kernel;  // kernel: the position of its first dimension
};

WeightPositions positionsOf(WeightLayout layout, int dims) {
  if (layout == WeightLayout::HWIO) return {dims, dims + 1, 0};
  if (layout == WeightLayout::OIHW) return {1, 0, 2};
  return {dims + 1, 0, 1};
}

constexpr LongType UNKNOWN = PartialShape::UNKNOWN;

/// The shape, whose rank must be `rank` if it is known.
PartialShape ofRank(const NamedShape& array, int rank) {
  if (!array.shape.hasRank()) return PartialShape::ofRank(array.shape.type(), rank);
  requireRank(array.shape, rank, array.index, array.name);
  return array.shape;
}

/// The windows along axis `d`, whose sizes are unknown when that of the image is.
WindowAxis windowsAlong(WindowArguments arguments, int d, LongType size, Padding padding, bool transposed) {
  const auto axis = static_cast<size_t>(3 - arguments.dims + d);
  LongType& kernel = arguments.kernel[axis];
  // The number of windows does not depend on the kernel when the padding makes up for it.
  if (size == UNKNOWN || (kernel == UNKNOWN && padding == Padding::Explicit)) {
    WindowAxis unknown;
    unknown.in = transposed ? UNKNOWN : size;
    unknown.out = transposed ? size : UNKNOWN;
    return unknown;
  }
  if (kernel == UNKNOWN) kernel = 1;
  return transposed ? arguments.transposedAxis(d, size, padding) : arguments.axisOver(d, size, padding);
}

/// Calls f(elements of x, elements of y, elements of z) with dense arrays of the type in which z is computed.
template <typename F>
void compute(NDArray x, NDArray y, NDArray z, F&& f) {
  const DataType type = realTypeOf(z.dataType());
  const Dense from(std::move(x), type), with(std::move(y), type);
  DenseOut result(z, type);
  withReal(type, [&](auto t) {
    using T = decltype(t);
    f(from.as<T>(), with.as<T>(), result.as<T>());
  });
  result.commit();
}

}  // namespace

ConvolutionCall ConvolutionCall::make(ConvolutionKind kind, WindowArguments arguments, Padding padding,
                                      bool channelsLast, WeightLayout weightLayout, const NamedShape& x,
                                      const NamedShape& weights) {
  const int dims = arguments.dims;
  const PartialShape image = ofRank(x, dims + 2), w = ofRank(weights, dims + 2);
  const WeightPositions at = positionsOf(weightLayout, dims);
  for (int d = 0; d < dims; d++) {
    LongType& kernel = arguments.kernel[static_cast<size_t>(3 - dims + d)];
    if (kernel > 0) continue;
    kernel = w[at.kernel + d];
    if (kernel == 0 || kernel > INT32_MAX)
      reject("input {} '{}': the window size {} is outside 1..2147483647 (shape {})", weights.index, weights.name,
             kernel, w.text());
  }
  ConvolutionCall call;
  call.kind = kind;
  call.dims = dims;
  call.padding = padding;
  call.channelsLast = channelsLast;
  call.weightLayout = weightLayout;

  const LongType channels = image[channelsLast ? dims + 1 : 1];
  const bool transposed = kind == ConvolutionKind::Transposed;
  call.shape.batch = image[0];
  for (int d = 0; d < dims; d++)
    call.shape.windows.axes[static_cast<size_t>(3 - dims + d)] =
        windowsAlong(arguments, d, image[(channelsLast ? 1 : 2) + d], padding, transposed);

  const int imageChannels = transposed ? at.out : at.in;
  PartialShape expected = w;
  for (int d = 0; d < dims; d++) expected.set(at.kernel + d, arguments.kernel[static_cast<size_t>(3 - dims + d)]);
  expected.set(imageChannels, channels);
  if (!compatible(expected, w))
    reject("input {} '{}': its shape is {}, but input {} '{}' of shape {} and the arguments need {}", weights.index,
           weights.name, w.text(), x.index, x.name, image.text(), expected.text());
  expected = merged(expected, w);

  const LongType in = expected[at.in], out = expected[at.out];
  call.shape.inChannels = in;
  call.shape.outChannels = out;
  if (kind == ConvolutionKind::Depthwise)
    call.shape.outChannels = in == UNKNOWN || out == UNKNOWN ? UNKNOWN : checkedProduct(in, out, "the output channels");
  return call;
}

void ConvolutionCall::checkBias(const NamedShape& bias) const {
  const PartialShape& given = bias.shape;
  const LongType length = given.length();
  if (given.rank() > 2 || (length != UNKNOWN && yChannels() != UNKNOWN && length != yChannels()) ||
      (given.rank() == 0 && !given.isEmptyScalar()))
    reject("input {} '{}': its shape is {}, but there are {} output channels", bias.index, bias.name, given.text(),
           yChannels());
}

void ConvolutionCall::checkY(const NamedShape& y) const {
  requireCompatible(ofRank(y, dims + 2), y.index, y.name, PartialShape(INHERIT, yShape()), "the output");
}

NDArray outInKernel(const NDArray& weights, WeightLayout layout) {
  const int dims = weights.rankOf() - 2;
  const WeightPositions at = positionsOf(layout, dims);
  std::vector<int> axes{at.out, at.in};
  for (int d = 0; d < dims; d++) axes.push_back(at.kernel + d);
  return weights.permute(axes);
}

void biasGradient(const NDArray& gradY, bool channelsLast, NDArray& gradBias) {
  if (gradBias.isEmpty()) return;
  if (gradY.isEmpty()) return gradBias.nullify();
  std::vector<int> axes(static_cast<size_t>(gradY.rankOf()));
  std::iota(axes.begin(), axes.end(), 0);
  axes.erase(axes.begin() + (channelsLast ? gradY.rankOf() - 1 : 1));
  gradBias.assign(gradY.reduceAlongDimension(reduce::Sum, axes));
}

void ConvolutionCall::addBias(const NDArray* bias, NDArray& y) const {
  if (bias == nullptr || y.isEmpty()) return;
  Dims across(static_cast<size_t>(y.rankOf()), 1);
  across[channelsLast ? across.size() - 1 : 1] = bias->lengthOf();
  broadcastTo(loops::OpGroup::Broadcast, broadcast::Add, y, bias->reshape('c', across), y);
}

void ConvolutionCall::forward(const NDArray& x, const NDArray& weights, const NDArray* bias, NDArray& y) const {
  if (kind == ConvolutionKind::Transposed) {
    // Compute the gradient of the plain convolution, in which x and y are exchanged, with respect to its input.
    ConvolutionCall plain = *this;
    plain.kind = ConvolutionKind::Plain;
    plain.backwardData(weights, x, y);
    return addBias(bias, y);
  }
  if (y.isEmpty()) return;
  if (x.isEmpty() || weights.isEmpty()) {
    y.nullify();
    return addBias(bias, y);
  }
  const DataType type = realTypeOf(weights.dataType());
  NDArray to = channelsFirst(y, channelsLast);
  const Dense images(channelsFirst(x, channelsLast), type), filters(outInKernel(weights, weightLayout), type);
  std::optional<Dense> offsets;
  if (bias != nullptr) offsets.emplace(*bias, type);
  DenseOut result(to, type);
  withReal(type, [&](auto t) {
    using T = decltype(t);
    const T* b = bias == nullptr ? nullptr : offsets->as<T>();
    if (kind == ConvolutionKind::Depthwise)
      convolveDepthwise(shape, images.as<T>(), filters.as<T>(), b, result.as<T>());
    else
      convolve(shape, images.as<T>(), filters.as<T>(), b, result.as<T>());
  });
  result.commit();
}

void ConvolutionCall::backwardData(const NDArray& weights, const NDArray& gradY, NDArray& gradX) const {
  if (gradX.isEmpty()) return;
  if (gradY.isEmpty() || weights.isEmpty()) return gradX.nullify();
  compute(channelsFirst(gradY, channelsLast), outInKernel(weights, weightLayout), channelsFirst(gradX, channelsLast),
          [&](const auto* gradients, const auto* filters, auto* result) {
            convolveBackwardData(shape, gradients, filters, result);
          });
}

void ConvolutionCall::backwardWeights(const NDArray& x, const NDArray& gradY, NDArray& gradWeights) const {
  if (gradWeights.isEmpty()) return;
  if (gradY.isEmpty() || x.isEmpty()) return gradWeights.nullify();
  compute(channelsFirst(x, channelsLast), channelsFirst(gradY, channelsLast), outInKernel(gradWeights, weightLayout),
          [&](const auto* images, const auto* gradients, auto* result) {
            convolveBackwardWeights(shape, images, gradients, result);
          });
}

void ConvolutionCall::backward(const NDArray& x, const NDArray& weights, const NDArray& gradY, NDArray* gradX,
                               NDArray* gradWeights, NDArray* gradBias) const {
  if (gradBias != nullptr) biasGradient(gradY, channelsLast, *gradBias);
  if (kind == ConvolutionKind::Plain) {
    if (gradX != nullptr) backwardData(weights, gradY, *gradX);
    if (gradWeights != nullptr) backwardWeights(x, gradY, *gradWeights);
  } else if (kind == ConvolutionKind::Transposed) {
    ConvolutionCall plain = *this;
    plain.kind = ConvolutionKind::Plain;
    if (gradX != nullptr) plain.forward(gradY, weights, nullptr, *gradX);
    if (gradWeights != nullptr) plain.backwardWeights(gradY, x, *gradWeights);
  } else if (gradX == nullptr || gradWeights == nullptr) {
    // Both are computed together.
    if (gradX == gradWeights) return;
    NDArray unread = (gradX == nullptr ? x : weights).ulike();
    backward(x, weights, gradY, gradX == nullptr ? &unread : gradX, gradWeights == nullptr ? &unread : gradWeights,
             nullptr);
  } else {
    if (x.isEmpty() || weights.isEmpty() || gradY.isEmpty()) {
      if (!gradX->isEmpty()) gradX->nullify();
      if (!gradWeights->isEmpty()) gradWeights->nullify();
      return;
    }
    const DataType type = realTypeOf(gradY.dataType());
    NDArray toX = channelsFirst(*gradX, channelsLast), toW = outInKernel(*gradWeights, weightLayout);
    const Dense images(channelsFirst(x, channelsLast), type), filters(outInKernel(weights, weightLayout), type),
        gradients(channelsFirst(gradY, channelsLast), type);
    DenseOut forX(toX, type), forW(toW, type);
    withReal(type, [&](auto t) {
      using T = decltype(t);
      convolveDepthwiseBackward(shape, images.as<T>(), filters.as<T>(), gradients.as<T>(), forX.as<T>(), forW.as<T>());
    });
    forX.commit();
    forW.commit();
  }
}

}  // namespace sd::ops::helpers
