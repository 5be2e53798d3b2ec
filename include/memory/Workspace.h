// A block of memory that is handed out from front to back and reused as a whole in each cycle.
#ifndef NDFORGE_MEMORY_WORKSPACE_H
#define NDFORGE_MEMORY_WORKSPACE_H

#include <memory/Allocation.h>
#include <memory/ExternalWorkspace.h>
#include <memory/MemoryType.h>
#include <system/common.h>

#include <mutex>
#include <vector>

namespace sd::memory {

/// A cycle is scopeIn(), allocations, scopeOut(). Requests that do not fit into the block get separate memory
/// ("spilled"), and the next scopeIn() makes the block large enough. Memory of a cycle must not be used after the next
/// cycle has begun. The functions are thread-safe; the thread that ends a cycle must make sure that no other thread
/// still uses its memory.
class SD_LIB_EXPORT Workspace {
 public:
  /// A zero-filled block of `initialSize` bytes. `secondaryBytes` is device memory: not used on a CPU. Throws
  /// std::runtime_error for negative sizes, sd::allocation_exception when memory runs out.
  explicit Workspace(LongType initialSize = 0, LongType secondaryBytes = 0);

  /// Uses foreign memory, which must live as long as the workspace and is not freed here.
  explicit Workspace(ExternalWorkspace* external);
  ~Workspace();
  Workspace(const Workspace&) = delete;
  Workspace& operator=(const Workspace&) = delete;

  /// `numBytes` at the current offset, without padding; separate memory (a spill) when they do not fit. Throws
  /// sd::allocation_exception for numBytes < 1 and when memory runs out.
  void* allocateBytes(LongType numBytes);

  /// As above. Throws std::runtime_error for MemoryType::DEVICE: there is no device.
  void* allocateBytes(MemoryType type, LongType numBytes);

  /// As allocateBytes, at the next offset whose address is a multiple of 64. The padding counts as used.
  void* allocateAligned(LongType numBytes);

  /// Begins a cycle: frees the spills and grows the block to the size that the last cycle requested (it never shrinks).
  void scopeIn();

  /// Ends a cycle: the next allocation is at offset 0. The contents do not change.
  void scopeOut();

  /// Makes the block larger by, or at least as large as, the given number of bytes. If it grows, its content is lost.
  void expandBy(LongType primaryBytes, LongType secondaryBytes = 0);
  void expandTo(LongType primaryBytes, LongType secondaryBytes = 0);

  /// A new workspace, as large as this one or as large as the cycle needs. The caller deletes it.
  Workspace* clone() const;

  /// Bytes of the block that were handed out in this cycle.
  LongType getCurrentOffset() const;
  LongType getUsedSize() const { return getCurrentOffset(); }
  /// Size of the block.
  LongType getCurrentSize() const;
  /// Bytes served outside the block since the last scopeIn().
  LongType getSpilledSize() const;
  /// The size of block and spills together.
  LongType getAllocatedSize() const;

  LongType getCurrentSecondaryOffset() const { return 0; }
  LongType getCurrentSecondarySize() const { return 0; }
  LongType getSpilledSecondarySize() const { return 0; }
  LongType getAllocatedSecondarySize() const { return 0; }
  LongType getUsedSecondarySize() const { return 0; }

 private:
  void* take(LongType numBytes, LongType alignment);
  void growTo(LongType bytes);
  void freeSpills() noexcept;

  mutable std::mutex _mutex;
  char* _block = nullptr;
  bool _ownsBlock = false;
  LongType _size = 0;
  LongType _offset = 0;
  LongType _spilled = 0;
  LongType _requestedInCycle = 0;
  std::vector<void*> _spills;
};

}  // namespace sd::memory

#endif
