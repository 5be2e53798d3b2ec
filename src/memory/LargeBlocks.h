// The process's cache of large blocks.
#ifndef NDFORGE_SRC_MEMORY_LARGEBLOCKS_H
#define NDFORGE_SRC_MEMORY_LARGEBLOCKS_H

#include <mutex>

#include "memory/SystemMemory.h"

namespace sd::memory {

/// Keeps released blocks by size class, up to a total number of bytes; the blocks that were released first are evicted
/// first.
class LargeBlocks {
 public:
  static LargeBlocks& getInstance();

  /// A block of at least `bytes`, or nullptr when there is no memory even after emptying the cache.
  system::Header* acquire(size_t bytes) noexcept;
  void release(system::Header* block) noexcept;

  /// Returns cached blocks to the system until at most `keep` bytes are left; returns the number of bytes freed.
  size_t trim(size_t keep) noexcept;

  size_t cachedBytes() const noexcept;
  size_t limit() const noexcept;
  void setLimit(size_t bytes) noexcept;

  /// For ForkLock.
  void lock() { _mutex.lock(); }
  void unlock() { _mutex.unlock(); }

 private:
  LargeBlocks();
  void unlink(system::Header* block, int bin) noexcept;

  // 8 classes per doubling: at most an eighth of a block is unused.
  static constexpr int BINS = 8 * 48;
  static size_t roundedCapacity(size_t bytes, int& bin) noexcept;

  mutable std::mutex _mutex;
  system::Header* _bins[BINS] = {};
  system::Header* _newest = nullptr;
  system::Header* _oldest = nullptr;
  size_t _bytes = 0;
  size_t _limit;
};

}  // namespace sd::memory

#endif
