// Codes that image operations take as arguments.
#ifndef NDFORGE_OPS_DECLARABLE_HELPERS_IMAGE_RESIZE_H
#define NDFORGE_OPS_DECLARABLE_HELPERS_IMAGE_RESIZE_H

#include <array/NDArray.h>

namespace sd::ops::helpers {

enum ImageResizeMethods {
  kResizeBilinear = 0,
  kResizeNearest = 1,
  kResizeBicubic = 2,
  kResizeArea = 3,
  kResizeGaussian = 4,
  kResizeLanczos3 = 5,
  kResizeLanczos5 = 6,
  kResizeMitchellcubic = 7,
  kResizeFirst = kResizeBilinear,
  kResizeLast = kResizeMitchellcubic,
  kResizeOldLast = kResizeArea,
};

/// How coordinates are rounded to the nearest pixel.
enum NearestMode { FLOOR = 0, ROUND_PREFER_FLOOR = 1, ROUND_PREFER_CEIL = 2, CEIL = 3 };

/// Which coordinate of the input corresponds to pixel i of the output.
enum CoordinateTransformationMode {
  ASYMMETRIC = 0,     ///< i * scale
  HALF_PIXEL = 1,     ///< (i + 0.5) * scale - 0.5
  HALF_PIXEL_NN = 2,  ///< (i + 0.5) * scale
};

}  // namespace sd::ops::helpers

#endif
