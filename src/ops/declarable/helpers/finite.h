// Operations that need finite values.
#ifndef NDFORGE_SRC_OPS_DECLARABLE_HELPERS_FINITE_H
#define NDFORGE_SRC_OPS_DECLARABLE_HELPERS_FINITE_H

#include "ops/declarable/Common.h"

namespace sd::ops {

/// @throws std::invalid_argument when an input contains infinities or NaN
inline void requireFinite(const NDArray& array, int input, const char* name) {
  if (array.reduceNumber(reduce::IsInfOrNan).e<bool>(0))
    reject("input {} '{}': it contains values that are not finite (shape {})", input, name, text(array));
}

}  // namespace sd::ops

#endif
