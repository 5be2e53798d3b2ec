// The values below which given fractions of the elements lie: quantile, median, and where these values come from.
// operations: quantile quantile_positions median
#include <ops/declarable/headers/order_statistics.h>
#include <ops/declarable/headers/reduce.h>

#include <cmath>

#include "ops/declarable/helpers/inference.h"
#include "ops/declarable/helpers/quantiles.h"
#include "ops/declarable/helpers/rules.h"

namespace sd::ops {
namespace {

constexpr const char* AXIS_TEXT =
    "the axes along which the elements are ordered, all when there are none; negative ones count from the end";
constexpr const char* KEEP_DIMS_TEXT = "whether the reduced axes stay with size 1";
constexpr const char* IGNORE_NAN_TEXT = "whether NaN does not count, where it would make the result NaN";

DataType resultType(DataType type) { return type == INHERIT ? INHERIT : DataTypeUtils::pickFloatingType(type); }

/// A result for each fraction: the shape of q, then that of x without the axes.
PartialShape quantilesShape(Inference& in) {
  const PartialShape x = in.input(0), q = in.input(1);
  const auto& a = in.arguments<Quantile>();
  const DataType type = resultType(x.type());
  if (q.isEmptyScalar()) reject("input 1 'q': there are no fractions (shape {})", q.text());
  if (!x.hasRank() || !q.hasRank()) {
    if (x.hasRank()) checkedAxes(a.axis, x.rank(), "axis");
    return PartialShape(type);
  }
  const PartialShape rest = reduced(x, checkedAxes(a.axis, x.rank(), "axis"), a.keepDims, type);
  if (q.rank() + rest.rank() > SD_MAX_RANK)
    reject("shapes {} of x and {} of q: the result would have rank {}, {} are possible", x.text(), q.text(),
           q.rank() + rest.rank(), SD_MAX_RANK);
  PartialShape z(type, {});
  for (int d = 0; d < q.rank(); d++) z.append(q[d]);
  for (int d = 0; d < rest.rank(); d++) z.append(rest[d]);
  return z;
}

/// The fractions of input 1. @throws std::invalid_argument when one is outside 0..1
std::vector<double> fractionsOf(const NDArray& q) {
  const Dense dense(q, DOUBLE);
  const auto* values = dense.as<double>();
  std::vector<double> fractions(values, values + q.lengthOf());
  for (size_t k = 0; k < fractions.size(); k++) {
    if (fractions[k] >= 0 && fractions[k] <= 1) continue;
    const std::string place = q.rankOf() == 0 ? "" : " at [" + std::to_string(k) + "]";
    reject("input 1 'q': value {}{} is outside 0..1 (shape {})", fractions[k], place, text(q));
  }
  return fractions;
}

helpers::QuantileCall callOf(graph::Context& block) {
  const auto& a = arguments<Quantile>(block);
  return {fractionsOf(*block.array(1)), a.interpolation, checkedAxes(a.axis, block.array(0)->rankOf(), "axis"),
          a.ignoreNan};
}

/// Places of results in x, and the gradient of the results.
struct Taken {
  Symbol lower, upper, weight;
};
Taken takenBy(Gradient& g, Symbol x, Symbol q, const Quantile& a) {
  const auto results = g.callAll("quantile_positions", {x, q}, a);
  return {results[0], results[1], results[2]};
}

/// The gradient of x: each result goes to its two elements.
Symbol toElements(Gradient& g, Symbol x, Symbol q, const Quantile& a) {
  const Taken taken = takenBy(g, x, q, a);
  const Symbol upper = g.of() * taken.weight;
  return g.collect(x, taken.lower, g.of() - upper) + g.collect(x, taken.upper, upper);
}

/// The number of steps between the first and the last of the ordered elements, which broadcasts with the results.
Symbol stepsOf(Gradient& g, Symbol x, const Quantile& a) {
  const Symbol counted = a.ignoreNan ? g.cast(g.call("equals", {x, x}), x) : g.onesLike(x);
  const Symbol n = g.call("reduce_sum", {counted}, Reduction{a.axis, a.keepDims});
  return n - g.constant(1, n);
}

/// Values for the results, summed for each fraction.
Symbol sumOfEach(Gradient& g, Symbol values, Symbol q) {
  std::vector<int> axes;
  for (int d = g.rank(q); d < g.rank(values); d++) axes.push_back(d);
  return axes.empty() ? values : g.sum(values, axes);
}

void quantileRule(Gradient& g) {
  const Symbol x = g.input(0), q = g.input(1);
  const auto& a = g.arguments<Quantile>();
  if (g.wants(0)) g.set(0, toElements(g, x, q, a));
  if (a.interpolation != QuantileInterpolation::Linear) return g.none(1, JUMPS);
  if (!g.wants(1)) return;
  Quantile lower = a, higher = a;
  lower.interpolation = QuantileInterpolation::Lower;
  higher.interpolation = QuantileInterpolation::Higher;
  const Symbol slope = g.call("quantile", {x, q}, higher) - g.call("quantile", {x, q}, lower);
  g.set(1, sumOfEach(g, g.of() * slope * g.cast(stepsOf(g, x, a), slope), q));
}

/// Of the weights: the positions are integers.
void positionsRule(Gradient& g) {
  const auto& a = g.arguments<Quantile>();
  g.none(0, DISCRETE_CHOICE);
  if (a.interpolation != QuantileInterpolation::Linear) return g.none(1, JUMPS);
  const Symbol weight = g.output(2), one = g.onesLike(weight);
  g.set(1, sumOfEach(g, g.ofOrZero(2) * (one * g.cast(stepsOf(g, g.input(0), a), weight)), g.input(1)));
}

void quantileInputs(Schema& schema) {
  schema.input("x", "any shape").types({ALL_FLOATS, ALL_INTS, BOOL});
  schema.input("q", "fractions between 0 and 1; one of them or [Q]").types({ALL_FLOATS, ALL_INTS}).rank(0, 1);
  schema.argument(&Quantile::interpolation, "interpolation", "what stands for a position between two elements")
      .atInteger(0);
  schema.argument(&Quantile::axis, "axis", AXIS_TEXT).atInteger(1);
  schema.argument(&Quantile::keepDims, "keep_dims", KEEP_DIMS_TEXT).atFlag(0);
  schema.argument(&Quantile::ignoreNan, "ignore_nan", IGNORE_NAN_TEXT).atFlag(1);
}

}  // namespace

CUSTOM_OP_IMPL(quantile, 2, 1, false, 0, 0) {
  const helpers::QuantileCall call = callOf(block);
  helpers::quantiles(*INPUT_VARIABLE(0), call, *OUTPUT_VARIABLE(0));
  return Status::OK;
}
INFERRED_SHAPES(quantile)
DECLARE_SCHEMA(quantile) {
  schema.summary("The values below which given fractions of the elements along axes lie.")
      .formula("z = sorted[i] (1 - w) + sorted[i + 1] w, i = floor(q (n - 1)), w = q (n - 1) - i")
      .note("NaN makes the result NaN, unless ignore_nan; so does an axis without elements.");
  quantileInputs(schema);
  schema.output("z",
                "the shape of q, then x without the axes; the type of x, the default float type for integers and "
                "booleans");
  schema.outputTypes({ALL_FLOATS}).infer([](Inference& in) { in.output(quantilesShape(in)); }).gradient(quantileRule);
  schema.example(R"({"x": [[1.0, 2.0, 4.0], [3.0, 9.0, 8.0]], "q": [0.25, 0.5], "axis": [1]})");
  schema.elsewhere({.numpy = "numpy.quantile", .torch = "torch.quantile", .tensorflow = "tfp.stats.quantiles"});
  schema.words("percentile, quartile, nanquantile, order statistic").see("median percentile sort quantile_positions");
}

CUSTOM_OP_IMPL(quantile_positions, 2, 3, false, 0, 0) {
  const helpers::QuantileCall call = callOf(block);
  helpers::quantilePositions(*INPUT_VARIABLE(0), call, *OUTPUT_VARIABLE(0), *OUTPUT_VARIABLE(1), *OUTPUT_VARIABLE(2));
  return Status::OK;
}
INFERRED_SHAPES(quantile_positions)
DECLARE_SCHEMA(quantile_positions) {
  schema.summary("The elements between which quantiles lie.")
      .formula("quantile = x[lower] (1 - weight) + x[upper] weight")
      .note(
          "Positions count the elements of x in c order from 1 on. Of equal elements the first comes first. Where NaN "
          "makes the quantile NaN, both positions are that of the first NaN; where there are no numbers, they are 0.");
  quantileInputs(schema);
  schema.output("lower", "the shape of q, then x without the axes; INT64");
  schema.output("upper", "the shape of lower; INT64");
  schema.output("weight", "the shape of lower; the type of x, the default float type for integers and booleans");
  schema.outputTypes(0, {INT64}).outputTypes(1, {INT64}).outputTypes(2, {ALL_FLOATS});
  schema.infer([](Inference& in) {
    const PartialShape shape = quantilesShape(in);
    in.output(shape.withType(INT64));
    in.output(shape.withType(INT64));
    in.output(shape);
  });
  schema.gradient(positionsRule);
  schema.example(R"({"x": [5.0, 1.0, 3.0, 8.0], "q": 0.5})");
  schema.words("order statistic, argument of the quantile, argquantile").see("quantile median argsort");
}

CUSTOM_OP_IMPL(median, 1, 1, false, 0, 0) {
  const NDArray& x = *INPUT_VARIABLE(0);
  const auto& a = arguments<Median>(block);
  helpers::quantiles(x, {{0.5}, QuantileInterpolation::Linear, checkedAxes(a.axis, x.rankOf(), "axis"), a.ignoreNan},
                     *OUTPUT_VARIABLE(0));
  return Status::OK;
}
INFERRED_SHAPES(median)
DECLARE_SCHEMA(median) {
  schema.summary("The value in the middle of the elements along axes.")
      .formula("z = sorted[(n - 1) / 2]; for even n the mean of sorted[n / 2 - 1] and sorted[n / 2]")
      .note("NaN makes the result NaN, unless ignore_nan; so does an axis without elements.");
  schema.input("x", "any shape").types({ALL_FLOATS, ALL_INTS, BOOL});
  schema.argument(&Median::axis, "axis", AXIS_TEXT).atInteger(0);
  schema.argument(&Median::keepDims, "keep_dims", KEEP_DIMS_TEXT).atFlag(0);
  schema.argument(&Median::ignoreNan, "ignore_nan", IGNORE_NAN_TEXT).atFlag(1);
  schema.output("z", "x without the axes; the type of x, the default float type for integers and booleans");
  schema.outputTypes({ALL_FLOATS}).infer([](Inference& in) {
    const PartialShape x = in.input(0);
    const auto& a = in.arguments<Median>();
    const DataType type = resultType(x.type());
    if (!x.hasRank()) return in.output(PartialShape(type));
    in.output(reduced(x, checkedAxes(a.axis, x.rank(), "axis"), a.keepDims, type));
  });
  schema.gradient([](Gradient& g) {
    const auto& a = g.arguments<Median>();
    const Quantile quantile{QuantileInterpolation::Linear, a.axis, a.keepDims, a.ignoreNan};
    const Symbol x = g.input(0);
    g.set(0, toElements(g, x, g.constant(0.5, x), quantile));
  });
  schema.example(R"({"x": [[1.0, 2.0, 4.0], [3.0, 9.0, 8.0]], "axis": [1]})");
  schema.elsewhere({.numpy = "numpy.median", .torch = "torch.median", .tensorflow = "tfp.stats.percentile"});
  schema.words("middle, nanmedian, order statistic").see("quantile percentile reduce_mean");
}

}  // namespace sd::ops
