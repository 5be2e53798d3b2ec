// Pooling over sliding windows, and the gradients.
#ifndef NDFORGE_OPS_DECLARABLE_HEADERS_POOLING_H
#define NDFORGE_OPS_DECLARABLE_HEADERS_POOLING_H

#include <ops/declarable/DeclarableCustomOp.h>
#include <ops/declarable/headers/choices.h>

namespace sd::ops {

namespace args {
struct AveragePooling2d {
  std::array<int, 2> kernel{};
  std::array<int, 2> stride{1, 1};
  std::array<int, 2> padding{0, 0};
  std::array<int, 2> dilation{1, 1};
  PaddingMode paddingMode = PaddingMode::Given;
  bool countIncludePad = false;
  ImageLayout layout = ImageLayout::NCHW;
  std::array<int, 2> paddingEnd{-1, -1};  ///< -1: as padding
  bool ceilMode = false;
};

struct AveragePooling3d {
  std::array<int, 3> kernel{};
  std::array<int, 3> stride{1, 1, 1};
  std::array<int, 3> padding{0, 0, 0};
  std::array<int, 3> dilation{1, 1, 1};
  PaddingMode paddingMode = PaddingMode::Given;
  bool countIncludePad = false;
  VolumeLayout layout = VolumeLayout::NCDHW;
  std::array<int, 3> paddingEnd{-1, -1, -1};  ///< -1: as padding
  bool ceilMode = false;
};

struct PoolingWithIndices {
  std::array<int, 2> kernel{};
  std::array<int, 2> stride{1, 1};
  std::array<int, 2> padding{0, 0};
  std::array<int, 2> dilation{1, 1};
  PaddingMode paddingMode = PaddingMode::Given;
  DataType dtype = INT64;
  std::array<int, 2> paddingEnd{-1, -1};  ///< -1: as padding
  bool ceilMode = false;
};

struct Pooling2d {
  std::array<int, 2> kernel{};
  std::array<int, 2> stride{1, 1};
  std::array<int, 2> padding{0, 0};
  std::array<int, 2> dilation{1, 1};
  PaddingMode paddingMode = PaddingMode::Given;
  ImageLayout layout = ImageLayout::NCHW;
  std::array<int, 2> paddingEnd{-1, -1};  ///< -1: as padding
  bool ceilMode = false;
};

struct Pooling3d {
  std::array<int, 3> kernel{};
  std::array<int, 3> stride{1, 1, 1};
  std::array<int, 3> padding{0, 0, 0};
  std::array<int, 3> dilation{1, 1, 1};
  PaddingMode paddingMode = PaddingMode::Given;
  VolumeLayout layout = VolumeLayout::NCDHW;
  std::array<int, 3> paddingEnd{-1, -1, -1};  ///< -1: as padding
  bool ceilMode = false;
};

struct NormPooling2d {
  std::array<int, 2> kernel{};
  std::array<int, 2> stride{1, 1};
  std::array<int, 2> padding{0, 0};
  std::array<int, 2> dilation{1, 1};
  PaddingMode paddingMode = PaddingMode::Given;
  int ord = 2;
  ImageLayout layout = ImageLayout::NCHW;
  std::array<int, 2> paddingEnd{-1, -1};  ///< -1: as padding
  bool ceilMode = false;
};
}  // namespace args

DECLARE_CUSTOM_OP(maxpool2d, 1, 1, false, 0, 9)
DECLARE_CUSTOM_OP(maxpool2d_bp, 2, 1, false, 0, 10)
DECLARE_CUSTOM_OP(avgpool2d, 1, 1, false, 0, 10)
DECLARE_CUSTOM_OP(avgpool2d_bp, 2, 1, false, 0, 10)
DECLARE_CUSTOM_OP(pnormpool2d, 1, 1, false, 0, 10)
DECLARE_CUSTOM_OP(pnormpool2d_bp, 2, 1, false, 1, 10)
DECLARE_CUSTOM_OP(maxpool3dnew, 1, 1, false, 0, 14)
DECLARE_CUSTOM_OP(maxpool3dnew_bp, 2, 1, false, 0, 14)
DECLARE_CUSTOM_OP(avgpool3dnew, 1, 1, false, 0, 14)
DECLARE_CUSTOM_OP(avgpool3dnew_bp, 2, 1, false, 0, 14)
DECLARE_CUSTOM_OP(max_pool_with_argmax, 1, 2, false, 0, 9)

}  // namespace sd::ops

#endif
