// Element-wise choices by a condition, and the places where a condition holds.
#include <ops/declarable/headers/boolean.h>

#include "ops/declarable/helpers/selection.h"

namespace sd::ops {
namespace {

constexpr const char* CHOICE =
    "z = condition ? x : y. The condition has the shape of x, or one element, or as many elements as x has slices "
    "along "
    "dimension 0: each then decides a slice";

/// x and y of one type and shape.
void requireAlike(const NDArray& x, const NDArray& y) {
  if (x.dataType() != y.dataType())
    reject("input 2 'y': its type {} is not that of input 1 'x', {}", DataTypeUtils::asString(y.dataType()),
           DataTypeUtils::asString(x.dataType()));
  requireSameShape(y, 2, "y", x, 1, "x");
}

/// Where and where_np take a condition alone or with two arrays.
bool hasChoices(int inputs) {
  if (inputs != 1 && inputs != 3) reject("{} inputs: a condition alone, or a condition, x and y are needed", inputs);
  return inputs == 3;
}

Status pick(graph::Context& block, NDArray& z) {
  const NDArray &x = *block.array(1), &y = *block.array(2);
  requireAlike(x, y);
  helpers::select(*block.array(0), x, y, z);
  return Status::OK;
}

}  // namespace

OP_IMPL(boolean_not, 1, 1, true) {
  const NDArray& x = *INPUT_VARIABLE(0);
  broadcastTo(loops::OpGroup::PairwiseBool, pairwise::EqualTo, x, NDArray(BOOL), *OUTPUT_VARIABLE(0));
  return Status::OK;
}
DECLARE_TYPES(boolean_not) {
  getOpDescriptor()->setAllowedInputTypes(BOOL)->setSameMode(true)->document({.summary = "Logical not.",
                                                                              .formula = "z = not x",
                                                                              .inputs = "x: BOOL, any shape",
                                                                              .outputs = "z: the shape of x, BOOL"});
}

CUSTOM_OP_IMPL(select, 3, 1, false, 0, 0) { return pick(block, *OUTPUT_VARIABLE(0)); }
DECLARE_SHAPE_FN(select) { return shapes(like(inputShape->at(1))); }
DECLARE_TYPES(select) {
  getOpDescriptor()
      ->setAllowedInputTypes({ALL_FLOATS, ALL_INTS, BOOL})
      ->setAllowedInputTypes(0, BOOL)
      ->setAllowedOutputTypes({ALL_FLOATS, ALL_INTS, BOOL})
      ->document({.summary = "Takes elements, or slices, of one of two arrays.",
                  .formula = CHOICE,
                  .inputs = "condition: BOOL\nx: any shape\ny: the shape and type of x",
                  .outputs = "z: the shape and type of x"});
}

CUSTOM_OP_IMPL(Where, 1, 1, false, 0, 0) {
  NDArray& z = *OUTPUT_VARIABLE(0);
  if (hasChoices(static_cast<int>(block.width()))) return pick(block, z);
  if (z.isEmpty()) return Status::OK;
  DenseOut result(z);
  helpers::coordinates(*INPUT_VARIABLE(0), result.as<LongType>(), 1, z.sizeAt(1));
  result.commit();
  return Status::OK;
}
DECLARE_SHAPE_FN(Where) {
  if (hasChoices(inputShape->size())) return shapes(like(inputShape->at(1)));
  const NDArray& condition = *INPUT_VARIABLE(0);
  const LongType count = helpers::countTrue(condition);
  if (count == 0) return shapes(ConstantShapeHelper::getInstance().emptyShapeInfo(INT64));
  return shapes(shapeOf(INT64, 'c', {count, condition.rankOf()}));
}
DECLARE_TYPES(Where) {
  getOpDescriptor()
      ->setAllowedInputTypes({ALL_FLOATS, ALL_INTS, BOOL})
      ->setAllowedOutputTypes({ALL_FLOATS, ALL_INTS, BOOL})
      ->document({.summary = "The coordinates where a condition holds; with x and y: a choice between them.",
                  .formula = CHOICE,
                  .inputs = "condition: any numbers; what is not 0 is true\nx?: any shape\ny?: the shape and type of x",
                  .outputs = "z: INT64 [number of true elements, rank of the condition], in c order, or empty; with x "
                             "and y: the shape and type of x"});
}

CUSTOM_OP_IMPL(where_np, -1, 1, false, 0, 0) {
  const NDArray& condition = *INPUT_VARIABLE(0);
  if (!hasChoices(static_cast<int>(block.width()))) {
    if (OUTPUT_VARIABLE(0)->isEmpty()) return Status::OK;
    // Coordinates of one axis after the other, then a vector of each.
    const int rank = std::max(1, condition.rankOf());
    const LongType count = OUTPUT_VARIABLE(0)->lengthOf();
    NDArray all('c', {rank, count}, INT64);
    if (condition.rankOf() > 0) helpers::coordinates(condition, all.bufferAsT<LongType>(), count, 1);
    for (int d = 0; d < rank; d++) OUTPUT_VARIABLE(d)->assign(all({d, d + 1, 0, 0}));
    return Status::OK;
  }
  const NDArray &x = *INPUT_VARIABLE(1), &y = *INPUT_VARIABLE(2);
  NDArray& z = *OUTPUT_VARIABLE(0);
  if (!condition.isSameShape(x)) return pick(block, z);
  if (x.dataType() != y.dataType())
    reject("input 2 'y': its type {} is not that of input 1 'x', {}", DataTypeUtils::asString(y.dataType()),
           DataTypeUtils::asString(x.dataType()));
  const LongType count = helpers::countTrue(condition);
  if (y.lengthOf() != 1 && y.lengthOf() < count)
    reject("input 2 'y': {} elements for {} true elements of input 0 'condition' (shape {})", y.lengthOf(), count,
           text(y));
  if (z.isEmpty()) return Status::OK;
  helpers::putWhere(condition, x, y, z);
  return Status::OK;
}
DECLARE_SHAPE_FN(where_np) {
  if (hasChoices(inputShape->size())) return shapes(like(inputShape->at(1)));
  const NDArray& condition = *INPUT_VARIABLE(0);
  const LongType count = helpers::countTrue(condition);
  if (count == 0) return shapes(ConstantShapeHelper::getInstance().emptyShapeInfo(INT64));
  auto list = std::make_unique<ShapeList>();
  for (int d = 0; d < std::max(1, condition.rankOf()); d++) list->push_back(vectorOf(INT64, count));
  return list.release();
}
DECLARE_TYPES(where_np) {
  getOpDescriptor()
      ->setAllowedInputTypes({ALL_FLOATS, ALL_INTS, BOOL})
      ->setAllowedInputTypes(0, BOOL)
      ->setAllowedOutputTypes({ALL_FLOATS, ALL_INTS, BOOL})
      ->document(
          {.summary = "The coordinates where a condition holds, a vector for each axis; with x and y: an assignment "
                      "through the condition.",
           .formula =
               "with x and y, when the condition has the shape of x: z = x, and the k-th true element takes y[k], "
               "or y when that has one element; else the condition has as many elements as x has slices along "
               "dimension 0, and z takes slices of x where it is true and of y where it is false",
           .inputs =
               "condition: BOOL\nx?: any shape\ny?: the type of x, one element or as many as are true; for slices "
               "the shape of x",
           .outputs = "z...: INT64 vectors, one for each axis, or one empty array when nothing is true; with x and y: "
                      "one array, the shape and type of x"});
}

}  // namespace sd::ops
