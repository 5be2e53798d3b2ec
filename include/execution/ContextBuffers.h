// Scratch memory and streams of a device; a CPU has none.
#ifndef NDFORGE_EXECUTION_CONTEXTBUFFERS_H
#define NDFORGE_EXECUTION_CONTEXTBUFFERS_H

namespace sd {

class ContextBuffers {
 public:
  void* reductionBuffer() const noexcept { return nullptr; }
  void* scalarBuffer() const noexcept { return nullptr; }
  void* allocationBuffer() const noexcept { return nullptr; }
  void* execStream() const noexcept { return nullptr; }
  void* specialStream() const noexcept { return nullptr; }
  int deviceId() const noexcept { return 0; }
  bool isInitialized() const noexcept { return true; }
  void release() noexcept {}
};

}  // namespace sd

#endif
