// Operations in the style of the older op guide, one of each kind. Only the first include was changed.
#ifndef EXAMPLES_OLDER_OPERATIONS_H
#define EXAMPLES_OLDER_OPERATIONS_H

#include <compat/nd4j.h>

namespace nd4j {
namespace ops {

// Any shape function.
DECLARE_CUSTOM_OP(old_double_rows, 1, 1, false, 0, 0);
// Outputs with the shapes of the inputs; without and with arguments.
DECLARE_OP(old_negate, 1, 1, true);
DECLARE_CONFIGURABLE_OP(old_scale, 1, 1, true, 1, 0);
// Dimensions are integer arguments.
DECLARE_REDUCTION_OP(old_total, 1, 1, false, 0, 0);
// Every output has the shape of the input.
DECLARE_DIVERGENT_OP(old_fork, 1, 2, true);
// Works on a list of arrays.
DECLARE_LIST_OP(old_append, 2, 1, 0, 0);
// Stands for control flow in graphs.
DECLARE_LOGIC_OP(old_logic);
// Gives a truth value.
DECLARE_BOOLEAN_OP(old_longer, 2, true);
// Two inputs whose shapes broadcast.
DECLARE_BROADCASTABLE_OP(old_hypot, 0, 0);
DECLARE_BROADCASTABLE_BOOL_OP(old_near, 1, 0);

}  // namespace ops
}  // namespace nd4j

#endif
