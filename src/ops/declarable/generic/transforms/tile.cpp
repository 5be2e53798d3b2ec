// Repeats a whole array; the gradient is the sum over all repetitions.
// operations: tile tile_bp
// calls: Sum
#include <ops/declarable/headers/transforms.h>

#include <algorithm>

#include "ops/declarable/helpers/Region.h"
#include "ops/declarable/helpers/backward_rules.h"
#include "ops/declarable/helpers/inference.h"
#include "ops/declarable/helpers/omitted_input.h"

namespace sd::ops {
namespace {

void checkRepeats(const Dims& repeats, const PartialShape& x) {
  if (repeats.size() != static_cast<size_t>(x.rank()))
    reject("argument 'repeats': {} values are given for shape {}", repeats.size(), x.text());
}

PartialShape tiled(const PartialShape& x, const Dims& repeats) {
  checkRepeats(repeats, x);
  PartialShape sizes = x;
  for (int d = 0; d < x.rank(); d++) {
    LongType size = x[d];
    if (size == PartialShape::UNKNOWN) continue;
    if (__builtin_mul_overflow(size, repeats[static_cast<size_t>(d)], &size))
      reject("shape {} repeated {} times is too large", x.text(), text(repeats));
    sizes.set(d, size);
  }
  return sizes;
}

const Dims& repeatsOf(graph::Context& block) {
  const Dims& repeats = arguments<Tile>(block).repeats;
  checkRepeats(repeats, PartialShape::of(block.array(0)->shapeInfo()));
  return repeats;
}

/// By position as many integers as dimensions count before the input.
template <bool GRADIENT>
bool readRepeats(const ArgumentRow& row, const graph::Context& block, void* arguments) {
  const NDArray* x = block.width() > 0 ? block.optionalArray(0) : nullptr;
  const NDArray* given = GRADIENT ? optionOf(block) : block.width() > 1 ? block.optionalArray(1) : nullptr;
  const bool fits = x == nullptr ? block.numI() > 0 : block.numI() == static_cast<size_t>(x->rankOf());
  Dims values;
  if (fits || given == nullptr)
    for (size_t i = 0; fits && i < block.numI(); i++) values.push_back(block.intArgument64(i));
  else if (!GRADIENT)
    return false;
  else if (given->hasValues())
    values = integersOf(*given, 1, row.name());
  row.access().setIntegers(row.memberOf(arguments), values.data(), values.size());
  return true;
}

constexpr const char* REPEATS_TEXT = "the repetitions of each dimension";

}  // namespace

CUSTOM_OP_IMPL(tile, 1, 1, false, 0, -2) {
  const NDArray& x = *INPUT_VARIABLE(0);
  const Dims& repeats = repeatsOf(block);
  Region from(x), to(*OUTPUT_VARIABLE(0));
  for (int d = x.rankOf() - 1; d >= 0; d--) {
    const LongType rep = repeats[static_cast<size_t>(d)];
    if (rep == 1) continue;
    to.split(d, x.sizeAt(d));
    from.insert(d, rep);
  }
  from.copyTo(to);
  return Status::OK;
}
INFERRED_SHAPES(tile)
DECLARE_SCHEMA(tile) {
  schema.summary("Repeats an array as a whole along its dimensions.")
      .formula("z[i, j, …] = x[i mod size 0, j mod size 1, …]");
  schema.input("x", "any shape").moved();
  schema.input("repeats", "[rank of x], the repetitions of each dimension; used when there are no such arguments")
      .types({ALL_FLOATS, ALL_INTS})
      .optional();
  schema.argument(&Tile::repeats, "repeats", REPEATS_TEXT)
      .atInteger(0)
      .readBy(readRepeats<false>)
      .elseInput(1)
      .atLeast(1);
  schema.output("z", "sizes times repetitions, the type and order of x");
  schema.inputTypes({ANY, ALL_COMPLEX}).sameTypes().infer([](Inference& in) {
    const PartialShape x = in.input(0);
    if (!x.hasRank()) return in.output(PartialShape(x.type()));
    const bool known = in.knows(&Tile::repeats);
    in.output(known ? tiled(x, in.arguments<Tile>().repeats) : PartialShape::ofRank(x.type(), x.rank()));
  });
  schema.gradient("tile_bp");
  schema.example(R"({"x": [[1.0, 2.0]], "repeats": [2, 2]})");
  schema.elsewhere({.numpy = "numpy.tile", .torch = "torch.tile", .tensorflow = "tf.tile", .onnx = "Tile"});
  schema.words("repeat, replicate").see("repeat broadcast_to tile_to_shape");
}

CUSTOM_OP_IMPL(tile_bp, 2, 1, false, 0, -2) {
  const NDArray& x = *INPUT_VARIABLE(0);
  const NDArray& gradZ = gradientOf(block);
  NDArray& gradient = *OUTPUT_VARIABLE(0);
  const Dims& repeats = repeatsOf(block);
  const PartialShape sizes = tiled(PartialShape::of(x.shapeInfo()), repeats);
  if (!gradZ.isSameShape(sizes.sizes()) && gradZ.rankOf() + sizes.rank() > 0)
    reject("input {} 'gradZ': its shape is {}, but the result has shape {}", gradientIndex(block), text(gradZ),
           sizes.text());
  if (gradient.isEmpty()) return Status::OK;
  // splits each repeated dimension in two; the first is summed
  Dims split;
  std::vector<int> repeated;
  for (int d = 0; d < x.rankOf(); d++) {
    if (const LongType rep = repeats[static_cast<size_t>(d)]; rep > 1) {
      repeated.push_back(static_cast<int>(split.size()));
      split.push_back(rep);
    }
    split.push_back(x.sizeAt(d));
  }
  if (repeated.empty())
    copy(gradZ, gradient);
  else
    gradient.assign(gradZ.reshape('c', split).reduceAlongDimension(reduce::Sum, repeated));
  return Status::OK;
}
INFERRED_SHAPES(tile_bp)
DECLARE_SCHEMA(tile_bp) {
  schema.summary("The gradient of tile: the sum over all repetitions.")
      .formula("gradX[i, ..] = sum over r of gradZ[r * size + i, ..]");
  schema.input("x", "any shape").types({ALL_FLOATS});
  schema.input("repeats", "as in tile; when it is left out, gradZ moves up").types({ALL_FLOATS, ALL_INTS}).optional();
  schema.input("gradZ", "the gradient of z; the last input").types({ALL_FLOATS});
  schema.argument(&Tile::repeats, "repeats", REPEATS_TEXT).atInteger(0).readBy(readRepeats<true>).atLeast(1);
  schema.output("gradX", "x's shape and type");
  schema.outputTypes({ALL_FLOATS}).infer([](Inference& in) {
    in.input(gradientIndex(in));
    in.output(in.input(0));
  });
  schema.gradient(linearBackwardRule);
  schema.example(R"({"x": [1.0, 2.0], "gradZ": [1.0, 2.0, 3.0, 4.0], "repeats": [2]})");
  schema.see("tile");
}

}  // namespace sd::ops
