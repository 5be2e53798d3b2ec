#include "ops/declarable/Common.h"

#include <algorithm>

namespace sd::ops {

void rejectWith(const std::string& text) {
  const std::string* op = RunningOp::current();
  throw std::invalid_argument("[" + (op == nullptr ? std::string("operation") : *op) + "] " + text);
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
    reject("input {} '{}': its shape is {}, that of input {} '{}' is {}", index, name, text(array), otherIndex,
           otherName, text(other));
}

void requireScalar(const NDArray& array, int index, const char* name) {
  if (array.lengthOf() != 1) reject("input {} '{}': one element is needed, its shape is {}", index, name, text(array));
}

void requireIndices(const NDArray& indices, LongType size, int index, const char* name) {
  checkedIndices(indices, size, index, name);
}

Dense checkedIndices(const NDArray& indices, LongType size, int index, const char* name) {
  Dense dense(indices, INT64);
  const auto* values = dense.as<LongType>();
  const LongType n = indices.lengthOf();
  // The sign of an index below 0, and of the rest behind one that is too large: vectors without 64-bit comparisons.
  const auto last = static_cast<UnsignedLong>(size) - 1;
  UnsignedLong signs = 0;
  for (LongType i = 0; i < n; i++) {
    const auto value = static_cast<UnsignedLong>(values[i]);
    signs |= value | (last - value);
  }
  if (signs >> 63 == 0) return dense;
  LongType i = 0;
  while (values[i] >= 0 && values[i] < size) i++;
  Dims at(static_cast<size_t>(indices.rankOf()));
  LongType rest = i;
  for (int d = indices.rankOf() - 1; d >= 0; d--) {
    at[static_cast<size_t>(d)] = rest % indices.sizeAt(d);
    rest /= indices.sizeAt(d);
  }
  reject("input {} '{}': value {} at {} is outside 0..{} (shape {})", index, name, values[i], text(at), size - 1,
         text(indices));
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
  fail<std::runtime_error>("[{}] argument 'type': {} is no type of numbers", op == nullptr ? "operation" : *op, code);
}

void requireSizes(const Dims& sizes, const char* argument) {
  if (sizes.size() > SD_MAX_RANK)
    reject("argument '{}': {} dimensions are more than {}", argument, sizes.size(), SD_MAX_RANK);
  for (const LongType size : sizes)
    if (size < 0) reject("argument '{}': size {} is negative ({})", argument, size, text(sizes));
}

DataType checkedType(LongType number, const char* argument) {
  if (!isNumberType(number)) reject("argument '{}': {} is not the number of a type of numbers", argument, number);
  return static_cast<DataType>(number);
}

std::vector<int> integers(graph::Context& block, int input, size_t first) {
  if (const NDArray* array = block.optionalArray(input)) return array->getBufferAsVector<int>();
  const auto& all = *block.getIArguments();
  return first < all.size() ? std::vector<int>(all.begin() + static_cast<std::ptrdiff_t>(first), all.end())
                            : std::vector<int>();
}

std::vector<LongType> integerArguments(graph::Context& block, size_t first) {
  std::vector<LongType> values;
  for (size_t i = first; i < block.numI(); i++) values.push_back(block.intArgument64(i));
  return values;
}

std::vector<LongType> integers64(graph::Context& block, int input, size_t first) {
  if (const NDArray* array = block.optionalArray(input)) return array->getBufferAsVector<LongType>();
  return integerArguments(block, first);
}

Dense::Dense(const NDArray& array, DataType type) : _array(&array) {
  if (!array.hasElements() || (array.dataType() == type && arrays::isLinear(array))) return;
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
  if (y.dataType() != x.dataType()) {
    const NDArray converted = y.cast(x.dataType());
    return broadcastTo(group, op, x, converted, z);
  }
  // One element broadcasts to every shape, whatever its rank is.
  if (x.isScalar() && x.rankOf() > z.rankOf()) return broadcastTo(group, op, x.reshape('c', {}), y, z);
  if (y.isScalar() && y.rankOf() > z.rankOf()) return broadcastTo(group, op, x, y.reshape('c', {}), z);
  const bool pairs = loops::familyName(group) == "pairwise";
  if (pairs && x.isSameShape(y)) return loops::pairwise(group, op, in(x), in(y), out(z));
  loops::trueBroadcast(group, op, in(x), in(y), out(z));
}

void sumTo(const NDArray& values, NDArray& target) {
  if (target.isEmpty()) return;
  if (target.lengthOf() == values.lengthOf()) return target.assign(values);
  const int extra = values.rankOf() - target.rankOf();
  std::vector<int> axes;
  for (int d = 0; d < values.rankOf(); d++)
    if (d < extra || target.sizeAt(d - extra) != values.sizeAt(d)) axes.push_back(d);
  NDArray sums = values.reduceAlongDimension(reduce::Sum, target.lengthOf() == 1 ? std::vector<int>() : axes);
  target.assign(sums);
}

}  // namespace sd::ops
