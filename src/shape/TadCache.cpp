#include "shape/TadCache.h"

#include <helpers/ConstantShapeHelper.h>
#include <helpers/shape.h>
#include <memory/MemoryCounter.h>

#include "shape/InternTable.h"
#include "shape/SubArrays.h"
#include "system/ForkLocks.h"

namespace sd {

namespace {

// Bytes per entry that the lists, the hash table and the allocator take.
constexpr LongType OVERHEAD = 160;

const ForkLock forkLock(
    ForkOrder::Interned, [] { TadCache::getInstance().lock(); }, [] { TadCache::getInstance().unlock(); });

LongType bytesOfOffsets(const TadEntry& entry) { return entry.count * static_cast<LongType>(sizeof(LongType)); }

}  // namespace

TadEntry::TadEntry(const TadKey& what) : key(what) {
  const SubArrays parts(key.info, key.kept);
  offsets = allocateOffsets(parts.count);
  count = parts.count;
  LongType slots[SD_MAX_SHAPEINFOLENGTH];
  shape::calcSubArrsShapeInfoAndOffsets(key.info, count, parts.excludedCount, parts.excluded, slots, offsets.get(),
                                        key.unities);
  shape = ConstantShapeHelper::getInstance().bufferForShapeInfo(slots);
  bytes = bytesOfOffsets(*this) + static_cast<LongType>(sizeof(TadEntry)) + OVERHEAD;
  memory::MemoryCounter::getInstance().countCaches(bytes);
}

TadEntry::~TadEntry() { memory::MemoryCounter::getInstance().countCaches(-bytes); }

size_t TadCache::Hash::operator()(const TadKey& key) const {
  return mixHash(mixHash(reinterpret_cast<uintptr_t>(key.info), uint64_t{key.kept} << 1 | key.unities), 0);
}

TadCache& TadCache::getInstance() {
  // Never destroyed, because pinned packs are used until the process ends.
  static TadCache* const instance = new TadCache;
  return *instance;
}

std::shared_ptr<TadEntry> TadCache::find(const TadKey& key) {
  const std::lock_guard lock(_mutex);
  const auto found = _places.find(key);
  if (found == _places.end()) return nullptr;
  const List::iterator place = found->second;
  if (!(*place)->isPinned && place != _used.begin()) _used.splice(_used.begin(), _used, place);
  return *place;
}

std::shared_ptr<TadEntry> TadCache::add(std::shared_ptr<TadEntry> entry) {
  List dropped, node{entry};
  const std::lock_guard lock(_mutex);
  const auto [found, isNew] = _places.try_emplace(entry->key, node.begin());
  if (!isNew) return *found->second;
  _used.splice(_used.begin(), node);
  _usedBytes += entry->bytes;
  _offsetBytes += bytesOfOffsets(*entry);
  forget(dropped);
  return entry;
}

void TadCache::forget(List& dropped) {
  while (_usedBytes > _limit) {
    const auto oldest = std::prev(_used.end());
    _places.erase((*oldest)->key);
    _usedBytes -= (*oldest)->bytes;
    _offsetBytes -= bytesOfOffsets(**oldest);
    dropped.splice(dropped.end(), _used, oldest);
  }
  while (_retiredBytes > RETIRED_BYTES && _retired.size() > RETIRED_LEAST) {
    const auto oldest = std::prev(_retired.end());
    (*oldest)->isRetired = false;
    _retiredBytes -= (*oldest)->bytes;
    dropped.splice(dropped.end(), _retired, oldest);
  }
}

void TadCache::retire(const TadPack& pack) {
  // Only ConstantTadHelper.cpp makes packs with an owner.
  const auto* given = static_cast<const TadEntry*>(pack.owner().get());
  if (given == nullptr || given->isPinned.load(std::memory_order_relaxed)) return;
  auto entry = std::const_pointer_cast<TadEntry>(std::static_pointer_cast<const TadEntry>(pack.owner()));
  List dropped, node{entry};
  const std::lock_guard lock(_mutex);
  if (entry->isPinned) return;
  if (entry->isRetired) {
    _retired.splice(_retired.begin(), _retired, entry->retired);
    return;
  }
  if (entry->bytes > PINNED_BYTES - _pinnedBytes) {
    entry->isRetired = true;
    entry->retired = node.begin();
    _retired.splice(_retired.begin(), node);
    _retiredBytes += entry->bytes;
    forget(dropped);
    return;
  }
  const auto [place, isNew] = _places.try_emplace(entry->key, node.begin());
  if (isNew) {
    _pinned.splice(_pinned.begin(), node);
  } else if (*place->second == entry) {
    _usedBytes -= entry->bytes;
    _offsetBytes -= bytesOfOffsets(*entry);
    _pinned.splice(_pinned.begin(), _used, place->second);
  } else {
    // The cache had evicted this entry and has since created another one for the same key.
    _pinned.splice(_pinned.begin(), node);
  }
  entry->isPinned = true;
  _pinnedBytes += entry->bytes;
}

int TadCache::size() {
  const std::lock_guard lock(_mutex);
  return static_cast<int>(_places.size());
}

LongType TadCache::offsetBytes() {
  const std::lock_guard lock(_mutex);
  return _offsetBytes;
}

LongType TadCache::limit() {
  const std::lock_guard lock(_mutex);
  return _limit;
}

void TadCache::setLimit(LongType bytes) {
  List dropped;
  const std::lock_guard lock(_mutex);
  _limit = bytes < 0 ? 0 : bytes;
  forget(dropped);
}

}  // namespace sd
