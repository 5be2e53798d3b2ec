// Softmax, its logarithm, and their gradients.
// operations: softmax log_softmax softmax_bp log_softmax_bp
// calls: Exp Max Multiply Subtract Sum
#include <ops/declarable/headers/nn.h>

#include "ops/declarable/helpers/softmax.h"

namespace sd::ops {
namespace {

int axisOf(graph::Context& block, const NDArray& x) {
  const LongType axis = integer(block, 0, -1);
  if (x.rankOf() > 0) return checkedAxis(axis, x.rankOf(), "dim");
  if (axis != 0 && axis != -1) reject("argument 'dim': {} is outside -1..0 (a scalar)", axis);
  return 0;
}

Status forward(graph::Context& block, NDArray& z, bool log) {
  const NDArray& x = *block.array(0);
  softmaxAlong(x, z, axisOf(block, x), log);
  return Status::OK;
}

Status backward(graph::Context& block, NDArray& z, bool log) {
  const NDArray &x = *block.array(0), &g = *block.array(1);
  const int axis = axisOf(block, x);
  requireSameShape(g, 1, "g", x, 0, "x");
  softmaxGradient(x, g, z, axis, log);
  return Status::OK;
}

constexpr const char* DIM = "dim?: the axis; negative ones count from the end (default -1)";

void describe(OpDescriptor* descriptor, const char* summary, const char* formula) {
  descriptor->setAllowedInputTypes({ALL_FLOATS})
      ->setSameMode(true)
      ->document({.summary = summary,
                  .formula = formula,
                  .inputs = "x: any shape",
                  .outputs = "z: the shape and type of x",
                  .integers = DIM,
                  .notes = "A slice that contains NaN, or only -inf, becomes NaN as a whole."});
}

void describeGradient(OpDescriptor* descriptor, const char* summary, const char* formula) {
  descriptor->setAllowedInputTypes({ALL_FLOATS})
      ->setSameMode(true)
      ->document({.summary = summary,
                  .formula = formula,
                  .inputs = "x: the input of the forward operation\ng: the incoming gradient, the shape of x",
                  .outputs = "gradX: the shape and type of x",
                  .integers = DIM});
}

}  // namespace

CONFIGURABLE_OP_IMPL(softmax, 1, 1, true, 0, 0) { return forward(block, *OUTPUT_VARIABLE(0), false); }
DECLARE_TYPES(softmax) {
  describe(getOpDescriptor(), "Softmax along an axis.", "z = exp(x - m) / sum(exp(x - m)), m = max(x)");
}

CONFIGURABLE_OP_IMPL(log_softmax, 1, 1, true, 0, 0) { return forward(block, *OUTPUT_VARIABLE(0), true); }
DECLARE_TYPES(log_softmax) {
  describe(getOpDescriptor(), "The logarithm of softmax along an axis.",
           "z = x - m - log(sum(exp(x - m))), m = max(x)");
}

CONFIGURABLE_OP_IMPL(softmax_bp, 2, 1, true, 0, 0) { return backward(block, *OUTPUT_VARIABLE(0), false); }
DECLARE_TYPES(softmax_bp) {
  describeGradient(getOpDescriptor(), "The gradient of softmax.", "gradX = s (g - sum(s g)), s = softmax(x)");
}

CONFIGURABLE_OP_IMPL(log_softmax_bp, 2, 1, true, 0, 0) { return backward(block, *OUTPUT_VARIABLE(0), true); }
DECLARE_TYPES(log_softmax_bp) {
  describeGradient(getOpDescriptor(), "The gradient of log_softmax.", "gradX = g - s sum(g), s = softmax(x)");
}

}  // namespace sd::ops
