// Operations that pass arrays on unchanged.
// operations: stop_gradient expose
// aliases: StopGradient Enter enter
#include <ops/declarable/headers/parity_ops.h>

#include "ops/declarable/Common.h"
#include "ops/declarable/helpers/Region.h"

namespace sd::ops {

OP_IMPL(stop_gradient, 1, 1, true) {
  copy(*INPUT_VARIABLE(0), *OUTPUT_VARIABLE(0));
  return Status::OK;
}
DECLARE_TYPES(stop_gradient) {
  getOpDescriptor()->setAllowedInputTypes(ANY)->setSameMode(true)->document(
      {.summary = "Returns the array unchanged; gradients stop here.",
       .formula = "z = x",
       .inputs = "x: any shape",
       .outputs = "z: x's shape and type"});
}
DECLARE_SYN(StopGradient, stop_gradient);

CUSTOM_OP_IMPL(expose, -2, -2, true, 0, 0) {
  for (int i = 0, n = static_cast<int>(block.width()); i < n; i++) {
    if (!block.isFastPath() && block.getVariableSpace() != nullptr) {
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
DECLARE_SHAPE_FN(expose) {
  auto list = std::make_unique<ShapeList>();
  for (int i = 0; i < inputShape->size(); i++)
    if (inputShape->at(i) != nullptr) list->push_back(like(inputShape->at(i)));
  return list.release();
}
DECLARE_TYPES(expose) {
  getOpDescriptor()->setAllowedInputTypes(ANY)->setSameMode(true)->document(
      {.summary = "Passes the inputs unchanged to another part of a graph; lists of arrays are passed on too.",
       .formula = "z_k = x_k",
       .inputs = "x0, x1, …: any shapes and types",
       .outputs = "z0, z1, …: the same"});
}
DECLARE_SYN(Enter, expose);
DECLARE_SYN(enter, expose);

}  // namespace sd::ops
