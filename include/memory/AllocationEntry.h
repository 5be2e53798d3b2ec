// One allocation recorded by the MemoryTracker.
#ifndef NDFORGE_MEMORY_ALLOCATIONENTRY_H
#define NDFORGE_MEMORY_ALLOCATIONENTRY_H

#include <memory/MemoryType.h>
#include <system/common.h>

#include <string>
#include <utility>

namespace sd::memory {

class AllocationEntry {
 public:
  AllocationEntry() = default;
  AllocationEntry(MemoryType type, LongType numBytes, std::string stackTrace)
      : _memoryType(type), _numBytes(numBytes), _stackTrace(std::move(stackTrace)) {}

  LongType numBytes() const { return _numBytes; }
  std::string stackTrace() const { return _stackTrace; }
  MemoryType memoryType() const { return _memoryType; }

 private:
  MemoryType _memoryType = HOST;
  LongType _numBytes = 0;
  std::string _stackTrace;
};

}  // namespace sd::memory

#endif
