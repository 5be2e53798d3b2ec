// Splits an array along a dimension into parts of equal or given sizes.
// operations: split split_v
#include <ops/declarable/headers/transforms.h>

#include "ops/declarable/Common.h"
#include "ops/declarable/helpers/Region.h"

namespace sd::ops {
namespace {

/// An input, the dimension to split and the sizes of the parts.
struct Cut {
  const NDArray* x;
  int axis;
  Dims parts;
};

Cut equalParts(graph::Context& block) {
  const NDArray* x = block.array(0);
  const NDArray* axisArray = nullptr;
  if (block.width() == 2) {
    const NDArray* other = block.array(1);
    if (x->lengthOf() != 1 && other->lengthOf() != 1)
      reject("the two inputs have shapes {} and {}, but one of them must be the axis, one integer", text(*x),
             text(*other));
    axisArray = x->lengthOf() == 1 ? x : other;
    x = axisArray == x ? other : x;
  }
  LongType asked = 0;
  if (block.numI() == 2)
    asked = block.intArgument64(1);
  else if (axisArray != nullptr)
    asked = integerOf(*axisArray, axisArray == block.array(0) ? 0 : 1, "axis");
  const LongType count = block.intArgument64(0);
  if (count < 1) reject("argument 'numSplits': {} is below 1", count);
  requireOutputs(count);
  const int axis = checkedAxis(asked, x->rankOf());
  const LongType size = x->sizeAt(axis);
  if (size % count != 0) reject("dimension {} of shape {} is not divisible by {}", axis, text(*x), count);
  return {x, axis, Dims(static_cast<size_t>(count), size / count)};
}

Cut givenParts(graph::Context& block) {
  const NDArray &x = *block.array(0), &sizes = *block.array(1);
  const NDArray* axisArray = block.optionalArray(2);
  requireOutputs(sizes.lengthOf());
  LongType asked = 0;
  if (block.numI() > 0) {
    asked = block.intArgument64(0);
  } else if (axisArray != nullptr) {
    asked = scalarInteger(*axisArray, 2, "axis");
  }
  const int axis = checkedAxis(asked, x.rankOf());
  Cut cut{&x, axis, integersOf(sizes, 1)};
  LongType sum = 0;
  bool fits = true;
  for (const LongType size : cut.parts) fits = fits && size >= 0 && !__builtin_add_overflow(sum, size, &sum);
  if (!fits || sum != x.sizeAt(axis))
    reject("input 1 'sizes': {} do not add up to size {} of dimension {} (shape {})", text(cut.parts), x.sizeAt(axis),
           axis, text(x));
  return cut;
}

ShapeList* shapesOf(const Cut& cut) {
  auto list = std::make_unique<ShapeList>();
  Dims sizes = cut.x->getShapeAsVector();
  for (const LongType part : cut.parts) {
    sizes[static_cast<size_t>(cut.axis)] = part;
    list->push_back(shapeOf(cut.x->dataType(), cut.x->ordering(), sizes));
  }
  return list.release();
}

}  // namespace

#define SD_SPLIT(NAME, NIN, IARGS, PARTS)                                \
  CUSTOM_OP_IMPL(NAME, NIN, -1, false, 0, IARGS) {                       \
    const Cut cut = PARTS(block);                                        \
    LongType start = 0;                                                  \
    for (size_t i = 0; i < cut.parts.size(); start += cut.parts[i++]) {  \
      const Region target(*OUTPUT_VARIABLE(static_cast<int>(i)));        \
      Region(*cut.x).take(cut.axis, start, cut.parts[i]).copyTo(target); \
    }                                                                    \
    return Status::OK;                                                   \
  }                                                                      \
  DECLARE_SHAPE_FN(NAME) { return shapesOf(PARTS(block)); }

SD_SPLIT(split, 1, 1, equalParts)
DECLARE_TYPES(split) {
  getOpDescriptor()
      ->setAllowedInputTypes({ALL_INTS, ALL_FLOATS})
      ->document({.summary = "Cuts an array along a dimension into equal parts.",
                  .formula = "z_k[.., j, ..] = x[.., k * n + j, ..], n = size / numSplits",
                  .inputs = "x: rank 1 or more\naxis?: one integer, before or after x",
                  .outputs = "z0, z1, …: numSplits parts, x's type and order",
                  .integers = "numSplits: the number of parts, which divides the size of the dimension\n"
                              "axis?: the dimension (default 0); overrides the input 'axis'"});
}

SD_SPLIT(split_v, 2, -2, givenParts)
DECLARE_TYPES(split_v) {
  getOpDescriptor()
      ->setAllowedInputTypes({ALL_INTS, ALL_FLOATS})
      ->setAllowedInputTypes(1, {ALL_INTS, ALL_FLOATS})
      ->setAllowedInputTypes(2, {ALL_INTS, ALL_FLOATS})
      ->document({.summary = "Cuts an array along a dimension into parts of given sizes.",
                  .formula = "z_k[.., j, ..] = x[.., n_k + j, ..], n_k the sum of the sizes before part k",
                  .inputs = "x: rank 1 or more\nsizes: the sizes, integers that add up to the size of the dimension\n"
                            "axis?: one integer",
                  .outputs = "z0, z1, …: one part for each size, x's type and order",
                  .integers = "axis?: the dimension (default 0); overrides the input 'axis'"});
}

}  // namespace sd::ops
