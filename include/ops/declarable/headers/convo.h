// Convolutions, their gradients, and operations related to them.
#ifndef NDFORGE_OPS_DECLARABLE_HEADERS_CONVO_H
#define NDFORGE_OPS_DECLARABLE_HEADERS_CONVO_H

#include <ops/declarable/DeclarableCustomOp.h>

namespace sd::ops {

DECLARE_CUSTOM_OP(conv1d, 2, 1, false, 0, 5)
DECLARE_CUSTOM_OP(conv1d_bp, 3, 2, false, 0, 5)
DECLARE_CUSTOM_OP(conv2d, 2, 1, false, 0, 9)
DECLARE_CUSTOM_OP(conv2d_bp, 3, 2, false, 0, 9)
DECLARE_CUSTOM_OP(conv2d_input_bp, 3, 1, false, 0, 9)
DECLARE_CUSTOM_OP(conv3dnew, 2, 1, false, 0, 13)
DECLARE_CUSTOM_OP(conv3dnew_bp, 3, 2, false, 0, 13)
DECLARE_CUSTOM_OP(pointwise_conv2d, 2, 1, false, 0, 0)

// Transposed.
DECLARE_CUSTOM_OP(deconv2d, 2, 1, false, 0, 9)
DECLARE_CUSTOM_OP(deconv2d_bp, 3, 2, false, 0, 9)
DECLARE_CUSTOM_OP(deconv2d_tf, 3, 1, false, 0, 9)
DECLARE_CUSTOM_OP(deconv3d, 2, 1, false, 0, 13)
DECLARE_CUSTOM_OP(deconv3d_bp, 3, 2, false, 0, 13)

// Each channel separately.
DECLARE_CUSTOM_OP(depthwise_conv2d, 2, 1, false, 0, 9)
DECLARE_CUSTOM_OP(depthwise_conv2d_bp, 3, 2, false, 0, 9)
DECLARE_CUSTOM_OP(sconv2d, 2, 1, false, 0, 9)
DECLARE_CUSTOM_OP(sconv2d_bp, 3, 2, false, 0, 9)

// From windows to columns, and back.
DECLARE_CUSTOM_OP(im2col, 1, 1, false, 0, 9)
DECLARE_CUSTOM_OP(im2col_bp, 2, 1, false, 0, 9)
DECLARE_CUSTOM_OP(col2im, 1, 1, false, 0, 9)

DECLARE_CUSTOM_OP(upsampling2d, 1, 1, false, 0, 2)
DECLARE_CUSTOM_OP(upsampling2d_bp, 2, 1, false, 0, 0)
DECLARE_CUSTOM_OP(upsampling3d, 1, 1, false, 0, 3)
DECLARE_CUSTOM_OP(upsampling3d_bp, 2, 1, false, 0, 0)

DECLARE_CUSTOM_OP(dilation2d, 2, 1, false, 0, 1)

DECLARE_CONFIGURABLE_OP(ismax, 1, 1, true, 0, -2)

}  // namespace sd::ops

#endif
