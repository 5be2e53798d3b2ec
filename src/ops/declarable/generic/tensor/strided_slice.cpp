// Strided slices by begin, end and stride of each dimension, with new, removed and omitted dimensions.
// operations: strided_slice strided_slice_bp
// aliases: stridedslice
#include <ops/declarable/headers/tensor.h>

#include <algorithm>

#include "ops/declarable/helpers/Region.h"
#include "ops/declarable/helpers/ShortList.h"
#include "ops/declarable/helpers/backward_rules.h"
#include "ops/declarable/helpers/inference.h"

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
  bool anything = false;      ///< a dimension of the array has been sliced

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

bool bit(LongType mask, size_t position) { return position < 63 && (mask >> position & 1) != 0; }

/// The part of dimension `d` that entry `i` of the specification selects.
Step taken(const PartialShape& x, int d, LongType begin, LongType end, LongType stride, const StridedSlice& a, size_t i,
           bool strict) {
  const LongType size = x[d];
  if (stride == 0) reject("argument 'stride': the value at [{}] must not be 0", i);
  if (size == PartialShape::UNKNOWN)
    return {bit(a.shrinkAxisMask, i) ? Step::SHRINK : Step::TAKE, 0, PartialShape::UNKNOWN, 1};
  if (bit(a.shrinkAxisMask, i)) {
    const LongType at = begin < 0 ? begin + size : begin;
    if (stride < 0) reject("argument 'stride': {} at [{}] is below 1, but the dimension is shrunk", stride, i);
    if (at < 0 || at >= size)
      reject("argument 'begin': {} at [{}] is outside {}..{} (shape {})", begin, i, -size, size - 1, x.text());
    return {Step::SHRINK, at, 1, 1};
  }
  const bool wholeBegin = bit(a.beginMask, i), wholeEnd = bit(a.endMask, i);
  if (strict && !wholeBegin && begin > size)
    reject("argument 'begin': {} at [{}] is above {} (shape {})", begin, i, size, x.text());
  if (strict && !wholeEnd && end > size)
    reject("argument 'end': {} at [{}] is above {} (shape {})", end, i, size, x.text());
  const LongType low = stride > 0 ? 0 : -1, high = stride > 0 ? size : size - 1;
  const auto clamped = [&](LongType value) { return std::clamp(value < 0 ? value + size : value, low, high); };
  const LongType first = wholeBegin ? (stride > 0 ? low : high) : clamped(begin);
  const LongType last = wholeEnd ? (stride > 0 ? high : low) : clamped(end);
  const LongType distance = stride > 0 ? last - first : first - last;
  // at least one step; written so that no stride overflows
  const LongType count = distance <= 0 ? 0 : stride > 0 ? (distance - 1) / stride + 1 : (1 - distance) / stride + 1;
  return {Step::TAKE, first, count, count > 1 ? stride : 1};
}

