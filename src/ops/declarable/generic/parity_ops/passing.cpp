// Operations that pass arrays on unchanged.
// operations: stop_gradient expose
// aliases: StopGradient Enter enter
#include <ops/declarable/headers/parity_ops.h>

#include "ops/declarable/helpers/Region.h"
#include "ops/declarable/helpers/inference.h"
#include "ops/declarable/helpers/rules.h"

namespace sd::ops {

OP_IMPL(stop_gradient, 1, 1, true) {
  copy(*INPUT_VARIABLE(0), *OUTPUT_VARIABLE(0));
  return Status::OK;
}
DECLARE_SCHEMA(stop_gradient) {
  schema.summary("Returns the array unchanged; gradients stop here.").formula("z = x");
  schema.input("x", "any shape");
  schema.output("z", "x's shape and type");
  schema.inputTypes({ANY, ALL_COMPLEX}).sameTypes().infer(inferLikeFirst);
  schema.notDifferentiable("stops the gradient by definition");
  schema.example(R"({"x": [1.0, 2.0]})");
  schema.elsewhere({.torch = "torch.Tensor.detach", .tensorflow = "tf.stop_gradient"});
  schema.words("detach, identity").see("assign");
}
DECLARE_SYN(StopGradient, stop_gradient);

CUSTOM_OP_IMPL(expose, -2, -2, true, 0, 0) {
  // Nothing is written when an output is missing.
  if (block.isFastPath() || block.givenVariableSpace() == nullptr)
    for (int i = 0, n = static_cast<int>(block.width()); i < n; i++) OUTPUT_VARIABLE(i);
  for (int i = 0, n = static_cast<int>(block.width()); i < n; i++) {
    if (!block.isFastPath() && block.givenVariableSpace() != nullptr) {
      const graph::Variable* variable = block.variable(i);
      if (variable->variableType() == graph::ARRAY_LIST) {
        block.pushNDArrayListToVariableSpace(block.nodeId(), i,
                                             const_cast<graph::Variable*>(variable)->getNDArrayList(), false);
        continue;
      }
    }
    copy(*INPUT_VARIABLE(i), *OUTPUT_VARIABLE(i));
  }
  return Status::OK;
}
INFERRED_SHAPES(expose)
DECLARE_SCHEMA(expose) {
  schema.summary("Passes the inputs unchanged to another part of a graph; lists of arrays are passed on too.")
      .formula("z_k = x_k");
  schema.input("x", "any shapes and types").any();
  schema.output("z", "the same").any();
  schema.inputTypes({ANY, ALL_COMPLEX}).sameTypes().infer([](Inference& in) {
    for (int i = 0; i < in.inputs(); i++)
      if (in.has(i)) in.output(in.input(i));
  });
  schema.example(R"({"x": [[1.0, 2.0]]})");
  schema.elsewhere({.tensorflow = "tf.raw_ops.Enter"});
  schema.words("pass through, identity").see("stop_gradient");
  schema.gradient(copyRule);
}
DECLARE_SYN(Enter, expose);
DECLARE_SYN(enter, expose);

}  // namespace sd::ops
