#include <memory/Allocation.h>

#include <exceptions/allocation_exception.h>
#include <memory/Workspace.h>

#include <cstring>
#include <limits>

#include "memory/LargeBlocks.h"
#include "memory/SmallBlocks.h"
#include "system/Error.h"

namespace sd::memory {

using system::Header;

namespace {

struct FreeList {
  Header* first = nullptr;
  int count = 0;
};

struct ThreadCache {
  FreeList lists[SmallClasses::COUNT];

  ThreadCache();
  ~ThreadCache();
};

// A pointer in addition to the cache itself, because access to a thread_local object with a destructor is slower. It is
// nullptr before the first use in a thread and again when the thread ends.
__attribute__((tls_model("initial-exec"))) thread_local ThreadCache* threadCache = nullptr;
__attribute__((tls_model("initial-exec"))) thread_local bool threadEnds = false;

ThreadCache::ThreadCache() { threadCache = this; }

ThreadCache::~ThreadCache() {
  threadCache = nullptr;
  threadEnds = true;
  for (int c = 0; c < SmallClasses::COUNT; ++c)
    if (lists[c].first != nullptr) SmallBlocks::getInstance().put(c, lists[c].first);
}

ThreadCache* currentCache() noexcept {
  if (threadCache == nullptr && !threadEnds) {
    static thread_local ThreadCache cache;
    (void)cache;
  }
  return threadCache;
}

__attribute__((noinline)) Header* refill(int sizeClass) noexcept {
  ThreadCache* const cache = currentCache();
  SmallBlocks& shared = SmallBlocks::getInstance();
  const int wanted = cache == nullptr ? 1 : SmallClasses::KEPT[sizeClass] / 2;
  int count = 0;
  Header* block = shared.take(sizeClass, wanted, count);
  if (block == nullptr && trim() > 0) block = shared.take(sizeClass, wanted, count);
  if (block == nullptr || cache == nullptr) return block;
  cache->lists[sizeClass] = {block->next, count - 1};
  return block;
}

__attribute__((noinline)) void releaseSlowly(Header* block) noexcept {
  const int sizeClass = static_cast<int>(block->sizeClass);
  ThreadCache* const cache = currentCache();
  if (cache == nullptr) {
    block->next = nullptr;
    SmallBlocks::getInstance().put(sizeClass, block);
    return;
  }
  FreeList& list = cache->lists[sizeClass];
  block->next = list.first;
  list.first = block;
  if (++list.count <= SmallClasses::KEPT[sizeClass]) return;
  // The older half goes to the lists that all threads share.
  const int keep = list.count / 2;
  Header* last = list.first;
  for (int i = 1; i < keep; ++i) last = last->next;
  SmallBlocks::getInstance().put(sizeClass, last->next);
  last->next = nullptr;
  list.count = keep;
}

inline Header* acquire(size_t bytes) noexcept {
  if (system::CACHES && bytes <= SmallClasses::LARGEST) {
    const int sizeClass = SmallClasses::of(bytes);
    if (ThreadCache* const cache = threadCache) {
      FreeList& list = cache->lists[sizeClass];
      if (Header* const block = list.first) {
        list.first = block->next;
        --list.count;
        return block;
      }
    }
    return refill(sizeClass);
  }
  return LargeBlocks::getInstance().acquire(bytes);
}

[[noreturn]] void failToAllocate(size_t bytes) {
  fail<allocation_exception>("[memory] cannot allocate {} bytes ({} are available)", bytes, system::availableBytes());
}

void* zeroed(Header* block, size_t bytes) noexcept {
  if (!block->zeroed) std::memset(block->memory(), 0, bytes);
  return block->memory();
}

}  // namespace

void* allocate(size_t bytes) {
  Header* const block = acquire(bytes);
  if (block == nullptr) failToAllocate(bytes);
  return block->memory();
}

void* allocateZeroed(size_t bytes) {
  Header* const block = acquire(bytes);
  if (block == nullptr) failToAllocate(bytes);
  return zeroed(block, bytes);
}

void* tryAllocate(size_t bytes, bool fillWithZeros) noexcept {
  Header* const block = acquire(bytes);
  if (block == nullptr) return nullptr;
  return fillWithZeros ? zeroed(block, bytes) : block->memory();
}

void release(void* memory) noexcept {
  if (memory == nullptr) return;
  Header* const block = Header::of(memory);
  if (block->sizeClass == Header::LARGE) return LargeBlocks::getInstance().release(block);
  if (ThreadCache* const cache = threadCache) {
    FreeList& list = cache->lists[block->sizeClass];
    if (list.count < SmallClasses::KEPT[block->sizeClass]) {
      block->next = list.first;
      list.first = block;
      ++list.count;
      return;
    }
  }
  releaseSlowly(block);
}

bool owns(const void* memory) noexcept { return system::isRegistered(memory); }

void releaseAdopted(void* memory) noexcept {
  if (owns(memory))
    release(memory);
  else
    delete[] static_cast<char*>(memory);
}

size_t trim() noexcept { return LargeBlocks::getInstance().trim(0) + SmallBlocks::getInstance().trim(); }

size_t cachedBytes() noexcept { return LargeBlocks::getInstance().cachedBytes(); }
size_t cacheLimit() noexcept { return LargeBlocks::getInstance().limit(); }
void setCacheLimit(size_t bytes) noexcept { LargeBlocks::getInstance().setLimit(bytes); }

size_t checkedBytes(size_t elements, size_t elementSize) {
  size_t bytes = 0;
  if (__builtin_mul_overflow(elements, elementSize, &bytes))
    fail<allocation_exception>("[memory] {} elements of {} bytes are more than can be addressed", elements,
                               elementSize);
  return bytes;
}

void* allocateIn(Workspace* workspace, size_t bytes) {
  if (workspace == nullptr) return allocateZeroed(bytes);
  if (bytes > static_cast<size_t>(std::numeric_limits<LongType>::max())) failToAllocate(bytes);
  // An empty array needs an address, too.
  const size_t needed = bytes == 0 ? 1 : bytes;
  void* memory = workspace->allocateAligned(static_cast<LongType>(needed));
  std::memset(memory, 0, bytes);
  return memory;
}

}  // namespace sd::memory
