// Elements in memory of the types in which nothing is computed: kernels convert them.
#ifndef NDFORGE_SRC_SIMD_STOREDTYPES_H
#define NDFORGE_SRC_SIMD_STOREDTYPES_H

#include <system/common.h>

namespace sd::simd {

/// BOOL: any value but 0 is true.
struct BoolByte {
  uint8_t byte;
};
struct HalfBits {
  uint16_t bits;
};
struct BFloatBits {
  uint16_t bits;
};

}  // namespace sd::simd

#endif
