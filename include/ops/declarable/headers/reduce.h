// Reductions along dimensions, and their gradients.
#ifndef NDFORGE_OPS_DECLARABLE_HEADERS_REDUCE_H
#define NDFORGE_OPS_DECLARABLE_HEADERS_REDUCE_H

#include <ops/declarable/DeclarableCustomOp.h>
#include <ops/declarable/DeclarableReductionOp.h>
#include <ops/declarable/headers/choices.h>

#include <vector>

namespace sd::ops {

namespace args {
/// Arguments of reductions and of their gradients. No axes: all.
struct Reduction {
  std::vector<int> axis{};
  bool keepDims = false;
};

/// Arguments of norm.
struct Norm {
  NormKind kind = NormKind::Euclidean;
  std::vector<int> axis{};
  double ord = 2.0;  ///< the exponent of the p-norm
};

/// Arguments of variance and standard deviation.
struct Spread {
  std::vector<int> axis{};
  bool keepDims = false;
  bool biasCorrected = false;  ///< the divisor is n - 1
};
}  // namespace args

DECLARE_CUSTOM_OP(reduce_sum, -1, 1, false, 0, 0)
DECLARE_CUSTOM_OP(reduce_sum_bp, -1, 1, false, 0, 0)
DECLARE_CUSTOM_OP(reduce_mean, -1, 1, false, 0, 0)
DECLARE_CUSTOM_OP(reduce_mean_bp, -2, 1, false, 0, 0)
DECLARE_CUSTOM_OP(reduce_prod, -1, 1, false, 0, 0)
DECLARE_CUSTOM_OP(reduce_prod_bp, -1, 1, false, 0, 0)
DECLARE_CUSTOM_OP(reduce_max, -1, 1, false, 0, 0)
DECLARE_CUSTOM_OP(reduce_max_bp, -1, 1, false, 0, 0)
DECLARE_CUSTOM_OP(reduce_min, -1, 1, false, 0, 0)
DECLARE_CUSTOM_OP(reduce_min_bp, -1, 1, false, 0, 0)
DECLARE_CUSTOM_OP(reduce_norm1, -1, 1, false, 0, 0)
DECLARE_CUSTOM_OP(reduce_norm1_bp, -1, 1, false, 0, 0)
DECLARE_CUSTOM_OP(reduce_norm2, -1, 1, false, 0, 0)
DECLARE_CUSTOM_OP(reduce_norm2_bp, -1, 1, false, 0, 0)
DECLARE_CUSTOM_OP(reduce_sqnorm, -1, 1, false, 0, 0)
DECLARE_CUSTOM_OP(reduce_sqnorm_bp, -1, 1, false, 0, 0)
DECLARE_CUSTOM_OP(reduce_norm_max, -1, 1, false, 0, 0)
DECLARE_CUSTOM_OP(reduce_norm_max_bp, -1, 1, false, 0, 0)
DECLARE_CUSTOM_OP(reduce_variance, -1, 1, false, 0, 0)
DECLARE_CUSTOM_OP(reduce_variance_bp, -1, 1, false, 0, 0)
DECLARE_CUSTOM_OP(reduce_stdev, -1, 1, false, 0, 0)
DECLARE_CUSTOM_OP(reduce_stdev_bp, -1, 1, false, 0, 0)
DECLARE_CUSTOM_OP(reduce_logsumexp, -1, 1, false, 0, -2)
DECLARE_CUSTOM_OP(reduce_dot_bp, -1, 2, false, 0, 0)
DECLARE_REDUCTION_OP(norm, 1, 1, false, 1, -2)

}  // namespace sd::ops

#endif
