// Operations on images: [batch, rows, columns, channels] or [rows, columns, channels].
#ifndef NDFORGE_OPS_DECLARABLE_HEADERS_IMAGES_H
#define NDFORGE_OPS_DECLARABLE_HEADERS_IMAGES_H

#include <ops/declarable/DeclarableCustomOp.h>
#include <ops/declarable/headers/choices.h>

#include <array>
#include <optional>

namespace sd::ops {

namespace args {
/// Arguments of conversions between colour spaces.
struct Colours {
  int axis = -1;  ///< of the channels
};

struct Hue {
  double delta{};
  int axis = -1;  ///< of the channels
};

struct Saturation {
  double factor{};
  int axis = -1;  ///< of the channels
};

struct Contrast {
  double factor{};
};

/// Arguments of resize_bilinear, resize_nearest_neighbor and resize_bicubic.
struct Resize {
  std::array<LongType, 2> size{};
  bool alignCorners = false, halfPixelCenters = false;
};

struct ResizeArea {
  std::array<LongType, 2> size{};
  bool alignCorners = false;
};

struct ResizeImages {
  std::array<LongType, 2> size{};
  InterpolationMethod method = InterpolationMethod::Bilinear;
  bool alignCorners = false, preserveAspectRatio = false;
};

/// Arguments of image_resize.
struct ImageResize {
  std::array<LongType, 2> size{};
  InterpolationMethod method = InterpolationMethod::Bilinear;
  std::optional<PixelCoordinates> coordinates{};  ///< none: HalfPixel, for Nearest HalfPixelNearest
  NearestRounding rounding = NearestRounding::Floor;
  bool preserveAspectRatio = false, antialias = false, excludeOutside = true;
  double cubicCoefficient = -0.5;
};

struct CropAndResize {
  std::array<LongType, 2> size{};
  InterpolationMethod method = InterpolationMethod::Bilinear;
  double extrapolationValue = 0.0;
};

/// Arguments of extract_image_patches.
struct Patches {
  std::array<int, 2> kernel{}, stride{1, 1}, dilation{1, 1};
  PaddingMode paddingMode = PaddingMode::Given;
};

/// What the cells outside an image are.
enum class GridPadding { Zeros, Border, Reflection };
}  // namespace args
template <>
struct ChoicesOf<args::GridPadding> {
  static constexpr const char* name = "GridPadding";
  static constexpr Choice values[] = {
      {"zeros", 0, "0"}, {"border", 1, "the nearest cell of the image"}, {"reflection", 2, "the image mirrored"}};
};

namespace args {
/// Arguments of grid_sample and its gradient.
struct GridSampling {
  InterpolationMethod method = InterpolationMethod::Bilinear;
  GridPadding paddingMode = GridPadding::Zeros;
  bool alignCorners = false;
};
}  // namespace args

// ---- colour spaces
DECLARE_CUSTOM_OP(rgb_to_grs, 1, 1, false, 0, 0)
DECLARE_CONFIGURABLE_OP(rgb_to_yuv, 1, 1, true, 0, 0)
DECLARE_CONFIGURABLE_OP(yuv_to_rgb, 1, 1, true, 0, 0)
DECLARE_CONFIGURABLE_OP(rgb_to_yiq, 1, 1, true, 0, 0)
DECLARE_CONFIGURABLE_OP(yiq_to_rgb, 1, 1, true, 0, 0)
DECLARE_CONFIGURABLE_OP(rgb_to_hsv, 1, 1, true, 0, 0)
DECLARE_CONFIGURABLE_OP(hsv_to_rgb, 1, 1, true, 0, 0)
DECLARE_CONFIGURABLE_OP(adjust_hue, 1, 1, true, 0, 0)
DECLARE_CONFIGURABLE_OP(adjust_saturation, 1, 1, true, 0, 0)
DECLARE_CONFIGURABLE_OP(adjust_contrast, 1, 1, true, 0, 0)
DECLARE_CONFIGURABLE_OP(adjust_contrast_v2, 1, 1, true, 0, 0)

// ---- resizing
DECLARE_CUSTOM_OP(resize_bilinear, 1, 1, false, 0, -2)
DECLARE_CUSTOM_OP(resize_nearest_neighbor, 1, 1, false, 0, -2)
DECLARE_CUSTOM_OP(resize_bicubic, 2, 1, false, 0, 0)
DECLARE_CUSTOM_OP(resize_area, 1, 1, false, 0, -2)
DECLARE_CUSTOM_OP(resize_images, 1, 1, false, 0, 0)
DECLARE_CUSTOM_OP(image_resize, 2, 1, false, -2, -2)

// ---- cropping and patches
DECLARE_CUSTOM_OP(crop_and_resize, 4, 1, false, 0, 0)
namespace additional {
DECLARE_CUSTOM_OP(grid_sample, 2, 1, false, 0, 0)
DECLARE_CUSTOM_OP(grid_sample_bp, 3, 2, false, 0, 0)
}  // namespace additional
DECLARE_CUSTOM_OP(extract_image_patches, 1, 1, false, 0, 7)
DECLARE_OP(draw_bounding_boxes, 3, 1, true)

}  // namespace sd::ops

#endif
