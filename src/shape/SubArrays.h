// Which dimensions of an array enumerate its sub-arrays, and how many sub-arrays there are.
#ifndef NDFORGE_SRC_SHAPE_SUBARRAYS_H
#define NDFORGE_SRC_SHAPE_SUBARRAYS_H

#include <system/common.h>

#include <memory>

namespace sd {

/// The set of kept dimensions: bit i stands for dimension i. All dimensions are kept when `dimensions` is empty, lists
/// all of them, or is the single value SD_MAX_DIMENSION. @throws std::invalid_argument when a dimension is out of range
/// or repeated
uint32_t keptDimensions(int rank, const int* dimensions, int length, const char* op);

/// The excluded dimensions of a checked shape, ascending, and the number of sub-arrays.
struct SubArrays {
  SubArrays(const LongType* info, uint32_t kept);

  int excluded[SD_MAX_RANK];
  int excludedCount = 0;
  LongType count = 1;
};

/// Allocates `count` offsets. @throws std::bad_alloc when they would take more than half of the machine's memory
std::unique_ptr<LongType[]> allocateOffsets(LongType count);

}  // namespace sd

#endif
