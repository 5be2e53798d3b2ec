// Layers of neural networks: normalisation, softmax, attention, statistics; and their gradients.
#ifndef NDFORGE_OPS_DECLARABLE_HEADERS_NN_H
#define NDFORGE_OPS_DECLARABLE_HEADERS_NN_H

#include <ops/declarable/DeclarableCustomOp.h>
#include <ops/declarable/headers/choices.h>

#include <optional>
#include <vector>

namespace sd::ops {

namespace args {
/// Arguments of sufficient_statistics. No axes: all.
struct SufficientStatistics {
  std::vector<int> axis{};
  std::optional<double> shift{};
};

/// Argument of normalize_moments.
struct MomentShift {
  double shift = 0.0;
};

/// Argument of apply_sgd.
struct GradientDescent {
  double learningRate = 0.0;
};

/// Arguments of batchnorm and its gradient.
struct BatchNormalization {
  std::vector<int> axis{-1};  ///< of the channels
  double epsilon = 1e-5;
  bool applyScale = false;   ///< gamma is given
  bool applyOffset = false;  ///< beta is given
};

struct FusedBatchNormalization {
  double epsilon = 0.001;
  ImageLayout layout = ImageLayout::NHWC;
  bool training = true;  ///< mean and variance are those of x
};

/// Argument of biasadd and its gradient.
struct ChannelBias {
  bool channelsFirst = false;
};

/// Arguments of attention; its gradient has only the first.
struct Attention {
  bool scaled = true;
  bool needWeights = false;
};

struct LayerNormalization {
  std::vector<int> axis{};
  bool channelsFirst = true;  ///< of gamma and beta
  double epsilon = 0.0;       ///< added to the variance; 0: 1e-12 is added to the deviation
};

/// Arguments of rms_norm and its gradient.
struct RootMeanSquareNormalization {
  std::vector<int> axis{-1};
  double epsilon = 1e-5;
};

/// Arguments of group_norm and its gradient.
struct GroupNormalization {
  LongType numGroups{};
  double epsilon = 1e-5;
  bool channelsFirst = true;
};

/// Arguments of instance_norm and its gradient.
struct InstanceNormalization {
  double epsilon = 1e-5;
  bool channelsFirst = true;
};

struct Standardization {
  std::vector<int> axis{};
};

/// Argument of softmax, log_softmax and their gradients.
struct SoftmaxAxis {
  int axis = -1;
};

struct LocalResponse {
  LongType depthRadius = 5;
  double bias = 1.0;
  double alpha = 1.0;
  double beta = 0.5;
};

/// Arguments of xw_plus_b; its gradient has only the first two.
struct AffineProduct {
  bool transposeA = false;
  bool transposeB = false;
  bool transposeOut = false;
};

struct ReluLayer {
  double cutoff = 0.0;
};
}  // namespace args

DECLARE_CUSTOM_OP(moments, 1, 2, false, 0, -2)
DECLARE_CUSTOM_OP(sufficient_statistics, 2, 3, false, 0, 0)
DECLARE_CONFIGURABLE_OP(apply_sgd, 2, 1, true, -2, 0)
DECLARE_CUSTOM_OP(batchnorm, 3, 1, false, 1, 2)
DECLARE_CUSTOM_OP(batchnorm_bp, 4, 3, false, 1, 2)
DECLARE_CUSTOM_OP(biasadd, 2, 1, true, 0, 0)
DECLARE_CUSTOM_OP(biasadd_bp, 3, 2, false, 0, 0)
DECLARE_CUSTOM_OP(dot_product_attention, 3, -1, false, 0, 2)
DECLARE_CUSTOM_OP(dot_product_attention_bp, 4, 3, false, 0, 1)
DECLARE_CUSTOM_OP(fused_batch_norm, 3, 3, false, 0, 2)
DECLARE_CONFIGURABLE_OP(layer_norm, 2, 1, false, 0, -1)
DECLARE_CUSTOM_OP(layer_norm_bp, 3, -1, false, 0, -1)
namespace additional {
DECLARE_CONFIGURABLE_OP(rms_norm, 1, 1, true, 0, 0)
DECLARE_CUSTOM_OP(rms_norm_bp, 2, 2, false, 0, 0)
DECLARE_CONFIGURABLE_OP(group_norm, 1, 1, true, 0, 0)
DECLARE_CUSTOM_OP(group_norm_bp, 2, 3, false, 0, 0)
DECLARE_CONFIGURABLE_OP(instance_norm, 1, 1, true, 0, 0)
DECLARE_CUSTOM_OP(instance_norm_bp, 2, 3, false, 0, 0)
}  // namespace additional
DECLARE_CONFIGURABLE_OP(log_softmax, 1, 1, true, 0, 0)
DECLARE_CONFIGURABLE_OP(log_softmax_bp, 2, 1, true, 0, 0)
DECLARE_CONFIGURABLE_OP(lrn, 1, 1, true, 3, 1)
DECLARE_CONFIGURABLE_OP(lrn_bp, 2, 1, true, 3, 1)
DECLARE_CUSTOM_OP(multi_head_dot_product_attention, 7, -1, false, 0, 2)
DECLARE_CUSTOM_OP(multi_head_dot_product_attention_bp, 8, 7, false, 0, 1)
DECLARE_CUSTOM_OP(relu_layer, 3, 1, false, 0, 0)
DECLARE_CONFIGURABLE_OP(softmax, 1, 1, true, 0, 0)
DECLARE_CONFIGURABLE_OP(softmax_bp, 2, 1, true, 0, 0)
DECLARE_CUSTOM_OP(xw_plus_b, 3, 1, false, 0, 0)
DECLARE_CUSTOM_OP(xw_plus_b_bp, 4, 3, false, 0, 0)
DECLARE_CUSTOM_OP(normalize_moments, 3, 2, false, 1, 0)
DECLARE_OP(weighted_cross_entropy_with_logits, 3, 1, true)
DECLARE_CONFIGURABLE_OP(standardize, 1, 1, true, 0, -2)
DECLARE_CUSTOM_OP(standardize_bp, 2, 1, false, 0, -2)

}  // namespace sd::ops

#endif
