// Moments, and the cross entropy of weighted targets.
// operations: moments sufficient_statistics normalize_moments weighted_cross_entropy_with_logits
// calls: Mean SquaredNorm Sum SummaryStatsVariance
#include <ops/declarable/headers/nn.h>
#include <ops/declarable/headers/reduce.h>

#include <cmath>

#include "ops/declarable/generic/reduce/Reduction.h"
#include "ops/declarable/helpers/real.h"
#include "ops/declarable/helpers/rules.h"

namespace sd::ops {

CUSTOM_OP_IMPL(moments, 1, 2, false, 0, -2) {
  NDArray &mean = *OUTPUT_VARIABLE(0), &spread = *OUTPUT_VARIABLE(1);
  if (mean.isEmpty()) return Status::OK;
  const NDArray& given = *INPUT_VARIABLE(0);
  const DataType type = computeType(mean);
  const Dense x(given, type);
  const std::vector<int> axes = reducedAxes(arguments<Reduction>(block).axis, given.rankOf());
  mean.assign(x->reduceAlongDimension(reduce::Mean, axes).reshape('c', mean.getShapeAsVector()));
  spread.assign(
      x->varianceAlongDimension(variance::SummaryStatsVariance, false, axes).reshape('c', spread.getShapeAsVector()));
  return Status::OK;
}
INFERRED_SHAPES(moments)
DECLARE_SCHEMA(moments) {
  schema.summary("Mean and variance along axes.")
      .formula("mean = sum(x) / n, variance = sum((x - mean)^2) / n")
      .note(REDUCTION_NOTE);
  schema.input("x", "any shape").types({ALL_FLOATS, ALL_INTS});
  reductionArguments<Reduction>(schema, 1);
  schema.output("mean", "the reduced shape; the type of x, the default float type for integers");
  schema.output("variance", "the shape and type of mean");
  schema.outputTypes({ALL_FLOATS}).infer([](Inference& in) {
    const PartialShape mean = reducedShape<Reduction>(in, true);
    in.output(mean);
    in.output(mean);
  });
  schema.example(R"({"x": [[1.0, 3.0], [2.0, 6.0]], "axis": [1]})")
      .elsewhere({.tensorflow = "tf.nn.moments"})
      .words("mean, variance, statistics")
      .see("reduce_mean reduce_variance sufficient_statistics normalize_moments");
  schema.gradient([](Gradient& g) {
    const Symbol x = g.input(0);
    const auto& a = g.arguments<Reduction>();
    const Symbol byMean = g.call("reduce_mean_bp", {x, g.ofOrZero(0)}, a);
    g.set(0, byMean + g.call("reduce_variance_bp", {x, g.ofOrZero(1)}, Spread{a.axis, a.keepDims}));
  });
}

CUSTOM_OP_IMPL(sufficient_statistics, 2, 3, false, 0, 0) {
  const NDArray& x = *INPUT_VARIABLE(0);
  const auto& a = arguments<SufficientStatistics>(block);
  const std::vector<int> axes = reducedAxes(a.axis, x.rankOf());
  OUTPUT_VARIABLE(0)->assign(static_cast<double>(elementsPerResult(x, axes)));
  if (a.shift) OUTPUT_VARIABLE(3)->assign(*a.shift);
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
INFERRED_SHAPES(sufficient_statistics)
DECLARE_SCHEMA(sufficient_statistics) {
  using A = SufficientStatistics;
  schema.summary("Count, sum and sum of squares along axes.")
      .formula("sum = sum of x, squares = sum of x^2 over the axes");
  schema.input("x", "any shape").types({ALL_FLOATS});
  schema.input("axis", "the axes to reduce, all when there are none").types({INT32, INT64}).rank(0, 2);
  schema.argument(&A::axis, "axis", AXIS_TEXT).orInput(1).require();
  schema.argument(&A::shift, "shift", "only returned; it is not subtracted").atFloat(0);
  schema.output("count", "elements for each result, a scalar of the type of x");
  schema.output("sum", "the reduced shape, the type of x");
  schema.output("squares", "the shape and type of sum");
  schema.output("shift", "the argument, a scalar of the type of x").when("shift is given");
  schema.outputTypes({ALL_FLOATS}).infer([](Inference& in) {
    const PartialShape x = in.input(0);
    const auto& a = in.arguments<A>();
    const PartialShape sum = reducedShape(x, a.axis, in.knows(&A::axis), false, x.type()).withOrder('c');
    in.output(PartialShape::scalar(x.type()));
    in.output(sum);
    in.output(sum);
    if (a.shift) in.output(PartialShape::scalar(x.type()));
  });
  schema.example(R"({"x": [[1.0, 2.0], [3.0, 4.0]], "axis": [0]})")
      .elsewhere({.tensorflow = "tf.nn.sufficient_statistics"})
      .words("count, sum, sum of squares, moments")
      .see("normalize_moments moments");
  schema.gradient([](Gradient& g) {
    const Symbol x = g.input(0);
    const Reduction a{g.arguments<A>().axis};
    const Symbol bySum = g.call("reduce_sum_bp", {x, g.ofOrZero(1)}, a);
    g.set(0, bySum + g.call("reduce_sqnorm_bp", {x, g.ofOrZero(2)}, a));
  });
}

CUSTOM_OP_IMPL(normalize_moments, 3, 2, false, 1, 0) {
  const NDArray &counts = *INPUT_VARIABLE(0), &sums = *INPUT_VARIABLE(1), &squares = *INPUT_VARIABLE(2);
  NDArray &mean = *OUTPUT_VARIABLE(0), &spread = *OUTPUT_VARIABLE(1);
  requireScalar(counts, 0, "count");
  requireSameShape(squares, 2, "squares", sums, 1, "sum");
  if (mean.isEmpty()) return Status::OK;
  const DataType type = computeType(mean);
  const Dense sum(sums, type), square(squares, type);
  const double n = counts.e<double>(0);
  NDArray m = *sum / n;
  spread.assign(*square / n - m * m);
  m += arguments<MomentShift>(block).shift;
  mean.assign(m);
  return Status::OK;
}
INFERRED_SHAPES(normalize_moments)
DECLARE_SCHEMA(normalize_moments) {
  schema.summary("Mean and variance from sufficient statistics.")
      .formula("m = sum / count, mean = m + shift, variance = squares / count - m^2");
  schema.input("count", "one element").types({ALL_FLOATS, ALL_INTS});
  schema.input("sum", "any shape").types({ALL_FLOATS});
  schema.input("squares", "sums of squares, the shape of sum").types({ALL_FLOATS});
  schema.argument(&MomentShift::shift, "shift", "added to the mean").atFloat(0);
  schema.output("mean", "the shape and type of sum");
  schema.output("variance", "the shape and type of sum");
  schema.inputTypes({ALL_FLOATS}).outputTypes({ALL_FLOATS}).infer([](Inference& in) {
    const PartialShape sum = in.input(1), squares = in.input(2);
    requireSameShape(squares, 2, "squares", sum, 1, "sum");
    in.output(merged(sum, squares));
    in.output(merged(sum, squares));
  });
  schema.example(R"({"count": 2.0, "sum": [4.0, 6.0], "squares": [10.0, 20.0], "shift": 0.0})")
      .elsewhere({.tensorflow = "tf.nn.normalize_moments"})
      .words("mean, variance, sufficient statistics")
      .see("sufficient_statistics moments");
  schema.gradient([](Gradient& g) {
    const Symbol n = g.input(0), sum = g.input(1), gradMean = g.ofOrZero(0), gradVariance = g.ofOrZero(1);
    const Symbol m = sum / n, byMean = gradMean - gradVariance * m * 2.0;
    g.set(1, byMean / n);
    g.set(2, gradVariance / n);
    g.set(0, g.reshapeLike(-(g.sum(byMean * m) + g.sum(gradVariance * g.input(2) / n)) / n, n));
  });
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
DECLARE_SCHEMA(weighted_cross_entropy_with_logits) {
  schema.summary("The cross entropy of sigmoid(x), with a weight for the positive targets.")
      .formula("z = (1 - t) x + (1 + (w - 1) t) (log(1 + exp(-|x|)) + max(-x, 0))");
  schema.input("targets", "any shape");
  schema.input("logits", "the shape of targets");
  schema.input("weights", "one element, or one for each position of the last dimension");
  schema.output("z", "the shape and type of targets");
  schema.inputTypes({ALL_FLOATS}).sameTypes().infer([](Inference& in) {
    const PartialShape targets = in.input(0), logits = in.input(1);
    in.input(2);
    requireSameShape(logits, 1, "logits", targets, 0, "targets");
    in.output(merged(targets, logits));
  });
  schema.example(R"({"targets": [1.0, 0.0], "logits": [0.0, 0.0], "weights": [2.0]})")
      .elsewhere({.torch = "torch.nn.functional.binary_cross_entropy_with_logits",
                  .tensorflow = "tf.nn.weighted_cross_entropy_with_logits"})
      .words("sigmoid cross entropy, logistic loss, positive weight")
      .see("sigm_cross_entropy_loss");
  schema.gradient([](Gradient& g) {
    // z = (1 - t) x + (1 + (w - 1) t) softplus(-x)
    const Symbol t = g.input(0), x = g.input(1), w = g.input(2);
    const Symbol tail = g.call("transform.SoftPlus", {-x}), factor = (w - 1.0) * t + 1.0;
    g.set(0, g.of() * ((w - 1.0) * tail - x));
    g.set(1, g.of() * (1.0 - t - factor * g.call("transform.Sigmoid", {-x})));
    g.set(2, g.sumTo(g.of() * t * tail, w));
  });
}

}  // namespace sd::ops
