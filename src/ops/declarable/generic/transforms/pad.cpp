// Pads an array with a constant, or with the array mirrored at its edges.
// operations: pad mirror_pad
#include <ops/declarable/headers/transforms.h>

#include <algorithm>

#include "ops/declarable/helpers/Region.h"
#include "ops/declarable/helpers/inference.h"
#include "ops/declarable/helpers/rules.h"

namespace sd::ops {
namespace {

struct Padding {
  LongType before, after;
};

/// The borders of each dimension; `paddings` holds pairs.
std::vector<Padding> borders(const NDArray& paddings, const PartialShape& x, int rank, PadMode border) {
  const auto values = integersOf(paddings, 1, "padding");
  std::vector<Padding> result;
  for (int d = 0; d < rank; d++) {
    const Padding& padding =
        result.emplace_back(Padding{values[2 * static_cast<size_t>(d)], values[2 * static_cast<size_t>(d) + 1]});
    if (padding.before < 0 || padding.after < 0)
      reject("input 1 'padding': {} at [{}] is negative", std::min(padding.before, padding.after), d);
    if (border == PadMode::Constant) continue;
    const LongType size = x.rank() == 0 ? 1 : x[d];
    if (size == PartialShape::UNKNOWN) continue;
    const LongType limit = border == PadMode::Reflect ? std::max<LongType>(size - 1, 0) : size;
    const LongType largest = std::max(padding.before, padding.after);
    if (largest > limit)
      reject("input 1 'padding': {} at [{}] is above {}, the most that size {} can mirror (shape {})", largest, d,
             limit, size, x.text());
  }
  return result;
}

PartialShape padded(const PartialShape& x, const std::vector<Padding>& paddings, char order) {
  PartialShape z(x.type(), {}, order);
  for (size_t d = 0; d < paddings.size(); d++) {
    const auto& [before, after] = paddings[d];
    LongType size = x.rank() == 0 ? 1 : x[static_cast<int>(d)];
    const bool known = size != PartialShape::UNKNOWN;
    if (known && (__builtin_add_overflow(size, before, &size) || __builtin_add_overflow(size, after, &size)))
      reject("input 1 'padding': dimension {} becomes too large (shape {})", d, x.text());
    z.append(size);
  }
  return z;
}

/// Fills the border as slabs that do not overlap: each dimension's slabs lie inside the borders of the dimensions
/// before it.
void padConstant(const NDArray& x, const std::vector<Padding>& paddings, const NDArray& value, const NDArray& z) {
  Region inside(z);
  for (int d = 0; d < z.rankOf(); d++) {
    const auto& [before, after] = paddings[static_cast<size_t>(d)];
    const LongType size = z.sizeAt(d);
    Region(inside).take(d, 0, before).fill(value);
    Region(inside).take(d, size - after, after).fill(value);
    inside.take(d, before, size - before - after);
  }
  Region(x).copyTo(inside);
}

/// For dimensions from `d` on: copies the part in front, the middle and the part behind, each from its mirror position
/// in x.
void padMirrored(Region from, Region to, const std::vector<Padding>& paddings, int d, LongType edge) {
  if (d == to.rank()) return from.copyTo(to);
  const auto& [before, after] = paddings[static_cast<size_t>(d)];
  const LongType size = from.size(d);
  if (before > 0)
    padMirrored(Region(from).take(d, before - 1 + edge, before, -1), Region(to).take(d, 0, before), paddings, d + 1,
                edge);
  if (after > 0)
    padMirrored(Region(from).take(d, size - 1 - edge, after, -1), Region(to).take(d, before + size, after), paddings,
                d + 1, edge);
  padMirrored(from, to.take(d, before, size), paddings, d + 1, edge);
}

void mirror(const NDArray& x, const std::vector<Padding>& paddings, PadMode border, const NDArray& z) {
  if (x.isS()) reject("input 0 'x': strings cannot be mirrored");
  Region from(x);
  if (x.rankOf() < z.rankOf()) from.insert(0, 1);
  if (!x.isEmpty()) padMirrored(from, Region(z), paddings, 0, border == PadMode::Reflect ? 1 : 0);
}

void requirePairs(const PartialShape& paddings, int rank) {
  const PartialShape wanted(paddings.type(), {rank, 2});
  if (!compatible(paddings, wanted))
    reject("input 1 'padding': its shape is {}, not {}", paddings.text(), wanted.text());
}

void checkPadding(const PartialShape& x, const PartialShape& paddings) {
  if (!(x.rank() == 0 && paddings.isEmpty())) requirePairs(paddings, x.rank());
}

/// A scalar counts as a vector, whose padding may be any two elements.
void checkMirrorPadding(const PartialShape& x, const PartialShape& paddings) {
  const int rank = std::max(x.rank(), 1);
  if (rank > 1 || paddings.length() != 2) requirePairs(paddings, rank);
}

using Paddings = std::vector<Padding>;

const Paddings& currentPadding(graph::Context& block) {
  return kept<Paddings>(block, [&] {
    const PartialShape x = PartialShape::of(block.array(0)->shapeInfo());
    checkPadding(x, PartialShape::of(block.array(1)->shapeInfo()));
    return borders(*block.array(1), x, x.rank(), arguments<Pad>(block).paddingMode);
  });
}

const Paddings& currentMirrorPadding(graph::Context& block) {
  return kept<Paddings>(block, [&] {
    const PartialShape x = PartialShape::of(block.array(0)->shapeInfo());
    checkMirrorPadding(x, PartialShape::of(block.array(1)->shapeInfo()));
    return borders(*block.array(1), x, std::max(x.rank(), 1), arguments<MirrorPad>(block).paddingMode);
  });
}

void inferPadded(Inference& in) {
  const PartialShape x = in.input(0), pairs = in.input(1);
  if (!x.hasRank()) return in.output(PartialShape(x.type()));
  checkPadding(x, pairs);
  const NDArray* values = in.values(1);
  if (values == nullptr) return in.output(PartialShape::ofRank(x.type(), x.rank()));
  Paddings paddings = borders(*values, x, x.rank(), in.arguments<Pad>().paddingMode);
  in.output(paddings.empty() ? x : padded(x, paddings, x.order()));
  in.keep(std::move(paddings));
}

void inferMirrored(Inference& in) {
  const PartialShape x = in.input(0), pairs = in.input(1);
  if (x.isEmptyScalar()) reject("input 0 'x': it is empty");
  if (!x.hasRank()) return in.output(PartialShape(x.type()));
  checkMirrorPadding(x, pairs);
  const int rank = std::max(x.rank(), 1);
  const NDArray* values = in.values(1);
  if (values == nullptr) return in.output(PartialShape::ofRank(x.type(), rank));
  Paddings paddings = borders(*values, x, rank, in.arguments<MirrorPad>().paddingMode);
  in.output(padded(x, paddings, x.rank() < 2 ? 'c' : x.order()));
  in.keep(std::move(paddings));
}

/// By position 0 is reflect, everything else symmetric.
bool readMirrorMode(const ArgumentRow& row, const graph::Context& block, void* arguments) {
  if (block.numI() == 0) return false;
  const auto mode = static_cast<LongType>(block.intArgument64(0) == 0 ? PadMode::Reflect : PadMode::Symmetric);
  row.access().setIntegers(row.memberOf(arguments), &mode, 1);
  return true;
}

}  // namespace

CUSTOM_OP_IMPL(pad, 2, 1, false, 0, 1) {
  const NDArray& x = *INPUT_VARIABLE(0);
  const NDArray& z = *OUTPUT_VARIABLE(0);
  const Paddings& paddings = currentPadding(block);
  const auto& a = arguments<Pad>(block);
  const PadMode border = a.paddingMode;
  if (border != PadMode::Constant) {
    mirror(x, paddings, border, z);
    return Status::OK;
  }
  NDArray value(x.dataType());
  if (const NDArray* given = block.optionalArray(2)) {
    requireScalar(*given, 2, "value");
    if (given->dataType() != x.dataType())
      reject("input 2 'value': its type is {}, but x has type {}", DataTypeUtils::describe(given->dataType()),
             DataTypeUtils::describe(x.dataType()));
    value.assign(*given);
  } else {
    value.assign(a.value);
  }
  padConstant(x, paddings, value, z);
  return Status::OK;
}
INFERRED_SHAPES(pad)
DECLARE_SCHEMA(pad) {
  schema.summary("Puts a border around an array.").formula("z[before + i, ..] = x[i, ..]");
  schema.input("x", "any shape");
  schema.input("padding", "[rank of x, 2], elements to add before and after each dimension")
      .types({INT32, INT64})
      .shapesNeedValues();
  schema.input("value", "a scalar of the type of x").optional();
  schema.argument(&Pad::paddingMode, "padding_mode", "what the border is filled with").atInteger(0);
  schema.argument(&Pad::value, "value", "the value of a constant border; used when the input is not given").atFloat(0);
  schema.output("z", "the shape of x with the padding added, its type and order");
  schema.inputTypes({ANY, ALL_COMPLEX}).sameTypes().infer(inferPadded);
  schema.example(R"({"x": [[1.0, 2.0]], "padding": [[0, 1], [1, 1]], "padding_mode": "constant"})");
  schema.elsewhere({.numpy = "numpy.pad", .torch = "torch.nn.functional.pad", .tensorflow = "tf.pad", .onnx = "Pad"});
  schema.words("border, margin").see("mirror_pad slice");
  schema.gradient([](Gradient& g) {
    if (g.arguments<Pad>().paddingMode != PadMode::Constant) return moves(g, {0});
    const Symbol x = g.input(0), before = g.flat(g.call("slice", {g.input(1)}, Slice{{0, 0}, {-1, 1}}));
    const Symbol inside = g.call("slice", {g.of(), before, g.cast(g.call("shape_of", {x}), before)});
    g.set(0, inside);
    if (g.input(2)) g.set(2, g.reshapeLike(g.sum(g.of()) - g.sum(inside), g.input(2)));
  });
}

CUSTOM_OP_IMPL(mirror_pad, 2, 1, false, 0, 1) {
  const NDArray& x = *INPUT_VARIABLE(0);
  mirror(x, currentMirrorPadding(block), arguments<MirrorPad>(block).paddingMode, *OUTPUT_VARIABLE(0));
  return Status::OK;
}
INFERRED_SHAPES(mirror_pad)
DECLARE_SCHEMA(mirror_pad) {
  schema.inputTypes({ALL_FLOATS});
  schema.summary("Puts a border around an array: the array mirrored at its edges.");
  schema.input("x", "any shape").types({ALL_FLOATS});
  schema
      .input(
          "padding",
          "[rank of x, 2], elements to add before and after each dimension; for scalars and vectors any two elements")
      .types({INT32, INT64})
      .shapesNeedValues();
  schema
      .argument(&MirrorPad::paddingMode, "padding_mode",
                "what the border is filled with; by position 0 is reflect, everything else symmetric")
      .atInteger(0)
      .readBy(readMirrorMode)
      .without(PadMode::Constant);
  schema.output("z", "the shape of x with the padding added (a vector for a scalar), its type");
  schema.sameTypes().infer(inferMirrored);
  schema.example(R"({"x": [1.0, 2.0, 3.0], "padding": [[2, 2]], "padding_mode": "reflect"})");
  schema.elsewhere({.numpy = "numpy.pad", .tensorflow = "tf.pad", .onnx = "Pad"});
  schema.words("reflect, symmetric, border").see("pad");
  schema.gradient([](Gradient& g) { moves(g, {0}, DOUBLE); });
}

}  // namespace sd::ops
