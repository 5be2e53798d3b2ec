// Gradients of the reductions: inputs x and the gradient of the result, then optional axes.
// operations: reduce_sum_bp reduce_mean_bp reduce_prod_bp reduce_norm1_bp reduce_norm2_bp reduce_sqnorm_bp
// operations: reduce_variance_bp reduce_stdev_bp reduce_max_bp reduce_min_bp reduce_norm_max_bp reduce_dot_bp
// calls: Abs DivideNoNan EqualTo IndexAbsoluteMax IndexMax IndexMin Mean MinPairwise Norm2 OneMinus Prod Sign Subtract
// calls: Sum SummaryStatsStandardDeviation
#include <helpers/ConstantTadHelper.h>

#include <algorithm>

#include "ops/declarable/Composition.h"
#include "ops/declarable/generic/reduce/Reduction.h"
#include "ops/declarable/helpers/backward_rules.h"

namespace sd::ops {
namespace {

/// The axis argument of a reduction or a spread.
const std::vector<int>& axisOf(graph::Context& block) {
  const bool spread = block.argumentBlock().holds(argumentStruct<Spread>);
  return spread ? arguments<Spread>(block).axis : arguments<Reduction>(block).axis;
}

/// One call: x, the gradient of the result in a shape that broadcasts with x, the axes, and the number of elements per
/// slice.
struct Call {
  const NDArray& x;
  std::vector<int> axes;
  NDArray g;
  double n;

  explicit Call(graph::Context& block)
      : x(*block.array(0)),
        axes(reducedAxes(axisOf(block), x.rankOf())),
        g(stretchable(*block.array(1), x, axes)),
        n(static_cast<double>(elementsPerResult(x, axes))) {
    if (g.dataType() != x.dataType()) g = NDArray(g.cast(x.dataType()));
  }

