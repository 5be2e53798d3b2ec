// The device that a thread uses. A CPU build has only device 0.
#ifndef NDFORGE_EXECUTION_AFFINITYMANAGER_H
#define NDFORGE_EXECUTION_AFFINITYMANAGER_H

#include <system/common.h>

namespace sd {

class SD_LIB_EXPORT AffinityManager {
 public:
  static int numberOfDevices() noexcept { return 1; }
  static int currentDeviceId() noexcept { return 0; }
  static int currentNativeDeviceId() noexcept { return 0; }
  /// Throws std::runtime_error for a device that does not exist.
  static void setCurrentDevice(int deviceId);
  static void setCurrentNativeDevice(int deviceId);
};

}  // namespace sd

#endif
