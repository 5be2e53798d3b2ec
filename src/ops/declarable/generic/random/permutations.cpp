// Shuffles and crops, and the seed of the generator.
// operations: random_shuffle random_crop set_seed get_seed
#include <ops/declarable/headers/random.h>

#include <cstring>
#include <numeric>

#include "ops/declarable/helpers/real.h"

namespace sd::ops {

OP_IMPL(random_shuffle, 1, 1, true) {
  const NDArray& x = *INPUT_VARIABLE(0);
  NDArray& z = *OUTPUT_VARIABLE(0);
  if (z.isEmpty()) return Status::OK;
  int axis = 0;
  const LongType n = x.rankOf() == 0 || x.isCommonVector(axis) ? x.lengthOf() : x.sizeAt(0);
  if (n == 1) {
    if (!block.isInplace()) z.assign(x);
    return Status::OK;
  }
  // Fisher-Yates shuffle; the generator's state does not change.
  const graph::RandomGenerator& rng = block.getRng();
  std::vector<LongType> order(static_cast<size_t>(n));
  std::iota(order.begin(), order.end(), 0);
  LongType drawn = 0;
  for (LongType i = n - 1; i > 0; i--)
    std::swap(order[static_cast<size_t>(i)], order[static_cast<size_t>(rng.relativeLong(drawn++) % (i + 1))]);

  const NDArray copied = x.buffer() == z.buffer() ? x.dup('c') : NDArray();
  const Dense from(x.buffer() == z.buffer() ? copied : x);
  DenseOut to(z);
  const size_t bytes = static_cast<size_t>(x.lengthOf() / n) * x.sizeOfT();
  const auto* source = static_cast<const char*>(from->buffer());
  auto* target = static_cast<char*>(to->buffer());
  overElements(n, 2 + 0.1 * static_cast<double>(bytes), [&](LongType start, LongType stop) {
    for (auto i = static_cast<size_t>(start); i < static_cast<size_t>(stop); i++)
      std::memcpy(target + i * bytes, source + static_cast<size_t>(order[i]) * bytes, bytes);
  });
  to.commit();
  return Status::OK;
}
DECLARE_TYPES(random_shuffle) {
  getOpDescriptor()
      ->setAllowedInputTypes({ALL_FLOATS, ALL_INTS, BOOL})
      ->setSameMode(true)
      ->setRandom()
      ->document({.summary = "The slices along the first dimension, or the elements of a vector, in random order.",
                  .formula = "z[i, ..] = x[p[i], ..], p a random permutation",
                  .inputs = "x: any shape, any type of fixed size",
                  .outputs = "z: like x",
                  .notes = "The generator is not advanced: a call with the same generator gives the same order."});
}

CUSTOM_OP_IMPL(random_crop, 2, 1, false, 0, 0) {
  const NDArray& x = *INPUT_VARIABLE(0);
  NDArray& z = *OUTPUT_VARIABLE(0);
  if (z.isEmpty()) return Status::OK;
  graph::RandomGenerator rng = block.getRng();
  rng.setSeed(static_cast<uint64_t>(integer(block, 0, 0)));
  Dims intervals;
  for (int d = 0; d < x.rankOf(); d++) {
    const LongType start = rng.relativeT<LongType>(d, 0, x.sizeAt(d) - z.sizeAt(d) + 1);
    intervals.insert(intervals.end(), {start, start + z.sizeAt(d)});
  }
  z.assign(x(intervals, true));
  return Status::OK;
}
DECLARE_SHAPE_FN(random_crop) {
  const LongType* x = inputShape->at(0);
  inputShape->at(1);
  const NDArray& list = *INPUT_VARIABLE(1);
  if (list.rankOf() == 0 || !isList(list.shapeInfo()) || list.lengthOf() != shape::rank(x) || shape::rank(x) == 0)
    reject("input 1 'shape': its shape is {}, but {} elements are needed for input 0 'x' of shape {}", text(list),
           shape::rank(x), text(x));
  const Dims dims = integersOf(list, 1);
  for (int d = 0; d < shape::rank(x); d++)
    if (dims[static_cast<size_t>(d)] < 0 || dims[static_cast<size_t>(d)] > shape::shapeOf(x)[d])
      reject("input 1 'shape': value {} at [{}] is outside 0..{} (shape of x {})", dims[static_cast<size_t>(d)], d,
             shape::shapeOf(x)[d], text(x));
  return shapes(shapeOf(ArrayOptions::dataType(x), 'c', dims));
}
DECLARE_TYPES(random_crop) {
  getOpDescriptor()
      ->setAllowedInputTypes(0, {ALL_FLOATS})
      ->setAllowedInputTypes(1, {ALL_INTS, ALL_FLOATS})
      ->setAllowedOutputTypes({ALL_FLOATS})
      ->setRandom()
      ->document({.summary = "A part of an array at a random place in every dimension.",
                  .formula = "z[i, j, ..] = x[a + i, b + j, ..], a, b, .. uniform among the places where z fits",
                  .inputs = "x: any shape but a scalar\nshape: the dimensions of the part, a vector",
                  .outputs = "z: of that shape, of the type of x",
                  .integers = "seed?: node state of the generator (default 0)"});
}

CUSTOM_OP_IMPL(set_seed, -2, 1, false, 0, -2) {
  LongType seed = 0;
  if (block.numI() > 0) {
    seed = block.intArgument64(0);
  } else if (const NDArray* given = block.optionalArray(0)) {
    requireScalar(*given, 0, "seed");
    seed = given->e<LongType>(0);
  } else {
    reject("neither an integer argument nor an input is given");
  }
  block.randomGenerator().setSeed(static_cast<uint64_t>(seed));
  OUTPUT_VARIABLE(0)->assign(seed);
  return Status::OK;
}
DECLARE_SHAPE_FN(set_seed) { return shapes(scalarOf(block.dataType())); }
DECLARE_TYPES(set_seed) {
  getOpDescriptor()
      ->setAllowedInputTypes({ALL_INTS})
      ->setAllowedOutputTypes(ANY)
      ->document({.summary = "Sets the node state of the context's generator.",
                  .inputs = "seed?: one element, used when there is no argument",
                  .outputs = "z: the seed, of the context's type",
                  .integers = "seed?: overrides the input"});
}

CUSTOM_OP_IMPL(get_seed, -2, 1, false, 0, 0) {
  OUTPUT_VARIABLE(0)->assign(block.getRng().rootState());
  return Status::OK;
}
DECLARE_SHAPE_FN(get_seed) { return shapes(scalarOf(INT64)); }
DECLARE_TYPES(get_seed) {
  getOpDescriptor()->setRandom()->setAllowedInputTypes(ANY)->setAllowedOutputTypes({INT64})->document(
      {.summary = "The root state of the context's generator.", .outputs = "z: an INT64 scalar"});
}

}  // namespace sd::ops
