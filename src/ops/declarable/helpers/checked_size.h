// Output sizes that are computed from input sizes and arguments.
#ifndef NDFORGE_SRC_OPS_DECLARABLE_HELPERS_CHECKED_SIZE_H
#define NDFORGE_SRC_OPS_DECLARABLE_HELPERS_CHECKED_SIZE_H

#include "ops/declarable/Common.h"

namespace sd::ops::helpers {

/// a * b. @throws std::invalid_argument when the product does not fit 64 bits
inline LongType checkedProduct(LongType a, LongType b, const char* what) {
  LongType product;
  if (__builtin_mul_overflow(a, b, &product)) reject("{}: {} times {} does not fit 64 bits", what, a, b);
  return product;
}

}  // namespace sd::ops::helpers

#endif
