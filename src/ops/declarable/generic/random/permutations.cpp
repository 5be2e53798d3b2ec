// Shuffles and crops, and the seed of the generator.
// operations: random_shuffle random_crop set_seed get_seed
#include <ops/declarable/headers/random.h>

#include <cstring>
#include <numeric>

#include "ops/declarable/helpers/inference.h"
#include "ops/declarable/helpers/real.h"

namespace sd::ops {
namespace {

void inferCrop(Inference& in) {
  const PartialShape x = in.input(0), shape = in.input(1);
  const NDArray* list = in.values(1);
  if (list == nullptr || !x.hasRank()) {
    const LongType rank = x.hasRank() ? x.rank() : shape.length();
    if (rank == PartialShape::UNKNOWN || rank > SD_MAX_RANK) return in.output(PartialShape(x.type()));
    return in.output(PartialShape::ofRank(x.type(), static_cast<int>(rank)));
  }
  if (!isList(list->shapeInfo()) || list->lengthOf() != x.rank())
    reject("input 1 'shape': its shape is {}, but {} elements are needed for input 0 'x' of shape {}", text(*list),
           x.rank(), x.text());
  const Dims dims = integersOf(*list, 1, "shape");
  for (int d = 0; d < x.rank(); d++) {
    const LongType size = dims[static_cast<size_t>(d)];
    if (size < 0 || (size > x[d] && x[d] != PartialShape::UNKNOWN))
      reject("input 1 'shape': value {} at [{}] is outside 0..{} (shape of x {})", size, d, x[d], x.text());
  }
  in.output(PartialShape(x.type(), dims));
}

/// The list of integers counts before the input, whose single element may have any type of integers.
bool readSeed(const ArgumentRow& row, const graph::Context& block, void* arguments) {
  const NDArray* given = block.optionalArray(0);
  if (block.numI() == 0 && given == nullptr) return false;
  LongType seed = 0;
  if (block.numI() > 0) {
    seed = block.intArgument64(0);
  } else {
    requireScalar(*given, 0, row.name());
    if (!given->hasValues()) return true;
    seed = given->e<LongType>(0);
  }
  row.access().setIntegers(row.memberOf(arguments), &seed, 1);
  return true;
}

}  // namespace

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
  // Programs with a fixed seed rely on these numbers; slices that are shuffled in place have others.
  const bool slicesInPlace = block.isInplace() && n != x.lengthOf();
  for (LongType i = n - 1; i > 0; i--) {
    const LongType drawn = slicesInPlace ? rng.relativeInt(i) : rng.relativeLong(n - 1 - i);
    std::swap(order[static_cast<size_t>(i)], order[static_cast<size_t>(drawn % (i + 1))]);
  }

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
DECLARE_SCHEMA(random_shuffle) {
  schema.summary("The slices along the first dimension, or the elements of a vector, in random order.")
      .formula("z[i, ..] = x[p[i], ..], p a random permutation")
      .note("The generator is not advanced: a call with the same generator gives the same order.");
  schema.input("x", "any shape");
  schema.output("z", "the shape and type of x");
  schema.inputTypes({ALL_FLOATS, ALL_INTS, BOOL}).sameTypes().random().infer(inferLikeFirst);
  schema.notDifferentiable(RANDOM_RESULT);
  schema.example(R"({"x": [2.0, 2.0, 2.0]})")
      .elsewhere({.numpy = "numpy.random.permutation", .tensorflow = "tf.random.shuffle"})
      .words("permutation, shuffle")
      .see("random_crop");
}

CUSTOM_OP_IMPL(random_crop, 2, 1, false, 0, 0) {
  const NDArray& x = *INPUT_VARIABLE(0);
  NDArray& z = *OUTPUT_VARIABLE(0);
  if (z.isEmpty()) return Status::OK;
  graph::RandomGenerator rng = block.getRng();
  rng.setSeed(static_cast<uint64_t>(arguments<RandomCrop>(block).seed));
  Dims intervals;
  for (int d = 0; d < x.rankOf(); d++) {
    const LongType start = rng.relativeT<LongType>(d, 0, x.sizeAt(d) - z.sizeAt(d) + 1);
    intervals.insert(intervals.end(), {start, start + z.sizeAt(d)});
  }
  z.assign(x(intervals, true));
  return Status::OK;
}
INFERRED_SHAPES(random_crop)
DECLARE_SCHEMA(random_crop) {
  schema.summary("A part of an array at a random place in every dimension.")
      .formula("z[i, j, ..] = x[a + i, b + j, ..], a, b, .. uniform among the places where z fits");
  schema.input("x", "any shape but a scalar").types({ALL_FLOATS}).rankAtLeast(1);
  schema.input("shape", "the dimensions of the part, a vector")
      .types({ALL_INTS, ALL_FLOATS})
      .rank(1, 2)
      .shapesNeedValues();
  schema.argument(&RandomCrop::seed, "seed", "the node state of the generator").atInteger(0);
  schema.output("z", "an array of that shape, the type of x");
  schema.outputTypes({ALL_FLOATS}).random().infer(inferCrop);
  schema.notDifferentiable(RANDOM_RESULT);
  schema.example(R"({"x": [1.0, 1.0, 1.0], "shape": [2]})")
      .elsewhere({.tensorflow = "tf.image.random_crop"})
      .words("crop, augmentation, random part")
      .see("random_shuffle slice");
}

CUSTOM_OP_IMPL(set_seed, -2, 1, false, 0, -2) {
  const LongType seed = arguments<Seed>(block).seed;
  block.randomGenerator().setSeed(static_cast<uint64_t>(seed));
  OUTPUT_VARIABLE(0)->assign(seed);
  return Status::OK;
}
INFERRED_SHAPES(set_seed)
DECLARE_SCHEMA(set_seed) {
  schema.summary("Sets the node state of the context's generator.");
  schema.input("seed", "one element; needed only without the argument");
  schema.argument(&Seed::seed, "seed", "the seed; it counts before the input")
      .atInteger(0)
      .elseInput(0)
      .readBy(readSeed)
      .require();
  schema.output("z", "the seed, of the type of the context, FLOAT32 unless set");
  schema.inputTypes({ALL_INTS})
      .outputTypes({ANY})
      .sideEffect("sets the seed of the generator")
      .notDifferentiable(SIDE_EFFECT);
  schema.infer(
      [](Inference& in) { in.output(PartialShape::scalar(in.block() != nullptr ? in.block()->dataType() : FLOAT32)); });
  schema.example(R"({"seed": 3})")
      .elsewhere({.numpy = "numpy.random.seed", .torch = "torch.manual_seed", .tensorflow = "tf.random.set_seed"})
      .words("random generator, state")
      .see("get_seed");
}

CUSTOM_OP_IMPL(get_seed, -2, 1, false, 0, 0) {
  OUTPUT_VARIABLE(0)->assign(block.getRng().rootState());
  return Status::OK;
}
INFERRED_SHAPES(get_seed)
DECLARE_SCHEMA(get_seed) {
  schema.summary("The root state of the context's generator.");
  schema.output("z", "an INT64 scalar");
  schema.inputTypes({ANY}).outputTypes({INT64}).random().notDifferentiable(INTEGER_RESULT);
  schema.infer([](Inference& in) { in.output(PartialShape::scalar(INT64)); });
  schema.elsewhere({.torch = "torch.initial_seed"}).words("random generator, state").see("set_seed");
}

}  // namespace sd::ops
