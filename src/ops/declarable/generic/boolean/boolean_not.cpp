// Logical not.
// operations: boolean_not
// calls: EqualTo
#include <ops/declarable/headers/boolean.h>

#include "ops/declarable/helpers/inference.h"

namespace sd::ops {

OP_IMPL(boolean_not, 1, 1, true) {
  const NDArray& x = *INPUT_VARIABLE(0);
  broadcastTo(loops::OpGroup::PairwiseBool, pairwise::EqualTo, x, NDArray(BOOL), *OUTPUT_VARIABLE(0));
  return Status::OK;
}
DECLARE_SCHEMA(boolean_not) {
  schema.summary("Logical not.").formula("z = not x");
  schema.input("x", "any shape");
  schema.output("z", "the shape of x, BOOL");
  schema.inputTypes({BOOL}).sameTypes().infer(inferLikeFirst).notDifferentiable(LOGICAL_RESULT);
  schema.example(R"({"x": [true, false]})")
      .elsewhere(
          {.numpy = "numpy.logical_not", .torch = "torch.logical_not", .tensorflow = "tf.logical_not", .onnx = "Not"})
      .words("negation, invert")
      .see("boolean_and");
}

}  // namespace sd::ops
