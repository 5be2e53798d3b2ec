// Which dimensions of an array number its sub-arrays, and how many there are.
#ifndef NDFORGE_SRC_SHAPE_SUBARRAYS_H
#define NDFORGE_SRC_SHAPE_SUBARRAYS_H

#include <system/common.h>

#include <memory>

namespace sd {

/// A set of the dimensions kept: bit i stands for dimension i. None listed, all listed, or the single value
/// SD_MAX_DIMENSION: all. @throws std::invalid_argument when one is out of range or repeated
uint32_t keptDimensions(int rank, const int* dimensions, int length, const char* op);

/// The excluded dimensions of a checked shape, ascending, and the number of sub-arrays.
struct SubArrays {
  SubArrays(const LongType* info, uint32_t kept);

  int excluded[SD_MAX_RANK];
  int excludedCount = 0;
  LongType count = 1;
};

/// Room for `count` offsets. @throws std::bad_alloc when they would take half of the machine's memory
std::unique_ptr<LongType[]> allocateOffsets(LongType count);

}  // namespace sd

#endif
