// The process-wide cache of sub-array descriptions.
#ifndef NDFORGE_HELPERS_CONSTANTTADHELPER_H
#define NDFORGE_HELPERS_CONSTANTTADHELPER_H

#include <array/Dimensions.h>
#include <array/ShapeDescriptor.h>
#include <array/TadDescriptor.h>
#include <array/TadPack.h>

namespace sd {

/// `dimensions` are the ones KEPT in each sub-array, in any order; negative ones count from the end. If it holds none
/// of the dimensions, all of them, or the single value SD_MAX_DIMENSION, there is one sub-array, the whole array.
/// Thread-safe. The cache keeps the packs requested last, up to a limit; packs in use stay valid when the cache drops
/// them. The functions that return packs throw std::runtime_error for invalid shapes and for dimensions that are out of
/// range or repeated, and std::bad_alloc when the offsets do not fit into memory.
class SD_LIB_EXPORT ConstantTadHelper {
 public:
  static ConstantTadHelper& getInstance();
  ConstantTadHelper(const ConstantTadHelper&) = delete;
  ConstantTadHelper& operator=(const ConstantTadHelper&) = delete;

  TadPack tadForDimensions(const LongType* info, const indexing::Dimensions& dimensions,
                           bool keepUnitiesInShape = false);
  TadPack tadForDimensions(const LongType* info, const int* dimensions, int length, bool keepUnitiesInShape = false);
  TadPack tadForDimensions(const LongType* info, int dimension, bool keepUnitiesInShape = false);
  TadPack tadForDimensions(const ShapeDescriptor& descriptor, const indexing::Dimensions& dimensions,
                           bool keepUnitiesInShape = false);
  TadPack tadForDimensions(const TadDescriptor& descriptor);

  int totalCachedEntries() const;
  /// Bytes of the offsets that the cache holds; memory::MemoryCounter::allocatedByCaches counts all offsets in use.
  LongType cachedBytes() const;

  /// The cache's limit in bytes: 64 MB unless set. Packs that the C interface handed out are not part of the cache.
  LongType cacheLimit() const;
  void setCacheLimit(LongType bytes);

 private:
  ConstantTadHelper() = default;
};

}  // namespace sd

#endif
