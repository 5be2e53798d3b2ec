// Concatenated ReLU: the positive parts of x and of -x side by side. Shang et al., "Understanding and improving
// convolutional neural networks via concatenated rectified linear units", 2016.
// operations: crelu crelu_bp
// calls: Neg RELU RELUDerivative
#include <ops/declarable/headers/activations.h>

#include "ops/declarable/helpers/checked_size.h"

namespace sd::ops {
namespace {

/// The first or second half of the last axis.
NDArray half(const NDArray& array, int which) {
  const int rank = array.rankOf();
  const LongType size = array.sizeAt(-1) / 2;
  std::vector<LongType> intervals(static_cast<size_t>(2 * rank), 0);
  intervals[static_cast<size_t>(2 * rank - 2)] = which * size;
  intervals[static_cast<size_t>(2 * rank - 1)] = (which + 1) * size;
  return array(intervals, true);
}

const LongType* doubled(const LongType* x) {
  if (shape::rank(x) < 1) reject("input 0 'x': a scalar has no last axis");
  Dims dims = dimsOf(x);
  dims.back() = helpers::checkedProduct(dims.back(), 2, "the last axis of z");
  return shapeOf(ArrayOptions::dataType(x), shape::order(x), dims);
}

}  // namespace

CUSTOM_OP_IMPL(crelu, 1, 1, false, 0, 0) {
  NDArray &x = *INPUT_VARIABLE(0), &z = *OUTPUT_VARIABLE(0);
  if (!x.isR()) reject("input 0 'x': type {} is not a real type", DataTypeUtils::describe(x.dataType()));
  if (z.isEmpty()) return Status::OK;
  NDArray positive = half(z, 0), negative = half(z, 1);
  x.applyTransform(transform::Neg, negative);
  negative.applyScalar(scalar::RELU, 0.0, negative);
  x.applyScalar(scalar::RELU, 0.0, positive);
  return Status::OK;
}
DECLARE_SHAPE_FN(crelu) { return shapes(doubled(inputShape->at(0))); }
DECLARE_TYPES(crelu) {
  getOpDescriptor()->setAllowedInputTypes(ANY)->setSameMode(true)->document(
      {.summary = "Concatenated ReLU.",
       .formula = "z = max(0, concat(x, -x)) along the last axis",
       .inputs = "x: [..., d], a real type",
       .outputs = "z: [..., 2 d]"});
}

CUSTOM_OP_IMPL(crelu_bp, 2, 1, false, 0, 0) {
  NDArray &x = *INPUT_VARIABLE(0), &z = *OUTPUT_VARIABLE(0);
  const NDArray& g = *INPUT_VARIABLE(1);
  const LongType* expected = doubled(x.shapeInfo());
  if (!shape::shapeEquals(g.shapeInfo(), expected))
    reject("input 1 'g': its shape is {}, not {}", text(g), text(expected));
  if (z.isEmpty()) return Status::OK;
  const NDArray converted = g.dataType() == x.dataType() ? g : g.cast(x.dataType());
  NDArray negated = -x, below = x.ulike();
  x.applyScalar(scalar::RELUDerivative, 0.0, z);
  negated.applyScalar(scalar::RELUDerivative, 0.0, below);
  z *= half(converted, 0);
  z -= below * half(converted, 1);
  return Status::OK;
}
DECLARE_SHAPE_FN(crelu_bp) {
  doubled(inputShape->at(0));
  return shapes(like(inputShape->at(0)));
}
DECLARE_TYPES(crelu_bp) {
  getOpDescriptor()
      ->setAllowedInputTypes({ALL_FLOATS})
      ->setSameMode(true)
      ->document({.summary = "The gradient of crelu.",
                  .formula = "gradX = g1 where x > 0, minus g2 where x < 0, g = concat(g1, g2)",
                  .inputs = "x: [..., d]\ng: [..., 2 d]",
                  .outputs = "gradX: [..., d]"});
}

}  // namespace sd::ops
