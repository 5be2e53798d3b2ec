// The element at a given position of each sorted sub-array.
// operations: percentile
#include <loops/Sorting.h>
#include <ops/declarable/headers/broadcastable.h>

#include <algorithm>
#include <cmath>

#include "ops/declarable/Common.h"

namespace sd::ops {
namespace {

enum class Rounding { Lower, Higher, Nearest };

struct Percentile {
  double q;
  Rounding rounding;
  bool keepDims;
  std::vector<int> axes;  // sorted; all axes when none are given

  Percentile(graph::Context& block, int rank) : q(block.floatArgument(0)), keepDims(number(block, 2, 0) != 0) {
    if (rank == 0) reject("input 0 'x': a scalar has no percentiles");
    if (!(q >= 0 && q <= 100)) reject("argument 'q': {} is outside 0..100", q);
    const double kind = number(block, 1, 2);
    if (kind != 0 && kind != 1 && kind != 2)
      reject("argument 'interpolation': {} is none of 0 (lower), 1 (higher), 2 (nearest)", kind);
    rounding = static_cast<Rounding>(static_cast<int>(kind));
    if (block.numI() > static_cast<size_t>(rank))
      reject("argument 'axes': {} axes are given for an array of rank {}", block.numI(), rank);
    axes = checkedAxes(*block.getIArguments(), rank);
    if (axes.empty())
      for (int d = 0; d < rank; d++) axes.push_back(d);
  }

  /// The position among n sorted values.
  LongType position(LongType n) const {
    const double fromTop = static_cast<double>(n - 1) * (1 - q / 100);
    const double rounded = rounding == Rounding::Lower    ? std::ceil(fromTop)
                           : rounding == Rounding::Higher ? std::floor(fromTop)
                                                          : std::round(fromTop);
    return n - 1 - static_cast<LongType>(rounded);
  }
};

bool holds(const std::vector<int>& axes, int d) { return std::find(axes.begin(), axes.end(), d) != axes.end(); }

}  // namespace

CUSTOM_OP_IMPL(percentile, 1, 1, false, 1, -2) {
  const NDArray& x = *INPUT_VARIABLE(0);
  NDArray& z = *OUTPUT_VARIABLE(0);
  const Percentile how(block, x.rankOf());
  if (z.isEmpty()) return Status::OK;
  if (x.isEmpty()) reject("input 0 'x': an empty array has no percentiles (shape {})", text(x));

  // Each sub-array becomes a row.
  std::vector<int> order;
  for (int d = 0; d < x.rankOf(); d++)
    if (!holds(how.axes, d)) order.push_back(d);
  order.insert(order.end(), how.axes.begin(), how.axes.end());
  const LongType rows = z.lengthOf(), length = x.lengthOf() / rows;
  NDArray sorted = x.permute(order).dup('c').reshape('c', {rows, length});
  loops::sortAlong(out(sorted), {1}, false);
  const LongType at = how.position(length);
  z.assign(sorted({0, 0, at, at + 1}, true));
  return Status::OK;
}

DECLARE_SHAPE_FN(percentile) {
  const LongType* x = inputShape->at(0);
  const Percentile how(block, shape::rank(x));
  Dims dims;
  // Without axes the result is a single number; it keeps x's rank only if x has more than one dimension.
  const bool keep = how.keepDims && (block.numI() > 0 || shape::rank(x) > 1);
  for (int d = 0; d < shape::rank(x); d++) {
    if (!holds(how.axes, d))
      dims.push_back(shape::shapeOf(x)[d]);
    else if (keep)
      dims.push_back(1);
  }
  const DataType type = ArrayOptions::dataType(x);
  return shapes(dims.empty() ? scalarOf(type) : shapeOf(type, shape::order(x), dims));
}

DECLARE_TYPES(percentile) {
  getOpDescriptor()
      ->setAllowedInputTypes({ALL_FLOATS, ALL_INTS, BOOL})
      ->setSameMode(true)
      ->document({.summary = "The element below which q percent of the elements of a sub-array lie.",
                  .formula = "z = sorted[n - 1 - round((n - 1) * (1 - q / 100))]; NaN is sorted last",
                  .inputs = "x: rank 1 or more",
                  .outputs = "z: x's shape without the axes, x's type",
                  .floats =
                      "q: 0..100\ninterpolation?: 0 the lower element, 1 the higher one, 2 the nearest one (default "
                      "2)\nkeepDims?: not 0: reduced dimensions are kept with size 1 (default 0)",
                  .integers = "axes?: the axes of a sub-array (default all)"});
}

}  // namespace sd::ops
