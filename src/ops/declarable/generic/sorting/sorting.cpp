// The elements of an array in order, their positions, and the places of others among them: sort, argsort, searchsorted.
// operations: sort argsort searchsorted
#include <array/TypePromotion.h>
#include <execution/Parallel.h>
#include <loops/Sorting.h>
#include <ops/declarable/headers/sorting.h>

#include <algorithm>
#include <cmath>

#include "ops/declarable/helpers/inference.h"
#include "ops/declarable/helpers/real.h"
#include "ops/declarable/helpers/rules.h"
#include "ops/declarable/helpers/text_order.h"
#include "types/TypeDispatch.h"

namespace sd::ops {
namespace {

constexpr const char* AXIS_TEXT = "the dimension that is sorted; negative ones count from the end";

void inferSorted(Inference& in, bool positions) {
  const PartialShape x = in.input(0);
  if (x.hasRank()) checkedAxis(in.arguments<Sorting>().axis, x.rank());
  in.output(positions ? x.withType(INT64) : x);
}

/// The gradient of a sorted array goes to where its elements were.
void sortRule(Gradient& g) {
  const Symbol x = g.input(0), order = g.call("argsort", {x}, g.ownArguments());
  const TakeAlongAxis along{g.arguments<Sorting>().axis};
  g.set(0, g.collect(x, g.call("take_along_axis", {g.positions(x), order}, along), g.of()));
}

/// Whether `element` lies before the place of `value`: behind its equals when EQUAL is true. NaN comes last.
template <bool EQUAL, typename T>
bool precedes(T element, T value) {
  if constexpr (std::is_integral_v<T>)
    return EQUAL ? element <= value : element < value;
  else if constexpr (EQUAL)
    return (element <= value) | (value != value);
  else
    return !(element >= value) & (element == element);
}

/// The numbers of elements of `sorted` that lie before the places of several values. Their searches take turns, so that
/// each waits for memory while the others do, and have no branches, which could not be predicted.
template <bool EQUAL, int COUNT, typename T>
void searchTogether(const T* sorted, LongType n, const T* values, LongType* places) {
  const T* from[COUNT];
  std::fill_n(from, COUNT, sorted);
  for (LongType left = n; left > 1; left -= left / 2)
    for (int i = 0; i < COUNT; i++) from[i] += precedes<EQUAL>(from[i][left / 2 - 1], values[i]) ? left / 2 : 0;
  for (int i = 0; i < COUNT; i++) places[i] = from[i] - sorted + (n > 0 && precedes<EQUAL>(*from[i], values[i]));
}

template <bool EQUAL, typename T>
void searchEach(const T* sorted, LongType n, const T* values, LongType count, LongType* places) {
  constexpr int TOGETHER = 8;
  LongType i = 0;
  for (; i + TOGETHER <= count; i += TOGETHER) searchTogether<EQUAL, TOGETHER>(sorted, n, values + i, places + i);
  for (; i < count; i++) searchTogether<EQUAL, 1>(sorted, n, values + i, places + i);
}

void inferSearch(Inference& in) {
  const PartialShape sorted = in.input(0), values = in.input(1);
  if (sorted.hasRank() && values.hasRank() && sorted.rank() > 1) {
    bool fits = values.rank() == sorted.rank();
    for (int d = 0; fits && d + 1 < sorted.rank(); d++)
      fits = sorted[d] == values[d] || sorted[d] == PartialShape::UNKNOWN || values[d] == PartialShape::UNKNOWN;
    if (!fits)
      reject("input 1 'values': shape {} and shape {} of sorted differ before the last dimension", values.text(),
             sorted.text());
  }
  in.output(values.withType(INT64));
}

}  // namespace

CUSTOM_OP_IMPL(sort, 1, 1, true, 0, -2) {
  const NDArray& x = *INPUT_VARIABLE(0);
  NDArray& z = *OUTPUT_VARIABLE(0);
  const auto& a = arguments<Sorting>(block);
  const int axis = checkedAxis(a.axis, x.rankOf());
  if (x.isS()) {
    const helpers::Texts texts(x, 0, "x");
    if (!z.isEmpty())
      helpers::pickTexts(texts, helpers::orderAlong(texts, x.getShapeAsVector(), axis, a.descending), z);
    return Status::OK;
  }
  if (z.isEmpty()) return Status::OK;
  loops::sortedAlong(in(x), out(z), {axis}, a.descending);
  return Status::OK;
}
INFERRED_SHAPES(sort)
DECLARE_SCHEMA(sort) {
  schema.summary("The elements along an axis in ascending or descending order.")
      .formula("z[.., i, ..] <= z[.., i + 1, ..]")
      .note(
          "NaN comes last either way. Equal elements keep their order, but -0 comes before 0. Strings are "
          "sorted by the numbers of their characters.");
  schema.input("x", "rank 1 or more").types({ALL_FLOATS, ALL_INTS, BOOL, ALL_STRINGS}).rankAtLeast(1);
  schema.argument(&Sorting::axis, "axis", AXIS_TEXT).atInteger(0);
  schema.argument(&Sorting::descending, "descending", "the largest elements first").atFlag(0);
  schema.output("z", "the shape and type of x");
  schema.sameTypes().infer([](Inference& in) { inferSorted(in, false); }).gradient(sortRule);
  schema.example(R"({"x": [3.0, 1.0, 2.0]})");
  schema.elsewhere({.numpy = "numpy.sort", .torch = "torch.sort", .tensorflow = "tf.sort"});
  schema.words("order, ascending, descending").see("argsort top_k nth_element unique");
}

CUSTOM_OP_IMPL(argsort, 1, 1, false, 0, -2) {
  const NDArray& x = *INPUT_VARIABLE(0);
  NDArray& z = *OUTPUT_VARIABLE(0);
  const auto& a = arguments<Sorting>(block);
  const int axis = checkedAxis(a.axis, x.rankOf());
  LongType inner = 1;
  for (int d = axis + 1; d < x.rankOf(); d++) inner *= x.sizeAt(d);
  const LongType n = x.sizeAt(axis);
  if (x.isS()) {
    const helpers::Texts texts(x, 0, "x");
    const auto order = helpers::orderAlong(texts, x.getShapeAsVector(), axis, a.descending);
    DenseOut positions(z, INT64);
    std::transform(order.begin(), order.end(), positions.as<LongType>(), [=](LongType p) { return p / inner % n; });
    positions.commit();
    return Status::OK;
  }
  if (z.isEmpty()) return Status::OK;
  DenseOut positions(z, INT64);
  loops::sortedPositions({x.buffer(), x.shapeInfo()}, out(*positions), axis, a.descending);
  positions.commit();
  return Status::OK;
}
INFERRED_SHAPES(argsort)
DECLARE_SCHEMA(argsort) {
  schema.summary("The positions of the elements along an axis in ascending or descending order.")
      .formula("sort(x)[.., i, ..] = x[.., z[.., i, ..], ..]")
      .note(
          "NaN comes last either way. Of equal elements the first comes first. Strings are sorted by the "
          "numbers of their characters.");
  schema.input("x", "rank 1 or more").types({ALL_FLOATS, ALL_INTS, BOOL, ALL_STRINGS}).rankAtLeast(1);
  schema.argument(&Sorting::axis, "axis", AXIS_TEXT).atInteger(0);
  schema.argument(&Sorting::descending, "descending", "the largest elements first").atFlag(0);
  schema.output("z", "the shape of x, INT64");
  schema.outputTypes({INT64}).infer([](Inference& in) { inferSorted(in, true); }).notDifferentiable(INTEGER_RESULT);
  schema.example(R"({"x": [3.0, 1.0, 2.0]})");
  schema.elsewhere({.numpy = "numpy.argsort", .torch = "torch.argsort", .tensorflow = "tf.argsort"});
  schema.words("order, permutation, ranking").see("sort take_along_axis argmax");
}

CUSTOM_OP_IMPL(searchsorted, 2, 1, false, 0, 0) {
  const NDArray &given = *INPUT_VARIABLE(0), &values = *INPUT_VARIABLE(1);
  NDArray& z = *OUTPUT_VARIABLE(0);
  if (z.isEmpty()) return Status::OK;
  const bool right = arguments<SearchSorted>(block).right;
  const DataType type = promotedType(given.dataType(), values.dataType());
  const Dense sorted(given, type), wanted(values, type);
  DenseOut places(z, INT64);
  const LongType n = given.sizeAt(-1), rows = given.rankOf() == 1 ? 1 : values.lengthOf() / values.sizeAt(-1);
  const LongType perRow = values.lengthOf() / rows;
  loops::withNumericType("searchsorted", type, [&]<typename T>() {
    const T *row = sorted.as<T>(), *value = wanted.as<T>();
    auto* place = places.as<LongType>();
    const double steps = 5 + 3 * std::log2(static_cast<double>(n) + 1);
    execution::parallelFor(values.lengthOf(), execution::threadsFor(steps * static_cast<double>(values.lengthOf())),
                           [=](LongType first, LongType last) {
                             while (first < last) {
                               const LongType count = std::min(last, (first / perRow + 1) * perRow) - first;
                               const T* const line = row + first / perRow * n;
                               const auto search = right ? searchEach<true, T> : searchEach<false, T>;
                               search(line, n, value + first, count, place + first);
                               first += count;
                             }
                           });
  });
  places.commit();
  return Status::OK;
}
INFERRED_SHAPES(searchsorted)
DECLARE_SCHEMA(searchsorted) {
  schema.summary("Where values would have to be inserted into sorted rows to keep the order.")
      .formula("z = the number of elements that are smaller, or with right: not larger, than the value")
      .note("NaN counts as the largest value. The rows are not checked.");
  schema.input("sorted", "[n], or [..., n]; ascending along the last dimension")
      .types({ALL_FLOATS, ALL_INTS, BOOL})
      .rankAtLeast(1);
  schema.input("values", "any shape for one row, else [..., m] with the dimensions of sorted before the last")
      .types({ALL_FLOATS, ALL_INTS, BOOL});
  schema.argument(&SearchSorted::right, "right", "behind equal elements, not in front of them").atFlag(0);
  schema.output("z", "the shape of values, INT64");
  schema.outputTypes({INT64}).infer(inferSearch).notDifferentiable(INTEGER_RESULT);
  schema.example(R"({"sorted": [1.0, 3.0, 5.0], "values": [3.0, 4.0]})");
  schema.elsewhere({.numpy = "numpy.searchsorted", .torch = "torch.searchsorted", .tensorflow = "tf.searchsorted"});
  schema.words("binary search, bisect, bucketize, lower bound, upper bound").see("sort bincount");
}

}  // namespace sd::ops
