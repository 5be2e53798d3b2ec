// Element-wise rounding and powers.
// operations: rint square
// calls: Rint Square
#include <ops/declarable/headers/parity_ops.h>

#include "ops/declarable/helpers/inference.h"
#include "ops/declarable/helpers/rules.h"

namespace sd::ops {

OP_IMPL(rint, 1, 1, true) {
  const NDArray& x = *INPUT_VARIABLE(0);
  NDArray& z = *OUTPUT_VARIABLE(0);
  if (x.isEmpty()) return Status::OK;
  if (x.isR() || x.isC())
    x.applyTransform(transform::Rint, z);
  else
    z.assign(x);
  return Status::OK;
}
DECLARE_SCHEMA(rint) {
  schema.inputTypes({ALL_FLOATS, ALL_INTS, ALL_COMPLEX});
  schema.summary("Rounds to the nearest integer, halves to even; integers are unchanged.").formula("z = rint(x)");
  schema.input("x", "any shape; both parts of complex numbers are rounded").types({ALL_FLOATS, ALL_INTS, ALL_COMPLEX});
  schema.output("z", "x's shape and type");
  schema.sameTypes().infer(inferLikeFirst).elementwise("transform.Rint");
  schema.notDifferentiable(JUMPS);
  schema.example(R"({"x": [0.5, 1.5, -2.3]})");
  schema.elsewhere({.numpy = "numpy.rint", .torch = "torch.round", .tensorflow = "tf.math.rint", .onnx = "Round"});
  schema.words("round, nearest integer").see("Floor");
}

OP_IMPL(square, 1, 1, true) {
  NDArray& z = *OUTPUT_VARIABLE(0);
  if (!z.isEmpty()) INPUT_VARIABLE(0)->applyTransform(transform::Square, z);
  return Status::OK;
}
DECLARE_SCHEMA(square) {
  schema.inputTypes({ALL_FLOATS, ALL_INTS, ALL_COMPLEX});
  schema.summary("The square of each element.").formula("z = x * x");
  schema.input("x", "any shape").types({ALL_FLOATS, ALL_INTS, ALL_COMPLEX});
  schema.output("z", "x's shape and type");
  schema.sameTypes().infer(inferLikeFirst).elementwise("transform.Square");
  schema.example(R"({"x": [1.0, -2.0, 3.0]})");
  schema.elsewhere({.numpy = "numpy.square", .torch = "torch.square", .tensorflow = "tf.square"});
  schema.words("power of two").see("Pow multiply");
  schema.gradient([](Gradient& g) { g.set(0, g.of() * conjugate(g, g.input(0)) * 2.0); });
}

}  // namespace sd::ops