/// Makes `slice` that of an array with this shape, whose rank is known. Unknown sizes give unknown counts.
void resolve(const StridedSlice& a, const PartialShape& x, bool alwaysStrict, Slice& slice) {
  const size_t count = a.begin.size();
  if (a.end.size() != count || (!a.stride.empty() && a.stride.size() != count))
    reject("arguments 'begin', 'end' and 'stride' have different numbers of values: {}, {} and {}", count, a.end.size(),
           a.stride.empty() ? count : a.stride.size());

  const int rank = x.rank();
  int ellipses = 0, named = 0;
  for (size_t i = 0; i < count; i++) {
    if (bit(a.ellipsisMask, i))
      ellipses++;
    else if (!bit(a.newAxisMask, i))
      named++;
  }
  if (ellipses > 1) reject("argument 'ellipsis_mask': {} marks more than one position", a.ellipsisMask);
  if (named > rank) reject("{} dimensions are sliced, but shape {} has {}", named, x.text(), rank);

  slice.steps.clear();
  slice.sizes.clear();
  slice.anything = false;
  int d = 0;
  const auto whole = [&](int dimensions) {
    for (; dimensions > 0; dimensions--, d++) slice.steps.push_back({Step::TAKE, 0, x[d], 1});
  };
  const bool strict = alwaysStrict || a.shrinkAxisMask == 0;
  for (size_t i = 0; i < count; i++) {
    if (bit(a.ellipsisMask, i)) {
      whole(rank - named);
    } else if (bit(a.newAxisMask, i)) {
      slice.steps.push_back({Step::NEW, 0, 1, 1});
    } else {
      slice.steps.push_back(taken(x, d, a.begin[i], a.end[i], a.stride.empty() ? 1 : a.stride[i], a, i, strict));
      d++;
    }
  }
  whole(rank - d);
  for (const Step& step : slice.steps) {
    if (step.kind != Step::SHRINK) slice.sizes.push_back(step.count);
    slice.anything |= step.kind != Step::NEW && step.count != 0;
  }
  if (slice.sizes.size() > SD_MAX_RANK)
    reject("argument 'new_axis_mask': {} dimensions exceed the maximum of {}", slice.sizes.size(), SD_MAX_RANK);
}

/// The slice of the running call.
const Slice& current(graph::Context& block, bool alwaysStrict) {
  if (const Slice* slice = block.kept<Slice>()) return *slice;
  Slice& slice = block.keptPlace<Slice>();
  resolve(arguments<StridedSlice>(block), PartialShape::of(block.array(0)->shapeInfo()), alwaysStrict, slice);
  return slice;
}

/// The arguments; `input` is the input that may give begin.
void describe(Schema& schema, int input) {
  using A = StridedSlice;
  schema.input("begin", "[n], first positions").types({ALL_INTS, ALL_FLOATS}).rank(0, 2).optional();
  schema.input("end", "[n], positions after the last").types({ALL_INTS, ALL_FLOATS}).rank(0, 2).optional();
  schema.input("stride", "[n], steps").types({ALL_INTS, ALL_FLOATS}).rank(0, 2).optional();
  schema.argument(&A::begin, "begin", "first position in each dimension; negative ones count from the end")
      .atInteger(5)
      .part(0, 3)
      .orInput(input)
      .require();
  schema.argument(&A::end, "end", "position after the last one in each dimension; negative ones count from the end")
      .atInteger(5)
      .part(1, 3)
      .orInput(input + 1)
      .require();
  schema.argument(&A::stride, "stride", "step in each dimension, which may be negative; 1 when there are none")
      .atInteger(5)
      .part(2, 3)
      .orInput(input + 2);
  schema.argument(&A::beginMask, "begin_mask", "bit i: begin[i] is not used, the part begins at the edge").atInteger(0);
  schema.argument(&A::endMask, "end_mask", "bit i: end[i] is not used, the part ends at the edge").atInteger(2);
  schema.argument(&A::ellipsisMask, "ellipsis_mask", "bit i: position i stands for all dimensions that are not listed")
      .atInteger(1);
  schema.argument(&A::newAxisMask, "new_axis_mask", "bit i: position i adds a dimension of size 1").atInteger(3);
  schema.argument(&A::shrinkAxisMask, "shrink_axis_mask", "bit i: only begin[i] is taken, and the dimension is removed")
      .atInteger(4);
}

bool knowsPositions(const Inference& in) {
  return in.knows(&StridedSlice::begin) && in.knows(&StridedSlice::end) && in.knows(&StridedSlice::stride);
}

void inferSlice(Inference& in) {
  const PartialShape x = in.input(0);
  const auto& a = in.arguments<StridedSlice>();
  const DataType type = a.dtype.value_or(x.type());
  if (!x.hasRank() || !knowsPositions(in)) return in.output(PartialShape(type));
  Slice apart;
  Slice& slice = in.isPartial() ? apart : in.keptPlace<Slice>();
  resolve(a, x, false, slice);
  if (!slice.anything && x.rank() > 0) return in.output(PartialShape::empty(type));
  if (x.isEmptyScalar()) return in.output(x.withType(type));
  in.output(PartialShape(type, slice.sizes.data(), slice.sizes.size(), 'c'));
}

