// Reductions of rows with the same id. Either the ids are sorted, or they are in any order and the number of segments
// is given.
// operations: segment_sum segment_sum_bp unsorted_segment_sum unsorted_segment_sum_bp segment_mean segment_mean_bp
// operations: unsorted_segment_mean unsorted_segment_mean_bp segment_prod segment_prod_bp unsorted_segment_prod
// operations: unsorted_segment_prod_bp segment_max segment_max_bp unsorted_segment_max unsorted_segment_max_bp
// operations: segment_min segment_min_bp unsorted_segment_min unsorted_segment_min_bp unsorted_segment_sqrt_n
// operations: unsorted_segment_sqrt_n_bp
// calls: CountZero
#include <ops/declarable/headers/indexing.h>

#include "ops/declarable/Common.h"
#include "ops/declarable/helpers/segments.h"

namespace sd::ops {
namespace {

using helpers::NoRows;
using helpers::Segments;

// ---- ids

void checkLength(const NDArray& x, const NDArray& ids) {
  const LongType rows = x.rankOf() == 0 ? x.lengthOf() : x.sizeAt(0);
  if (ids.lengthOf() != rows)
    reject("input 1 'ids': {} ids are given for {} rows (shapes {} and {})", ids.lengthOf(), rows, text(ids), text(x));
}

/// Checks sorted ids and sets `segments` to the number of segments.
Dense sortedIds(const NDArray& x, const NDArray& ids, LongType& segments) {
  if (x.rankOf() == 0) reject("input 0 'x': a scalar has no rows");
  if (ids.rankOf() == 0) reject("input 1 'ids': a vector is needed, its shape is {}", text(ids));
  requireList(ids, 1, "ids");
  checkLength(x, ids);
  Dense dense = integerElements(ids, 1, "ids");
  const auto* values = dense.as<LongType>();
  const LongType n = ids.lengthOf();
  for (LongType i = 0; i < n; i++) {
    if (values[i] < 0) reject("input 1 'ids': {} at [{}] is negative", values[i], i);
    if (i > 0 && values[i] < values[i - 1])
      reject("input 1 'ids': {} at [{}] follows {}; ids must not decrease", values[i], i, values[i - 1]);
  }
  if (n > 0 && values[n - 1] == INT64_MAX)
    reject("input 1 'ids': {} at [{}] makes too many segments", values[n - 1], n - 1);
  segments = n == 0 ? 0 : values[n - 1] + 1;
  return dense;
}

/// Checks ids in any order. Negative ids are allowed and will be skipped.
Dense unsortedIds(const NDArray& x, const NDArray& ids, LongType segments) {
  checkLength(x, ids);
  Dense dense = integerElements(ids, 1, "ids");
  const auto* values = dense.as<LongType>();
  const LongType n = ids.lengthOf();
  bool outside = false;
  for (LongType i = 0; i < n; i++) outside |= values[i] >= segments;
  if (!outside) return dense;
  LongType i = 0;
  while (values[i] < segments) i++;
  reject("input 1 'ids': value {} at [{}] is outside 0..{} (shape {})", values[i], i, segments - 1, text(ids));
}

LongType numSegments(graph::Context& block, int input) {
  const NDArray* given = block.optionalArray(input);
  if (given == nullptr && block.numI() == 0) reject("the number of segments is needed as input or integer argument");
  const LongType segments = given != nullptr ? scalarInteger(*given, input, "numSegments") : block.intArgument64(0);
  if (segments < 0) reject("number of segments: {} is negative", segments);
  return segments;
}

/// The shape of x with `segments` rows.
Dims withRows(const LongType* x, LongType segments) {
  Dims dims = dimsOf(x);
  if (dims.empty()) dims.push_back(segments);
  dims[0] = segments;
  return dims;
}

// ---- forward

Status applySorted(graph::Context& block, Segments kind, NDArray& z) {
  LongType segments;
  const NDArray &x = *block.array(0), &ids = *block.array(1);
  const Dense rows = sortedIds(x, ids, segments);
  helpers::reduceSegments(kind, NoRows::Zero, x, rows.as<LongType>(), ids.lengthOf(), z);
  return Status::OK;
}

ShapeList* sortedShapes(const ShapeList& inputs, graph::Context& block) {
  LongType segments;
  sortedIds(*block.array(0), *block.array(1), segments);
  const LongType* x = inputs.at(0);
  return shapes(shapeOf(ArrayOptions::dataType(x), shape::order(x), withRows(x, segments)));
}

Status applyUnsorted(graph::Context& block, Segments kind, NDArray& z) {
  const NDArray &x = *block.array(0), &ids = *block.array(1);
  const Dense rows = unsortedIds(x, ids, z.sizeAt(0));
  helpers::reduceSegments(kind, NoRows::Limit, x, rows.as<LongType>(), ids.lengthOf(), z);
  return Status::OK;
}

ShapeList* unsortedShapes(const ShapeList& inputs, graph::Context& block) {
  const LongType segments = numSegments(block, 2);
  const LongType* x = inputs.at(0);
  return shapes(shapeOf(ArrayOptions::dataType(x), shape::order(x), withRows(x, segments)));
}

// ---- gradients

Status applyGradient(graph::Context& block, Segments kind, bool sorted, NDArray& gradX, NDArray& idsOut) {
  const NDArray &x = *block.array(0), &ids = *block.array(1), &gradZ = *block.array(2);
  LongType segments = sorted ? 0 : numSegments(block, 3);
  const Dense rows = sorted ? sortedIds(x, ids, segments) : unsortedIds(x, ids, segments);
  const Dims expected = withRows(x.shapeInfo(), segments);
  if (dimsOf(gradZ.shapeInfo()) != expected)
    reject("input 2 'gradZ': its shape is {}, but the result has shape {}", text(gradZ), text(expected));
  helpers::segmentGradient(kind, x, rows.as<LongType>(), ids.lengthOf(), gradZ, gradX);
  if (!ids.isEmpty()) idsOut.assign(ids);
  return Status::OK;
}

// ---- documentation

constexpr const char* SORTED_INPUTS = "x: [n, ...], numbers\nids: [n], integers from 0 that do not decrease";
constexpr const char* UNSORTED_INPUTS =
    "x: [n, ...], numbers\n"
    "ids: n integers below numSegments; rows with a negative id are ignored\n"
    "numSegments?: a scalar; overrides the argument";

void describe(OpDescriptor* descriptor, bool sorted, const char* summary, const char* formula, const char* noRows) {
  descriptor->setAllowedInputTypes(0, {ALL_INTS, ALL_FLOATS})
      ->setAllowedInputTypes(1, {ALL_INTS, ALL_FLOATS})
      ->setAllowedInputTypes(2, {ALL_INTS, ALL_FLOATS})
      ->setAllowedOutputTypes({ALL_INTS, ALL_FLOATS})
      ->document({.summary = summary,
                  .formula = formula,
                  .inputs = sorted ? SORTED_INPUTS : UNSORTED_INPUTS,
                  .outputs = sorted ? "z: [last id + 1, ...], x's type" : "z: [numSegments, ...], x's type",
                  .integers = sorted ? "" : "numSegments?: used when there is no input 2",
                  .notes = noRows});
}

void describeGradient(OpDescriptor* descriptor, bool sorted, const char* formula) {
  descriptor->setAllowedInputTypes(0, {ALL_INTS, ALL_FLOATS})
      ->setAllowedInputTypes(1, {ALL_INTS, ALL_FLOATS})
      ->setAllowedInputTypes(2, {ALL_INTS, ALL_FLOATS})
      ->setAllowedInputTypes(3, {ALL_INTS, ALL_FLOATS})
      ->setAllowedOutputTypes({ALL_INTS, ALL_FLOATS})
      ->document({.summary = "The gradient of the operation of the same name.",
                  .formula = formula,
                  .inputs = sorted ? "x: [n, ...]\nids: [n], sorted\ngradZ: [last id + 1, ...]"
                                   : "x: [n, ...]\n"
                                     "ids: n integers below numSegments\n"
                                     "gradZ: [numSegments, ...]\n"
                                     "numSegments?: a scalar; overrides the argument",
                  .outputs = "gradX: the shape and type of x\nids: a copy of the ids",
                  .integers = sorted ? "" : "numSegments: the number of segments",
                  .notes = "Rows with a negative id have the gradient 0."});
}

}  // namespace

// name without prefix, what it does, formula, derivative, result of segments without rows: sorted, unsorted
#define SD_SEGMENT(NAME, KIND, SUMMARY, FORMULA, GRADIENT, SORTED_EMPTY, UNSORTED_EMPTY)                     \
  CUSTOM_OP_IMPL(segment_##NAME, 2, 1, false, 0, 0) {                                                        \
    return applySorted(block, Segments::KIND, *OUTPUT_VARIABLE(0));                                          \
  }                                                                                                          \
  DECLARE_SHAPE_FN(segment_##NAME) { return sortedShapes(*inputShape, block); }                              \
  DECLARE_TYPES(segment_##NAME) { describe(getOpDescriptor(), true, SUMMARY, FORMULA, SORTED_EMPTY); }       \
  CUSTOM_OP_IMPL(segment_##NAME##_bp, 3, 2, false, 0, 0) {                                                   \
    return applyGradient(block, Segments::KIND, true, *OUTPUT_VARIABLE(0), *OUTPUT_VARIABLE(1));             \
  }                                                                                                          \
  DECLARE_SHAPE_FN(segment_##NAME##_bp) { return shapes(like(inputShape->at(0)), like(inputShape->at(1))); } \
  DECLARE_TYPES(segment_##NAME##_bp) { describeGradient(getOpDescriptor(), true, GRADIENT); }                \
  SD_UNSORTED_SEGMENT(NAME, KIND, SUMMARY, FORMULA, GRADIENT, UNSORTED_EMPTY)

#define SD_UNSORTED_SEGMENT(NAME, KIND, SUMMARY, FORMULA, GRADIENT, UNSORTED_EMPTY)                                   \
  CUSTOM_OP_IMPL(unsorted_segment_##NAME, 2, 1, false, 0, 0) {                                                        \
    return applyUnsorted(block, Segments::KIND, *OUTPUT_VARIABLE(0));                                                 \
  }                                                                                                                   \
  DECLARE_SHAPE_FN(unsorted_segment_##NAME) { return unsortedShapes(*inputShape, block); }                            \
  DECLARE_TYPES(unsorted_segment_##NAME) { describe(getOpDescriptor(), false, SUMMARY, FORMULA, UNSORTED_EMPTY); }    \
  CUSTOM_OP_IMPL(unsorted_segment_##NAME##_bp, 3, 2, false, 0, 1) {                                                   \
    return applyGradient(block, Segments::KIND, false, *OUTPUT_VARIABLE(0), *OUTPUT_VARIABLE(1));                     \
  }                                                                                                                   \
  DECLARE_SHAPE_FN(unsorted_segment_##NAME##_bp) { return shapes(like(inputShape->at(0)), like(inputShape->at(1))); } \
  DECLARE_TYPES(unsorted_segment_##NAME##_bp) { describeGradient(getOpDescriptor(), false, GRADIENT); }

SD_SEGMENT(sum, Sum, "Sums of the rows of each id.", "z[s] = sum of x[i] over ids[i] = s", "gradX[i] = gradZ[ids[i]]",
           "Ids without rows give 0.", "Segments without rows give 0.")
SD_SEGMENT(mean, Mean, "Means of the rows of each id; of integers truncated.", "z[s] = mean of x[i] over ids[i] = s",
           "gradX[i] = gradZ[s] / n, where s = ids[i] has n rows", "Ids without rows give 0.",
           "Segments without rows give 0.")
SD_SEGMENT(prod, Prod, "Products of the rows of each id.", "z[s] = product of x[i] over ids[i] = s",
           "gradX[i] = gradZ[s] * product of the other rows of s = ids[i]", "Ids without rows give 1.",
           "Segments without rows give 1.")
SD_SEGMENT(max, Max, "The largest elements of the rows of each id; NaN is skipped.",
           "z[s] = max of x[i] over ids[i] = s",
           "gradX[i] = gradZ[ids[i]] where x[i] = z[ids[i]], ties included, else 0", "Ids without rows give 0.",
           "Segments without rows give the lowest value, -max of the type.")
SD_SEGMENT(min, Min, "The smallest elements of the rows of each id; NaN is skipped.",
           "z[s] = min of x[i] over ids[i] = s",
           "gradX[i] = gradZ[ids[i]] where x[i] = z[ids[i]], ties included, else 0", "Ids without rows give 0.",
           "Segments without rows give the highest value of the type.")
SD_UNSORTED_SEGMENT(sqrt_n, SqrtN, "Sums of the rows of each id, divided by the root of their number.",
                    "z[s] = sum of x[i] / sqrt(n) over the n rows with ids[i] = s",
                    "gradX[i] = gradZ[s] / sqrt(n), where s = ids[i] has n rows", "Segments without rows give 0.")

}  // namespace sd::ops
