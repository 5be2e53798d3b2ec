// The process-wide cache of constant numbers.
#ifndef NDFORGE_HELPERS_CONSTANTHELPER_H
#define NDFORGE_HELPERS_CONSTANTHELPER_H

#include <array/ConstantDataBuffer.h>
#include <array/ConstantDescriptor.h>

namespace sd {

namespace memory {
class Workspace;
}

/// Safe in many threads.
class SD_LIB_EXPORT ConstantHelper {
 public:
  static ConstantHelper& getInstance();
  ConstantHelper(const ConstantHelper&) = delete;
  ConstantHelper& operator=(const ConstantHelper&) = delete;

  /// The numbers converted exactly (rounded to nearest where the type is narrower, clipped where an integer does not
  /// fit, NaN to 0 for integers): one buffer for equal numbers and type, which belongs to the cache.
  /// @throws std::runtime_error when the type holds no numbers
  ConstantDataBuffer* constantBuffer(const ConstantDescriptor& descriptor, DataType dataType);

  /// A copy of the bytes in the workspace, or one that lives as long as the process.
  /// @throws std::runtime_error when src is nullptr and there are bytes
  void* replicatePointer(const void* src, size_t numBytes, memory::Workspace* workspace = nullptr);

  static int getCurrentDevice() { return 0; }
  static int getNumberOfDevices() { return 1; }
  /// Bytes of constants and copies that live as long as the process; 0 for devices that do not exist.
  LongType getCachedAmount(int deviceId) const;

 private:
  ConstantHelper() = default;
};

}  // namespace sd

#endif
