// Heap memory of the library: 64-byte aligned, and cached by size class, so that loops do not return it to the system.
//
// Small blocks come from free lists of the calling thread. Released large blocks are kept in a process-wide cache of
// limited size; new ones come zero-filled from the system. Any thread may release a block, not only the one that
// allocated it. Under AddressSanitizer nothing is cached, so that overruns and accesses after the release are found.
#ifndef NDFORGE_MEMORY_ALLOCATION_H
#define NDFORGE_MEMORY_ALLOCATION_H

#include <system/common.h>

namespace sd::memory {

class Workspace;

/// `bytes` of uninitialised memory, aligned to 64 bytes. 0 bytes also give a valid pointer. Throws
/// sd::allocation_exception when memory runs out; the cache is emptied first.
SD_LIB_EXPORT void* allocate(size_t bytes);

/// As `allocate`, filled with zeros. Fresh pages from the system are not zeroed again.
SD_LIB_EXPORT void* allocateZeroed(size_t bytes);

/// As `allocate` and `allocateZeroed`, but returns nullptr instead of throwing.
SD_LIB_EXPORT void* tryAllocate(size_t bytes, bool zeroed = false) noexcept;

/// Releases memory from the functions above. nullptr is ignored.
SD_LIB_EXPORT void release(void* memory) noexcept;

/// True when `memory` is a live large block, or is in the library's memory for small blocks.
SD_LIB_EXPORT bool owns(const void* memory) noexcept;

/// Releases memory that a caller handed over: the library's own, or memory from `new[]` of a trivial type.
SD_LIB_EXPORT void releaseAdopted(void* memory) noexcept;

/// Returns the cached large blocks to the system; returns their size in bytes.
SD_LIB_EXPORT size_t trim() noexcept;

/// The size of the cache of large blocks in bytes, and its limit.
SD_LIB_EXPORT size_t cachedBytes() noexcept;
SD_LIB_EXPORT size_t cacheLimit() noexcept;
SD_LIB_EXPORT void setCacheLimit(size_t bytes) noexcept;

/// a * b. Throws sd::allocation_exception when the product does not fit.
SD_LIB_EXPORT size_t checkedBytes(size_t elements, size_t elementSize);

/// `bytes` of zero-filled memory from the workspace, or from the heap if there is none; only heap memory is released.
SD_LIB_EXPORT void* allocateIn(Workspace* workspace, size_t bytes);

/// Allocator for standard containers that uses this memory.
template <typename T>
struct Allocator {
  using value_type = T;
  static_assert(alignof(T) <= SD_DESIRED_ALIGNMENT, "blocks are aligned to 64 bytes");

  Allocator() noexcept = default;
  template <typename U>
  Allocator(const Allocator<U>&) noexcept {}

  T* allocate(size_t n) { return static_cast<T*>(memory::allocate(checkedBytes(n, sizeof(T)))); }
  void deallocate(T* p, size_t) noexcept { memory::release(p); }

  template <typename U>
  bool operator==(const Allocator<U>&) const noexcept {
    return true;
  }
  template <typename U>
  bool operator!=(const Allocator<U>&) const noexcept {
    return false;
  }
};

}  // namespace sd::memory

#endif
