#include <helpers/PointersManager.h>
#include <memory/Allocation.h>

namespace sd {

PointersManager::PointersManager(const LaunchContext*, const std::string&) {}

PointersManager::~PointersManager() {
  for (void* block : _blocks) memory::release(block);
}

void* PointersManager::replicatePointer(const void* source, size_t) { return const_cast<void*>(source); }

void* PointersManager::allocateDevMem(size_t sizeInBytes) {
  _blocks.push_back(nullptr);
  return _blocks.back() = memory::allocateZeroed(sizeInBytes);
}

}  // namespace sd
