#include <helpers/ConstantShapeHelper.h>
#include <helpers/ConstantTadHelper.h>
#include <helpers/shape.h>

#include <memory>
#include <utility>

#include "helpers/InternTable.h"
#include "helpers/SubArrays.h"

namespace sd {

namespace {

// `info` is interned, so that equal shapes are equal pointers; bit i of `kept` stands for dimension i.
struct TadKey {
  const LongType* info;
  uint32_t kept;
  bool unities;
  bool operator==(const TadKey&) const = default;

  size_t hash() const { return mixHash(mixHash(reinterpret_cast<uintptr_t>(info), uint64_t{kept} << 1 | unities), 0); }
};

struct TadEntry {
  size_t hash = 0;
  TadEntry* next = nullptr;
  TadKey key{};
  std::unique_ptr<LongType[]> offsets;
  TadPack pack;
};

constinit InternTable<TadEntry, 14> table;
constinit std::atomic<LongType> bytes{0};

std::unique_ptr<TadEntry> build(const TadKey& key) {
  auto entry = std::make_unique<TadEntry>();
  entry->key = key;
  const SubArrays parts(key.info, key.kept);
  entry->offsets = allocateOffsets(parts.count);
  LongType slots[SD_MAX_SHAPEINFOLENGTH];
  shape::calcSubArrsShapeInfoAndOffsets(key.info, parts.count, parts.excludedCount, parts.excluded, slots,
                                        entry->offsets.get(), key.unities);
  entry->pack = TadPack(ConstantShapeHelper::getInstance().bufferForShapeInfo(slots),
                        ConstantOffsetsBuffer(entry->offsets.get()), parts.count);
  return entry;
}

}  // namespace

ConstantTadHelper& ConstantTadHelper::getInstance() {
  static ConstantTadHelper instance;
  return instance;
}

TadPack ConstantTadHelper::tadForDimensions(const LongType* info, const int* dimensions, int length,
                                            bool keepUnitiesInShape) {
  const LongType* interned = ConstantShapeHelper::getInstance().bufferForShapeInfo(info).primary();
  const TadKey key{interned, keptDimensions(shape::rank(interned), dimensions, length, "tad"), keepUnitiesInShape};
  const auto matches = [&key](const TadEntry& entry) { return entry.key == key; };
  const size_t hash = key.hash();
  if (const TadEntry* known = table.find(hash, matches)) return known->pack;
  auto built = build(key);
  const LongType size = built->pack.numberOfTads() * static_cast<LongType>(sizeof(LongType));
  const TadEntry* mine = built.get();
  const TadEntry& added = table.insert(hash, std::move(built), matches);
  if (&added == mine) bytes.fetch_add(size, std::memory_order_relaxed);
  return added.pack;
}

TadPack ConstantTadHelper::tadForDimensions(const LongType* info, const Dimensions& dimensions,
                                            bool keepUnitiesInShape) {
  return tadForDimensions(info, dimensions.data(), dimensions.size(), keepUnitiesInShape);
}

TadPack ConstantTadHelper::tadForDimensions(const LongType* info, int dimension, bool keepUnitiesInShape) {
  return tadForDimensions(info, &dimension, 1, keepUnitiesInShape);
}

TadPack ConstantTadHelper::tadForDimensions(const ShapeDescriptor& descriptor, const Dimensions& dimensions,
                                            bool keepUnitiesInShape) {
  return tadForDimensions(ConstantShapeHelper::getInstance().createShapeInfo(descriptor), dimensions.data(),
                          dimensions.size(), keepUnitiesInShape);
}

TadPack ConstantTadHelper::tadForDimensions(const TadDescriptor& descriptor) {
  return tadForDimensions(descriptor.originalShape(), descriptor.axis(), descriptor.areUnitiesinShape());
}

int ConstantTadHelper::totalCachedEntries() const { return table.size(); }

LongType ConstantTadHelper::cachedBytes() const { return bytes.load(std::memory_order_relaxed); }

}  // namespace sd
