// Operations with which programs test how operations are called. Outputs that are created here and not written are
// zero.
// operations: noop testcustom testreduction test_output_reshape test_scalar testop2i2o
// aliases: TestOp2i2o
// calls: Add
#include <ops/declarable/headers/tests.h>

#include "ops/declarable/helpers/Region.h"
#include "ops/declarable/helpers/checked_size.h"

namespace sd::ops {

OP_IMPL(noop, -2, -2, true) { return Status::OK; }
DECLARE_TYPES(noop) {
  getOpDescriptor()->setAllowedInputTypes(ANY)->setSameMode(true)->setReadsOutputs()->document(
      {.summary = "Nothing.",
       .inputs = "x0, x1, …: any shapes and types",
       .outputs = "z0, z1, …: the same; they are not written"});
}

CUSTOM_OP_IMPL(testcustom, 1, 1, false, 0, -1) { return Status::OK; }
DECLARE_SHAPE_FN(testcustom) {
  Dims dims = dimsOf(inputShape->at(0));
  for (LongType& dim : dims) dim = helpers::checkedProduct(dim, 2, "a dimension of z");
  return shapes(shapeOf(block.dataType(), 'c', dims));
}
DECLARE_TYPES(testcustom) {
  getOpDescriptor()->setAllowedInputTypes(ANY)->setAllowedOutputTypes(ANY)->setReadsOutputs()->document(
      {.summary = "A shape function alone: every dimension is doubled.",
       .inputs = "x: any shape",
       .outputs = "z: twice every dimension of x, the type of the context (FLOAT32); it is not written",
       .integers = "any: at least one"});
}

REDUCTION_OP_IMPL(testreduction, 1, 1, false, 0, -1) { return Status::OK; }
DECLARE_TYPES(testreduction) {
  getOpDescriptor()->setAllowedInputTypes(ANY)->setAllowedOutputTypes(ANY)->setReadsOutputs()->document(
      {.summary = "The shape function of reductions alone.",
       .inputs = "x: any shape\naxes?: go before the arguments",
       .outputs = "z: x without the dimensions given; it is not written",
       .integers = "axes: at least one"});
}

OP_IMPL(test_output_reshape, 1, 1, true) {
  NDArray& z = *OUTPUT_VARIABLE(0);
  copy(*INPUT_VARIABLE(0), z);
  z.reshapei('c', {z.lengthOf()});
  return Status::OK;
}
DECLARE_TYPES(test_output_reshape) {
  getOpDescriptor()
      ->setAllowedInputTypes({ALL_FLOATS, ALL_INTS, BOOL})
      ->setSameMode(true)
      ->document({.summary = "The array as a vector: the shape of the output array itself is changed.",
                  .inputs = "x: any shape",
                  .outputs = "z: x's shape when it is made or given, then [length of x]; the type of x"});
}

CUSTOM_OP_IMPL(test_scalar, 1, 1, false, 0, 0) {
  const NDArray& x = *INPUT_VARIABLE(0);
  if (x.isEmpty()) reject("input 0 'x': it is empty");
  NDArray& z = *OUTPUT_VARIABLE(0);
  z.p(0, x.e(0));
  z += 2;
  return Status::OK;
}
DECLARE_SHAPE_FN(test_scalar) { return shapes(shapeOf(ArrayOptions::dataType(inputShape->at(0)), 'c', {1, 1})); }
DECLARE_TYPES(test_scalar) {
  getOpDescriptor()
      ->setAllowedInputTypes({ALL_FLOATS, ALL_INTS})
      ->setAllowedOutputTypes({ALL_FLOATS, ALL_INTS})
      ->document({.summary = "The first element plus 2.", .inputs = "x: any shape", .outputs = "z: [1, 1], x's type"});
}

OP_IMPL(testop2i2o, 2, 2, true) {
  for (int k = 0; k < 2; k++) {
    NDArray& z = *OUTPUT_VARIABLE(k);
    if (!z.isEmpty()) INPUT_VARIABLE(k)->applyScalar(scalar::Add, k + 1, z);
  }
  return Status::OK;
}
DECLARE_TYPES(testop2i2o) {
  getOpDescriptor()
      ->setAllowedInputTypes({ALL_FLOATS, ALL_INTS})
      ->setSameMode(true)
      ->document({.summary = "Adds 1 to one array and 2 to another.",
                  .inputs = "x: any shape\ny: any shape",
                  .outputs = "u: x + 1\nv: y + 2"});
}
DECLARE_SYN(TestOp2i2o, testop2i2o);

}  // namespace sd::ops
