// The functions behind ALLOCATE and RELEASE.
#include <exceptions/allocation_exception.h>
#include <memory/Allocation.h>
#include <memory/Workspace.h>
#include <system/op_boilerplate.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <memory>

namespace sd::memory {

namespace {

void* fromWorkspace(Workspace& workspace, size_t bytes, size_t alignment) {
  void* block = workspace.allocateBytes(static_cast<LongType>(bytes));
  if (reinterpret_cast<uintptr_t>(block) % alignment == 0) return block;
  // Workspaces do not align their memory: leave room to move up to the next multiple of the alignment.
  size_t room = bytes + alignment - 1;
  block = workspace.allocateBytes(static_cast<LongType>(room));
  return std::align(alignment, bytes, block, room);
}

}  // namespace

void* allocateZeroed(Workspace* workspace, LongType count, size_t size, size_t alignment) {
  constexpr auto most = static_cast<size_t>(std::numeric_limits<LongType>::max() / 2);
  if (count < 0 || static_cast<size_t>(count) > most / std::max<size_t>(size, 1))
    throw allocation_exception("[ALLOCATE] " + std::to_string(count) + " elements of " + std::to_string(size) +
                               " bytes cannot be allocated");
  const size_t bytes = std::max<size_t>(static_cast<size_t>(count) * size, 1);
  if (workspace == nullptr) return memory::allocateZeroed(bytes);
  void* block = fromWorkspace(*workspace, bytes, alignment);
  std::memset(block, 0, bytes);
  return block;
}

void releaseZeroed(const void* block, Workspace* workspace) {
  // Shapes from ShapeBuilders, which were allocated with new[], are freed here as well.
  if (workspace == nullptr) memory::releaseAdopted(const_cast<void*>(block));
}

}  // namespace sd::memory
