#include <array/DataBuffer.h>

#include <array/DataTypeUtils.h>
#include <memory/Allocation.h>
#include <memory/MemoryCounter.h>
#include <memory/MemoryTracker.h>
#include <system/Environment.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <stdexcept>
#include <utility>

#include "system/Error.h"

namespace sd {

using memory::MemoryCounter;
using memory::MemoryTracker;
using memory::Workspace;

namespace {

// Up to this size, the memory of a shared buffer follows the buffer object in one block; close() cannot release such
// memory early.
constexpr size_t LARGEST_INLINE = 1024;

// Counts memory as used, and takes it off the count again unless keep() is called, because the allocation that follows
// may fail.
class Reserved {
 public:
  explicit Reserved(size_t bytes) : _bytes(bytes) { MemoryCounter::getInstance().reserveHeap(bytes); }
  ~Reserved() {
    if (_bytes != 0) MemoryCounter::getInstance().releaseHeap(_bytes);
  }
  Reserved(const Reserved&) = delete;
  Reserved& operator=(const Reserved&) = delete;
  void keep() { _bytes = 0; }

 private:
  size_t _bytes;
};

// Lets std::allocate_shared allocate an object with `payload` more bytes behind it; their address goes to `*address`.
template <typename T>
struct TailAllocator {
  using value_type = T;

  TailAllocator(size_t payloadBytes, void** payloadAddress) : payload(payloadBytes), address(payloadAddress) {}
  template <typename U>
  TailAllocator(const TailAllocator<U>& other) noexcept : payload(other.payload), address(other.address) {}

  T* allocate(size_t n) {
    const size_t head = (n * sizeof(T) + SD_DESIRED_ALIGNMENT - 1) / SD_DESIRED_ALIGNMENT * SD_DESIRED_ALIGNMENT;
    char* block = static_cast<char*>(memory::allocate(head + payload));
    *address = block + head;
    return reinterpret_cast<T*>(block);
  }
  void deallocate(T* p, size_t) noexcept { memory::release(p); }
  template <typename U>
  bool operator==(const TailAllocator<U>&) const noexcept {
    return true;
  }

