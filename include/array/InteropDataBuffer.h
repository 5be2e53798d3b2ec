// A handle on a DataBuffer, or on a part of one, for the C interface.
#ifndef NDFORGE_ARRAY_INTEROPDATABUFFER_H
#define NDFORGE_ARRAY_INTEROPDATABUFFER_H

#include <array/DataBuffer.h>
#include <array/DataType.h>
#include <system/common.h>

#include <memory>
#include <utility>
#include <vector>

namespace sd {

/// Handles share the buffer: its memory lives as long as the last of them. A handle begins `offset()` bytes into it.
class SD_LIB_EXPORT InteropDataBuffer {
 public:
  InteropDataBuffer(std::shared_ptr<DataBuffer> buffer) : _dataBuffer(std::move(buffer)) {}

  /// `elements` zeros. Throws std::runtime_error for a type without a size, sd::allocation_exception.
  InteropDataBuffer(size_t elements, DataType dataType, bool allocateBoth);

  /// `length` bytes of the same buffer, `offset` bytes from the start of its memory (not from `source`'s offset).
  /// Throws std::runtime_error when they are not all inside the buffer.
  InteropDataBuffer(InteropDataBuffer& source, uint64_t length, uint64_t offset);

  std::shared_ptr<DataBuffer> getDataBuffer() const { return _dataBuffer; }
  std::shared_ptr<DataBuffer> dataBuffer() { return _dataBuffer; }
  /// The buffer without taking part in its ownership.
  DataBuffer* buffer() const noexcept { return _dataBuffer.get(); }

  /// The address of the first byte; nullptr when the buffer has no memory.
  void* primary() const noexcept {
    if (_dataBuffer == nullptr || _dataBuffer->primary() == nullptr) return nullptr;
    return static_cast<char*>(_dataBuffer->primary()) + _offset;
  }
  void* special() const noexcept { return nullptr; }

  /// Bytes from the start of the buffer's memory. Throws std::runtime_error behind its end.
  uint64_t offset() const noexcept { return _offset; }
  void setOffset(uint64_t offset);
  /// Bytes from primary() to the end of the buffer's memory.
  size_t availableBytes() const noexcept;

  /// The buffer releases what it owns and adopts `ptr`, which stays the caller's. `length` counts elements.
  void setPrimary(Pointer ptr, size_t length);
  /// Does nothing: there is no device.
  void setSpecial(Pointer ptr, size_t length) noexcept;

  /// Grows the whole buffer (also for a handle on a part) to `length` elements; see DataBuffer::expand.
  void expand(size_t length);

  /// Frees the memory now. Throws std::runtime_error while others hold the buffer.
  void close();

  /// How many hold the buffer: handles, arrays, contexts.
  int useCount() const noexcept { return static_cast<int>(_dataBuffer.use_count()); }

  int deviceId() const noexcept { return _dataBuffer == nullptr ? 0 : _dataBuffer->deviceId(); }
  void setDeviceId(int deviceId) noexcept {
    if (_dataBuffer != nullptr) _dataBuffer->setDeviceId(deviceId);
  }

  // Bookkeeping of devices: nothing to do on a CPU.
  using List = std::vector<const InteropDataBuffer*>;
  static void registerSpecialUse(const List&, const List&) noexcept {}
  static void prepareSpecialUse(const List&, const List&, bool = false) noexcept {}
  static void registerPrimaryUse(const List&, const List&) noexcept {}
  static void preparePrimaryUse(const List&, const List&, bool = false) noexcept {}

 private:
  std::shared_ptr<DataBuffer> _dataBuffer;
  uint64_t _offset = 0;
};

}  // namespace sd

#endif
