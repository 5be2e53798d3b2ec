// Moments, and the cross entropy of weighted targets.
// operations: moments sufficient_statistics normalize_moments weighted_cross_entropy_with_logits
// calls: Mean SquaredNorm Sum SummaryStatsVariance
#include <ops/declarable/headers/nn.h>

#include <cmath>

#include "ops/declarable/generic/reduce/Reduction.h"
#include "ops/declarable/helpers/real.h"

namespace sd::ops {

CUSTOM_OP_IMPL(moments, 1, 2, false, 0, -2) {
  NDArray &mean = *OUTPUT_VARIABLE(0), &spread = *OUTPUT_VARIABLE(1);
  if (mean.isEmpty()) return Status::OK;
  const NDArray& given = *INPUT_VARIABLE(0);
  const DataType type = computeType(mean);
  const Dense x(given, type);
  const std::vector<int> axes = reducedAxes(block, 1, given.rankOf());
  mean.assign(x->reduceAlongDimension(reduce::Mean, axes).reshape('c', mean.getShapeAsVector()));
  spread.assign(
      x->varianceAlongDimension(variance::SummaryStatsVariance, false, axes).reshape('c', spread.getShapeAsVector()));
  return Status::OK;
}
DECLARE_SHAPE_FN(moments) {
  const LongType* result = reducedShape(block, inputShape->at(0), realType(inputShape->at(0)));
  return shapes(result, result);
}
DECLARE_TYPES(moments) {
  getOpDescriptor()
      ->setAllowedInputTypes({ALL_FLOATS, ALL_INTS})
      ->setAllowedOutputTypes({ALL_FLOATS})
      ->document({.summary = "Mean and variance along dimensions.",
                  .formula = "mean = sum(x) / n, variance = sum((x - mean)^2) / n",
                  .inputs = REDUCE_INPUTS,
                  .outputs = "mean: the reduced shape, the type of x (FLOAT32 for integers)\nvariance: like mean",
                  .integers = REDUCE_INTEGERS,
                  .booleans = "keepDims?: reduced dimensions are kept with size 1 (default false)"});
}

CUSTOM_OP_IMPL(sufficient_statistics, 2, 3, false, 0, 0) {
  const NDArray& x = *INPUT_VARIABLE(0);
  const std::vector<int> axes = reducedAxes(block, 1, x.rankOf());
  OUTPUT_VARIABLE(0)->assign(static_cast<double>(elementsPerResult(x, axes)));
  if (block.numT() > 0) OUTPUT_VARIABLE(3)->assign(T_ARG(0));
  NDArray &sum = *OUTPUT_VARIABLE(1), &squares = *OUTPUT_VARIABLE(2);
  if (sum.isEmpty()) return Status::OK;
  if (x.isEmpty()) {
    sum.nullify();
    squares.nullify();
    return Status::OK;
  }
  const Dense dense(x, computeType(x));
  sum.assign(dense->reduceAlongDimension(reduce::Sum, axes));
  squares.assign(dense->reduceAlongDimension(reduce::SquaredNorm, axes));
  return Status::OK;
}
DECLARE_SHAPE_FN(sufficient_statistics) {
  const LongType* x = inputShape->at(0);
  inputShape->at(1);
  const DataType type = ArrayOptions::dataType(x);
  std::vector<int> axes = reducedAxes(block, 1, shape::rank(x));
  const LongType* reduced = ShapeUtils::evalReduceShapeInfo('c', axes, x, type, false, false);
  if (block.numT() == 0) return shapes(scalarOf(type), reduced, reduced);
  return shapes(scalarOf(type), reduced, reduced, scalarOf(type));
}
DECLARE_TYPES(sufficient_statistics) {
  getOpDescriptor()
      ->setAllowedInputTypes(0, {ALL_FLOATS})
      ->setAllowedInputTypes(1, {INT32, INT64})
      ->setAllowedOutputTypes({ALL_FLOATS})
      ->document({.summary = "Count, sum and sum of squares along dimensions.",
                  .formula = "sum = sum of x, squares = sum of x^2 over the axes",
                  .inputs = "x: any shape\naxes: integers",
                  .outputs = "count: elements for each result, a scalar\nsum: the reduced shape\nsquares: like "
                             "sum\nshift?: the argument, when it is given; all outputs have the type of x",
                  .floats = "shift?: only returned; it is not subtracted"});
}

CUSTOM_OP_IMPL(normalize_moments, 3, 2, false, 1, 0) {
  const NDArray &counts = *INPUT_VARIABLE(0), &sums = *INPUT_VARIABLE(1), &squares = *INPUT_VARIABLE(2);
  NDArray &mean = *OUTPUT_VARIABLE(0), &spread = *OUTPUT_VARIABLE(1);
  requireScalar(counts, 0, "counts");
  requireSameShape(squares, 2, "sumsOfSquares", sums, 1, "sums");
  if (mean.isEmpty()) return Status::OK;
  const DataType type = computeType(mean);
  const Dense sum(sums, type), square(squares, type);
  const double n = counts.e<double>(0);
  NDArray m = *sum / n;
  spread.assign(*square / n - m * m);
  m += T_ARG(0);
  mean.assign(m);
  return Status::OK;
}
DECLARE_SHAPE_FN(normalize_moments) {
  inputShape->at(2);
  return shapes(like(inputShape->at(1)), like(inputShape->at(1)));
}
DECLARE_TYPES(normalize_moments) {
  getOpDescriptor()
      ->setAllowedInputTypes({ALL_FLOATS})
      ->setAllowedInputTypes(0, {ALL_FLOATS, ALL_INTS})
      ->setAllowedOutputTypes({ALL_FLOATS})
      ->document({.summary = "Mean and variance from sufficient statistics.",
                  .formula = "m = sums / counts, mean = m + shift, variance = sumsOfSquares / counts - m^2",
                  .inputs = "counts: one element\nsums: any shape\nsumsOfSquares: like sums",
                  .outputs = "mean: like sums\nvariance: like sums",
                  .floats = "shift: added to the mean (0 for none)"});
}

OP_IMPL(weighted_cross_entropy_with_logits, 3, 1, true) {
  const NDArray &targets = *INPUT_VARIABLE(0), &logits = *INPUT_VARIABLE(1), &weights = *INPUT_VARIABLE(2);
  NDArray& z = *OUTPUT_VARIABLE(0);
  requireSameShape(logits, 1, "logits", targets, 0, "targets");
  const LongType n = targets.rankOf() == 0 ? 1 : targets.sizeAt(-1), period = weights.lengthOf();
  if (period != 1 && period != n)
    reject("input 2 'weights': its shape is {}, but 1 or {} elements are needed", text(weights), n);
  if (z.isEmpty()) return Status::OK;
  const DataType type = computeType(z);
  const Dense t(targets, type), x(logits, type), w(weights, type);
  DenseOut out(z, type);
  withReal(type, [&]<typename T>() {
    const T *ts = t.as<T>(), *xs = x.as<T>(), *ws = w.as<T>();
    T* result = out.as<T>();
    overElements(z.lengthOf(), 15, [=](LongType start, LongType stop) {
      for (LongType i = start; i < stop; i++)
        result[i] = (1 - ts[i]) * xs[i] + (1 + (ws[i % period] - 1) * ts[i]) *
                                              (std::log1p(std::exp(-std::abs(xs[i]))) + (xs[i] < 0 ? -xs[i] : T(0)));
    });
  });
  out.commit();
  return Status::OK;
}
DECLARE_TYPES(weighted_cross_entropy_with_logits) {
  getOpDescriptor()
      ->setAllowedInputTypes({ALL_FLOATS})
      ->setSameMode(true)
      ->document({.summary = "The cross entropy of sigmoid(x), with a weight for the positive targets.",
                  .formula = "z = (1 - t) x + (1 + (w - 1) t) (log(1 + exp(-|x|)) + max(-x, 0))",
                  .inputs = "targets: any shape\nlogits: like targets\nweights: one element, or one for each position "
                            "of the last dimension",
                  .outputs = "z: like targets"});
}

}  // namespace sd::ops