  size_t payload;
  void** address;
};

// Memory of a workspace for elements of this type. Buffers lie there without gaps, because programs compute the size of
// a workspace from those of its arrays; only what would not be aligned for its elements begins further on.
void* elementsIn(Workspace& workspace, LongType bytes, DataType type) {
  const bool isNumber = DataTypeUtils::isElementType(type) && !DataTypeUtils::isS(type);
  const size_t alignment = std::min(isNumber ? DataTypeUtils::sizeOf(type) : alignof(LongType), alignof(LongType));
  if (static_cast<size_t>(workspace.getCurrentOffset()) % alignment == 0) {
    void* memory = workspace.allocateBytes(bytes);
    // Another thread may have moved the offset, and the caller's memory may begin anywhere.
    if (reinterpret_cast<uintptr_t>(memory) % alignment == 0) return memory;
  }
  return workspace.allocateAligned(bytes);
}

}  // namespace

DataBuffer::DataBuffer(void* primary, void*, size_t bytes, DataType dataType, bool ownPrimary, bool,
                       Workspace* workspace)
    : DataBuffer(primary, bytes, dataType, ownPrimary, workspace) {}

DataBuffer::DataBuffer(void* primary, size_t bytes, DataType dataType, bool own, Workspace* workspace)
    : _primary(primary), _bytes(bytes), _workspace(workspace), _dataType(dataType) {
  if (own && primary != nullptr) _ownership = workspace == nullptr ? Ownership::Adopted : Ownership::Workspace;
}

DataBuffer::DataBuffer(const void* hostBuffer, DataType dataType, size_t bytes, Workspace* workspace)
    : _workspace(workspace), _dataType(dataType) {
  if (bytes == 0) return;
  if (hostBuffer == nullptr) fail("[DataBuffer] argument 'hostBuffer' is null, but {} bytes were to be copied", bytes);
  allocateOwned(bytes, Fill::Nothing);
  std::memcpy(_primary, hostBuffer, bytes);
}

DataBuffer::DataBuffer(size_t bytes, DataType dataType, Workspace* workspace, bool)
    : _workspace(workspace), _dataType(dataType) {
  allocateOwned(bytes, Fill::Zeros);
}

DataBuffer::DataBuffer(InlineMemory memory, size_t bytes, DataType dataType) noexcept
    : _primary(*memory.address),
      _bytes(bytes),
      _countedBytes(bytes),
      _dataType(dataType),
      _ownership(Ownership::Inline) {}

DataBuffer::DataBuffer(const DataBuffer& other)
    : _workspace(other._workspace), _dataType(other._dataType), _deviceId(other.deviceId()) {
  if (other._primary == nullptr) {
    _bytes = other._bytes;
    return;
  }
  allocateOwned(other._bytes, Fill::Nothing);
  if (_primary != nullptr) std::memcpy(_primary, other._primary, _bytes);
}

DataBuffer::DataBuffer(DataBuffer&& other) { takeFrom(other); }

DataBuffer& DataBuffer::operator=(const DataBuffer& other) {
  if (this != &other) *this = DataBuffer(other);
  return *this;
}

DataBuffer& DataBuffer::operator=(DataBuffer&& other) {
  if (this == &other) return *this;
  if (other._ownership == Ownership::Inline) return *this = DataBuffer(std::move(other));
  releaseOwned();
  takeFrom(other);
  return *this;
}

DataBuffer::~DataBuffer() { releaseOwned(); }

std::shared_ptr<DataBuffer> DataBuffer::make(size_t bytes, DataType dataType, Workspace* workspace, Fill fill) {
  if (bytes > LARGEST_INLINE || bytes == 0 || workspace != nullptr || Environment::getInstance().isDetectingLeaks()) {
    auto buffer = std::allocate_shared<DataBuffer>(memory::Allocator<DataBuffer>());
    buffer->_workspace = workspace;
    buffer->_dataType = dataType;
    buffer->allocateOwned(bytes, fill);
    return buffer;
  }
  Reserved reserved(bytes);
  void* address = nullptr;
  auto buffer = std::allocate_shared<DataBuffer>(TailAllocator<DataBuffer>(bytes, &address), InlineMemory{&address},
                                                 bytes, dataType);
  reserved.keep();
  if (fill == Fill::Zeros) std::memset(address, 0, bytes);
  return buffer;
}

void DataBuffer::allocateOwned(size_t bytes, Fill fill) {
  if (bytes == 0) return;
  if (_workspace != nullptr) {
    const bool fits = bytes <= static_cast<size_t>(std::numeric_limits<LongType>::max());
    _primary = elementsIn(*_workspace, fits ? static_cast<LongType>(bytes) : -1, _dataType);
    if (fill == Fill::Zeros) std::memset(_primary, 0, bytes);
    _ownership = Ownership::Workspace;
    _bytes = bytes;
    return;
  }
  Reserved reserved(bytes);
  _primary = fill == Fill::Zeros ? memory::allocateZeroed(bytes) : memory::allocate(bytes);
  reserved.keep();
  _ownership = Ownership::Heap;
  _bytes = _countedBytes = bytes;
  if (Environment::getInstance().isDetectingLeaks()) {
    MemoryTracker::getInstance().countIn(memory::HOST, _primary, static_cast<LongType>(bytes));
    _tracked = true;
  }
}

void DataBuffer::releaseOwned() noexcept {
  if (_tracked) MemoryTracker::getInstance().countOut(_primary);
  if (_countedBytes != 0) MemoryCounter::getInstance().releaseHeap(_countedBytes);
  if (_ownership == Ownership::Heap) memory::release(_primary);
  if (_ownership == Ownership::Adopted) memory::releaseAdopted(_primary);
  _primary = nullptr;
  _countedBytes = 0;
  _ownership = Ownership::None;
  _tracked = false;
}

void DataBuffer::takeFrom(DataBuffer& other) {
  if (other._ownership == Ownership::Inline) {
    DataBuffer copy(other);
    other.close();
    return takeFrom(copy);
  }
  _primary = std::exchange(other._primary, nullptr);
  _bytes = std::exchange(other._bytes, 0);
  _countedBytes = std::exchange(other._countedBytes, 0);
  _ownership = std::exchange(other._ownership, Ownership::None);
  _tracked = std::exchange(other._tracked, false);
  _workspace = other._workspace;
  _dataType = other._dataType;
  setDeviceId(other.deviceId());
}

void DataBuffer::allocatePrimary() {
  if (_primary == nullptr) allocateOwned(_bytes, Fill::Zeros);
}

void DataBuffer::setPrimaryBuffer(void* buffer, size_t length) {
  const size_t bytes = memory::checkedBytes(length, DataTypeUtils::sizeOf(_dataType));
  if (buffer != _primary || _ownership == Ownership::None) {
    releaseOwned();
  } else if (bytes > _bytes) {
    fail("[setPrimaryBuffer] argument 'length': {} bytes do not fit into the buffer of {}", bytes, _bytes);
  }
  _primary = buffer;
  _bytes = bytes;
}

void DataBuffer::setSpecialBuffer(void*, size_t) noexcept {}

void DataBuffer::expand(uint64_t bytes) {
  if (bytes <= _bytes) return;
  DataBuffer larger;
  larger._workspace = _workspace;
  larger._dataType = _dataType;
  larger.setDeviceId(deviceId());
  larger.allocateOwned(bytes, Fill::Zeros);
  if (_primary != nullptr) std::memcpy(larger._primary, _primary, _bytes);
  *this = std::move(larger);
}

void DataBuffer::close() noexcept {
  releaseOwned();
  _bytes = 0;
}

void DataBuffer::setToZeroBuffers(bool) noexcept {
  if (_primary != nullptr) std::memset(_primary, 0, _bytes);
}

void DataBuffer::copyBufferFrom(const DataBuffer& other, size_t bytes, LongType offsetThis, LongType offsetOther) {
  if (offsetThis < 0 || offsetOther < 0)
    fail("[copyBufferFrom] negative offset: {} in the target, {} in the source", offsetThis, offsetOther);
  const size_t to = memory::checkedBytes(static_cast<size_t>(offsetThis), DataTypeUtils::sizeOf(_dataType));
  const size_t from = memory::checkedBytes(static_cast<size_t>(offsetOther), DataTypeUtils::sizeOf(other._dataType));
  if (from > other._bytes) fail("[copyBufferFrom] byte {} is outside the source of {} bytes", from, other._bytes);
  if (bytes == 0) bytes = other._bytes - from;
  if (bytes == 0 || other._primary == nullptr) return;
  if (bytes > other._bytes - from)
    fail("[copyBufferFrom] {} bytes from byte {} are outside the source of {} bytes", bytes, from, other._bytes);
  if (_primary == nullptr || to > _bytes || bytes > _bytes - to)
    fail("[copyBufferFrom] {} bytes at byte {} are outside the target of {} bytes", bytes, to,
         _primary == nullptr ? 0 : _bytes);
  std::memmove(static_cast<char*>(_primary) + to, static_cast<const char*>(other._primary) + from, bytes);
}

void DataBuffer::memcpy(const DataBuffer& dst, const DataBuffer& src) {
  if (src._bytes > dst._bytes)
    fail<std::runtime_error>("[DataBuffer::memcpy] the source of {} bytes is longer than the target of {}", src._bytes,
                             dst._bytes);
  if (src._primary == nullptr || src._bytes == 0) return;
  if (dst._primary == nullptr) fail<std::runtime_error>("[DataBuffer::memcpy] the target has no memory");
  std::memmove(dst._primary, src._primary, src._bytes);
}

}  // namespace sd
