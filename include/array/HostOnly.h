// Functions with which programs keep device memory in step with host memory. Arrays are on the host only, so these
// functions do nothing.
#ifndef NDFORGE_ARRAY_HOSTONLY_H
#define NDFORGE_ARRAY_HOSTONLY_H

#include <system/common.h>

#include <vector>

namespace sd {

class NDArray;

class HostOnly {
  using Arrays = std::vector<const NDArray*>;

 public:
  static void registerSpecialUse(const Arrays&, const Arrays& = {}) {}
  static void prepareSpecialUse(const Arrays&, const Arrays& = {}, bool = false) {}
  static void registerPrimaryUse(const Arrays&, const Arrays& = {}) {}
  static void preparePrimaryUse(const Arrays&, const Arrays& = {}, bool = false) {}
  void syncToHost() const {}
  void syncToDevice() const {}
  void syncShape() const {}
  void makeBothBuffersActual() const {}
  void tickWriteDevice() const {}
  void tickWriteHost() const {}
  void tickReadHost() const {}
  void tickReadDevice() const {}
  void tickBothActual() const {}
  void synchronize(const char*) const {}
  bool isActualOnHostSide() const { return true; }
  bool isActualOnDeviceSide() const { return true; }

  /// Device memory: none.
  void* specialBuffer() const { return nullptr; }
  void* specialBufferWithOffset(LongType) const { return nullptr; }
};

}  // namespace sd

#endif
