// Adds a bias to each channel.
#ifndef NDFORGE_OPS_DECLARABLE_HELPERS_ADDBIAS_H
#define NDFORGE_OPS_DECLARABLE_HELPERS_ADDBIAS_H

#include <array/NDArray.h>
#include <graph/Context.h>

namespace sd::ops::helpers {

/// output = input + bias [C]; the channels are dimension 1 when isNCHW, else the last. Same as the operation biasadd.
SD_LIB_EXPORT void addBias(graph::Context& block, const NDArray& input, const NDArray& bias, NDArray& output,
                           bool isNCHW);

}  // namespace sd::ops::helpers

#endif
