// A view of a part of an array.
// operations: create_view
#include <ops/declarable/headers/tensor.h>

#include "ops/declarable/OpOutputs.h"
#include "ops/declarable/helpers/ShortList.h"
#include "ops/declarable/helpers/inference.h"
#include "ops/declarable/helpers/rules.h"
#include "ops/declarable/helpers/runtime_errors.h"

namespace sd::ops {
namespace {

enum IndexType : LongType { POINT = 0, INTERVAL = 1, ALL = 2, NEW_AXIS = 3 };

constexpr LongType UNKNOWN = PartialShape::UNKNOWN;

/// One dimension of the base or of the view: `count` positions from `start` on; a position alone leaves the view.
struct Part {
  int axis;  ///< of the base; -1: a new dimension
  LongType start, count, stride;
  bool leaves;
};

struct View {
  ShortList<Part> parts;

  PartialShape shape(DataType type) const {
    PartialShape shape(type, {});
    for (const Part& part : parts)
      if (!part.leaves) shape.append(part.count);
    return shape;
  }
};

/// An interval [1, count, stride, start, end, (stride), inclusive]. A stride after the end takes precedence over the
/// other.
Part interval(const Dims& index, int input, LongType size, int d) {
  if (index.size() < 6) reject("input {}: an interval needs 6 or 7 numbers, not {}", input, index.size());
  const LongType step = index.size() > 6 ? index[5] : index[2];
  if (step < 1) reject("input {}: stride {} is below 1", input, step);
  if (size == UNKNOWN) return {d, 0, UNKNOWN, step, false};
  const bool inclusive = index.back() != 0;
  const LongType start = index[3] < 0 ? index[3] + size : index[3], end = index[4] < 0 ? index[4] + size : index[4];
  const LongType last = inclusive || end < 0 ? end : end - 1;
  if (start < 0 || start >= size || last >= size || last < start)
    rejectAtRuntime("input {}: positions {}..{} are not inside 0..{}", input, start, last, size - 1);
  return {d, start, (last - start) / step + 1, step, false};
}

/// The view of an array of this shape, whose rank is known. `values(i)` is input i, an index, of `inputs`.
template <typename Values>
View viewOf(const PartialShape& base, int inputs, Values&& values) {
  View view;
  int d = 0, rank = 0;
  for (int i = 1; i < inputs; i++) {
    const auto index = integersOf(*values(i), i, "indices");
    if (index.size() < 4) reject("input {}: an index needs at least 4 numbers, not {}", i, index.size());
    if (index[0] == NEW_AXIS) {
      view.parts.push_back({-1, 0, 1, 1, false});
      continue;
    }
    if (d >= base.rank()) reject("input {}: there are more indices than dimensions (shape {})", i, base.text());
    const LongType size = base[d];
    if (index[0] == POINT) {
      const LongType at = index[3] < 0 && size != UNKNOWN ? index[3] + size : index[3];
      if (size != UNKNOWN && (at < 0 || at >= size))
        rejectAtRuntime("input {}: position {} is outside 0..{} (shape {})", i, index[3], size - 1, base.text());
      view.parts.push_back({d, at, 1, 1, true});
    } else if (index[0] == INTERVAL) {
      view.parts.push_back(interval(index, i, size, d));
    } else if (index[0] == ALL) {
      view.parts.push_back({d, 0, size, 1, false});
    } else {
      reject("input {}: index kind {} does not exist", i, index[0]);
    }
    d++;
  }
  for (; d < base.rank(); d++) view.parts.push_back({d, 0, base[d], 1, false});
  for (const Part& part : view.parts) rank += part.leaves ? 0 : 1;
  if (rank > SD_MAX_RANK) reject("the view would have {} dimensions", rank);
  return view;
}

const View& current(graph::Context& block) {
  return kept<View>(block, [&] {
    return viewOf(PartialShape::of(block.array(0)->shapeInfo()), static_cast<int>(block.width()),
                  [&](int i) { return block.array(i); });
  });
}

void inferView(Inference& in) {
  const PartialShape base = in.input(0);
  bool known = base.hasRank();
  for (int i = 1; i < in.inputs(); i++) {
    in.input(i);
    known = known && in.values(i) != nullptr;
  }
  if (!known) return in.output(PartialShape(base.type()));
  const View view = viewOf(base, in.inputs(), [&](int i) { return in.values(i); });
  in.keep(view);
  in.output(view.shape(base.type()));
}

/// The part of an array that has elements.
NDArray partOf(NDArray& base, const View& view) {
  Dims sizes, strides;
  LongType offset = 0;
  for (const auto& [axis, start, count, stride, leaves] : view.parts) {
    const LongType step = axis < 0 ? 1 : base.strideAt(axis);
    offset += start * step;
    if (leaves) continue;
    sizes.push_back(count);
    strides.push_back(count == 1 ? step : step * stride);
  }
  LongType info[SD_MAX_SHAPEINFOLENGTH];
  shape::fillContiguous(info, base.dataType(), 'c', static_cast<int>(sizes.size()), sizes.data());
  std::copy(strides.begin(), strides.end(), shape::stride(info));
  shape::checkStridesEwsAndOrder(info);
  return base.viewOf(info, offset);
}

}  // namespace

CUSTOM_OP_IMPL(create_view, -2, -1, true, 0, -2) {
  NDArray &base = *INPUT_VARIABLE(0), &z = *OUTPUT_VARIABLE(0);
  const View& view = current(block);
  if (base.isEmpty()) return Status::OK;
  NDArray part = partOf(base, view);
  // Without the shape function, z may be the caller's array, which keeps its memory.
  const bool isReplaceable = block.isMadeOutput(0) || (block.takesPushedOutputs() && !block.isInplace());
  if (outputsAreReady(block) && !isReplaceable) {
    if (!z.isSameShape(part)) reject("output 0: its shape is {}, but the view has shape {}", text(z), text(part));
    z.assign(part);
  } else {
    z = std::move(part);
  }
  return Status::OK;
}
INFERRED_SHAPES(create_view)
DECLARE_SCHEMA(create_view) {
  schema.summary("A part of an array that shares its memory.")
      .note(
          "Negative positions count from the end. An interval may omit the stride at its sixth position; its third "
          "number is then the stride.");
  schema.input("base", "any shape");
  schema
      .input("indices",
             "one integer vector for each dimension (missing ones: all): [0, 1, 1, position, 1] a position, [1, 2, 1, "
             "start, end, stride, inclusive] an interval, [2, 0, 1, 1] all, [3, 1, 1, 0, 1] a new dimension")
      .any()
      .shapesNeedValues();
  schema.output("z", "a view of base");
  schema.view(0, 0);
  schema.inputTypes({ANY, ALL_COMPLEX}).outputTypes({ANY, ALL_COMPLEX}).infer(inferView);
  schema.example(R"({"base": [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], "indices": [[0, 1, 1, 1, 1]]})");
  schema.words("subarray, view, slice without copy").see("strided_slice slice");
  schema.gradient(movingRule<0>);
}

}  // namespace sd::ops
