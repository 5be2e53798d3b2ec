// Separable convolution (a depthwise one followed by a 1 x 1 one) and pointwise convolution.
// operations: sconv2d sconv2d_bp pointwise_conv2d
// calls: Add Sum
#include <ops/declarable/headers/convo.h>

#include <optional>

#include "ops/declarable/helpers/convolution_call.h"

namespace sd::ops {
namespace {

using helpers::ConvolutionCall;
using helpers::ConvolutionKind;
using helpers::Padding;
using helpers::WindowArguments;

/// The 1 x 1 convolution of an image of this shape.
ConvolutionCall pointwise(bool channelsLast, LongType format, const helpers::NamedShape& x,
                          const helpers::NamedShape& weights) {
  return ConvolutionCall::make(ConvolutionKind::Plain, WindowArguments(), Padding::Explicit, channelsLast, format, x,
                               weights);
}

/// Both steps; `first` is the position of the depthwise weights, which the other weights follow.
struct Separable {
  NDArray *x, *depthWeights, *pointWeights = nullptr, *bias = nullptr;
  ConvolutionCall depth;
  std::optional<ConvolutionCall> point;

  Separable(graph::Context& block, int first) : x(block.array(0)), depthWeights(block.array(first)) {
    const int width = static_cast<int>(block.width()), third = first + 1;
    NDArray* next = block.optionalArray(third);
    if (width == third + 1 && next != nullptr && next->rankOf() != 4) {
      bias = next;
    } else {
      pointWeights = next;
      bias = block.optionalArray(third + 1);
    }
    depth = ConvolutionCall::read(block, ConvolutionKind::Depthwise, 2, {x->shapeInfo(), 0, "x"},
                                  {depthWeights->shapeInfo(), first, "weightsDepth"});
    if (pointWeights != nullptr)
      point = pointwise(depth.channelsLast, depth.weightsFormat, {middle(depthWeights->dataType()), 0, "x"},
                        {pointWeights->shapeInfo(), third, "weightsPoint"});
    const int biasIndex = pointWeights == nullptr && width == third + 1 ? third : third + 1;
    if (bias != nullptr) last().checkBias({bias->shapeInfo(), biasIndex, "bias"});
  }

