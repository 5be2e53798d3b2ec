// Separable convolution (a depthwise one followed by a 1 x 1 one) and pointwise convolution.
// operations: sconv2d sconv2d_bp pointwise_conv2d
// calls: Add Sum
#include <optional>

#include "ops/declarable/Composition.h"
#include "ops/declarable/generic/convo/Convolution.h"
#include "ops/declarable/helpers/backward_rules.h"
#include "ops/declarable/helpers/rules.h"

namespace sd::ops {
namespace {

using helpers::ConvolutionCall;
using helpers::ConvolutionKind;
using helpers::NamedShape;
using helpers::Padding;
using helpers::WindowArguments;

/// The 1 x 1 convolution of an image of this shape.
ConvolutionCall pointwise(bool channelsLast, WeightLayout layout, const NamedShape& x, const NamedShape& weights) {
  return ConvolutionCall::make(ConvolutionKind::Plain, WindowArguments(), Padding::Explicit, channelsLast, layout, x,
                               weights);
}

/// The shapes of the inputs that are given.
using Shapes = std::vector<std::optional<PartialShape>>;

Shapes shapesOf(const Inference& in) {
  Shapes shapes(static_cast<size_t>(in.inputs()));
  for (int i = 0; i < in.inputs(); i++)
    if (in.has(i)) shapes[static_cast<size_t>(i)] = in.input(i);
  return shapes;
}

Shapes shapesOf(const graph::Context& block) {
  Shapes shapes(block.width());
  for (size_t i = 0; i < shapes.size(); i++)
    if (const NDArray* array = block.optionalArray(static_cast<int>(i)))
      shapes[i] = PartialShape::of(array->shapeInfo());
  return shapes;
}

/// Both steps.
struct Separable {
  ConvolutionCall depth;
  std::optional<ConvolutionCall> point;
  int depthIndex, pointIndex = -1, biasIndex = -1;  // of the inputs; -1: not given

  /// `first` is the position of the depthwise weights. The other weights follow, unless the bias is there as the last
  /// input.
  Separable(const Convolution2d& a, const Shapes& inputs, int first) : depthIndex(first) {
    const int count = static_cast<int>(inputs.size()), third = first + 1;
    const auto given = [&](int i) { return i < count && inputs[static_cast<size_t>(i)].has_value(); };
    const auto named = [&](int i, const char* name) {
      if (!given(i)) reject("input {} '{}' is missing", i, name);
      return NamedShape{*inputs[static_cast<size_t>(i)], i, name};
    };
    const bool known = given(third) && inputs[static_cast<size_t>(third)]->hasRank();
    if (count == third + 1 && known && inputs[static_cast<size_t>(third)]->rank() != 4) {
      biasIndex = third;
    } else {
      if (given(third)) pointIndex = third;
      if (given(third + 1)) biasIndex = third + 1;
    }
    depth = ConvolutionCall::of(ConvolutionKind::Depthwise, a, named(0, "x"), named(first, "weights_depth"));
    if (pointIndex >= 0)
      point = pointwise(depth.channelsLast, depth.weightLayout, {PartialShape(INHERIT, depth.yShape()), 0, "x"},
                        named(third, "weights_point"));
    if (biasIndex >= 0) last().checkBias(named(biasIndex, "bias"));
  }
  /// That of the running operation.
  static const Separable& current(graph::Context& block, int first) {
    return kept<Separable>(block, [&] { return Separable(arguments<Convolution2d>(block), shapesOf(block), first); });
  }
  static Separable inferred(Inference& in, int first) {
    const Separable s(in.arguments<Convolution2d>(), shapesOf(in), first);
    in.keep(s);
    return s;
  }

