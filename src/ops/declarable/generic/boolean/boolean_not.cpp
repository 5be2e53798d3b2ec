// Logical not.
// operations: boolean_not
// calls: EqualTo
#include <ops/declarable/headers/boolean.h>

#include "ops/declarable/Common.h"

namespace sd::ops {

OP_IMPL(boolean_not, 1, 1, true) {
  const NDArray& x = *INPUT_VARIABLE(0);
  broadcastTo(loops::OpGroup::PairwiseBool, pairwise::EqualTo, x, NDArray(BOOL), *OUTPUT_VARIABLE(0));
  return Status::OK;
}
DECLARE_TYPES(boolean_not) {
  getOpDescriptor()->setAllowedInputTypes(BOOL)->setSameMode(true)->document({.summary = "Logical not.",
                                                                              .formula = "z = not x",
                                                                              .inputs = "x: BOOL, any shape",
                                                                              .outputs = "z: the shape of x, BOOL"});
}

}  // namespace sd::ops
