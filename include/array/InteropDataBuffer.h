// A handle to a DataBuffer, or to a part of one, for the C interface.
#ifndef NDFORGE_ARRAY_INTEROPDATABUFFER_H
#define NDFORGE_ARRAY_INTEROPDATABUFFER_H

#include <array/DataBuffer.h>
#include <array/DataType.h>
#include <system/common.h>

#include <memory>
#include <utility>
#include <vector>

namespace sd {

/// Handles share the buffer: its memory lives as long as the last handle. A handle begins at byte `offset()` of it.
class SD_LIB_EXPORT InteropDataBuffer {
 public:
  InteropDataBuffer(std::shared_ptr<DataBuffer> buffer) : _dataBuffer(std::move(buffer)) {}

  /// `elements` zeros. Throws std::runtime_error for a type without a size, sd::allocation_exception.
  InteropDataBuffer(size_t elements, DataType dataType, bool allocateBoth);

  /// A handle to `length` bytes of the same buffer, `offset` bytes from the start of its memory (not from `source`'s
  /// offset). Throws std::runtime_error when the range leaves the buffer.
  InteropDataBuffer(InteropDataBuffer& source, uint64_t length, uint64_t offset);

  std::shared_ptr<DataBuffer> getDataBuffer() const { return _dataBuffer; }
  std::shared_ptr<DataBuffer> dataBuffer() { return _dataBuffer; }
  /// The buffer; the pointer does not share ownership.
  DataBuffer* buffer() const noexcept { return _dataBuffer.get(); }

  /// The address of the first byte; nullptr when the buffer has no memory.
  void* primary() const noexcept {
    if (_dataBuffer == nullptr || _dataBuffer->primary() == nullptr) return nullptr;
    return static_cast<char*>(_dataBuffer->primary()) + _offset;
  }
  void* special() const noexcept { return nullptr; }

  /// Bytes from the start of the buffer's memory. Throws std::runtime_error for an offset past the end.
  uint64_t offset() const noexcept { return _offset; }
  void setOffset(uint64_t offset);
  /// Bytes from primary() to the end of the buffer's memory.
  size_t availableBytes() const noexcept;

  /// Releases what the buffer owns and uses `ptr`, which the caller still owns. `length` counts elements.
  void setPrimary(Pointer ptr, size_t length);
  /// Does nothing: there is no device.
  void setSpecial(Pointer ptr, size_t length) noexcept;

  /// Grows the whole buffer to `length` elements, even if this handle refers to a part; see DataBuffer::expand.
  void expand(size_t length);

  /// Lets go of the buffer, whose memory is freed when nobody else uses it; the handle has an empty one then.
  void close();

  /// Number of owners of the buffer: handles, arrays, contexts.
  int useCount() const noexcept { return static_cast<int>(_dataBuffer.use_count()); }

  int deviceId() const noexcept { return _dataBuffer == nullptr ? 0 : _dataBuffer->deviceId(); }
  void setDeviceId(int deviceId) noexcept {
    if (_dataBuffer != nullptr) _dataBuffer->setDeviceId(deviceId);
  }

  // Bookkeeping for devices: does nothing on a CPU.
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
