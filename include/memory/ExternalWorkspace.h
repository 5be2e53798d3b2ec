// A block of memory with another owner, for use as a workspace.
#ifndef NDFORGE_MEMORY_EXTERNALWORKSPACE_H
#define NDFORGE_MEMORY_EXTERNALWORKSPACE_H

#include <system/common.h>

namespace sd::memory {

/// Describes foreign memory; owns nothing.
class ExternalWorkspace {
 public:
  ExternalWorkspace() = default;
  ExternalWorkspace(Pointer ptrH, LongType sizeH, Pointer ptrD, LongType sizeD)
      : _ptrH(ptrH), _ptrD(ptrD), _sizeH(sizeH), _sizeD(sizeD) {}

  void* pointerHost() const { return _ptrH; }
  void* pointerDevice() const { return _ptrD; }
  LongType sizeHost() const { return _sizeH; }
  LongType sizeDevice() const { return _sizeD; }

 private:
  void* _ptrH = nullptr;
  void* _ptrD = nullptr;
  LongType _sizeH = 0;
  LongType _sizeD = 0;
};

}  // namespace sd::memory

#endif
