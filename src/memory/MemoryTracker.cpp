#include <memory/MemoryTracker.h>

#include <system/Environment.h>

#include <cstdio>
#include <string>
#include <vector>

#include "system/ForkLocks.h"

#if defined(__GLIBC__)
#include <execinfo.h>

#include <cstdlib>
#endif

namespace sd::memory {

namespace {

std::string currentStack() {
  std::string text;
#if defined(__GLIBC__)
  void* frames[32];
  const int count = ::backtrace(frames, 32);
  char** names = ::backtrace_symbols(frames, count);
  // The first two frames are this function and countIn.
  for (int i = 2; names != nullptr && i < count; ++i) text.append("  ").append(names[i]).append("\n");
  std::free(names);
#endif
  return text;
}

}  // namespace

struct MemoryTracker::Fork {
  static const ForkLock lock;
};
const ForkLock MemoryTracker::Fork::lock(
    ForkOrder::Listings, [] { getInstance()._mutex.lock(); }, [] { getInstance()._mutex.unlock(); });

MemoryTracker& MemoryTracker::getInstance() {
  static MemoryTracker* const instance = new MemoryTracker;
  return *instance;
}

void MemoryTracker::countIn(MemoryType type, Pointer ptr, LongType numBytes) {
  if (ptr == nullptr || !Environment::getInstance().isDetectingLeaks()) return;
  AllocationEntry entry(type, numBytes, currentStack());
  std::lock_guard<std::mutex> lock(_mutex);
  _live[ptr] = std::move(entry);
}

void MemoryTracker::countOut(Pointer ptr) {
  std::lock_guard<std::mutex> lock(_mutex);
  _live.erase(ptr);
}

void MemoryTracker::summarize() {
  std::vector<AllocationEntry> live;
  {
    std::lock_guard<std::mutex> lock(_mutex);
    for (const auto& entry : _live) live.push_back(entry.second);
  }
  if (live.empty()) return;
  std::printf("%zu allocations are in use\n", live.size());
  for (const AllocationEntry& entry : live)
    std::printf("%lld bytes of %s memory\n%s\n", entry.numBytes(), entry.memoryType() == HOST ? "host" : "device",
                entry.stackTrace().c_str());
  std::fflush(stdout);
}

void MemoryTracker::reset() {
  std::lock_guard<std::mutex> lock(_mutex);
  _live.clear();
}

size_t MemoryTracker::liveAllocations() const {
  std::lock_guard<std::mutex> lock(_mutex);
  return _live.size();
}

LongType MemoryTracker::liveBytes() const {
  std::lock_guard<std::mutex> lock(_mutex);
  LongType bytes = 0;
  for (const auto& entry : _live) bytes += entry.second.numBytes();
  return bytes;
}

}  // namespace sd::memory
