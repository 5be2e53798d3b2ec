// Shape queries, which do not read the elements of their inputs.
// operations: rank size size_at shape_of shapes_of
// aliases: shape shape_n
#include <ops/declarable/headers/shape.h>

#include <algorithm>

#include "ops/declarable/Common.h"

namespace sd::ops {
namespace {

void writeShape(const NDArray& x, NDArray& z) {
  for (int d = 0; d < x.rankOf(); d++) z.p(d, x.sizeAt(d));
}

}  // namespace

CUSTOM_OP_IMPL(rank, 1, 1, false, 0, 0) {
  OUTPUT_VARIABLE(0)->p(0, INPUT_VARIABLE(0)->rankOf());
  return Status::OK;
}
DECLARE_SHAPE_FN(rank) { return shapes(scalarOf(INT32)); }
DECLARE_TYPES(rank) {
  getOpDescriptor()
      ->setAllowedInputTypes(ANY)
      ->setAllowedOutputTypes({ALL_INTS, ALL_FLOATS})
      ->document({.summary = "The number of dimensions.",
                  .inputs = "x: any shape and type",
                  .outputs = "z: scalar, INT32; 0 for a scalar"});
}

CUSTOM_OP_IMPL(size, 1, 1, false, 0, 0) {
  OUTPUT_VARIABLE(0)->p(0, INPUT_VARIABLE(0)->lengthOf());
  return Status::OK;
}
DECLARE_SHAPE_FN(size) { return shapes(scalarOf(INT64)); }
DECLARE_TYPES(size) {
  getOpDescriptor()
      ->setAllowedInputTypes(ANY)
      ->setAllowedOutputTypes({ALL_INTS, ALL_FLOATS})
      ->document({.summary = "The number of elements.",
                  .formula = "z = product of x.shape",
                  .inputs = "x: any shape and type",
                  .outputs = "z: scalar, INT64; 0 for an empty array, 1 for a scalar"});
}

CUSTOM_OP_IMPL(size_at, 1, 1, false, 0, 1) {
  const NDArray& x = *INPUT_VARIABLE(0);
  OUTPUT_VARIABLE(0)->p(0, x.sizeAt(checkedAxis(block.intArgument64(0), x.rankOf(), "dim")));
  return Status::OK;
}
DECLARE_SHAPE_FN(size_at) {
  checkedAxis(block.intArgument64(0), shape::rank(inputShape->at(0)), "dim");
  return shapes(scalarOf(INT64));
}
DECLARE_TYPES(size_at) {
  getOpDescriptor()
      ->setAllowedInputTypes(ANY)
      ->setAllowedOutputTypes({ALL_INTS, ALL_FLOATS})
      ->document({.summary = "The size of one dimension.",
                  .formula = "z = x.shape[dim]",
                  .inputs = "x: any shape and type",
                  .outputs = "z: scalar, INT64",
                  .integers = "dim: the dimension; negative ones count from the end"});
}

CUSTOM_OP_IMPL(shape_of, 1, 1, false, 0, 0) {
  writeShape(*INPUT_VARIABLE(0), *OUTPUT_VARIABLE(0));
  return Status::OK;
}
DECLARE_SHAPE_FN(shape_of) {
  const DataType type = block.numI() > 0 ? checkedType(block.intArgument64(0), "type") : INT64;
  if (!DataTypeUtils::isZ(type)) reject("argument 'type': {} is not an integer type", DataTypeUtils::describe(type));
  return shapes(vectorOf(type, shape::rank(inputShape->at(0))));
}
DECLARE_TYPES(shape_of) {
  getOpDescriptor()
      ->setAllowedInputTypes(ANY)
      ->setAllowedOutputTypes({ALL_INTS})
      ->document({.summary = "The sizes of the dimensions.",
                  .formula = "z[i] = x.shape[i]",
                  .inputs = "x: any shape and type",
                  .outputs = "z: [rank of x], INT64 or the requested type; empty for a scalar",
                  .integers = "type?: code of the output's type (default INT64)"});
}
DECLARE_SYN(shape, shape_of);

CUSTOM_OP_IMPL(shapes_of, -1, -1, false, 0, 0) {
  for (int i = 0, n = static_cast<int>(block.width()); i < n; i++) writeShape(*INPUT_VARIABLE(i), *OUTPUT_VARIABLE(i));
  return Status::OK;
}
DECLARE_SHAPE_FN(shapes_of) {
  auto list = std::make_unique<ShapeList>();
  for (int i = 0; i < inputShape->size(); i++) list->push_back(vectorOf(INT64, shape::rank(inputShape->at(i))));
  return list.release();
}
DECLARE_TYPES(shapes_of) {
  getOpDescriptor()
      ->setAllowedInputTypes(ANY)
      ->setAllowedOutputTypes({ALL_INTS})
      ->document({.summary = "The sizes of the dimensions of each input.",
                  .formula = "z_k[i] = x_k.shape[i]",
                  .inputs = "x0, x1, …: any shapes and types",
                  .outputs = "z0, z1, …: [rank of the input], INT64"});
}
DECLARE_SYN(shape_n, shapes_of);

}  // namespace sd::ops
