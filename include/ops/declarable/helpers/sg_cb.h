// Search in sorted numbers.
#ifndef NDFORGE_OPS_DECLARABLE_HELPERS_SG_CB_H
#define NDFORGE_OPS_DECLARABLE_HELPERS_SG_CB_H

#include <array/NDArray.h>

namespace sd::ops::helpers {

/// The index of `needle` among `totalElements` ascending numbers; -1 when it does not occur.
SD_LIB_EXPORT int binarySearch(const int* haystack, int needle, int totalElements);

}  // namespace sd::ops::helpers

#endif
