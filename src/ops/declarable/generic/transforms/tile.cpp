// Repeats a whole array; the gradient is the sum over all repetitions.
// operations: tile tile_bp
// calls: Sum
#include <ops/declarable/headers/transforms.h>

#include <algorithm>

#include "ops/declarable/Common.h"
#include "ops/declarable/helpers/Region.h"

namespace sd::ops {
namespace {

/// The integer arguments if there is one for each dimension, else the input.
Dims repetitions(graph::Context& block, const LongType* x, bool hasInput) {
  const auto rank = static_cast<size_t>(shape::rank(x));
  Dims reps;
  if (block.numI() == rank)
    reps = integerArguments(block);
  else if (hasInput)
    reps = integersOf(*block.array(1), 1);
  if (reps.size() != rank) reject("'reps': {} values are given for shape {}", reps.size(), text(x));
  for (const LongType rep : reps)
    if (rep < 1) reject("'reps': {} is below 1 ({})", rep, text(reps));
  return reps;
}

Dims tiledSizes(const LongType* x, const Dims& reps) {
  Dims sizes = dimsOf(x);
  for (size_t d = 0; d < sizes.size(); d++)
    if (__builtin_mul_overflow(sizes[d], reps[d], &sizes[d]))
      reject("shape {} repeated {} times is too large", text(x), text(reps));
  return sizes;
}

}  // namespace

CUSTOM_OP_IMPL(tile, 1, 1, false, 0, -2) {
  const NDArray& x = *INPUT_VARIABLE(0);
  const Dims reps = repetitions(block, x.shapeInfo(), block.width() > 1);
  Region from(x), to(*OUTPUT_VARIABLE(0));
  for (int d = x.rankOf() - 1; d >= 0; d--) {
    const LongType rep = reps[static_cast<size_t>(d)];
    if (rep == 1) continue;
    to.split(d, x.sizeAt(d));
    from.insert(d, rep);
  }
  from.copyTo(to);
  return Status::OK;
}
DECLARE_SHAPE_FN(tile) {
  const LongType* x = inputShape->at(0);
  const Dims reps = repetitions(block, x, block.width() > 1);
  if (reps.empty()) return shapes(like(x));
  return shapes(shapeOf(ArrayOptions::dataType(x), shape::order(x), tiledSizes(x, reps)));
}
DECLARE_TYPES(tile) {
  getOpDescriptor()
      ->setAllowedInputTypes(ANY)
      ->setAllowedInputTypes(1, {ALL_INTS, ALL_FLOATS})
      ->setSameMode(true)
      ->document({.summary = "Repeats an array as a whole along its dimensions.",
                  .formula = "z[i, j, …] = x[i mod size 0, j mod size 1, …]",
                  .inputs = "x: any shape\nreps?: repetitions of each dimension, integer vector",
                  .outputs = "z: sizes times repetitions, x's type and order",
                  .integers = "reps?: repetitions of each dimension, 1 or more; overrides the input"});
}

CUSTOM_OP_IMPL(tile_bp, 2, 1, false, 0, -2) {
  const NDArray& x = *INPUT_VARIABLE(0);
  const int last = block.width() > 2 ? 2 : 1;
  const NDArray& eps = *INPUT_VARIABLE(last);
  NDArray& gradient = *OUTPUT_VARIABLE(0);
  const Dims reps = repetitions(block, x.shapeInfo(), last == 2), sizes = tiledSizes(x.shapeInfo(), reps);
  if (!eps.isSameShape(sizes) && eps.rankOf() + sizes.size() > 0)
    reject("input {} 'eps': its shape is {}, but the result has shape {}", last, text(eps), text(sizes));
  if (gradient.isEmpty()) return Status::OK;
  // splits each repeated dimension in two; the first is summed
  Dims split;
  std::vector<int> repeated;
  for (int d = 0; d < x.rankOf(); d++) {
    if (const LongType rep = reps[static_cast<size_t>(d)]; rep > 1) {
      repeated.push_back(static_cast<int>(split.size()));
      split.push_back(rep);
    }
    split.push_back(x.sizeAt(d));
  }
  if (repeated.empty())
    copy(eps, gradient);
  else
    gradient.assign(eps.reshape('c', split).reduceAlongDimension(reduce::Sum, repeated));
  return Status::OK;
}
DECLARE_SHAPE_FN(tile_bp) { return shapes(like(inputShape->at(0))); }
DECLARE_TYPES(tile_bp) {
  getOpDescriptor()
      ->setAllowedInputTypes({ALL_FLOATS})
      ->setAllowedInputTypes(1, {ALL_FLOATS, ALL_INTS})
      ->setAllowedOutputTypes({ALL_FLOATS})
      ->document({.summary = "The gradient of tile: the sum over all repetitions.",
                  .formula = "gradX[i, ..] = sum over r of eps[r * size + i, ..]",
                  .inputs = "x: any shape\nreps?: as in tile\neps: the gradient of z",
                  .outputs = "gradX: x's shape and type",
                  .integers = "reps?: as in tile; overrides the input"});
}

}  // namespace sd::ops
