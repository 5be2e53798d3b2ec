// Indices as arrays, for the operation create_view: INT64 vectors [type, count, stride, count indices..., inclusive].
#ifndef NDFORGE_INDEXING_NDINDEXUTILS_H
#define NDFORGE_INDEXING_NDINDEXUTILS_H

#include <array/NDArray.h>

namespace sd {

/// The first entry of an index array.
enum NDIndexType : int {
  POINT_TYPE = 0,
  INTERVAL_TYPE = 1,
  ALL_TYPE = 2,
  NEW_AXIS = 3,
};

class SD_LIB_EXPORT NDIndexUtils {
 public:
  /// start .. end, including the end if inclusive = 1. [1, 2, 1, start, end, stride, inclusive]: the stride comes after
  /// the end.
  static NDArray createInterval(LongType start, LongType end, LongType stride = 1, LongType inclusive = 1);
  /// One position; the dimension is dropped. [0, 1, 1, position, 1]
  static NDArray createPoint(LongType position);
  /// A new dimension of length 1. [3, 1, 1, 0, 1]
  static NDArray createNewAxis();
  /// The whole dimension. [2, 0, 1, 1]
  static NDArray createAll();
};

}  // namespace sd

#endif
