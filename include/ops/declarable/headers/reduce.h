// Reductions along dimensions, and their gradients.
#ifndef NDFORGE_OPS_DECLARABLE_HEADERS_REDUCE_H
#define NDFORGE_OPS_DECLARABLE_HEADERS_REDUCE_H

#include <ops/declarable/DeclarableCustomOp.h>
#include <ops/declarable/DeclarableReductionOp.h>

namespace sd::ops {

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
