// Counts the heap memory of arrays and enforces limits on it.
#ifndef NDFORGE_MEMORY_MEMORYCOUNTER_H
#define NDFORGE_MEMORY_MEMORYCOUNTER_H

#include <memory/MemoryType.h>
#include <system/common.h>

#include <array>
#include <atomic>

namespace sd::memory {

/// Counters and limits for each device (number 0 is the CPU) and each group of memory. A limit <= 0 means no limit;
/// then SD_MAX_DEVICE_BYTES and SD_MAX_PRIMARY_BYTES (Environment) limit device 0 and group HOST. Heap buffers, and
/// heap memory that full workspaces use, count towards device 0 and group HOST, and respect both limits.
class SD_LIB_EXPORT MemoryCounter {
 public:
  static MemoryCounter& getInstance();

  /// Adds to the counter of a device or of a group, or subtracts from it.
  void countIn(int deviceId, LongType numBytes);
  void countIn(MemoryType group, LongType numBytes);
  void countOut(int deviceId, LongType numBytes);
  void countOut(MemoryType group, LongType numBytes);

  /// True when `numBytes` more would not exceed the limit of the current device.
  bool validate(LongType numBytes) const;
  bool validateDevice(int deviceId, LongType numBytes) const;
  bool validateGroup(MemoryType group, LongType numBytes) const;

  // All functions with a device throw std::runtime_error when its number is outside 0..31.
  void setDeviceLimit(int deviceId, LongType numBytes);
  void setGroupLimit(MemoryType group, LongType numBytes);

  LongType deviceLimit(int deviceId) const;
  LongType groupLimit(MemoryType group) const;
  LongType allocatedDevice(int deviceId) const;
  LongType allocatedGroup(MemoryType group) const;

  /// Counts an array's heap memory for device 0 and group HOST in one step. Throws sd::allocation_exception, and counts
  /// nothing, when a limit would be exceeded.
  void reserveHeap(size_t numBytes);
  void releaseHeap(size_t numBytes) noexcept;

  /// Adds to the memory that the library keeps for shapes, sub-arrays and constants; a negative number subtracts. It is
  /// not part of devices and groups, and has no limit: most of it stays until the process ends.
  void countCaches(LongType numBytes) noexcept { _caches.fetch_add(numBytes, std::memory_order_relaxed); }
  LongType allocatedByCaches() const noexcept { return _caches.load(std::memory_order_relaxed); }

 private:
  MemoryCounter() = default;

  struct Count {
    std::atomic<LongType> used{0};
    std::atomic<LongType> limit{0};
  };
  static constexpr int MAX_DEVICES = 32;

  std::array<Count, MAX_DEVICES> _devices;
  std::array<Count, 2> _groups;
  // Memory of arrays: part of device 0 and of group HOST. It is a single counter because every small array changes it.
  alignas(64) std::atomic<LongType> _heap{0};
  alignas(64) std::atomic<LongType> _caches{0};
};

}  // namespace sd::memory

#endif
