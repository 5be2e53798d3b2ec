// Stacks arrays of the same shape along a new dimension, and back.
// operations: stack parallel_stack unstack
// aliases: pack Pack unpack
#include <ops/declarable/headers/transforms.h>
#include <system/openmp_pragmas.h>

#include <array>

#include "array/NDArrayCommon.h"
#include "ops/declarable/Common.h"
#include "ops/declarable/helpers/Region.h"

namespace sd::ops {
namespace {

ShapeList* stackedShape(const ShapeList& inputs, LongType axis) {
  const LongType* first = inputs.at(0);
  const DataType type = ArrayOptions::dataType(first);
  for (int i = 1; i < inputs.size(); i++) {
    const LongType* x = inputs.at(i);
    if (!shape::shapeEquals(x, first) || shape::isEmpty(x) != shape::isEmpty(first))
      reject("input {}: its shape is {}, but input 0 has shape {}", i, text(x), text(first));
    if (ArrayOptions::dataType(x) != type)
      reject("input {}: its type is {}, but input 0 has type {}", i, DataTypeUtils::describe(ArrayOptions::dataType(x)),
             DataTypeUtils::describe(type));
  }
  Dims sizes = dimsOf(first);
  const int place = checkedAxis(axis, shape::rank(first) + 1, "dim");
  const LongType count = inputs.size();
  if (shape::rank(first) == 0 && shape::isEmpty(first))
    sizes = count == 1 ? Dims{0} : Dims{count, 0};
  else
    sizes.insert(sizes.begin() + place, count);
  return shapes(shapeOf(type, shape::order(first), sizes));
}

/// z[i, k] = inputs[k][i] for a few contiguous arrays, written as whole vectors of z.
template <typename T, int COUNT>
void interleave(graph::Context& block, NDArray& z) {
  const LongType length = z.lengthOf() / COUNT;
  std::array<const T*, COUNT> from;
  for (int k = 0; k < COUNT; k++) from[static_cast<size_t>(k)] = static_cast<const T*>(block.array(k)->buffer());
  T* const to = static_cast<T*>(z.buffer());
  const double cost = 0.1 * static_cast<double>(z.lengthOf()) * sizeof(T);
  execution::parallelFor(length, execution::threadsFor(cost), [=](LongType start, LongType stop) {
    PRAGMA_OMP_SIMD
    for (LongType i = start; i < stop; i++)
      for (size_t k = 0; k < COUNT; k++) to[i * COUNT + static_cast<LongType>(k)] = from[k][i];
  });
}

/// Returns whether it could interleave the inputs.
bool interleaved(graph::Context& block, int place, NDArray& z) {
  const auto count = block.width();
  if (place != z.rankOf() - 1 || (count != 2 && count != 4) || !arrays::isLinear(z)) return false;
  for (size_t k = 0; k < count; k++)
    if (!arrays::isLinear(*block.array(static_cast<int>(k)))) return false;
  const auto run = [&]<typename T>() { count == 2 ? interleave<T, 2>(block, z) : interleave<T, 4>(block, z); };
  switch (z.sizeOfT()) {
    case 1:
      run.template operator()<uint8_t>();
      return true;
    case 2:
      run.template operator()<uint16_t>();
      return true;
    case 4:
      run.template operator()<uint32_t>();
      return true;
    case 8:
      run.template operator()<uint64_t>();
      return true;
    default:
      return false;
  }
}

Status stackInto(graph::Context& block, LongType axis, NDArray& z) {
  if (z.isEmpty()) return Status::OK;
  const int place = checkedAxis(axis, z.rankOf(), "dim");
  if (interleaved(block, place, z)) return Status::OK;
  forEachPartOf(z, place, z.sizeAt(place), [&](LongType begin, LongType rows) {
    for (int i = 0, n = static_cast<int>(block.width()); i < n; i++) {
      Region from(*block.array(i)), to(z);
      to.at(place, i);
      if (place > 0) {
        from.take(0, begin, rows);
        to.take(0, begin, rows);
      }
      from.copyTo(to);
    }
  });
  return Status::OK;
}

}  // namespace

CUSTOM_OP_IMPL(stack, -1, 1, false, 0, 0) { return stackInto(block, integer(block, 0, 0), *OUTPUT_VARIABLE(0)); }
DECLARE_SHAPE_FN(stack) { return stackedShape(*inputShape, integer(block, 0, 0)); }
DECLARE_TYPES(stack) {
  getOpDescriptor()->setAllowedInputTypes(ANY)->setSameMode(true)->document(
      {.summary = "Joins arrays of one shape along a new dimension.",
       .formula = "z[.., k, ..] = x_k[..], k at position dim",
       .inputs = "x0, x1, …: equal shapes and types",
       .outputs = "z: x0's shape with the number of inputs inserted at `dim`, x0's type and order",
       .integers = "dim?: the position of the new dimension, -(rank + 1)..rank (default 0)"});
}
DECLARE_SYN(pack, stack);
DECLARE_SYN(Pack, stack);

CUSTOM_OP_IMPL(parallel_stack, -1, 1, false, 0, 0) { return stackInto(block, 0, *OUTPUT_VARIABLE(0)); }
DECLARE_SHAPE_FN(parallel_stack) { return stackedShape(*inputShape, 0); }
DECLARE_TYPES(parallel_stack) {
  getOpDescriptor()->setAllowedInputTypes(ANY)->setSameMode(true)->document(
      {.summary = "Joins arrays of one shape along a new first dimension.",
       .formula = "z[k, ..] = x_k[..]",
       .inputs = "x0, x1, …: equal shapes and types",
       .outputs = "z: [number of inputs, shape of x0], x0's type and order"});
}

CUSTOM_OP_IMPL(unstack, 1, -1, false, 0, 1) {
  const NDArray& x = *INPUT_VARIABLE(0);
  const int axis = checkedAxis(block.intArgument64(0), x.rankOf(), "dim");
  if (x.isEmpty()) return Status::OK;
  forEachPartOf(x, axis, x.sizeAt(axis), [&](LongType begin, LongType rows) {
    for (int i = 0; i < x.sizeAt(axis); i++) {
      Region from(x), to(*OUTPUT_VARIABLE(i));
      from.at(axis, i);
      if (axis > 0) {
        from.take(0, begin, rows);
        to.take(0, begin, rows);
      }
      from.copyTo(to);
    }
  });
  return Status::OK;
}
DECLARE_SHAPE_FN(unstack) {
  const LongType* x = inputShape->at(0);
  const int axis = checkedAxis(block.intArgument64(0), shape::rank(x), "dim");
  Dims sizes = dimsOf(x);
  const LongType count = sizes[static_cast<size_t>(axis)];
  requireOutputs(count);
  sizes.erase(sizes.begin() + axis);
  auto list = std::make_unique<ShapeList>();
  const LongType* part = shapeOf(ArrayOptions::dataType(x), shape::order(x), sizes);
  for (LongType i = 0; i < count; i++) list->push_back(part);
  return list.release();
}
DECLARE_TYPES(unstack) {
  getOpDescriptor()
      ->setAllowedInputTypes({ALL_INTS, ALL_FLOATS})
      ->document({.summary = "Cuts an array into its slices along a dimension.",
                  .formula = "z_k[..] = x[.., k, ..], k at position dim",
                  .inputs = "x: rank 1 or more",
                  .outputs = "z0, z1, …: one for each position, x's shape without `dim`, x's type and order",
                  .integers = "dim: the dimension; negative ones count from the end"});
}
DECLARE_SYN(unpack, unstack);

}  // namespace sd::ops
