// Gradients of a convolution with respect to its input, whose shape is given as an array.
// operations: conv2d_input_bp deconv2d_tf
// calls: Add Sum
#include "ops/declarable/generic/convo/Convolution.h"
#include "ops/declarable/helpers/rules.h"

namespace sd::ops {
namespace {

using helpers::ConvolutionCall;
using helpers::ConvolutionKind;

/// The convolution of an image of the shape `sizes`, unknown if null; gradY has the shape of its result.
ConvolutionCall callOf(const Convolution2d& a, const NDArray* sizes, const PartialShape& weights,
                       const PartialShape& gradY, const char* gradName) {
  PartialShape x = PartialShape::ofRank(weights.type(), 4);
  if (sizes != nullptr) {
    if (sizes->rankOf() != 1 || sizes->lengthOf() != 4)
      reject("input 0 'shape': its shape is {}, but a vector of 4 sizes is needed", text(*sizes));
    const auto dims = integersOf(*sizes, 0, "shape");
    for (LongType size : dims)
      if (size < 0) reject("input 0 'shape': {} contains a negative size", text(dims));
    x = PartialShape(weights.type(), dims);
  }
  const auto call = ConvolutionCall::of(ConvolutionKind::Plain, a, {x, 0, "shape"}, {weights, 1, "weights"});
  call.checkY({gradY, 2, gradName});
  return call;
}

Status run(graph::Context& block, const char* gradName, NDArray& gradX) {
  const NDArray &weights = *block.array(1), &gradY = *block.array(2);
  const auto& call = kept<ConvolutionCall>(block, [&] {
    return callOf(arguments<Convolution2d>(block), block.array(0), PartialShape::of(weights.shapeInfo()),
                  PartialShape::of(gradY.shapeInfo()), gradName);
  });
  call.backwardData(weights, gradY, gradX);
  return Status::OK;
}

void infer(Inference& in, const char* gradName, DataType type) {
  const PartialShape sizes = in.input(0), gradY = in.input(2);
  if (sizes.hasRank() && (sizes.rank() != 1 || (sizes[0] != 4 && sizes[0] != PartialShape::UNKNOWN)))
    reject("input 0 'shape': its shape is {}, but a vector of 4 sizes is needed", sizes.text());
  const auto call = callOf(in.arguments<Convolution2d>(), in.values(0), in.input(1), gradY, gradName);
  in.keep(call);
  PartialShape x(type, call.xShape(), gradY.order());
  if (x[0] == PartialShape::UNKNOWN && gradY.hasRank()) x.set(0, gradY[0]);
  in.output(x);
}

void describe(Schema& schema) {
  schema.input("shape", "the shape of the result, 4 integers").types({ALL_INTS, ALL_FLOATS}).shapesNeedValues();
  schema.input("weights", WEIGHTS_TEXT).rank(4);
  schema.inputTypes({ALL_FLOATS}).outputTypes({ALL_FLOATS});
  convolutionArguments<Convolution2d>(schema, ConvolutionKind::Plain);
}

/// The operation is the transpose of conv2d, whose gradient with respect to the weights serves for both factors.
void transposedRule(Gradient& g) {
  g.set(2, g.call("conv2d", {g.of(), g.input(1)}, g.ownArguments()));
  g.set(1, g.callAll("conv2d_bp", {g.of(), g.input(1), {}, g.input(2)}, g.ownArguments())[1]);
}

}  // namespace

CUSTOM_OP_IMPL(conv2d_input_bp, 3, 1, false, 0, 9) { return run(block, "gradY", *OUTPUT_VARIABLE(0)); }
INFERRED_SHAPES(conv2d_input_bp)
DECLARE_SCHEMA(conv2d_input_bp) {
  schema.summary("The gradient of conv2d with respect to its input.")
      .formula("gradX[n, c, p * stride - pad + k * dilation] += gradY[n, o, p] * weights[k, c, o]");
  describe(schema);
  schema.input("gradY", "[N, oC, oH, oW] or [N, oH, oW, oC]").rank(4);
  schema.output("gradX", "the given shape, the type of gradY");
  schema.infer([](Inference& in) { infer(in, "gradY", in.input(2).type()); });
  schema
      .example(
          R"({"shape": [1, 1, 2, 2], "weights": [[[[1.0]], [[1.0]]], [[[1.0]], [[1.0]]]], "gradY": [[[[3.0]]]], "kernel": [2, 2]})")
      .elsewhere({.torch = "torch.nn.grad.conv2d_input", .tensorflow = "tf.compat.v1.nn.conv2d_backprop_input"})
      .words("convolution, backward, input gradient")
      .see("conv2d conv2d_bp deconv2d_tf");
  schema.gradient(transposedRule);
}

CUSTOM_OP_IMPL(deconv2d_tf, 3, 1, false, 0, 9) { return run(block, "x", *OUTPUT_VARIABLE(0)); }
INFERRED_SHAPES(deconv2d_tf)
DECLARE_SCHEMA(deconv2d_tf) {
  schema.summary("Transposed convolution whose output shape is given.")
      .formula("y[n, c, p * stride - pad + k * dilation] += x[n, o, p] * weights[k, c, o]");
  describe(schema);
  schema.input("x", "[N, oC, oH, oW] or [N, oH, oW, oC]").rank(4);
  schema.output("y", "the given shape, the type of weights");
  schema.infer([](Inference& in) { infer(in, "x", in.input(1).type()); });
  schema
      .example(
          R"({"shape": [1, 1, 2, 2], "weights": [[[[1.0]], [[1.0]]], [[[1.0]], [[1.0]]]], "x": [[[[3.0]]]], "kernel": [2, 2]})")
      .elsewhere({.tensorflow = "tf.nn.conv2d_transpose"})
      .words("deconvolution, transposed convolution, fractionally strided convolution")
      .see("deconv2d conv2d_input_bp");
  schema.gradient(transposedRule);
}

}  // namespace sd::ops
