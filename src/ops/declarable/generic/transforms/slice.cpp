// A contiguous range of each dimension of an array; the gradient is surrounded by zeros.
// operations: slice slice_bp
#include <ops/declarable/headers/transforms.h>

#include "ops/declarable/Common.h"
#include "ops/declarable/helpers/Region.h"

namespace sd::ops {
namespace {

struct Box {
  Dims begin, size;

  Region of(const NDArray& array) const {
    Region region(array);
    for (int d = 0; d < region.rank(); d++) region.take(d, begin[static_cast<size_t>(d)], size[static_cast<size_t>(d)]);
    return region;
  }
};

/// The box from inputs 1 and 2, or from the arguments.
Box box(graph::Context& block, const LongType* x, bool fromInputs) {
  const auto rank = static_cast<size_t>(shape::rank(x));
  Box result;
  if (fromInputs) {
    result = {integersOf(*block.array(1), 1, "begin"), integersOf(*block.array(2), 2, "size")};
    if (result.begin.size() != rank || result.size.size() != rank)
      reject("inputs 1 'begin' and 2 'size': {} and {} values are given for shape {}", result.begin.size(),
             result.size.size(), text(x));
  } else {
    if (block.numI() < 2 * rank) reject("{} integer arguments are needed for shape {}", 2 * rank, text(x));
    const auto all = integerArguments(block);
    const auto middle = all.begin() + static_cast<std::ptrdiff_t>(rank);
    result = {Dims(all.begin(), middle), Dims(middle, middle + static_cast<std::ptrdiff_t>(rank))};
  }
  for (size_t d = 0; d < rank; d++) {
    const LongType whole = x[1 + d], begin = result.begin[d];
    LongType& size = result.size[d];
    if (begin < 0 || begin > whole)
      reject("'begin': {} in dimension {} is outside 0..{} (shape {})", begin, d, whole, text(x));
    if (size == -1) size = whole - begin;
    if (size < 0 || size > whole - begin)
      reject("'size': {} positions from {} in dimension {} do not fit shape {}", size, begin, d, text(x));
  }
  return result;
}

}  // namespace

CUSTOM_OP_IMPL(slice, 1, 1, false, 0, -2) {
  const NDArray& x = *INPUT_VARIABLE(0);
  box(block, x.shapeInfo(), block.width() == 3).of(x).copyTo(Region(*OUTPUT_VARIABLE(0)));
  return Status::OK;
}
DECLARE_SHAPE_FN(slice) {
  const LongType* x = inputShape->at(0);
  if (shape::rank(x) == 0) return shapes(like(x));
  return shapes(shapeOf(ArrayOptions::dataType(x), 'c', box(block, x, block.width() == 3).size));
}
DECLARE_TYPES(slice) {
  getOpDescriptor()
      ->setAllowedInputTypes(ANY)
      ->setAllowedInputTypes(1, {ALL_INTS, ALL_FLOATS})
      ->setAllowedInputTypes(2, {ALL_INTS, ALL_FLOATS})
      ->setSameMode(true)
      ->document({.summary = "A rectangular part (box) of an array.",
                  .formula = "z[i, j, ..] = x[begin0 + i, begin1 + j, ..]",
                  .inputs = "x: any shape\nbegin?: the first position in each dimension, integer vector\n"
                            "size?: the number of positions; -1: up to the end",
                  .outputs = "z: the requested sizes, x's type",
                  .integers = "begin, size?: used when there are no such inputs: first all of begin, then all of "
                              "size"});
}

CUSTOM_OP_IMPL(slice_bp, 2, 1, false, 0, -2) {
  const NDArray& x = *INPUT_VARIABLE(0);
  const bool fromInputs = block.width() == 4;
  const int last = fromInputs ? 3 : 1;
  const NDArray& eps = *INPUT_VARIABLE(last);
  NDArray& gradient = *OUTPUT_VARIABLE(0);
  const Box part = box(block, x.shapeInfo(), fromInputs);
  for (const LongType size : part.size)
    if (size < 1) reject("'size': {} is below 1 ({})", size, text(part.size));
  if (!eps.isSameShape(part.size) && !(eps.lengthOf() == 1 && part.size.empty()))
    reject("input {} 'eps': its shape is {}, but the box has shape {}", last, text(eps), text(part.size));
  Region(gradient).fillZeros();
  Region(eps).copyTo(part.of(gradient));
  return Status::OK;
}
DECLARE_SHAPE_FN(slice_bp) { return shapes(like(inputShape->at(0))); }
DECLARE_TYPES(slice_bp) {
  getOpDescriptor()
      ->setAllowedInputTypes({ALL_FLOATS, ALL_INTS, BOOL})
      ->setAllowedOutputTypes({ALL_FLOATS})
      ->setSameMode(true)
      ->document({.summary = "The gradient of slice: the gradient of the box, zeros around it.",
                  .formula = "gradX[begin0 + i, ..] = eps[i, ..], 0 elsewhere",
                  .inputs = "x: any shape\nbegin?, size?: as in slice\neps: the gradient of the box",
                  .outputs = "gradX: x's shape and type",
                  .integers = "begin, size?: as in slice, used when there are no such inputs"});
}

}  // namespace sd::ops
