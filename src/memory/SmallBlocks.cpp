#include "memory/SmallBlocks.h"

#include <algorithm>
#include <new>

#include "system/ForkLocks.h"

namespace sd::memory {

using system::Header;

// The most that the shared list of a class may hold, for classes whose blocks can be returned to the system.
static constexpr size_t SHARED_BYTES = size_t(8) << 20;

static const ForkLock listsForkLock(
    ForkOrder::SmallBlocks, [] { SmallBlocks::getInstance().lockLists(); },
    [] { SmallBlocks::getInstance().unlockLists(); });
static const ForkLock chunkForkLock(
    ForkOrder::Chunks, [] { SmallBlocks::getInstance().lockChunk(); },
    [] { SmallBlocks::getInstance().unlockChunk(); });

void SmallBlocks::lockLists() {
  for (Shared& shared : _shared) shared.mutex.lock();
}

void SmallBlocks::unlockLists() {
  for (Shared& shared : _shared) shared.mutex.unlock();
}

SmallBlocks& SmallBlocks::getInstance() {
  // Never destroyed, because threads and arrays of static storage release blocks late.
  static SmallBlocks* const instance = new SmallBlocks;
  return *instance;
}

Header* SmallBlocks::take(int sizeClass, int wanted, int& count) noexcept {
  Shared& shared = _shared[sizeClass];
  {
    std::lock_guard<std::mutex> lock(shared.mutex);
    if (shared.first != nullptr) {
      Header* const first = shared.first;
      Header* last = first;
      for (count = 1; count < wanted && last->next != nullptr; ++count) last = last->next;
      shared.first = last->next;
      shared.count -= static_cast<size_t>(count);
      last->next = nullptr;
      return first;
    }
  }
  if (SmallClasses::capacity(sizeClass) <= SmallClasses::LARGEST_IN_CHUNKS) return cut(sizeClass, wanted, count);
  count = 1;
  return system::acquire(SmallClasses::capacity(sizeClass), static_cast<uint32_t>(sizeClass));
}

Header* SmallBlocks::cut(int sizeClass, int wanted, int& count) noexcept {
  const size_t capacity = SmallClasses::capacity(sizeClass), step = capacity + sizeof(Header);
  std::lock_guard<std::mutex> lock(_chunkMutex);
  if (_left < step) {
    char* chunk = system::acquireChunk();
    if (chunk == nullptr) return nullptr;
    _chunk = chunk;
    _left = system::CHUNK_BYTES;
  }
  // Takes a few pages at a time: a class that is used once should not touch a whole chunk.
  const size_t most = std::max<size_t>(1, 16384 / step);
  count = static_cast<int>(std::min({static_cast<size_t>(wanted), most, _left / step}));
  Header* first = nullptr;
  for (int i = 0; i < count; ++i) {
    first =
        new (_chunk) Header{capacity, static_cast<uint32_t>(sizeClass), false, false, first, nullptr, nullptr, nullptr};
    _chunk += step;
    _left -= step;
  }
  return first;
}

void SmallBlocks::put(int sizeClass, Header* first) noexcept {
  Shared& shared = _shared[sizeClass];
  const size_t capacity = SmallClasses::capacity(sizeClass);
  const bool returnable = capacity > SmallClasses::LARGEST_IN_CHUNKS;
  std::unique_lock<std::mutex> lock(shared.mutex);
  while (first != nullptr && !(returnable && shared.count * capacity >= SHARED_BYTES)) {
    Header* const block = first;
    first = block->next;
    block->next = shared.first;
    shared.first = block;
    ++shared.count;
  }
  lock.unlock();
  while (first != nullptr) {
    Header* const block = first;
    first = block->next;
    system::giveBack(block);
  }
}

size_t SmallBlocks::trim() noexcept {
  size_t bytes = 0;
  for (int c = 0; c < SmallClasses::COUNT; ++c) {
    if (SmallClasses::capacity(c) <= SmallClasses::LARGEST_IN_CHUNKS) continue;
    Header* block = nullptr;
    {
      std::lock_guard<std::mutex> lock(_shared[c].mutex);
      std::swap(block, _shared[c].first);
      _shared[c].count = 0;
    }
    while (block != nullptr) {
      Header* const next = block->next;
      bytes += block->capacity;
      system::giveBack(block);
      block = next;
    }
  }
  return bytes;
}

}  // namespace sd::memory
