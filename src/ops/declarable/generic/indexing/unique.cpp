// Distinct values and differences of sets: unique, unique_with_counts, listdiff.
// operations: unique unique_with_counts listdiff
#include <ops/declarable/headers/indexing.h>

#include "ops/declarable/Common.h"
#include "ops/declarable/helpers/distinct.h"
#include "ops/declarable/helpers/rows.h"

namespace sd::ops {
namespace {

using helpers::KeyTable;

/// Calls f(i, number of the key of element i) for all elements, in order.
template <typename F>
LongType forNumbers(const NDArray& x, F&& f) {
  constexpr size_t AHEAD = 16;
  const auto keys = helpers::keysOf(x);
  KeyTable table;
  for (size_t i = 0; i < keys.size(); i++) {
    if (i + AHEAD < keys.size()) table.prefetch(keys[i + AHEAD]);
    f(i, table.number(keys[i]));
  }
  return table.size();
}

/// The number of distinct values, which is all that the shape function needs.
LongType countDistinct(const NDArray& x) {
  return forNumbers(x, [](size_t, LongType) {});
}

/// The distinct values of an array: the position of each one's first occurrence, its count, and each element's value
/// index.
struct Distinct {
  std::vector<LongType> first, counts, numbers;

  explicit Distinct(const NDArray& x) : numbers(static_cast<size_t>(x.lengthOf())) {
    forNumbers(x, [this](size_t i, LongType number) {
      if (number == static_cast<LongType>(first.size())) {
        first.push_back(static_cast<LongType>(i));
        counts.push_back(0);
      }
      counts[static_cast<size_t>(number)]++;
      numbers[i] = number;
    });
  }
};

/// Copies the elements of x at these positions, counted in c order.
void pick(const NDArray& x, const std::vector<LongType>& positions, NDArray& z) {
  const Dense from(x);
  DenseOut target(z);
  helpers::gatherRows(from->buffer(), 1, x.lengthOf(), positions.data(), static_cast<LongType>(positions.size()),
                      x.sizeOfT(), target->buffer());
  target.commit();
}

void store(const std::vector<LongType>& values, NDArray& z) {
  DenseOut target(z, INT64);
  std::copy(values.begin(), values.end(), target.as<LongType>());
  target.commit();
}

Status findDistinct(graph::Context& block, NDArray& values, NDArray& indices, NDArray* counts) {
  const NDArray& x = *block.array(0);
  if (x.isEmpty()) return Status::OK;
  const Distinct distinct(x);
  store(distinct.numbers, indices);
  pick(x, distinct.first, values);
  if (counts != nullptr) store(distinct.counts, *counts);
  return Status::OK;
}

const LongType* shapeOfDistinct(DataType type, LongType count) {
  return count == 0 ? ConstantShapeHelper::getInstance().emptyShapeInfo(type) : vectorOf(type, count);
}

void describe(OpDescriptor* descriptor, const OpDocumentation& documentation) {
  descriptor->setAllowedInputTypes({ALL_INTS, ALL_FLOATS, BOOL})
      ->setAllowedOutputTypes(0, {ALL_INTS, ALL_FLOATS, BOOL})
      ->setAllowedOutputTypes(1, {ALL_INTS})
      ->setAllowedOutputTypes(2, {ALL_INTS})
      ->document(documentation);
}

constexpr const char* NAN_NOTE = "0 equals -0; each NaN is a separate value.";

}  // namespace

CUSTOM_OP_IMPL(unique, 1, 2, false, 0, 0) {
  return findDistinct(block, *OUTPUT_VARIABLE(0), *OUTPUT_VARIABLE(1), nullptr);
}

DECLARE_SHAPE_FN(unique) {
  const NDArray& x = *INPUT_VARIABLE(0);
  return shapes(shapeOfDistinct(x.dataType(), countDistinct(x)), vectorOf(INT64, x.lengthOf()));
}

DECLARE_TYPES(unique) {
  describe(getOpDescriptor(), {.summary = "The distinct values of an array in the order of their first occurrence.",
                               .formula = "x[i] = values[indices[i]], elements counted in c order",
                               .inputs = "x: any shape",
                               .outputs = "values: a vector, x's type\nindices: one for each element of x, INT64",
                               .notes = NAN_NOTE});
}

CUSTOM_OP_IMPL(unique_with_counts, 1, 3, false, 0, 0) {
  return findDistinct(block, *OUTPUT_VARIABLE(0), *OUTPUT_VARIABLE(1), OUTPUT_VARIABLE(2));
}

DECLARE_SHAPE_FN(unique_with_counts) {
  const NDArray& x = *INPUT_VARIABLE(0);
  const LongType count = countDistinct(x);
  return shapes(shapeOfDistinct(x.dataType(), count), vectorOf(INT64, x.lengthOf()), shapeOfDistinct(INT64, count));
}

DECLARE_TYPES(unique_with_counts) {
  describe(getOpDescriptor(), {.summary = "The distinct values of an array and how often each occurs.",
                               .formula = "x[i] = values[indices[i]], counts[k] = number of i with indices[i] = k",
                               .inputs = "x: any shape",
                               .outputs = "values: a vector, x's type\n"
                                          "indices: one for each element of x, INT64\n"
                                          "counts: one for each value, INT64",
                               .notes = NAN_NOTE});
}

namespace {

/// The positions of the values that are not in `known`.
std::vector<LongType> difference(const NDArray& values, const NDArray& known) {
  if (values.rankOf() != 1) requireRank(values, 1, 0, "values");
  if (known.rankOf() != 1) requireRank(known, 1, 1, "keep");
  if (values.dataType() != known.dataType())
    reject("input 1 'keep': its type is {}, but input 0 'values' has type {}",
           DataTypeUtils::describe(known.dataType()), DataTypeUtils::describe(values.dataType()));
  KeyTable table;
  for (const auto key : helpers::keysOf(known, values.lengthOf())) table.number(key);
  const auto keys = helpers::keysOf(values);
  std::vector<LongType> positions;
  for (size_t i = 0; i < keys.size(); i++)
    if (!table.contains(keys[i])) positions.push_back(static_cast<LongType>(i));
  if (positions.empty())
    reject("the result is empty: each of the {} values is one of the {} to leave out", values.lengthOf(),
           known.lengthOf());
  return positions;
}

}  // namespace

CUSTOM_OP_IMPL(listdiff, 2, 2, false, 0, 0) {
  const NDArray& values = *INPUT_VARIABLE(0);
  const auto positions = difference(values, *INPUT_VARIABLE(1));
  pick(values, positions, *OUTPUT_VARIABLE(0));
  store(positions, *OUTPUT_VARIABLE(1));
  return Status::OK;
}

DECLARE_SHAPE_FN(listdiff) {
  const NDArray& values = *INPUT_VARIABLE(0);
  const auto count = static_cast<LongType>(difference(values, *INPUT_VARIABLE(1)).size());
  return shapes(vectorOf(values.dataType(), count), vectorOf(INT64, count));
}

DECLARE_TYPES(listdiff) {
  getOpDescriptor()
      ->setAllowedInputTypes({ALL_INTS, ALL_FLOATS})
      ->setAllowedOutputTypes(0, {ALL_INTS, ALL_FLOATS})
      ->setAllowedOutputTypes(1, {ALL_INTS})
      ->document({.summary = "The values that do not occur in another vector, in their order, duplicates included.",
                  .formula = "z = those values[i] that equal no keep[j], indices = their i",
                  .inputs = "values: [n]\nkeep: [m], the type of values; the values to leave out",
                  .outputs = "z: a vector, the type of values\nindices: as long, INT64",
                  .notes = "An empty result is an error. NaN equals no value."});
}

}  // namespace sd::ops
