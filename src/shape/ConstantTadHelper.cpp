#include <helpers/ConstantShapeHelper.h>
#include <helpers/ConstantTadHelper.h>
#include <helpers/shape.h>

#include <memory>
#include <utility>

#include "shape/SubArrays.h"
#include "shape/TadCache.h"

namespace sd {

ConstantTadHelper& ConstantTadHelper::getInstance() {
  static ConstantTadHelper instance;
  return instance;
}

TadPack ConstantTadHelper::tadForDimensions(const LongType* info, const int* dimensions, int length,
                                            bool keepUnitiesInShape) {
  const LongType* interned = ConstantShapeHelper::getInstance().bufferForShapeInfo(info).primary();
  const TadKey key{interned, keptDimensions(shape::rank(interned), dimensions, length, "tad"), keepUnitiesInShape};
  TadCache& cache = TadCache::getInstance();
  std::shared_ptr<TadEntry> entry = cache.find(key);
  if (entry == nullptr) entry = cache.add(std::make_shared<TadEntry>(key));
  const TadEntry& numbers = *entry;
  return {numbers.shape, ConstantOffsetsBuffer(numbers.offsets.get()), numbers.count, std::move(entry)};
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

int ConstantTadHelper::totalCachedEntries() const { return TadCache::getInstance().size(); }

LongType ConstantTadHelper::cachedBytes() const { return TadCache::getInstance().offsetBytes(); }

LongType ConstantTadHelper::cacheLimit() const { return TadCache::getInstance().limit(); }

void ConstantTadHelper::setCacheLimit(LongType bytes) { TadCache::getInstance().setLimit(bytes); }

}  // namespace sd
