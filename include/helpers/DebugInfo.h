// Statistics of the elements of an array.
#ifndef NDFORGE_HELPERS_DEBUGINFO_H
#define NDFORGE_HELPERS_DEBUGINFO_H

#include <system/common.h>

#include <cmath>

namespace sd {

struct DebugInfo {
  double _minValue = 0;
  double _maxValue = 0;
  double _meanValue = 0;
  double _stdDevValue = 0;
  LongType _zeroCount = 0;
  LongType _positiveCount = 0;
  LongType _negativeCount = 0;
  LongType _infCount = 0;
  LongType _nanCount = 0;
};

/// True when the counts are equal and the values differ by at most 1e-6.
inline bool operator==(const DebugInfo& a, const DebugInfo& b) {
  auto close = [](double x, double y) { return x == y || std::fabs(x - y) <= 1e-6; };
  return close(a._minValue, b._minValue) && close(a._maxValue, b._maxValue) && close(a._meanValue, b._meanValue) &&
         close(a._stdDevValue, b._stdDevValue) && a._zeroCount == b._zeroCount &&
         a._positiveCount == b._positiveCount && a._negativeCount == b._negativeCount && a._infCount == b._infCount &&
         a._nanCount == b._nanCount;
}
inline bool operator!=(const DebugInfo& a, const DebugInfo& b) { return !(a == b); }

}  // namespace sd

#endif
