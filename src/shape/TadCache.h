// The packs of sub-arrays that are kept at hand, and those whose C handles were deleted.
#ifndef NDFORGE_SRC_SHAPE_TADCACHE_H
#define NDFORGE_SRC_SHAPE_TADCACHE_H

#include <array/TadPack.h>

#include <atomic>
#include <list>
#include <memory>
#include <mutex>
#include <unordered_map>

namespace sd {

/// `info` is interned, so that equal shapes are equal pointers; bit i of `kept` stands for dimension i.
struct TadKey {
  const LongType* info;
  uint32_t kept;
  bool unities;
  bool operator==(const TadKey&) const = default;
};

/// A pack's numbers. They are freed with the last TadPack or list that has them.
struct TadEntry {
  /// Computes them. @throws std::bad_alloc
  explicit TadEntry(const TadKey& key);
  ~TadEntry();
  TadEntry(const TadEntry&) = delete;
  TadEntry& operator=(const TadEntry&) = delete;

  const TadKey key;
  ConstantShapeBuffer shape;
  std::unique_ptr<LongType[]> offsets;
  LongType count = 0;
  LongType bytes = 0;  ///< of all of it

  std::atomic<bool> isPinned{false};  ///< it stays for good
  // Under the lock of the cache.
  using List = std::list<std::shared_ptr<TadEntry>>;
  bool isRetired = false;
  List::iterator retired;  ///< its place, when it is in that list
};

class TadCache {
 public:
  static TadCache& getInstance();

  /// nullptr when it is not known.
  std::shared_ptr<TadEntry> find(const TadKey& key);
  /// Adds the entry, unless another thread was faster, and returns the one to use.
  std::shared_ptr<TadEntry> add(std::shared_ptr<TadEntry> entry);

  /// The C handle of the pack is about to be deleted, but callers go on using the numbers, for one more call or for
  /// good. The first PINNED_BYTES of such packs stay for good. Of the others, the ones that were deleted last stay:
  /// RETIRED_BYTES, but never fewer than RETIRED_LEAST packs.
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

  /// Moves what is too much to `dropped`, which is freed when the lock is open again.
  void forget(List& dropped);

  std::mutex _mutex;
  std::unordered_map<TadKey, List::iterator, Hash> _places;  // of both lists that follow
  List _used;                                                // the last used first
  List _pinned;
  List _retired;  // the last deleted first
  LongType _usedBytes = 0, _pinnedBytes = 0, _retiredBytes = 0;
  LongType _offsetBytes = 0;  // of the used ones
  LongType _limit = LongType{64} << 20;
};

}  // namespace sd

#endif
