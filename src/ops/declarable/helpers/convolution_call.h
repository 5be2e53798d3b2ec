// Checked arguments of convolutions, and calls of the kernels on arrays of any layout and type.
#ifndef NDFORGE_SRC_OPS_DECLARABLE_HELPERS_CONVOLUTION_CALL_H
#define NDFORGE_SRC_OPS_DECLARABLE_HELPERS_CONVOLUTION_CALL_H

#include "ops/declarable/helpers/convolution.h"

namespace sd::ops::helpers {

enum class ConvolutionKind { Plain, Transposed, Depthwise };

/// An input of an operation, with its position and name for messages.
struct NamedShape {
  const LongType* info;
  int index;
  const char* name;
};

/// A convolution over `dims` spatial axes as its arguments describe it. `shape` is that of the plain convolution. For a
/// transposed convolution, its x is therefore the operation's output and its y the operation's input.
struct ConvolutionCall {
  Convolution shape;
  ConvolutionKind kind = ConvolutionKind::Plain;
  int dims = 2;
  Padding padding = Padding::Explicit;
  bool channelsLast = false;
  LongType weightsFormat = 0;

  /// Reads the arguments (kernel, stride, pad and dilation for each axis, mode, data format, weights format) and checks
  /// the ranks and shapes of x and the weights.
  static ConvolutionCall read(graph::Context& block, ConvolutionKind kind, int dims, const NamedShape& x,
                              const NamedShape& weights);
  /// As read(), with given windows, for operations with other arguments.
  static ConvolutionCall make(ConvolutionKind kind, const WindowArguments& arguments, Padding padding,
                              bool channelsLast, LongType weightsFormat, const NamedShape& x,
                              const NamedShape& weights);

  /// The shapes of the operation's x and y.
  Dims xShape() const { return image(kind == ConvolutionKind::Transposed); }
  Dims yShape() const { return image(kind != ConvolutionKind::Transposed); }
  LongType yChannels() const { return kind == ConvolutionKind::Transposed ? shape.inChannels : shape.outChannels; }

  /// Requires a bias of rank 1 or 2 with yChannels() elements.
  void checkBias(const NamedShape& bias) const;
  /// Requires an array of shape yShape().
  void checkY(const NamedShape& y) const;

  // Arrays may have any strides, order and real type; integers are converted to the type of the weights. Empty arrays
  // give empty results or zeros.

  /// `bias` may be null.
  void forward(const NDArray& x, const NDArray& weights, const NDArray* bias, NDArray& y) const;
  void backwardData(const NDArray& weights, const NDArray& gradY, NDArray& gradX) const;
  void backwardWeights(const NDArray& x, const NDArray& gradY, NDArray& gradWeights) const;
  /// Computes all gradients; `gradBias` may be null.
  void backward(const NDArray& x, const NDArray& weights, const NDArray& gradY, NDArray& gradX, NDArray& gradWeights,
                NDArray* gradBias) const;

  /// y += bias, if there is a bias.
  void addBias(const NDArray* bias, NDArray& y) const;

 private:
  Dims image(bool output) const {
    return imageShape(shape.batch, output ? shape.outChannels : shape.inChannels, shape.windows, output, dims,
                      channelsLast);
  }
};

/// A view [out, in, kernel...] of weights in format 0 [kernel..., in, out], 1 [out, in, kernel...] or 2 [out,
/// kernel..., in].
NDArray outInKernel(const NDArray& weights, LongType format);

/// gradBias = the sum of gradY over all dimensions except the channels.
void biasGradient(const NDArray& gradY, bool channelsLast, NDArray& gradBias);

}  // namespace sd::ops::helpers

#endif
