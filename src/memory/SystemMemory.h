// Blocks of memory from the operating system with a header in front, and a register of the blocks.
#ifndef NDFORGE_SRC_MEMORY_SYSTEMMEMORY_H
#define NDFORGE_SRC_MEMORY_SYSTEMMEMORY_H

#include <system/common.h>

namespace sd::memory::system {

// Under AddressSanitizer each block is a single allocation of the system and is returned at once, so that all of them
// are checked.
#if defined(__SANITIZE_ADDRESS__)
inline constexpr bool CACHES = false;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
inline constexpr bool CACHES = false;
#else
inline constexpr bool CACHES = true;
#endif
#else
inline constexpr bool CACHES = true;
#endif

/// Occupies the 64 bytes before the memory of each block.
struct alignas(SD_DESIRED_ALIGNMENT) Header {
  size_t capacity;     // bytes after the header
  uint32_t sizeClass;  // for small blocks; LARGE for others
  bool zeroed;         // the memory has not been written since the system gave it
  bool mapped;         // its pages were mapped for this block alone
  Header* next;        // links a list of free blocks
  Header* previous;
  Header* newer;  // links the order of release
  Header* older;

  static constexpr uint32_t LARGE = UINT32_MAX;

  void* memory() { return this + 1; }
  static Header* of(void* memory) { return static_cast<Header*>(memory) - 1; }
};
static_assert(sizeof(Header) == SD_DESIRED_ALIGNMENT);

/// A new block, or nullptr when the system is out of memory.
Header* acquire(size_t capacity, uint32_t sizeClass) noexcept;

/// Returns a block from acquire() to the system.
void giveBack(Header* block) noexcept;

/// Memory that is never returned, to be cut into small blocks. It is aligned to its size of 1 MiB. nullptr: out of
/// memory.
constexpr size_t CHUNK_BYTES = size_t(1) << 20;
char* acquireChunk() noexcept;

/// Whether `memory` belongs to a block or lies in a chunk.
bool isRegistered(const void* memory) noexcept;

/// The memory of the machine or of the process's control group, whichever is less; and the bytes available at the
/// moment.
size_t totalBytes() noexcept;
size_t availableBytes() noexcept;

}  // namespace sd::memory::system

#endif
