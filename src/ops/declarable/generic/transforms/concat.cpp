// Joins arrays along a dimension; the gradient splits the joined array.
// operations: concat concat_bp
// aliases: ParallelConcat concat_v2 concatv2
#include <ops/declarable/headers/transforms.h>

#include "ops/declarable/Common.h"
#include "ops/declarable/helpers/Region.h"

namespace sd::ops {
namespace {

bool isEmptyScalar(const LongType* info) { return shape::rank(info) == 0 && shape::isEmpty(info); }

/// The sizes of an input; a scalar counts as a vector.
Dims sizesOf(const LongType* info) {
  if (shape::rank(info) > 0) return dimsOf(info);
  return {shape::isEmpty(info) ? 0 : 1};
}

struct Joined {
  int axis;
  Dims sizes;
};

/// The shape of the first `count` inputs joined. `extra` is the number of inputs that follow them.
Joined joined(graph::Context& block, int count) {
  if (count < 1) reject("there is no array to join");
  const bool fromInput = flag(block, 0);
  if (!fromInput && block.numI() == 0) reject("the axis is missing");
  LongType asked = 0;
  if (fromInput) {
    const int last = static_cast<int>(block.width()) - 1;
    asked = scalarInteger(*block.array(last), last, "axis");
  } else {
    asked = block.intArgument64(0);
  }
  // Empty scalars are ignored; the first other input determines the shape.
  int first = 0;
  while (first < count - 1 && isEmptyScalar(block.array(first)->shapeInfo())) first++;
  Joined result{0, sizesOf(block.array(first)->shapeInfo())};
  const int rank = static_cast<int>(result.sizes.size());
  result.axis = checkedAxis(asked, rank);
  LongType& total = result.sizes[static_cast<size_t>(result.axis)];
  int typed = -1;
  for (int i = 0; i < count; i++) {
    const NDArray& x = *block.array(i);
    if (!x.isEmpty()) {
      if (typed < 0) typed = i;
      if (x.dataType() != block.array(typed)->dataType())
        reject("input {}: its type is {}, but input {} has type {}", i, DataTypeUtils::describe(x.dataType()), typed,
               DataTypeUtils::describe(block.array(typed)->dataType()));
    }
    if (i == first || isEmptyScalar(x.shapeInfo())) continue;
    const Dims sizes = sizesOf(x.shapeInfo());
    bool fits = sizes.size() == result.sizes.size();
    for (int d = 0; fits && d < rank; d++)
      fits = d == result.axis || sizes[static_cast<size_t>(d)] == result.sizes[static_cast<size_t>(d)];
    if (!fits)
      reject("input {}: its shape {} and the shape of input {}, {}, differ in a dimension other than {}", i, text(x),
             first, text(*block.array(first)), result.axis);
    if (__builtin_add_overflow(total, sizes[static_cast<size_t>(result.axis)], &total))
      reject("the inputs have too many elements");
  }
  return result;
}

int arraysOf(graph::Context& block, int others) {
  return static_cast<int>(block.width()) - others - (flag(block, 0) ? 1 : 0);
}

/// Calls f(i, start, size) for each non-empty input, with its position along the axis.
template <typename F>
void forEachPart(graph::Context& block, int count, int axis, F&& f) {
  LongType start = 0;
  for (int i = 0; i < count; i++) {
    const NDArray& x = *block.array(i);
    if (x.isEmpty()) continue;
    const LongType size = x.rankOf() == 0 ? 1 : x.sizeAt(axis);
    f(i, start, size);
    start += size;
  }
}

}  // namespace

CUSTOM_OP_IMPL(concat, -1, 1, false, 0, 0) {
  NDArray& z = *OUTPUT_VARIABLE(0);
  const int count = arraysOf(block, 0), axis = joined(block, count).axis;
  if (z.isEmpty()) return Status::OK;
  forEachPartOf(z, axis, count, [&](LongType begin, LongType rows) {
    forEachPart(block, count, axis, [&](int i, LongType start, LongType size) {
      Region from(*INPUT_VARIABLE(i)), to(z);
      if (from.rank() == 0) from.insert(0, 1);
      to.take(axis, start, size);
      if (axis > 0) {
        from.take(0, begin, rows);
        to.take(0, begin, rows);
      }
      from.copyTo(to);
    });
  });
  return Status::OK;
}
DECLARE_SHAPE_FN(concat) {
  const LongType* first = inputShape->at(0);
  const char order = shape::rank(first) == 0 ? 'c' : shape::order(first);
  return shapes(shapeOf(ArrayOptions::dataType(first), order, joined(block, arraysOf(block, 0)).sizes));
}
DECLARE_TYPES(concat) {
  getOpDescriptor()->setAllowedInputTypes(ANY)->setSameMode(true)->document(
      {.summary = "Joins arrays along a dimension.",
       .formula = "z[.., n_k + j, ..] = x_k[.., j, ..], n_k the total size of the arrays before x_k",
       .inputs = "x0, x1, …: one type, equal shapes except along the axis; scalars count as vectors, empty arrays are "
                 "skipped\naxis?: one integer, the last input; only with axisIsInput",
       .outputs = "z: the sizes along the axis added up; x0's type and order",
       .integers = "axis?: the dimension; negative ones count from the end; required without axisIsInput",
       .booleans = "axisIsInput?: the last input is the axis (default false)"});
}
DECLARE_SYN(ParallelConcat, concat);
DECLARE_SYN(concat_v2, concat);
DECLARE_SYN(concatv2, concat);

CUSTOM_OP_IMPL(concat_bp, -1, -1, false, 0, 0) {
  const int count = arraysOf(block, 1);
  const auto [axis, sizes] = joined(block, count);
  const NDArray& eps = *INPUT_VARIABLE(count);
  if (!eps.isSameShape(sizes))
    reject("input {} 'eps': its shape is {}, but the joined array has shape {}", count, text(eps), text(sizes));
  if (eps.isEmpty()) return Status::OK;
  forEachPartOf(eps, axis, count, [&, axis = axis](LongType begin, LongType rows) {
    forEachPart(block, count, axis, [&](int i, LongType start, LongType size) {
      Region from(eps), to(*OUTPUT_VARIABLE(i));
      if (to.rank() == 0) to.insert(0, 1);
      from.take(axis, start, size);
      if (axis > 0) {
        from.take(0, begin, rows);
        to.take(0, begin, rows);
      }
      from.copyTo(to);
    });
  });
  return Status::OK;
}
DECLARE_SHAPE_FN(concat_bp) {
  const int count = arraysOf(block, 1);
  joined(block, count);
  auto list = std::make_unique<ShapeList>();
  for (int i = 0; i < count; i++) list->push_back(like(inputShape->at(i)));
  return list.release();
}
DECLARE_TYPES(concat_bp) {
  getOpDescriptor()->setAllowedInputTypes(ANY)->setSameMode(true)->document(
      {.summary = "The gradients of concat: the parts of the gradient of the joined array.",
       .formula = "grad_k[.., j, ..] = eps[.., n_k + j, ..], n_k the total size of the arrays before x_k",
       .inputs = "x0, x1, …: as in concat\neps: the gradient of z\naxis?: as in concat",
       .outputs = "grad0, grad1, …: the shapes and types of x0, x1, …",
       .integers = "axis?: as in concat",
       .booleans = "axisIsInput?: as in concat"});
}

}  // namespace sd::ops
