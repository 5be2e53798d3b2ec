// Queries the system about the memory of the process.
#ifndef NDFORGE_MEMORY_MEMORYUTILS_H
#define NDFORGE_MEMORY_MEMORYUTILS_H

#include <memory/MemoryReport.h>
#include <system/common.h>

namespace sd::memory {

class SD_LIB_EXPORT MemoryUtils {
 public:
  /// Fills in the sizes of this process. Returns false when the system does not provide them.
  static bool retrieveMemoryStatistics(MemoryReport& report);
};

}  // namespace sd::memory

#endif
