#include "ops/declarable/Common.h"

#include <ops/declarable/OpRegistrator.h>

#include <algorithm>

#include "loops/Kernels.h"
#include "ops/declarable/Failures.h"
#include "shape/broadcasting.h"

namespace sd::ops {

void rejectWith(const std::string& text) {
  const std::string* op = RunningOp::current();
  throw std::invalid_argument("[" + (op == nullptr ? std::string("operation") : *op) + "] " + text);
}

Dims placeOf(const NDArray& array, LongType i) {
  Dims at(static_cast<size_t>(array.rankOf()));
  for (int d = array.rankOf() - 1; d >= 0; d--) {
    at[static_cast<size_t>(d)] = i % array.sizeAt(d);
    i /= array.sizeAt(d);
  }
  return at;
}

std::string text(const Dims& dims) { return ShapeUtils::shapeAsString(dims); }

void requireOutputs(LongType count) {
  if (count > ShapeList::MOST)
    reject("{} outputs are more than the {} that an operation may have", count, ShapeList::MOST);
}

int checkedAxis(LongType axis, int rank, const char* argument) {
  const LongType counted = axis < 0 ? axis + rank : axis;
  if (counted < 0 || counted >= rank)
    reject("argument '{}': {} is outside {}..{} (rank {})", argument, axis, -rank, rank - 1, rank);
  return static_cast<int>(counted);
}

std::vector<int> checkedAxes(const std::vector<int>& axes, int rank, const char* argument) {
  std::vector<int> sorted;
  for (int axis : axes) sorted.push_back(checkedAxis(axis, rank, argument));
  std::sort(sorted.begin(), sorted.end());
  sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());
  return sorted;
}

void requireRank(const NDArray& array, int rank, int index, const char* name) {
  if (array.rankOf() != rank)
    reject("input {} '{}': its rank is {}, not {} (shape {})", index, name, array.rankOf(), rank, text(array));
}

void requireSameShape(const NDArray& array, int index, const char* name, const NDArray& other, int otherIndex,
                      const char* otherName) {
  if (!array.isSameShape(other))
    reject("input {} '{}': its shape is {}, but input {} '{}' has shape {}", index, name, text(array), otherIndex,
           otherName, text(other));
}

void requireScalar(const NDArray& array, int index, const char* name) {
  if (array.lengthOf() != 1) reject("input {} '{}': one element is needed, its shape is {}", index, name, text(array));
}

bool isList(const LongType* info) {
  const int rank = shape::rank(info);
  return rank < 2 || (rank == 2 && (shape::sizeAt(info, 0) == 1 || shape::sizeAt(info, 1) == 1));
}

void requireList(const NDArray& array, int index, const char* name) {
  if (!isList(array.shapeInfo()))
    reject("input {} '{}': a vector is needed, its shape is {}", index, name, text(array));
}

namespace {

/// " 'name'" for an input of the running operation, or an empty string when its schema does not name it.
std::string quotedName(int index) {
  DeclarableOp* op = OpRegistrator::getInstance().find(RunningOp::name());
  return op == nullptr ? std::string() : quotedInputName(*op, index);
}

template <typename V>
[[noreturn]] void rejectValue(const NDArray& array, LongType i, V value, int index, const char* name, bool narrow) {
  const std::string quoted = name == nullptr ? quotedName(index) : " '" + std::string(name) + "'";
  reject("input {}{}: value {} at {} is not an integer of {} bits (shape {})", index, quoted, value,
         text(placeOf(array, i)), narrow ? 32 : 64, text(array));
}

/// Checks that every value of a floating-point array is finite and fits into 64 bits, or into 32 if `narrow`.
void requireIntegers(const NDArray& array, int index, const char* name, bool narrow) {
  const DataType type = array.dataType();
  if (!array.hasElements() || !(array.isR() || type == UINT64 || (narrow && (type == INT64 || type == UINT32)))) return;
  const LongType n = array.lengthOf();
  if (array.isR()) {
    const Dense dense(array, DOUBLE);
    const auto* values = dense.as<double>();
    const double above = narrow ? 0x1p31 : 0x1p63, below = narrow ? -0x1p31 - 1 : -0x1p63;
    for (LongType i = 0; i < n; i++)
      if (!(values[i] < above && (narrow ? values[i] > below : values[i] >= below)))
        rejectValue(array, i, values[i], index, name, narrow);
  } else if (type == UINT64) {
    const UnsignedLong most = narrow ? INT32_MAX : INT64_MAX;
    for (LongType i = 0; i < n; i++)
      if (const auto value = array.e<UnsignedLong>(i); value > most) rejectValue(array, i, value, index, name, narrow);
  } else {
    for (LongType i = 0; i < n; i++)
      if (const auto value = array.e<LongType>(i); value != static_cast<int>(value))
        rejectValue(array, i, value, index, name, narrow);
  }
}

}  // namespace

std::vector<LongType> integersOf(const NDArray& array, int index, const char* name) {
  requireIntegers(array, index, name, false);
  return array.getBufferAsVector<LongType>();
}

