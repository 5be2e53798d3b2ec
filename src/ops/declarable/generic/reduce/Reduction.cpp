#include "ops/declarable/generic/reduce/Reduction.h"

#include <system/Environment.h>

#include <algorithm>

namespace sd::ops {

namespace {

/// Whether the axes are an old way to say "all of them".
bool meansAll(const std::vector<int>& axis, int rank) {
  return axis.size() == 1 && (axis[0] == SD_MAX_DIMENSION || (rank == 0 && (axis[0] == 0 || axis[0] == -1)));
}

}  // namespace

std::vector<int> reducedAxes(const std::vector<int>& axis, int rank) {
  if (meansAll(axis, rank)) return {};
  if (static_cast<int>(axis.size()) > rank)
    reject("argument 'axis': {} axes are given, but the array has rank {}", axis.size(), rank);
  return checkedAxes(axis, rank, "axis");
}

namespace {

/// As reducedAxes(), into `axes`.
void find(const std::vector<int>& axis, int rank, AxisList& axes) {
  axes.clear();
  if (axis.empty() || meansAll(axis, rank)) return;
  if (static_cast<int>(axis.size()) > rank)
    reject("argument 'axis': {} axes are given, but the array has rank {}", axis.size(), rank);
  for (const int given : axis) axes.push_back(checkedAxis(given, rank, "axis"));
  std::sort(axes.begin(), axes.end());
  axes.resize(static_cast<size_t>(std::unique(axes.begin(), axes.end()) - axes.begin()));
}

}  // namespace

const AxisList& currentAxes(graph::Context& block, const std::vector<int>& axis, int rank) {
  if (const AxisList* axes = block.kept<AxisList>()) return *axes;
  AxisList& axes = block.keptPlace<AxisList>();
  find(axis, rank, axes);
  return axes;
}

PartialShape reducedShapeOfCall(Inference& in, const PartialShape& x, const std::vector<int>& axis, bool keepDims,
                                DataType type) {
  AxisList& axes = in.keptPlace<AxisList>();
  find(axis, x.rank(), axes);
  if (axes.empty() && x.isEmpty()) return x.withType(type);
  const bool all = axes.empty() || static_cast<int>(axes.size()) == x.rank();
  PartialShape result(type, {}, x.order());
  if (all && !(keepDims && (x.rank() > 1 || !axes.empty()))) return result;
  size_t next = 0;
  for (int d = 0; d < x.rank(); d++) {
    const bool gone = all || (next < axes.size() && axes[next] == d);
    if (!gone)
      result.append(x[d]);
    else if (keepDims)
      result.append(1);
    next += gone ? 1 : 0;
  }
  return result;
}

PartialShape reducedShape(const PartialShape& x, const std::vector<int>& axis, bool known, bool keepDims,
                          DataType type) {
  if (!x.hasRank()) {
    const bool all = known && (axis.empty() || meansAll(axis, -1));
    return all && !keepDims ? PartialShape::scalar(type) : PartialShape(type);
  }
  if (!known) return keepDims && x.rank() > 1 ? PartialShape::ofRank(type, x.rank()) : PartialShape(type);
  const std::vector<int> axes = reducedAxes(axis, x.rank());
  if (axes.empty() && x.isEmpty()) return x.withType(type);
  const bool all = axes.empty() || static_cast<int>(axes.size()) == x.rank();
  if (all && !(keepDims && (x.rank() > 1 || !axes.empty()))) return PartialShape::scalar(type).withOrder(x.order());
  return reducedAlong(x, axes, keepDims, type);
}

DataType realType(DataType type) {
  return type == INHERIT || DataTypeUtils::isC(type) ? type : DataTypeUtils::pickFloatingType(type);
}

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
