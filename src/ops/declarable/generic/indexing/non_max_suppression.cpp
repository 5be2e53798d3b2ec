// Selects boxes by score and suppresses those that overlap a better one.
// operations: non_max_suppression non_max_suppression_v3 non_max_suppression_overlaps
#include <ops/declarable/headers/indexing.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "ops/declarable/Common.h"
#include "ops/declarable/helpers/boxes.h"

namespace sd::ops {
namespace {

using helpers::Suppression;

constexpr double LOWEST_SCORE = -std::numeric_limits<float>::max();

double setting(graph::Context& block, int input, const char* name, size_t argument, double otherwise) {
  const NDArray* given = block.optionalArray(input);
  if (given != nullptr) requireScalar(*given, input, name);
  const double value = given != nullptr ? given->e<double>(0) : number(block, argument, otherwise);
  if (std::isnan(value)) reject("{}: it must not be NaN", name);
  return value;
}

Suppression settings(graph::Context& block, bool inclusive, bool thresholdInputs) {
  const NDArray* given = block.optionalArray(2);
  if (given == nullptr && block.numI() == 0) reject("the largest number of boxes is needed, as input 2 or argument");
  Suppression how;
  how.maximum = given != nullptr ? scalarInteger(*given, 2, "maxOutputSize") : block.intArgument64(0);
  if (how.maximum < 0) reject("maxOutputSize: {} is negative", how.maximum);
  how.overlap = setting(block, thresholdInputs ? 3 : 5, "overlapThreshold", 0, 0.5);
  if (thresholdInputs && !(how.overlap >= 0 && how.overlap <= 1))
    reject("'overlapThreshold': {} is outside 0..1", how.overlap);
  how.score = setting(block, thresholdInputs ? 4 : 6, "scoreThreshold", 1, LOWEST_SCORE);
  how.inclusive = inclusive;
  return how;
}

void checkScores(const NDArray& boxes, const NDArray& scores, LongType columns, const char* name) {
  requireRank(boxes, 2, 0, name);
  requireRank(scores, 1, 1, "scores");
  if (boxes.sizeAt(1) != columns || scores.lengthOf() != boxes.sizeAt(0))
    reject("inputs 0 '{}' and 1 'scores': shapes {} and {} are not [N, {}] and [N]", name, text(boxes), text(scores),
           columns);
}

std::vector<LongType> suppress(const NDArray& boxes, const NDArray& scores, const Suppression& how) {
  if (scores.isEmpty()) return {};
  const Dense corners(boxes, DOUBLE), values(scores, DOUBLE);
  const auto* rows = corners.as<double>();
  return helpers::selectBoxes(values.as<double>(), scores.lengthOf(), how,
                              [rows](LongType a, LongType b) { return helpers::intersectionOverUnion(rows, a, b); });
}

std::vector<LongType> selectExactly(graph::Context& block) {
  const NDArray &boxes = *block.array(0), &scores = *block.array(1);
  checkScores(boxes, scores, 4, "boxes");
  return suppress(boxes, scores, settings(block, true, true));
}

std::vector<LongType> selectByOverlaps(graph::Context& block) {
  const NDArray &overlaps = *block.array(0), &scores = *block.array(1);
  checkScores(overlaps, scores, scores.lengthOf(), "overlaps");
  const Suppression how = settings(block, true, false);
  if (scores.isEmpty()) return {};
  const Dense similarity(overlaps, DOUBLE), values(scores, DOUBLE);
  const LongType n = scores.lengthOf();
  const auto* matrix = similarity.as<double>();
  return helpers::selectBoxes(values.as<double>(), n, how,
                              [matrix, n](LongType a, LongType b) { return matrix[a * n + b]; });
}

Status store(const std::vector<LongType>& selected, NDArray& z) {
  if (z.isEmpty()) return Status::OK;
  DenseOut target(z, INT64);
  target->nullify();
  std::copy(selected.begin(), selected.end(), target.as<LongType>());
  target.commit();
  return Status::OK;
}

void describe(OpDescriptor* descriptor, const OpDocumentation& documentation) {
  descriptor->setAllowedInputTypes(0, {ALL_FLOATS})
      ->setAllowedInputTypes(1, {ALL_FLOATS})
      ->setAllowedInputTypes(2, {ALL_INTS, ALL_FLOATS})
      ->setAllowedInputTypes(3, {ALL_FLOATS})
      ->setAllowedInputTypes(4, {ALL_FLOATS})
      ->setAllowedOutputTypes({ALL_INDICES})
      ->document(documentation);
}

constexpr const char* INPUTS =
    "boxes: [N, 4], rows y1, x1, y2, x2, corners in any order\n"
    "scores: [N]\n"
    "maxOutputSize?: a scalar\n"
    "overlapThreshold?: a scalar\n"
    "scoreThreshold?: a scalar; inputs go before arguments";
constexpr const char* FLOATS =
    "overlapThreshold?: used when there is no input for it (default 0.5)\n"
    "scoreThreshold?: used when there is no input for it (default: no limit)";
constexpr const char* INTEGERS = "maxOutputSize?: used when there is no input 2";
constexpr const char* NOTES =
    "Boxes are taken by descending score; of equal scores, the first comes first. The overlap is intersection over "
    "union, 0 for a box without area.";

}  // namespace

CUSTOM_OP_IMPL(non_max_suppression, 2, 1, false, 0, 0) {
  return store(suppress(*INPUT_VARIABLE(0), *INPUT_VARIABLE(1), settings(block, false, true)), *OUTPUT_VARIABLE(0));
}

DECLARE_SHAPE_FN(non_max_suppression) {
  const NDArray &boxes = *INPUT_VARIABLE(0), &scores = *INPUT_VARIABLE(1);
  checkScores(boxes, scores, 4, "boxes");
  const Suppression how = settings(block, false, true);
  LongType bound = scores.lengthOf();
  if (how.score != LOWEST_SCORE && bound > 0) {
    const Dense values(scores, DOUBLE);
    bound = static_cast<LongType>(helpers::candidatesByScore(values.as<double>(), bound, how).size());
  }
  return shapes(vectorOf(INT32, std::min(how.maximum, bound)));
}

DECLARE_TYPES(non_max_suppression) {
  describe(getOpDescriptor(),
           {.summary = "Selects boxes by score, without those that overlap a better one.",
            .formula = "a box is dropped when its overlap with an already selected one is > overlapThreshold",
            .inputs = INPUTS,
            .outputs = "z: indices of boxes, INT32, as many as maxOutputSize and the boxes with at least "
                       "scoreThreshold allow; 0 where fewer are selected",
            .floats = FLOATS,
            .integers = INTEGERS,
            .notes = NOTES});
}

CUSTOM_OP_IMPL(non_max_suppression_v3, 2, 1, false, 0, 0) { return store(selectExactly(block), *OUTPUT_VARIABLE(0)); }

DECLARE_SHAPE_FN(non_max_suppression_v3) {
  return shapes(vectorOf(INT32, static_cast<LongType>(selectExactly(block).size())));
}

DECLARE_TYPES(non_max_suppression_v3) {
  describe(getOpDescriptor(),
           {.summary = "Selects boxes by score, without those that overlap a better one.",
            .formula = "candidates have a score > scoreThreshold; one is dropped when its overlap with an already "
                       "selected one is >= overlapThreshold",
            .inputs = INPUTS,
            .outputs = "z: the indices of the selected boxes, INT32",
            .floats = FLOATS,
            .integers = INTEGERS,
            .notes = NOTES});
}

CUSTOM_OP_IMPL(non_max_suppression_overlaps, 2, 1, false, 0, 0) {
  return store(selectByOverlaps(block), *OUTPUT_VARIABLE(0));
}

DECLARE_SHAPE_FN(non_max_suppression_overlaps) {
  return shapes(vectorOf(INT32, static_cast<LongType>(selectByOverlaps(block).size())));
}

DECLARE_TYPES(non_max_suppression_overlaps) {
  describe(getOpDescriptor(),
           {.summary = "Selects elements by score, without those that are too similar to a better one.",
            .formula = "as non_max_suppression_v3 with the overlap overlaps[candidate, selected]",
            .inputs = "overlaps: [N, N]\nscores: [N]\nmaxOutputSize?: a scalar; overrides the argument",
            .outputs = "z: the indices of the selected elements, INT32",
            .floats = "overlapThreshold?: (default 0.5)\nscoreThreshold?: (default: no limit)",
            .integers = INTEGERS,
            .notes = "Elements are taken by descending score; of equal scores, the first comes first."});
}

}  // namespace sd::ops
