// The name of an operation that the graph executor runs itself.
// operations: invoke
#include <ops/declarable/headers/parity_ops.h>

#include "ops/declarable/helpers/inference.h"

namespace sd::ops {

CUSTOM_OP_IMPL(invoke, 2, 2, false, 0, 0) {
  return invalid(Status::VALIDATION, "it represents a part of a graph and cannot be called on its own");
}
INFERRED_SHAPES(invoke)
DECLARE_SCHEMA(invoke) {
  schema.summary("Calls a part of a graph. It cannot be run as an operation: the status is VALIDATION.");
  schema.input("first", "the first input of the part of the graph");
  schema.input("others", "its other inputs").any();
  schema.output("z", "its outputs").any();
  schema.sideEffect("runs a part of a graph");
  schema.inputTypes({ANY}).infer([](Inference&) {});
  schema.notDifferentiable(CONTROL_FLOW);
  schema.words("subgraph, call, function").see("While Conditional");
}

}  // namespace sd::ops
