// The memory of an array: a block of bytes with its owner and its element type.
#ifndef NDFORGE_ARRAY_DATABUFFER_H
#define NDFORGE_ARRAY_DATABUFFER_H

#include <array/DataType.h>
#include <execution/LaunchContext.h>
#include <memory/Workspace.h>
#include <system/common.h>

#include <atomic>
#include <memory>

namespace sd {

/// Owned memory comes from a workspace or from the heap; MemoryCounter counts heap memory and enforces its limits.
/// There is no special (device) memory on a CPU: pointers to it are ignored and special() is nullptr. Functions that
/// allocate throw sd::allocation_exception when memory runs out.
class SD_LIB_EXPORT DataBuffer {
 public:
  /// What new memory contains.
  enum class Fill { Zeros, Nothing };

  DataBuffer() = default;

  /// Wraps `bytes` at `primary`. Owned memory must come from ALLOCATE or new[] and is released here; if `workspace` is
  /// given, owned memory is assumed to belong to it.
  DataBuffer(void* primary, void* special, size_t bytes, DataType dataType, bool ownPrimary = false,
             bool ownSpecial = false, memory::Workspace* workspace = nullptr);
  DataBuffer(void* primary, size_t bytes, DataType dataType, bool own = false, memory::Workspace* workspace = nullptr);

  /// A copy of `bytes` bytes at `hostBuffer`. Throws std::runtime_error when `hostBuffer` is nullptr and bytes > 0.
  DataBuffer(const void* hostBuffer, DataType dataType, size_t bytes, memory::Workspace* workspace = nullptr);

  /// Zero-filled memory; none for 0 bytes.
  explicit DataBuffer(size_t bytes, DataType dataType, memory::Workspace* workspace = nullptr, bool allocBoth = false);

  /// A deep copy in the same workspace. Moving leaves the source empty, and copies the memory of a small shared buffer.
  DataBuffer(const DataBuffer& other);
  DataBuffer(DataBuffer&& other);
  DataBuffer& operator=(const DataBuffer& other);
  DataBuffer& operator=(DataBuffer&& other);
  ~DataBuffer();

  /// A shared buffer; a small one needs one allocation. Fill::Nothing is for results that will be overwritten in full.
  static std::shared_ptr<DataBuffer> make(size_t bytes, DataType dataType, memory::Workspace* workspace = nullptr,
                                          Fill fill = Fill::Zeros);

  void* primary() const noexcept { return _primary; }
  void* special() const noexcept { return nullptr; }
  template <typename T>
  T* primaryAsT() const noexcept {
    return static_cast<T*>(_primary);
  }
  template <typename T>
  T* specialAsT() const noexcept {
    return nullptr;
  }

  DataType getDataType() const noexcept { return _dataType; }
  void setDataType(DataType dataType) noexcept { _dataType = dataType; }
  size_t getLenInBytes() const noexcept { return _bytes; }
  memory::Workspace* getWorkspace() const noexcept { return _workspace; }
  bool isOwnerPrimary() const noexcept { return _ownership != Ownership::None; }

  /// Allocates zero-filled memory when there is none and the length is not 0.
  void allocatePrimary();
  void allocateSpecial() noexcept {}

  /// Releases owned memory and uses `buffer`, which the caller still owns. `length` counts elements. If `buffer` is the
  /// memory that is already owned, only the length changes: std::runtime_error when it does not fit into that memory.
  void setPrimaryBuffer(void* buffer, size_t length);
  /// Does nothing: there is no device.
  void setSpecialBuffer(void* buffer, size_t length) noexcept;

  /// Makes the buffer at least `bytes` long: the content is kept, the rest is zero, the address changes. Does nothing
  /// when the buffer is long enough already.
  void expand(uint64_t bytes);

  /// Releases owned memory and sets the address to nullptr and the length to 0.
  void close() noexcept;

  void setToZeroBuffers(bool both = false) noexcept;

  /// Copies `bytes` (0: the rest of `other`) from element `offsetOther` of `other` to element `offsetThis`.
  /// Throws std::runtime_error when that range leaves one of the buffers.
  void copyBufferFrom(const DataBuffer& other, size_t bytes = 0, LongType offsetThis = 0, LongType offsetOther = 0);
  static void memcpy(const DataBuffer& dst, const DataBuffer& src);

  int deviceId() const noexcept { return _deviceId.load(std::memory_order_relaxed); }
  void setDeviceId(int deviceId) noexcept { _deviceId.store(deviceId, std::memory_order_relaxed); }

  // Only with a device does it matter which side holds the newest data.
  void syncToPrimary(const LaunchContext*, bool = false) const noexcept {}
  void syncToSpecial(bool = false) const noexcept {}
  void writePrimary() const noexcept {}
  void readPrimary() const noexcept {}
  void writeSpecial() const noexcept {}
  void readSpecial() const noexcept {}
  bool isPrimaryActual() const noexcept { return true; }
  bool isSpecialActual() const noexcept { return false; }

 private:
  enum class Ownership : uint8_t {
    None,       // someone else's memory
    Workspace,  // belongs to a workspace: not released here
    Heap,       // a separate allocation
    Inline,     // behind this object, in the same allocation
    Adopted,    // handed over by the caller: not counted
  };

  struct InlineMemory {
    void* const* address;
  };

 public:
  /// For make(): the memory follows the object in the same allocation. Other code cannot construct this.
  DataBuffer(InlineMemory memory, size_t bytes, DataType dataType) noexcept;

 private:
  void allocateOwned(size_t bytes, Fill fill);
  void releaseOwned() noexcept;
  void takeFrom(DataBuffer& other);

  void* _primary = nullptr;
  size_t _bytes = 0;
  memory::Workspace* _workspace = nullptr;
  size_t _countedBytes = 0;
  DataType _dataType = INT8;
  std::atomic<int> _deviceId{0};
  Ownership _ownership = Ownership::None;
  bool _tracked = false;
};

}  // namespace sd

#endif
