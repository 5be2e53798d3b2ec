// Element-wise operations of two arrays that broadcast, and their gradients.
#ifndef NDFORGE_OPS_DECLARABLE_HEADERS_BROADCASTABLE_H
#define NDFORGE_OPS_DECLARABLE_HEADERS_BROADCASTABLE_H

#include <ops/declarable/BroadcastableBoolOp.h>
#include <ops/declarable/BroadcastableOp.h>
#include <ops/declarable/DeclarableCustomOp.h>

namespace sd::ops {

// What each computes stands in src/ops/declarable/generic/broadcastable and is shown by `ndforge info NAME`.
DECLARE_BROADCASTABLE_OP(add, 0, 0)
DECLARE_BROADCASTABLE_OP(subtract, 0, 0)
DECLARE_BROADCASTABLE_OP(reversesubtract, 0, 0)
DECLARE_BROADCASTABLE_OP(multiply, 0, 0)
DECLARE_BROADCASTABLE_OP(squaredsubtract, 0, 0)
DECLARE_BROADCASTABLE_OP(divide, 0, 0)
DECLARE_BROADCASTABLE_OP(maximum, 0, 0)
DECLARE_BROADCASTABLE_OP(minimum, 0, 0)

DECLARE_BROADCASTABLE_BOOL_OP(equals, 0, 0)
DECLARE_BROADCASTABLE_BOOL_OP(not_equals, 0, 0)
DECLARE_BROADCASTABLE_BOOL_OP(less, 0, 0)
DECLARE_BROADCASTABLE_BOOL_OP(less_equal, 0, 0)
DECLARE_BROADCASTABLE_BOOL_OP(greater, 0, 0)
DECLARE_BROADCASTABLE_BOOL_OP(greater_equal, 0, 0)

DECLARE_CUSTOM_OP(add_bp, 3, 2, false, 0, 0)
DECLARE_CUSTOM_OP(multiply_bp, 3, 2, false, 0, 0)

}  // namespace sd::ops

#endif
