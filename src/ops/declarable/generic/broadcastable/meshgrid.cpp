// Arrays of the same shape, each varying along a different axis.
// operations: meshgrid
#include <ops/declarable/headers/broadcastable.h>

#include "ops/declarable/Common.h"

namespace sd::ops {
namespace {

/// The axis of output i. Cartesian order exchanges the first two.
int axisOf(int i, int count, bool cartesian) { return cartesian && count > 1 && i < 2 ? 1 - i : i; }

}  // namespace

CUSTOM_OP_IMPL(meshgrid, -1, -1, false, 0, 0) {
  const int count = static_cast<int>(block.width());
  const bool cartesian = integer(block, 0, 1) != 0;
  for (int i = 0; i < count; i++) {
    const NDArray& x = *INPUT_VARIABLE(i);
    NDArray& z = *OUTPUT_VARIABLE(i);
    if (z.isEmpty()) continue;
    Dims dims(static_cast<size_t>(count), 1);
    dims[static_cast<size_t>(axisOf(i, count, cartesian))] = x.lengthOf();
    z.assign(x.reshape('c', dims));
  }
  return Status::OK;
}

DECLARE_SHAPE_FN(meshgrid) {
  const int count = inputShape->size();
  if (count > SD_MAX_RANK) reject("{} inputs are given, but a result has at most {} dimensions", count, SD_MAX_RANK);
  const LongType* first = inputShape->at(0);
  const bool cartesian = integer(block, 0, 1) != 0;
  Dims dims(static_cast<size_t>(count));
  for (int i = 0; i < count; i++) {
    const LongType* info = inputShape->at(i);
    if (ArrayOptions::dataType(info) != ArrayOptions::dataType(first))
      reject("input {}: its type is {}, but input 0 has type {}", i,
             DataTypeUtils::describe(ArrayOptions::dataType(info)),
             DataTypeUtils::describe(ArrayOptions::dataType(first)));
    dims[static_cast<size_t>(axisOf(i, count, cartesian))] = shape::isEmpty(info) ? 0 : shape::length(info);
  }
  auto list = std::make_unique<ShapeList>();
  const LongType* result = shapeOf(ArrayOptions::dataType(first), shape::order(first), dims);
  for (int i = 0; i < count; i++) list->push_back(result);
  return list.release();
}

DECLARE_TYPES(meshgrid) {
  getOpDescriptor()
      ->setAllowedInputTypes({ALL_FLOATS, ALL_INTS, BOOL})
      ->setSameMode(true)
      ->document({.summary = "The coordinates of a grid: output i holds the values of input i along its axis.",
                  .formula = "z_k[.., j, ..] = x_k[j], j the index along the axis of input k",
                  .inputs = "x...: one or more arrays of one type; their elements are used, not their shapes",
                  .outputs = "z...: one for each input, shape [L1, L0, L2, ...] with the lengths L of the inputs, or "
                             "[L0, L1, L2, ...] when cartesian is 0",
                  .integers = "cartesian?: whether the first two axes are exchanged (default 1)"});
}

}  // namespace sd::ops
