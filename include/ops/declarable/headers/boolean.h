// Tests that return a single truth value, and operations that select by a condition.
#ifndef NDFORGE_OPS_DECLARABLE_HEADERS_BOOLEAN_H
#define NDFORGE_OPS_DECLARABLE_HEADERS_BOOLEAN_H

#include <ops/declarable/BooleanOp.h>
#include <ops/declarable/DeclarableCustomOp.h>

namespace sd::ops {

// compare the first elements of two arrays
DECLARE_BOOLEAN_OP(eq_scalar, 2, true)
DECLARE_BOOLEAN_OP(neq_scalar, 2, true)
DECLARE_BOOLEAN_OP(lt_scalar, 2, true)
DECLARE_BOOLEAN_OP(lte_scalar, 2, true)
DECLARE_BOOLEAN_OP(gt_scalar, 2, true)
DECLARE_BOOLEAN_OP(gte_scalar, 2, true)

// properties of one array
DECLARE_BOOLEAN_OP(is_non_decreasing, 1, true)
DECLARE_BOOLEAN_OP(is_strictly_increasing, 1, true)
DECLARE_BOOLEAN_OP(is_numeric_tensor, 1, true)

DECLARE_OP(boolean_not, 1, 1, true)

}  // namespace sd::ops

#endif
