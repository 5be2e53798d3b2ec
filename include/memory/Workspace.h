// A block of memory that is handed out front to back and reused as a whole, cycle after cycle.
#ifndef NDFORGE_MEMORY_WORKSPACE_H
#define NDFORGE_MEMORY_WORKSPACE_H

#include <memory/Allocation.h>
#include <memory/ExternalWorkspace.h>
#include <memory/MemoryType.h>
#include <system/common.h>

#include <mutex>
#include <vector>

namespace sd::memory {

/// A cycle is scopeIn(), allocations, scopeOut(). What does not fit into the block is served beside it ("spilled"), and
/// the next scopeIn() makes the block large enough. Memory of a cycle must not be used after the next one has begun.
/// The functions may be called by several threads; whoever ends a cycle makes sure that no one still uses its memory.
class SD_LIB_EXPORT Workspace {
 public:
  /// A zero-filled block of `initialSize` bytes. `secondaryBytes` is memory of a device: not used on a CPU.
  /// Throws std::runtime_error for negative sizes, sd::allocation_exception when the memory is not there.
  explicit Workspace(LongType initialSize = 0, LongType secondaryBytes = 0);

  /// Uses foreign memory, which must live as long as the workspace and is never freed here.
  explicit Workspace(ExternalWorkspace* external);
  ~Workspace();
  Workspace(const Workspace&) = delete;
  Workspace& operator=(const Workspace&) = delete;

  /// `numBytes` at the current offset, without padding, or a spill of its own when they do not fit.
  /// Throws sd::allocation_exception for numBytes < 1 and when the memory is not there.
  void* allocateBytes(LongType numBytes);

  /// As above. Throws std::runtime_error for MemoryType::DEVICE: there is no device.
  void* allocateBytes(MemoryType type, LongType numBytes);

  /// As allocateBytes, at the next offset whose address is a multiple of 64. The padding counts as handed out.
  void* allocateAligned(LongType numBytes);

  /// Begins a cycle: frees the spills, grows the block to what the last cycle asked for (it never shrinks).
  void scopeIn();

  /// Ends a cycle: the next allocation is at offset 0. The contents stay.
  void scopeOut();

  /// Makes the block larger by, or at least as large as, so many bytes. When it grows its old content is lost.
  void expandBy(LongType primaryBytes, LongType secondaryBytes = 0);
  void expandTo(LongType primaryBytes, LongType secondaryBytes = 0);

  /// A new workspace, as large as this one or as the cycle needs. The caller deletes it.
  Workspace* clone() const;

  /// Bytes handed out of the block in this cycle.
  LongType getCurrentOffset() const;
  LongType getUsedSize() const { return getCurrentOffset(); }
  /// Size of the block.
  LongType getCurrentSize() const;
  /// Bytes served outside the block since the last scopeIn().
  LongType getSpilledSize() const;
  /// Block and spills together.
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
