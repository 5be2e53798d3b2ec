// The shape that a reduction of an array with given sizes would have.
// operations: evaluate_reduction_shape
#include <ops/declarable/headers/shape.h>

#include <algorithm>

#include "ops/declarable/Common.h"

namespace sd::ops {
namespace {

Dims reducedShape(graph::Context& block) {
  const auto sizes = integersOf(*block.array(0), 0);
  requireSizes(sizes, "shape");
  const int rank = static_cast<int>(sizes.size());
  const auto axes = checkedAxes(intsOf(*block.array(1), 1), rank);
  const bool keepDims = flag(block, 0), oldFormat = flag(block, 1);
  const bool hasNothing = std::find(sizes.begin(), sizes.end(), 0) != sizes.end();
  if (axes.empty() && hasNothing) return sizes;
  if (axes.empty() && keepDims && rank > 1) return Dims(sizes.size(), 1);

  Dims left;
  for (int d = 0; d < rank; d++) {
    const bool reduced = axes.empty() || std::binary_search(axes.begin(), axes.end(), d);
    if (!reduced)
      left.push_back(sizes[static_cast<size_t>(d)]);
    else if (keepDims && !axes.empty())
      left.push_back(1);
  }
  if (!oldFormat || (keepDims && !axes.empty())) return left;
  if (left.empty()) return {1, 1};
  if (left.size() == 1) return axes.front() == 0 ? Dims{1, left[0]} : Dims{left[0], 1};
  return left;
}

/// The length of reducedShape(), computed only from the values that it depends on.
LongType lengthOfReduced(graph::Context& block) {
  const LongType rank = block.array(0)->lengthOf();
  if (rank > SD_MAX_RANK) reject("argument 'shape': {} dimensions exceed the maximum of {}", rank, SD_MAX_RANK);
  if (flag(block, 0) && block.array(1)->hasElements()) return rank;
  if (!block.array(1)->hasElements()) return static_cast<LongType>(reducedShape(block).size());
  const auto axes = checkedAxes(intsOf(*block.array(1), 1), static_cast<int>(rank));
  const LongType left = rank - static_cast<LongType>(axes.size());
  return flag(block, 1) ? std::max<LongType>(left, 2) : left;
}

}  // namespace

CUSTOM_OP_IMPL(evaluate_reduction_shape, 2, 1, false, 0, 0) {
  NDArray& z = *OUTPUT_VARIABLE(0);
  const Dims left = reducedShape(block);
  for (size_t i = 0; i < left.size(); i++) z.p(static_cast<LongType>(i), left[i]);
  return Status::OK;
}
DECLARE_SHAPE_FN(evaluate_reduction_shape) { return shapes(vectorOf(INT64, lengthOfReduced(block))); }
DECLARE_TYPES(evaluate_reduction_shape) {
  getOpDescriptor()
      ->setAllowedInputTypes({ALL_INTS, ALL_FLOATS})
      ->setAllowedOutputTypes({ALL_INTS})
      ->document({.summary = "The shape that remains when an array of a given shape is reduced.",
                  .inputs = "shape: the sizes of the array, integer vector\n"
                            "axes: the dimensions to reduce, integer vector; an empty one means all",
                  .outputs = "z: the sizes that remain, INT64 vector",
                  .booleans = "keepDims?: reduced dimensions are kept with size 1 (default false)\n"
                              "oldFormat?: the result has at least two dimensions (default false)"});
}

}  // namespace sd::ops
