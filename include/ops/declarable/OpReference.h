// How operations are related: gradients, numbered operations that compute the same, derivatives.
#ifndef NDFORGE_OPS_DECLARABLE_OPREFERENCE_H
#define NDFORGE_OPS_DECLARABLE_OPREFERENCE_H

#include <loops/OpGroup.h>
#include <system/common.h>

#include <vector>

namespace sd::ops {

class DeclarableOp;

/// The operation that computes the gradient, as the schema states it. nullptr when there is none, when a rule calls
/// several operations, and for numbered operations.
SD_LIB_EXPORT DeclarableOp* gradientOf(DeclarableOp& op);

/// The operations whose gradientOf() is `op`, ordered by name.
SD_LIB_EXPORT std::vector<DeclarableOp*> differentiatedBy(const DeclarableOp& op);

/// The numbered operations that compute the same as the custom operation (for random operations: numbers of the same
/// distribution), from its schema. Empty for numbered operations.
SD_LIB_EXPORT std::vector<const loops::NumberedOp*> numberedTwins(DeclarableOp& op);

/// The custom operations that have `op` in numberedTwins(), ordered by name.
SD_LIB_EXPORT std::vector<DeclarableOp*> customTwins(const loops::NumberedOp& op);

/// The derivative of a numbered operation, for example transform.TanhDerivative for transform.Tanh; nullptr if none.
SD_LIB_EXPORT const loops::NumberedOp* derivativeOf(const loops::NumberedOp& op);

/// The operation whose derivativeOf() is `op`; nullptr when `op` is not a derivative.
SD_LIB_EXPORT const loops::NumberedOp* derivedFrom(const loops::NumberedOp& op);

}  // namespace sd::ops

#endif
