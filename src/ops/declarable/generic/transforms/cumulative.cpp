// Cumulative sums and products, and their gradients.
// operations: cumsum cumprod cumsum_bp cumprod_bp
#include <ops/declarable/headers/transforms.h>

#include "ops/declarable/Common.h"
#include "ops/declarable/helpers/Scan.h"

namespace sd::ops {
namespace {

ScanRange rangeOf(graph::Context& block) { return {block.intArgument64(0) == 1, block.intArgument64(1) == 1}; }

/// The axes from an input, or from the arguments after the two flags. Empty: the whole array is one sequence.
std::vector<int> axesOf(graph::Context& block, bool fromInput, int rank) {
  if (fromInput) return checkedAxes(intsOf(*block.array(1), 1), rank);
  std::vector<int> axes;
  for (size_t i = 2; i < block.numI(); i++) axes.push_back(block.intArgument(i));
  return checkedAxes(axes, rank);
}

Status scanInto(graph::Context& block, Scan kind, NDArray& z) {
  const NDArray& x = *block.array(0);
  const auto axes = axesOf(block, block.width() > 1, x.rankOf());
  scan(kind, x, axes, rangeOf(block), z);
  return Status::OK;
}

ShapeList* gradientShapes(graph::Context& block, const ShapeList& inputs) {
  if (block.width() < 3) return shapes(like(inputs.at(0)));
  return shapes(like(inputs.at(0)), like(inputs.at(1)));
}

/// The gradient of the result, in x's shape.
const NDArray& epsOf(graph::Context& block) {
  const int last = block.width() > 2 ? 2 : 1;
  requireSameShape(*block.array(last), last, "eps", *block.array(0), 0, "x");
  return *block.array(last);
}

constexpr const char* INTEGERS =
    "exclusive: 1 excludes the element itself\nreverse: 1 starts at the end\n"
    "axes?: the dimensions of a sequence, which is traversed in c order; if none is given, all";

void describe(OpDescriptor* descriptor, const char* summary, const char* formula) {
  descriptor->setAllowedInputTypes(1, {ALL_INTS, ALL_FLOATS})
      ->setSameMode(true)
      ->document({.summary = summary,
                  .formula = formula,
                  .inputs = "x: any shape\naxes?: like the arguments, which they override",
                  .outputs = "z: x's shape and type",
                  .integers = INTEGERS,
                  .notes = "Integers wrap; sums of FLOAT32 are accumulated in double."});
}

void describeGradient(OpDescriptor* descriptor, const char* summary, const char* formula) {
  descriptor->setAllowedInputTypes({ALL_FLOATS})
      ->setAllowedInputTypes(1, {ALL_FLOATS, ALL_INTS})
      ->document({.summary = summary,
                  .formula = formula,
                  .inputs = "x: any shape\naxes?: as in the operation itself\neps: the gradient of z, x's shape",
                  .outputs = "gradX: x's shape and type\ngradAxes?: ones; only when the axes are an input",
                  .integers = INTEGERS});
}

}  // namespace

CONFIGURABLE_OP_IMPL(cumsum, 1, 1, true, 0, 2) { return scanInto(block, Scan::Sum, *OUTPUT_VARIABLE(0)); }
DECLARE_TYPES(cumsum) {
  getOpDescriptor()->setAllowedInputTypes({ALL_INTS, ALL_FLOATS});
  describe(getOpDescriptor(), "The sums of the elements up to each element.", "z[k] = sum of x[j] over j <= k");
}

CONFIGURABLE_OP_IMPL(cumprod, 1, 1, true, 0, 2) { return scanInto(block, Scan::Product, *OUTPUT_VARIABLE(0)); }
DECLARE_TYPES(cumprod) {
  getOpDescriptor()->setAllowedInputTypes({ALL_INTS, ALL_FLOATS, BOOL});
  describe(getOpDescriptor(), "The products of the elements up to each element.", "z[k] = product of x[j] over j <= k");
}

CUSTOM_OP_IMPL(cumsum_bp, 2, -1, true, 0, 2) {
  const NDArray& eps = epsOf(block);
  const bool fromInput = block.width() > 2;
  const auto axes = axesOf(block, fromInput, eps.rankOf());
  ScanRange range = rangeOf(block);
  range.reverse = !range.reverse;
  scan(Scan::Sum, eps, axes, range, *OUTPUT_VARIABLE(0));
  if (fromInput && !block.isInplace()) OUTPUT_VARIABLE(1)->assign(1);
  return Status::OK;
}
DECLARE_SHAPE_FN(cumsum_bp) { return gradientShapes(block, *inputShape); }
DECLARE_TYPES(cumsum_bp) {
  describeGradient(getOpDescriptor(), "The gradient of cumsum: the sums of the gradient.",
                   "gradX[i] = sum of eps[j] over the z[j] that x[i] is part of");
}

CUSTOM_OP_IMPL(cumprod_bp, 2, 1, false, 0, 2) {
  const NDArray &x = *INPUT_VARIABLE(0), &eps = epsOf(block);
  const bool fromInput = block.width() > 2;
  productScanGradient(x, eps, axesOf(block, fromInput, x.rankOf()), rangeOf(block), *OUTPUT_VARIABLE(0));
  if (fromInput) OUTPUT_VARIABLE(1)->assign(1);
  return Status::OK;
}
DECLARE_SHAPE_FN(cumprod_bp) { return gradientShapes(block, *inputShape); }
DECLARE_TYPES(cumprod_bp) {
  describeGradient(getOpDescriptor(), "The gradient of cumprod, computed without division, so that zeros are allowed.",
                   "gradX[i] = sum of eps[j] * (z[j] without its factor x[i]) over the z[j] that x[i] is part of");
}

}  // namespace sd::ops
