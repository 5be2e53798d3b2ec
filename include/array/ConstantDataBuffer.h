// Numbers of one element type that live as long as the process (ConstantHelper).
#ifndef NDFORGE_ARRAY_CONSTANTDATABUFFER_H
#define NDFORGE_ARRAY_CONSTANTDATABUFFER_H

#include <array/DataType.h>
#include <system/common.h>

namespace sd {

/// Cheap to copy: it does not own the numbers.
class ConstantDataBuffer {
 public:
  ConstantDataBuffer() = default;
  ConstantDataBuffer(void* primary, LongType length, DataType dataType, int sizeOfElement)
      : _primary(primary), _length(length), _dataType(dataType), _sizeOf(sizeOfElement) {}

  void* primary() const { return _primary; }
  /// Device memory: none on a CPU.
  void* special() const { return nullptr; }
  /// Number of elements.
  LongType length() const { return _length; }
  /// Bytes of an element.
  int sizeOf() const { return _sizeOf; }
  DataType dataType() const { return _dataType; }

  template <typename T>
  T* primaryAsT() const {
    return static_cast<T*>(_primary);
  }
  template <typename T>
  T* specialAsT() const {
    return nullptr;
  }

 private:
  void* _primary = nullptr;
  LongType _length = 0;
  DataType _dataType = INHERIT;
  int _sizeOf = 0;
};

}  // namespace sd

#endif
