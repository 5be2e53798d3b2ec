// Splits an array along a dimension into parts of equal or given sizes.
// operations: split split_v
#include <ops/declarable/headers/transforms.h>

#include "ops/declarable/helpers/Region.h"
#include "ops/declarable/helpers/inference.h"
#include "ops/declarable/helpers/rules.h"

namespace sd::ops {
namespace {

/// The input that is split, the dimension and the sizes of the parts.
struct Cut {
  int input, axis;
  Dims parts;
};

/// Of two inputs the one with one element is the axis: the first, if both have one.
int axisInput(const PartialShape& x, const PartialShape& other) {
  if (x.length() != 1 && other.length() != 1)
    reject("the two inputs have shapes {} and {}, but one of them must be the axis, one integer", x.text(),
           other.text());
  return x.length() == 1 ? 0 : 1;
}

Cut cutEqually(const Split& a, LongType axis, int input, const PartialShape& x) {
  requireOutputs(a.numSplits);
  const int d = checkedAxis(axis, x.rank());
  if (x[d] == PartialShape::UNKNOWN) return {input, d, Dims(static_cast<size_t>(a.numSplits), PartialShape::UNKNOWN)};
  if (x[d] % a.numSplits != 0) reject("dimension {} of shape {} is not divisible by {}", d, x.text(), a.numSplits);
  return {input, d, Dims(static_cast<size_t>(a.numSplits), x[d] / a.numSplits)};
}

/// The cut of a call; `shape(i)` and `values(i)` are those of input i.
template <typename Shapes, typename Values>
Cut equalParts(const Split& a, int inputs, Shapes&& shape, Values&& values) {
  const int at = inputs == 2 ? axisInput(shape(0), shape(1)) : -1;
  LongType axis = a.axis.value_or(0);
  if (!a.axis && at >= 0) axis = integerOf(*values(at), at, "axis");
  return cutEqually(a, axis, at == 0 ? 1 : 0, shape(at == 0 ? 1 : 0));
}

void inferEqualParts(Inference& in) {
  const auto& a = in.arguments<Split>();
  const auto shape = [&](int i) { return in.input(i); };
  bool known = true;
  int at = -1;
  PartialShape x = in.input(0);
  if (in.inputs() == 2) {
    const PartialShape other = in.input(1);
    known = x.hasKnownSizes() && (x.length() == 1 || other.hasKnownSizes());
    if (known) {
      at = axisInput(x, other);
      if (at == 0) x = other;
      known = a.axis || in.values(at) != nullptr;
    }
  }
  known = known && x.hasRank();
  if (!known) {
    requireOutputs(a.numSplits);
    for (LongType i = 0; i < a.numSplits; i++) in.output(PartialShape(x.type()));
    return;
  }
  Cut cut = equalParts(a, in.inputs(), shape, [&](int i) { return in.values(i); });
  for (const LongType part : cut.parts) in.output(PartialShape(x).set(cut.axis, part));
  in.keep(std::move(cut));
}

const Cut& currentEqualParts(graph::Context& block) {
  return kept<Cut>(block, [&] {
    return equalParts(
        arguments<Split>(block), static_cast<int>(block.width()),
        [&](int i) { return PartialShape::of(block.array(i)->shapeInfo()); }, [&](int i) { return block.array(i); });
  });
}

Cut givenParts(LongType axis, const PartialShape& x, Dims sizes) {
  Cut cut{0, checkedAxis(axis, x.rank()), std::move(sizes)};
  LongType sum = 0;
  bool fits = true;
  for (const LongType size : cut.parts) fits = fits && size >= 0 && !__builtin_add_overflow(sum, size, &sum);
  const LongType whole = x[cut.axis];
  if (!fits || (whole != PartialShape::UNKNOWN && sum != whole))
    reject("input 1 'sizes': {} do not add up to size {} of dimension {} (shape {})", text(cut.parts), whole, cut.axis,
           x.text());
  return cut;
}

void inferGivenParts(Inference& in) {
  const PartialShape x = in.input(0);
  const LongType count = in.input(1).length();
  if (count == PartialShape::UNKNOWN) return;  // the number of outputs is not known
  requireOutputs(count);
  const NDArray* sizes = in.values(1);
  const bool axisKnown = in.knows(&SplitBySizes::axis);
  if (sizes == nullptr || !axisKnown || !x.hasRank()) {
    for (LongType i = 0; i < count; i++)
      in.output(x.hasRank() ? PartialShape::ofRank(x.type(), x.rank()) : PartialShape(x.type()));
    return;
  }
  Cut cut = givenParts(in.arguments<SplitBySizes>().axis, x, integersOf(*sizes, 1, "sizes"));
  for (const LongType part : cut.parts) in.output(PartialShape(x).set(cut.axis, part));
  in.keep(std::move(cut));
}

const Cut& currentGivenParts(graph::Context& block) {
  return kept<Cut>(block, [&] {
    return givenParts(arguments<SplitBySizes>(block).axis, PartialShape::of(block.array(0)->shapeInfo()),
                      integersOf(*block.array(1), 1, "sizes"));
  });
}

/// By position the axis is the second of two integers.
bool readSplitAxis(const ArgumentRow& row, const graph::Context& block, void* arguments) {
  if (block.numI() != 2) return false;
  const LongType axis = block.intArgument64(1);
  if (axis != static_cast<int>(axis)) reject("argument 'axis': {} is not an integer of 32 bits", axis);
  row.access().setIntegers(row.memberOf(arguments), &axis, 1);
  return true;
}

Status cutInto(graph::Context& block, const Cut& cut, const std::vector<NDArray*>& parts) {
  const auto pieces = arraysAt(static_cast<int>(parts.size()), [&](int i) { return parts[static_cast<size_t>(i)]; });
  if (copyPieces(*block.array(cut.input), cut.axis, pieces, true)) return Status::OK;
  LongType start = 0;
  for (size_t i = 0; i < cut.parts.size(); start += cut.parts[i++])
    Region(*block.array(cut.input)).take(cut.axis, start, cut.parts[i]).copyTo(Region(*parts[i]));
  return Status::OK;
}

/// The parts of input `x` joined along the axis, which an input may give.
void joinRule(Gradient& g, int x, std::optional<int> axis, Symbol given = {}) {
  std::vector<Symbol> parts;
  for (int i = 0; i < g.outputs(); i++) parts.push_back(g.ofOrZero(i));
  if (!axis && given) parts.push_back(given);
  g.set(x, g.call("concat", parts, Concat{axis || given ? axis : 0, !axis && given}));
}

}  // namespace

#define SD_SPLIT(NAME, NIN, IARGS, PARTS)                                                                \
  CUSTOM_OP_IMPL(NAME, NIN, -1, false, 0, IARGS) {                                                       \
    const Cut& cut = PARTS(block);                                                                       \
    std::vector<NDArray*> parts;                                                                         \
    for (size_t i = 0; i < cut.parts.size(); i++) parts.push_back(OUTPUT_VARIABLE(static_cast<int>(i))); \
    return cutInto(block, cut, parts);                                                                   \
  }                                                                                                      \
  INFERRED_SHAPES(NAME)

SD_SPLIT(split, 1, 1, currentEqualParts)
DECLARE_SCHEMA(split) {
  schema.summary("Cuts an array along a dimension into equal parts.")
      .formula("z_k[.., j, ..] = x[.., k * n + j, ..], n = size / num_splits");
  schema.input("x", "rank 1 or more").types({ALL_FLOATS, ALL_INTS, BOOL, ALL_COMPLEX, ALL_STRINGS}).moved();
  schema.input("axis", "one integer, before or after x; used when there is no argument")
      .types({ALL_FLOATS, ALL_INTS})
      .optional();
  schema.argument(&Split::numSplits, "num_splits", "number of parts").atInteger(0).atLeast(1).require();
  schema
      .argument(&Split::axis, "axis",
                "the dimension that is cut, 0 when no input gives it; negative ones count from the end")
      .atInteger(1)
      .readBy(readSplitAxis);
  schema.output("z", "num_splits parts, the type and order of x").any();
  schema.infer(inferEqualParts);
  schema.example(R"({"x": [1.0, 2.0, 3.0, 4.0], "num_splits": 2})");
  schema.elsewhere({.numpy = "numpy.split", .torch = "torch.chunk", .tensorflow = "tf.split", .onnx = "Split"});
  schema.words("chunk, cut").see("split_v unstack concat");
  schema.gradient([](Gradient& g) {
    const auto axis = g.arguments<Split>().axis;
    if (g.inputs() != 2) return joinRule(g, 0, axis);
    const int at = axisInput(g.shape(g.input(0)), g.shape(g.input(1)));
    joinRule(g, 1 - at, axis, g.input(at));
  });
}

SD_SPLIT(split_v, 2, -2, currentGivenParts)
DECLARE_SCHEMA(split_v) {
  schema.summary("Cuts an array along a dimension into parts of given sizes.")
      .formula("z_k[.., j, ..] = x[.., n_k + j, ..], n_k the sum of the sizes before part k");
  schema.input("x", "rank 1 or more").types({ALL_FLOATS, ALL_INTS, BOOL, ALL_COMPLEX, ALL_STRINGS}).moved();
  schema.input("sizes", "[n], sizes of the parts, which add up to the size of the dimension")
      .types({ALL_FLOATS, ALL_INTS})
      .shapesNeedValues();
  schema.input("axis", "one integer; used when there is no argument").types({ALL_FLOATS, ALL_INTS}).optional();
  schema.argument(&SplitBySizes::axis, "axis", "the dimension that is cut; negative ones count from the end")
      .atInteger(0)
      .elseInput(2);
  schema.output("z", "one part for each size, the type and order of x").any();
  schema.infer(inferGivenParts);
  schema.example(R"({"x": [1.0, 2.0, 3.0, 4.0], "sizes": [1, 3], "axis": 0})");
  schema.elsewhere({.numpy = "numpy.split", .torch = "torch.split", .tensorflow = "tf.split", .onnx = "Split"});
  schema.words("cut").see("split concat");
  schema.gradient([](Gradient& g) { joinRule(g, 0, g.arguments<SplitBySizes>().axis); });
}

}  // namespace sd::ops
