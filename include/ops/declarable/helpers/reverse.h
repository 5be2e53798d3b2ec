// Reverses the order of elements.
#ifndef NDFORGE_OPS_DECLARABLE_HELPERS_REVERSE_H
#define NDFORGE_OPS_DECLARABLE_HELPERS_REVERSE_H

#include <array/NDArray.h>

#include <vector>

namespace sd::ops::helpers {

/// Reverses along the given dimensions; along all when none are given. Same as the operation reverse.
SD_LIB_EXPORT void reverse(LaunchContext* context, const NDArray* input, NDArray* output,
                           const std::vector<int>* dimensions);

}  // namespace sd::ops::helpers

#endif
