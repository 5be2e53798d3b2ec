// Splits an array into all its sub-arrays along dimensions.
// operations: tear
#include <ops/declarable/headers/transforms.h>

#include <algorithm>
#include <limits>

#include "ops/declarable/Common.h"
#include "ops/declarable/helpers/Region.h"

namespace sd::ops {
namespace {

std::vector<int> tornAxes(graph::Context& block, int rank) {
  const auto& given = *block.getIArguments();
  for (const int axis : given)
    if (axis < 0) reject("argument 'dims': {} is outside 0..{}", axis, rank - 1);
  return checkedAxes(given, rank, "dims");
}

}  // namespace

CUSTOM_OP_IMPL(tear, 1, -1, false, 0, -1) {
  const NDArray& x = *INPUT_VARIABLE(0);
  const auto axes = tornAxes(block, x.rankOf());
  if (x.isEmpty()) return Status::OK;
  const auto parts = x.allTensorsAlongDimension(axes);
  for (int i = 0; i < parts.size(); i++) copy(*parts.at(i), *OUTPUT_VARIABLE(i));
  return Status::OK;
}
DECLARE_SHAPE_FN(tear) {
  const LongType* x = inputShape->at(0);
  const auto axes = tornAxes(block, shape::rank(x));
  Dims sizes;
  LongType count = 1;
  for (int d = 0; d < shape::rank(x); d++) {
    const LongType size = shape::shapeOf(x)[d];
    if (std::binary_search(axes.begin(), axes.end(), d))
      sizes.push_back(size);
    else if (__builtin_mul_overflow(count, size, &count))
      count = std::numeric_limits<LongType>::max();
  }
  requireOutputs(count);
  const LongType* part = shapeOf(ArrayOptions::dataType(x), shape::order(x), sizes);
  auto list = std::make_unique<ShapeList>();
  for (LongType i = 0; i < count; i++) list->push_back(part);
  return list.release();
}
DECLARE_TYPES(tear) {
  getOpDescriptor()->setAllowedInputTypes(ANY)->document(
      {.summary = "Cuts an array into all its sub-arrays along dimensions.",
       .inputs = "x: rank 1 or more",
       .outputs = "z0, z1, …: the sub-arrays, in c order over the other dimensions, x's type and order",
       .integers = "dims: the dimensions of a sub-array, one or more, 0..rank - 1"});
}

}  // namespace sd::ops
