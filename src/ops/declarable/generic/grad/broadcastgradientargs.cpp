// The axes over which the gradients of a broadcast operation are summed.
// operations: broadcastgradientargs
// aliases: BroadcastGradientArgs
#include <ops/declarable/headers/grad.h>

#include "ops/declarable/helpers/shape_vectors.h"
#include "shape/broadcasting.h"

namespace sd::ops {
namespace {

Dims axesOf(graph::Context& block, int input) {
  const Dims x = shapeVector(block, 0, "x"), y = shapeVector(block, 1, "y");
  return broadcasting::repeatedAxes<LongType>(input == 0 ? x : y, broadcastOf(x, y));
}

}  // namespace

// As OP_IMPL, except that the output shapes are the numbers of axes.
SD_OP_BODY(broadcastgradientargs, DeclarableOp, 2, 2, "broadcastgradientargs", true) {
  const Dims axes[] = {axesOf(block, 0), axesOf(block, 1)};
  for (int k = 0; k < 2; k++) writeVector(axes[k], *OUTPUT_VARIABLE(k));
  return Status::OK;
}
DECLARE_SHAPE_FN(broadcastgradientargs) {
  const auto info = [&](int input) {
    return vectorOf(ArrayOptions::dataType(inputShape->at(input)), static_cast<LongType>(axesOf(block, input).size()));
  };
  return shapes(info(0), info(1));
}
DECLARE_TYPES(broadcastgradientargs) {
  getOpDescriptor()
      ->setAllowedInputTypes({ALL_INTS})
      ->setSameMode(true)
      ->document(
          {.summary =
               "The axes over which the gradients of a broadcast operation are summed, for each of its operands.",
           .inputs = "x: a vector, the shape of the first operand\ny: a vector, the shape of the second operand",
           .outputs = "axesX: a vector, the axes of the common shape in which x has size 1 or no dimension and y has a "
                      "larger size; the type of "
                      "x\naxesY: the same for y",
           .notes = "A dimension of size 1 in both is not listed, unless one of them lacks it."});
}
DECLARE_SYN(BroadcastGradientArgs, broadcastgradientargs);

}  // namespace sd::ops
