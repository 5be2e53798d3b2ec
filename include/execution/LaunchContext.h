// The environment of a call: the workspace for its arrays and the place for its errors.
#ifndef NDFORGE_EXECUTION_LAUNCHCONTEXT_H
#define NDFORGE_EXECUTION_LAUNCHCONTEXT_H

#include <execution/ContextBuffers.h>
#include <execution/Engine.h>
#include <execution/ErrorReference.h>
#include <system/common.h>

#include <mutex>

namespace sd {

namespace memory {
class Workspace;
}

class SD_LIB_EXPORT LaunchContext {
 public:
  LaunchContext() = default;
  /// The pointers are for devices and are ignored.
  explicit LaunchContext(Pointer cudaStream, Pointer reduction = nullptr, Pointer scalar = nullptr,
                         Pointer allocation = nullptr);

  /// The context of calls that do not pass one. There is one object for the whole process, which is never freed; its
  /// workspace is the one that MemoryRegistrator has attached to the calling thread.
  static LaunchContext* defaultContext() noexcept;

  /// The workspace from which arrays of this context take their buffers; nullptr means the heap.
  memory::Workspace* getWorkspace() const noexcept;
  /// The caller still owns the workspace. On the default context it is set for the calling thread only.
  void setWorkspace(memory::Workspace* workspace) noexcept;

  /// The error of the calling thread, whatever the context.
  ErrorReference* errorReference() const noexcept;

  int getDeviceID() const noexcept { return _deviceId; }
  void setDeviceID(int deviceId) noexcept { _deviceId = deviceId; }
  samediff::Engine engine() const noexcept { return samediff::ENGINE_CPU; }

  static bool isInitialized() noexcept { return true; }
  static void releaseBuffers() noexcept {}
  static void swapContextBuffers(ContextBuffers&) noexcept {}
  static std::mutex* deviceMutex() noexcept;

  // Handles of a device; a CPU has none.
  void* getReductionPointer() const noexcept { return nullptr; }
  void* getScalarPointer() const noexcept { return nullptr; }
  void* getAllocationPointer() const noexcept { return nullptr; }
  void* getCudaStream() const noexcept { return nullptr; }
  void* getCudaSpecialStream() const noexcept { return nullptr; }
  void* getCublasHandle() const noexcept { return nullptr; }
  void* getCusolverHandle() const noexcept { return nullptr; }

 private:
  // The places of workspace and number are those of libnd4j: ND4J's JNI library reads and writes them itself.
  void* _unused = nullptr;
  memory::Workspace* _workspace = nullptr;
  int _deviceId = 0;
  bool _followsThread = false;
};

}  // namespace sd

#endif
