// The axes over which the gradients of a broadcast operation are summed.
// operations: broadcastgradientargs
// aliases: BroadcastGradientArgs
#include <ops/declarable/headers/grad.h>

#include "ops/declarable/helpers/inference.h"
#include "ops/declarable/helpers/shape_vectors.h"
#include "shape/broadcasting.h"

namespace sd::ops {
namespace {

/// The axes of both operands.
struct Axes {
  Dims ofX, ofY;

  explicit Axes(graph::Context& block) {
    const Dims x = shapeVector(block, 0, "x"), y = shapeVector(block, 1, "y"), z = broadcastOf(x, y);
    ofX = broadcasting::repeatedAxes<LongType>(x, z);
    ofY = broadcasting::repeatedAxes<LongType>(y, z);
  }
};

void inferAxes(Inference& in) {
  const PartialShape x = in.input(0), y = in.input(1);
  LongType countX = PartialShape::UNKNOWN, countY = countX;
  const NDArray *shapeX = in.values(0), *shapeY = in.values(1);
  if (shapeX != nullptr && shapeY != nullptr) {
    // In graphs there is no context that holds the constants.
    graph::Context constants(1);
    if (in.block() == nullptr) constants.fastpath_in() = {const_cast<NDArray*>(shapeX), const_cast<NDArray*>(shapeY)};
    const Axes axes(in.block() != nullptr ? *in.block() : constants);
    countX = static_cast<LongType>(axes.ofX.size());
    countY = static_cast<LongType>(axes.ofY.size());
    in.keep(axes);
  }
  in.output(x.type(), {countX});
  in.output(y.type(), {countY});
}

}  // namespace

// As OP_IMPL, except that the output shapes are the numbers of axes.
SD_OP_BODY(broadcastgradientargs, DeclarableOp, 2, 2, "broadcastgradientargs", true) {
  const auto& axes = kept<Axes>(block, [&] { return Axes(block); });
  writeVector(axes.ofX, *OUTPUT_VARIABLE(0));
  writeVector(axes.ofY, *OUTPUT_VARIABLE(1));
  return Status::OK;
}
INFERRED_SHAPES(broadcastgradientargs)
DECLARE_SCHEMA(broadcastgradientargs) {
  schema.summary("The axes over which the gradients of a broadcast operation are summed, for each of its operands.")
      .note("A dimension of size 1 in both is not listed, unless one of them lacks it.");
  schema.input("x", "a vector, the shape of the first operand").shapesNeedValues();
  schema.input("y", "a vector, the shape of the second operand").shapesNeedValues();
  schema.output("axes_x",
                "a vector, the axes of the common shape in which x has size 1 or no dimension and y has a larger size; "
                "the type of x");
  schema.output("axes_y", "the same for y; the type of y");
  schema.inputTypes({ALL_INTS}).sameTypes().infer(inferAxes).notDifferentiable(INTEGER_RESULT);
  schema.example(R"({"x": [2, 1], "y": [2, 3]})")
      .elsewhere({.tensorflow = "tf.raw_ops.BroadcastGradientArgs"})
      .words("broadcast, reduction axes")
      .see("broadcast_dynamic_shape");
}
DECLARE_SYN(BroadcastGradientArgs, broadcastgradientargs);

}  // namespace sd::ops
