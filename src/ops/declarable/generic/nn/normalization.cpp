// Standardisation and layer normalisation, and their gradients.
// operations: standardize standardize_bp layer_norm layer_norm_bp
// calls: Sum
#include <ops/declarable/headers/nn.h>

#include "ops/declarable/helpers/real.h"
#include "ops/declarable/helpers/standardize.h"

namespace sd::ops {
namespace {

/// The axes from an integer input if it is given, else from the integer arguments.
std::vector<int> axesOf(graph::Context& block, const NDArray& x, const NDArray* given) {
  const std::vector<int> listed = given != nullptr ? intsOf(*given, 1, "axes") : *block.getIArguments();
  if (listed.empty()) reject("no axes are given");
  return checkedAxes(listed, x.rankOf());
}

}  // namespace

CONFIGURABLE_OP_IMPL(standardize, 1, 1, true, 0, -2) {
  const NDArray& x = *INPUT_VARIABLE(0);
  standardizeAlong(x, *OUTPUT_VARIABLE(0), axesOf(block, x, block.optionalArray(1)));
  return Status::OK;
}
DECLARE_TYPES(standardize) {
  getOpDescriptor()
      ->setAllowedInputTypes(0, {ALL_FLOATS})
      ->setAllowedInputTypes(1, {INT32, INT64})
      ->setSameMode(true)
      ->document({.summary = "Subtracts the mean and divides by the standard deviation.",
                  .formula = "z = (x - mean) / (std + 1e-12), population standard deviation; 0 instead of NaN",
                  .inputs = "x: any shape\naxes?: integers; override the arguments",
                  .outputs = "z: the shape and type of x",
                  .integers = "axes...?: the axes of the mean and the deviation; negative ones count from the end"});
}

CUSTOM_OP_IMPL(standardize_bp, 2, 1, false, 0, -2) {
  const NDArray& x = *INPUT_VARIABLE(0);
  const int last = static_cast<int>(block.width()) - 1;
  const NDArray& g = *INPUT_VARIABLE(last);
  requireSameShape(g, last, "g", x, 0, "x");
  standardizeGradient(x, g, *OUTPUT_VARIABLE(0), axesOf(block, x, last > 1 ? INPUT_VARIABLE(1) : nullptr));
  return Status::OK;
}
DECLARE_SHAPE_FN(standardize_bp) {
  inputShape->at(1);
  return shapes(like(inputShape->at(0)));
}
DECLARE_TYPES(standardize_bp) {
  getOpDescriptor()
      ->setAllowedInputTypes({ALL_FLOATS})
      ->setAllowedInputTypes(1, {ALL_FLOATS, INT32, INT64})
      ->setAllowedOutputTypes({ALL_FLOATS})
      ->document({.summary = "The gradient of standardize.",
                  .formula = "gradX = g/s - sum(g)/(n s) - d sum(g d)/(n s^3), d = x - mean, s the deviation",
                  .inputs = "x: any shape\naxes?: integers\ng: the incoming gradient, the last input, like x",
                  .outputs = "gradX: the shape and type of x",
                  .integers = "axes...?: as in standardize"});
}

// ---- layer normalisation

namespace {

/// The axis of gain and bias.
int channelAxis(graph::Context& block, const NDArray& x) {
  if (!flag(block, 0, true)) return x.rankOf() - 1;
  if (x.rankOf() < 2)
    fail<std::runtime_error>("[{}] input 0 'x': its rank is {}, so it has no axis 1", RunningOp::name(), x.rankOf());
  return 1;
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

CONFIGURABLE_OP_IMPL(layer_norm, 2, 1, false, 0, -1) {
  const NDArray &x = *INPUT_VARIABLE(0), &gain = *INPUT_VARIABLE(1), *bias = block.optionalArray(2);
  NDArray& z = *OUTPUT_VARIABLE(0);
  const std::vector<int> axes = axesOf(block, x, nullptr);
  const int channels = channelAxis(block, x);
  requireChannels(gain, 1, "gain", x, channels);
  if (bias != nullptr) requireChannels(*bias, 2, "bias", x, channels);
  if (z.isEmpty()) return Status::OK;
  const DataType type = computeType(x);
  DenseOut out(z, type);
  standardizeAlong(x, *out, axes);
  *out *= along(gain, x, channels, type);
  if (bias != nullptr) *out += along(*bias, x, channels, type);
  out.commit();
  return Status::OK;
}
DECLARE_TYPES(layer_norm) {
  getOpDescriptor()
      ->setAllowedInputTypes({ALL_FLOATS})
      ->setAllowedOutputTypes({ALL_FLOATS})
      ->document({.summary = "Standardises over axes, then scales and shifts channels.",
                  .formula = "z = gain (x - mean) / (std + 1e-12) + bias",
                  .inputs = "x: any shape\ngain: [C]\nbias?: [C]",
                  .outputs = "z: the shape and type of x",
                  .integers = "axes...: the axes to standardise over; negative ones count from the end",
                  .booleans = "channelsFirst?: C is axis 1, else the last (default true)"});
}

CUSTOM_OP_IMPL(layer_norm_bp, 3, -1, false, 0, -1) {
  const int last = static_cast<int>(block.width()) - 1;
  const NDArray &x = *INPUT_VARIABLE(0), &gain = *INPUT_VARIABLE(1), &g = *INPUT_VARIABLE(last);
  const NDArray* bias = last == 3 ? INPUT_VARIABLE(2) : nullptr;
  NDArray &gradX = *OUTPUT_VARIABLE(0), &gradGain = *OUTPUT_VARIABLE(1);
  const std::vector<int> axes = axesOf(block, x, nullptr);
  const int channels = channelAxis(block, x);
  requireChannels(gain, 1, "gain", x, channels);
  if (bias != nullptr) requireChannels(*bias, 2, "bias", x, channels);
  requireSameShape(g, last, "g", x, 0, "x");
  if (x.isEmpty()) {
    gradGain.nullify();
    if (bias != nullptr) OUTPUT_VARIABLE(2)->nullify();
    return Status::OK;
  }
  const DataType type = computeType(x);
  const Dense incoming(g, type);
  NDArray standardized = unset(type, x.getShapeAsVector());
  standardizeAlong(x, standardized, axes);
  standardized *= *incoming;
  sumToChannels(standardized, channels, gradGain);
  if (bias != nullptr) sumToChannels(*incoming, channels, *OUTPUT_VARIABLE(2));
  standardizeGradient(x, *incoming * along(gain, x, channels, type), gradX, axes);
  return Status::OK;
}
DECLARE_SHAPE_FN(layer_norm_bp) {
  const int width = inputShape->size();
  if (width != 3 && width != 4) reject("{} inputs are given, but 3 or 4 are needed", width);
  if (width == 3) return shapes(like(inputShape->at(0)), like(inputShape->at(1)));
  return shapes(like(inputShape->at(0)), like(inputShape->at(1)), like(inputShape->at(2)));
}
DECLARE_TYPES(layer_norm_bp) {
  getOpDescriptor()
      ->setAllowedInputTypes({ALL_FLOATS})
      ->setAllowedOutputTypes({ALL_FLOATS})
      ->document({.summary = "The gradients of layer_norm.",
                  .inputs = "x: any shape\ngain: [C]\nbias?: [C]\ng: the incoming gradient, the last input, like x",
                  .outputs = "gradX: like x\ngradGain: like gain\ngradBias?: like bias, when that is given",
                  .integers = "axes...: as in layer_norm",
                  .booleans = "channelsFirst?: as in layer_norm"});
}

}  // namespace sd::ops