void inferGradient(Inference& in) {
  const PartialShape x = in.input(0);
  in.input(1);
  in.output(x);
}

}  // namespace

CUSTOM_OP_IMPL(strided_slice, 1, 1, false, 0, 5) {
  const NDArray& x = *INPUT_VARIABLE(0);
  NDArray& z = *OUTPUT_VARIABLE(0);
  if (!z.isEmpty()) current(block, false).of(x).copyTo(Region(z));
  return Status::OK;
}
INFERRED_SHAPES(strided_slice)
DECLARE_SCHEMA(strided_slice) {
  schema.summary("A part of an array: x[begin:end:stride] in each dimension.")
      .formula("z[i, j, ..] = x[begin0 + i * stride0, begin1 + j * stride1, ..]")
      .note(
          "Negative positions count from the end. Strides may be negative. A begin or end beyond the end of its "
          "dimension is an error when shrink_axis_mask is 0, else it is clamped.");
  schema.input("x", "any shape").moved();
  describe(schema, 1);
  schema.argument(&StridedSlice::dtype, "dtype", "the type of the result, that of x when it is not given").atType(0);
  schema.output("z", "the part; an empty array of rank 0 when every dimension is empty");
  schema.inputTypes({ANY, ALL_COMPLEX}).infer(inferSlice).gradient("strided_slice_bp");
  schema.example(R"({"x": [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], "begin": [0, 0], "end": [2, 3], "stride": [1, 2]})")
      .elsewhere({.numpy = "x[begin:end:stride]", .torch = "x[begin:end:stride]", .tensorflow = "tf.strided_slice"})
      .words("slicing, subarray, crop, step")
      .see("slice create_view gather");
}
DECLARE_SYN(stridedslice, strided_slice);

CUSTOM_OP_IMPL(strided_slice_bp, 2, 1, false, 0, 5) {
  const NDArray& gradZ = *INPUT_VARIABLE(1);
  NDArray& gradX = *OUTPUT_VARIABLE(0);
  const Slice& slice = current(block, true);
  const bool one = gradZ.lengthOf() == 1 &&
                   std::all_of(slice.sizes.begin(), slice.sizes.end(), [](LongType size) { return size == 1; });
  const bool none = gradZ.isEmpty() && !slice.anything;
  const Dims sizes(slice.sizes.begin(), slice.sizes.end());
  if (!one && !none && !gradZ.isSameShape(sizes))
    reject("input 1 'gradZ': its shape is {}, but the slice has shape {}", text(gradZ), text(sizes));
  Region(gradX).fillZeros();
  if (!gradZ.isEmpty()) Region(gradZ).copyTo(slice.of(gradX));
  return Status::OK;
}
INFERRED_SHAPES(strided_slice_bp)
DECLARE_SCHEMA(strided_slice_bp) {
  schema.summary("The gradient of strided_slice: the gradient of the part, zeros elsewhere.")
      .formula("gradX[begin0 + i * stride0, ..] = gradZ[i, ..], 0 elsewhere");
  schema.input("x", "any shape").types({ALL_FLOATS});
  schema.input("gradZ", "the gradient of the part").types({ALL_FLOATS});
  describe(schema, 2);
  schema.output("gradX", "the shape and type of x");
  schema.outputTypes({ALL_FLOATS}).infer(inferGradient).gradient(linearBackwardRule);
  schema.example(R"({"x": [1.0, 2.0, 3.0, 4.0], "gradZ": [5.0, 6.0], "begin": [0], "end": [4], "stride": [2]})")
      .see("strided_slice");
}

}  // namespace sd::ops
