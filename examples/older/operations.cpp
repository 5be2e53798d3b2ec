#include "operations.h"

namespace nd4j {
namespace ops {

//////////////////////////////////////////////////////////////////////////
CUSTOM_OP_IMPL(old_double_rows, 1, 1, false, 0, 0) {
  auto input = INPUT_VARIABLE(0);
  auto output = OUTPUT_VARIABLE(0);
  REQUIRE_TRUE(input->rankOf() == 2, 0, "OLD_DOUBLE_ROWS: rank is %i, not 2", input->rankOf());

  // Each row appears twice.
  for (Nd4jLong i = 0; i < output->lengthOf(); i++) {
    const Nd4jLong columns = input->sizeAt(1);
    const Nd4jLong row = i / columns / 2;
    output->p(i, input->e<double>(row * columns + i % columns));
  }
  STORE_RESULT(*output);
  return ND4J_STATUS_OK;
}

DECLARE_SHAPE_FN(old_double_rows) {
  auto inShape = inputShape->at(0);
  Nd4jLong* newShape;
  ALLOCATE(newShape, block.getWorkspace(), shape::shapeInfoLength(2), Nd4jLong);

  newShape[0] = 2;
  newShape[1] = shape::sizeAt(inShape, 0) * 2;
  newShape[2] = shape::sizeAt(inShape, 1);
  shape::updateStrides(newShape, 'c');
  ArrayOptions::setDataType(newShape, ArrayOptions::dataType(inShape));
  return SHAPELIST(newShape);
}

DECLARE_TYPES(old_double_rows) {
  getOpDescriptor()->setAllowedInputTypes(nd4j::DataType::ANY)->setSameMode(true);
}

DECLARE_SYN(OldDoubleRows, old_double_rows);

//////////////////////////////////////////////////////////////////////////
OP_IMPL(old_negate, 1, 1, true) {
  auto x = INPUT_VARIABLE(0);
  auto z = OUTPUT_VARIABLE(0);
  x->applyTransform(nd4j::transform::Neg, *z);
  STORE_RESULT(*z);
  return ND4J_STATUS_OK;
}
DECLARE_TYPES(old_negate) { getOpDescriptor()->setAllowedInputTypes({ALL_FLOATS})->setSameMode(true); }

//////////////////////////////////////////////////////////////////////////
CONFIGURABLE_OP_IMPL(old_scale, 1, 1, true, 1, 0) {
  auto x = INPUT_VARIABLE(0);
  auto z = OUTPUT_VARIABLE(0);
  const double factor = block.getTArguments()->at(0);
  x->applyScalar(nd4j::scalar::Multiply, factor, *z);
  return Status::OK();
}
DECLARE_TYPES(old_scale) { getOpDescriptor()->setAllowedInputTypes({ALL_FLOATS})->setSameMode(true); }

//////////////////////////////////////////////////////////////////////////
REDUCTION_OP_IMPL(old_total, 1, 1, false, 0, 0) {
  auto x = INPUT_VARIABLE(0);
  auto z = OUTPUT_VARIABLE(0);
  std::vector<int> axes(*block.getIArguments());
  x->reduceAlongDimension(nd4j::reduce::Sum, *z, axes);
  return ND4J_STATUS_OK;
}
DECLARE_TYPES(old_total) { getOpDescriptor()->setAllowedInputTypes({ALL_FLOATS})->setSameMode(true); }

//////////////////////////////////////////////////////////////////////////
DIVERGENT_OP_IMPL(old_fork, 1, 2, true) {
  auto x = INPUT_VARIABLE(0);
  OUTPUT_VARIABLE(0)->assign(*x);
  OUTPUT_VARIABLE(1)->assign(*x * 2.f);
  return ND4J_STATUS_OK;
}

//////////////////////////////////////////////////////////////////////////
LIST_OP_IMPL(old_append, 2, 1, 0, 0) {
  NDArrayList* list = INPUT_LIST(0);
  auto x = INPUT_VARIABLE(1);
  REQUIRE_OK(list->write(list->elements(), new NDArray(x->dup())));
  setupResult(new NDArray(x->dup()), block);
  return ND4J_STATUS_OK;
}

//////////////////////////////////////////////////////////////////////////
LOGIC_OP_IMPL(old_logic)

//////////////////////////////////////////////////////////////////////////
BOOLEAN_OP_IMPL(old_longer, 2, true) {
  auto x = INPUT_VARIABLE(0);
  auto y = INPUT_VARIABLE(1);
  return x->lengthOf() > y->lengthOf() ? ND4J_STATUS_TRUE : ND4J_STATUS_FALSE;
}
DECLARE_TYPES(old_longer) { getOpDescriptor()->setAllowedInputTypes(nd4j::DataType::ANY); }

//////////////////////////////////////////////////////////////////////////
BROADCASTABLE_OP_IMPL(old_hypot, 0, 0) {
  auto x = INPUT_VARIABLE(0);
  auto y = INPUT_VARIABLE(1);
  auto z = OUTPUT_VARIABLE(0);
  BROADCAST_CHECK_EMPTY(x, y, z);

  auto squares = *x * *x + *y * *y;
  squares.applyTransform(nd4j::transform::Sqrt, *z);
  return ND4J_STATUS_OK;
}
DECLARE_TYPES(old_hypot) { getOpDescriptor()->setAllowedInputTypes({ALL_FLOATS})->setAllowedOutputTypes(INHERIT); }

//////////////////////////////////////////////////////////////////////////
BROADCASTABLE_BOOL_OP_IMPL(old_near, 1, 0) {
  auto x = INPUT_VARIABLE(0);
  auto y = INPUT_VARIABLE(1);
  auto z = OUTPUT_VARIABLE(0);
  auto difference = *x - *y;
  for (Nd4jLong i = 0; i < z->lengthOf(); i++)
    z->p(i, nd4j::math::nd4j_abs<double>(difference.e<double>(i)) <= T_ARG(0));
  return ND4J_STATUS_OK;
}
DECLARE_TYPES(old_near) {
  getOpDescriptor()->setAllowedInputTypes({ALL_FLOATS})->setAllowedOutputTypes(nd4j::DataType::BOOL);
}

}  // namespace ops
}  // namespace nd4j
