// Rounding down.
// operations: Floor
// aliases: floor
// calls: Floor
#include <ops/declarable/headers/transforms.h>

namespace sd::ops {

OP_IMPL(Floor, 1, 1, true) {
  NDArray& z = *OUTPUT_VARIABLE(0);
  if (!z.isEmpty()) INPUT_VARIABLE(0)->applyTransform(transform::Floor, z);
  return Status::OK;
}
DECLARE_TYPES(Floor) {
  getOpDescriptor()
      ->setAllowedInputTypes({ALL_FLOATS, ALL_INTS})
      ->setSameMode(true)
      ->document({.summary = "Rounds down; integers are unchanged.",
                  .formula = "z = floor(x)",
                  .inputs = "x: any shape",
                  .outputs = "z: x's shape and type"});
}
DECLARE_SYN(floor, Floor);

}  // namespace sd::ops
