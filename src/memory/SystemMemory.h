// Blocks of memory from the operating system, with a header in front, and a register of them.
#ifndef NDFORGE_SRC_MEMORY_SYSTEMMEMORY_H
#define NDFORGE_SRC_MEMORY_SYSTEMMEMORY_H

#include <system/common.h>

namespace sd::memory::system {

// Under AddressSanitizer each block is one allocation of the system and goes back at once, so that it watches all of
// them.
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

/// Stands in the 64 bytes before the memory of each block.
struct alignas(SD_DESIRED_ALIGNMENT) Header {
  size_t capacity;     // bytes behind the header
  uint32_t sizeClass;  // of small blocks; LARGE for the others
  bool zeroed;         // the memory has not been written since the system gave it
  bool mapped;         // its pages were mapped for it alone
  Header* next;        // in a list of free blocks
  Header* previous;
  Header* newer;  // in the order of release
  Header* older;

  static constexpr uint32_t LARGE = UINT32_MAX;

  void* memory() { return this + 1; }
  static Header* of(void* memory) { return static_cast<Header*>(memory) - 1; }
};
static_assert(sizeof(Header) == SD_DESIRED_ALIGNMENT);

/// A new block, or nullptr when the system has no memory for it.
Header* acquire(size_t capacity, uint32_t sizeClass) noexcept;

/// Gives a block of acquire() back to the system.
void giveBack(Header* block) noexcept;

/// Memory that is never given back, to be cut into small blocks; a multiple of its alignment of 1 MiB. Or nullptr.
constexpr size_t CHUNK_BYTES = size_t(1) << 20;
char* acquireChunk() noexcept;

/// True when `memory` belongs to a block or lies in a chunk.
bool isRegistered(const void* memory) noexcept;

/// Bytes of the machine or of the process's control group, whichever is less; and how many are available now.
size_t totalBytes() noexcept;
size_t availableBytes() noexcept;

}  // namespace sd::memory::system

#endif
