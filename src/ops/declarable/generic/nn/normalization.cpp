// Standardisation and layer normalisation, and their gradients.
// operations: standardize standardize_bp layer_norm layer_norm_bp
// calls: Sum
#include <ops/declarable/headers/nn.h>
#include <ops/declarable/headers/reduce.h>

#include "ops/declarable/Composition.h"
#include "ops/declarable/helpers/backward_rules.h"
#include "ops/declarable/helpers/inference.h"
#include "ops/declarable/helpers/real.h"
#include "ops/declarable/helpers/runtime_errors.h"
#include "ops/declarable/helpers/standardize.h"

namespace sd::ops {
namespace {

std::vector<int> axesOf(const std::vector<int>& axis, const NDArray& x) {
  if (axis.empty()) reject("argument 'axis': no axes are given");
  return asRuntimeError([&] { return checkedAxes(axis, x.rankOf(), "axis"); });
}

// What the operations compute, for the gradients of their gradients.

Symbol standardized(Gradient& g, Symbol x, const std::vector<int>& axes, double epsilon = 0) {
  const Symbol centred = x - g.call("reduce_mean", {x}, Reduction{axes, true});
  const Symbol variance = g.call("reduce_mean", {centred * centred}, Reduction{axes, true});
  if (epsilon > 0) return centred / g.call("transform.Sqrt", {variance + epsilon});
  return centred / (g.call("transform.Sqrt", {variance}) + 1e-12);
}

std::vector<Symbol> composedStandardize(Gradient& g) {
  return {standardized(g, g.input(0), g.arguments<Standardization>().axis)};
}

std::vector<Symbol> composedLayer(Gradient& g) {
  const auto& a = g.arguments<LayerNormalization>();
  const Symbol x = g.input(0);
  const auto stretched = [&](Symbol channels) {
    for (int d = g.rank(x); a.channelsFirst && d > 2; d--) channels = g.expandDims(channels, -1);
    return channels;
  };
  const Symbol scaled = standardized(g, x, a.axis, a.epsilon) * stretched(g.input(1));
  return {g.input(2) ? scaled + stretched(g.input(2)) : scaled};
}

constexpr const char* AXES_TEXT = "the axes of the mean and the deviation; negative ones count from the end";

/// In a call with 3 inputs, the second gives the axes.
bool readAxes(const ArgumentRow& row, const graph::Context& block, void* arguments) {
  std::vector<LongType> axes;
  const NDArray* given = block.width() > 2 ? block.optionalArray(1) : nullptr;
  if (given != nullptr) {
    if (!given->hasValues()) return true;
    for (int axis : intsOf(*given, 1, row.name())) axes.push_back(axis);
  } else {
    for (size_t i = 0; i < block.numI(); i++) axes.push_back(block.intArgument(i));
  }
  row.access().setIntegers(row.memberOf(arguments), axes.data(), axes.size());
  return true;
}

}  // namespace

CONFIGURABLE_OP_IMPL(standardize, 1, 1, true, 0, -2) {
  const NDArray& x = *INPUT_VARIABLE(0);
  standardizeAlong(x, *OUTPUT_VARIABLE(0), axesOf(arguments<Standardization>(block).axis, x));
  return Status::OK;
}
DECLARE_SCHEMA(standardize) {
  schema.summary("Subtracts the mean and divides by the standard deviation.")
      .formula("z = (x - mean) / (std + 1e-12), population standard deviation; 0 instead of NaN");
  schema.input("x", "any shape").types({ALL_FLOATS});
  schema.input("axis", "the axes").types({INT32, INT64}).optional();
  schema.argument(&Standardization::axis, "axis", AXES_TEXT).atInteger(0).orInput(1).require();
  schema.output("z", "the shape and type of x");
  schema.sameTypes().infer(inferLikeFirst).gradient("standardize_bp");
  schema.example(R"({"x": [[1.0, 3.0], [2.0, 6.0]], "axis": [1]})")
      .words("z-score, normalize, zero mean and unit variance")
      .see("layer_norm batchnorm moments");
}

CUSTOM_OP_IMPL(standardize_bp, 2, 1, false, 0, -2) {
  const NDArray& x = *INPUT_VARIABLE(0);
  const int last = static_cast<int>(block.width()) - 1;
  const NDArray& g = *INPUT_VARIABLE(last);
  requireSameShape(g, last, "gradZ", x, 0, "x");
  standardizeGradient(x, g, *OUTPUT_VARIABLE(0), axesOf(arguments<Standardization>(block).axis, x));
  return Status::OK;
}
INFERRED_SHAPES(standardize_bp)
DECLARE_SCHEMA(standardize_bp) {
  schema.summary("The gradient of standardize.")
      .formula("gradX = gradZ / s - sum(gradZ) / (n s) - d sum(gradZ d) / (n s^3), d = x - mean, s the deviation")
      .note("Of 2 inputs the second is gradZ.");
  schema.input("x", "any shape").types({ALL_FLOATS});
  schema.input("axis", "the axes").types({ALL_FLOATS, INT32, INT64}).optional();
  schema.input("gradZ", "the shape of x").types({ALL_FLOATS});
  schema.argument(&Standardization::axis, "axis", AXES_TEXT).atInteger(0).readBy(readAxes).require();
  schema.output("gradX", "the shape and type of x");
  schema.inputTypes({ALL_FLOATS}).outputTypes({ALL_FLOATS}).gradient(backwardOf<composedRule<composedStandardize>>);
  schema.infer([](Inference& in) {
    const PartialShape x = in.input(0), g = in.input(std::max(1, in.inputs() - 1));
    in.output(merged(x, g));
  });
  schema.example(R"({"x": [[1.0, 2.0, 6.0]], "gradZ": [[1.0, 0.0, 0.0]], "axis": [1]})")
      .words("z-score, normalize")
      .see("standardize");
}

// ---- layer normalisation

namespace {

/// The axis of gamma and beta.
int channelAxis(const LayerNormalization& a, const NDArray& x) {
  if (!a.channelsFirst) return x.rankOf() - 1;
  if (x.rankOf() < 2)
    fail<std::runtime_error>("[{}] input 0 'x': its rank is {}, so it has no axis 1", RunningOp::name(), x.rankOf());
  return 1;
}

/// Whether gamma and beta belong to the last of the axes, so that rows have factors and offsets.
bool isLastAxis(int channels, const NDArray& x, const std::vector<int>& axes) {
  return channels == x.rankOf() - 1 && axes.back() == channels;
}

void requireChannels(const NDArray& array, int index, const char* name, const NDArray& x, int axis) {
  if (array.rankOf() != 1 || array.lengthOf() != x.sizeAt(axis))
    reject("input {} '{}': its shape is {}, not [{}]", index, name, text(array), x.sizeAt(axis));
}

/// An array [C] reshaped to x's rank, with C on `axis`.
NDArray along(const NDArray& channels, const NDArray& x, int axis, DataType type) {
  Dims dims(static_cast<size_t>(x.rankOf()), 1);
  dims[static_cast<size_t>(axis)] = channels.lengthOf();
  NDArray result = unset(type, dims);
  result.assign(channels.reshape('c', dims));
  return result;
}

/// Sums over all axes but one.
void sumToChannels(const NDArray& values, int axis, NDArray& target) {
  std::vector<int> others;
  for (int d = 0; d < values.rankOf(); d++)
    if (d != axis) others.push_back(d);
  if (others.empty())
    target.assign(values);
  else
    target.assign(values.reduceAlongDimension(reduce::Sum, others));
}

}  // namespace

namespace {

void layerInputs(Schema& schema) {
  schema.input("x", "any shape");
  schema.input("gamma", "[C], the factors");
  schema.input("beta", "[C], the offsets").optional();
  schema.argument(&LayerNormalization::axis, "axis", AXES_TEXT).atInteger(0).require();
  schema
      .argument(&LayerNormalization::channelsFirst, "channels_first", "whether the channels C are axis 1, not the last")
      .atFlag(0);
  schema
      .argument(&LayerNormalization::epsilon, "epsilon",
                "a number added to the variance; 0: 1e-12 is added to the deviation, and NaN becomes 0")
      .atFloat(0)
      .atLeast(0);
  schema.inputTypes({ALL_FLOATS}).outputTypes({ALL_FLOATS});
  schema.words("layer normalization, transformer");
}

}  // namespace

CONFIGURABLE_OP_IMPL(layer_norm, 2, 1, false, 0, -1) {
  const NDArray &x = *INPUT_VARIABLE(0), &gamma = *INPUT_VARIABLE(1), *beta = block.optionalArray(2);
  NDArray& z = *OUTPUT_VARIABLE(0);
  const auto& a = arguments<LayerNormalization>(block);
  const std::vector<int> axes = axesOf(a.axis, x);
  const int channels = channelAxis(a, x);
  requireChannels(gamma, 1, "gamma", x, channels);
  if (beta != nullptr) requireChannels(*beta, 2, "beta", x, channels);
  if (z.isEmpty()) return Status::OK;
  const DataType type = computeType(x);
  DenseOut out(z, type);
  if (isLastAxis(channels, x, axes)) {
    standardizeAlong(x, *out, axes, a.epsilon, &gamma, beta);
    out.commit();
    return Status::OK;
  }
  standardizeAlong(x, *out, axes, a.epsilon);
  *out *= along(gamma, x, channels, type);
  if (beta != nullptr) *out += along(*beta, x, channels, type);
  out.commit();
  return Status::OK;
}
DECLARE_SCHEMA(layer_norm) {
  schema.summary("Standardises over axes, then scales and shifts channels.")
      .formula(
          "z = gamma (x - mean) / (std + 1e-12) + beta; "
          "with epsilon: z = gamma (x - mean) / sqrt(variance + epsilon) + beta");
  layerInputs(schema);
  schema.output("z", "the shape and type of x");
  schema.infer(inferLikeFirst).gradient("layer_norm_bp");
  schema.example(R"({"x": [[1.0, 3.0], [2.0, 6.0]], "gamma": [1.0, 1.0], "beta": [0.0, 10.0], "axis": [1]})")
      .elsewhere({.torch = "torch.nn.functional.layer_norm",
                  .tensorflow = "tf.keras.layers.LayerNormalization",
                  .onnx = "LayerNormalization"})
      .see("standardize batchnorm");
}

CUSTOM_OP_IMPL(layer_norm_bp, 3, -1, false, 0, -1) {
  const int last = static_cast<int>(block.width()) - 1;
  const NDArray &x = *INPUT_VARIABLE(0), &gamma = *INPUT_VARIABLE(1), &g = *INPUT_VARIABLE(last);
  const NDArray* beta = last == 3 ? block.optionalArray(2) : nullptr;
  NDArray &gradX = *OUTPUT_VARIABLE(0), &gradGamma = *OUTPUT_VARIABLE(1);
  const auto& a = arguments<LayerNormalization>(block);
  const std::vector<int> axes = axesOf(a.axis, x);
  const int channels = channelAxis(a, x);
  requireChannels(gamma, 1, "gamma", x, channels);
  if (beta != nullptr) requireChannels(*beta, 2, "beta", x, channels);
  requireSameShape(g, last, "gradZ", x, 0, "x");
  if (x.isEmpty()) {
    gradGamma.nullify();
    if (beta != nullptr) OUTPUT_VARIABLE(2)->nullify();
    return Status::OK;
  }
  if (isLastAxis(channels, x, axes)) {
    layerGradients(x, g, gamma, axes, a.epsilon, gradX, gradGamma, beta == nullptr ? nullptr : OUTPUT_VARIABLE(2));
    return Status::OK;
  }
  const DataType type = computeType(x);
  const Dense incoming(g, type);
  NDArray standardized = unset(type, x.getShapeAsVector());
  standardizeAlong(x, standardized, axes, a.epsilon);
  standardized *= *incoming;
  sumToChannels(standardized, channels, gradGamma);
  if (beta != nullptr) sumToChannels(*incoming, channels, *OUTPUT_VARIABLE(2));
  standardizeGradient(x, *incoming * along(gamma, x, channels, type), gradX, axes, a.epsilon);
  return Status::OK;
}
INFERRED_SHAPES(layer_norm_bp)
DECLARE_SCHEMA(layer_norm_bp) {
  schema.summary("The gradients of layer_norm.")
      .formula(
          "gradX = standardize_bp(x, gradZ gamma), gradGamma = sum(gradZ standardize(x)), gradBeta = sum(gradZ) over "
          "all axes but C")
      .note("Of 3 inputs the third is gradZ.");
  layerInputs(schema);
  schema.input("gradZ", "the shape of x");
  schema.output("gradX", "the shape and type of x");
  schema.output("gradGamma", "the shape and type of gamma");
  schema.output("gradBeta", "the shape and type of beta").when("beta is given");
  schema.gradient(backwardOf<composedRule<composedLayer>>).see("layer_norm").infer([](Inference& in) {
    const int count = in.inputs();
    if (count != 3 && count != 4) reject("{} inputs are given, but 3 or 4 are needed", count);
    in.output(merged(in.input(0), in.input(count - 1)));
    in.output(in.input(1));
    if (count == 4 && in.has(2)) in.output(in.input(2));
  });
  schema.example(
      R"({"x": [[1.0, 2.0, 6.0]], "gamma": [1.0, 1.0, 1.0], "beta": [0.0, 0.0, 0.0], "gradZ": [[1.0, 0.0, 0.0]], "axis": [1]})");
}

}  // namespace sd::ops
