// The shape that a reduction of an array with given sizes would have.
// operations: evaluate_reduction_shape
#include <ops/declarable/headers/shape.h>

#include <algorithm>

#include "ops/declarable/helpers/inference.h"
#include "ops/declarable/helpers/runtime_errors.h"

namespace sd::ops {
namespace {

/// The reduced dimensions, ascending.
std::vector<int> distinctAxes(const NDArray& axis, int rank) {
  const std::vector<int> given = intsOf(axis, 1, "axis");
  return asRuntimeError([&] { return checkedAxes(given, rank, "axis"); });
}

Dims reducedShape(const NDArray& shape, const NDArray& axis, const ReductionShape& a) {
  const auto sizes = integersOf(shape, 0, "shape");
  requireSizes(sizes, "shape");
  const int rank = static_cast<int>(sizes.size());
  const auto axes = distinctAxes(axis, rank);
  const bool keepDims = a.keepDims;
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
  if (!a.oldFormat || (keepDims && !axes.empty())) return left;
  if (left.empty()) return {1, 1};
  if (left.size() == 1) return axes.front() == 0 ? Dims{1, left[0]} : Dims{left[0], 1};
  return left;
}

/// The length of reducedShape(), computed only from the values that it depends on.
LongType lengthOfReduced(Inference& in) {
  const auto& a = in.arguments<ReductionShape>();
  const LongType rank = in.input(0).length(), axes = in.input(1).length();
  if (rank > SD_MAX_RANK) reject("input 0 'shape': {} dimensions exceed the maximum of {}", rank, SD_MAX_RANK);
  if (rank == PartialShape::UNKNOWN || axes == PartialShape::UNKNOWN) return PartialShape::UNKNOWN;
  if (a.keepDims && axes > 0) return rank;
  const NDArray *shape = in.values(0), *axis = in.values(1);
  if (axis == nullptr) return PartialShape::UNKNOWN;
  if (axes == 0)
    return shape == nullptr ? PartialShape::UNKNOWN : static_cast<LongType>(reducedShape(*shape, *axis, a).size());
  const auto distinct = distinctAxes(*axis, static_cast<int>(rank));
  const LongType left = rank - static_cast<LongType>(distinct.size());
  return a.oldFormat ? std::max<LongType>(left, 2) : left;
}

}  // namespace

CUSTOM_OP_IMPL(evaluate_reduction_shape, 2, 1, false, 0, 0) {
  NDArray& z = *OUTPUT_VARIABLE(0);
  const Dims left = reducedShape(*INPUT_VARIABLE(0), *INPUT_VARIABLE(1), arguments<ReductionShape>(block));
  for (size_t i = 0; i < left.size(); i++) z.p(static_cast<LongType>(i), left[i]);
  return Status::OK;
}
INFERRED_SHAPES(evaluate_reduction_shape)
DECLARE_SCHEMA(evaluate_reduction_shape) {
  schema.inputTypes({ALL_INTS, ALL_FLOATS});
  schema.summary("The shape that remains when an array of a given shape is reduced.");
  schema.input("shape", "[rank], the sizes of an array").types({ALL_FLOATS, ALL_INTS}).shapesNeedValues();
  schema.input("axis", "the dimensions to reduce; an empty one means all")
      .types({ALL_FLOATS, ALL_INTS})
      .shapesNeedValues();
  schema.argument(&ReductionShape::keepDims, "keep_dims", "reduced dimensions are kept with size 1").atFlag(0);
  schema.argument(&ReductionShape::oldFormat, "old_format", "the result has at least two dimensions").atFlag(1);
  schema.output("z", "the sizes that remain, an INT64 vector");
  schema.outputTypes({ALL_INTS}).infer([](Inference& in) { in.output(INT64, {lengthOfReduced(in)}); });
  schema.notDifferentiable(INTEGER_RESULT);
  schema.example(R"({"shape": [2, 3, 4], "axis": [1], "keep_dims": true})");
  schema.words("reduced shape").see("shape_of");
}

}  // namespace sd::ops
