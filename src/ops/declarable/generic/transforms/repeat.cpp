// Repeats each slice along a dimension; the copies of a slice are neighbours.
// operations: repeat
#include <execution/Parallel.h>
#include <ops/declarable/headers/transforms.h>

#include <cstring>

#include "ops/declarable/Common.h"
#include "ops/declarable/helpers/Region.h"

namespace sd::ops {
namespace {

struct Repeats {
  int axis;
  Dims counts;  ///< one for all slices, or one per slice
  LongType total;
};

Repeats repeats(graph::Context& block, const LongType* x) {
  auto values = integerArguments(block);
  if (values.empty()) reject("the repetitions and the axis are missing");
  const LongType asked = values.back();
  values.pop_back();
  Repeats result{checkedAxis(asked, shape::rank(x)), values, 0};
  const LongType size = sizeAt(x, result.axis);
  if (values.size() != 1 && static_cast<LongType>(values.size()) != size)
    reject("'repeats': {} values are given for size {} of dimension {} (shape {})", values.size(), size, result.axis,
           text(x));
  bool tooLarge = false;
  for (const LongType count : values) {
    if (count < 0) reject("'repeats': {} is negative ({})", count, text(values));
    tooLarge |= __builtin_add_overflow(result.total, count, &result.total);
  }
  if (values.size() == 1) tooLarge |= __builtin_mul_overflow(result.total, size, &result.total);
  if (tooLarge) reject("shape {} repeated {} times is too large", text(x), text(values));
  return result;
}

Dims sizesOf(const Repeats& repeats, const LongType* x) {
  Dims sizes = dimsOf(x);
  sizes[static_cast<size_t>(repeats.axis)] = repeats.total;
  return sizes;
}

/// Slices with different numbers of copies: works on rows of contiguous arrays.
void repeatRows(const NDArray& x, const Repeats& repeats, NDArray& z) {
  const Dense source(x);
  DenseOut target(z);
  const LongType size = x.sizeAt(repeats.axis);
  LongType outer = 1, row = static_cast<LongType>(x.sizeOfT());
  for (int d = 0; d < x.rankOf(); d++)
    if (d != repeats.axis) (d < repeats.axis ? outer : row) *= x.sizeAt(d);
  const auto* from = source.as<char>();
  auto* to = target.as<char>();
  const auto bytes = static_cast<size_t>(row);
  execution::parallelFor(outer, execution::threadsFor(static_cast<double>(outer * repeats.total * row) / 8),
                         [&](LongType start, LongType stop) {
                           const char* in = from + start * size * row;
                           char* out = to + start * repeats.total * row;
                           for (LongType i = start; i < stop; i++)
                             for (LongType j = 0; j < size; j++, in += row)
                               for (LongType k = 0; k < repeats.counts[static_cast<size_t>(j)]; k++, out += row)
                                 std::memcpy(out, in, bytes);
                         });
  target.commit();
}

}  // namespace

CUSTOM_OP_IMPL(repeat, 1, 1, true, 0, -1) {
  NDArray& z = *OUTPUT_VARIABLE(0);
  const NDArray& x = *INPUT_VARIABLE(0);
  const Repeats asked = repeats(block, x.shapeInfo());
  const Dims sizes = sizesOf(asked, x.shapeInfo());
  if (!z.isSameShape(sizes)) reject("the result of shape {} does not fit into x, {}, in place", text(sizes), text(x));
  if (z.isEmpty()) return Status::OK;
  const Unshared source(x, z);
  if (asked.counts.size() == 1)
    Region(*source).insert(asked.axis + 1, asked.counts[0]).copyTo(Region(z).split(asked.axis, asked.counts[0]));
  else
    repeatRows(*source, asked, z);
  return Status::OK;
}
DECLARE_SHAPE_FN(repeat) {
  const LongType* x = inputShape->at(0);
  return shapes(shapeOf(ArrayOptions::dataType(x), shape::order(x), sizesOf(repeats(block, x), x)));
}
DECLARE_TYPES(repeat) {
  getOpDescriptor()->setAllowedInputTypes(ANY)->setSameMode(true)->document(
      {.summary = "Repeats each slice along a dimension; the copies follow one another.",
       .inputs = "x: rank 1 or more",
       .outputs = "z: x's shape with the repetitions added up along the axis, x's type and order",
       .integers = "repeats: one number for all slices, or one for each\n"
                   "axis: the dimension, the last argument; negative ones count from the end"});
}

}  // namespace sd::ops
