// Gradients of the arithmetic operations: for each input the gradient of z times the derivative, summed over the
// dimensions in which the input was stretched.
#include <ops/declarable/headers/broadcastable.h>

#include "ops/declarable/Common.h"

namespace sd::ops {
namespace {

ShapeList* gradientShapes(const ShapeList& inputs) { return shapes(like(inputs.at(0)), like(inputs.at(1))); }

void describe(OpDescriptor* descriptor, const char* formula) {
  descriptor->setAllowedInputTypes(ANY)
      ->setAllowedOutputTypes({ALL_FLOATS})
      ->document({.summary = "The gradients of the operation of the same name.",
                  .formula = formula,
                  .inputs = "x: any shape\ny: a shape that broadcasts with x\neps: the gradient of z",
                  .outputs = "gradX: the shape of x\ngradY: the shape of y"});
}

/// The gradient of z has the shape in which x and y broadcast.
void check(const NDArray& x, const NDArray& y, const NDArray& eps) {
  const LongType* info = nullptr;
  const LongType* broadcast = ShapeUtils::evalBroadcastShapeInfo(x, y, true, info, nullptr) ? info : nullptr;
  if (broadcast == nullptr) reject("shapes {} and {} do not broadcast", text(x), text(y));
  if (eps.lengthOf() != shape::length(broadcast))
    reject("input 2 'eps': its shape {} is not that of the result, {}", text(eps), text(broadcast));
}

}  // namespace

// name, the derivatives of z by x and by y times eps
#define SD_BROADCAST_GRADIENT(NAME, FORMULA, BY_X, BY_Y)                             \
  CUSTOM_OP_IMPL(NAME, 3, 2, false, 0, 0) {                                          \
    [[maybe_unused]] const NDArray &x = *INPUT_VARIABLE(0), &y = *INPUT_VARIABLE(1); \
    const NDArray& eps = *INPUT_VARIABLE(2);                                         \
    check(x, y, eps);                                                                \
    sumTo(BY_X, *OUTPUT_VARIABLE(0));                                                \
    sumTo(BY_Y, *OUTPUT_VARIABLE(1));                                                \
    return Status::OK;                                                               \
  }                                                                                  \
  DECLARE_SHAPE_FN(NAME) { return gradientShapes(*inputShape); }                     \
  DECLARE_TYPES(NAME) { describe(getOpDescriptor(), FORMULA); }

SD_BROADCAST_GRADIENT(add_bp, "gradX = eps, gradY = eps", eps, eps)
SD_BROADCAST_GRADIENT(multiply_bp, "gradX = eps * y, gradY = eps * x", eps* y, eps* x)

}  // namespace sd::ops
