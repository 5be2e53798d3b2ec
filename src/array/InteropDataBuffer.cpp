#include <array/DataTypeUtils.h>
#include <array/InteropDataBuffer.h>
#include <memory/Allocation.h>

#include <stdexcept>

#include "system/Error.h"

namespace sd {

static DataBuffer& bufferOf(const std::shared_ptr<DataBuffer>& buffer, const char* function) {
  if (buffer == nullptr) fail("[{}] the handle has no buffer", function);
  return *buffer;
}

InteropDataBuffer::InteropDataBuffer(size_t elements, DataType dataType, bool)
    : _dataBuffer(DataBuffer::make(memory::checkedBytes(elements, DataTypeUtils::sizeOf(dataType)), dataType)) {}

InteropDataBuffer::InteropDataBuffer(InteropDataBuffer& source, uint64_t length, uint64_t offset)
    : _dataBuffer(source._dataBuffer), _offset(offset) {
  const size_t bytes = bufferOf(_dataBuffer, "InteropDataBuffer").getLenInBytes();
  if (offset > bytes || length > bytes - offset)
    fail("[InteropDataBuffer] a view of {} bytes at byte {} is outside the buffer of {} bytes", length, offset, bytes);
}

void InteropDataBuffer::setOffset(uint64_t offset) {
  const size_t bytes = _dataBuffer == nullptr ? 0 : _dataBuffer->getLenInBytes();
  if (offset > bytes)
    fail("[InteropDataBuffer] argument 'offset': {} is outside the buffer of {} bytes", offset, bytes);
  _offset = offset;
}

size_t InteropDataBuffer::availableBytes() const noexcept {
  if (primary() == nullptr || _dataBuffer->getLenInBytes() < _offset) return 0;
  return _dataBuffer->getLenInBytes() - _offset;
}

void InteropDataBuffer::setPrimary(Pointer ptr, size_t length) {
  bufferOf(_dataBuffer, "setPrimary").setPrimaryBuffer(ptr, length);
}

void InteropDataBuffer::setSpecial(Pointer, size_t) noexcept {}

void InteropDataBuffer::expand(size_t length) {
  DataBuffer& buffer = bufferOf(_dataBuffer, "expand");
  buffer.expand(memory::checkedBytes(length, DataTypeUtils::sizeOf(buffer.getDataType())));
}

void InteropDataBuffer::close() {
  const DataBuffer& buffer = bufferOf(_dataBuffer, "close");
  // Others may be using the memory at this moment, in other threads too: the last of them frees it.
  auto empty = DataBuffer::make(0, buffer.getDataType());
  empty->setDeviceId(buffer.deviceId());
  _dataBuffer = std::move(empty);
  _offset = 0;
}

}  // namespace sd
