// Pooling over sliding windows, and the gradients.
#ifndef NDFORGE_OPS_DECLARABLE_HEADERS_POOLING_H
#define NDFORGE_OPS_DECLARABLE_HEADERS_POOLING_H

#include <ops/declarable/DeclarableCustomOp.h>

namespace sd::ops {

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
