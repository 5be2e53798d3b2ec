// Operations that other frameworks have: one-hot vectors, sequence masks, rolling, and passing arrays on.
#ifndef NDFORGE_OPS_DECLARABLE_HEADERS_PARITY_OPS_H
#define NDFORGE_OPS_DECLARABLE_HEADERS_PARITY_OPS_H

#include <ops/declarable/DeclarableCustomOp.h>

namespace sd::ops {

// What each computes stands in src/ops/declarable/generic/parity_ops and is shown by `ndforge info NAME`.

// positions as ones
DECLARE_CUSTOM_OP(onehot, 1, 1, false, -2, -2)
DECLARE_CUSTOM_OP(sequence_mask, 1, 1, false, 0, 0)

// elements moved or passed on
DECLARE_CONFIGURABLE_OP(roll, 1, 1, true, 0, 0)
DECLARE_OP(stop_gradient, 1, 1, true)
DECLARE_CUSTOM_OP(expose, -2, -2, true, 0, 0)

}  // namespace sd::ops

#endif
