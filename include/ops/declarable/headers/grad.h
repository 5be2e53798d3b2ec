// Helpers for gradients of other operations.
#ifndef NDFORGE_OPS_DECLARABLE_HEADERS_GRAD_H
#define NDFORGE_OPS_DECLARABLE_HEADERS_GRAD_H

#include <ops/declarable/DeclarableOp.h>

namespace sd::ops {

DECLARE_OP(broadcastgradientargs, 2, 2, true)

}  // namespace sd::ops

#endif
