// Strided slices by begin, end and stride of each dimension, with new, removed and omitted dimensions.
// operations: strided_slice strided_slice_bp
// aliases: stridedslice
#include <ops/declarable/headers/tensor.h>

#include <algorithm>

#include "ops/declarable/Common.h"
#include "ops/declarable/helpers/Region.h"
#include "ops/declarable/helpers/listed.h"

namespace sd::ops {
namespace {

/// One position of the specification, resolved.
struct Step {
  enum Kind { TAKE, SHRINK, NEW } kind;
  LongType start, count, stride;
};

struct Slice {
  ShortList<Step> steps;
  ShortList<LongType> sizes;  ///< of the result
  bool anything;              ///< a dimension of the array has been sliced

  Region of(const NDArray& array) const {
    Region region(array);
    int axis = 0;
    for (const auto& [kind, start, count, stride] : steps) {
      if (kind == Step::SHRINK) {
        region.at(axis, start);
        continue;
      }
      if (kind == Step::NEW)
        region.insert(axis, 1);
      else
        region.take(axis, start, count, stride);
      axis++;
    }
    return region;
  }
};

struct Masks {
  LongType begin, ellipsis, end, newAxis, shrink;
};

bool bit(LongType mask, size_t position) { return position < 63 && (mask >> position & 1) != 0; }

/// The part of dimension `d` that entry `i` of the specification selects.
Step taken(const LongType* x, int d, LongType begin, LongType end, LongType stride, const Masks& masks, size_t i,
           bool strict) {
  const LongType size = sizeAt(x, d);
  if (stride == 0) reject("'strides': the value at [{}] must not be 0", i);
  if (bit(masks.shrink, i)) {
    const LongType at = begin < 0 ? begin + size : begin;
    if (stride < 0) reject("'strides': {} at [{}] is below 1, but the dimension is shrunk", stride, i);
    if (at < 0 || at >= size)
      reject("'begin': {} at [{}] is outside {}..{} (shape {})", begin, i, -size, size - 1, text(x));
    return {Step::SHRINK, at, 1, 1};
  }
  const bool wholeBegin = bit(masks.begin, i), wholeEnd = bit(masks.end, i);
  if (strict && !wholeBegin && begin > size)
    reject("'begin': {} at [{}] is above {} (shape {})", begin, i, size, text(x));
  if (strict && !wholeEnd && end > size) reject("'end': {} at [{}] is above {} (shape {})", end, i, size, text(x));
  const LongType low = stride > 0 ? 0 : -1, high = stride > 0 ? size : size - 1;
  const auto clamped = [&](LongType value) { return std::clamp(value < 0 ? value + size : value, low, high); };
  const LongType first = wholeBegin ? (stride > 0 ? low : high) : clamped(begin);
  const LongType last = wholeEnd ? (stride > 0 ? high : low) : clamped(end);
  const LongType distance = stride > 0 ? last - first : first - last;
  // at least one step; written so that no stride overflows
  const LongType count = distance <= 0 ? 0 : stride > 0 ? (distance - 1) / stride + 1 : (1 - distance) / stride + 1;
  return {Step::TAKE, first, count, count > 1 ? stride : 1};
}

constexpr size_t MASKS = 5;

/// Arguments I0…I4 are the masks; begin, end and strides are the inputs from `firstInput` on, or I5….
Slice resolve(graph::Context& block, const LongType* x, int firstInput, bool alwaysStrict) {
  const Masks masks{block.intArgument64(0), block.intArgument64(1), block.intArgument64(2), block.intArgument64(3),
                    block.intArgument64(4)};
  ShortList<LongType> begin, end, strides;
  const int given = static_cast<int>(block.width()) - firstInput;
  if (given > 0) {
    if (given < 2) reject("input {} 'end' is missing", firstInput + 1);
    begin = listed(block, firstInput);
    end = listed(block, firstInput + 1);
    strides = given > 2 ? listed(block, firstInput + 2) : ShortList<LongType>(begin.size(), 1);
  } else {
    const size_t rest = block.numI() - MASKS, n = rest / 3;
    if (rest == 0) reject("begin, end and strides are missing: neither inputs nor arguments give them");
    if (rest % 3 != 0) reject("the {} arguments for begin, end and strides are not divisible by 3", rest);
    begin = listed(block, MASKS, n);
    end = listed(block, MASKS + n, n);
    strides = listed(block, MASKS + 2 * n, n);
  }
  const size_t count = begin.size();
  if (end.size() != count || strides.size() != count)
    reject("begin, end and strides have different numbers of values: {}, {} and {}", count, end.size(), strides.size());

  const int rank = shape::rank(x);
  int ellipses = 0, named = 0;
  for (size_t i = 0; i < count; i++) {
    if (bit(masks.ellipsis, i))
      ellipses++;
    else if (!bit(masks.newAxis, i))
      named++;
  }
  if (ellipses > 1) reject("argument 'ellipsisMask': {} marks more than one position", masks.ellipsis);
  if (named > rank) reject("{} dimensions are sliced, but shape {} has {}", named, text(x), rank);

  Slice slice{{}, {}, false};
  int d = 0;
  const auto whole = [&](int dimensions) {
    for (; dimensions > 0; dimensions--, d++) slice.steps.push_back({Step::TAKE, 0, sizeAt(x, d), 1});
  };
  const bool strict = alwaysStrict || masks.shrink == 0;
  for (size_t i = 0; i < count; i++) {
    if (bit(masks.ellipsis, i)) {
      whole(rank - named);
    } else if (bit(masks.newAxis, i)) {
      slice.steps.push_back({Step::NEW, 0, 1, 1});
    } else {
      slice.steps.push_back(taken(x, d, begin[i], end[i], strides[i], masks, i, strict));
      d++;
    }
  }
  whole(rank - d);
  for (const Step& step : slice.steps) {
    if (step.kind != Step::SHRINK) slice.sizes.push_back(step.count);
    slice.anything |= step.kind != Step::NEW && step.count > 0;
  }
  if (slice.sizes.size() > SD_MAX_RANK)
    reject("argument 'newAxisMask': {} dimensions exceed the maximum of {}", slice.sizes.size(), SD_MAX_RANK);
  return slice;
}

constexpr const char* INTEGERS =
    "beginMask: bit i: begin[i] is not used, the part begins at the edge\n"
    "ellipsisMask: bit i: position i stands for all dimensions that are not listed\n"
    "endMask: bit i: end[i] is not used, the part ends at the edge\n"
    "newAxisMask: bit i: position i adds a dimension of size 1\n"
    "shrinkAxisMask: bit i: only begin[i] is taken, the dimension is removed\n"
    "begin, end, strides?: the three lists one after the other, used when there are no such inputs";

}  // namespace

CUSTOM_OP_IMPL(strided_slice, 1, 1, false, 0, 5) {
  const NDArray& x = *INPUT_VARIABLE(0);
  NDArray& z = *OUTPUT_VARIABLE(0);
  if (!z.isEmpty()) resolve(block, x.shapeInfo(), 1, false).of(x).copyTo(Region(z));
  return Status::OK;
}
DECLARE_SHAPE_FN(strided_slice) {
  const LongType* x = inputShape->at(0);
  const Slice slice = resolve(block, x, 1, false);
  const DataType type = typeArgument(block, ArrayOptions::dataType(x));
  if (!slice.anything && shape::rank(x) > 0) return shapes(ConstantShapeHelper::getInstance().emptyShapeInfo(type));
  if (shape::rank(x) == 0 && shape::isEmpty(x)) return shapes(like(x, type));
  return shapes(ConstantShapeHelper::getInstance().createShapeInfo(type, 'c', static_cast<int>(slice.sizes.size()),
                                                                   slice.sizes.data()));
}
DECLARE_TYPES(strided_slice) {
  getOpDescriptor()
      ->setAllowedInputTypes(ANY)
      ->setAllowedInputTypes(1, {ALL_INTS, ALL_FLOATS})
      ->setAllowedInputTypes(2, {ALL_INTS, ALL_FLOATS})
      ->setAllowedInputTypes(3, {ALL_INTS, ALL_FLOATS})
      ->document({.summary = "A part of an array: x[begin:end:stride] in each dimension.",
                  .formula = "z[i, j, ..] = x[begin0 + i * stride0, begin1 + j * stride1, ..]",
                  .inputs = "x: any shape\nbegin?: integer vector\nend?: integer vector, exclusive\n"
                            "strides?: integer vector (default 1)",
                  .outputs = "z: the part, x's type or the type argument; an empty array of rank 0 when every "
                             "dimension is empty",
                  .integers = INTEGERS,
                  .notes = "Negative positions count from the end. Strides may be negative. A begin or end beyond the "
                           "end of its dimension is an error when shrinkAxisMask is 0, else it is clamped."});
}
DECLARE_SYN(stridedslice, strided_slice);

CUSTOM_OP_IMPL(strided_slice_bp, 2, 1, false, 0, 5) {
  const NDArray &x = *INPUT_VARIABLE(0), &eps = *INPUT_VARIABLE(1);
  NDArray& gradient = *OUTPUT_VARIABLE(0);
  const Slice slice = resolve(block, x.shapeInfo(), 2, true);
  const bool one = eps.lengthOf() == 1 &&
                   std::all_of(slice.sizes.begin(), slice.sizes.end(), [](LongType size) { return size == 1; });
  const bool none = eps.isEmpty() && !slice.anything;
  const Dims sizes(slice.sizes.begin(), slice.sizes.end());
  if (!one && !none && !eps.isSameShape(sizes))
    reject("input 1 'eps': its shape is {}, but the slice has shape {}", text(eps), text(sizes));
  Region(gradient).fillZeros();
  if (!eps.isEmpty()) Region(eps).copyTo(slice.of(gradient));
  return Status::OK;
}
DECLARE_SHAPE_FN(strided_slice_bp) { return shapes(like(inputShape->at(0))); }
DECLARE_TYPES(strided_slice_bp) {
  getOpDescriptor()
      ->setAllowedInputTypes({ALL_FLOATS})
      ->setAllowedInputTypes(2, {ALL_INTS, ALL_FLOATS})
      ->setAllowedInputTypes(3, {ALL_INTS, ALL_FLOATS})
      ->setAllowedInputTypes(4, {ALL_INTS, ALL_FLOATS})
      ->setAllowedOutputTypes({ALL_FLOATS})
      ->document({.summary = "The gradient of strided_slice: the gradient of the part, zeros elsewhere.",
                  .formula = "gradX[begin0 + i * stride0, ..] = eps[i, ..], 0 elsewhere",
                  .inputs = "x: any shape\neps: the gradient of the part\nbegin?, end?, strides?: as in strided_slice",
                  .outputs = "gradX: x's shape and type",
                  .integers = INTEGERS});
}

}  // namespace sd::ops
