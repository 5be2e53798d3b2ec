#include "ops/declarable/helpers/convolution_call.h"

#include <numeric>
#include <optional>

#include "ops/declarable/helpers/checked_size.h"

namespace sd::ops::helpers {
namespace {

/// The positions of the dimensions of weights in one format.
struct WeightsLayout {
  int in, out, kernel;  // kernel: the position of its first dimension
};

WeightsLayout layoutOf(LongType format, int dims) {
  if (format == 0) return {dims, dims + 1, 0};
  if (format == 1) return {1, 0, 2};
  return {dims + 1, 0, 1};
}

void requireRankOf(const NamedShape& array, int rank) {
  if (array.info == nullptr) reject("input {} '{}' is missing", array.index, array.name);
  if (shape::rank(array.info) != rank)
    reject("input {} '{}': its rank is {}, not {} (shape {})", array.index, array.name, shape::rank(array.info), rank,
           text(array.info));
}

Padding paddingOf(LongType mode, ConvolutionKind kind, int dims) {
  if (mode == 0) return Padding::Explicit;
  if (mode == 1 || kind == ConvolutionKind::Transposed) return Padding::Same;
  if (dims == 3) reject("integer argument 12 'padding mode': {} is not 0 or 1", mode);
  return Padding::Causal;
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

ConvolutionCall ConvolutionCall::read(graph::Context& block, ConvolutionKind kind, int dims, const NamedShape& x,
                                      const NamedShape& weights) {
  requireRankOf(x, dims + 2);
  requireRankOf(weights, dims + 2);
  const bool last = integer(block, static_cast<size_t>(4 * dims + 1), 0) != 0;
  const LongType format = integer(block, static_cast<size_t>(4 * dims + 2), 0);
  const auto arguments =
      WindowArguments::read(block, dims, shape::shapeOf(weights.info) + layoutOf(format, dims).kernel);
  return make(kind, arguments, paddingOf(arguments.mode, kind, dims), last, format, x, weights);
}

ConvolutionCall ConvolutionCall::make(ConvolutionKind kind, const WindowArguments& arguments, Padding padding,
                                      bool channelsLast, LongType weightsFormat, const NamedShape& x,
                                      const NamedShape& weights) {
  const int dims = arguments.dims;
  requireRankOf(x, dims + 2);
  requireRankOf(weights, dims + 2);
  ConvolutionCall call;
  call.kind = kind;
  call.dims = dims;
  call.padding = padding;
  call.channelsLast = channelsLast;
  call.weightsFormat = weightsFormat;

  const LongType* sizes = shape::shapeOf(x.info);
  const LongType channels = sizes[channelsLast ? dims + 1 : 1];
  const LongType* spatial = sizes + (channelsLast ? 1 : 2);
  const bool transposed = kind == ConvolutionKind::Transposed;
  call.shape.batch = sizes[0];
  call.shape.windows = transposed ? arguments.transposed(spatial, padding) : arguments.over(spatial, padding);

  const LongType* w = shape::shapeOf(weights.info);
  const WeightsLayout layout = layoutOf(weightsFormat, dims);
  Dims expected(static_cast<size_t>(dims + 2));
  for (int d = 0; d < dims; d++)
    expected[static_cast<size_t>(layout.kernel + d)] = arguments.kernel[static_cast<size_t>(3 - dims + d)];
  expected[static_cast<size_t>(layout.in)] = transposed ? w[layout.in] : channels;
  expected[static_cast<size_t>(layout.out)] = transposed ? channels : w[layout.out];
  if (!std::equal(expected.begin(), expected.end(), w))
    reject("input {} '{}': its shape is {}, but input {} '{}' of shape {} and the arguments need {}", weights.index,
           weights.name, text(weights.info), x.index, x.name, text(x.info), text(expected));

  call.shape.inChannels = w[layout.in];
  call.shape.outChannels = kind == ConvolutionKind::Depthwise
                               ? checkedProduct(w[layout.in], w[layout.out], "the output channels")
                               : w[layout.out];
  return call;
}

void ConvolutionCall::checkBias(const NamedShape& bias) const {
  const int rank = shape::rank(bias.info);
  if (rank > 2 || shape::length(bias.info) != yChannels() || (rank == 0 && !shape::isEmpty(bias.info)))
    reject("input {} '{}': its shape is {}, but there are {} output channels", bias.index, bias.name, text(bias.info),
           yChannels());
}

void ConvolutionCall::checkY(const NamedShape& y) const {
  requireRankOf(y, dims + 2);
  const Dims expected = yShape();
  if (!std::equal(expected.begin(), expected.end(), shape::shapeOf(y.info)))
    reject("input {} '{}': its shape is {}, but the output has shape {}", y.index, y.name, text(y.info),
           text(expected));
}

NDArray outInKernel(const NDArray& weights, LongType format) {
  const int dims = weights.rankOf() - 2;
  const WeightsLayout layout = layoutOf(format, dims);
  std::vector<int> axes{layout.out, layout.in};
  for (int d = 0; d < dims; d++) axes.push_back(layout.kernel + d);
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
  const Dense images(channelsFirst(x, channelsLast), type), filters(outInKernel(weights, weightsFormat), type);
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
  compute(channelsFirst(gradY, channelsLast), outInKernel(weights, weightsFormat), channelsFirst(gradX, channelsLast),
          [&](const auto* gradients, const auto* filters, auto* result) {
            convolveBackwardData(shape, gradients, filters, result);
          });
}

void ConvolutionCall::backwardWeights(const NDArray& x, const NDArray& gradY, NDArray& gradWeights) const {
  if (gradWeights.isEmpty()) return;
  if (gradY.isEmpty() || x.isEmpty()) return gradWeights.nullify();
  compute(channelsFirst(x, channelsLast), channelsFirst(gradY, channelsLast), outInKernel(gradWeights, weightsFormat),
          [&](const auto* images, const auto* gradients, auto* result) {
            convolveBackwardWeights(shape, images, gradients, result);
          });
}

void ConvolutionCall::backward(const NDArray& x, const NDArray& weights, const NDArray& gradY, NDArray& gradX,
                               NDArray& gradWeights, NDArray* gradBias) const {
  if (gradBias != nullptr) biasGradient(gradY, channelsLast, *gradBias);
  if (kind == ConvolutionKind::Plain) {
    backwardData(weights, gradY, gradX);
    backwardWeights(x, gradY, gradWeights);
  } else if (kind == ConvolutionKind::Transposed) {
    ConvolutionCall plain = *this;
    plain.kind = ConvolutionKind::Plain;
    plain.forward(gradY, weights, nullptr, gradX);
    plain.backwardWeights(gradY, x, gradWeights);
  } else {
    if (x.isEmpty() || weights.isEmpty() || gradY.isEmpty()) {
      if (!gradX.isEmpty()) gradX.nullify();
      if (!gradWeights.isEmpty()) gradWeights.nullify();
      return;
    }
    const DataType type = realTypeOf(gradX.dataType());
    NDArray toX = channelsFirst(gradX, channelsLast), toW = outInKernel(gradWeights, weightsFormat);
    const Dense images(channelsFirst(x, channelsLast), type), filters(outInKernel(weights, weightsFormat), type),
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