std::vector<int> intsOf(const NDArray& array, int index, const char* name) {
  requireIntegers(array, index, name, true);
  return array.getBufferAsVector<int>();
}

LongType integerOf(const NDArray& array, int index, const char* name) {
  requireIntegers(array, index, name, false);
  return array.e<LongType>(0);
}

LongType scalarInteger(const NDArray& array, int index, const char* name) {
  requireScalar(array, index, name);
  return integerOf(array, index, name);
}

Dense integerElements(const NDArray& array, int index, const char* name) {
  requireIntegers(array, index, name, false);
  return Dense(array, INT64);
}

void requireIndices(const NDArray& indices, LongType size, int index, const char* name) {
  checkedIndices(indices, size, index, name);
}

Dense checkedIndices(const NDArray& indices, LongType size, int index, const char* name) {
  Dense dense = integerElements(indices, index, name);
  const auto* values = dense.as<LongType>();
  if (simd::kernels().areWithin(values, indices.lengthOf(), size)) return dense;
  LongType i = 0;
  while (values[i] >= 0 && values[i] < size) i++;
  reject("input {} '{}': value {} at {} is outside 0..{} (shape {})", index, name, values[i], text(placeOf(indices, i)),
         size - 1, text(indices));
}

namespace {

bool isNumberType(LongType code) {
  const auto type = static_cast<DataType>(code);
  return code >= 0 && code <= UTF32 && DataTypeUtils::isElementType(type) && !DataTypeUtils::isS(type);
}

}  // namespace

DataType numberType(LongType code) {
  if (isNumberType(code)) return static_cast<DataType>(code);
  const std::string* op = RunningOp::current();
  fail<std::runtime_error>("[{}] argument 'type': {} is not a numeric type", op == nullptr ? "operation" : *op, code);
}

void requireSizes(const Dims& sizes, const char* argument) {
  if (sizes.size() > SD_MAX_RANK)
    reject("argument '{}': {} dimensions are more than {}", argument, sizes.size(), SD_MAX_RANK);
  for (const LongType size : sizes)
    if (size < 0) reject("argument '{}': size {} is negative ({})", argument, size, text(sizes));
}

DataType checkedType(LongType number, const char* argument) {
  if (!isNumberType(number)) reject("argument '{}': {} is not the code of a numeric type", argument, number);
  return static_cast<DataType>(number);
}

Dense::Dense(const NDArray& array, DataType type) : _array(&array) {
  if (array.dataType() == type && (!array.hasElements() || arrays::isLinear(array))) return;
  if (!array.hasElements()) {
    if (array.shapeInfo() != nullptr) _copy = std::make_unique<NDArray>(array.cast(type));
    return;
  }
  _copy = std::make_unique<NDArray>(
      NDArray::uninitialized(type, 'c', array.rankOf(), array.shapeOf(), LaunchContext::defaultContext()));
  _copy->assign(array);
}

Dense::Dense(NDArray&& array, DataType type) : Dense(static_cast<const NDArray&>(array), type) {
  if (_copy == nullptr) _copy = std::make_unique<NDArray>(std::move(array));
}

DenseOut::DenseOut(NDArray& array, DataType type) : _array(&array) {
  if (!array.hasElements() || (array.dataType() == type && arrays::isLinear(array))) return;
  _apart = std::make_unique<NDArray>(
      NDArray::uninitialized(type, 'c', array.rankOf(), array.shapeOf(), LaunchContext::defaultContext()));
}

void DenseOut::commit() {
  if (_apart != nullptr) _array->assign(*_apart);
}

void broadcastTo(loops::OpGroup group, int op, const NDArray& x, const NDArray& y, NDArray& z) {
  if (z.isEmpty()) return;
  const bool pairs = loops::traitsOf(group).family == loops::OpFamily::Pairwise;
  // Shapes are interned.
  if (pairs && x.shapeInfo() == y.shapeInfo()) return loops::pairwise(group, op, in(x), in(y), out(z));
  if (y.dataType() != x.dataType()) {
    const NDArray converted = y.cast(x.dataType());
    return broadcastTo(group, op, x, converted, z);
  }
  // A single element broadcasts to every shape, whatever its rank.
  if (x.isScalar() && x.rankOf() > z.rankOf()) return broadcastTo(group, op, x.reshape('c', {}), y, z);
  if (y.isScalar() && y.rankOf() > z.rankOf()) return broadcastTo(group, op, x, y.reshape('c', {}), z);
  if (pairs && x.isSameShape(y)) return loops::pairwise(group, op, in(x), in(y), out(z));
  loops::trueBroadcast(group, op, in(x), in(y), out(z));
}

void sumTo(const NDArray& values, NDArray& target) {
  if (target.isEmpty()) return;
  if (target.lengthOf() == values.lengthOf()) return target.assign(values);
  std::vector<int> axes;
  if (target.lengthOf() > 1)
    axes = broadcasting::repeatedAxes<int>(broadcasting::sizesOf(target.shapeInfo()),
                                           broadcasting::sizesOf(values.shapeInfo()));
  NDArray sums = values.reduceAlongDimension(reduce::Sum, axes);
  target.assign(sums);
}

}  // namespace sd::ops
