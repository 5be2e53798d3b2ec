// Pads an array with a constant, or with the array mirrored at its edges.
// operations: pad mirror_pad
#include <ops/declarable/headers/transforms.h>

#include <algorithm>

#include "ops/declarable/Common.h"
#include "ops/declarable/helpers/Region.h"

namespace sd::ops {
namespace {

enum class Border { Constant, Reflect, Symmetric };

struct Padding {
  LongType before, after;
};

/// The borders of each dimension; `paddings` holds pairs.
std::vector<Padding> borders(const NDArray& paddings, const LongType* x, int rank, Border border) {
  const auto values = integersOf(paddings, 1);
  std::vector<Padding> result;
  for (int d = 0; d < rank; d++) {
    const Padding& padding =
        result.emplace_back(Padding{values[2 * static_cast<size_t>(d)], values[2 * static_cast<size_t>(d) + 1]});
    if (padding.before < 0 || padding.after < 0)
      reject("input 1 'paddings': {} at [{}] is negative", std::min(padding.before, padding.after), d);
    if (border == Border::Constant) continue;
    const LongType size = shape::rank(x) == 0 ? 1 : sizeAt(x, d);
    const LongType limit = border == Border::Reflect ? std::max<LongType>(size - 1, 0) : size;
    const LongType largest = std::max(padding.before, padding.after);
    if (largest > limit)
      reject("input 1 'paddings': {} at [{}] is above {}, the most that size {} can mirror (shape {})", largest, d,
             limit, size, text(x));
  }
  return result;
}

Dims paddedSizes(const LongType* x, const std::vector<Padding>& paddings) {
  Dims sizes;
  for (size_t d = 0; d < paddings.size(); d++) {
    const auto& [before, after] = paddings[d];
    LongType size = shape::rank(x) == 0 ? 1 : x[1 + d];
    if (__builtin_add_overflow(size, before, &size) || __builtin_add_overflow(size, after, &size))
      reject("input 1 'paddings': dimension {} becomes too large (shape {})", d, text(x));
    sizes.push_back(size);
  }
  return sizes;
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

void mirror(const NDArray& x, const std::vector<Padding>& paddings, Border border, const NDArray& z) {
  Region from(x);
  if (x.rankOf() < z.rankOf()) from.insert(0, 1);
  if (!x.isEmpty()) padMirrored(from, Region(z), paddings, 0, border == Border::Reflect ? 1 : 0);
}

Border borderOfPad(graph::Context& block) {
  const LongType mode = block.intArgument64(0);
  if (mode < 0 || mode > 2) reject("argument 'mode': {} is none of 0 (CONSTANT), 1 (REFLECT), 2 (SYMMETRIC)", mode);
  return static_cast<Border>(mode);
}

std::vector<Padding> paddingsOfPad(graph::Context& block, const LongType* x) {
  const NDArray& paddings = *block.array(1);
  const int rank = shape::rank(x);
  if (!(rank == 0 && paddings.isEmpty()) && !paddings.isSameShape(Dims{rank, 2}))
    reject("input 1 'paddings': its shape is {}, not {}", text(paddings), text(Dims{rank, 2}));
  return borders(paddings, x, rank, borderOfPad(block));
}

Border borderOfMirrorPad(graph::Context& block) {
  return block.intArgument64(0) == 0 ? Border::Reflect : Border::Symmetric;
}

std::vector<Padding> paddingsOfMirrorPad(graph::Context& block, const LongType* x) {
  const NDArray& paddings = *block.array(1);
  const int rank = std::max(shape::rank(x), 1);
  const bool pair = rank == 1 && paddings.lengthOf() == 2;
  if (!pair && !paddings.isSameShape(Dims{rank, 2}))
    reject("input 1 'paddings': its shape is {}, not {}", text(paddings), text(Dims{rank, 2}));
  return borders(paddings, x, rank, borderOfMirrorPad(block));
}

}  // namespace

CUSTOM_OP_IMPL(pad, 2, 1, false, 0, 1) {
  const NDArray& x = *INPUT_VARIABLE(0);
  const NDArray& z = *OUTPUT_VARIABLE(0);
  const auto paddings = paddingsOfPad(block, x.shapeInfo());
  const Border border = borderOfPad(block);
  if (border != Border::Constant) {
    mirror(x, paddings, border, z);
    return Status::OK;
  }
  NDArray value(x.dataType());
  if (const NDArray* given = block.optionalArray(2)) {
    requireScalar(*given, 2, "padValue");
    if (given->dataType() != x.dataType())
      reject("input 2 'padValue': its type is {}, but x has type {}", DataTypeUtils::describe(given->dataType()),
             DataTypeUtils::describe(x.dataType()));
    value.assign(*given);
  } else {
    value.assign(number(block, 0, 0));
  }
  padConstant(x, paddings, value, z);
  return Status::OK;
}
DECLARE_SHAPE_FN(pad) {
  const LongType* x = inputShape->at(0);
  const auto paddings = paddingsOfPad(block, x);
  if (paddings.empty()) return shapes(like(x));
  return shapes(shapeOf(ArrayOptions::dataType(x), shape::order(x), paddedSizes(x, paddings)));
}
DECLARE_TYPES(pad) {
  getOpDescriptor()
      ->setAllowedInputTypes(ANY)
      ->setAllowedInputTypes(1, {ALL_INDICES})
      ->setSameMode(true)
      ->document({.summary = "Puts a border around an array.",
                  .formula = "z[before + i, ..] = x[i, ..]",
                  .inputs = "x: any shape\npaddings: [rank of x, 2], elements to add before and after each dimension, "
                            "INT32 or INT64\npadValue?: a scalar of x's type",
                  .outputs = "z: x's sizes with the paddings added, x's type and order",
                  .floats = "padValue?: used when there is no such input (default 0)",
                  .integers = "mode: 0 CONSTANT: the value; 1 REFLECT: mirrored, the edge not repeated; 2 SYMMETRIC: "
                              "mirrored, the edge repeated"});
}

CUSTOM_OP_IMPL(mirror_pad, 2, 1, false, 0, 1) {
  const NDArray& x = *INPUT_VARIABLE(0);
  mirror(x, paddingsOfMirrorPad(block, x.shapeInfo()), borderOfMirrorPad(block), *OUTPUT_VARIABLE(0));
  return Status::OK;
}
DECLARE_SHAPE_FN(mirror_pad) {
  const LongType* x = inputShape->at(0);
  if (shape::rank(x) == 0 && shape::isEmpty(x)) reject("input 0 'x': it is empty");
  const char order = shape::rank(x) < 2 ? 'c' : shape::order(x);
  return shapes(shapeOf(ArrayOptions::dataType(x), order, paddedSizes(x, paddingsOfMirrorPad(block, x))));
}
DECLARE_TYPES(mirror_pad) {
  getOpDescriptor()
      ->setAllowedInputTypes({ALL_FLOATS})
      ->setAllowedInputTypes(1, {ALL_INDICES})
      ->setSameMode(true)
      ->document({.summary = "Puts a border around an array: the array mirrored at its edges.",
                  .inputs = "x: any shape\npaddings: [rank of x, 2], elements to add before and after each dimension, "
                            "INT32 or INT64; for scalars and vectors any two elements",
                  .outputs = "z: x's sizes with the paddings added (a vector for a scalar), x's type",
                  .integers = "mode: 0 REFLECT: the edge is not repeated; other numbers: SYMMETRIC, the edge is "
                              "repeated"});
}

}  // namespace sd::ops
