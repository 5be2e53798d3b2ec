// Copies.
// operations: identity identity_bp identity_n
// aliases: linear LinearGrad
#include <ops/declarable/headers/activations.h>

#include "ops/declarable/generic/activations/Gradient.h"
#include "ops/declarable/helpers/backward_rules.h"
#include "ops/declarable/helpers/inference.h"
#include "ops/declarable/helpers/rules.h"

namespace sd::ops {

OP_IMPL(identity, 1, 1, true) {
  if (!block.isInplace()) OUTPUT_VARIABLE(0)->assign(*INPUT_VARIABLE(0));
  return Status::OK;
}
DECLARE_SCHEMA(identity) {
  schema.summary("Copies an array.").formula("z = x");
  schema.input("x", "any shape and type");
  schema.output("z", "the shape and type of x");
  schema.inputTypes({ANY, ALL_COMPLEX}).sameTypes().infer(inferLikeFirst).gradient("identity_bp").gradient(copyRule);
  schema.elementwise("transform.Identity");
  schema.example(R"({"x": [1.0, 2.0]})")
      .elsewhere({.numpy = "numpy.copy", .torch = "torch.clone", .tensorflow = "tf.identity", .onnx = "Identity"})
      .words("copy, linear, pass through")
      .see("identity_n assign");
}
DECLARE_SYN(linear, identity);

OP_IMPL(identity_bp, 2, 1, true) {
  const NDArray &x = *INPUT_VARIABLE(0), &g = *INPUT_VARIABLE(1);
  NDArray& z = *OUTPUT_VARIABLE(0);
  if (g.lengthOf() != 1 && g.lengthOf() != x.lengthOf())
    fail<std::runtime_error>("[identity_bp] input 1 'gradZ': its shape is {}, but x has shape {}", text(g), text(x));
  if (!z.isEmpty()) z.assign(g);
  return Status::OK;
}
DECLARE_SCHEMA(identity_bp) {
  schema.summary("The gradient of identity.").formula("gradX = gradZ");
  schema.input("x", "any shape").types({ANY});
  schema.input("gradZ", "the length of x, or one element").types({ALL_FLOATS});
  schema.output("gradX", "the shape and type of x");
  schema.sameTypes().infer(inferLikeFirst).gradient(linearBackwardRule);
  schema.example(R"({"x": [1.0, 2.0], "gradZ": [3.0, 4.0]})").words("copy, linear").see("identity");
}
DECLARE_SYN(LinearGrad, identity_bp);

CUSTOM_OP_IMPL(identity_n, 1, 1, true, 0, 0) {
  if (block.isInplace()) return Status::OK;
  for (int i = 0; i < static_cast<int>(block.width()); i++)
    if (!INPUT_VARIABLE(i)->isEmpty()) OUTPUT_VARIABLE(i)->assign(*INPUT_VARIABLE(i));
  return Status::OK;
}
INFERRED_SHAPES(identity_n)
DECLARE_SCHEMA(identity_n) {
  schema.summary("Copies any number of arrays.").formula("z_i = x_i");
  schema.input("x", "arrays of any shapes").any().types({ALL_FLOATS, ALL_INTS, BOOL});
  schema.output("z", "one for each input, with its shape and type").any();
  schema.sameTypes().infer(inferLikeInputs);
  schema.example(R"({"x": [[1.0, 2.0], [3.0]]})")
      .elsewhere({.tensorflow = "tf.identity_n"})
      .words("copy, pass through")
      .see("identity");
  schema.gradient(copyRule);
}

}  // namespace sd::ops
