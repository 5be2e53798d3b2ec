// Records where memory that is still in use was allocated, to find leaks.
#ifndef NDFORGE_MEMORY_MEMORYTRACKER_H
#define NDFORGE_MEMORY_MEMORYTRACKER_H

#include <memory/AllocationEntry.h>
#include <memory/MemoryType.h>
#include <system/common.h>

#include <mutex>
#include <unordered_map>

namespace sd::memory {

/// Active only while Environment::isDetectingLeaks(); otherwise nothing is recorded.
class SD_LIB_EXPORT MemoryTracker {
 public:
  static MemoryTracker& getInstance();

  void countIn(MemoryType type, Pointer ptr, LongType numBytes);
  void countOut(Pointer ptr);

  /// Prints the allocations that are still in use, each with its call stack.
  void summarize();

  /// Discards all records.
  void reset();

  /// Number and bytes of the allocations in use.
  size_t liveAllocations() const;
  LongType liveBytes() const;

 private:
  MemoryTracker() = default;

  struct Fork;

  mutable std::mutex _mutex;
  std::unordered_map<Pointer, AllocationEntry> _live;
};

}  // namespace sd::memory

#endif
