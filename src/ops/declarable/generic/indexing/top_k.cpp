// The largest elements of rows, along the last dimension: top_k, in_top_k, nth_element.
// operations: top_k in_top_k nth_element
#include <ops/declarable/headers/indexing.h>

#include "ops/declarable/Common.h"
#include "ops/declarable/helpers/largest.h"
#include "ops/declarable/helpers/rows.h"

namespace sd::ops {
namespace {

LongType numberOfLargest(graph::Context& block, const LongType* x) {
  if (shape::rank(x) == 0) reject("input 0 'x': a scalar has no rows");
  const NDArray* given = block.width() > 1 ? block.array(1) : nullptr;
  const LongType k = given != nullptr ? scalarInteger(*given, 1, "k") : integer(block, 0, 1);
  const LongType n = sizeAt(x, -1);
  if (k < 1 || k > n) reject("k: {} is outside 1..{} (shape {})", k, n, text(x));
  return k;
}

Dims lastReplaced(const LongType* x, LongType last) {
  Dims dims = dimsOf(x);
  dims.back() = last;
  return dims;
}

}  // namespace

CUSTOM_OP_IMPL(top_k, 1, 2, false, 0, -1) {
  const NDArray& x = *INPUT_VARIABLE(0);
  NDArray &values = *OUTPUT_VARIABLE(0), &indices = *OUTPUT_VARIABLE(1);
  const LongType k = numberOfLargest(block, x.shapeInfo());
  if (values.isEmpty()) return Status::OK;
  DenseOut positions(indices, INT64);
  helpers::positionsOfLargest(x, k, flag(block, 0, true), positions.as<LongType>());
  const Dense from(x);
  DenseOut largest(values);
  const LongType n = x.sizeAt(-1), rows = x.lengthOf() / n;
  for (LongType r = 0; r < rows; r++) {
    const auto size = static_cast<LongType>(x.sizeOfT());
    helpers::gatherRows(from.as<char>() + r * n * size, 1, n, positions.as<LongType>() + r * k, k, x.sizeOfT(),
                        largest.as<char>() + r * k * size);
  }
  positions.commit();
  largest.commit();
  return Status::OK;
}

DECLARE_SHAPE_FN(top_k) {
  const LongType* x = inputShape->at(0);
  const Dims dims = lastReplaced(x, numberOfLargest(block, x));
  return shapes(shapeOf(ArrayOptions::dataType(x), shape::order(x), dims), shapeOf(INT64, shape::order(x), dims));
}

DECLARE_TYPES(top_k) {
  getOpDescriptor()
      ->setAllowedInputTypes(0, {ALL_INTS, ALL_FLOATS})
      ->setAllowedInputTypes(1, {ALL_INTS, ALL_FLOATS})
      ->setAllowedOutputTypes(0, {ALL_INTS, ALL_FLOATS})
      ->setAllowedOutputTypes(1, {ALL_INTS})
      ->document({.summary = "The k largest elements of each row and their positions.",
                  .formula = "values[.., j] = x[.., indices[.., j]]",
                  .inputs = "x: [..., n]\nk?: a scalar in 1..n; overrides the argument",
                  .outputs = "values: [..., k], x's type\nindices: [..., k], INT64",
                  .integers = "k: the number of elements (1 when input 1 gives it)",
                  .booleans = "sorted?: by descending value, else by ascending position (default true)",
                  .notes = "Of equal elements, the first are taken, in their order. NaN is smaller than every "
                           "number."});
}

CUSTOM_OP_IMPL(in_top_k, 2, 1, true, 0, 1) {
  const NDArray &predictions = *INPUT_VARIABLE(0), &targets = *INPUT_VARIABLE(1);
  const LongType k = INT_ARG(0), n = predictions.sizeAt(1);
  const Dense scores(predictions, DOUBLE), classes = integerElements(targets, 1);
  DenseOut hits(*OUTPUT_VARIABLE(0), BOOL);
  for (LongType r = 0; r < predictions.sizeAt(0); r++) {
    const double* row = scores.as<double>() + r * n;
    const LongType target = classes.as<LongType>()[r];
    bool hit = target >= 0 && target < n && row[target] == row[target];
    if (hit) {
      LongType larger = 0;
      for (LongType j = 0; j < n; j++) larger += row[j] > row[target];
      hit = larger < k;
    }
    hits.as<bool>()[r] = hit;
  }
  hits.commit();
  return Status::OK;
}

DECLARE_SHAPE_FN(in_top_k) {
  const LongType *predictions = inputShape->at(0), *targets = inputShape->at(1);
  if (shape::rank(predictions) != 2)
    reject("input 0 'predictions': its rank is {}, not 2 (shape {})", shape::rank(predictions), text(predictions));
  if (shape::rank(targets) != 1)
    reject("input 1 'targets': its rank is {}, not 1 (shape {})", shape::rank(targets), text(targets));
  if (sizeAt(targets, 0) != sizeAt(predictions, 0))
    reject("input 1 'targets': {} targets are given for {} rows of predictions", sizeAt(targets, 0),
           sizeAt(predictions, 0));
  if (INT_ARG(0) < 1) reject("integer argument 0 'k': {} is below 1", INT_ARG(0));
  return shapes(vectorOf(BOOL, sizeAt(targets, 0)));
}

DECLARE_TYPES(in_top_k) {
  getOpDescriptor()
      ->setAllowedInputTypes(0, {ALL_FLOATS})
      ->setAllowedInputTypes(1, {ALL_INTS, ALL_FLOATS})
      ->setAllowedOutputTypes(BOOL)
      ->document(
          {.summary = "Whether the score of a target is among the k largest of its row.",
           .formula = "z[r] = fewer than k elements of predictions[r] are larger than predictions[r, targets[r]]",
           .inputs = "predictions: [N, C]\ntargets: [N], integers",
           .outputs = "z: [N], BOOL",
           .integers = "k: 1 and more",
           .notes = "A target outside 0..C-1 and a score that is NaN give false."});
}

namespace {

void requireRows(const LongType* x, const NDArray& n) {
  if (shape::rank(x) == 0) reject("input 0 'x': a scalar has no rows");
  requireScalar(n, 1, "n");
}

LongType elementNumber(graph::Context& block, const LongType* x) {
  requireRows(x, *block.array(1));
  const LongType n = integerOf(*block.array(1), 1, "n");
  if (n < 0 || n >= sizeAt(x, -1)) reject("input 1 'n': {} is outside 0..{} (shape {})", n, sizeAt(x, -1) - 1, text(x));
  return n;
}

}  // namespace

CUSTOM_OP_IMPL(nth_element, 2, 1, false, 0, 0) {
  const NDArray& x = *INPUT_VARIABLE(0);
  helpers::nthElements(x, elementNumber(block, x.shapeInfo()), integer(block, 0, 0) != 0, *OUTPUT_VARIABLE(0));
  return Status::OK;
}

DECLARE_SHAPE_FN(nth_element) {
  const LongType* x = inputShape->at(0);
  requireRows(x, *block.array(1));
  Dims dims = dimsOf(x);
  dims.pop_back();
  return shapes(shapeOf(ArrayOptions::dataType(x), shape::order(x), dims));
}

DECLARE_TYPES(nth_element) {
  getOpDescriptor()
      ->setAllowedInputTypes(0, {ALL_INTS, ALL_FLOATS})
      ->setAllowedInputTypes(1, {ALL_INTS, ALL_FLOATS})
      ->setAllowedOutputTypes({ALL_INTS, ALL_FLOATS})
      ->document({.summary = "The n-th smallest or largest element of each row.",
                  .formula = "z[..] = sorted(x[.., :])[n]",
                  .inputs = "x: [..., m]\nn: a scalar in 0..m-1",
                  .outputs = "z: x.shape[:-1], x's type",
                  .integers = "reverse?: not 0: the n-th largest (default 0)",
                  .notes = "NaN comes last in both directions."});
}

}  // namespace sd::ops
