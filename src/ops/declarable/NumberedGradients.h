// Gradient rules of numbered operations.
#ifndef NDFORGE_SRC_OPS_DECLARABLE_NUMBEREDGRADIENTS_H
#define NDFORGE_SRC_OPS_DECLARABLE_NUMBEREDGRADIENTS_H

#include <loops/OpGroup.h>
#include <ops/declarable/Schema.h>

namespace sd::ops {

/// States the gradient rule of a numbered operation, or the reason why there is none.
void stateGradient(Schema& schema, const loops::NumberedOp& op);

}  // namespace sd::ops

#endif
