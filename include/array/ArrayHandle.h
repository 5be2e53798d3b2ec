// The parts of an array, and the queries that do not read its elements.
#ifndef NDFORGE_ARRAY_ARRAYHANDLE_H
#define NDFORGE_ARRAY_ARRAYHANDLE_H

#include <array/DataBuffer.h>
#include <array/DataTypeUtils.h>
#include <array/HostOnly.h>
#include <execution/LaunchContext.h>
#include <helpers/shape.h>

#include <initializer_list>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace sd {

/// Thrown when code asks for the elements of an array that has a shape but no memory.
class SD_LIB_EXPORT array_without_memory : public std::runtime_error {
 public:
  array_without_memory(const std::string& message, const DataBuffer* buffer)
      : std::runtime_error(message), _buffer(buffer) {}
  /// The array's buffer, which its views share. May be null.
  const DataBuffer* buffer() const { return _buffer; }

 private:
  const DataBuffer* _buffer;
};

/// The part of NDArray that describes it: an interned shapeInfo, a shared buffer, the offset of the first element.
class SD_LIB_EXPORT ArrayHandle : public HostOnly {
 public:
  const LongType* shapeInfo() const { return _shapeInfo; }
  const LongType* specialShapeInfo() const { return _shapeInfo; }
  const LongType* platformShapeInfo() const { return _shapeInfo; }

  /// The address of the first element; nullptr when there is none. @throws array_without_memory (see
  /// NDArray::shapeOnly)
  void* buffer() { return address(0); }
  const void* buffer() const { return address(0); }
  void* platformBuffer() { return address(0); }
  const void* platformBuffer() const { return address(0); }
  void* bufferWithOffset(LongType offset) { return address(offset); }
  const void* bufferWithOffset(LongType offset) const { return address(offset); }
  /// buffer() as T*; the type is not checked.
  template <typename T>
  T* bufferAsT() {
    return static_cast<T*>(buffer());
  }
  template <typename T>
  const T* bufferAsT() const {
    return static_cast<const T*>(buffer());
  }
  std::shared_ptr<DataBuffer> dataBuffer() const { return _buffer; }
  std::shared_ptr<DataBuffer> getDataBuffer() const { return _buffer; }
  LongType bufferOffset() const { return _offset; }

  LaunchContext* getContext() const { return _context; }
  void setContext(LaunchContext* context) { _context = context; }

  DataType dataType() const { return _dataType; }
  /// Bytes per element.
  size_t sizeOfT() const { return _elementSize; }
  LongType lengthOf() const { return _length; }
  int rankOf() const { return _shapeInfo == nullptr ? 0 : static_cast<int>(_shapeInfo[0]); }
  char ordering() const { return _shapeInfo == nullptr ? 'c' : shape::order(_shapeInfo); }
  /// The element-wise stride; 1 for empty arrays and scalars.
  LongType ews() const { return _length <= 1 ? 1 : shape::elementWiseStride(_shapeInfo); }
  LongType* shapeOf() const { return _shapeInfo == nullptr ? nullptr : shape::shapeOf(_shapeInfo); }
  LongType* stridesOf() const { return _shapeInfo == nullptr ? nullptr : shape::stride(_shapeInfo); }
  /// Negative dimensions count from the end. @throws std::runtime_error when out of range
  LongType sizeAt(int dim) const;
  LongType strideAt(int dim) const;
  /// A vector has 1 row. @throws std::runtime_error for ranks above 2
  LongType rows() const;
  LongType columns() const;
  std::vector<LongType> getShapeAsVector() const;
  std::vector<int> getShapeAsVectorInt() const;
  /// All slots of the shapeInfo.
  std::vector<LongType> getShapeInfoAsVector() const;
  std::vector<int64_t> getShapeInfoAsFlatVector() const;
  size_t memoryFootprint() const;

  /// False for an array without a shape, although it has no elements either.
  bool isEmpty() const { return _length < 1 && _shapeInfo != nullptr; }
  bool hasElements() const { return _length > 0; }
  bool nonNull() const { return _shapeInfo != nullptr; }
  /// False for an array of which only the shape is known (see NDArray::shapeOnly).
  bool hasValues() const { return _length < 1 || (_buffer != nullptr && _buffer->primary() != nullptr); }
  /// Rank 0, {1} or {1, 1}.
  bool isScalar() const { return _shapeInfo != nullptr && shape::isScalar(_shapeInfo); }
  /// Rank 1, or rank 2 with one dimension of 1; not {1, 1}.
  bool isVector() const;
  /// Rank 1, or {1, n} with n > 1.
  bool isRowVector() const;
  bool isColumnVector() const;
  bool isMatrix() const;
  /// True when at most one dimension is not 1; `position` is that dimension.
  bool isCommonVector(int& position) const;
  bool isR() const { return DataTypeUtils::isR(_dataType); }
  bool isZ() const { return DataTypeUtils::isZ(_dataType); }
  bool isB() const { return DataTypeUtils::isB(_dataType); }
  bool isS() const { return DataTypeUtils::isS(_dataType); }
  bool isC() const { return DataTypeUtils::isC(_dataType); }
  bool isView() const { return _isView; }
  /// Whether the buffer is in a workspace.
  bool isAttached() const { return _isAttached; }

  /// Equal ranks and dimensions; types and strides may differ.
  bool isSameShape(const ArrayHandle& other) const;
  bool isSameShape(const ArrayHandle* other) const { return other != nullptr && isSameShape(*other); }
  /// -1 matches any size; a scalar also matches {0}.
  bool isSameShape(std::initializer_list<LongType> shape) const;
  bool isSameShape(const std::vector<LongType>& shape) const;
  /// All slots of the shapeInfos are equal.
  bool isSameShapeStrict(const ArrayHandle& other) const;
  bool areSameShapeAndType(const ArrayHandle& other) const;

 protected:
  // The places of _isView, _buffer, _offset, _shapeInfo, _context, _length and _dataType are those of libnd4j: ND4J's
  // JNI library contains inline functions of NDArray (see docs/nd4j.md).
  bool _isView = false;
  bool _isAttached = false;
  bool _ownsBuffer = false;  // the buffer was allocated by this library, for arrays
  unsigned short _elementSize = 0;
  std::shared_ptr<DataBuffer> _buffer;
  LongType _offset = 0;
  const LongType* _shapeInfo = nullptr;
  const LongType* _deviceShapeInfo = nullptr;  // there is no device
  LaunchContext* _context = nullptr;
  void* _unused = nullptr;
  LongType _length = 0;
  DataType _dataType = INHERIT;

  explicit ArrayHandle(LaunchContext* context) : _context(context) {}
  /// `other` has no shape afterwards.
  ArrayHandle(ArrayHandle&& other) noexcept;
  ArrayHandle& operator=(ArrayHandle&& other) noexcept;
  ~ArrayHandle() = default;

  void* address(LongType offset) const {
    return _buffer == nullptr || _buffer->primary() == nullptr
               ? withoutMemory()
               : static_cast<char*>(_buffer->primary()) + (_offset + offset) * _elementSize;
  }

 private:
  /// nullptr for an array without elements. @throws array_without_memory for any other
  [[gnu::cold]] void* withoutMemory() const;
};

}  // namespace sd

#endif
