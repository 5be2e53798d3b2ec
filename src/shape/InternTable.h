// A hash table that only grows: entries are found without locks, never move and are never freed. Data that takes much
// memory, or has an unlimited number of forms, needs a cache with eviction: see ConstantTadHelper.cpp.
#ifndef NDFORGE_SRC_SHAPE_INTERNTABLE_H
#define NDFORGE_SRC_SHAPE_INTERNTABLE_H

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>

namespace sd {

/// Mixes one more word into a hash.
constexpr uint64_t mixHash(uint64_t hash, uint64_t word) noexcept {
  hash = (hash ^ word) * 0x9E3779B97F4A7C15ull;
  return hash ^ (hash >> 32);
}

/// Entry has the members `size_t hash` and `Entry* next`, which belong to the table once the entry is in it. Objects of
/// this class have static storage, so their entries stay reachable until the process ends.
template <typename Entry, int BucketBits>
class InternTable {
 public:
  /// The entry with this hash that `matches` accepts, or nullptr.
  template <typename Matches>
  Entry* find(size_t hash, const Matches& matches) const {
    return search(bucket(hash).load(std::memory_order_acquire), hash, matches);
  }

  /// Adds the entry unless another thread has added an equal one, and returns the entry in the table.
  template <typename Matches>
  Entry& insert(size_t hash, std::unique_ptr<Entry> entry, const Matches& matches) {
    const std::lock_guard<std::mutex> lock(_mutex);
    std::atomic<Entry*>& head = _buckets[hash & MASK];
    Entry* first = head.load(std::memory_order_relaxed);
    if (Entry* known = search(first, hash, matches)) return *known;
    entry->hash = hash;
    entry->next = first;
    Entry* added = entry.release();
    head.store(added, std::memory_order_release);
    _size.fetch_add(1, std::memory_order_relaxed);
    return *added;
  }

  /// For ForkLock: keeps other threads from adding entries.
  void lock() { _mutex.lock(); }
  void unlock() { _mutex.unlock(); }

  int size() const { return _size.load(std::memory_order_relaxed); }

 private:
  static constexpr size_t MASK = (size_t{1} << BucketBits) - 1;

  const std::atomic<Entry*>& bucket(size_t hash) const { return _buckets[hash & MASK]; }

  template <typename Matches>
  static Entry* search(Entry* entry, size_t hash, const Matches& matches) {
    while (entry && !(entry->hash == hash && matches(*entry))) entry = entry->next;
    return entry;
  }

  std::atomic<Entry*> _buckets[MASK + 1] = {};
  std::atomic<int> _size{0};
  std::mutex _mutex;
};

}  // namespace sd

#endif
