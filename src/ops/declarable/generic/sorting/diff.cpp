// Differences of neighbours along an axis.
// operations: diff
// calls: Subtract NotEqualTo
#include <ops/declarable/headers/shape.h>
#include <ops/declarable/headers/sorting.h>
#include <ops/declarable/headers/transforms.h>

#include "ops/declarable/helpers/inference.h"
#include "ops/declarable/helpers/real.h"
#include "ops/declarable/helpers/rules.h"

namespace sd::ops {
namespace {

void inferDifferences(Inference& in) {
  PartialShape z = in.input(0).withOrder('c');
  const auto& a = in.arguments<Differences>();
  if (!z.hasRank()) return in.output(z);
  const int axis = checkedAxis(a.axis, z.rank());
  if (z[axis] != PartialShape::UNKNOWN) z.set(axis, std::max<LongType>(z[axis] - a.times, 0));
  in.output(z);
}

/// The elements from `start` on, of which `left` at the end of the axis stay out.
NDArray shifted(const NDArray& x, int axis, LongType start, LongType left) {
  std::vector<LongType> bounds(2 * static_cast<size_t>(x.rankOf()), 0);
  bounds[2 * static_cast<size_t>(axis)] = start;
  bounds[2 * static_cast<size_t>(axis) + 1] = x.sizeAt(axis) - left;
  return x(bounds, true);
}

/// The transposed differences: the negated ones of the gradient between as many zeros on either side.
void differenceRule(Gradient& g) {
  const auto& a = g.arguments<Differences>();
  const int rank = g.rank(g.input(0)), axis = a.axis < 0 ? a.axis + rank : a.axis;
  std::vector<LongType> borders(2 * static_cast<size_t>(rank), 0);
  borders[2 * static_cast<size_t>(axis)] = borders[2 * static_cast<size_t>(axis) + 1] = a.times;
  const Symbol paddings = g.call("reshape", {g.integers(borders)}, Reshape{{rank, 2}});
  const Symbol differences = g.call("diff", {g.call("pad", {g.of(), paddings}, Pad{})}, a);
  g.set(0, a.times % 2 == 0 ? differences : -differences);
}

}  // namespace

CUSTOM_OP_IMPL(diff, 1, 1, false, 0, -2) {
  const NDArray& x = *INPUT_VARIABLE(0);
  NDArray& z = *OUTPUT_VARIABLE(0);
  const auto& a = arguments<Differences>(block);
  const int axis = checkedAxis(a.axis, x.rankOf());
  if (z.isEmpty()) return Status::OK;
  if (a.times == 0) {
    z.assign(x);
    return Status::OK;
  }
  NDArray last;
  for (int k = 0; k < a.times; k++) {
    const NDArray& from = k == 0 ? x : last;
    const NDArray later = shifted(from, axis, 1, 0), earlier = shifted(from, axis, 0, 1);
    NDArray between = k + 1 < a.times ? unset(x.dataType(), later.getShapeAsVector()) : NDArray();
    NDArray& to = k + 1 < a.times ? between : z;
    if (x.dataType() == BOOL)
      later.applyPairwiseTransform(pairwise::NotEqualTo, earlier, to);
    else
      later.applyPairwiseTransform(pairwise::Subtract, earlier, to);
    last = std::move(between);
  }
  return Status::OK;
}
INFERRED_SHAPES(diff)
DECLARE_SCHEMA(diff) {
  schema.summary("Differences of neighbours along an axis.")
      .formula("z[.., i, ..] = x[.., i + 1, ..] - x[.., i, ..], repeatedly")
      .note("Integers wrap. Of BOOL: whether neighbours differ.");
  schema.input("x", "rank 1 or more").types({ALL_FLOATS, ALL_INTS, BOOL}).rankAtLeast(1);
  schema.argument(&Differences::times, "times", "how often differences are taken").atInteger(0).atLeast(0);
  schema.argument(&Differences::axis, "axis", "the dimension of the neighbours; negative ones count from the end")
      .atInteger(1);
  schema.output("z", "x with as many elements less along the axis, none if it has no more; the type of x");
  schema.sameTypes().infer(inferDifferences).gradient(differenceRule);
  schema.example(R"({"x": [1.0, 4.0, 9.0, 16.0]})");
  schema.elsewhere({.numpy = "numpy.diff", .torch = "torch.diff", .tensorflow = "tf.experimental.numpy.diff"});
  schema.words("finite difference, discrete derivative").see("cumsum");
}

}  // namespace sd::ops
