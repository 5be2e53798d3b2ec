// Gradients of a convolution with respect to its input, whose shape is given as an array.
// operations: conv2d_input_bp deconv2d_tf
// calls: Add Sum
#include <ops/declarable/headers/convo.h>

#include "ops/declarable/helpers/convolution_call.h"

namespace sd::ops {
namespace {

using helpers::ConvolutionCall;
using helpers::ConvolutionKind;

/// The convolution of an image whose shape is given by input 0; gradY has the shape of its result.
ConvolutionCall read(graph::Context& block) {
  const NDArray &sizes = *block.array(0), &weights = *block.array(1), &gradY = *block.array(2);
  if (sizes.rankOf() != 1 || sizes.lengthOf() != 4)
    reject("input 0 'shape': its shape is {}, but a vector of 4 sizes is needed", text(sizes));
  const auto dims = integersOf(sizes, 0);
  for (LongType size : dims)
    if (size < 0) reject("input 0 'shape': {} contains a negative size", text(dims));
  const LongType* x = shapeOf(weights.dataType(), 'c', dims);
  const auto call =
      ConvolutionCall::read(block, ConvolutionKind::Plain, 2, {x, 0, "shape"}, {weights.shapeInfo(), 1, "weights"});
  call.checkY({gradY.shapeInfo(), 2, "gradY"});
  return call;
}

Status run(graph::Context& block, NDArray& gradX) {
  read(block).backwardData(*block.array(1), *block.array(2), gradX);
  return Status::OK;
}

void describe(OpDescriptor* descriptor, const char* summary, const char* types) {
  descriptor->setAllowedInputTypes(0, {ALL_INTS, ALL_FLOATS})
      ->setAllowedInputTypes({ALL_FLOATS})
      ->setAllowedOutputTypes({ALL_FLOATS})
      ->document(
          {.summary = summary,
           .formula = "gradX[n, c, p * stride - pad + k * dilation] += gradY[n, o, p] * weights[k, c, o]",
           .inputs = "shape: the shape of x, 4 integers\nweights: format 0 [kH, kW, iC, oC], 1 [oC, iC, kH, kW], "
                     "2 [oC, kH, kW, iC]\ngradY: [N, oC, oH, oW] or [N, oH, oW, oC]",
           .outputs = "gradX: the given shape",
           .integers = "kH, kW: kernel sizes; <= 0: taken from the weights\nsH, sW: strides\npH, pW: paddings on both "
                       "sides, for mode 0\ndH, dW: dilations\nmode: 0 the given padding, 1 same, 2 causal (all padding "
                       "before)\nformat?: 0 NCHW (default), 1 NHWC\nweightsFormat?: 0 (default), 1 or 2",
           .types = types});
}

}  // namespace

CUSTOM_OP_IMPL(conv2d_input_bp, 3, 1, false, 0, 9) { return run(block, *OUTPUT_VARIABLE(0)); }
DECLARE_SHAPE_FN(conv2d_input_bp) {
  const NDArray& gradY = *INPUT_VARIABLE(2);
  return shapes(shapeOf(gradY.dataType(), gradY.ordering(), read(block).xShape()));
}
DECLARE_TYPES(conv2d_input_bp) {
  describe(getOpDescriptor(), "The gradient of conv2d with respect to its input.", "gradX has the type of gradY.");
}

CUSTOM_OP_IMPL(deconv2d_tf, 3, 1, false, 0, 9) { return run(block, *OUTPUT_VARIABLE(0)); }
DECLARE_SHAPE_FN(deconv2d_tf) {
  return shapes(shapeOf(INPUT_VARIABLE(1)->dataType(), INPUT_VARIABLE(2)->ordering(), read(block).xShape()));
}
DECLARE_TYPES(deconv2d_tf) {
  describe(getOpDescriptor(), "Transposed convolution whose output shape is given.",
           "The result has the type of the weights.");
}

}  // namespace sd::ops
