#include "ops/declarable/generic/reduce/Reduction.h"

#include <system/Environment.h>

#include <algorithm>

namespace sd::ops {

std::vector<int> reducedAxes(graph::Context& block, int input, int rank) {
  const std::vector<int> given = integers(block, input);
  if (given.size() == 1 && (given[0] == SD_MAX_DIMENSION || (rank == 0 && (given[0] == 0 || given[0] == -1))))
    return {};
  if (static_cast<int>(given.size()) > rank) reject("{} axes are given, but the array has rank {}", given.size(), rank);
  return checkedAxes(given, rank);
}

bool reduceFlag(graph::Context& block, size_t index) {
  return block.numB() > 0 ? flag(block, index) : number(block, index, 0.0) != 0.0;
}

const LongType* reducedShape(graph::Context& block, const LongType* x, DataType type) {
  std::vector<int> axes = reducedAxes(block, 1, shape::rank(x));
  return ShapeUtils::evalReduceShapeInfo(shape::order(x), axes, x, type, keepsDims(block), false);
}

DataType realType(const LongType* x) { return DataTypeUtils::pickFloatingType(ArrayOptions::dataType(x)); }

LongType elementsPerResult(const NDArray& x, const std::vector<int>& axes) {
  if (axes.empty()) return x.lengthOf();
  LongType count = 1;
  // Only an array without elements has sizes whose product overflows.
  for (int axis : axes)
    if (__builtin_mul_overflow(count, x.sizeAt(axis), &count)) return INT64_MAX;
  return count;
}

NDArray stretchable(const NDArray& gradient, const NDArray& x, const std::vector<int>& axes) {
  if (gradient.lengthOf() == 1) return gradient.reshape('c', {});
  Dims kept = x.getShapeAsVector(), left;
  for (int d = 0; d < x.rankOf(); d++) {
    const bool reduced = axes.empty() || std::binary_search(axes.begin(), axes.end(), d);
    if (reduced) kept[static_cast<size_t>(d)] = 1;
    if (!reduced) left.push_back(x.sizeAt(d));
  }
  const Dims given = gradient.getShapeAsVector();
  if (given != kept && given != left)
    reject("the gradient has shape {}, but the result has shape {}", text(gradient), text(left));
  return gradient.reshape('c', kept);
}

}  // namespace sd::ops
