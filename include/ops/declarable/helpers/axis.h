// Axes that operations take as arguments or as an array.
#ifndef NDFORGE_OPS_DECLARABLE_HELPERS_AXIS_H
#define NDFORGE_OPS_DECLARABLE_HELPERS_AXIS_H

#include <array/NDArray.h>

#include <vector>

namespace sd::ops::helpers {

/// Negative axes get the rank added. @throws std::invalid_argument for axes outside -rank..rank - 1
SD_LIB_EXPORT void adjustAxis(LongType rank, std::vector<int>& axes);
/// The axes that `axisVector` (any number type) holds, adjusted, in `output`.
SD_LIB_EXPORT void adjustAxis(LongType rank, NDArray* axisVector, std::vector<int>& output);

}  // namespace sd::ops::helpers

#endif
