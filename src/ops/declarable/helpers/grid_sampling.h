// Samples of images and volumes at the positions of a grid; and the gradients.
#ifndef NDFORGE_SRC_OPS_DECLARABLE_HELPERS_GRID_SAMPLING_H
#define NDFORGE_SRC_OPS_DECLARABLE_HELPERS_GRID_SAMPLING_H

#include <ops/declarable/headers/images.h>

#include "ops/declarable/Common.h"

namespace sd::ops {

/// z[n, c, p] is x[n, c] at grid[n, p], for x [N, C, H, W] or [N, C, D, H, W] with sizes above 0; the last axis of the
/// grid has as many coordinates as images have axes, that of the last axis first. z is not empty.
void sampleGrid(const NDArray& x, const NDArray& grid, const GridSampling& a, NDArray& z);

/// The gradients, where g is that of z. No array is empty.
void gridGradients(const NDArray& x, const NDArray& grid, const NDArray& g, const GridSampling& a, NDArray& gradX,
                   NDArray& gradGrid);

}  // namespace sd::ops

#endif
