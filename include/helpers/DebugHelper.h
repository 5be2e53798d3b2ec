// Statistics of the elements of an array.
#ifndef NDFORGE_HELPERS_DEBUGHELPER_H
#define NDFORGE_HELPERS_DEBUGHELPER_H

#include <helpers/DebugInfo.h>
#include <system/common.h>

namespace sd {

class NDArray;

class SD_LIB_EXPORT DebugHelper {
 public:
  /// Minimum, maximum, mean and standard deviation (over n) of all elements, including NaN and infinities; counts of
  /// elements that are zero (|x| <= 1e-5), above 0, below 0, infinite, NaN. For a single element every value is that
  /// element; without elements all are zero.
  /// @throws std::runtime_error for nullptr and strings
  static DebugInfo debugStatistics(const NDArray* array);
  static void retrieveDebugStatistics(DebugInfo* info, const NDArray* array);
};

}  // namespace sd

#endif
