// The process-wide cache of sub-array descriptions.
#ifndef NDFORGE_HELPERS_CONSTANTTADHELPER_H
#define NDFORGE_HELPERS_CONSTANTTADHELPER_H

#include <array/Dimensions.h>
#include <array/ShapeDescriptor.h>
#include <array/TadDescriptor.h>
#include <array/TadPack.h>

namespace sd {

/// `dimensions` are the ones KEPT in each sub-array, in any order, negative ones counted from the end. None, all of
/// them, or the single value SD_MAX_DIMENSION: one sub-array, the whole. Safe in many threads. What was asked for last
/// is kept, up to a limit; packs that are in use stay valid when the cache forgets them. The functions that give packs
/// throw std::runtime_error for bad shapes and for dimensions that are out of range or repeated, and std::bad_alloc
/// when the offsets do not fit into memory.
class SD_LIB_EXPORT ConstantTadHelper {
 public:
  static ConstantTadHelper& getInstance();
  ConstantTadHelper(const ConstantTadHelper&) = delete;
  ConstantTadHelper& operator=(const ConstantTadHelper&) = delete;

  TadPack tadForDimensions(const LongType* info, const Dimensions& dimensions, bool keepUnitiesInShape = false);
  TadPack tadForDimensions(const LongType* info, const int* dimensions, int length, bool keepUnitiesInShape = false);
  TadPack tadForDimensions(const LongType* info, int dimension, bool keepUnitiesInShape = false);
  TadPack tadForDimensions(const ShapeDescriptor& descriptor, const Dimensions& dimensions,
                           bool keepUnitiesInShape = false);
  TadPack tadForDimensions(const TadDescriptor& descriptor);

  int totalCachedEntries() const;
  /// Bytes of the offsets that the cache holds; memory::MemoryCounter::allocatedByCaches counts all that is in use.
  LongType cachedBytes() const;

  /// The most that the cache keeps: 64 MB unless it was set. Packs that the C interface gave out are kept apart from
  /// it.
  LongType cacheLimit() const;
  void setCacheLimit(LongType bytes);

 private:
  ConstantTadHelper() = default;
};

}  // namespace sd

#endif
