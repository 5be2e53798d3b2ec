// Code that the operations which resize images share. Images are [B, H, W, C] or [H, W, C].
#ifndef NDFORGE_SRC_OPS_DECLARABLE_GENERIC_IMAGES_RESIZING_H
#define NDFORGE_SRC_OPS_DECLARABLE_GENERIC_IMAGES_RESIZING_H

#include "ops/declarable/Common.h"
#include "ops/declarable/helpers/resampling.h"

namespace sd::ops {

struct Size {
  LongType height, width;
};

/// The shape function: replaces the sizes of the image. The order is x's unless one is given.
ShapeList* resized(const LongType* x, const Size& size, DataType type, char order = 0);

/// The height, and the width that preserves the aspect ratio of the images x, rounded up.
Size withAspectOf(const LongType* x, LongType height);

/// Resamples with taps(in, out) for both dimensions.
template <typename F>
void resampleWith(const NDArray& x, NDArray& z, F&& taps) {
  if (z.isEmpty()) return;
  resample(x, z, taps(x.sizeAt(-3), z.sizeAt(-3)), taps(x.sizeAt(-2), z.sizeAt(-2)));
}

}  // namespace sd::ops

#endif
