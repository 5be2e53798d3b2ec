// The cache of sub-array packs, and the packs whose C handles were deleted.
#ifndef NDFORGE_SRC_SHAPE_TADCACHE_H
#define NDFORGE_SRC_SHAPE_TADCACHE_H

#include <array/TadPack.h>

#include <atomic>
#include <list>
#include <memory>
#include <mutex>
#include <unordered_map>

namespace sd {

/// `info` is interned, so equal shapes have equal pointers; bit i of `kept` stands for dimension i.
struct TadKey {
  const LongType* info;
  uint32_t kept;
  bool unities;
  bool operator==(const TadKey&) const = default;
};

/// The offsets of a pack. They are freed with the last TadPack or list that holds them.
struct TadEntry {
  /// Computes the offsets. @throws std::bad_alloc
  explicit TadEntry(const TadKey& key);
  ~TadEntry();
  TadEntry(const TadEntry&) = delete;
  TadEntry& operator=(const TadEntry&) = delete;

  const TadKey key;
  ConstantShapeBuffer shape;
  std::unique_ptr<LongType[]> offsets;
  LongType count = 0;
  LongType bytes = 0;  ///< size of the whole entry

  std::atomic<bool> isPinned{false};  ///< kept until the process ends
  // The members below are guarded by the cache's lock.
  using List = std::list<std::shared_ptr<TadEntry>>;
  bool isRetired = false;
  List::iterator retired;  ///< position in the retired list, if it is in it
};

class TadCache {
 public:
  static TadCache& getInstance();

  /// nullptr when the key is not in the cache.
  std::shared_ptr<TadEntry> find(const TadKey& key);
  /// Adds the entry unless another thread has added an equal one, and returns the entry to use.
  std::shared_ptr<TadEntry> add(std::shared_ptr<TadEntry> entry);

  /// Called when the C handle of the pack is about to be deleted. Callers may keep using the offsets after that, so the
  /// first PINNED_BYTES of such packs are kept until the process ends. Of the others, the most recently deleted ones
  /// are kept: RETIRED_BYTES, but never fewer than RETIRED_LEAST packs.
  void retire(const TadPack& pack);

  static constexpr LongType PINNED_BYTES = LongType{64} << 20, RETIRED_BYTES = LongType{64} << 20;
  static constexpr size_t RETIRED_LEAST = 256;

  int size();
  LongType offsetBytes();
  LongType limit();
  void setLimit(LongType bytes);

  /// For ForkLock.
  void lock() { _mutex.lock(); }
  void unlock() { _mutex.unlock(); }

 private:
  using List = TadEntry::List;
  struct Hash {
    size_t operator()(const TadKey& key) const;
  };

  /// Moves the entries beyond the limits to `dropped`; the caller frees them after it releases the lock.
  void forget(List& dropped);

  std::mutex _mutex;
  std::unordered_map<TadKey, List::iterator, Hash> _places;  // entries of both lists below
  List _used;                                                // most recently used first
  List _pinned;
  List _retired;  // most recently deleted first
  LongType _usedBytes = 0, _pinnedBytes = 0, _retiredBytes = 0;
  LongType _offsetBytes = 0;  // of the entries in _used
  LongType _limit = LongType{64} << 20;
};

}  // namespace sd

#endif
