// Repeats an array along dimensions of size 1, and the gradient of that.
// operations: broadcast_to tile_to_shape tile_to_shape_bp
#include <ops/declarable/headers/shape.h>

#include "ops/declarable/Common.h"
#include "ops/declarable/helpers/Region.h"
#include "shape/broadcasting.h"

namespace sd::ops {
namespace {

void requireStretch(const LongType* x, const Dims& sizes) {
  requireSizes(sizes, "shape");
  const bool fromNothing = shape::rank(x) == 0 && shape::isEmpty(x);
  if (fromNothing || !broadcasting::broadcastsTo(broadcasting::sizesOf(x), sizes))
    reject("input 0 'x': shape {} does not broadcast to {}", text(x), text(sizes));
}

ShapeList* stretched(const LongType* x, const Dims& sizes) {
  requireStretch(x, sizes);
  return shapes(shapeOf(ArrayOptions::dataType(x), shape::order(x), sizes));
}

}  // namespace

CUSTOM_OP_IMPL(broadcast_to, 2, 1, false, 0, 0) {
  copy(*INPUT_VARIABLE(0), *OUTPUT_VARIABLE(0));
  return Status::OK;
}
DECLARE_SHAPE_FN(broadcast_to) {
  const NDArray& sizes = *INPUT_VARIABLE(1);
  requireList(sizes, 1, "shape");
  return stretched(inputShape->at(0), integersOf(sizes, 1));
}
DECLARE_TYPES(broadcast_to) {
  getOpDescriptor()
      ->setAllowedInputTypes(ANY)
      ->setAllowedInputTypes(1, {ALL_INTS, ALL_FLOATS})
      ->setSameMode(true)
      ->document({.summary = "Repeats an array along the dimensions where it has size 1.",
                  .inputs = "x: any shape\nshape: the sizes, integer vector; x broadcasts to it",
                  .outputs = "z: the requested sizes, x's type and order"});
}

CUSTOM_OP_IMPL(tile_to_shape, 1, 1, false, 0, -1) {
  copy(*INPUT_VARIABLE(0), *OUTPUT_VARIABLE(0));
  return Status::OK;
}
DECLARE_SHAPE_FN(tile_to_shape) { return stretched(inputShape->at(0), integerArguments(block)); }
DECLARE_TYPES(tile_to_shape) {
  getOpDescriptor()->setAllowedInputTypes(ANY)->setSameMode(true)->document(
      {.summary = "Repeats an array along the dimensions where it has size 1.",
       .inputs = "x: any shape",
       .outputs = "z: the requested sizes, x's type and order",
       .integers = "sizes: the shape of z; x broadcasts to it"});
}

CUSTOM_OP_IMPL(tile_to_shape_bp, 2, 1, true, 0, -1) {
  const NDArray &x = *INPUT_VARIABLE(0), &eps = *INPUT_VARIABLE(1);
  requireStretch(x.shapeInfo(), eps.getShapeAsVector());
  NDArray& gradient = *OUTPUT_VARIABLE(0);
  if (!gradient.isSameShape(x)) reject("the gradient of shape {} does not fit into x in place", text(gradient));
  if (eps.isEmpty())
    gradient.nullify();
  else
    sumTo(eps, gradient);
  return Status::OK;
}
DECLARE_SHAPE_FN(tile_to_shape_bp) {
  requireStretch(inputShape->at(0), INPUT_VARIABLE(1)->getShapeAsVector());
  return shapes(like(inputShape->at(0)));
}
DECLARE_TYPES(tile_to_shape_bp) {
  getOpDescriptor()
      ->setAllowedInputTypes({ALL_FLOATS})
      ->setSameMode(true)
      ->document({.summary = "The gradient of tile_to_shape: sums over the repeated dimensions.",
                  .inputs = "x: any shape\neps: the gradient of z, z's shape",
                  .outputs = "gradX: x's shape and type",
                  .integers = "sizes: the shape of z"});
}

}  // namespace sd::ops
