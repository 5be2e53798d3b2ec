// Operations on images: [batch, rows, columns, channels] or [rows, columns, channels].
#ifndef NDFORGE_OPS_DECLARABLE_HEADERS_IMAGES_H
#define NDFORGE_OPS_DECLARABLE_HEADERS_IMAGES_H

#include <ops/declarable/DeclarableCustomOp.h>

namespace sd::ops {

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
DECLARE_CUSTOM_OP(extract_image_patches, 1, 1, false, 0, 7)
DECLARE_OP(draw_bounding_boxes, 3, 1, true)

}  // namespace sd::ops

#endif
