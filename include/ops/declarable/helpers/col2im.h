// Converts columns of windows to images.
#ifndef NDFORGE_OPS_DECLARABLE_HELPERS_COL2IM_H
#define NDFORGE_OPS_DECLARABLE_HELPERS_COL2IM_H

#include <array/NDArray.h>

namespace sd::ops::helpers {

/// im [N, C, iH, iW] = the sums of columns [N, C, kH, kW, oH, oW], each added at the cell from which im2col takes it;
/// cells outside the image are dropped. Float types. @throws std::invalid_argument for shapes, strides and dilations
SD_LIB_EXPORT void col2im(LaunchContext& context, const NDArray& columns, NDArray& im, int sH, int sW, int pH, int pW,
                          int iH, int iW, int dH, int dW);

}  // namespace sd::ops::helpers

#endif
