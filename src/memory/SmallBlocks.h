// Small blocks: per-thread free lists in front of lists that all threads share.
#ifndef NDFORGE_SRC_MEMORY_SMALLBLOCKS_H
#define NDFORGE_SRC_MEMORY_SMALLBLOCKS_H

#include <array>
#include <bit>
#include <mutex>

#include "memory/SystemMemory.h"

namespace sd::memory {

/// Size classes: 64, 128, … 512 bytes, then 4 per doubling up to 32 KiB.
struct SmallClasses {
  static constexpr int COUNT = 32;
  static constexpr size_t LARGEST = size_t(32) << 10;
  // Blocks up to this size are cut from chunks. Larger ones can be returned to the system one by one.
  static constexpr size_t LARGEST_IN_CHUNKS = size_t(2) << 10;

  static int of(size_t bytes) {
    const unsigned last = bytes == 0 ? 0 : static_cast<unsigned>((bytes - 1) / 64);
    if (last < 8) return static_cast<int>(last);
    const int exponent = static_cast<int>(std::bit_width(last)) - 1;
    return 4 * (exponent - 2) + static_cast<int>(last >> (exponent - 2));
  }
  static constexpr size_t capacity(int sizeClass) {
    if (sizeClass < 8) return 64 * (static_cast<size_t>(sizeClass) + 1);
    const int exponent = sizeClass / 4 + 1;
    return 64 * ((static_cast<size_t>(sizeClass) % 4 + 5) << (exponent - 2));
  }
  /// The number of blocks of each class that a thread keeps; half of them move to or from the shared list at once.
  static const std::array<int, COUNT> KEPT;
};

inline constexpr std::array<int, SmallClasses::COUNT> SmallClasses::KEPT = [] {
  std::array<int, COUNT> kept{};
  for (int c = 0; c < COUNT; ++c) {
    const size_t count = (size_t(256) << 10) / capacity(c);
    kept[static_cast<size_t>(c)] = count < 8 ? 8 : count > 256 ? 256 : static_cast<int>(count);
  }
  return kept;
}();

/// The lists that all threads share.
class SmallBlocks {
 public:
  static SmallBlocks& getInstance();

  /// A list of 1 to `wanted` blocks, linked by `next`; `count` receives their number. nullptr: out of memory.
  system::Header* take(int sizeClass, int wanted, int& count) noexcept;
  /// Takes back a list of blocks of one class.
  void put(int sizeClass, system::Header* first) noexcept;
  /// Returns blocks that are not cut from chunks to the system; returns the number of bytes.
  size_t trim() noexcept;

  /// For ForkLock: locks the shared lists, and the chunk that blocks are cut from.
  void lockLists();
  void unlockLists();
  void lockChunk() { _chunkMutex.lock(); }
  void unlockChunk() { _chunkMutex.unlock(); }

 private:
  struct Shared {
    std::mutex mutex;
    system::Header* first = nullptr;
    size_t count = 0;
  };
  system::Header* cut(int sizeClass, int wanted, int& count) noexcept;

  Shared _shared[SmallClasses::COUNT];
  std::mutex _chunkMutex;
  char* _chunk = nullptr;
  size_t _left = 0;
};

}  // namespace sd::memory

#endif
