// A view of a part of an array.
// operations: create_view
#include <ops/declarable/headers/tensor.h>

#include "ops/declarable/Common.h"
#include "ops/declarable/OpOutputs.h"

namespace sd::ops {
namespace {

enum IndexType : LongType { POINT = 0, INTERVAL = 1, ALL = 2, NEW_AXIS = 3 };

/// Dimensions, strides and the first element of the view.
struct ViewShape {
  Dims sizes, strides;
  LongType offset = 0;

  void add(LongType size, LongType stride) {
    sizes.push_back(size);
    strides.push_back(stride);
  }
};

/// An interval [1, count, stride, start, end, (stride), inclusive]. A stride after the end takes precedence over the
/// other.
void addInterval(ViewShape& view, const Dims& index, int input, const NDArray& base, int d) {
  const LongType size = base.sizeAt(d), stride = base.strideAt(d);
  if (index.size() < 6) reject("input {}: an interval needs 6 or 7 numbers, not {}", input, index.size());
  const LongType step = index.size() > 6 ? index[5] : index[2];
  const bool inclusive = index.back() != 0;
  const LongType start = index[3] < 0 ? index[3] + size : index[3], end = index[4] < 0 ? index[4] + size : index[4];
  const LongType last = inclusive || end < 0 ? end : end - 1;
  if (step < 1) reject("input {}: stride {} is below 1", input, step);
  if (start < 0 || start >= size || last >= size || last < start)
    reject("input {}: positions {}..{} are not inside 0..{}", input, start, last, size - 1);
  const LongType count = (last - start) / step + 1;
  if (base.isEmpty()) return view.add(count, stride);  // nothing is read; strides may be too large to multiply
  view.offset += start * stride;
  view.add(count, count == 1 ? stride : stride * step);
}

ViewShape viewShape(graph::Context& block) {
  const NDArray& base = *block.array(0);
  ViewShape view;
  int d = 0;
  for (int i = 1, n = static_cast<int>(block.width()); i < n; i++) {
    const auto index = integersOf(*block.array(i), i);
    if (index.size() < 4) reject("input {}: an index needs at least 4 numbers, not {}", i, index.size());
    if (index[0] == NEW_AXIS) {
      view.add(1, 1);
      continue;
    }
    if (d >= base.rankOf()) reject("input {}: there are more indices than dimensions (shape {})", i, text(base));
    const LongType size = base.sizeAt(d);
    if (index[0] == POINT) {
      const LongType at = index[3] < 0 ? index[3] + size : index[3];
      if (at < 0 || at >= size)
        reject("input {}: position {} is outside 0..{} (shape {})", i, index[3], size - 1, text(base));
      if (!base.isEmpty()) view.offset += at * base.strideAt(d);
    } else if (index[0] == INTERVAL) {
      addInterval(view, index, i, base, d);
    } else if (index[0] == ALL) {
      view.add(size, base.strideAt(d));
    } else {
      reject("input {}: index kind {} does not exist", i, index[0]);
    }
    d++;
  }
  for (; d < base.rankOf(); d++) view.add(base.sizeAt(d), base.strideAt(d));
  if (view.sizes.size() > SD_MAX_RANK) reject("the view would have {} dimensions", view.sizes.size());
  return view;
}

}  // namespace

CUSTOM_OP_IMPL(create_view, -2, -1, true, 0, -2) {
  NDArray &base = *INPUT_VARIABLE(0), &z = *OUTPUT_VARIABLE(0);
  const ViewShape view = viewShape(block);
  const int rank = static_cast<int>(view.sizes.size());
  LongType info[SD_MAX_SHAPEINFOLENGTH];
  shape::fillContiguous(info, base.dataType(), 'c', rank, view.sizes.data());
  std::copy(view.strides.begin(), view.strides.end(), shape::stride(info));
  shape::checkStridesEwsAndOrder(info);
  if (base.isEmpty()) return Status::OK;
  NDArray part = base.viewOf(info, view.offset);
  // Without the shape function, z is the caller's array, which keeps its memory.
  if (outputsAreReady(block) && !block.isMadeOutput(0)) {
    if (!z.isSameShape(part)) reject("output 0: its shape is {}, but the view has shape {}", text(z), text(part));
    z.assign(part);
  } else {
    z = std::move(part);
  }
  return Status::OK;
}
DECLARE_SHAPE_FN(create_view) {
  if (block.width() < 1) reject("the array is missing");
  return shapes(shapeOf(block.array(0)->dataType(), 'c', viewShape(block).sizes));
}
DECLARE_TYPES(create_view) {
  getOpDescriptor()->setAllowedInputTypes(ANY)->setAllowedOutputTypes(ANY)->setView(0, 0)->document(
      {.summary = "A part of an array that shares its memory.",
       .inputs = "base: any shape\nindex0, index1, …?: one integer vector for each dimension (missing ones: "
                 "all): [0, 1, 1, position, 1] a position, [1, 2, 1, start, end, stride, inclusive] an "
                 "interval, [2, 0, 1, 1] all, [3, 1, 1, 0, 1] a new dimension",
       .outputs = "z: a view of base",
       .notes = "Negative positions count from the end. An interval may omit the stride at its sixth position; its "
                "third number is then the stride."});
}

}  // namespace sd::ops
