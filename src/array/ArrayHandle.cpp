// Queries of an array's properties.
#include <array/NDArray.h>

#include <utility>

#include "array/NDArrayCommon.h"

namespace sd {

ArrayHandle::ArrayHandle(ArrayHandle&& other) noexcept
    : _isView(std::exchange(other._isView, false)),
      _isAttached(std::exchange(other._isAttached, false)),
      _ownsBuffer(std::exchange(other._ownsBuffer, false)),
      _elementSize(other._elementSize),
      _buffer(std::move(other._buffer)),
      _offset(std::exchange(other._offset, 0)),
      _shapeInfo(std::exchange(other._shapeInfo, nullptr)),
      _context(other._context),
      _length(std::exchange(other._length, 0)),
      _dataType(std::exchange(other._dataType, INHERIT)) {}

ArrayHandle& ArrayHandle::operator=(ArrayHandle&& other) noexcept {
  if (this == &other) return *this;
  _buffer = std::move(other._buffer);
  _shapeInfo = std::exchange(other._shapeInfo, nullptr);
  _context = other._context;
  _offset = std::exchange(other._offset, 0);
  _length = std::exchange(other._length, 0);
  _dataType = std::exchange(other._dataType, INHERIT);
  _elementSize = other._elementSize;
  _isView = std::exchange(other._isView, false);
  _isAttached = std::exchange(other._isAttached, false);
  _ownsBuffer = std::exchange(other._ownsBuffer, false);
  return *this;
}

void* ArrayHandle::withoutMemory() const {
  if (!hasElements()) return nullptr;
  throw array_without_memory(fmt::format("[NDArray] the array of shape {} has no memory", arrays::shapeText(*this)),
                             _buffer.get());
}

// ---- description

namespace {

int normalisedDim(const char* op, const ArrayHandle& array, int dim) {
  const int rank = array.rankOf(), positive = dim < 0 ? dim + rank : dim;
  if (array.shapeInfo() == nullptr || positive < 0 || positive >= rank)
    fail<std::runtime_error>("[{}] dimension {} does not exist in shape {}", op, dim, arrays::shapeText(array));
  return positive;
}

void requireRank2(const char* op, const ArrayHandle& array) {
  if (array.rankOf() < 1 || array.rankOf() > 2)
    fail<std::runtime_error>("[{}] shape {} has neither rank 1 nor rank 2", op, arrays::shapeText(array));
}

}  // namespace

LongType ArrayHandle::sizeAt(int dim) const { return _shapeInfo[1 + normalisedDim("sizeAt", *this, dim)]; }

LongType ArrayHandle::strideAt(int dim) const {
  return shape::stride(_shapeInfo)[normalisedDim("strideAt", *this, dim)];
}

LongType ArrayHandle::rows() const {
  requireRank2("rows", *this);
  return rankOf() == 1 ? 1 : _shapeInfo[1];
}

LongType ArrayHandle::columns() const {
  requireRank2("columns", *this);
  return rankOf() == 1 ? _length : _shapeInfo[2];
}

std::vector<LongType> ArrayHandle::getShapeAsVector() const {
  if (_shapeInfo == nullptr) return {};
  return std::vector<LongType>(_shapeInfo + 1, _shapeInfo + 1 + rankOf());
}

std::vector<int> ArrayHandle::getShapeAsVectorInt() const {
  std::vector<int> dims(rankOf());
  for (int d = 0; d < rankOf(); d++) {
    if (_shapeInfo[1 + d] > SD_MAX_INT)
      fail("[getShapeAsVectorInt] shape {}: dimension {} is larger than an int", arrays::shapeText(*this), d);
    dims[d] = static_cast<int>(_shapeInfo[1 + d]);
  }
  return dims;
}

std::vector<LongType> ArrayHandle::getShapeInfoAsVector() const {
  if (_shapeInfo == nullptr) return {};
  return std::vector<LongType>(_shapeInfo, _shapeInfo + shape::shapeInfoLength(_shapeInfo));
}

std::vector<int64_t> ArrayHandle::getShapeInfoAsFlatVector() const {
  if (_shapeInfo == nullptr) return {};
  return std::vector<int64_t>(_shapeInfo, _shapeInfo + shape::shapeInfoLength(_shapeInfo));
}

size_t ArrayHandle::memoryFootprint() const {
  const size_t description = _shapeInfo == nullptr ? 0 : shape::shapeInfoByteLength(_shapeInfo);
  return static_cast<size_t>(_length) * _elementSize + description;
}

bool ArrayHandle::isVector() const {
  return hasElements() && (rankOf() == 1 || (!isScalar() && shape::isVector(_shapeInfo)));
}
bool ArrayHandle::isRowVector() const {
  return hasElements() && (rankOf() == 1 || (!isScalar() && shape::isRowVector(_shapeInfo)));
}
bool ArrayHandle::isColumnVector() const { return hasElements() && rankOf() != 1 && shape::isColumnVector(_shapeInfo); }
bool ArrayHandle::isMatrix() const { return hasElements() && shape::isMatrix(_shapeInfo); }

bool ArrayHandle::isCommonVector(int& position) const {
  position = 0;
  if (!hasElements()) return false;
  if (rankOf() == 1) return true;
  return shape::isCommonVector(_shapeInfo, position);
}

// ---- comparison of shapes

bool ArrayHandle::isSameShape(const ArrayHandle& other) const {
  if (_shapeInfo == nullptr || other._shapeInfo == nullptr) return _shapeInfo == other._shapeInfo;
  return hasElements() == other.hasElements() && shape::shapeEquals(_shapeInfo, other._shapeInfo);
}

namespace {

bool sameShape(const ArrayHandle& array, const LongType* dims, size_t rank) {
  if (array.shapeInfo() == nullptr) return false;
  if (array.rankOf() == 0 && rank == 1 && dims[0] == 0) return true;
  if (static_cast<size_t>(array.rankOf()) != rank) return false;
  for (size_t d = 0; d < rank; d++)
    if (dims[d] != -1 && dims[d] != array.shapeInfo()[1 + d]) return false;
  return true;
}

}  // namespace

bool ArrayHandle::isSameShape(std::initializer_list<LongType> shape) const {
  return sameShape(*this, shape.begin(), shape.size());
}

bool ArrayHandle::isSameShape(const std::vector<LongType>& shape) const {
  return sameShape(*this, shape.data(), shape.size());
}

bool ArrayHandle::isSameShapeStrict(const ArrayHandle& other) const {
  if (_shapeInfo == nullptr || other._shapeInfo == nullptr) return _shapeInfo == other._shapeInfo;
  return shape::equalsStrict(_shapeInfo, other._shapeInfo);
}

bool ArrayHandle::areSameShapeAndType(const ArrayHandle& other) const {
  return _dataType == other._dataType && isSameShape(other);
}

}  // namespace sd
