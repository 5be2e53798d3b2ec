// Rounding down.
// operations: Floor
// aliases: floor
// calls: Floor
#include <ops/declarable/headers/transforms.h>

#include "ops/declarable/helpers/inference.h"

namespace sd::ops {

OP_IMPL(Floor, 1, 1, true) {
  NDArray& z = *OUTPUT_VARIABLE(0);
  if (!z.isEmpty()) INPUT_VARIABLE(0)->applyTransform(transform::Floor, z);
  return Status::OK;
}
DECLARE_SCHEMA(Floor) {
  schema.inputTypes({ALL_FLOATS, ALL_INTS});
  schema.summary("Rounds down; integers are unchanged.").formula("z = floor(x)");
  schema.input("x", "any shape").types({ALL_FLOATS, ALL_INTS});
  schema.output("z", "x's shape and type");
  schema.sameTypes().infer(inferLikeFirst).elementwise("transform.Floor");
  schema.notDifferentiable(JUMPS);
  schema.example(R"({"x": [-1.5, 0.5, 2.0]})");
  schema.elsewhere({.numpy = "numpy.floor", .torch = "torch.floor", .tensorflow = "tf.floor", .onnx = "Floor"});
  schema.words("round down").see("floordiv");
}
DECLARE_SYN(floor, Floor);

}  // namespace sd::ops
