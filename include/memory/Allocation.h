// Heap memory of the library: 64-byte aligned, cached by size class so that loops do not return to the system.
//
// Small blocks come from free lists of the calling thread. Large blocks are kept in a bounded cache of the process
// after their release; fresh ones come zero-filled from the system. Every block may be released by another thread than
// the one that allocated it. Under AddressSanitizer nothing is cached, so that overruns and late accesses are found.
#ifndef NDFORGE_MEMORY_ALLOCATION_H
#define NDFORGE_MEMORY_ALLOCATION_H

#include <system/common.h>

namespace sd::memory {

class Workspace;

/// `bytes` of uninitialised memory, aligned to 64 bytes. 0 bytes give a valid pointer, too.
/// Throws sd::allocation_exception when the memory is not there; the cache is emptied before that.
SD_LIB_EXPORT void* allocate(size_t bytes);

/// As `allocate`, filled with zeros. Pages that are fresh from the system are not written again.
SD_LIB_EXPORT void* allocateZeroed(size_t bytes);

/// As `allocate` and `allocateZeroed`, but nullptr instead of an exception.
SD_LIB_EXPORT void* tryAllocate(size_t bytes, bool zeroed = false) noexcept;

/// Gives back memory of the functions above. nullptr is ignored.
SD_LIB_EXPORT void release(void* memory) noexcept;

/// True when `memory` is a live large block, or lies in the library's memory for small blocks.
SD_LIB_EXPORT bool owns(const void* memory) noexcept;

/// Releases memory that a caller handed over: the library's own, or memory of `new[]` of a trivial type.
SD_LIB_EXPORT void releaseAdopted(void* memory) noexcept;

/// Gives the cached large blocks back to the system; returns how many bytes.
SD_LIB_EXPORT size_t trim() noexcept;

/// Bytes in the cache of large blocks now, and the most that it keeps.
SD_LIB_EXPORT size_t cachedBytes() noexcept;
SD_LIB_EXPORT size_t cacheLimit() noexcept;
SD_LIB_EXPORT void setCacheLimit(size_t bytes) noexcept;

/// a * b. Throws sd::allocation_exception when the product does not fit.
SD_LIB_EXPORT size_t checkedBytes(size_t elements, size_t elementSize);

/// `bytes` of zero-filled memory from the workspace, or from the heap when there is none; only the latter is released.
SD_LIB_EXPORT void* allocateIn(Workspace* workspace, size_t bytes);

/// Allocator of the standard containers on this memory.
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
