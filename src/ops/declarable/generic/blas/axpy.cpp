// A multiple of one array added to another.
// operations: axpy
// calls: Multiply
#include <ops/declarable/headers/blas.h>

#include "ops/declarable/Common.h"

namespace sd::ops {

CONFIGURABLE_OP_IMPL(axpy, 2, 1, false, -2, 0) {
  const NDArray &x = *INPUT_VARIABLE(0), &y = *INPUT_VARIABLE(1);
  NDArray& z = *OUTPUT_VARIABLE(0);
  requireSameShape(y, 1, "y", x, 0, "x");
  if (y.dataType() != x.dataType()) reject("inputs 0 and 1 differ in type");
  double a = number(block, 0, 1.0);
  if (const NDArray* alpha = block.optionalArray(2)) {
    requireScalar(*alpha, 2, "alpha");
    a = alpha->e<double>(0);
  }
  if (x.isEmpty()) return Status::OK;
  y.applyScalar(scalar::Multiply, a, z);
  z += x;
  return Status::OK;
}
DECLARE_TYPES(axpy) {
  getOpDescriptor()
      ->setAllowedInputTypes({ALL_FLOATS})
      ->setSameMode(true)
      ->document(
          {.summary = "Adds a multiple of the second array to the first.",
           .formula = "z = x + a y",
           .inputs = "x: any shape\ny: the shape and type of x\nalpha?: one element; overrides the floating argument",
           .outputs = "z: the shape and type of x",
           .floats = "a?: default 1"});
}

}  // namespace sd::ops
