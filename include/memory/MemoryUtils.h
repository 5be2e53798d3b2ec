// Asks the system about the memory of the process.
#ifndef NDFORGE_MEMORY_MEMORYUTILS_H
#define NDFORGE_MEMORY_MEMORYUTILS_H

#include <memory/MemoryReport.h>
#include <system/common.h>

namespace sd::memory {

class SD_LIB_EXPORT MemoryUtils {
 public:
  /// Fills in the sizes of this process. False when the system does not tell them.
  static bool retrieveMemoryStatistics(MemoryReport& report);
};

}  // namespace sd::memory

#endif
