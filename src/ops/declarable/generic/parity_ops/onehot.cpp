// Indices as one-hot vectors, and lengths as masks.
// operations: onehot sequence_mask
#include <execution/Parallel.h>
#include <ops/declarable/headers/parity_ops.h>

#include <algorithm>

#include "types/TypeDispatch.h"
#include "ops/declarable/Common.h"
#include "ops/declarable/helpers/Region.h"

namespace sd::ops {
namespace {

struct OneHot {
  int axis;
  LongType depth;
};

OneHot oneHot(graph::Context& block, const LongType* indices) {
  const int rank = shape::rank(indices) + 1;
  const int axis = checkedAxis(integer(block, 0, -1), rank);
  LongType depth = 0;
  if (block.numI() > 1) {
    depth = block.intArgument64(1);
  } else if (const NDArray* given = block.optionalArray(1)) {
    depth = scalarInteger(*given, 1, "depth");
  } else {
    reject("the depth is missing");
  }
  if (depth <= 0) reject("'depth': {} is below 1", depth);
  return {axis, depth};
}

/// The values `on` and `off` as elements of type `type`.
std::pair<NDArray, NDArray> levels(graph::Context& block, DataType type) {
  NDArray on(type), off(type);
  const NDArray *onGiven = block.optionalArray(2), *offGiven = block.optionalArray(3);
  if (onGiven != nullptr) {
    requireScalar(*onGiven, 2, "on");
    on.assign(*onGiven);
  } else {
    on.assign(number(block, 0, 1));
  }
  if (offGiven != nullptr) {
    requireScalar(*offGiven, 3, "off");
    off.assign(*offGiven);
  } else {
    off.assign(onGiven != nullptr ? 0. : number(block, 1, 0));
  }
  return {std::move(on), std::move(off)};
}

}  // namespace

CUSTOM_OP_IMPL(onehot, 1, 1, false, -2, -2) {
  const NDArray& indices = *INPUT_VARIABLE(0);
  NDArray& z = *OUTPUT_VARIABLE(0);
  const auto [axis, depth] = oneHot(block, indices.shapeInfo());
  const auto [on, off] = levels(block, z.dataType());
  if (z.isEmpty()) return Status::OK;
  const Dense source = integerElements(indices, 0);
  DenseOut target(z);
  Region(*target).fill(off);
  LongType inner = 1;
  for (int d = axis; d < indices.rankOf(); d++) inner *= indices.sizeAt(d);
  const auto* at = source.as<LongType>();
  loops::withElementBits("onehot", z.dataType(), [&, size = depth, &level = on]<typename T>() {
    T* out = target.as<T>();
    const T value = *level.bufferAsT<T>();
    const LongType count = indices.lengthOf();
    execution::parallelFor(count, execution::threadsFor(2. * static_cast<double>(count)),
                           [&](LongType start, LongType stop) {
                             for (LongType k = start; k < stop; k++)
                               if (at[k] >= 0 && at[k] < size)
                                 out[(k / inner * size + at[k]) * inner + k % inner] = value;
                           });
  });
  target.commit();
  return Status::OK;
}
DECLARE_SHAPE_FN(onehot) {
  const LongType* indices = inputShape->at(0);
  const auto [axis, depth] = oneHot(block, indices);
  Dims sizes = dimsOf(indices);
  if (sizes.empty() && shape::isEmpty(indices)) sizes = {0};
  sizes.insert(sizes.begin() + std::min<std::ptrdiff_t>(axis, static_cast<std::ptrdiff_t>(sizes.size())), depth);
  return shapes(shapeOf(typeArgument(block, FLOAT32), 'c', sizes));
}
DECLARE_TYPES(onehot) {
  getOpDescriptor()
      ->setAllowedInputTypes(ANY)
      ->setAllowedInputTypes(0, {ALL_INTS, ALL_FLOATS})
      ->setAllowedInputTypes(1, {ALL_INTS, ALL_FLOATS})
      ->setAllowedOutputTypes(ANY)
      ->setNullableInputs({1, 2, 3})
      ->document({.summary = "Turns each number into a vector that is `on` at that position and `off` at all others.",
                  .formula = "z[.., j, ..] = on where indices[..] = j, else off",
                  .inputs = "indices: any shape; numbers outside 0..depth - 1 give vectors of `off`\n"
                            "depth?: the length of the vectors, one integer\non?: one element\noff?: one element",
                  .outputs = "z: the shape of indices with depth inserted at the axis, FLOAT32 or the type argument",
                  .floats = "on?: used when there is no such input (default 1)\noff?: used when there are no inputs on "
                            "and off (default 0)",
                  .integers = "axis?: the dimension of the vectors (default -1, the last dimension)\n"
                              "depth?: overrides the input"});
}

namespace {

/// A larger length is certainly a mistake and is rejected, rather than allocating gigabytes.
constexpr LongType LONGEST_MASK = LongType{1} << 28;

LongType maskLength(graph::Context& block, const NDArray& lengths) {
  LongType length = 0;
  if (const NDArray* given = block.optionalArray(1)) {
    length = scalarInteger(*given, 1, "maxlen");
  } else {
    length = integer(block, 0, 0);
  }
  if (length < 0) reject("'maxlen': {} is negative", length);
  if (!lengths.isEmpty()) {
    const Dense all = integerElements(lengths, 0);
    length = std::max(length, *std::max_element(all.as<LongType>(), all.as<LongType>() + lengths.lengthOf()));
  }
  if (length > LONGEST_MASK) reject("a mask of {} elements is too long: at most {} are possible", length, LONGEST_MASK);
  return length;
}

}  // namespace

CUSTOM_OP_IMPL(sequence_mask, 1, 1, false, 0, 0) {
  const NDArray& lengths = *INPUT_VARIABLE(0);
  NDArray& z = *OUTPUT_VARIABLE(0);
  if (z.isEmpty()) return Status::OK;
  const LongType width = z.sizeAt(-1), rows = lengths.lengthOf();
  const Dense source = integerElements(lengths, 0);
  DenseOut target(z);
  NDArray one(z.dataType());
  one.assign(1);
  const auto* length = source.as<LongType>();
  loops::withElementBits("sequence_mask", z.dataType(), [&]<typename T>() {
    T* out = target.as<T>();
    const T value = *one.bufferAsT<T>();
    const double cost = 0.1 * static_cast<double>(rows * width * static_cast<LongType>(sizeof(T)));
    execution::parallelFor(rows, execution::threadsFor(cost), [&](LongType start, LongType stop) {
      for (LongType r = start; r < stop; r++) {
        T* row = out + r * width;
        const LongType ones = std::clamp<LongType>(length[r], 0, width);
        std::fill(row, row + ones, value);
        std::fill(row + ones, row + width, T{0});
      }
    });
  });
  target.commit();
  return Status::OK;
}
DECLARE_SHAPE_FN(sequence_mask) {
  const NDArray& lengths = *INPUT_VARIABLE(0);
  const size_t typeAt = block.width() > 1 ? 0 : 1;
  const DataType type =
      block.numI() > typeAt ? checkedType(block.intArgument64(typeAt), "type") : typeArgument(block, BOOL);
  Dims sizes = lengths.getShapeAsVector();
  sizes.push_back(std::max<LongType>(maskLength(block, lengths), 0));
  if (lengths.isEmpty() && lengths.rankOf() == 0) sizes.insert(sizes.begin(), 0);
  return shapes(shapeOf(type, 'c', sizes));
}
DECLARE_TYPES(sequence_mask) {
  getOpDescriptor()
      ->setAllowedInputTypes({ALL_INTS, ALL_FLOATS})
      ->setAllowedOutputTypes(ANY)
      ->document({.summary = "Turns each number n into a vector of n ones, then zeros.",
                  .formula = "z[…, j] = j < lengths[…]",
                  .inputs = "lengths: any shape, integers\nmaxlen?: one integer",
                  .outputs = "z: the shape of lengths and max(maxlen, largest length); BOOL or the requested type",
                  .integers = "maxlen?: the minimum length of the vectors; used when there is no such input\n"
                              "type?: code of the output's type; overrides the type argument"});
}

}  // namespace sd::ops
