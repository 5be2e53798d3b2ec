// Softmax along a dimension.
#ifndef NDFORGE_OPS_DECLARABLE_HELPERS_ACTIVATIONS_H
#define NDFORGE_OPS_DECLARABLE_HELPERS_ACTIVATIONS_H

#include <array/NDArray.h>

namespace sd::ops::helpers {

// `output` has the shape and type of `input`, a float type, and may be the same array; `dimension` may be negative.
// @throws std::invalid_argument, sd::datatype_exception

/// s = exp(x - max) / sum(exp(x - max))
SD_LIB_EXPORT void softmax(LaunchContext* context, const NDArray& input, NDArray& output, int dimension);
/// log(s)
SD_LIB_EXPORT void logSoftmax(LaunchContext* context, const NDArray& input, NDArray& output, int dimension);
/// s (1 - s), the diagonal of the Jacobian
SD_LIB_EXPORT void softmaxDerivative(LaunchContext* context, const NDArray& input, NDArray& output, int dimension);

}  // namespace sd::ops::helpers

#endif
