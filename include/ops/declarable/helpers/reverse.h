// Arrays with the order of their elements reversed.
#ifndef NDFORGE_OPS_DECLARABLE_HELPERS_REVERSE_H
#define NDFORGE_OPS_DECLARABLE_HELPERS_REVERSE_H

#include <array/NDArray.h>

#include <vector>

namespace sd::ops::helpers {

/// Reverses along the given dimensions, along all when there are none. What the operation reverse does.
SD_LIB_EXPORT void reverse(LaunchContext* context, const NDArray* input, NDArray* output,
                           const std::vector<int>* dimensions);

}  // namespace sd::ops::helpers

#endif
