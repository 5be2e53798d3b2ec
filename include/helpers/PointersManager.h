// Memory that an operation passes to a device; on a CPU it is host memory.
#ifndef NDFORGE_HELPERS_POINTERSMANAGER_H
#define NDFORGE_HELPERS_POINTERSMANAGER_H

#include <execution/LaunchContext.h>
#include <system/common.h>

#include <string>
#include <vector>

namespace sd {

class SD_LIB_EXPORT PointersManager {
 public:
  explicit PointersManager(const LaunchContext* context, const std::string& name = "");
  ~PointersManager();
  PointersManager(const PointersManager&) = delete;
  PointersManager& operator=(const PointersManager&) = delete;

  /// Returns the source itself: nothing needs to be copied.
  void* replicatePointer(const void* source, size_t numberOfBytes);
  /// Zero-filled memory that lives as long as the manager. @throws sd::allocation_exception
  void* allocateDevMem(size_t sizeInBytes);
  /// Does nothing: there is nothing to wait for.
  void synchronize() const {}

 private:
  std::vector<void*> _blocks;
};

}  // namespace sd

#endif
