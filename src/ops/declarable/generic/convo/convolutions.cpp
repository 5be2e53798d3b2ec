// Plain, transposed and depthwise convolutions and their gradients.
// operations: conv1d conv1d_bp conv2d conv2d_bp conv3dnew conv3dnew_bp deconv2d deconv2d_bp deconv3d deconv3d_bp
// operations: depthwise_conv2d depthwise_conv2d_bp
// calls: Add Sum
#include <ops/declarable/headers/convo.h>

#include "ops/declarable/helpers/convolution_call.h"

namespace sd::ops {
namespace {

using helpers::ConvolutionCall;
using helpers::ConvolutionKind;

const LongType* infoOf(const NDArray* array) { return array == nullptr ? nullptr : array->shapeInfo(); }

/// The arrays and arguments of a call. The inputs of a gradient are (x, weights, bias?, gradY).
struct Call {
  NDArray *x, *weights, *bias = nullptr, *gradY = nullptr;
  ConvolutionCall convolution;

  Call(graph::Context& block, ConvolutionKind kind, int dims, bool gradient)
      : x(block.optionalArray(0)), weights(block.optionalArray(1)) {
    const int width = static_cast<int>(block.width());
    if (gradient && (width < 3 || width > 4)) reject("3 or 4 inputs are needed, but {} are given", width);
    const int gradIndex = width - 1;
    bias = gradient && width == 3 ? nullptr : block.optionalArray(2);
    convolution = ConvolutionCall::read(block, kind, dims, {infoOf(x), 0, "x"}, {infoOf(weights), 1, "weights"});
    if (bias != nullptr) convolution.checkBias({bias->shapeInfo(), 2, "bias"});
    if (!gradient) return;
    gradY = block.optionalArray(gradIndex);
    convolution.checkY({infoOf(gradY), gradIndex, "gradY"});
  }
};

ShapeList* forwardShapes(graph::Context& block, ConvolutionKind kind, int dims) {
  const Call call(block, kind, dims, false);
  const char order = dims == 1 ? call.weights->ordering() : call.x->ordering();
  return shapes(shapeOf(call.weights->dataType(), order, call.convolution.yShape()));
}

ShapeList* gradientShapes(graph::Context& block, ConvolutionKind kind, int dims) {
  const Call call(block, kind, dims, true);
  const DataType type = call.gradY->dataType();
  if (call.bias == nullptr) return shapes(like(call.x->shapeInfo(), type), like(call.weights->shapeInfo(), type));
  return shapes(like(call.x->shapeInfo(), type), like(call.weights->shapeInfo(), type),
                like(call.bias->shapeInfo(), type));
}

Status forward(graph::Context& block, ConvolutionKind kind, int dims, NDArray& y) {
  const Call call(block, kind, dims, false);
  call.convolution.forward(*call.x, *call.weights, call.bias, y);
  return Status::OK;
}

Status backward(graph::Context& block, ConvolutionKind kind, int dims, NDArray& gradX, NDArray& gradWeights,
                NDArray* gradBias) {
  const Call call(block, kind, dims, true);
  call.convolution.backward(*call.x, *call.weights, *call.gradY, gradX, gradWeights,
                            call.bias == nullptr ? nullptr : gradBias);
  return Status::OK;
}

constexpr const char* INTEGERS[] = {
    "kW: kernel width; <= 0: taken from the weights\nsW: stride\npW: padding on both sides, for mode 0\ndW: dilation\n"
    "mode: 0 the given padding, 1 same (output = ceil(input / stride)), 2 causal (all padding before)\n"
    "format?: 0 channels first (default), 1 channels last\nweightsFormat?: 0 (default), 1 or 2",
    "kH, kW: kernel sizes; <= 0: taken from the weights\nsH, sW: strides\npH, pW: paddings on both sides, for mode 0\n"
    "dH, dW: dilations\nmode: 0 the given padding, 1 same (output = ceil(input / stride)), 2 causal (all padding "
    "before)\nformat?: 0 NCHW (default), 1 NHWC\nweightsFormat?: 0 (default), 1 or 2",
    "kD, kH, kW: kernel sizes; <= 0: taken from the weights\nsD, sH, sW: strides\npD, pH, pW: paddings on both sides, "
    "for mode 0\ndD, dH, dW: dilations\nmode: 0 the given padding, 1 same (output = ceil(input / stride))\n"
    "format?: 0 NCDHW (default), 1 NDHWC\nweightsFormat?: 0 (default), 1 or 2"};
constexpr const char* X[] = {"[N, iC, iW] or [N, iW, iC]", "[N, iC, iH, iW] or [N, iH, iW, iC]",
                             "[N, iC, iD, iH, iW] or [N, iD, iH, iW, iC]"};

struct Family {
  const char *summary, *formula, *weights;
};
const Family FAMILIES[] = {
    {"Convolution.",
     "y[n, o, p] = bias[o] + sum over c, k of x[n, c, p * stride - pad + k * dilation] * weights[k, c, o]",
     "weights: format 0 [kernel..., iC, oC], 1 [oC, iC, kernel...], 2 [oC, kernel..., iC]"},
    {"Transposed convolution.", "y[n, o, p * stride - pad + k * dilation] += x[n, c, p] * weights[k, o, c]; + bias[o]",
     "weights: format 0 [kernel..., oC, iC], 1 [iC, oC, kernel...], 2 [iC, kernel..., oC]"},
    {"Depthwise convolution: each channel separately, with a channel multiplier.",
     "y[n, c * mC + m, p] = bias[c * mC + m] + sum over k of x[n, c, p * stride - pad + k * dilation] * weights[k, c, "
     "m]",
     "weights: format 0 [kernel..., iC, mC], 1 [mC, iC, kernel...], 2 [mC, kernel..., iC]"}};

/// Descriptions of the inputs for each family and number of dimensions, and for gradients. Built once, because
/// descriptors keep pointers to them.
const std::array<std::string, 18>& inputTexts() {
  static const std::array<std::string, 18> texts = [] {
    std::array<std::string, 18> result;
    size_t at = 0;
    for (const Family& family : FAMILIES)
      for (const char* x : X)
        for (const char* gradY : {"", "\ngradY: the shape of y"})
          result[at++] = std::string("x: ") + x + "\n" + family.weights + "\nbias?: [oC] or [1, oC]" + gradY;
    return result;
  }();
  return texts;
}

void describe(OpDescriptor* descriptor, ConvolutionKind kind, int dims, bool gradient) {
  const Family& family = FAMILIES[static_cast<int>(kind)];
  const std::string& inputs = inputTexts()[static_cast<size_t>((static_cast<int>(kind) * 3 + dims - 1) * 2 + gradient)];
  descriptor->setAllowedInputTypes(0, {ALL_FLOATS, ALL_INTS})
      ->setAllowedInputTypes({ALL_FLOATS})
      ->setAllowedOutputTypes({ALL_FLOATS})
      ->setNullableInputs({2})
      ->document({.summary = gradient ? "The gradients of the convolution of the same name." : family.summary,
                  .formula = family.formula,
                  .inputs = inputs.c_str(),
                  .outputs = gradient ? "gradX: the shape of x\ngradWeights: the shape of weights\ngradBias: the shape "
                                        "of bias, when there is one"
                                      : "y: [N, oC, ...] or [N, ..., oC], in the type of the weights",
                  .integers = INTEGERS[dims - 1],
                  .types = gradient ? "The gradients have the type of gradY."
                                    : "The computation uses the type of "
                                      "weights.",
                  .notes = "Cells outside the image count as 0. The kernel is not flipped."});
}

}  // namespace

// name, gradient, kind, spatial axes, integer arguments
#define SD_CONVOLUTION(NAME, KIND, DIMS, IARGS)                                                   \
  CUSTOM_OP_IMPL(NAME, 2, 1, false, 0, IARGS) {                                                   \
    return forward(block, ConvolutionKind::KIND, DIMS, *OUTPUT_VARIABLE(0));                      \
  }                                                                                               \
  DECLARE_SHAPE_FN(NAME) { return forwardShapes(block, ConvolutionKind::KIND, DIMS); }            \
  DECLARE_TYPES(NAME) { describe(getOpDescriptor(), ConvolutionKind::KIND, DIMS, false); }        \
  CUSTOM_OP_IMPL(NAME##_bp, 3, 2, false, 0, IARGS) {                                              \
    const bool bias = block.width() > 3 && block.optionalArray(2) != nullptr;                     \
    return backward(block, ConvolutionKind::KIND, DIMS, *OUTPUT_VARIABLE(0), *OUTPUT_VARIABLE(1), \
                    bias ? OUTPUT_VARIABLE(2) : nullptr);                                         \
  }                                                                                               \
  DECLARE_SHAPE_FN(NAME##_bp) { return gradientShapes(block, ConvolutionKind::KIND, DIMS); }      \
  DECLARE_TYPES(NAME##_bp) { describe(getOpDescriptor(), ConvolutionKind::KIND, DIMS, true); }

SD_CONVOLUTION(conv1d, Plain, 1, 5)
SD_CONVOLUTION(conv2d, Plain, 2, 9)
SD_CONVOLUTION(conv3dnew, Plain, 3, 13)
SD_CONVOLUTION(deconv2d, Transposed, 2, 9)
SD_CONVOLUTION(deconv3d, Transposed, 3, 13)
SD_CONVOLUTION(depthwise_conv2d, Depthwise, 2, 9)

}  // namespace sd::ops
