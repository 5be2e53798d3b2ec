// Convolutions, their gradients, and operations related to them.
#ifndef NDFORGE_OPS_DECLARABLE_HEADERS_CONVO_H
#define NDFORGE_OPS_DECLARABLE_HEADERS_CONVO_H

#include <ops/declarable/DeclarableCustomOp.h>
#include <ops/declarable/headers/choices.h>

#include <array>
#include <vector>

namespace sd::ops {

// Convolutions take window sizes of 0 from the weights.

namespace args {
struct Convolution1d {
  std::array<int, 1> kernel{0};
  std::array<int, 1> stride{1};
  std::array<int, 1> padding{0};
  std::array<int, 1> dilation{1};
  PaddingMode paddingMode = PaddingMode::Given;
  SequenceLayout layout = SequenceLayout::NCW;
  WeightLayout weightLayout = WeightLayout::HWIO;
  std::array<int, 1> paddingEnd{-1};  ///< -1: as padding
};

/// Arguments of plain, transposed, depthwise and separable convolutions of images.
struct Convolution2d {
  std::array<int, 2> kernel{0, 0};
  std::array<int, 2> stride{1, 1};
  std::array<int, 2> padding{0, 0};
  std::array<int, 2> dilation{1, 1};
  PaddingMode paddingMode = PaddingMode::Given;
  ImageLayout layout = ImageLayout::NCHW;
  WeightLayout weightLayout = WeightLayout::HWIO;
  std::array<int, 2> paddingEnd{-1, -1};  ///< -1: as padding
};

/// Arguments of plain and transposed convolutions of volumes.
struct Convolution3d {
  std::array<int, 3> kernel{0, 0, 0};
  std::array<int, 3> stride{1, 1, 1};
  std::array<int, 3> padding{0, 0, 0};
  std::array<int, 3> dilation{1, 1, 1};
  PaddingMode paddingMode = PaddingMode::Given;
  VolumeLayout layout = VolumeLayout::NCDHW;
  WeightLayout weightLayout = WeightLayout::HWIO;
  std::array<int, 3> paddingEnd{-1, -1, -1};  ///< -1: as padding
};

struct PointwiseConvolution {
  ImageLayout layout = ImageLayout::NCHW;
  WeightLayout weightLayout = WeightLayout::HWIO;
};

/// Arguments of im2col and of its gradient, which takes the kernel from the shape of the columns.
struct Columns {
  std::array<int, 2> kernel{};
  std::array<int, 2> stride{1, 1};
  std::array<int, 2> padding{0, 0};
  std::array<int, 2> dilation{1, 1};
  PaddingMode paddingMode = PaddingMode::Given;
  double value = 0.0;  ///< of cells outside the image
};

/// Arguments of col2im.
struct ColumnsSum {
  std::array<int, 2> size{};  ///< of the image
  std::array<int, 2> stride{1, 1};
  std::array<int, 2> padding{0, 0};
  std::array<int, 2> dilation{1, 1};
};

/// Arguments of upsampling and of its gradient, which takes the factors from the shapes.
struct Upsampling2d {
  std::array<LongType, 2> scaleFactor{};
  ImageLayout layout = ImageLayout::NHWC;
};

struct Upsampling3d {
  std::array<LongType, 3> scaleFactor{};
  VolumeLayout layout = VolumeLayout::NDHWC;
};

struct Dilation2d {
  std::array<LongType, 4> dilation{1, 1, 1, 1};  ///< the first and the last are not read
  std::array<LongType, 4> stride{1, 1, 1, 1};    ///< the first and the last are not read
  PaddingMode paddingMode = PaddingMode::Given;  ///< Given: none
};

/// Arguments of ismax. No axes: all.
struct MaximumAxes {
  std::vector<int> axis{};
};
}  // namespace args

DECLARE_CUSTOM_OP(conv1d, 2, 1, false, 0, 5)
DECLARE_CUSTOM_OP(conv1d_bp, 3, 2, false, 0, 5)
DECLARE_CUSTOM_OP(conv2d, 2, 1, false, 0, 9)
DECLARE_CUSTOM_OP(conv2d_bp, 3, 2, false, 0, 9)
DECLARE_CUSTOM_OP(conv2d_input_bp, 3, 1, false, 0, 9)
DECLARE_CUSTOM_OP(conv3dnew, 2, 1, false, 0, 13)
DECLARE_CUSTOM_OP(conv3dnew_bp, 3, 2, false, 0, 13)
DECLARE_CUSTOM_OP(pointwise_conv2d, 2, 1, false, 0, 0)

namespace additional {
// Transposed.
DECLARE_CUSTOM_OP(deconv1d, 2, 1, false, 0, 5)
DECLARE_CUSTOM_OP(deconv1d_bp, 3, 2, false, 0, 5)
}  // namespace additional
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