  const ConvolutionCall& last() const { return point ? *point : depth; }
  /// The shape of the image between the two steps.
  const LongType* middle(DataType type) const { return shapeOf(type, 'c', depth.yShape()); }
};

constexpr const char* INTEGERS =
    "kH, kW: kernel sizes\nsH, sW: strides\npH, pW: paddings on both sides, for mode 0\ndH, dW: dilations\nmode: 0 the "
    "given padding, 1 same, 2 causal\nformat?: 0 NCHW (default), 1 NHWC\nweightsFormat?: 0 (default), 1 or 2";

}  // namespace

CUSTOM_OP_IMPL(sconv2d, 2, 1, false, 0, 9) {
  const Separable s(block, 1);
  NDArray& y = *OUTPUT_VARIABLE(0);
  if (!s.point) {
    s.depth.forward(*s.x, *s.depthWeights, s.bias, y);
    return Status::OK;
  }
  NDArray between(s.middle(y.dataType()));
  s.depth.forward(*s.x, *s.depthWeights, nullptr, between);
  s.point->forward(between, *s.pointWeights, s.bias, y);
  return Status::OK;
}
DECLARE_SHAPE_FN(sconv2d) {
  const Separable s(block, 1);
  return shapes(shapeOf(s.depthWeights->dataType(), s.x->ordering(), s.last().yShape()));
}
DECLARE_TYPES(sconv2d) {
  getOpDescriptor()
      ->setAllowedInputTypes(0, {ALL_FLOATS, ALL_INTS})
      ->setAllowedInputTypes({ALL_FLOATS})
      ->setAllowedOutputTypes({ALL_FLOATS})
      ->setNullableInputs({2, 3})
      ->document({.summary = "Separable convolution: depthwise, then 1 x 1.",
                  .formula = "y = conv2d(depthwise_conv2d(x, weightsDepth), weightsPoint) + bias",
                  .inputs =
                      "x: [N, iC, iH, iW] or [N, iH, iW, iC]\nweightsDepth: format 0 [kH, kW, iC, mC], 1 [mC, iC, "
                      "kH, kW], 2 [mC, kH, kW, iC]\nweightsPoint?: format 0 [1, 1, iC * mC, oC], 1 [oC, iC * mC, "
                      "1, 1], 2 [oC, 1, 1, iC * mC]\nbias?: [oC] or [1, oC]",
                  .outputs = "y: [N, oC, oH, oW] or [N, oH, oW, oC], in the type of weightsDepth",
                  .integers = INTEGERS});
}

CUSTOM_OP_IMPL(sconv2d_bp, 3, 2, false, 0, 9) {
  const Separable s(block, 2);
  const NDArray& gradY = *INPUT_VARIABLE(1);
  s.last().checkY({gradY.shapeInfo(), 1, "gradY"});
  NDArray &gradX = *OUTPUT_VARIABLE(0), &gradDepth = *OUTPUT_VARIABLE(1);
  NDArray* gradBias = s.bias == nullptr ? nullptr : OUTPUT_VARIABLE(s.point ? 3 : 2);
  if (!s.point) {
    s.depth.backward(*s.x, *s.depthWeights, gradY, gradX, gradDepth, gradBias);
    return Status::OK;
  }
  const LongType* middle = s.middle(gradY.dataType());
  NDArray between(middle), gradBetween(middle);
  s.depth.forward(*s.x, *s.depthWeights, nullptr, between);
  s.point->backward(between, *s.pointWeights, gradY, gradBetween, *OUTPUT_VARIABLE(2), gradBias);
  s.depth.backward(*s.x, *s.depthWeights, gradBetween, gradX, gradDepth, nullptr);
  return Status::OK;
}
DECLARE_SHAPE_FN(sconv2d_bp) {
  const Separable s(block, 2);
  const NDArray& gradY = *INPUT_VARIABLE(1);
  s.last().checkY({gradY.shapeInfo(), 1, "gradY"});
  auto list = std::make_unique<ShapeList>();
  for (const NDArray* array : {s.x, s.depthWeights, s.pointWeights, s.bias})
    if (array != nullptr) list->push_back(like(array->shapeInfo(), gradY.dataType()));
  return list.release();
}
DECLARE_TYPES(sconv2d_bp) {
  getOpDescriptor()
      ->setAllowedInputTypes(0, {ALL_FLOATS, ALL_INTS})
      ->setAllowedInputTypes({ALL_FLOATS})
      ->setAllowedOutputTypes({ALL_FLOATS})
      ->setNullableInputs({3, 4})
      ->document({.summary = "The gradients of sconv2d.",
                  .inputs = "x: the input\ngradY: the shape of y\nweightsDepth: as in sconv2d\nweightsPoint?: as in "
                            "sconv2d\nbias?: [oC] or [1, oC]",
                  .outputs = "gradX: the shape of x\ngradDepth: the shape of weightsDepth\ngradPoint: the shape of "
                             "weightsPoint, when it is given\ngradBias: the shape of bias, when there is one",
                  .integers = INTEGERS,
                  .types = "The gradients have the type of gradY."});
}

namespace {

struct Pointwise {
  NDArray *x, *weights, *bias;
  ConvolutionCall convolution;

  explicit Pointwise(graph::Context& block) : x(block.array(0)), weights(block.array(1)), bias(block.optionalArray(2)) {
    convolution = pointwise(integer(block, 0, 0) != 0, integer(block, 1, 0), {x->shapeInfo(), 0, "x"},
                            {weights->shapeInfo(), 1, "weights"});
    if (bias != nullptr) convolution.checkBias({bias->shapeInfo(), 2, "bias"});
  }
};

}  // namespace

CUSTOM_OP_IMPL(pointwise_conv2d, 2, 1, false, 0, 0) {
  const Pointwise p(block);
  p.convolution.forward(*p.x, *p.weights, p.bias, *OUTPUT_VARIABLE(0));
  return Status::OK;
}
DECLARE_SHAPE_FN(pointwise_conv2d) {
  const Pointwise p(block);
  return shapes(shapeOf(p.weights->dataType(), p.x->ordering(), p.convolution.yShape()));
}
DECLARE_TYPES(pointwise_conv2d) {
  getOpDescriptor()
      ->setAllowedInputTypes(0, {ALL_FLOATS, ALL_INTS})
      ->setAllowedInputTypes({ALL_FLOATS})
      ->setAllowedOutputTypes({ALL_FLOATS})
      ->document({.summary = "Convolution of 1 x 1: a product of the channels with a matrix.",
                  .formula = "y[n, o, p] = bias[o] + sum over c of x[n, c, p] * weights[c, o]",
                  .inputs = "x: [N, iC, H, W] or [N, H, W, iC]\nweights: format 0 [1, 1, iC, oC], 1 [oC, iC, 1, 1], 2 "
                            "[oC, 1, 1, iC]\nbias?: [oC] or [1, oC]",
                  .outputs = "y: [N, oC, H, W] or [N, H, W, oC], in the type of weights",
                  .integers = "format?: 0 NCHW (default), 1 NHWC\nweightsFormat?: 0 (default), 1 or 2"});
}

}  // namespace sd::ops
