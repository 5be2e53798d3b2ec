// Copies.
// operations: identity identity_bp identity_n
// aliases: linear LinearGrad
#include <ops/declarable/headers/activations.h>

#include "ops/declarable/generic/activations/Gradient.h"

namespace sd::ops {

OP_IMPL(identity, 1, 1, true) {
  if (!block.isInplace()) OUTPUT_VARIABLE(0)->assign(*INPUT_VARIABLE(0));
  return Status::OK;
}
DECLARE_TYPES(identity) {
  getOpDescriptor()->setAllowedInputTypes(ANY)->setSameMode(true)->document(
      {.summary = "Copies an array.", .formula = "z = x", .inputs = "x: any shape and type", .outputs = "z: like x"});
}
DECLARE_SYN(linear, identity);

OP_IMPL(identity_bp, 2, 1, true) {
  const NDArray &x = *INPUT_VARIABLE(0), &g = *INPUT_VARIABLE(1);
  NDArray& z = *OUTPUT_VARIABLE(0);
  if (g.lengthOf() != 1 && g.lengthOf() != x.lengthOf())
    fail<std::runtime_error>("[identity_bp] input 1 'g': its shape is {}, but x has shape {}", text(g), text(x));
  if (!z.isEmpty()) z.assign(g);
  return Status::OK;
}
DECLARE_TYPES(identity_bp) {
  getOpDescriptor()
      ->setAllowedInputTypes(0, ANY)
      ->setAllowedInputTypes(1, {ALL_FLOATS})
      ->setSameMode(true)
      ->document({.summary = "The gradient of identity.",
                  .formula = "gradX = g",
                  .inputs = "x: any shape\ng: the length of x or one element",
                  .outputs = "gradX: the shape and type of x"});
}
DECLARE_SYN(LinearGrad, identity_bp);

CUSTOM_OP_IMPL(identity_n, 1, 1, true, 0, 0) {
  if (block.isInplace()) return Status::OK;
  for (int i = 0; i < static_cast<int>(block.width()); i++)
    if (!INPUT_VARIABLE(i)->isEmpty()) OUTPUT_VARIABLE(i)->assign(*INPUT_VARIABLE(i));
  return Status::OK;
}
DECLARE_SHAPE_FN(identity_n) {
  auto copies = std::make_unique<ShapeList>();
  for (int i = 0; i < inputShape->size(); i++) copies->push_back(like(inputShape->at(i)));
  return copies.release();
}
DECLARE_TYPES(identity_n) {
  getOpDescriptor()
      ->setAllowedInputTypes({ALL_FLOATS, ALL_INTS, BOOL})
      ->setSameMode(true)
      ->document({.summary = "Copies any number of arrays.",
                  .formula = "z_i = x_i",
                  .inputs = "x_1, x_2, ...: any shapes and types",
                  .outputs = "z_1, z_2, ...: like the inputs"});
}

}  // namespace sd::ops
