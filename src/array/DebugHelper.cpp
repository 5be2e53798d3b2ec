#include <array/NDArray.h>
#include <helpers/DebugHelper.h>

#include <cmath>

#include "array/NDArrayCommon.h"
#include "system/Error.h"

namespace sd {

DebugInfo DebugHelper::debugStatistics(const NDArray* array) {
  if (array == nullptr) fail("[debugStatistics] the array is null");
  DebugInfo info;
  if (!array->hasElements()) return info;
  arrays::requireNumbers("debugStatistics", *array);

  const std::vector<double> values = array->getBufferAsVector<double>();
  const double count = static_cast<double>(values.size());
  info._minValue = info._maxValue = values[0];
  double sum = 0, squares = 0;
  for (const double x : values) {
    if (x < info._minValue) info._minValue = x;
    if (x > info._maxValue) info._maxValue = x;
    sum += x;
    info._zeroCount += std::fabs(x) <= 1e-5;
    info._positiveCount += x > 0;
    info._negativeCount += x < 0;
    info._infCount += std::isinf(x);
    info._nanCount += std::isnan(x);
  }
  info._meanValue = sum / count;
  for (const double x : values) squares += (x - info._meanValue) * (x - info._meanValue);
  info._stdDevValue = values.size() == 1 ? values[0] : std::sqrt(squares / count);
  return info;
}

void DebugHelper::retrieveDebugStatistics(DebugInfo* info, const NDArray* array) {
  if (info == nullptr) fail("[retrieveDebugStatistics] the result is null");
  *info = debugStatistics(array);
}

}  // namespace sd
