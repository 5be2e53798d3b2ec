// The memory usage of the process.
#ifndef NDFORGE_MEMORY_MEMORYREPORT_H
#define NDFORGE_MEMORY_MEMORYREPORT_H

#include <system/common.h>

namespace sd::memory {

/// Virtual and resident size, in KB on Linux. Reports compare by resident size.
class MemoryReport {
 public:
  LongType getVM() const { return _vm; }
  void setVM(LongType vm) { _vm = vm; }
  LongType getRSS() const { return _rss; }
  void setRSS(LongType rss) { _rss = rss; }

  bool operator<(const MemoryReport& other) const { return _rss < other._rss; }
  bool operator<=(const MemoryReport& other) const { return _rss <= other._rss; }
  bool operator>(const MemoryReport& other) const { return _rss > other._rss; }
  bool operator>=(const MemoryReport& other) const { return _rss >= other._rss; }
  bool operator==(const MemoryReport& other) const { return _rss == other._rss; }
  bool operator!=(const MemoryReport& other) const { return _rss != other._rss; }

 private:
  LongType _vm = 0;
  LongType _rss = 0;
};

}  // namespace sd::memory

#endif
