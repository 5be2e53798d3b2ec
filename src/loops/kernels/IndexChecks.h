// The check of indices.
#ifndef NDFORGE_SRC_LOOPS_KERNELS_INDEXCHECKS_H
#define NDFORGE_SRC_LOOPS_KERNELS_INDEXCHECKS_H

#include <system/common.h>

namespace sd::simd {

/// Whether all n indices are in 0..size-1. A sign bit is set in `value` when one is below 0, and in `last - value` when
/// it is too large. This vectorises without 64-bit comparisons.
inline bool areWithin(const LongType* indices, LongType n, LongType size) {
  const auto last = static_cast<UnsignedLong>(size) - 1;
  UnsignedLong signs = 0;
  for (LongType i = 0; i < n; i++) {
    const auto value = static_cast<UnsignedLong>(indices[i]);
    signs |= value | (last - value);
  }
  return signs >> 63 == 0;
}

}  // namespace sd::simd

#endif
