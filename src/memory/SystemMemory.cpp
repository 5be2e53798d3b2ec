#include "memory/SystemMemory.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <mutex>
#include <new>
#include <unordered_set>

#include "system/ForkLocks.h"

#if defined(__linux__)
#include <sys/mman.h>
#include <unistd.h>
#endif

namespace sd::memory::system {
namespace {

// Smaller blocks come from malloc: a mapping for each would exceed the limit on the number of mappings.
constexpr size_t MAPPED_FROM = size_t(1) << 20;
constexpr size_t PAGE = 4096;
constexpr size_t HUGE_PAGE = size_t(2) << 20;
// The system may grant more memory than it has and kill the process later, so availability is checked from this size
// on.
constexpr size_t ASK_FROM = size_t(256) << 20;

struct Register {
  std::mutex mutex;
  std::unordered_set<const void*> blocks;
  std::unordered_set<const void*> chunks;
};

// Never destroyed: arrays of static storage are released after static destructors of this file would have run.
Register& theRegister() {
  static Register* const instance = new Register;
  return *instance;
}

const ForkLock forkLock(
    ForkOrder::Register, [] { theRegister().mutex.lock(); }, [] { theRegister().mutex.unlock(); });

bool insert(std::unordered_set<const void*> Register::*set, const void* memory) noexcept {
  try {
    Register& r = theRegister();
    std::lock_guard<std::mutex> lock(r.mutex);
    (r.*set).insert(memory);
    return true;
  } catch (const std::bad_alloc&) {
    return false;
  }
}

#if defined(__linux__)

size_t roundUp(size_t bytes, size_t multiple) { return (bytes + multiple - 1) / multiple * multiple; }

// Maps zero-filled pages at an address that is a multiple of `alignment`.
void* map(size_t bytes, size_t alignment) noexcept {
  const size_t slack = alignment > PAGE ? alignment : 0;
  void* mapped = ::mmap(nullptr, bytes + slack, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (mapped == MAP_FAILED) return nullptr;
  if (slack == 0) return mapped;
  char* const begin = static_cast<char*>(mapped);
  const size_t front = (alignment - reinterpret_cast<uintptr_t>(begin) % alignment) % alignment;
  if (front != 0) ::munmap(begin, front);
  if (slack != front) ::munmap(begin + front + bytes, slack - front);
  return begin + front;
}

void* acquirePages(size_t bytes) noexcept {
  const bool huge = bytes >= HUGE_PAGE;
  void* pages = map(bytes, huge ? HUGE_PAGE : PAGE);
  if (pages != nullptr && huge) ::madvise(pages, bytes, MADV_HUGEPAGE);
  return pages;
}

// Reads the number behind `key` in a file of lines "key number", or the first number when there is no key.
bool readNumber(const char* path, const char* key, size_t& number) noexcept {
  std::FILE* file = std::fopen(path, "re");
  if (file == nullptr) return false;
  char line[256];
  bool found = false;
  const size_t keyLength = std::strlen(key);
  while (!found && std::fgets(line, sizeof(line), file) != nullptr) {
    unsigned long long value = 0;
    found = std::strncmp(line, key, keyLength) == 0 && std::sscanf(line + keyLength, " %llu", &value) == 1;
    if (found) number = static_cast<size_t>(value);
  }
  std::fclose(file);
  return found;
}

struct Group {
  const char *limit, *used, *statistics;
};
constexpr Group GROUPS[] = {
    {"/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory.current", "/sys/fs/cgroup/memory.stat"},
    {"/sys/fs/cgroup/memory/memory.limit_in_bytes", "/sys/fs/cgroup/memory/memory.usage_in_bytes",
     "/sys/fs/cgroup/memory/memory.stat"}};

#endif

}  // namespace

Header* acquire(size_t capacity, uint32_t sizeClass) noexcept {
  constexpr size_t LIMIT = static_cast<size_t>(std::numeric_limits<ptrdiff_t>::max()) - 4 * HUGE_PAGE;
  if (capacity > LIMIT) return nullptr;
  if (capacity >= ASK_FROM && capacity > availableBytes()) return nullptr;
  void* memory = nullptr;
  bool mapped = false;
#if defined(__linux__)
  if (CACHES && capacity >= MAPPED_FROM) {
    memory = acquirePages(roundUp(capacity + sizeof(Header), PAGE));
    mapped = true;
  }
#endif
  if (!mapped && ::posix_memalign(&memory, SD_DESIRED_ALIGNMENT, capacity + sizeof(Header)) != 0) memory = nullptr;
  if (memory == nullptr) return nullptr;
  Header* block = new (memory) Header{capacity, sizeClass, mapped, mapped, nullptr, nullptr, nullptr, nullptr};
  if (insert(&Register::blocks, block->memory())) return block;
  giveBack(block);
  return nullptr;
}

void giveBack(Header* block) noexcept {
  {
    Register& r = theRegister();
    std::lock_guard<std::mutex> lock(r.mutex);
    r.blocks.erase(block->memory());
  }
#if defined(__linux__)
  if (block->mapped) {
    ::munmap(block, roundUp(block->capacity + sizeof(Header), PAGE));
    return;
  }
#endif
  std::free(block);
}

char* acquireChunk() noexcept {
  void* chunk = nullptr;
#if defined(__linux__)
  chunk = map(CHUNK_BYTES, CHUNK_BYTES);
#else
  if (::posix_memalign(&chunk, CHUNK_BYTES, CHUNK_BYTES) != 0) chunk = nullptr;
#endif
  if (chunk != nullptr && !insert(&Register::chunks, chunk)) return nullptr;
  return static_cast<char*>(chunk);
}

bool isRegistered(const void* memory) noexcept {
  Register& r = theRegister();
  const auto chunk = reinterpret_cast<uintptr_t>(memory) & ~(static_cast<uintptr_t>(CHUNK_BYTES) - 1);
  std::lock_guard<std::mutex> lock(r.mutex);
  return r.blocks.count(memory) != 0 || r.chunks.count(reinterpret_cast<const void*>(chunk)) != 0;
}

size_t totalBytes() noexcept {
#if defined(__linux__)
  size_t total = static_cast<size_t>(::sysconf(_SC_PHYS_PAGES)) * static_cast<size_t>(::sysconf(_SC_PAGE_SIZE));
  size_t limit = 0;
  for (const Group& group : GROUPS)
    if (readNumber(group.limit, "", limit)) total = std::min(total, limit);
  return total;
#else
  return size_t(4) << 30;
#endif
}

size_t availableBytes() noexcept {
#if defined(__linux__)
  size_t available = std::numeric_limits<size_t>::max(), kilobytes = 0, swap = 0;
  if (readNumber("/proc/meminfo", "MemAvailable:", kilobytes)) {
    readNumber("/proc/meminfo", "SwapFree:", swap);
    available = (kilobytes + swap) * 1024;
  }
  for (const Group& group : GROUPS) {
    size_t limit = 0, used = 0, pageCache = 0;
    if (!readNumber(group.limit, "", limit) || !readNumber(group.used, "", used)) continue;
    // Pages cached from files count as available: the system drops them when the group needs memory.
    readNumber(group.statistics, "inactive_file", pageCache);
    used -= std::min(used, pageCache);
    available = std::min(available, limit - std::min(limit, used));
  }
  return available;
#else
  return std::numeric_limits<size_t>::max();
#endif
}

}  // namespace sd::memory::system
