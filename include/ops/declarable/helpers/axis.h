// Axes that operations take as arguments or from an array.
#ifndef NDFORGE_OPS_DECLARABLE_HELPERS_AXIS_H
#define NDFORGE_OPS_DECLARABLE_HELPERS_AXIS_H

#include <array/NDArray.h>

#include <vector>

namespace sd::ops::helpers {

/// Adds the rank to negative axes. @throws std::invalid_argument for axes outside -rank..rank - 1
SD_LIB_EXPORT void adjustAxis(LongType rank, std::vector<int>& axes);
/// Writes the axes in `axisVector` (any number type), adjusted, to `output`.
SD_LIB_EXPORT void adjustAxis(LongType rank, NDArray* axisVector, std::vector<int>& output);

}  // namespace sd::ops::helpers

#endif