  const ConvolutionCall& last() const { return point ? *point : depth; }
  /// The image between the two steps.
  NDArray middle(DataType type) const { return NDArray(shapeOf(type, 'c', depth.yShape())); }
  const NDArray& depthWeights(const graph::Context& block) const { return *block.array(depthIndex); }
  const NDArray& pointWeights(const graph::Context& block) const { return *block.array(pointIndex); }
  const NDArray* bias(const graph::Context& block) const { return biasIndex < 0 ? nullptr : block.array(biasIndex); }
};

void separableWeights(Schema& schema) {
  schema.input("weights_depth", "[kH, kW, iC, mC] for HWIO, [mC, iC, kH, kW] for OIHW, [mC, kH, kW, iC] for OHWI")
      .rank(4);
  schema
      .input("weights_point",
             "[1, 1, iC * mC, oC] for HWIO, [oC, iC * mC, 1, 1] for OIHW, [oC, 1, 1, iC * mC] for OHWI; as the last "
             "input, an array of another rank is the bias")
      .optional();
  schema.input("bias", BIAS_TEXT).optional();
  schema.inputTypes({ALL_FLOATS}).outputTypes({ALL_FLOATS});
  convolutionArguments<Convolution2d>(schema, ConvolutionKind::Depthwise);
}

/// What sconv2d computes, for the gradient of its gradient.
std::vector<Symbol> composedSeparable(Gradient& g) {
  const auto& a = g.arguments<Convolution2d>();
  const Symbol x = g.input(0), depth = g.input(1), third = g.input(2);
  const auto depthwise = [&](Symbol bias) {
    return bias ? g.call("depthwise_conv2d", {x, depth, bias}, a) : g.call("depthwise_conv2d", {x, depth}, a);
  };
  // Without the other weights the bias may be in their place.
  const bool isBias = third && !g.input(3) && g.rank(third) != 4;
  if (!third || isBias) return {depthwise(isBias ? third : g.input(3))};
  const PointwiseConvolution point{a.layout, a.weightLayout};
  const Symbol between = depthwise({});
  return {g.input(3) ? g.call("pointwise_conv2d", {between, third, g.input(3)}, point)
                     : g.call("pointwise_conv2d", {between, third}, point)};
}

}  // namespace

CUSTOM_OP_IMPL(sconv2d, 2, 1, false, 0, 9) {
  const auto& s = Separable::current(block, 1);
  const NDArray& x = *INPUT_VARIABLE(0);
  NDArray& y = *OUTPUT_VARIABLE(0);
  if (!s.point) {
    s.depth.forward(x, s.depthWeights(block), s.bias(block), y);
    return Status::OK;
  }
  NDArray between = s.middle(y.dataType());
  s.depth.forward(x, s.depthWeights(block), nullptr, between);
  s.point->forward(between, s.pointWeights(block), s.bias(block), y);
  return Status::OK;
}
INFERRED_SHAPES(sconv2d)
DECLARE_SCHEMA(sconv2d) {
  schema.summary("Separable convolution: depthwise, then 1 x 1.")
      .formula("y = conv2d(depthwise_conv2d(x, weights_depth), weights_point) + bias")
      .note(CONVOLUTION_NOTE);
  schema.input("x", "[N, iC, iH, iW] or [N, iH, iW, iC]").types({ALL_FLOATS, ALL_INTS}).rank(4);
  separableWeights(schema);
  schema.output("y", "[N, oC, oH, oW] or [N, oH, oW, oC], the type of weights_depth");
  schema.gradient("sconv2d_bp").infer([](Inference& in) {
    const PartialShape x = in.input(0);
    in.output(PartialShape(in.input(1).type(), Separable::inferred(in, 1).last().yShape(), x.order()));
  });
  schema
      .example(
          R"({"x": [[[[1.0, 2.0], [3.0, 4.0]], [[5.0, 6.0], [7.0, 8.0]]]], "weights_depth": [[[[1.0], [1.0]], [[1.0], [1.0]]], [[[1.0], [1.0]], [[1.0], [1.0]]]], "weights_point": [[[[1.0], [10.0]]]], "kernel": [2, 2]})")
      .elsewhere({.tensorflow = "tf.nn.separable_conv2d"})
      .words("separable convolution, Xception, MobileNet")
      .see("depthwise_conv2d pointwise_conv2d conv2d");
}

CUSTOM_OP_IMPL(sconv2d_bp, 3, 2, false, 0, 9) {
  const auto& s = Separable::current(block, 2);
  const NDArray &x = *INPUT_VARIABLE(0), &gradY = *INPUT_VARIABLE(1), &weights = s.depthWeights(block);
  s.last().checkY(gradY, 1);
  NDArray &gradX = *OUTPUT_VARIABLE(0), &gradDepth = *OUTPUT_VARIABLE(1);
  NDArray* gradBias = s.biasIndex < 0 ? nullptr : OUTPUT_VARIABLE(s.point ? 3 : 2);
  if (!s.point) {
    s.depth.backward(x, weights, gradY, &gradX, &gradDepth, gradBias);
    return Status::OK;
  }
  NDArray between = s.middle(gradY.dataType()), gradBetween = s.middle(gradY.dataType());
  s.depth.forward(x, weights, nullptr, between);
  s.point->backward(between, s.pointWeights(block), gradY, &gradBetween, OUTPUT_VARIABLE(2), gradBias);
  s.depth.backward(x, weights, gradBetween, &gradX, &gradDepth, nullptr);
  return Status::OK;
}
INFERRED_SHAPES(sconv2d_bp)
DECLARE_SCHEMA(sconv2d_bp) {
  schema.summary("The gradients of sconv2d.")
      .formula("those of the 1 × 1 convolution, then those of depthwise_conv2d")
      .note("The outputs have no gaps: without weights_point, gradBias is output 2.");
  schema.input("x", "[N, iC, iH, iW] or [N, iH, iW, iC]").types({ALL_FLOATS, ALL_INTS}).rank(4);
  schema.input("gradY", "the shape of y").rank(4);
  separableWeights(schema);
  schema.output("gradX", "the shape of x, the type of gradY");
  schema.output("gradWeightsDepth", "the shape of weights_depth, the type of gradY");
  schema.output("gradWeightsPoint", "the shape of weights_point, the type of gradY").when("weights_point is given");
  schema.output("gradBias", "the shape of bias, the type of gradY").when("bias is given");
  schema.gradient(backwardOf<composedRule<composedSeparable>>).infer([](Inference& in) {
    const Separable s = Separable::inferred(in, 2);
    const PartialShape gradY = in.input(1);
    s.last().checkY({gradY, 1, "gradY"});
    for (int index : {0, s.depthIndex, s.pointIndex, s.biasIndex})
      if (index >= 0) in.output(in.input(index).withType(gradY.type()));
  });
  schema
      .example(
          R"({"x": [[[[1.0, 2.0], [3.0, 4.0]]]], "gradY": [[[[1.0]]]], "weights_depth": [[[[1.0]], [[1.0]]], [[[1.0]], [[1.0]]]], "kernel": [2, 2]})")
      .words("separable convolution")
      .see("sconv2d");
}

namespace {

ConvolutionCall pointwiseCall(const PointwiseConvolution& a, const PartialShape& x, const PartialShape& weights) {
  return pointwise(a.layout == ImageLayout::NHWC, a.weightLayout, {x, 0, "x"}, {weights, 1, "weights"});
}

}  // namespace

CUSTOM_OP_IMPL(pointwise_conv2d, 2, 1, false, 0, 0) {
  const NDArray &x = *INPUT_VARIABLE(0), &weights = *INPUT_VARIABLE(1), *bias = block.optionalArray(2);
  const auto& call = kept<ConvolutionCall>(block, [&] {
    return pointwiseCall(arguments<PointwiseConvolution>(block), PartialShape::of(x.shapeInfo()),
                         PartialShape::of(weights.shapeInfo()));
  });
  if (bias != nullptr) call.checkBias(*bias, 2);
  call.forward(x, weights, bias, *OUTPUT_VARIABLE(0));
  return Status::OK;
}
INFERRED_SHAPES(pointwise_conv2d)
DECLARE_SCHEMA(pointwise_conv2d) {
  schema.summary("Convolution of 1 x 1: a product of the channels with a matrix.")
      .formula("y[n, o, p] = bias[o] + sum over c of x[n, c, p] * weights[c, o]");
  schema.input("x", "[N, iC, H, W] or [N, H, W, iC]").types({ALL_FLOATS, ALL_INTS}).rank(4);
  schema.input("weights", "[1, 1, iC, oC] for HWIO, [oC, iC, 1, 1] for OIHW, [oC, 1, 1, iC] for OHWI").rank(4);
  schema.input("bias", BIAS_TEXT).optional();
  schema.inputTypes({ALL_FLOATS}).outputTypes({ALL_FLOATS});
  layoutArguments<PointwiseConvolution>(schema, 0);
  schema.output("y", "[N, oC, H, W] or [N, H, W, oC], the type of weights");
  schema.infer([](Inference& in) {
    const PartialShape x = in.input(0), weights = in.input(1);
    const auto call = pointwiseCall(in.arguments<PointwiseConvolution>(), x, weights);
    if (in.has(2)) call.checkBias({in.input(2), 2, "bias"});
    in.keep(call);
    in.output(PartialShape(weights.type(), call.yShape(), x.order()));
  });
  schema.example(R"({"x": [[[[1.0, 2.0]], [[3.0, 4.0]]]], "weights": [[[[1.0], [10.0]]]]})")
      .elsewhere({.torch = "torch.nn.functional.conv2d", .tensorflow = "tf.nn.conv2d", .onnx = "Conv"})
      .words("1x1 convolution, convolution")
      .see("conv2d sconv2d");
  schema.gradient([](Gradient& g) {
    const auto& a = g.arguments<PointwiseConvolution>();
    Convolution2d windows;
    windows.kernel = {1, 1};
    windows.layout = a.layout;
    windows.weightLayout = a.weightLayout;
    const auto results = g.callAll("conv2d_bp", {g.input(0), g.input(1), g.input(2), g.of()}, windows);
    for (size_t i = 0; i < results.size(); i++) g.set(static_cast<int>(i), results[i]);
  });
}

}  // namespace sd::ops
