#include "ops/declarable/NumberedGradients.h"

#include <ops/declarable/DeclarableOp.h>
#include <ops/declarable/Gradient.h>
#include <ops/declarable/NumberedArguments.h>
#include <ops/declarable/headers/reduce.h>

#include <algorithm>
#include <iterator>
#include <numbers>
#include <string>
#include <string_view>

namespace sd::ops {
namespace {

using loops::OpFamily;

// ---- transforms: g * dz/dx

/// dz/dx from x and z.
using Slope = Symbol (*)(Gradient& g, Symbol x, Symbol z);

template <Slope SLOPE>
void times(Gradient& g) {
  g.set(0, g.of(0) * SLOPE(g, g.input(0), g.output(0)));
}

Symbol transform(const char* name, Symbol x) { return x.gradient().call(std::string("transform.") + name, {x}); }

/// The transform NAMEDerivative.
void timesDerivative(Gradient& g) {
  std::string name = g.op().getOpDescriptor()->name();
  g.set(0, g.of(0) * g.call(name + "Derivative", {g.input(0)}));
}

double parameter(const Gradient& g, size_t index, double otherwise) {
  if (g.op().schema().structure() == nullptr) return otherwise;
  const auto& parameters = g.arguments<NumberedElements>().parameters;
  return index < parameters.size() ? parameters[index] : otherwise;
}

struct Rule {
  std::string_view name;
  GradientFunction rule;
};

constexpr Rule TRANSFORMS[] = {
    {"Sqrt", times<[](Gradient&, Symbol, Symbol z) { return transform("Reciprocal", z * 2.0); }>},
    {"RSqrt", times<[](Gradient&, Symbol, Symbol z) { return transform("Cube", z) * -0.5; }>},
    {"Abs", times<[](Gradient&, Symbol x, Symbol) { return transform("Sign", x); }>},
    {"Neg", [](Gradient& g) { g.set(0, -g.of(0)); }},
    {"TimesOneMinus", times<[](Gradient&, Symbol x, Symbol) { return x * -2.0 + 1.0; }>},
    {"Cube", times<[](Gradient&, Symbol x, Symbol) { return x * x * 3.0; }>},
    {"OneMinus", [](Gradient& g) { g.set(0, -g.of(0)); }},
    {"Reciprocal", times<[](Gradient&, Symbol, Symbol z) { return -(z * z); }>},
    {"Square", times<[](Gradient&, Symbol x, Symbol) { return x * 2.0; }>},
    {"Identity", [](Gradient& g) { g.set(0, g.of(0)); }},
    {"Copy", [](Gradient& g) { g.set(0, g.of(0)); }},
    {"Assign", [](Gradient& g) { g.set(0, g.of(0)); }},
    {"Cosine", times<[](Gradient&, Symbol x, Symbol) { return -transform("Sin", x); }>},
    {"Exp", times<[](Gradient&, Symbol, Symbol z) { return z; }>},
    {"Expm1", times<[](Gradient&, Symbol, Symbol z) { return z + 1.0; }>},
    {"Log", times<[](Gradient&, Symbol x, Symbol) { return transform("Reciprocal", x); }>},
    {"Log1p", times<[](Gradient&, Symbol x, Symbol) { return transform("Reciprocal", x + 1.0); }>},
    {"Sigmoid", times<[](Gradient&, Symbol, Symbol z) { return transform("TimesOneMinus", z); }>},
    {"Sin", times<[](Gradient&, Symbol x, Symbol) { return transform("Cosine", x); }>},
    {"SoftPlus", times<[](Gradient&, Symbol x, Symbol) { return transform("Sigmoid", x); }>},
    {"Tanh", times<[](Gradient&, Symbol, Symbol z) { return transform("OneMinus", z * z); }>},
    {"ACos", times<[](Gradient&, Symbol x, Symbol) { return -transform("RSqrt", transform("OneMinus", x * x)); }>},
    {"ASin", times<[](Gradient&, Symbol x, Symbol) { return transform("RSqrt", transform("OneMinus", x * x)); }>},
    {"ATan", times<[](Gradient&, Symbol x, Symbol) { return transform("Reciprocal", x * x + 1.0); }>},
    {"ATanh", times<[](Gradient&, Symbol x, Symbol) { return transform("Reciprocal", transform("OneMinus", x * x)); }>},
    {"Sinh", times<[](Gradient&, Symbol x, Symbol) { return transform("Cosh", x); }>},
    {"Cosh", times<[](Gradient&, Symbol x, Symbol) { return transform("Sinh", x); }>},
    {"Erf",
     times<[](Gradient&, Symbol x, Symbol) { return transform("Exp", -(x * x)) * (2 * std::numbers::inv_sqrtpi); }>},
    {"Erfc",
     times<[](Gradient&, Symbol x, Symbol) { return transform("Exp", -(x * x)) * (-2 * std::numbers::inv_sqrtpi); }>},
    {"Affine", [](Gradient& g) { g.set(0, g.of(0) * parameter(g, 0, 1)); }},
    // z = a tanh(b x)
    {"ScaledTanh",
     [](Gradient& g) {
       const double a = parameter(g, 0, 1), b = parameter(g, 1, 1);
       const Symbol t = transform("Tanh", g.input(0) * b);
       g.set(0, g.of(0) * transform("OneMinus", t * t) * (a * b));
     }},
};

constexpr std::string_view WITH_DERIVATIVES[] = {"HardTanh",     "SoftSign",      "Tan",   "SELU",      "HardSigmoid",
                                                 "RationalTanh", "RectifiedTanh", "Swish", "ACosh",     "ASinh",
                                                 "GELU",         "PreciseGELU",   "Mish",  "LogSigmoid"};

constexpr std::string_view STEPS[] = {"Sign", "Ones", "Round", "Ceiling", "Floor", "Rint", "Step"};

// ---- pairs of elements: the custom operations compute the gradients

struct Pair {
  std::string_view name;
  const char* gradient;
};

constexpr Pair PAIRS[] = {{"Add", "add_bp"},
                          {"Subtract", "subtract_bp"},
                          {"Multiply", "multiply_bp"},
                          {"Divide", "divide_bp"},
                          {"ReverseSubtract", "reversesubtract_bp"},
                          {"ReverseDivide", "reversedivide_bp"},
                          {"MaxPairwise", "maximum_bp"},
                          {"MinPairwise", "minimum_bp"},
                          {"SquaredSubtract", "squaredsubtract_bp"},
                          {"Pow", "Pow_bp"}};

template <size_t I>
void pairRule(Gradient& g) {
  const std::vector<Symbol> results = g.callAll(PAIRS[I].gradient, {g.input(0), g.input(1), g.of(0)}, {});
  g.set(0, results[0]);
  g.set(1, results[1]);
}

template <size_t... I>
GradientFunction pairRuleOf(size_t index, std::index_sequence<I...>) {
  static constexpr GradientFunction RULES[] = {pairRule<I>...};
  return RULES[index];
}

// ---- reductions

constexpr Pair REDUCTIONS[] = {{"Sum", "reduce_sum_bp"},
                               {"Mean", "reduce_mean_bp"},
                               {"Prod", "reduce_prod_bp"},
                               {"Max", "reduce_max_bp"},
                               {"Min", "reduce_min_bp"},
                               {"Norm1", "reduce_norm1_bp"},
                               {"ASum", "reduce_norm1_bp"},
                               {"Norm2", "reduce_norm2_bp"},
                               {"NormFrobenius", "reduce_norm2_bp"},
                               {"SquaredNorm", "reduce_sqnorm_bp"},
                               {"NormMax", "reduce_norm_max_bp"}};

template <size_t I>
void reductionRule(Gradient& g) {
  const auto& a = g.arguments<NumberedReduction>();
  Reduction arguments;
  arguments.axis = a.axis;
  arguments.keepDims = a.keepDims;
  g.set(0, g.callAll(REDUCTIONS[I].gradient, {g.input(0), g.of(0)}, arguments)[0]);
}

template <size_t... I>
GradientFunction reductionRuleOf(size_t index, std::index_sequence<I...>) {
  static constexpr GradientFunction RULES[] = {reductionRule<I>...};
  return RULES[index];
}

template <bool DEVIATION>
void spreadRule(Gradient& g) {
  const auto& a = g.arguments<NumberedVariance>();
  Spread arguments;
  arguments.axis = a.axis;
  arguments.biasCorrected = a.biasCorrected;
  g.set(0, g.callAll(DEVIATION ? "reduce_stdev_bp" : "reduce_variance_bp", {g.input(0), g.of(0)}, arguments)[0]);
}

template <typename Rows>
size_t indexOf(const Rows& rows, std::string_view name) {
  return static_cast<size_t>(
      std::find_if(std::begin(rows), std::end(rows), [name](const auto& row) { return row.name == name; }) -
      std::begin(rows));
}

template <typename Names>
bool contains(const Names& names, std::string_view name) {
  return std::find(std::begin(names), std::end(names), name) != std::end(names);
}

}  // namespace

void stateGradient(Schema& schema, const loops::NumberedOp& op) {
  const loops::GroupTraits& traits = loops::traitsOf(op.group);
  if (traits.result == loops::ResultTypes::Truth) {
    schema.notDifferentiable("the result is logical");
  } else if (traits.result == loops::ResultTypes::Counts) {
    schema.notDifferentiable("the result is an integer");
  } else if (traits.operands == loops::OperandTypes::Integers) {
    schema.notDifferentiable("the operands are integers");
  } else if (traits.family == OpFamily::Random) {
    schema.notDifferentiable("the result is random");
  } else if (op.name.ends_with("Derivative")) {
    schema.notDifferentiable("the operation computes a derivative itself");
  } else if (contains(STEPS, op.name)) {
    schema.notDifferentiable("the result is constant between jumps");
  } else if (traits.family == OpFamily::Transform) {
    if (const size_t i = indexOf(TRANSFORMS, op.name); i < std::size(TRANSFORMS))
      schema.gradient(TRANSFORMS[i].rule);
    else if (contains(WITH_DERIVATIVES, op.name))
      schema.gradient(timesDerivative);
  } else if (traits.family == OpFamily::Pairwise) {
    if (const size_t i = indexOf(PAIRS, op.name); i < std::size(PAIRS))
      schema.gradient(pairRuleOf(i, std::make_index_sequence<std::size(PAIRS)>()));
  } else if (traits.family == OpFamily::Reduce) {
    if (const size_t i = indexOf(REDUCTIONS, op.name); i < std::size(REDUCTIONS))
      schema.gradient(reductionRuleOf(i, std::make_index_sequence<std::size(REDUCTIONS)>()));
  } else if (traits.family == OpFamily::Variance) {
    schema.gradient(op.name.ends_with("Deviation") ? spreadRule<true> : spreadRule<false>);
  }
}

}  // namespace sd::ops
