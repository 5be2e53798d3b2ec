// Checked arguments of convolutions, and calls of the kernels on arrays of any layout and type.
#ifndef NDFORGE_SRC_OPS_DECLARABLE_HELPERS_CONVOLUTION_CALL_H
#define NDFORGE_SRC_OPS_DECLARABLE_HELPERS_CONVOLUTION_CALL_H

#include <ops/declarable/headers/convo.h>

#include "ops/declarable/helpers/convolution.h"
#include "ops/declarable/helpers/inference.h"

namespace sd::ops::helpers {

enum class ConvolutionKind { Plain, Transposed, Depthwise };

/// An input of an operation, with its position and name for messages.
struct NamedShape {
  PartialShape shape;
  int index;
  const char* name;
};

/// Whether a plan left out output `index` because nobody reads it.
inline bool isUnread(graph::Context& block, int index) {
  const auto& outputs = block.fastpath_out();
  const auto k = static_cast<size_t>(index);
  return !block.isInplace() && k < outputs.size() && outputs[k] == nullptr;
}

/// A convolution over `dims` spatial axes as its arguments describe it. `shape` is that of the plain convolution. For a
/// transposed convolution, its x is therefore the operation's output and its y the operation's input. Sizes that follow
/// from unknown ones are -1.
struct ConvolutionCall {
  Convolution shape;
  ConvolutionKind kind = ConvolutionKind::Plain;
  int dims = 2;
  Padding padding = Padding::Explicit;
  bool channelsLast = false;
  WeightLayout weightLayout = WeightLayout::HWIO;

  /// The call with arguments of type S. Checks the ranks and shapes of x and the weights.
  template <typename S>
  static ConvolutionCall of(ConvolutionKind kind, const S& a, const NamedShape& x, const NamedShape& weights) {
    // The first layout has its channels first.
    return make(kind, WindowArguments::of(a), paddingOf(a.paddingMode), static_cast<int>(a.layout) != 0, a.weightLayout,
                x, weights);
  }
  /// As of(), with given windows, for operations with other arguments. Kernel sizes below 1 are those of the weights.
  static ConvolutionCall make(ConvolutionKind kind, WindowArguments arguments, Padding padding, bool channelsLast,
                              WeightLayout weightLayout, const NamedShape& x, const NamedShape& weights);
  /// The call of a running operation, whose inputs 0 and 1 are x and the weights.
  template <typename S>
  static const ConvolutionCall& current(graph::Context& block, ConvolutionKind kind) {
    return kept<ConvolutionCall>(block, [&] {
      return of(kind, arguments<S>(block), {PartialShape::of(block.array(0)->shapeInfo()), 0, "x"},
                {PartialShape::of(block.array(1)->shapeInfo()), 1, "weights"});
    });
  }

  /// The shapes of the operation's x and y.
  Dims xShape() const { return image(kind == ConvolutionKind::Transposed); }
  Dims yShape() const { return image(kind != ConvolutionKind::Transposed); }
  LongType yChannels() const { return kind == ConvolutionKind::Transposed ? shape.inChannels : shape.outChannels; }

  /// Requires a bias of rank 1 or 2 with yChannels() elements.
  void checkBias(const NamedShape& bias) const;
  void checkBias(const NDArray& bias, int index) const {
    checkBias({PartialShape::of(bias.shapeInfo()), index, "bias"});
  }
  /// Requires an array of shape yShape().
  void checkY(const NamedShape& y) const;
  void checkY(const NDArray& y, int index) const { checkY({PartialShape::of(y.shapeInfo()), index, "gradY"}); }

  // Arrays may have any strides, order and real type; integers are converted to the type of the weights. Empty arrays
  // give empty results or zeros.

  /// `bias` may be null.
  void forward(const NDArray& x, const NDArray& weights, const NDArray* bias, NDArray& y) const;
  void backwardData(const NDArray& weights, const NDArray& gradY, NDArray& gradX) const;
  void backwardWeights(const NDArray& x, const NDArray& gradY, NDArray& gradWeights) const;
  /// Computes the gradients that are not null.
  void backward(const NDArray& x, const NDArray& weights, const NDArray& gradY, NDArray* gradX, NDArray* gradWeights,
                NDArray* gradBias) const;

  /// y += bias, if there is a bias.
  void addBias(const NDArray* bias, NDArray& y) const;

 private:
  Dims image(bool output) const {
    return imageShape(shape.batch, output ? shape.outChannels : shape.inChannels, shape.windows, output, dims,
                      channelsLast);
  }
};

/// A view [out, in, kernel...] of weights.
NDArray outInKernel(const NDArray& weights, WeightLayout layout);

/// gradBias = the sum of gradY over all dimensions except the channels.
void biasGradient(const NDArray& gradY, bool channelsLast, NDArray& gradBias);

}  // namespace sd::ops::helpers

#endif
