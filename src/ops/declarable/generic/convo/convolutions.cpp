// Plain, transposed and depthwise convolutions and their gradients.
// operations: conv1d conv1d_bp conv2d conv2d_bp conv3dnew conv3dnew_bp deconv1d deconv1d_bp
// operations: deconv2d deconv2d_bp deconv3d deconv3d_bp depthwise_conv2d depthwise_conv2d_bp
// calls: Add Sum
#include "ops/declarable/generic/convo/Convolution.h"
#include "ops/declarable/helpers/backward_rules.h"

namespace sd::ops {
namespace {

using helpers::ConvolutionCall;
using helpers::ConvolutionKind;

// The inputs of a gradient are (x, weights, bias?, gradY): a call without bias has 3 inputs, or 4 with a null one.

/// The index of gradY in a call with `count` inputs.
int gradientIndex(int count) {
  if (count < 3 || count > 4) reject("3 or 4 inputs are needed, but {} are given", count);
  return count - 1;
}

template <typename S>
ConvolutionCall inferCall(Inference& in, ConvolutionKind kind, bool hasBias) {
  const auto call = ConvolutionCall::of(kind, in.arguments<S>(), {in.input(0), 0, "x"}, {in.input(1), 1, "weights"});
  if (hasBias) call.checkBias({in.input(2), 2, "bias"});
  in.keep(call);
  return call;
}

template <typename S, ConvolutionKind KIND>
void inferForward(Inference& in) {
  const PartialShape x = in.input(0), weights = in.input(1);
  const auto call = inferCall<S>(in, KIND, in.has(2));
  const char order = call.dims == 1 ? weights.order() : x.order();
  in.output(PartialShape(weights.type(), call.yShape(), order));
}

template <typename S, ConvolutionKind KIND>
void inferBackward(Inference& in) {
  const int last = gradientIndex(in.inputs());
  const bool hasBias = last == 3 && in.has(2);
  const auto call = inferCall<S>(in, KIND, hasBias);
  const PartialShape gradY = in.input(last);
  call.checkY({gradY, last, "gradY"});
  in.output(in.input(0).withType(gradY.type()));
  in.output(in.input(1).withType(gradY.type()));
  if (hasBias) in.output(in.input(2).withType(gradY.type()));
}

template <typename S>
Status forward(graph::Context& block, ConvolutionKind kind, NDArray& y) {
  const auto& call = ConvolutionCall::current<S>(block, kind);
  const NDArray* bias = block.optionalArray(2);
  if (bias != nullptr) call.checkBias(*bias, 2);
  call.forward(*block.array(0), *block.array(1), bias, y);
  return Status::OK;
}

template <typename S>
Status backward(graph::Context& block, ConvolutionKind kind, NDArray* gradX, NDArray* gradWeights, NDArray* gradBias) {
  const int last = gradientIndex(static_cast<int>(block.width()));
  const auto& call = ConvolutionCall::current<S>(block, kind);
  const NDArray* gradY = block.optionalArray(last);
  if (gradY == nullptr) reject("input {} 'gradY' is missing", last);
  if (last == 3 && block.optionalArray(2) != nullptr) call.checkBias(*block.array(2), 2);
  call.checkY(*gradY, last);
  call.backward(*block.array(0), *block.array(1), *gradY, gradX, gradWeights, gradBias);
  return Status::OK;
}

// ---- schemas

constexpr const char* X[] = {"[N, iC, iW] or [N, iW, iC]", "[N, iC, iH, iW] or [N, iH, iW, iC]",
                             "[N, iC, iD, iH, iW] or [N, iD, iH, iW, iC]"};
constexpr const char* Y[] = {"[N, oC, oW] or [N, oW, oC], the type of weights",
                             "[N, oC, oH, oW] or [N, oH, oW, oC], the type of weights",
                             "[N, oC, oD, oH, oW] or [N, oD, oH, oW, oC], the type of weights"};

struct Family {
  const char *formula, *gradientFormula, *weights;
};
const Family FAMILIES[] = {
    {"y[n, o, p] = bias[o] + sum over c, k of x[n, c, p * stride - pad + k * dilation] * weights[k, c, o]",
     "gradX[n, c, p * stride - pad + k * dilation] += gradY[n, o, p] * weights[k, c, o], gradWeights[k, c, o] = sum "
     "over n, p of x[n, c, p * stride - pad + k * dilation] * gradY[n, o, p], gradBias[o] = sum of gradY[:, o]",
     WEIGHTS_TEXT},
    {"y[n, o, p * stride - pad + k * dilation] += x[n, c, p] * weights[k, o, c]; + bias[o]",
     "gradX[n, c, p] = sum over o, k of gradY[n, o, p * stride - pad + k * dilation] * weights[k, o, c], "
     "gradWeights[k, o, c] = sum over n, p of x[n, c, p] * gradY[n, o, p * stride - pad + k * dilation], gradBias[o] = "
     "sum of gradY[:, o]",
     "[kernel..., oC, iC] for HWIO, [iC, oC, kernel...] for OIHW, [iC, kernel..., oC] for OHWI"},
    {"y[n, c * mC + m, p] = bias[c * mC + m] + sum over k of x[n, c, p * stride - pad + k * dilation] * weights[k, c, "
     "m]",
     "gradX[n, c, p * stride - pad + k * dilation] += gradY[n, c * mC + m, p] * weights[k, c, m], gradWeights[k, c, m] "
     "= sum over n, p of x[n, c, p * stride - pad + k * dilation] * gradY[n, c * mC + m, p], gradBias[o] = sum of "
     "gradY[:, o]",
     "[kernel..., iC, mC] for HWIO, [mC, iC, kernel...] for OIHW, [mC, kernel..., iC] for OHWI; oC = iC * mC"}};

struct Member {
  const char *summary, *gradientSummary, *example, *gradientExample;
  NamesElsewhere elsewhere;
  const char *words, *see;
};

#define SD_SQUARE_KERNEL "[[[[1.0]], [[1.0]]], [[[1.0]], [[1.0]]]]"

const Member SEQUENCES = {
    "Convolution of sequences.",
    "The gradients of conv1d.",
    R"({"x": [[[1.0, 2.0, 3.0, 4.0]]], "weights": [[[1.0]], [[1.0]]], "kernel": [2]})",
    R"({"x": [[[1.0, 2.0, 3.0]]], "weights": [[[1.0]], [[2.0]]], "bias": [0.0], "gradY": [[[1.0, 1.0]]], "kernel": [2]})",
    {.torch = "torch.nn.functional.conv1d", .tensorflow = "tf.nn.conv1d", .onnx = "Conv"},
    "convolution, cross-correlation, filter, temporal",
    "conv2d deconv1d"};
const Member IMAGES = {"Convolution of images.",
                       "The gradients of conv2d.",
                       R"({"x": [[[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0], [7.0, 8.0, 9.0]]]], "weights": )" SD_SQUARE_KERNEL
                       R"(, "kernel": [2, 2]})",
                       R"({"x": [[[[1.0, 2.0], [3.0, 4.0]]]], "weights": )" SD_SQUARE_KERNEL
                       R"(, "bias": [0.0], "gradY": [[[[1.0]]]], "kernel": [2, 2]})",
                       {.torch = "torch.nn.functional.conv2d", .tensorflow = "tf.nn.conv2d", .onnx = "Conv"},
                       "convolution, cross-correlation, filter",
                       "depthwise_conv2d deconv2d sconv2d pointwise_conv2d conv2d_input_bp"};
const Member VOLUMES = {
    "Convolution of volumes.",
    "The gradients of conv3dnew.",
    R"({"x": [[[[[1.0, 2.0], [3.0, 4.0]], [[5.0, 6.0], [7.0, 8.0]]]]], "weights": [)" SD_SQUARE_KERNEL
    R"(], "kernel": [1, 2, 2]})",
    R"({"x": [[[[[1.0, 2.0], [3.0, 4.0]]]]], "weights": [)" SD_SQUARE_KERNEL
    R"(], "bias": [0.0], "gradY": [[[[[1.0]]]]], "kernel": [1, 2, 2]})",
    {.torch = "torch.nn.functional.conv3d", .tensorflow = "tf.nn.conv3d", .onnx = "Conv"},
    "convolution, cross-correlation, filter, volume",
    "conv2d deconv3d"};
const Member TRANSPOSED_SEQUENCES = {
    "Transposed convolution of sequences.",
    "The gradients of deconv1d.",
    R"({"x": [[[1.0, 2.0]]], "weights": [[[1.0]], [[3.0]]], "stride": [2]})",
    R"({"x": [[[1.0]]], "weights": [[[1.0]], [[3.0]]], "bias": [0.0], "gradY": [[[1.0, 2.0]]], "stride": [2]})",
    {.torch = "torch.nn.functional.conv_transpose1d", .tensorflow = "tf.nn.conv1d_transpose", .onnx = "ConvTranspose"},
    "deconvolution, fractionally strided convolution, upsampling, sequence, temporal",
    "conv1d deconv2d"};
const Member TRANSPOSED_IMAGES = {
    "Transposed convolution of images.",
    "The gradients of deconv2d.",
    R"({"x": [[[[1.0, 2.0]]]], "weights": )" SD_SQUARE_KERNEL R"(, "stride": [2, 2]})",
    R"({"x": [[[[1.0]]]], "weights": )" SD_SQUARE_KERNEL
    R"(, "bias": [0.0], "gradY": [[[[1.0, 2.0], [3.0, 4.0]]]], "stride": [2, 2]})",
    {.torch = "torch.nn.functional.conv_transpose2d", .tensorflow = "tf.nn.conv2d_transpose", .onnx = "ConvTranspose"},
    "deconvolution, fractionally strided convolution, upsampling",
    "conv2d deconv1d deconv2d_tf upsampling2d"};
const Member TRANSPOSED_VOLUMES = {
    "Transposed convolution of volumes.",
    "The gradients of deconv3d.",
    R"({"x": [[[[[1.0, 2.0]]]]], "weights": [[[[[1.0]], [[1.0]]]]], "stride": [1, 1, 2]})",
    R"({"x": [[[[[1.0]]]]], "weights": [[[[[1.0]], [[1.0]]]]], "bias": [0.0], "gradY": [[[[[1.0, 2.0]]]]], "stride": [1, 1, 2]})",
    {.torch = "torch.nn.functional.conv_transpose3d", .tensorflow = "tf.nn.conv3d_transpose", .onnx = "ConvTranspose"},
    "deconvolution, fractionally strided convolution, upsampling, volume",
    "conv3dnew deconv2d"};
const Member DEPTHWISE = {
    "Depthwise convolution: each channel separately, with a channel multiplier mC.",
    "The gradients of depthwise_conv2d.",
    R"({"x": [[[[1.0, 2.0], [3.0, 4.0]], [[5.0, 6.0], [7.0, 8.0]]]], "weights": [[[[1.0], [1.0]], [[1.0], [1.0]]], [[[1.0], [1.0]], [[1.0], [1.0]]]], "kernel": [2, 2]})",
    IMAGES.gradientExample,
    {.torch = "torch.nn.functional.conv2d", .tensorflow = "tf.nn.depthwise_conv2d", .onnx = "Conv"},
    "depthwise convolution, grouped convolution, MobileNet",
    "conv2d sconv2d"};

template <typename S>
void describeInputs(Schema& schema, ConvolutionKind kind) {
  constexpr int dims = std::tuple_size_v<decltype(S::kernel)>;
  schema.input("x", X[dims - 1]).types({ALL_FLOATS, ALL_INTS}).rank(dims + 2);
  schema.input("weights", FAMILIES[static_cast<int>(kind)].weights).rank(dims + 2);
  schema.input("bias", BIAS_TEXT).optional();
  schema.inputTypes({ALL_FLOATS}).outputTypes({ALL_FLOATS});
}

template <typename S, ConvolutionKind KIND>
void describe(Schema& schema, const Member& member, const char* gradient) {
  constexpr int dims = std::tuple_size_v<decltype(S::kernel)>;
  schema.summary(member.summary).formula(FAMILIES[static_cast<int>(KIND)].formula).note(CONVOLUTION_NOTE);
  describeInputs<S>(schema, KIND);
  convolutionArguments<S>(schema, KIND);
  schema.output("y", Y[dims - 1]);
  schema.infer(inferForward<S, KIND>).gradient(gradient);
  schema.example(member.example).elsewhere(member.elsewhere).words(member.words).see(member.see);
}

template <typename S, ConvolutionKind KIND>
void describeGradient(Schema& schema, const Member& member, const char* forward) {
  schema.summary(member.gradientSummary)
      .formula(FAMILIES[static_cast<int>(KIND)].gradientFormula)
      .note(CONVOLUTION_GRADIENT_NOTE);
  describeInputs<S>(schema, KIND);
  schema.input("gradY", "the shape of y");
  convolutionArguments<S>(schema, KIND);
  schema.output("gradX", "the shape of x, the type of gradY");
  schema.output("gradWeights", "the shape of weights, the type of gradY");
  schema.output("gradBias", "the shape of bias, the type of gradY").when("bias is given");
  schema.infer(inferBackward<S, KIND>).gradient(bilinearBackwardRule).skipsUnreadOutputs();
  schema.example(member.gradientExample).words(member.words).see(forward);
}

}  // namespace

// name, kind, struct of arguments, documentation, integer arguments
#define SD_CONVOLUTION(NAME, KIND, ARGUMENTS, MEMBER, IARGS)                                                          \
  CUSTOM_OP_IMPL(NAME, 2, 1, false, 0, IARGS) {                                                                       \
    return forward<ARGUMENTS>(block, ConvolutionKind::KIND, *OUTPUT_VARIABLE(0));                                     \
  }                                                                                                                   \
  INFERRED_SHAPES(NAME)                                                                                               \
  DECLARE_SCHEMA(NAME) { describe<ARGUMENTS, ConvolutionKind::KIND>(schema, MEMBER, #NAME "_bp"); }                   \
  CUSTOM_OP_IMPL(NAME##_bp, 3, 2, false, 0, IARGS) {                                                                  \
    const bool bias = block.width() > 3 && block.optionalArray(2) != nullptr;                                         \
    const auto outputOf = [&](int k) { return helpers::isUnread(block, k) ? nullptr : OUTPUT_VARIABLE(k); };          \
    return backward<ARGUMENTS>(block, ConvolutionKind::KIND, outputOf(0), outputOf(1), bias ? outputOf(2) : nullptr); \
  }                                                                                                                   \
  INFERRED_SHAPES(NAME##_bp)                                                                                          \
  DECLARE_SCHEMA(NAME##_bp) { describeGradient<ARGUMENTS, ConvolutionKind::KIND>(schema, MEMBER, #NAME); }

SD_CONVOLUTION(conv1d, Plain, Convolution1d, SEQUENCES, 5)
SD_CONVOLUTION(conv2d, Plain, Convolution2d, IMAGES, 9)
SD_CONVOLUTION(conv3dnew, Plain, Convolution3d, VOLUMES, 13)
SD_CONVOLUTION(deconv1d, Transposed, Convolution1d, TRANSPOSED_SEQUENCES, 5)
SD_CONVOLUTION(deconv2d, Transposed, Convolution2d, TRANSPOSED_IMAGES, 9)
SD_CONVOLUTION(deconv3d, Transposed, Convolution3d, TRANSPOSED_VOLUMES, 13)
SD_CONVOLUTION(depthwise_conv2d, Depthwise, Convolution2d, DEPTHWISE, 9)

}  // namespace sd::ops
