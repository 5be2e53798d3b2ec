// Element-wise rounding and powers.
// operations: rint square
// calls: Rint Square
#include <ops/declarable/headers/parity_ops.h>

#include "ops/declarable/Common.h"

namespace sd::ops {

#define SD_EACH_ELEMENT(NAME, SUMMARY, FORMULA)                                                                      \
  DECLARE_TYPES(NAME) {                                                                                              \
    getOpDescriptor()                                                                                                \
        ->setAllowedInputTypes({ALL_FLOATS, ALL_INTS})                                                               \
        ->setSameMode(true)                                                                                          \
        ->document(                                                                                                  \
            {.summary = SUMMARY, .formula = FORMULA, .inputs = "x: any shape", .outputs = "z: x's shape and type"}); \
  }

OP_IMPL(rint, 1, 1, true) {
  const NDArray& x = *INPUT_VARIABLE(0);
  NDArray& z = *OUTPUT_VARIABLE(0);
  if (x.isEmpty()) return Status::OK;
  if (x.isR())
    x.applyTransform(transform::Rint, z);
  else
    z.assign(x);
  return Status::OK;
}
SD_EACH_ELEMENT(rint, "Rounds to the nearest integer, halves to even; integers are unchanged.", "z = rint(x)")

OP_IMPL(square, 1, 1, true) {
  NDArray& z = *OUTPUT_VARIABLE(0);
  if (!z.isEmpty()) INPUT_VARIABLE(0)->applyTransform(transform::Square, z);
  return Status::OK;
}
SD_EACH_ELEMENT(square, "The square of each element.", "z = x * x")

}  // namespace sd::ops
