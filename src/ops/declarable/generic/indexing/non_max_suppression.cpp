// Selects boxes by score and suppresses those that overlap a better one.
// operations: non_max_suppression non_max_suppression_v3 non_max_suppression_overlaps
#include <ops/declarable/headers/indexing.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "ops/declarable/helpers/boxes.h"
#include "ops/declarable/helpers/inference.h"

namespace sd::ops {
namespace {

using helpers::Suppression;

constexpr double LOWEST_SCORE = -std::numeric_limits<float>::max();

Suppression settings(const NonMaxSuppression& a, bool inclusive) {
  if (std::isnan(a.overlapThreshold)) reject("argument 'overlap_threshold': it must not be NaN");
  if (std::isnan(a.scoreThreshold)) reject("argument 'score_threshold': it must not be NaN");
  return {a.maxOutputSize, a.overlapThreshold, a.scoreThreshold, inclusive};
}

void checkScores(const PartialShape& boxes, const PartialShape& scores, LongType columns, const char* name) {
  requireRank(boxes, 2, 0, name);
  requireRank(scores, 1, 1, "scores");
  if (boxes.hasType() && scores.hasType() && boxes.type() != scores.type())
    reject("inputs 0 '{}' and 1 'scores': their types {} and {} differ", name, DataTypeUtils::describe(boxes.type()),
           DataTypeUtils::describe(scores.type()));
  if (!boxes.hasRank() || !scores.hasRank()) return;
  const auto differ = [](LongType a, LongType b) {
    return a != b && a != PartialShape::UNKNOWN && b != PartialShape::UNKNOWN;
  };
  if (differ(boxes[1], columns) || differ(scores[0], boxes[0]))
    reject("inputs 0 '{}' and 1 'scores': shapes {} and {} are not [N, {}] and [N]", name, boxes.text(), scores.text(),
           columns);
}

std::vector<LongType> suppress(const NDArray& boxes, const NDArray& scores, const Suppression& how) {
  if (scores.isEmpty()) return {};
  const Dense corners(boxes, DOUBLE), values(scores, DOUBLE);
  const auto* rows = corners.as<double>();
  return helpers::selectBoxes(values.as<double>(), scores.lengthOf(), how,
                              [rows](LongType a, LongType b) { return helpers::intersectionOverUnion(rows, a, b); });
}

using Selected = std::vector<LongType>;

/// Selects by the overlaps of boxes, or by given overlaps.
Selected selectBy(const NDArray& x, const NDArray& scores, const NonMaxSuppression& a, bool overlapsGiven) {
  const Suppression how = settings(a, true);
  if (!overlapsGiven) return suppress(x, scores, how);
  if (scores.isEmpty()) return {};
  const Dense similarity(x, DOUBLE), values(scores, DOUBLE);
  const LongType n = scores.lengthOf();
  const auto* matrix = similarity.as<double>();
  return helpers::selectBoxes(values.as<double>(), n, how,
                              [matrix, n](LongType a_, LongType b) { return matrix[a_ * n + b]; });
}

void checkShapes(const PartialShape& x, const PartialShape& scores, bool overlapsGiven) {
  const LongType columns = !overlapsGiven ? 4 : scores.hasRank() ? scores.length() : PartialShape::UNKNOWN;
  checkScores(x, scores, columns, overlapsGiven ? "overlaps" : "boxes");
}

const Selected& current(graph::Context& block, bool overlapsGiven) {
  return kept<Selected>(block, [&] {
    const NDArray &x = *block.array(0), &scores = *block.array(1);
    checkShapes(PartialShape::of(x.shapeInfo()), PartialShape::of(scores.shapeInfo()), overlapsGiven);
    return selectBy(x, scores, arguments<NonMaxSuppression>(block), overlapsGiven);
  });
}

using A = NonMaxSuppression;

bool knowsArguments(Inference& in) {
  return in.knows(&A::maxOutputSize) && in.knows(&A::overlapThreshold) && in.knows(&A::scoreThreshold);
}

template <bool OVERLAPS>
void inferSelected(Inference& in) {
  checkShapes(in.input(0), in.input(1), OVERLAPS);
  const NDArray *x = in.values(0), *scores = in.values(1);
  if (!knowsArguments(in) || x == nullptr || scores == nullptr) return in.output(INT32, {PartialShape::UNKNOWN});
  Selected selected = selectBy(*x, *scores, in.arguments<A>(), OVERLAPS);
  in.output(INT32, {static_cast<LongType>(selected.size())});
  in.keep(std::move(selected));
}

/// As many as the arguments and the scores allow; the overlaps do not matter.
void inferBound(Inference& in) {
  const PartialShape scores = in.input(1);
  checkScores(in.input(0), scores, 4, "boxes");
  const bool known = in.knows(&A::maxOutputSize) && in.knows(&A::scoreThreshold);
  LongType bound = scores.length();
  if (!known || bound == PartialShape::UNKNOWN) return in.output(INT32, {PartialShape::UNKNOWN});
  const Suppression how = settings(in.arguments<A>(), false);
  if (how.score != LOWEST_SCORE && bound > 0) {
    const NDArray* values = in.values(1);
    if (values == nullptr) return in.output(INT32, {PartialShape::UNKNOWN});
    const Dense dense(*values, DOUBLE);
    bound = static_cast<LongType>(helpers::candidatesByScore(dense.as<double>(), bound, how).size());
  }
  in.output(INT32, {std::min(how.maximum, bound)});
}

Status store(const std::vector<LongType>& selected, NDArray& z) {
  if (z.isEmpty()) return Status::OK;
  DenseOut target(z, INT64);
  target->nullify();
  std::copy(selected.begin(), selected.end(), target.as<LongType>());
  target.commit();
  return Status::OK;
}

void nonMaxArguments(Schema& schema, bool thresholdInputs) {
  schema.argument(&A::maxOutputSize, "max_output_size", "the largest number of results")
      .atInteger(0)
      .orInput(2)
      .atLeast(0)
      .require();
  ArgumentRow& overlap = schema.argument(&A::overlapThreshold, "overlap_threshold", "the overlap that is too large");
  overlap.atFloat(0);
  if (thresholdInputs) overlap.orInput(3).between(0, 1);
  ArgumentRow& score = schema.argument(&A::scoreThreshold, "score_threshold", "the score that is too low");
  score.atFloat(1);
  if (thresholdInputs) score.orInput(4);
}

}  // namespace

CUSTOM_OP_IMPL(non_max_suppression, 2, 1, false, 0, 0) {
  return store(suppress(*INPUT_VARIABLE(0), *INPUT_VARIABLE(1), settings(arguments<A>(block), false)),
               *OUTPUT_VARIABLE(0));
}

INFERRED_SHAPES(non_max_suppression)

DECLARE_SCHEMA(non_max_suppression) {
  schema.summary("Selects boxes by score, without those that overlap a better one.")
      .formula("a box is dropped when its overlap with an already selected one is > overlap_threshold")
      .note(
          "Boxes are taken by descending score; of equal scores, the first comes first. The overlap is intersection "
          "over union, 0 for a box without area.");
  schema.input("boxes", "[N, 4], rows y1, x1, y2, x2, corners in any order").types({ALL_FLOATS});
  schema.input("scores", "[N]").types({ALL_FLOATS}).shapesNeedValues();
  schema.input("max_output_size", "one element").types({ALL_FLOATS, ALL_INTS}).optional();
  schema.input("overlap_threshold", "one element").types({ALL_FLOATS}).optional();
  schema.input("score_threshold", "one element").types({ALL_FLOATS}).optional();
  nonMaxArguments(schema, true);
  schema.output("z", "[n], INT32; indices of boxes, 0 where fewer are selected");
  schema.outputTypes({ALL_INDICES}).infer(inferBound);
  schema.notDifferentiable(DISCRETE_CHOICE);
  schema.example(
      R"({"boxes": [[0.0, 0.0, 1.0, 1.0], [0.0, 0.0, 1.0, 0.9], [2.0, 2.0, 3.0, 3.0]], "scores": [0.9, 0.8, 0.7], "max_output_size": 2})");
  schema.elsewhere(
      {.torch = "torchvision.ops.nms", .tensorflow = "tf.image.non_max_suppression", .onnx = "NonMaxSuppression"});
  schema.words("NMS, object detection, boxes").see("non_max_suppression_v3 non_max_suppression_overlaps");
}

CUSTOM_OP_IMPL(non_max_suppression_v3, 2, 1, false, 0, 0) { return store(current(block, false), *OUTPUT_VARIABLE(0)); }

INFERRED_SHAPES(non_max_suppression_v3)

DECLARE_SCHEMA(non_max_suppression_v3) {
  schema.summary("Selects boxes by score, without those that overlap a better one.")
      .formula(
          "candidates have a score > score_threshold; one is dropped when its overlap with an already selected one is "
          ">= overlap_threshold")
      .note(
          "Boxes are taken by descending score; of equal scores, the first comes first. The overlap is intersection "
          "over union, 0 for a box without area.");
  schema.input("boxes", "[N, 4], rows y1, x1, y2, x2, corners in any order").types({ALL_FLOATS}).shapesNeedValues();
  schema.input("scores", "[N]").types({ALL_FLOATS}).shapesNeedValues();
  schema.input("max_output_size", "one element").types({ALL_FLOATS, ALL_INTS}).optional();
  schema.input("overlap_threshold", "one element").types({ALL_FLOATS}).optional();
  schema.input("score_threshold", "one element").types({ALL_FLOATS}).optional();
  nonMaxArguments(schema, true);
  schema.output("z", "[number of selected boxes], INT32; their indices");
  schema.outputTypes({ALL_INDICES}).infer(inferSelected<false>);
  schema.notDifferentiable(DISCRETE_CHOICE);
  schema.example(
      R"({"boxes": [[0.0, 0.0, 1.0, 1.0], [0.0, 0.0, 1.0, 0.9], [2.0, 2.0, 3.0, 3.0]], "scores": [0.9, 0.8, 0.7], "max_output_size": 3})");
  schema.elsewhere(
      {.torch = "torchvision.ops.nms", .tensorflow = "tf.image.non_max_suppression", .onnx = "NonMaxSuppression"});
  schema.words("NMS, object detection, boxes").see("non_max_suppression");
}

CUSTOM_OP_IMPL(non_max_suppression_overlaps, 2, 1, false, 0, 0) {
  return store(current(block, true), *OUTPUT_VARIABLE(0));
}

INFERRED_SHAPES(non_max_suppression_overlaps)

DECLARE_SCHEMA(non_max_suppression_overlaps) {
  schema.summary("Selects elements by score, without those that are too similar to a better one.")
      .formula("as non_max_suppression_v3 with the overlap overlaps[candidate, selected]")
      .note("Elements are taken by descending score; of equal scores, the first comes first.");
  schema.input("overlaps", "[N, N]").types({ALL_FLOATS}).shapesNeedValues();
  schema.input("scores", "[N]").types({ALL_FLOATS}).shapesNeedValues();
  schema.input("max_output_size", "one element").types({ALL_FLOATS, ALL_INTS}).optional();
  nonMaxArguments(schema, false);
  schema.output("z", "[number of selected elements], INT32; their indices");
  schema.outputTypes({ALL_INDICES}).infer(inferSelected<true>);
  schema.notDifferentiable(DISCRETE_CHOICE);
  schema.example(
      R"({"overlaps": [[1.0, 0.8, 0.0], [0.8, 1.0, 0.0], [0.0, 0.0, 1.0]], "scores": [0.9, 0.8, 0.7], "max_output_size": 3})");
  schema.elsewhere({.tensorflow = "tf.image.non_max_suppression_overlaps"});
  schema.words("NMS").see("non_max_suppression_v3");
}

}  // namespace sd::ops
