// Indices as one-hot vectors, and lengths as masks.
// operations: onehot sequence_mask
#include <execution/Parallel.h>
#include <ops/declarable/headers/parity_ops.h>

#include <algorithm>

#include "ops/declarable/helpers/Region.h"
#include "ops/declarable/helpers/inference.h"
#include "types/TypeDispatch.h"

namespace sd::ops {
namespace {

/// on_value and off_value as elements of type `type`.
std::pair<NDArray, NDArray> levels(graph::Context& block, DataType type) {
  NDArray on(type), off(type);
  const NDArray *onGiven = block.optionalArray(2), *offGiven = block.optionalArray(3);
  if (onGiven != nullptr) {
    requireScalar(*onGiven, 2, "on_value");
    on.assign(*onGiven);
  } else {
    on.assign(arguments<OneHot>(block).onValue);
  }
  if (offGiven != nullptr) {
    requireScalar(*offGiven, 3, "off_value");
    off.assign(*offGiven);
  } else {
    off.assign(arguments<OneHot>(block).offValue);
  }
  return {std::move(on), std::move(off)};
}

/// By position off_value counts only when no input gives on_value.
bool readOff(const ArgumentRow& row, const graph::Context& block, void* arguments) {
  if (block.optionalArray(2) != nullptr || block.numT() < 2) return false;
  const double off = block.floatArgument(1);
  row.access().setNumbers(row.memberOf(arguments), &off, 1);
  return true;
}

void inferOneHot(Inference& in) {
  const PartialShape indices = in.input(0);
  const auto& a = in.arguments<OneHot>();
  if (!indices.hasRank()) return in.output(PartialShape(a.dtype));
  const int axis = checkedAxis(a.axis, indices.rank() + 1);
  const LongType depth = in.knows(&OneHot::depth) ? a.depth : PartialShape::UNKNOWN;
  PartialShape z(a.dtype, {});
  for (int d = 0; d < indices.rank(); d++) {
    if (d == axis) z.append(depth);
    z.append(indices[d]);
  }
  if (axis == indices.rank()) z.append(depth);
  if (indices.isEmptyScalar()) z.append(0);
  in.output(z);
}

}  // namespace

CUSTOM_OP_IMPL(onehot, 1, 1, false, -2, -2) {
  const NDArray& indices = *INPUT_VARIABLE(0);
  NDArray& z = *OUTPUT_VARIABLE(0);
  const auto& a = arguments<OneHot>(block);
  const int axis = checkedAxis(a.axis, indices.rankOf() + 1);
  const LongType depth = a.depth;
  const auto [on, off] = levels(block, z.dataType());
  if (z.isEmpty()) return Status::OK;
  const Dense source = integerElements(indices, 0, "indices");
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
INFERRED_SHAPES(onehot)
DECLARE_SCHEMA(onehot) {
  schema.summary("Turns each number into a vector that is on_value at that position and off_value at all others.")
      .formula("z[.., j, ..] = on_value where indices[..] = j, else off_value");
  schema.input("indices", "any shape; numbers outside 0..depth - 1 give vectors of off_value")
      .types({ALL_FLOATS, ALL_INTS});
  schema.input("depth", "one integer").types({ALL_FLOATS, ALL_INTS}).optional();
  schema.input("on_value", "one element").optional();
  schema.input("off_value", "one element").optional();
  using A = OneHot;
  schema.argument(&A::axis, "axis", "the dimension of the vectors in z, -(rank + 1)..rank").atInteger(0);
  schema.argument(&A::depth, "depth", "the length of the vectors").atInteger(1).elseInput(1).atLeast(1).require();
  schema.argument(&A::onValue, "on_value", "the value at the position of the index; used when the input is not given")
      .atFloat(0);
  schema
      .argument(
          &A::offValue, "off_value",
          "the value at all other positions; used when the input is not given, and by position only when there is "
          "no input on_value either")
      .atFloat(1)
      .readBy(readOff);
  schema.argument(&A::dtype, "dtype", "the type of the result").atType(0);
  schema.output("z", "the shape of indices with depth inserted at axis, dtype");
  schema.inputTypes({ANY}).outputTypes({ANY}).infer(inferOneHot);
  schema.example(R"({"indices": [0, 2], "depth": 3})");
  schema.elsewhere({.torch = "torch.nn.functional.one_hot", .tensorflow = "tf.one_hot", .onnx = "OneHot"});
  schema.words("one-hot, categories, encode").see("sequence_mask eye");
  schema.notDifferentiable(INTEGER_INPUTS);
}

namespace {

/// A larger length is certainly a mistake and is rejected, rather than allocating gigabytes.
constexpr LongType LONGEST_MASK = LongType{1} << 28;

LongType maskLength(LongType length, const NDArray& lengths) {
  if (!lengths.isEmpty()) {
    const Dense all = integerElements(lengths, 0, "lengths");
    length = std::max(length, *std::max_element(all.as<LongType>(), all.as<LongType>() + lengths.lengthOf()));
  }
  if (length > LONGEST_MASK) reject("a mask of {} elements is too long: at most {} are possible", length, LONGEST_MASK);
  return length;
}

/// The code of the type follows min_length, or comes first when an input gives that; else the type argument counts.
bool readMaskType(const ArgumentRow& row, const graph::Context& block, void* arguments) {
  const size_t place = block.optionalArray(1) != nullptr ? 0 : 1;
  LongType type;
  if (block.numI() > place)
    type = block.intArgument64(place);
  else if (block.numD() > 0)
    type = static_cast<LongType>(block.typeArgument(0));
  else
    return false;
  checkedType(type, row.name());
  row.access().setIntegers(row.memberOf(arguments), &type, 1);
  return true;
}

void inferMask(Inference& in) {
  const PartialShape lengths = in.input(0);
  const auto& a = in.arguments<SequenceMask>();
  const NDArray* values = in.values(0);
  const bool known = in.knows(&SequenceMask::minLength);
  if (!lengths.hasRank()) return in.output(PartialShape(a.dtype));
  PartialShape z(a.dtype, {});
  if (lengths.isEmptyScalar()) z.append(0);
  for (const LongType size : lengths) z.append(size);
  in.output(z.append(values != nullptr && known ? maskLength(a.minLength, *values) : PartialShape::UNKNOWN));
}

}  // namespace

CUSTOM_OP_IMPL(sequence_mask, 1, 1, false, 0, 0) {
  const NDArray& lengths = *INPUT_VARIABLE(0);
  NDArray& z = *OUTPUT_VARIABLE(0);
  if (z.isEmpty()) return Status::OK;
  const LongType width = z.sizeAt(-1), rows = lengths.lengthOf();
  const Dense source = integerElements(lengths, 0, "lengths");
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
INFERRED_SHAPES(sequence_mask)
DECLARE_SCHEMA(sequence_mask) {
  schema.summary("Turns each number n into a vector of n ones, then zeros.").formula("z[…, j] = j < lengths[…]");
  schema.input("lengths", "any shape").types({ALL_FLOATS, ALL_INTS}).shapesNeedValues();
  schema.input("min_length", "one integer").types({ALL_FLOATS, ALL_INTS}).optional();
  schema
      .argument(&SequenceMask::minLength, "min_length",
                "the smallest length of the vectors; they become longer if one of lengths is larger")
      .atInteger(0)
      .orInput(1)
      .atLeast(0);
  schema.argument(&SequenceMask::dtype, "dtype", "the type of the result").atInteger(1).orType(0).readBy(readMaskType);
  schema.output("z", "lengths.shape + [max(min_length, largest length)], dtype");
  schema.outputTypes({ANY}).infer(inferMask);
  schema.notDifferentiable(INTEGER_RESULT);
  schema.example(R"({"lengths": [1, 3]})");
  schema.elsewhere({.tensorflow = "tf.sequence_mask"});
  schema.words("padding mask, lengths, maxlen").see("onehot");
}

}  // namespace sd::ops
