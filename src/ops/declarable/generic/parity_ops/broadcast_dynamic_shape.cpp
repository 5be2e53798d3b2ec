// The broadcast shape of two shapes.
// operations: broadcast_dynamic_shape
#include <ops/declarable/headers/parity_ops.h>

#include <algorithm>

#include "ops/declarable/helpers/inference.h"
#include "ops/declarable/helpers/shape_vectors.h"

namespace sd::ops {
namespace {

void inferCommon(Inference& in) {
  const PartialShape x = in.input(0), y = in.input(1);
  requireSameType(y, 1, "y", x, 0, "x");
  if (!x.isEmptyScalar()) requireRank(x, 1, 0, "x");  // the shape of a scalar has no sizes
  if (!y.isEmptyScalar()) requireRank(y, 1, 1, "y");
  const LongType m = x.length(), n = y.length();
  const bool known = m != PartialShape::UNKNOWN && n != PartialShape::UNKNOWN;
  in.output(x.type(), {known ? std::max(m, n) : PartialShape::UNKNOWN});
}

Dims common(graph::Context& block) { return broadcastOf(shapeVector(block, 0, "x"), shapeVector(block, 1, "y")); }

}  // namespace

CUSTOM_OP_IMPL(broadcast_dynamic_shape, 2, 1, false, 0, 0) {
  writeVector(common(block), *OUTPUT_VARIABLE(0));
  return Status::OK;
}
INFERRED_SHAPES(broadcast_dynamic_shape)
DECLARE_SCHEMA(broadcast_dynamic_shape) {
  schema.inputTypes({ALL_INTS});
  schema.summary("The shape that two shapes broadcast to.");
  schema.input("x", "[n], a shape").types({ALL_INTS});
  schema.input("y", "[m], a shape, the type of x").types({ALL_INTS});
  schema.output("z", "[the longer length], the type of x");
  schema.outputTypes({ALL_INTS}).infer(inferCommon);
  schema.notDifferentiable(INTEGER_RESULT);
  schema.example(R"({"x": [2, 1, 3], "y": [4, 1]})");
  schema.elsewhere({.numpy = "numpy.broadcast_shapes",
                    .torch = "torch.broadcast_shapes",
                    .tensorflow = "tf.broadcast_dynamic_shape"});
  schema.words("broadcast").see("broadcastgradientargs broadcast_to");
}

}  // namespace sd::ops
