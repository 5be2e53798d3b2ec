// The type of a result of two operands by libnd4j's rule, for all types.
#ifndef NDFORGE_SRC_TYPES_PAIRWISETYPE_H
#define NDFORGE_SRC_TYPES_PAIRWISETYPE_H

#include <array/DataTypeUtils.h>

namespace sd {

/// The complex type if only one of them is complex, else DataTypeUtils::pickPairwiseResultType.
inline DataType pairwiseType(DataType x, DataType y) {
  if (DataTypeUtils::isC(x) != DataTypeUtils::isC(y)) return DataTypeUtils::isC(x) ? x : y;
  return DataTypeUtils::pickPairwiseResultType(x, y);
}

}  // namespace sd

#endif
