// A multiple of one array added to another.
// operations: axpy
// calls: Multiply
#include <ops/declarable/headers/blas.h>

#include "ops/declarable/helpers/inference.h"
#include "ops/declarable/helpers/rules.h"

namespace sd::ops {

CONFIGURABLE_OP_IMPL(axpy, 2, 1, false, -2, 0) {
  const NDArray &x = *INPUT_VARIABLE(0), &y = *INPUT_VARIABLE(1);
  NDArray& z = *OUTPUT_VARIABLE(0);
  requireSameShape(y, 1, "y", x, 0, "x");
  if (y.dataType() != x.dataType()) reject("inputs 0 and 1 differ in type");
  if (x.isEmpty()) return Status::OK;
  y.applyScalar(scalar::Multiply, arguments<Axpy>(block).alpha, z);
  z += x;
  return Status::OK;
}
DECLARE_SCHEMA(axpy) {
  schema.summary("Adds a multiple of the second array to the first.").formula("z = x + alpha y");
  schema.input("x", "any shape");
  schema.input("y", "the shape and type of x");
  schema.input("alpha", "one element").optional();
  schema.argument(&Axpy::alpha, "alpha", "the factor of y").atFloat(0).orInput(2);
  schema.output("z", "the shape and type of x");
  schema.inputTypes({ALL_FLOATS}).sameTypes().infer(inferLikeFirst);
  schema.example(R"({"x": [1.0, 2.0], "y": [10.0, 20.0], "alpha": 0.5})")
      .elsewhere({.torch = "torch.add"})
      .words("scaled addition, multiply-add, BLAS")
      .see("add multiply matmul");
  schema.gradient([](Gradient& g) {
    const Symbol y = g.input(1), factor = g.input(2) ? g.input(2) : g.constant(g.arguments<Axpy>().alpha, y);
    g.set(0, g.of());
    g.set(1, g.of() * factor);
    if (g.input(2)) g.set(2, g.reshapeLike(g.sum(g.of() * y), factor));
  });
}

}  // namespace sd::ops
