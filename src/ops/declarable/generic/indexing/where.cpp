// Choices between two arrays by a condition, and the coordinates where it is true: select, Where, where_np.
// operations: select Where where_np
#include <ops/declarable/headers/indexing.h>

#include <algorithm>

#include "ops/declarable/Common.h"
#include "ops/declarable/helpers/choices.h"
#include "types/StoredBool.h"

namespace sd::ops {
namespace {

/// Whether x and y are given besides the condition.
bool hasChoices(graph::Context& block) {
  const auto width = block.width();
  if (width != 1 && width != 3)
    reject("a condition, or a condition, x and y are needed, but {} inputs are given", width);
  return width == 3;
}

const LongType* noPlaces() { return ConstantShapeHelper::getInstance().emptyShapeInfo(INT64); }

}  // namespace

CUSTOM_OP_IMPL(select, 3, 1, false, 0, 0) {
  helpers::choose(*INPUT_VARIABLE(0), *INPUT_VARIABLE(1), *INPUT_VARIABLE(2), *OUTPUT_VARIABLE(0));
  return Status::OK;
}

DECLARE_SHAPE_FN(select) {
  helpers::checkChoice(*INPUT_VARIABLE(0), *INPUT_VARIABLE(1), *INPUT_VARIABLE(2));
  return shapes(like(inputShape->at(1)));
}

DECLARE_TYPES(select) {
  getOpDescriptor()
      ->setAllowedInputTypes(0, BOOL)
      ->setAllowedInputTypes(1, {ALL_INTS, ALL_FLOATS, BOOL})
      ->setAllowedInputTypes(2, {ALL_INTS, ALL_FLOATS, BOOL})
      ->setAllowedOutputTypes({ALL_INTS, ALL_FLOATS, BOOL})
      ->document({.summary = "Selects elements or slices from two arrays by a condition.",
                  .formula = "z = condition ? x : y",
                  .inputs = "condition: BOOL; one element, the shape of x, or one element for each x[i]\n"
                            "x: any shape\ny: x's shape and type",
                  .outputs = "z: x's shape and type"});
}

CUSTOM_OP_IMPL(Where, 1, 1, false, 0, 0) {
  const NDArray& condition = *INPUT_VARIABLE(0);
  NDArray& z = *OUTPUT_VARIABLE(0);
  if (hasChoices(block)) {
    helpers::choose(condition, *INPUT_VARIABLE(1), *INPUT_VARIABLE(2), z);
    return Status::OK;
  }
  if (z.isEmpty()) return Status::OK;
  DenseOut places(z, INT64);
  std::vector<LongType*> columns;
  for (int d = 0; d < condition.rankOf(); d++) columns.push_back(places.as<LongType>() + d);
  helpers::truePlaces(condition, columns, condition.rankOf());
  places.commit();
  return Status::OK;
}

DECLARE_SHAPE_FN(Where) {
  const NDArray& condition = *INPUT_VARIABLE(0);
  if (hasChoices(block)) {
    helpers::checkChoice(condition, *INPUT_VARIABLE(1), *INPUT_VARIABLE(2));
    return shapes(like(inputShape->at(1)));
  }
  const LongType count = helpers::countTrue(condition);
  return shapes(count == 0 ? noPlaces() : shapeOf(INT64, 'c', {count, condition.rankOf()}));
}

DECLARE_TYPES(Where) {
  getOpDescriptor()
      ->setAllowedInputTypes({ALL_INTS, ALL_FLOATS, BOOL})
      ->setAllowedOutputTypes({ALL_INTS, ALL_FLOATS, BOOL})
      ->document(
          {.summary = "The coordinates of the elements that are not 0, or a choice between two arrays.",
           .formula = "one input: the rows [i, j, ..] with condition[i, j, ..] != 0, in c order; "
                      "three: z = condition ? x : y",
           .inputs = "condition: any shape; with x and y as in select\n"
                     "x?: any shape\ny?: x's shape and type",
           .outputs =
               "z: [number of true elements, rank of the condition], INT64; an empty array of rank 0 when there is "
               "none; with three inputs x's shape and type"});
}

CUSTOM_OP_IMPL(where_np, -1, 1, false, 0, 0) {
  const NDArray& condition = *INPUT_VARIABLE(0);
  if (!hasChoices(block)) {
    if (OUTPUT_VARIABLE(0)->isEmpty()) return Status::OK;
    std::vector<std::unique_ptr<DenseOut>> places;
    std::vector<LongType*> columns;
    // A scalar is treated as a vector.
    const NDArray flat =
        condition.rankOf() > 0 ? condition.viewOf(condition.shapeInfo(), 0) : condition.reshape('c', {1});
    for (int d = 0; d < flat.rankOf(); d++) {
      places.push_back(std::make_unique<DenseOut>(*OUTPUT_VARIABLE(d), INT64));
      columns.push_back(places.back()->as<LongType>());
    }
    helpers::truePlaces(flat, columns, 1);
    for (auto& column : places) column->commit();
    return Status::OK;
  }
  const NDArray &x = *INPUT_VARIABLE(1), &y = *INPUT_VARIABLE(2);
  NDArray& z = *OUTPUT_VARIABLE(0);
  if (!condition.isSameShape(x)) {
    helpers::choose(condition, x, y, z);
    return Status::OK;
  }
  if (z.isEmpty()) return Status::OK;
  if (y.lengthOf() != 1 && y.lengthOf() < helpers::countTrue(condition))
    reject("input 2 'y': {} elements are given for {} places where the condition is true", y.lengthOf(),
           helpers::countTrue(condition));
  // Starts from x; where the condition is true, the elements of y are stored one after the other.
  NDArray values = zeros(x.dataType(), dimsOf(x.shapeInfo()));
  const Dense mask(condition, BOOL), given(y, x.dataType());
  const auto* holds = mask.as<StoredBool>();
  const size_t size = x.sizeOfT();
  const size_t step = y.lengthOf() == 1 ? 0 : size;
  const char* next = given.as<char>();
  for (LongType i = 0; i < x.lengthOf(); i++) {
    if (!holds[i]) continue;
    std::memcpy(values.bufferAsT<char>() + static_cast<size_t>(i) * size, next, size);
    next += step;
  }
  helpers::choose(condition, values, x, z);
  return Status::OK;
}

DECLARE_SHAPE_FN(where_np) {
  const NDArray& condition = *INPUT_VARIABLE(0);
  if (hasChoices(block)) {
    const NDArray &x = *INPUT_VARIABLE(1), &y = *INPUT_VARIABLE(2);
    if (x.dataType() != y.dataType())
      reject("input 2 'y': its type is {}, but x has type {}", DataTypeUtils::describe(y.dataType()),
             DataTypeUtils::describe(x.dataType()));
    if (!condition.isSameShape(x)) helpers::checkChoice(condition, x, y);
    return shapes(like(inputShape->at(1)));
  }
  const LongType count = helpers::countTrue(condition);
  if (count == 0) return shapes(noPlaces());
  auto list = std::make_unique<ShapeList>();
  for (int d = 0; d < std::max(1, condition.rankOf()); d++) list->push_back(vectorOf(INT64, count));
  return list.release();
}

DECLARE_TYPES(where_np) {
  getOpDescriptor()
      ->setAllowedInputTypes(0, BOOL)
      ->setAllowedInputTypes(1, {ALL_INTS, ALL_FLOATS, BOOL})
      ->setAllowedInputTypes(2, {ALL_INTS, ALL_FLOATS, BOOL})
      ->setAllowedOutputTypes({ALL_INTS, ALL_FLOATS, BOOL})
      ->document({.summary = "The coordinates of the true elements, one vector for each dimension; or an assignment "
                             "through a mask.",
                  .formula = "one input: z_d[k] = coordinate d of the k-th true element, in c order; three: z = x, and "
                             "the k-th true element takes y[k]",
                  .inputs = "condition: BOOL, any shape; with x and y x's shape, or one element for each x[i]\n"
                            "x?: any shape\n"
                            "y?: x's type; one element, or at least as many as the condition has true ones",
                  .outputs = "z…: one INT64 vector for each dimension of the condition; a single empty array of rank 0 "
                             "when no element is true; with three inputs x's shape and type",
                  .notes = "A condition for slices x[i] works the other way round: true selects the slice of x."});
}

}  // namespace sd::ops
