// Output sizes and padding of sliding windows, and conversion between volumes and columns.
#ifndef NDFORGE_OPS_DECLARABLE_HELPERS_CONVOLUTIONS_H
#define NDFORGE_OPS_DECLARABLE_HELPERS_CONVOLUTIONS_H

#include <array/NDArray.h>
#include <graph/Context.h>

namespace sd::ops {

/// k: kernel, s: stride, p: padding on both sides, d: dilation, i: input, o: output; D, H, W: depth, height, width.
/// paddingMode: 0 the given padding, 1 same, 2 causal.
class SD_LIB_EXPORT ConvolutionUtils {
 public:
  /// o = (i - (k - 1) * d - 1 + 2 p) / s + 1; same: ceil(i / s); causal: (i - 1) / s + 1.
  /// @throws std::invalid_argument for sizes, strides and dilations that are not positive, and windows that do not fit
  static void calcOutSizePool2D(int& oH, int& oW, int kH, int kW, int sH, int sW, int pH, int pW, int dH, int dW,
                                int iH, int iW, int paddingMode);
  static void calcOutSizePool3D(int& oD, int& oH, int& oW, int kD, int kH, int kW, int sD, int sH, int sW, int pD,
                                int pH, int pW, int dD, int dH, int dW, int iD, int iH, int iW, int paddingMode);

  /// The padding before the first cell. Mode 0 leaves it unchanged; same: max(0, (o - 1) s + (k - 1) d + 1 - i) / 2;
  /// causal: (k - 1) d.
  static void calcPadding2D(int& pH, int& pW, int oH, int oW, int iH, int iW, int kH, int kW, int sH, int sW, int dH,
                            int dW, int paddingMode = 1);
  static void calcPadding3D(int& pD, int& pH, int& pW, int oD, int oH, int oW, int iD, int iH, int iW, int kD, int kH,
                            int kW, int sD, int sH, int sW, int dD, int dH, int dW, int paddingMode = 1);

  /// The output size of a transposed convolution: s * (i - 1) + (k - 1) d + 1 - 2 p; same: s * i.
  static void calcOutSizeDeconv2D(int& oH, int& oW, int kH, int kW, int sH, int sW, int pH, int pW, int dH, int dW,
                                  int iH, int iW, int paddingMode);

  /// From volumes [N, C, iD, iH, iW] to columns [N, C, kD, kH, kW, oD, oH, oW], with 0 outside; and back, as a sum.
  static void vol2col(graph::Context& block, const NDArray& vol, NDArray& col, int sD, int sH, int sW, int pD, int pH,
                      int pW, int dD, int dH, int dW);
  static void col2vol(graph::Context& block, const NDArray& col, NDArray& vol, int sD, int sH, int sW, int pD, int pH,
                      int pW, int dD, int dH, int dW);
};

}  // namespace sd::ops

#endif
