// The process-wide cache of constant numbers.
#ifndef NDFORGE_HELPERS_CONSTANTHELPER_H
#define NDFORGE_HELPERS_CONSTANTHELPER_H

#include <array/ConstantDataBuffer.h>
#include <array/ConstantDescriptor.h>

namespace sd {

namespace memory {
class Workspace;
}

/// Thread-safe.
class SD_LIB_EXPORT ConstantHelper {
 public:
  static ConstantHelper& getInstance();
  ConstantHelper(const ConstantHelper&) = delete;
  ConstantHelper& operator=(const ConstantHelper&) = delete;

  /// The numbers converted to `dataType`. Conversion rounds to nearest when the type is narrower, clips values that do
  /// not fit into an integer, and turns NaN into 0 for integers. Equal numbers of one type share a buffer, which the
  /// cache owns.
  /// @throws std::runtime_error when the type is not numeric
  ConstantDataBuffer* constantBuffer(const ConstantDescriptor& descriptor, DataType dataType);

  /// Copies the bytes to the workspace, or without one to memory that lives as long as the process.
  /// @throws std::runtime_error when src is nullptr and numBytes is not 0
  void* replicatePointer(const void* src, size_t numBytes, memory::Workspace* workspace = nullptr);

  static int getCurrentDevice() { return 0; }
  static int getNumberOfDevices() { return 1; }
  /// Bytes of the constants and copies that live as long as the process; 0 for devices that do not exist.
  LongType getCachedAmount(int deviceId) const;

 private:
  ConstantHelper() = default;
};

}  // namespace sd

#endif
