#include "memory/LargeBlocks.h"

#include <algorithm>
#include <bit>

#include "system/ForkLocks.h"

namespace sd::memory {

using system::Header;

static const ForkLock forkLock(
    ForkOrder::LargeBlocks, [] { LargeBlocks::getInstance().lock(); }, [] { LargeBlocks::getInstance().unlock(); });

LargeBlocks& LargeBlocks::getInstance() {
  // Never destroyed, because arrays of static storage are released late.
  static LargeBlocks* const instance = new LargeBlocks;
  return *instance;
}

LargeBlocks::LargeBlocks() : _limit(std::min(size_t(1) << 30, system::totalBytes() / 8)) {}

size_t LargeBlocks::roundedCapacity(size_t bytes, int& bin) noexcept {
  constexpr int UNIT_BITS = 9;
  const size_t last = (std::max<size_t>(bytes, size_t(8) << UNIT_BITS) - 1) >> UNIT_BITS;
  const int shift = std::max(0, static_cast<int>(std::bit_width(last)) - 4);
  const size_t steps = (last >> shift) + 1;
  bin = shift * 8 + static_cast<int>(steps) - 1;
  return steps << (shift + UNIT_BITS);
}

Header* LargeBlocks::acquire(size_t bytes) noexcept {
  if (!system::CACHES) return system::acquire(bytes, Header::LARGE);
  if (bytes > (size_t(1) << 48)) return nullptr;
  int bin = 0;
  const size_t capacity = roundedCapacity(bytes, bin);
  {
    std::lock_guard<std::mutex> lock(_mutex);
    if (Header* block = _bins[bin]) {
      unlink(block, bin);
      return block;
    }
  }
  Header* block = system::acquire(capacity, Header::LARGE);
  if (block == nullptr && trim(0) > 0) block = system::acquire(capacity, Header::LARGE);
  return block;
}

void LargeBlocks::release(Header* block) noexcept {
  std::unique_lock<std::mutex> lock(_mutex);
  if (system::CACHES && block->capacity <= _limit) {
    int bin = 0;
    roundedCapacity(block->capacity, bin);
    block->zeroed = false;
    block->previous = nullptr;
    block->next = _bins[bin];
    if (block->next != nullptr) block->next->previous = block;
    _bins[bin] = block;
    block->newer = nullptr;
    block->older = _newest;
    (_newest != nullptr ? _newest->newer : _oldest) = block;
    _newest = block;
    _bytes += block->capacity;
    const size_t limit = _limit;
    const bool full = _bytes > limit;
    lock.unlock();
    if (full) trim(limit);
    return;
  }
  lock.unlock();
  system::giveBack(block);
}

void LargeBlocks::unlink(Header* block, int bin) noexcept {
  (block->previous != nullptr ? block->previous->next : _bins[bin]) = block->next;
  if (block->next != nullptr) block->next->previous = block->previous;
  (block->newer != nullptr ? block->newer->older : _newest) = block->older;
  (block->older != nullptr ? block->older->newer : _oldest) = block->newer;
  _bytes -= block->capacity;
}

size_t LargeBlocks::trim(size_t keep) noexcept {
  Header* dropped = nullptr;
  size_t bytes = 0;
  {
    std::lock_guard<std::mutex> lock(_mutex);
    while (_bytes > keep) {
      Header* block = _oldest;
      int bin = 0;
      roundedCapacity(block->capacity, bin);
      unlink(block, bin);
      bytes += block->capacity;
      block->next = dropped;
      dropped = block;
    }
  }
  while (dropped != nullptr) {
    Header* block = dropped;
    dropped = block->next;
    system::giveBack(block);
  }
  return bytes;
}

size_t LargeBlocks::cachedBytes() const noexcept {
  std::lock_guard<std::mutex> lock(_mutex);
  return _bytes;
}

size_t LargeBlocks::limit() const noexcept {
  std::lock_guard<std::mutex> lock(_mutex);
  return _limit;
}

void LargeBlocks::setLimit(size_t bytes) noexcept {
  {
    std::lock_guard<std::mutex> lock(_mutex);
    _limit = bytes;
  }
  trim(bytes);
}

}  // namespace sd::memory