  /// A reduction of x in a shape that broadcasts with x.
  NDArray reduced(ReduceOp op, const NDArray& values) const {
    return stretchable(values.reduceAlongDimension(op, axes), x, axes);
  }
  NDArray mean() const { return reduced(reduce::Mean, x); }
};

void sum(graph::Context&, const Call& call, NDArray& z) { z.assign(call.g); }

void mean(graph::Context&, const Call& call, NDArray& z) { z.assign(call.g / call.n); }

void norm1(graph::Context&, const Call& call, NDArray& z) { z.assign(call.x.transform(transform::Sign) * call.g); }

void squaredNorm(graph::Context&, const Call& call, NDArray& z) { z.assign(call.x * 2.0 * call.g); }

/// values / divisor, 0 where the divisor is 0
NDArray safeQuotient(const NDArray& values, const NDArray& divisor) {
  return values.applyTrueBroadcast(BROADCAST(DivideNoNan), divisor);
}

void norm2(graph::Context&, const Call& call, NDArray& z) {
  z.assign(safeQuotient(call.x * call.g, call.reduced(reduce::Norm2, call.x)));
}

/// The product of the other elements. With one zero in a slice only that element has a gradient, with more zeros none
/// has.
void product(graph::Context&, const Call& call, NDArray& z) {
  NDArray isZero = zeros(BOOL, call.x.getShapeAsVector());
  if (call.x.rankOf() == 0) isZero = NDArray(BOOL);
  call.x.applyScalar(scalar::EqualTo, 0.0, isZero);
  const NDArray zeros = isZero.cast(call.x.dataType());
  const NDArray others = call.x + zeros;
  NDArray products = call.reduced(reduce::Prod, others), count = call.reduced(reduce::Sum, zeros);
  NDArray none = count.dup(), one = count.dup();
  // 1 where there are no zeros, 1 where there is exactly one
  none.applyScalar(scalar::MinPairwise, 1.0, none);
  none.applyTransform(transform::OneMinus, none);
  one.applyScalar(scalar::Subtract, 1.0, one);
  one.applyTransform(transform::Abs, one);
  one.applyScalar(scalar::MinPairwise, 1.0, one);
  one.applyTransform(transform::OneMinus, one);
  z.assign((none / others + one * zeros) * products * call.g);
}

/// The divisor m of the variance, whose gradient is 2 (x - mean) / m * g.
double divisor(graph::Context& block, const Call& call) {
  return std::max(1.0, arguments<Spread>(block).biasCorrected ? call.n - 1 : call.n);
}

void variance(graph::Context& block, const Call& call, NDArray& z) {
  z.assign((call.x - call.mean()) * (2.0 / divisor(block, call)) * call.g);
}

void deviation(graph::Context& block, const Call& call, NDArray& z) {
  const NDArray mean = call.mean();
  NDArray spread = mean.ulike();
  loops::summaryStats(variance::SummaryStatsStandardDeviation, in(call.x), out(spread),
                      arguments<Spread>(block).biasCorrected, call.axes);
  const NDArray scaled = (call.x - mean) * call.g / divisor(block, call);
  z.assign(safeQuotient(scaled, spread));
}

template <typename S>
void inferGradient(Inference& in) {
  const PartialShape x = in.input(0);
  in.input(1);
  in.output(x);
}

// ---- their own gradients

/// The number of elements that are summed to one, as a value of the type of x.
Symbol countOf(Gradient& g, Symbol x, const std::vector<int>& axis) {
  const PartialShape known = g.shape(x);
  if (!known.hasKnownSizes()) return g.sum(g.onesLike(x), axis, true);
  LongType count = 1;
  const std::vector<int> axes = reducedAxes(axis, known.rank());
  for (int d = 0; d < known.rank(); d++)
    if (axes.empty() || std::find(axes.begin(), axes.end(), d) != axes.end()) count *= known[d];
  return g.constant(static_cast<double>(count), x);
}

/// The gradient in the shape of x.
Symbol stretched(Gradient& g, const std::vector<int>& axis) {
  return g.call("reduce_sum_bp", {g.input(0), g.of()}, Reduction{axis});
}

/// The product of the other elements as a quotient: where an element is 0 there is no second derivative.
void productRule(Gradient& g) {
  const auto& axis = g.arguments<Reduction>().axis;
  const Symbol x = g.input(0), product = g.call("reduce_prod", {x}, Reduction{axis, true});
  g.set(0, stretched(g, axis) * product / x);
}

template <bool DEVIATION>
void spreadRule(Gradient& g) {
  const auto& a = g.arguments<Spread>();
  const Symbol x = g.input(0), centred = x - g.call("reduce_mean", {x}, Reduction{a.axis, true});
  const Symbol count = countOf(g, x, a.axis), divisor = a.biasCorrected ? count - 1.0 : count;
  const Symbol slope = stretched(g, a.axis) * centred / divisor;
  if (!DEVIATION) return g.set(0, slope * 2.0);
  const Symbol variance = g.sum(centred * centred, a.axis, true) / divisor;
  g.set(0, g.call("divide_no_nan", {slope, g.call("transform.Sqrt", {variance})}));
}

/// Of the extremes.
void extremeRule(Gradient& g) {
  const Symbol gradient = g.input(1);
  g.set(1, g.fitted(g.sum(chosenElements(g, 1), g.arguments<Reduction>().axis), gradient));
}

template <typename S>
void describe(Schema& schema, const char* forward, const char* formula, const char* example, GradientFunction rule) {
  schema.summary("The gradient of the reduction of the same name.")
      .formula(formula)
      .note("gradY may come with or without the reduced axes, whatever keep_dims says.");
  schema.input("x", "any shape").types({ALL_FLOATS});
  schema.input("gradY", "the gradient of y: its shape, with or without the reduced axes, or one element")
      .types({ALL_FLOATS});
  reductionArguments<S>(schema, 2);
  schema.output("gradX", "the shape and type of x");
  schema.outputTypes({ALL_FLOATS}).infer(inferGradient<S>).gradient(rule);
  schema.example(example).see(forward);
}

#define SD_EXAMPLE R"({"x": [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], "gradY": [1.0, 2.0], "axis": [1]})"

}  // namespace

// forward operation, number of inputs, struct of arguments, function, rule of its own gradient, formula
#define SD_REDUCTION_GRADIENT(NAME, NIN, ARGUMENTS, FUNCTION, RULE, FORMULA) \
  CUSTOM_OP_IMPL(NAME##_bp, NIN, 1, false, 0, 0) {                           \
    NDArray& z = *OUTPUT_VARIABLE(0);                                        \
    if (!z.isEmpty()) FUNCTION(block, Call(block), z);                       \
    return Status::OK;                                                       \
  }                                                                          \
  INFERRED_SHAPES(NAME##_bp)                                                 \
  DECLARE_SCHEMA(NAME##_bp) { describe<ARGUMENTS>(schema, #NAME, FORMULA, SD_EXAMPLE, RULE); }

SD_REDUCTION_GRADIENT(reduce_sum, -1, Reduction, sum, linearBackwardRule, "gradX = gradY")
SD_REDUCTION_GRADIENT(reduce_mean, -2, Reduction, mean, linearBackwardRule, "gradX = gradY / n")
SD_REDUCTION_GRADIENT(reduce_prod, -1, Reduction, product, backwardOf<productRule>,
                      "gradX = gradY * the product of the other elements")
SD_REDUCTION_GRADIENT(reduce_norm1, -1, Reduction, norm1, backwardRule, "gradX = sign(x) gradY")
SD_REDUCTION_GRADIENT(reduce_norm2, -1, Reduction, norm2, backwardRule,
                      "gradX = x gradY / norm2, 0 where the norm is 0")
SD_REDUCTION_GRADIENT(reduce_sqnorm, -1, Reduction, squaredNorm, backwardRule, "gradX = 2 x gradY")
SD_REDUCTION_GRADIENT(reduce_variance, -1, Spread, sd::ops::variance, backwardOf<spreadRule<false>>,
                      "gradX = 2 (x - mean) gradY / n, or n - 1 when bias_corrected")
SD_REDUCTION_GRADIENT(reduce_stdev, -1, Spread, deviation, backwardOf<spreadRule<true>>,
                      "gradX = (x - mean) gradY / (stdev n), or n - 1 when bias_corrected; 0 where stdev is 0")

// ---- the extremes: the whole gradient goes to the first element that equals the extreme

namespace {

enum class Sign { Keep, OfElement };

template <typename T>
void placeFirst_(const NDArray& x, const NDArray& g, const std::vector<int>& axes, const NDArray& positions, Sign sign,
                 NDArray& z) {
  z.nullify();
  const auto pack = ConstantTadHelper::getInstance().tadForDimensions(z.shapeInfo(), axes);
  const LongType* slice = pack.primaryShapeInfo();
  const auto *elements = x.bufferAsT<T>(), *gradients = g.bufferAsT<T>();
  const auto* at = positions.bufferAsT<LongType>();
  auto* out = z.bufferAsT<T>();
  for (LongType k = 0; k < pack.numberOfTads(); k++) {
    LongType offset = pack.primaryOffsets()[k], rest = at[k];
    for (int d = shape::rank(slice) - 1; d >= 0; d--) {
      offset += rest % shape::shapeOf(slice)[d] * shape::stride(slice)[d];
      rest /= shape::shapeOf(slice)[d];
    }
    const T gradient = gradients[g.lengthOf() == 1 ? 0 : k];
    const bool negative = sign == Sign::OfElement && elements[offset] < T(0);
    out[offset] = negative ? static_cast<T>(-gradient) : gradient;
  }
}

Status placeFirst(graph::Context& block, indexreduce::Ops op, Sign sign, NDArray& z) {
  const NDArray &x = *block.array(0), &given = *block.array(1);
  if (z.isEmpty()) return Status::OK;
  std::vector<int> axes = reducedAxes(axisOf(block), x.rankOf());
  const LongType results = x.lengthOf() / elementsPerResult(x, axes);
  if (given.lengthOf() != 1 && given.lengthOf() != results)
    reject("input 1 'gradY': its shape is {}, but {} elements are needed", text(given), results);
  const NDArray positions = x.applyIndexReduce(op, axes);
  if (axes.empty())
    for (int d = 0; d < x.rankOf(); d++) axes.push_back(d);
  const Dense elements(x), gradients(given, x.dataType());
  DenseOut target(z);
  if (x.lengthOf() == 1) {
    const bool negative = sign == Sign::OfElement && elements->e<double>(0) < 0;
    z.assign(negative ? -*gradients : *gradients);
    return Status::OK;
  }
  BUILD_SINGLE_SELECTOR(x.dataType(), placeFirst_, (*elements, *gradients, axes, *Dense(positions), sign, *target),
                        SD_FLOAT_TYPES);
  target.commit();
  return Status::OK;
}

}  // namespace

#define SD_EXTREME_GRADIENT(NAME, NUMBER, SIGN, FORMULA)                            \
  CUSTOM_OP_IMPL(NAME##_bp, -1, 1, false, 0, 0) {                                   \
    return placeFirst(block, indexreduce::NUMBER, Sign::SIGN, *OUTPUT_VARIABLE(0)); \
  }                                                                                 \
  INFERRED_SHAPES(NAME##_bp)                                                        \
  DECLARE_SCHEMA(NAME##_bp) { describe<Reduction>(schema, #NAME, FORMULA, SD_EXAMPLE, extremeRule); }

SD_EXTREME_GRADIENT(reduce_max, IndexMax, Keep, "gradX = gradY at the first maximum of the slice, else 0")
SD_EXTREME_GRADIENT(reduce_min, IndexMin, Keep, "gradX = gradY at the first minimum of the slice, else 0")
SD_EXTREME_GRADIENT(reduce_norm_max, IndexAbsoluteMax, OfElement,
                    "gradX = sign(x) gradY at the first largest magnitude of the slice, else 0")

// ---- the dot product, which has no forward operation

namespace {

std::vector<Symbol> dotGradients(Gradient& g) {
  const Symbol x = g.input(0), y = g.input(1);
  const Symbol gradient = g.call("reduce_sum_bp", {x, g.input(2)}, Reduction{g.arguments<Reduction>().axis});
  return {y * gradient, x * gradient};
}

}  // namespace

CUSTOM_OP_IMPL(reduce_dot_bp, -1, 2, false, 0, 0) {
  const NDArray &x = *INPUT_VARIABLE(0), &y = *INPUT_VARIABLE(1);
  requireSameShape(y, 1, "y", x, 0, "x");
  if (x.isEmpty()) return Status::OK;
  const NDArray g =
      stretchable(*INPUT_VARIABLE(2), x, reducedAxes(arguments<Reduction>(block).axis, x.rankOf())).cast(x.dataType());
  OUTPUT_VARIABLE(0)->assign(y.cast(x.dataType()) * g);
  OUTPUT_VARIABLE(1)->assign(x * g);
  return Status::OK;
}
INFERRED_SHAPES(reduce_dot_bp)
DECLARE_SCHEMA(reduce_dot_bp) {
  schema.summary("The gradients of the dot product along axes.")
      .formula("gradX = y gradZ, gradY = x gradZ")
      .note("The dot product itself is only a numbered operation. gradZ may come with or without the reduced axes.");
  schema.input("x", "any shape").types({ALL_FLOATS});
  schema.input("y", "the shape of x").types({ALL_FLOATS});
  schema.input("gradZ", "the gradient of z: its shape, with or without the reduced axes, or one element")
      .types({ALL_FLOATS});
  reductionArguments<Reduction>(schema, 3);
  schema.output("gradX", "the shape and type of x");
  schema.output("gradY", "the shape and type of y");
  schema.gradient(composedRule<dotGradients>);
  schema.outputTypes({ALL_FLOATS}).infer([](Inference& in) {
    const PartialShape x = in.input(0), y = in.input(1);
    requireSameShape(y, 1, "y", x, 0, "x");
    in.output(merged(x, y));
    in.output(merged(y, x));
  });
  schema.example(R"({"x": [[1.0, 2.0]], "y": [[3.0, 4.0]], "gradZ": [2.0], "axis": [1]})")
      .words("dot product, inner product, backward")
      .see("tensormmul");
}

}  // namespace sd::ops
