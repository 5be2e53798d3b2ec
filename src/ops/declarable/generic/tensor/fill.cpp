// Arrays filled with one value.
// operations: create fill fill_as zeros_as ones_as
// aliases: fill_like filllike zeros_like zeroslike
#include <ops/declarable/headers/tensor.h>
#include <system/Environment.h>

#include "ops/declarable/Common.h"
#include "ops/declarable/helpers/Region.h"

namespace sd::ops {
namespace {

Dims givenSizes(graph::Context& block) {
  const NDArray& given = *block.array(0);
  requireList(given, 0, "shape");
  const auto sizes = integersOf(given, 0);
  requireSizes(sizes, "shape");
  return sizes;
}

Status fillWith(NDArray& z, double value) {
  if (!z.isEmpty()) z.assign(value);
  return Status::OK;
}

/// Fills with the input if there is one, else with the first argument of the first argument kind that has any.
Status fillFromCall(graph::Context& block, NDArray& z) {
  if (const NDArray* value = block.optionalArray(1)) {
    requireScalar(*value, 1, "value");
    Region(z).fill(*value);
    return Status::OK;
  }
  if (block.numT() > 0) return fillWith(z, block.floatArgument(0));
  if (block.numI() > 0) {
    if (!z.isEmpty()) z.assign(block.intArgument64(0));
    return Status::OK;
  }
  if (block.numB() == 0) reject("the value is missing");
  return fillWith(z, block.boolArgument(0) ? 1 : 0);
}

}  // namespace

CUSTOM_OP_IMPL(create, 1, 1, false, 0, 1) {
  NDArray& z = *OUTPUT_VARIABLE(0);
  if (flag(block, 0, true)) z.nullify();
  return Status::OK;
}
DECLARE_SHAPE_FN(create) {
  const LongType order = block.intArgument64(0);
  if (order != 'c' && order != 'f') reject("argument 'order': {} is neither 99 ('c') nor 102 ('f')", order);
  const DataType type = checkedType(block.intArgument64(1), "type");
  return shapes(shapeOf(type, static_cast<char>(order), givenSizes(block)));
}
DECLARE_TYPES(create) {
  getOpDescriptor()
      ->setAllowedInputTypes({ALL_INTS, ALL_FLOATS})
      ->setAllowedOutputTypes(ANY)
      ->document({.summary = "Makes an array.",
                  .inputs = "shape: the sizes, integer vector",
                  .outputs = "z: that shape, of the requested type",
                  .integers = "order: 99 ('c') or 102 ('f')\ntype: code of the type",
                  .booleans = "zeros?: false leaves the elements undefined (default true)"});
}

CUSTOM_OP_IMPL(fill, 1, 1, false, -2, 0) { return fillFromCall(block, *OUTPUT_VARIABLE(0)); }
DECLARE_SHAPE_FN(fill) {
  DataType type = INT32;
  if (const NDArray* value = block.optionalArray(1))
    type = value->dataType();
  else if (block.numT() > 0)
    type = Environment::getInstance().defaultFloatDataType();
  else if (block.numI() == 0 && block.numB() > 0)
    type = BOOL;
  else if (block.numI() == 0)
    reject("the value is missing");
  return shapes(shapeOf(type, 'c', givenSizes(block)));
}
DECLARE_TYPES(fill) {
  getOpDescriptor()
      ->setAllowedInputTypes(0, {ALL_INTS, ALL_FLOATS})
      ->setAllowedInputTypes(1, ANY)
      ->setAllowedOutputTypes(ANY)
      ->document({.summary = "An array of one value.",
                  .formula = "z[..] = value",
                  .inputs = "shape: the sizes, integer vector\nvalue?: one element; overrides the arguments",
                  .outputs = "z: that shape; the type of the value: of the input, the default float type, INT32, BOOL",
                  .floats = "value?: overrides the integer",
                  .integers = "value?: overrides the boolean",
                  .booleans = "value?: used when nothing else gives the value"});
}

CONFIGURABLE_OP_IMPL(fill_as, 1, 1, true, 0, 0) { return fillFromCall(block, *OUTPUT_VARIABLE(0)); }
DECLARE_TYPES(fill_as) {
  getOpDescriptor()->setAllowedInputTypes(ANY)->setSameMode(true)->document(
      {.summary = "An array of one value, shaped like another.",
       .formula = "z[..] = value",
       .inputs = "x: any shape\nvalue?: one element; overrides the arguments",
       .outputs = "z: x's shape and type",
       .floats = "value?: overrides the integer",
       .integers = "value?: used when nothing else gives the value"});
}
DECLARE_SYN(fill_like, fill_as);
DECLARE_SYN(filllike, fill_as);

#define SD_CONSTANT_AS(NAME, VALUE, SUMMARY)                                               \
  CUSTOM_OP_IMPL(NAME, 1, 1, false, 0, 0) { return fillWith(*OUTPUT_VARIABLE(0), VALUE); } \
  DECLARE_SHAPE_FN(NAME) {                                                                 \
    const LongType* x = inputShape->at(0);                                                 \
    return shapes(like(x, typeArgument(block, ArrayOptions::dataType(x))));                \
  }                                                                                        \
  DECLARE_TYPES(NAME) {                                                                    \
    getOpDescriptor()->setAllowedInputTypes(ANY)->setAllowedOutputTypes(ANY)->document(    \
        {.summary = SUMMARY,                                                               \
         .formula = "z[..] = " #VALUE,                                                     \
         .inputs = "x: any shape",                                                         \
         .outputs = "z: x's shape and order, x's type or the type argument"});             \
  }

SD_CONSTANT_AS(zeros_as, 0, "Zeros, shaped like an array.")
SD_CONSTANT_AS(ones_as, 1, "Ones, shaped like an array.")

DECLARE_SYN(zeros_like, zeros_as);
DECLARE_SYN(zeroslike, zeros_as);

}  // namespace sd::ops
