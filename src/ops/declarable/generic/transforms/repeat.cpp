// Repeats each slice along a dimension; the copies of a slice are neighbours.
// operations: repeat
#include <execution/Parallel.h>
#include <ops/declarable/headers/transforms.h>

#include <cstring>

#include "ops/declarable/helpers/Region.h"
#include "ops/declarable/helpers/inference.h"
#include "ops/declarable/helpers/rules.h"

namespace sd::ops {
namespace {

struct Repeats {
  int axis;
  Dims counts;  ///< one for all slices, or one per slice
  LongType total;
};

/// The repetitions of slices of an array of this shape, whose rank is known; `total` may be unknown.
Repeats repeats(const Repeat& a, const PartialShape& x) {
  const Dims& values = a.repeats;
  Repeats result{checkedAxis(a.axis, x.rank()), values, 0};
  const LongType size = x[result.axis];
  const bool known = size != PartialShape::UNKNOWN;
  if (known && values.size() != 1 && static_cast<LongType>(values.size()) != size)
    reject("argument 'repeats': {} values are given for size {} of dimension {} (shape {})", values.size(), size,
           result.axis, x.text());
  bool tooLarge = false;
  for (const LongType count : values) tooLarge |= __builtin_add_overflow(result.total, count, &result.total);
  if (values.size() == 1 && known) tooLarge |= __builtin_mul_overflow(result.total, size, &result.total);
  if (values.size() == 1 && !known) result.total = PartialShape::UNKNOWN;
  if (tooLarge) reject("shape {} repeated {} times is too large", x.text(), text(values));
  return result;
}

const Repeats& current(graph::Context& block) {
  return kept<Repeats>(
      block, [&] { return repeats(arguments<Repeat>(block), PartialShape::of(block.array(0)->shapeInfo())); });
}

/// By position the axis is the last integer.
bool readRepeats(const ArgumentRow& row, const graph::Context& block, void* arguments) {
  if (block.numI() == 0) return false;
  Dims values;
  for (size_t i = 0; i + 1 < block.numI(); i++) values.push_back(block.intArgument64(i));
  row.access().setIntegers(row.memberOf(arguments), values.data(), values.size());
  return true;
}

bool readAxis(const ArgumentRow& row, const graph::Context& block, void* arguments) {
  if (block.numI() == 0) return false;
  const LongType axis = block.intArgument64(block.numI() - 1);
  if (axis != static_cast<int>(axis)) reject("argument 'axis': {} is not an integer of 32 bits", axis);
  row.access().setIntegers(row.memberOf(arguments), &axis, 1);
  return true;
}

void inferRepeated(Inference& in) {
  const PartialShape x = in.input(0);
  if (!x.hasRank()) return in.output(PartialShape(x.type()));
  const Repeats result = repeats(in.arguments<Repeat>(), x);
  in.keep(result);
  in.output(PartialShape(x).set(result.axis, result.total));
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
  const Repeats& asked = current(block);
  Dims sizes = x.getShapeAsVector();
  sizes[static_cast<size_t>(asked.axis)] = asked.total;
  if (!z.isSameShape(sizes)) reject("the result of shape {} does not fit into x, {}, in place", text(sizes), text(x));
  if (z.isEmpty()) return Status::OK;
  const Unshared source(x, z);
  if (asked.counts.size() == 1)
    Region(*source).insert(asked.axis + 1, asked.counts[0]).copyTo(Region(z).split(asked.axis, asked.counts[0]));
  else
    repeatRows(*source, asked, z);
  return Status::OK;
}
INFERRED_SHAPES(repeat)
DECLARE_SCHEMA(repeat) {
  schema.summary("Repeats each slice along a dimension; the copies follow one another.");
  schema.input("x", "rank 1 or more").moved();
  schema.argument(&Repeat::repeats, "repeats", "one number for all slices, or one for each")
      .atInteger(0)
      .readBy(readRepeats)
      .atLeast(0)
      .require();
  schema
      .argument(&Repeat::axis, "axis",
                "the dimension of the slices; negative ones count from the end; the last integer by position")
      .readBy(readAxis)
      .require();
  schema.output("z", "the shape of x with the repetitions added up along the axis, its type and order");
  schema.inputTypes({ANY, ALL_COMPLEX}).sameTypes().infer(inferRepeated);
  schema.example(R"({"x": [1.0, 2.0, 3.0], "repeats": [2], "axis": 0})");
  schema.elsewhere({.numpy = "numpy.repeat", .torch = "torch.repeat_interleave", .tensorflow = "tf.repeat"});
  schema.words("repeat interleave, duplicate").see("tile");
  schema.gradient(movingRule<0>);
}

}  // namespace sd::ops
