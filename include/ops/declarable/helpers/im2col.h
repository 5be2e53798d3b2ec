// Converts windows of images to columns.
#ifndef NDFORGE_OPS_DECLARABLE_HELPERS_IM2COL_H
#define NDFORGE_OPS_DECLARABLE_HELPERS_IM2COL_H

#include <array/NDArray.h>

namespace sd::ops::helpers {

/// columns [N, C, kH, kW, oH, oW] = im [N, C, H, W] at rows oh * sH - pH + i * dH and columns ow * sW - pW + j * dW, or
/// paddingValue (a scalar) outside the image. Float types.
/// @throws std::invalid_argument for shapes, strides and dilations
SD_LIB_EXPORT void im2col(LaunchContext& context, const NDArray& im, NDArray& columns, int kH, int kW, int sH, int sW,
                          int pH, int pW, int dH, int dW, const NDArray& paddingValue);

}  // namespace sd::ops::helpers

#endif
