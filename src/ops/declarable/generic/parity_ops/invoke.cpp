// The name of an operation that the graph executor runs itself.
// operations: invoke
#include <ops/declarable/headers/parity_ops.h>

#include "ops/declarable/Common.h"

namespace sd::ops {

CUSTOM_OP_IMPL(invoke, 2, 2, false, 0, 0) {
  return invalid(Status::VALIDATION, "it represents a part of a graph and cannot be called on its own");
}
DECLARE_SHAPE_FN(invoke) { return shapes(); }
DECLARE_TYPES(invoke) {
  getOpDescriptor()->setAllowedInputTypes(ANY)->document(
      {.summary = "Calls a part of a graph. It cannot be run as an operation: the status is VALIDATION."});
}

}  // namespace sd::ops
