// Statistics of all elements of an array, for debugging.
#ifndef NDFORGE_SRC_LOOPS_INSPECTION_H
#define NDFORGE_SRC_LOOPS_INSPECTION_H

#include <loops/Executor.h>

namespace sd::loops {

/// The layout is part of the C interface.
struct Statistics {
  double minimum, maximum;         ///< without NaN; NaN when there are no other values
  double mean, standardDeviation;  ///< of all elements, divided by their number
  LongType zeros;                  ///< |x| <= 1e-5
  LongType positives, negatives;   ///< by sign, including small values
  LongType infinities, notNumbers;
};

/// @throws std::runtime_error for invalid shapes and strings. An empty array gives zeros.
SD_LIB_EXPORT Statistics inspect(In x);

}  // namespace sd::loops

#endif
