// Reductions that are numbered operations, with results of x's type or of a real type.
// operations: reduce_sum reduce_prod reduce_max reduce_min reduce_mean reduce_norm1 reduce_norm2 reduce_sqnorm
// operations: reduce_norm_max reduce_logsumexp reduce_variance reduce_stdev
// calls: Exp IsFinite Log Max Mean Min Multiply Norm1 Norm2 NormMax Prod ReplaceNans SquaredNorm Sum
// calls: SummaryStatsStandardDeviation SummaryStatsVariance
#include "ops/declarable/generic/reduce/Reduction.h"
#include "ops/declarable/helpers/rules.h"

namespace sd::ops {
namespace {

struct Documentation {
  const char *summary, *formula, *example;
  NamesElsewhere elsewhere;
  const char *words, *see;
};

Status reduceWith(graph::Context& block, ReduceOp op, NDArray& z) {
  const NDArray& x = *block.array(0);
  if (z.isEmpty()) return Status::OK;
  const auto& a = arguments<Reduction>(block);
  x.reduceAlongDimension(op, z, currentAxes(block, a.axis, x.rankOf()), a.keepDims);
  return Status::OK;
}

void document(Schema& schema, const Documentation& text) {
  schema.summary(text.summary).formula(text.formula).note(REDUCTION_NOTE);
  schema.example(text.example).elsewhere(text.elsewhere).words(text.words).see(text.see);
}

/// A result, or its gradient, in a shape that broadcasts with x.
Symbol stretchable(Gradient& g, Symbol y) {
  const auto& a = g.arguments<Reduction>();
  const PartialShape x = g.shape(g.input(0)), shape = g.shape(y);
  if (shape.hasRank() && (shape.rank() == 0 || shape.rank() == x.rank())) return y;
  const bool isKnown = x.hasRank() && shape.hasRank() && !a.keepDims;
  if (!isKnown) return g.call("reduce_sum_bp", {g.input(0), y}, a);
  Symbol result = y;
  for (const int axis : reducedAxes(a.axis, x.rank())) result = g.expandDims(result, axis);
  return result;
}

void norm1Rule(Gradient& g) { g.set(0, g.call("transform.Sign", {g.input(0)}) * stretchable(g, g.of())); }
void norm2Rule(Gradient& g) {
  const Symbol factor = g.call("divide_no_nan", {g.of(), g.output()});
  g.set(0, g.input(0) * stretchable(g, factor));
}
void squaredNormRule(Gradient& g) { g.set(0, g.input(0) * stretchable(g, g.of() * 2.0)); }

/// The result has the type of x or, if `real`, a float type. `rule`: of graphs, if one is better there.
void describe(Schema& schema, bool real, const char* numbered, const char* gradient, GradientFunction rule,
              const Documentation& text) {
  document(schema, text);
  const std::string_view number(numbered);
  if (number == "reduce.Sum" || number == "reduce.Mean")
    schema.input("x", "any shape").types({ALL_FLOATS, ALL_INTS, BOOL, ALL_COMPLEX});
  else
    schema.input("x", "any shape").types({ALL_FLOATS, ALL_INTS, BOOL});
  reductionArguments<Reduction>(schema, 1);
  if (real) {
    schema.output("y", "x without the axes; the type of x, the default float type for integers and booleans");
    schema.outputTypes({ALL_FLOATS, ALL_COMPLEX}).infer([](Inference& in) {
      in.output(reducedShape<Reduction>(in, true));
    });
  } else {
    schema.output("y", "x without the axes; the type of x");
    schema.sameTypes().infer([](Inference& in) { in.output(reducedShape<Reduction>(in, false)); });
  }
  schema.reduction(numbered).gradient(gradient).gradient(rule);
}

#define SD_REDUCED R"({"x": [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], "axis": [0]})"
#define SD_REDUCED_SIGNS R"({"x": [[3.0, -4.0], [1.0, 0.0]], "axis": [1]})"

const Documentation SUM = {
    "The sum along axes.", "y = sum x",         SD_REDUCED, {"numpy.sum", "torch.sum", "tf.reduce_sum", "ReduceSum"},
    "sum, total, add up",  "reduce_mean cumsum"};
const Documentation PROD = {"The product along axes.",
                            "y = product x",
                            SD_REDUCED,
                            {"numpy.prod", "torch.prod", "tf.reduce_prod", "ReduceProd"},
                            "product, multiply",
                            "reduce_sum cumprod"};
const Documentation MAX = {"The largest element along axes.",
                           "y = max x",
                           SD_REDUCED,
                           {"numpy.max", "torch.amax", "tf.reduce_max", "ReduceMax"},
                           "maximum, largest",
                           "reduce_min argmax"};
const Documentation MIN = {"The smallest element along axes.",
                           "y = min x",
                           SD_REDUCED,
                           {"numpy.min", "torch.amin", "tf.reduce_min", "ReduceMin"},
                           "minimum, smallest",
                           "reduce_max argmin"};
const Documentation MEAN = {"The mean along axes.",
                            "y = sum x / n",
                            SD_REDUCED,
                            {"numpy.mean", "torch.mean", "tf.reduce_mean", "ReduceMean"},
                            "mean, average",
                            "reduce_sum reduce_variance"};
const Documentation NORM1 = {"The sum of magnitudes along axes.",
                             "y = sum |x|",
                             SD_REDUCED_SIGNS,
                             {"numpy.linalg.norm", "torch.linalg.vector_norm", "tf.norm", "ReduceL1"},
                             "L1 norm, Manhattan norm, sum of absolute values",
                             "reduce_norm2 norm"};
const Documentation NORM2 = {"The Euclidean norm along axes.",
                             "y = sqrt(sum x^2)",
                             SD_REDUCED_SIGNS,
                             {"numpy.linalg.norm", "torch.linalg.vector_norm", "tf.norm", "ReduceL2"},
                             "L2 norm, length, magnitude",
                             "reduce_sqnorm norm"};
const Documentation SQUARED_NORM = {
    "The sum of squares along axes.",       "y = sum x^2", SD_REDUCED_SIGNS, {.onnx = "ReduceSumSquare"},
    "squared norm, sum of squares, energy", "reduce_norm2"};
const Documentation NORM_MAX = {"The largest magnitude along axes.",
                                "y = max |x|",
                                SD_REDUCED_SIGNS,
                                {.torch = "torch.linalg.vector_norm", .tensorflow = "tf.norm"},
                                "infinity norm, maximum norm, Chebyshev norm",
                                "reduce_max norm"};

}  // namespace

#define SD_REDUCTION(NAME, NUMBER, REAL, RULE, TEXT)                                                          \
  CUSTOM_OP_IMPL(NAME, -1, 1, false, 0, 0) { return reduceWith(block, reduce::NUMBER, *OUTPUT_VARIABLE(0)); } \
  INFERRED_SHAPES(NAME)                                                                                       \
  DECLARE_SCHEMA(NAME) { describe(schema, REAL, "reduce." #NUMBER, #NAME "_bp", RULE, TEXT); }

SD_REDUCTION(reduce_sum, Sum, false, nullptr, SUM)
SD_REDUCTION(reduce_prod, Prod, false, nullptr, PROD)
SD_REDUCTION(reduce_max, Max, false, nullptr, MAX)
SD_REDUCTION(reduce_min, Min, false, nullptr, MIN)
SD_REDUCTION(reduce_mean, Mean, true, nullptr, MEAN)
SD_REDUCTION(reduce_norm1, Norm1, true, norm1Rule, NORM1)
SD_REDUCTION(reduce_norm2, Norm2, true, norm2Rule, NORM2)
SD_REDUCTION(reduce_sqnorm, SquaredNorm, true, squaredNormRule, SQUARED_NORM)
SD_REDUCTION(reduce_norm_max, NormMax, true, nullptr, NORM_MAX)

// ---- log of the sum of exponentials

CUSTOM_OP_IMPL(reduce_logsumexp, -1, 1, false, 0, -2) {
  NDArray& z = *OUTPUT_VARIABLE(0);
  if (z.isEmpty()) return Status::OK;
  const NDArray& given = *INPUT_VARIABLE(0);
  const std::vector<int> axes = reducedAxes(arguments<Reduction>(block).axis, given.rankOf());
  if (given.isEmpty()) {
    z.assign(-DataTypeUtils::infOrMax<double>());
    return Status::OK;
  }
  NDArray x = given.dataType() == z.dataType() ? given.dup() : given.cast(z.dataType());
  // The largest element of each slice is subtracted to prevent overflow, unless it is infinite: that would give NaN.
  NDArray largest = x.reduceAlongDimension(reduce::Max, axes);
  NDArray finite = zeros(BOOL, largest.getShapeAsVector());
  if (largest.rankOf() == 0) finite = NDArray(BOOL);
  largest.applyTransform(transform::IsFinite, finite);
  NDArray shift = largest.dup();
  NDArray mask = finite.cast(z.dataType());
  shift.applyPairwiseTransform(pairwise::Multiply, mask, shift);
  shift.applyScalar(scalar::ReplaceNans, 0.0, shift);
  x -= stretchable(shift, x, axes);
  x.applyTransform(transform::Exp, x);
  NDArray sums = x.reduceAlongDimension(reduce::Sum, axes);
  sums.applyTransform(transform::Log, sums);
  sums += shift;
  z.assign(sums);
  return Status::OK;
}
INFERRED_SHAPES(reduce_logsumexp)
DECLARE_SCHEMA(reduce_logsumexp) {
  document(schema, {"The logarithm of the sum of exponentials along axes.",
                    "y = m + log(sum exp(x - m)), m = max x",
                    R"({"x": [[0.0, 0.0], [5.0, 5.0]], "axis": [1]})",
                    {"numpy.logaddexp.reduce", "torch.logsumexp", "tf.reduce_logsumexp", "ReduceLogSumExp"},
                    "log-sum-exp, soft maximum",
                    "softmax log_softmax reduce_max"});
  schema.input("x", "any shape").types({ALL_FLOATS, ALL_INTS});
  schema.input("axis", "the axes to reduce").types({ALL_INTS, ALL_FLOATS}).rank(0, 2).optional();
  schema.argument(&Reduction::axis, "axis", AXIS_TEXT).atInteger(0).orInput(1);
  schema.argument(&Reduction::keepDims, "keep_dims", KEEP_DIMS_TEXT).atFloat(0);
  schema.output("y", "x without the axes; the type of x, the default float type for integers");
  schema.outputTypes({ALL_FLOATS}).infer([](Inference& in) { in.output(reducedShape<Reduction>(in, true)); });
  schema.gradient([](Gradient& g) {
    const Symbol x = g.input(0);
    const auto stretched = [&](Symbol y) {
      return g.prefersRules() ? stretchable(g, y) : g.call("reduce_sum_bp", {x, y}, g.ownArguments());
    };
    g.set(0, g.call("transform.Exp", {x - stretched(g.output())}) * stretched(g.of()));
  });
}

// ---- variance and standard deviation

namespace {

Status spread(graph::Context& block, variance::Ops op, NDArray& z) {
  const NDArray& x = *block.array(0);
  if (z.isEmpty()) return Status::OK;
  const auto& a = arguments<Spread>(block);
  const std::vector<int> axes = reducedAxes(a.axis, x.rankOf());
  if (elementsPerResult(x, axes) <= 1) {
    z.nullify();
    return Status::OK;
  }
  loops::summaryStats(op, in(x), out(z), a.biasCorrected, axes);
  return Status::OK;
}

void describeSpread(Schema& schema, const char* numbered, const char* gradient, const Documentation& text) {
  document(schema, text);
  schema.note(
      "One element gives 0. Without axes, a scalar or a vector gives a scalar, even with keep_dims, and an "
      "empty array gives its own empty shape.");
  schema.input("x", "any shape").types({ALL_FLOATS, ALL_INTS});
  reductionArguments<Spread>(schema, 1);
  schema.output("y", "x without the axes; the type of x, the default float type for integers");
  schema.outputTypes({ALL_FLOATS})
      .infer([](Inference& in) { in.output(reducedShape<Spread>(in, true)); })
      .reduction(numbered)
      .gradient(gradient);
}

#define SD_SPREAD_EXAMPLE R"({"x": [[1.0, 2.0, 3.0], [2.0, 4.0, 6.0]], "axis": [1], "bias_corrected": true})"

const Documentation VARIANCE = {
    "The variance along axes.", "y = sum (x - mean)^2 / n, or n - 1 when bias_corrected",
    SD_SPREAD_EXAMPLE,          {.numpy = "numpy.var", .torch = "torch.var", .tensorflow = "tf.math.reduce_variance"},
    "variance, spread, ddof",   "reduce_stdev moments"};
const Documentation DEVIATION = {"The standard deviation along axes.",
                                 "y = sqrt(sum (x - mean)^2 / n), or n - 1 when bias_corrected",
                                 SD_SPREAD_EXAMPLE,
                                 {.numpy = "numpy.std", .torch = "torch.std", .tensorflow = "tf.math.reduce_std"},
                                 "standard deviation, spread, ddof",
                                 "reduce_variance moments"};

}  // namespace

#define SD_SPREAD(NAME, NUMBER, TEXT)                                                                       \
  CUSTOM_OP_IMPL(NAME, -1, 1, false, 0, 0) { return spread(block, variance::NUMBER, *OUTPUT_VARIABLE(0)); } \
  INFERRED_SHAPES(NAME)                                                                                     \
  DECLARE_SCHEMA(NAME) { describeSpread(schema, "variance." #NUMBER, #NAME "_bp", TEXT); }

SD_SPREAD(reduce_variance, SummaryStatsVariance, VARIANCE)
SD_SPREAD(reduce_stdev, SummaryStatsStandardDeviation, DEVIATION)

}  // namespace sd::ops
