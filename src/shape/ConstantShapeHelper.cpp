#include <array/ArrayOptions.h>
#include <helpers/ConstantShapeHelper.h>
#include <helpers/shape.h>
#include <memory/MemoryCounter.h>
#include <system/op_boilerplate.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <iterator>
#include <memory>
#include <utility>

#include "shape/InternTable.h"
#include "shape/Interned.h"
#include "system/Error.h"
#include "system/ForkLocks.h"

namespace sd {

namespace {

// The slots follow the entry in the same block, which saves memory: there may be millions of shapes.
struct ShapeEntry {
  size_t hash = 0;
  ShapeEntry* next = nullptr;
  ConstantShapeBuffer buffer;

  static std::unique_ptr<ShapeEntry> make(const LongType* info) {
    auto entry = std::unique_ptr<ShapeEntry>(new (bytesOf(info)) ShapeEntry);
    LongType* slots = reinterpret_cast<LongType*>(entry.get() + 1);
    std::copy_n(info, shape::shapeInfoLength(info), slots);
    entry->buffer = ConstantShapeBuffer(slots);
    return entry;
  }
  static size_t bytesOf(const LongType* info) { return sizeof(ShapeEntry) + shape::shapeInfoByteLength(info); }

  void* operator new(size_t, size_t bytes) { return ::operator new(bytes); }
  void operator delete(void* entry) { ::operator delete(entry); }
  void operator delete(void* entry, size_t) { ::operator delete(entry); }
};

constinit InternTable<ShapeEntry, 18> table;

const ForkLock forkLock(
    ForkOrder::Interned, [] { table.lock(); }, [] { table.unlock(); });

// A cache of recently requested entries, indexed by the address of their slots: most shapes that arrive here are
// interned already. Entries are never freed, so an address found here always belongs to its entry.
constinit std::atomic<ShapeEntry*> recent[256];

std::atomic<ShapeEntry*>& recentAt(const LongType* info) {
  const auto address = reinterpret_cast<uintptr_t>(info);
  return recent[(address >> 4 ^ address >> 12) % std::size(recent)];
}

ShapeEntry* recentEntry(const LongType* info) {
  ShapeEntry* entry = recentAt(info).load(std::memory_order_acquire);
  return entry != nullptr && entry->buffer.primary() == info ? entry : nullptr;
}

ShapeEntry& remembered(ShapeEntry& entry) {
  std::atomic<ShapeEntry*>& place = recentAt(entry.buffer.primary());
  if (place.load(std::memory_order_relaxed) != &entry) place.store(&entry, std::memory_order_release);
  return entry;
}

// Strides are hashed only when the other slots do not determine them.
size_t hashOf(const LongType* info) {
  const int r = shape::rank(info);
  uint64_t hash = mixHash(static_cast<uint64_t>(r),
                          static_cast<uint64_t>(info[2 * r + 1]) << 8 ^ static_cast<uint64_t>(info[2 * r + 3]));
  const int hashed = info[2 * r + 2] == 1 ? r : 2 * r;
  for (int i = 1; i <= hashed; i++) hash = mixHash(hash, static_cast<uint64_t>(info[i]));
  return mixHash(hash, static_cast<uint64_t>(info[2 * r + 2]));
}

auto sameSlots(const LongType* info) {
  return [info, n = shape::shapeInfoLength(info)](const ShapeEntry& entry) {
    const LongType* slots = entry.buffer.primary();
    for (int i = 0; i < n; i++)
      if (slots[i] != info[i]) return false;
    return true;
  };
}

// Whether stepping by ews visits all elements in the buffer's order.
bool ewsHolds(const LongType* info) {
  LongType dims[SD_MAX_RANK], strides[SD_MAX_RANK];
  LongType expected = shape::elementWiseStride(info);
  const int n = shape::excludeUnitiesFromShapeInfo(info, dims, strides);
  for (int k = 0; k < n; k++) {
    const int i = shape::order(info) == 'c' ? n - 1 - k : k;
    if (strides[i] != expected) return false;
    expected *= dims[i];
  }
  return true;
}

// Whether the slots are exactly those of a new contiguous, non-empty array, including the strides of unit dimensions.
bool isPlain(const LongType* info) {
  const int r = shape::rank(info);
  const bool c = shape::order(info) == 'c';
  LongType step = 1;
  for (int k = 0; k < r; k++) {
    const int i = c ? r - 1 - k : k;
    if (info[1 + r + i] != step) return false;
    step *= info[1 + i];
  }
  return shape::elementWiseStride(info) == 1 &&
         shape::extra(info) == ArrayOptions::flagsOfDataType(ArrayOptions::dataType(info));
}

ShapeEntry* findSlots(const LongType* info) { return table.find(hashOf(info), sameSlots(info)); }

// The table contains checked shapes only, so a shape that is found needs no check.
ConstantShapeBuffer& intern(const LongType* info) {
  if (!info) fail("[shape] shapeInfo is null");
  if (ShapeEntry* entry = recentEntry(info)) return entry->buffer;
  if (info[0] < 0 || info[0] > SD_MAX_RANK) fail("[shape] rank {} is outside 0..{}", info[0], SD_MAX_RANK);
  const size_t hash = hashOf(info);
  if (ShapeEntry* entry = table.find(hash, sameSlots(info))) return remembered(*entry).buffer;

  LongType slots[SD_MAX_SHAPEINFOLENGTH];
  std::copy_n(info, shape::shapeInfoLength(info), slots);
  normaliseSlots(slots);
  const size_t normalHash = hashOf(slots);
  auto made = ShapeEntry::make(slots);
  const ShapeEntry* mine = made.get();
  ShapeEntry& added = table.insert(normalHash, std::move(made), sameSlots(slots));
  if (&added == mine)
    memory::MemoryCounter::getInstance().countCaches(static_cast<LongType>(ShapeEntry::bytesOf(slots)));
  return remembered(added).buffer;
}

}  // namespace

void copySlots(const LongType* info, DataType dataType, LongType* slots) {
  shape::validate(info);
  if (!ArrayOptions::isStorable(dataType))
    fail("[shape] {} is not an element type of arrays", static_cast<int>(dataType));
  std::copy_n(info, shape::shapeInfoLength(info), slots);
  ArrayOptions::setDataType(slots, dataType);
}

void normaliseSlots(LongType* info) {
  shape::validate(info);
  const int r = shape::rank(info);
  if (std::find(info + 1, info + 1 + r, 0) != info + 1 + r) shape::extra(info) |= ARRAY_EMPTY;
  if (shape::isEmpty(info)) {
    std::fill_n(info + 1 + r, r, 0);
    shape::setEws(info, 1);
  } else if (shape::elementWiseStride(info) < 0 || (shape::elementWiseStride(info) > 0 && !ewsHolds(info))) {
    shape::checkStridesEwsAndOrder(info);
  } else if (r == 0) {
    shape::setEws(info, 1);
  }
}

ConstantShapeHelper& ConstantShapeHelper::getInstance() {
  static ConstantShapeHelper instance;
  return instance;
}

ConstantShapeBuffer& ConstantShapeHelper::bufferForShapeInfo(const ShapeDescriptor& descriptor) {
  LongType slots[SD_MAX_SHAPEINFOLENGTH];
  descriptor.writeShapeInfo(slots);
  return intern(slots);
}

ConstantShapeBuffer& ConstantShapeHelper::bufferForShapeInfo(const LongType* info) { return intern(info); }

ConstantShapeBuffer& ConstantShapeHelper::bufferForShapeInfo(DataType dataType, char order, int rank,
                                                             const LongType* dims) {
  LongType slots[SD_MAX_SHAPEINFOLENGTH];
  shape::fillContiguous(slots, dataType, order, rank, dims);
  return intern(slots);
}

ConstantShapeBuffer& ConstantShapeHelper::bufferForShapeInfo(DataType dataType, char order,
                                                             const std::vector<LongType>& dims) {
  return bufferForShapeInfo(dataType, order, static_cast<int>(dims.size()), dims.data());
}

ConstantShapeBuffer& ConstantShapeHelper::bufferForShapeInfo(DataType dataType, char order,
                                                             std::initializer_list<LongType> dims) {
  return bufferForShapeInfo(dataType, order, static_cast<int>(dims.size()), dims.begin());
}

const LongType* ConstantShapeHelper::createShapeInfo(const ShapeDescriptor& descriptor) {
  return bufferForShapeInfo(descriptor).primary();
}

const LongType* ConstantShapeHelper::createShapeInfo(DataType dataType, char order, const std::vector<LongType>& dims) {
  return bufferForShapeInfo(dataType, order, dims).primary();
}

const LongType* ConstantShapeHelper::createShapeInfo(DataType dataType, char order,
                                                     std::initializer_list<LongType> dims) {
  return bufferForShapeInfo(dataType, order, dims).primary();
}

const LongType* ConstantShapeHelper::createShapeInfo(DataType dataType, char order, int rank, const LongType* dims) {
  return bufferForShapeInfo(dataType, order, rank, dims).primary();
}

const LongType* ConstantShapeHelper::createShapeInfo(DataType dataType, const LongType* info) {
  if (info != nullptr && recentEntry(info) != nullptr) {
    if (isPlain(info) && ArrayOptions::dataType(info) == dataType) return info;
  } else {
    shape::validate(info);
  }
  if (shape::isEmpty(info)) return castShapeInfo(info, dataType);
  return createShapeInfo(dataType, shape::order(info), shape::rank(info), shape::shapeOf(info));
}

const LongType* ConstantShapeHelper::emptyShapeInfo(DataType dataType) {
  LongType slots[SD_MAX_SHAPEINFOLENGTH];
  shape::fillContiguous(slots, dataType, 'c', 0, nullptr);
  shape::extra(slots) |= ARRAY_EMPTY;
  return intern(slots).primary();
}

const LongType* ConstantShapeHelper::scalarShapeInfo(DataType dataType) {
  return createShapeInfo(dataType, 'c', 0, nullptr);
}

const LongType* ConstantShapeHelper::vectorShapeInfo(LongType length, DataType dataType) {
  return createShapeInfo(dataType, 'c', 1, &length);
}

const LongType* ConstantShapeHelper::castShapeInfo(const LongType* info, DataType dataType) {
  LongType slots[SD_MAX_SHAPEINFOLENGTH];
  copySlots(info, dataType, slots);
  return intern(slots).primary();
}

const LongType* ConstantShapeHelper::createFromExisting(LongType* info, memory::Workspace* workspace) {
  return createFromExisting(info, workspace == nullptr);
}

const LongType* ConstantShapeHelper::createFromExisting(LongType* info, bool destroyOriginal) {
  const auto release = [](LongType* buffer) { memory::releaseZeroed(buffer, nullptr); };
  const std::unique_ptr<LongType, decltype(release)> original(destroyOriginal && !isInterned(info) ? info : nullptr,
                                                              release);
  return intern(info).primary();
}

ConstantShapeBuffer& ConstantShapeHelper::createShapeInfoWithUnitiesForBroadcast(const LongType* maxInfo,
                                                                                 const LongType* minInfo,
                                                                                 memory::Workspace*,
                                                                                 const std::vector<int>& dimensions) {
  shape::validate(maxInfo, "broadcast");
  shape::validate(minInfo, "broadcast");
  const int rankMax = shape::rank(maxInfo), rankMin = shape::rank(minInfo);
  if (rankMin > rankMax || (!dimensions.empty() && static_cast<int>(dimensions.size()) != rankMin))
    fail("[broadcast] an array of rank {} at dimensions [{}] does not fit into an array of rank {}", rankMin,
         fmt::join(dimensions, ", "), rankMax);
  int places[SD_MAX_RANK];
  for (int i = 0; i < rankMin; i++) places[i] = rankMax - rankMin + i;
  if (!dimensions.empty()) shape::normaliseAxes(dimensions.data(), rankMin, rankMax, places, "broadcast");

  LongType slots[SD_MAX_SHAPEINFOLENGTH];
  slots[0] = rankMax;
  std::fill_n(slots + 1, rankMax, 1);
  std::fill_n(slots + 1 + rankMax, rankMax, 0);
  for (int i = 0; i < rankMin; i++) {
    slots[1 + places[i]] = minInfo[1 + i];
    if (minInfo[1 + i] != 1) slots[1 + rankMax + places[i]] = shape::stride(minInfo)[i];
  }
  shape::extra(slots) = shape::extra(minInfo);
  shape::setOrder(slots, shape::order(minInfo));
  shape::checkStridesEwsAndOrder(slots);
  return intern(slots);
}

bool ConstantShapeHelper::checkBufferExistenceForShapeInfo(const ShapeDescriptor& descriptor) {
  LongType slots[SD_MAX_SHAPEINFOLENGTH];
  descriptor.writeShapeInfo(slots);
  return findSlots(slots) != nullptr;
}

bool ConstantShapeHelper::isInterned(const LongType* info) const {
  if (!info) return false;
  if (recentEntry(info) != nullptr) return true;
  if (info[0] < 0 || info[0] > SD_MAX_RANK) return false;
  const ShapeEntry* entry = findSlots(info);
  return entry && entry->buffer.primary() == info;
}

int ConstantShapeHelper::totalCachedEntries() const { return table.size(); }

int ConstantShapeHelper::cachedEntriesForDevice(int deviceId) const {
  if (deviceId != 0) fail<std::runtime_error>("[ConstantShapeHelper] there is no device {}", deviceId);
  return totalCachedEntries();
}

}  // namespace sd
