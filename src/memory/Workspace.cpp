#include <memory/Workspace.h>

#include <exceptions/allocation_exception.h>
#include <memory/MemoryCounter.h>

#include <algorithm>
#include <limits>
#include <memory>
#include <stdexcept>

#include "system/Error.h"

namespace sd::memory {

namespace {

constexpr LongType ALIGNMENT = SD_DESIRED_ALIGNMENT;

LongType checkedSize(LongType bytes, const char* what) {
  if (bytes < 0) fail("[workspace] argument '{}': {} bytes is negative", what, bytes);
  return bytes;
}

LongType sum(LongType a, LongType b) {
  LongType result = 0;
  if (__builtin_add_overflow(a, b, &result))
    fail<allocation_exception>("[workspace] {} + {} bytes are more than can be addressed", a, b);
  return result;
}

}  // namespace

Workspace::Workspace(LongType initialSize, LongType secondaryBytes) {
  checkedSize(secondaryBytes, "secondaryBytes");
  growTo(checkedSize(initialSize, "initialSize"));
}

Workspace::Workspace(ExternalWorkspace* external) {
  if (external == nullptr) return;
  _size = external->pointerHost() == nullptr ? 0 : checkedSize(external->sizeHost(), "sizeHost");
  _block = static_cast<char*>(external->pointerHost());
}

Workspace::~Workspace() {
  freeSpills();
  if (_ownsBlock) release(_block);
}

void Workspace::growTo(LongType bytes) {
  if (bytes <= _size) return;
  char* block = static_cast<char*>(allocateZeroed(static_cast<size_t>(bytes)));
  if (_ownsBlock) release(_block);
  _block = block;
  _ownsBlock = true;
  _size = bytes;
}

void Workspace::freeSpills() noexcept {
  for (void* spill : _spills) release(spill);
  MemoryCounter::getInstance().releaseHeap(static_cast<size_t>(_spilled));
  _spills.clear();
  _spilled = 0;
}

void* Workspace::take(LongType numBytes, LongType alignment) {
  if (numBytes < 1) fail<allocation_exception>("[workspace] cannot allocate {} bytes", numBytes);
  std::lock_guard<std::mutex> lock(_mutex);
  const auto address = reinterpret_cast<uintptr_t>(_block) + static_cast<uintptr_t>(_offset);
  const LongType padding = static_cast<LongType>(-address & static_cast<uintptr_t>(alignment - 1));
  // Sizes are at most `_size`, so the differences cannot overflow.
  if (padding <= _size - _offset && numBytes <= _size - _offset - padding) {
    char* memory = _block + _offset + padding;
    _offset += padding + numBytes;
    _requestedInCycle = sum(_requestedInCycle, padding + numBytes);
    return memory;
  }
  // In the larger block of the next cycle, this allocation may need padding.
  const LongType requested = sum(_requestedInCycle, sum(numBytes, alignment - 1));
  const LongType spilled = sum(_spilled, numBytes);
  _spills.reserve(_spills.size() + 1);
  MemoryCounter& counter = MemoryCounter::getInstance();
  counter.reserveHeap(static_cast<size_t>(numBytes));
  void* memory = nullptr;
  try {
    memory = allocate(static_cast<size_t>(numBytes));
  } catch (...) {
    counter.releaseHeap(static_cast<size_t>(numBytes));
    throw;
  }
  _spills.push_back(memory);
  _spilled = spilled;
  _requestedInCycle = requested;
  return memory;
}

void* Workspace::allocateBytes(LongType numBytes) { return take(numBytes, 1); }

void* Workspace::allocateBytes(MemoryType type, LongType numBytes) {
  if (type == DEVICE) fail<std::runtime_error>("[workspace] there is no device memory on a CPU");
  return take(numBytes, 1);
}

void* Workspace::allocateAligned(LongType numBytes) { return take(numBytes, ALIGNMENT); }

void Workspace::scopeIn() {
  std::lock_guard<std::mutex> lock(_mutex);
  freeSpills();
  growTo(_requestedInCycle);
  _requestedInCycle = 0;
}

void Workspace::scopeOut() {
  std::lock_guard<std::mutex> lock(_mutex);
  _offset = 0;
}

void Workspace::expandBy(LongType primaryBytes, LongType secondaryBytes) {
  checkedSize(primaryBytes, "primaryBytes");
  checkedSize(secondaryBytes, "secondaryBytes");
  std::lock_guard<std::mutex> lock(_mutex);
  growTo(sum(_size, primaryBytes));
}

void Workspace::expandTo(LongType primaryBytes, LongType secondaryBytes) {
  checkedSize(primaryBytes, "primaryBytes");
  checkedSize(secondaryBytes, "secondaryBytes");
  std::lock_guard<std::mutex> lock(_mutex);
  growTo(primaryBytes);
}

Workspace* Workspace::clone() const {
  std::lock_guard<std::mutex> lock(_mutex);
  return std::make_unique<Workspace>(std::max(_size, _requestedInCycle)).release();
}

LongType Workspace::getCurrentOffset() const {
  std::lock_guard<std::mutex> lock(_mutex);
  return _offset;
}

LongType Workspace::getCurrentSize() const {
  std::lock_guard<std::mutex> lock(_mutex);
  return _size;
}

LongType Workspace::getSpilledSize() const {
  std::lock_guard<std::mutex> lock(_mutex);
  return _spilled;
}

LongType Workspace::getAllocatedSize() const {
  std::lock_guard<std::mutex> lock(_mutex);
  return _size + _spilled;
}

}  // namespace sd::memory
