// The element at a given position of each sorted sub-array.
// operations: percentile
#include <loops/Sorting.h>
#include <ops/declarable/headers/broadcastable.h>
#include <ops/declarable/headers/reduce.h>

#include <algorithm>
#include <cmath>

#include "ops/declarable/helpers/inference.h"
#include "ops/declarable/helpers/rules.h"
#include "ops/declarable/helpers/runtime_errors.h"

namespace sd::ops {
namespace {

/// The axes of a sub-array, ascending; all axes when none are given.
std::vector<int> axesOf(const Percentile& a, int rank) {
  if (static_cast<int>(a.axis.size()) > rank)
    reject("argument 'axis': {} axes are given for an array of rank {}", a.axis.size(), rank);
  for (const int axis : a.axis)
    if (axis < -rank) asRuntimeError([&] { return checkedAxis(axis, rank); });
  std::vector<int> axes = checkedAxes(a.axis, rank, "axis");
  if (axes.empty())
    for (int d = 0; d < rank; d++) axes.push_back(d);
  return axes;
}

/// The position among n sorted values.
LongType position(const Percentile& a, LongType n) {
  const double fromTop = static_cast<double>(n - 1) * (1 - a.q / 100);
  const double rounded = a.interpolation == PercentileInterpolation::Lower    ? std::ceil(fromTop)
                         : a.interpolation == PercentileInterpolation::Higher ? std::floor(fromTop)
                                                                              : std::round(fromTop);
  return n - 1 - static_cast<LongType>(rounded);
}

/// The list of floats holds the number of the choice.
bool readInterpolation(const ArgumentRow& row, const graph::Context& block, void* arguments) {
  if (block.numT() < 2) return false;
  const double kind = block.floatArgument(1);
  if (kind != 0 && kind != 1 && kind != 2)
    reject("argument '{}': {} is none of lower (0), higher (1), nearest (2)", row.name(), kind);
  const auto enumerator = static_cast<LongType>(kind);
  row.access().setIntegers(row.memberOf(arguments), &enumerator, 1);
  return true;
}

bool holds(const std::vector<int>& axes, int d) { return std::find(axes.begin(), axes.end(), d) != axes.end(); }

void inferPercentile(Inference& in) {
  const PartialShape x = in.input(0);
  const auto& a = in.arguments<Percentile>();
  if (!x.hasRank()) {
    const bool one = a.axis.empty() && !a.keepDims;
    return in.output(one ? PartialShape::scalar(x.type()) : PartialShape(x.type()));
  }
  const std::vector<int> axes = axesOf(a, x.rank());
  // Without axes the result is a single number; it keeps x's rank only if x has more than one dimension.
  const bool keep = a.keepDims && (!a.axis.empty() || x.rank() > 1);
  PartialShape z = PartialShape::scalar(x.type());
  for (int d = 0; d < x.rank(); d++) {
    if (!holds(axes, d))
      z.append(x[d]);
    else if (keep)
      z.append(1);
  }
  in.output(z.rank() == 0 ? z : z.withOrder(x.order()));
}

}  // namespace

CUSTOM_OP_IMPL(percentile, 1, 1, false, 1, -2) {
  const NDArray& x = *INPUT_VARIABLE(0);
  NDArray& z = *OUTPUT_VARIABLE(0);
  const auto& a = arguments<Percentile>(block);
  const std::vector<int> axes = axesOf(a, x.rankOf());
  if (z.isEmpty()) return Status::OK;
  if (x.isEmpty()) reject("input 0 'x': an empty array has no percentiles (shape {})", text(x));

  // Each sub-array becomes a row.
  std::vector<int> order;
  for (int d = 0; d < x.rankOf(); d++)
    if (!holds(axes, d)) order.push_back(d);
  order.insert(order.end(), axes.begin(), axes.end());
  const LongType rows = z.lengthOf(), length = x.lengthOf() / rows;
  NDArray sorted = x.permute(order).dup('c').reshape('c', {rows, length});
  loops::sortAlong(out(sorted), {1}, false);
  const LongType at = position(a, length);
  z.assign(sorted({0, 0, at, at + 1}, true));
  return Status::OK;
}

INFERRED_SHAPES(percentile)
DECLARE_SCHEMA(percentile) {
  schema.summary("The element below which q percent of the elements of a sub-array lie.")
      .formula("z = sorted[n - 1 - round((n - 1) * (1 - q / 100))]; NaN is sorted last");
  schema.input("x", "rank 1 or more").rankAtLeast(1);
  schema.argument(&Percentile::q, "q", "the percentage").atFloat(0).between(0, 100).require();
  schema.argument(&Percentile::interpolation, "interpolation", "which element stands for a position between two")
      .atFloat(1)
      .readBy(readInterpolation);
  schema.argument(&Percentile::keepDims, "keep_dims", "whether the reduced axes stay with size 1").atFloat(2);
  schema
      .argument(&Percentile::axis, "axis",
                "the axes of a sub-array, all when there are none; negative ones count from the end")
      .atInteger(0);
  schema.output("z", "x without the axes, the type of x");
  schema.inputTypes({ALL_FLOATS, ALL_INTS, BOOL}).sameTypes().infer(inferPercentile);
  schema.example(R"({"x": [1.0, 2.0, 3.0, 4.0, 5.0], "q": 50.0})")
      .elsewhere({.numpy = "numpy.percentile", .torch = "torch.quantile", .tensorflow = "tfp.stats.percentile"})
      .words("quantile, median")
      .see("nth_element");
  schema.gradient([](Gradient& g) {
    // All elements that equal the percentile share its gradient.
    const Symbol x = g.input(0);
    const Reduction kept{g.arguments<Percentile>().axis, true};
    const Symbol target = g.call("reduce_max", {x}, kept);
    const Symbol equal = g.cast(g.call("equals", {x, g.reshapeLike(g.output(), target)}), x);
    g.set(0, equal * (g.reshapeLike(g.of(), target) / g.call("reduce_sum", {equal}, kept)));
  });
}

}  // namespace sd::ops
