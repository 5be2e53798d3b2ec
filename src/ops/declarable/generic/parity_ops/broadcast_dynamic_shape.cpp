// The broadcast shape of two shapes.
// operations: broadcast_dynamic_shape
#include <ops/declarable/headers/parity_ops.h>

#include <algorithm>

#include "ops/declarable/helpers/shape_vectors.h"

namespace sd::ops {
namespace {

void requireSameTypes(graph::Context& block) {
  const DataType x = block.array(0)->dataType(), y = block.array(1)->dataType();
  if (x != y)
    reject("input 1 'y': its type is {}, but input 0 'x' has type {}", DataTypeUtils::describe(y),
           DataTypeUtils::describe(x));
}

Dims common(graph::Context& block) { return broadcastOf(shapeVector(block, 0, "x"), shapeVector(block, 1, "y")); }

}  // namespace

CUSTOM_OP_IMPL(broadcast_dynamic_shape, 2, 1, false, 0, 0) {
  writeVector(common(block), *OUTPUT_VARIABLE(0));
  return Status::OK;
}
DECLARE_SHAPE_FN(broadcast_dynamic_shape) {
  requireSameTypes(block);
  const LongType x = lengthOfShapeVector(block, 0, "x"), y = lengthOfShapeVector(block, 1, "y");
  return shapes(vectorOf(ArrayOptions::dataType(inputShape->at(0)), std::max(x, y)));
}
DECLARE_TYPES(broadcast_dynamic_shape) {
  getOpDescriptor()
      ->setAllowedInputTypes({ALL_INTS})
      ->setAllowedOutputTypes({ALL_INTS})
      ->document({.summary = "The shape that two shapes broadcast to.",
                  .inputs = "x: a vector of sizes\ny: a vector of sizes, the type of x",
                  .outputs = "z: [the longer length], the type of x"});
}

}  // namespace sd::ops
