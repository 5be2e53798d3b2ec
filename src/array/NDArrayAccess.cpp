// Questions about arrays, and single elements.
#include <array/NDArray.h>

#include <algorithm>
#include <cstring>

#include "array/ElementConvert.h"
#include "array/NDArrayCommon.h"

namespace sd {

// ---- description

size_t NDArray::sizeOfT() const { return _elementSize; }

namespace {

int normalisedDim(const char* op, const NDArray& array, int dim) {
  const int rank = array.rankOf(), positive = dim < 0 ? dim + rank : dim;
  if (array.shapeInfo() == nullptr || positive < 0 || positive >= rank)
    fail<std::runtime_error>("[{}] dimension {} does not exist in shape {}", op, dim, arrays::shapeText(array));
  return positive;
}

void requireRank2(const char* op, const NDArray& array) {
  if (array.rankOf() < 1 || array.rankOf() > 2)
    fail<std::runtime_error>("[{}] shape {} has neither rank 1 nor rank 2", op, arrays::shapeText(array));
}

}  // namespace

LongType NDArray::sizeAt(int dim) const { return _shapeInfo[1 + normalisedDim("sizeAt", *this, dim)]; }

LongType NDArray::strideAt(int dim) const { return shape::stride(_shapeInfo)[normalisedDim("strideAt", *this, dim)]; }

LongType NDArray::rows() const {
  requireRank2("rows", *this);
  return rankOf() == 1 ? 1 : _shapeInfo[1];
}

LongType NDArray::columns() const {
  requireRank2("columns", *this);
  return rankOf() == 1 ? _length : _shapeInfo[2];
}

std::vector<LongType> NDArray::getShapeAsVector() const {
  if (_shapeInfo == nullptr) return {};
  return std::vector<LongType>(_shapeInfo + 1, _shapeInfo + 1 + rankOf());
}

std::vector<int> NDArray::getShapeAsVectorInt() const {
  std::vector<int> dims(rankOf());
  for (int d = 0; d < rankOf(); d++) {
    if (_shapeInfo[1 + d] > SD_MAX_INT)
      fail("[getShapeAsVectorInt] shape {}: dimension {} is larger than an int", arrays::shapeText(*this), d);
    dims[d] = static_cast<int>(_shapeInfo[1 + d]);
  }
  return dims;
}

std::vector<LongType> NDArray::getShapeInfoAsVector() const {
  if (_shapeInfo == nullptr) return {};
  return std::vector<LongType>(_shapeInfo, _shapeInfo + shape::shapeInfoLength(_shapeInfo));
}

std::vector<int64_t> NDArray::getShapeInfoAsFlatVector() const {
  if (_shapeInfo == nullptr) return {};
  return std::vector<int64_t>(_shapeInfo, _shapeInfo + shape::shapeInfoLength(_shapeInfo));
}

LongType NDArray::getOffset(LongType i) const { return elementOffset(i); }

size_t NDArray::memoryFootprint() const {
  const size_t description = _shapeInfo == nullptr ? 0 : shape::shapeInfoByteLength(_shapeInfo);
  return static_cast<size_t>(_length) * _elementSize + description;
}

bool NDArray::isVector() const { return !isEmpty() && (rankOf() == 1 || shape::isVector(_shapeInfo)); }
bool NDArray::isRowVector() const { return !isEmpty() && (rankOf() == 1 || shape::isRowVector(_shapeInfo)); }
bool NDArray::isColumnVector() const { return !isEmpty() && rankOf() != 1 && shape::isColumnVector(_shapeInfo); }
bool NDArray::isMatrix() const { return !isEmpty() && shape::isMatrix(_shapeInfo); }

bool NDArray::isCommonVector(int& position) const {
  position = 0;
  if (isEmpty()) return false;
  if (rankOf() == 1) return true;
  return shape::isCommonVector(_shapeInfo, position);
}

// ---- comparison of shapes

bool NDArray::isSameShape(const NDArray& other) const {
  if (_shapeInfo == nullptr || other._shapeInfo == nullptr) return _shapeInfo == other._shapeInfo;
  return isEmpty() == other.isEmpty() && shape::equalsSoft(_shapeInfo, other._shapeInfo);
}

namespace {

bool sameShape(const NDArray& array, const LongType* dims, size_t rank) {
  if (array.shapeInfo() == nullptr) return false;
  if (array.rankOf() == 0 && !array.isEmpty() && rank == 1 && dims[0] == 0) return true;
  if (static_cast<size_t>(array.rankOf()) != rank) return false;
  for (size_t d = 0; d < rank; d++)
    if (dims[d] != -1 && dims[d] != array.shapeInfo()[1 + d]) return false;
  return true;
}

}  // namespace

bool NDArray::isSameShape(std::initializer_list<LongType> shape) const {
  return sameShape(*this, shape.begin(), shape.size());
}

bool NDArray::isSameShape(const std::vector<LongType>& shape) const {
  return sameShape(*this, shape.data(), shape.size());
}

bool NDArray::isSameShapeStrict(const NDArray& other) const {
  if (_shapeInfo == nullptr || other._shapeInfo == nullptr) return _shapeInfo == other._shapeInfo;
  return shape::equalsStrict(_shapeInfo, other._shapeInfo);
}

bool NDArray::areSameShapeAndType(const NDArray& other) const {
  return _dataType == other._dataType && isSameShape(other);
}

// ---- elements

void NDArray::typeMismatch(DataType type) const {
  fail("[NDArray] an element of type {} was asked for as {}", arrays::typeText(_dataType), arrays::typeText(type));
}

void NDArray::elementOutside(LongType i) const {
  fail("[NDArray] index {} is outside an array of length {} (shape {})", i, _length, arrays::shapeText(*this));
}

void NDArray::elementOutside(const LongType* indices, int count) const {
  if (count != rankOf())
    fail("[NDArray] {} indices given for rank {} (shape {})", count, rankOf(), arrays::shapeText(*this));
  fail("[NDArray] indices {} are outside shape {}", arrays::shapeText(count, indices), arrays::shapeText(*this));
}

LongType NDArray::linearIndex(const LongType* indices, int count) const {
  elementOffset(indices, count);
  return shape::coords2index(_shapeInfo, indices);
}

void NDArray::readElement(LongType offset, void* value, DataType type) const {
  arrays::requireNumbers("NDArray", *this);
  elements::convert(address(offset), _dataType, value, type);
}

void NDArray::writeElement(LongType offset, const void* value, DataType type) {
  arrays::requireNumbers("NDArray", *this);
  elements::convert(value, type, address(offset), _dataType);
}

NDArray NDArray::e(LongType i) const {
  if (isS()) return NDArray(readUtf8(i), _dataType, _context);
  const LongType offset = elementOffset(i);
  NDArray element(ConstantShapeHelper::getInstance().scalarShapeInfo(_dataType), _context, Uninitialized{});
  std::memcpy(element.buffer(), address(offset), _elementSize);
  return element;
}

void NDArray::p(LongType i, const NDArray& scalar) {
  const LongType offset = elementOffset(i);
  if (scalar._length != 1) fail("[p] the value has shape {}, not one element", arrays::shapeText(scalar));
  arrays::requireNumbers("p", scalar);
  writeElement(offset, scalar.buffer(), scalar._dataType);
}

void NDArray::p(LongType i, LongType j, LongType k, LongType l, const NDArray& scalar) {
  const LongType indices[] = {i, j, k, l};
  p(linearIndex(indices, 4), scalar);
}

void NDArray::copyTo(void* values, DataType type) const {
  if (isEmpty()) return;
  arrays::requireNumbers("getBufferAsVector", *this);
  loops::assign(arrays::in(*this), {values, arrays::interned(type, 'c', rankOf(), _shapeInfo + 1)});
}

std::vector<int8_t> NDArray::asByteVector() const {
  if (isEmpty()) return {};
  const auto* bytes = static_cast<const int8_t*>(buffer());
  if (isS()) return std::vector<int8_t>(bytes, bytes + _buffer->getLenInBytes());
  if (_isView || !arrays::isCanonical(_shapeInfo)) {
    NDArray copy = dup(ordering());
    return std::vector<int8_t>(static_cast<int8_t*>(copy.buffer()),
                               static_cast<int8_t*>(copy.buffer()) + _length * _elementSize);
  }
  return std::vector<int8_t>(bytes, bytes + _length * _elementSize);
}

}  // namespace sd
