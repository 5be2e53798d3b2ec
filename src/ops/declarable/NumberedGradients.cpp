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

#include "ops/declarable/Composition.h"
#include "ops/declarable/helpers/inference.h"
#include "ops/declarable/helpers/rules.h"

namespace sd::ops {
namespace {

using loops::OpFamily;

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

/// The row of the operation; the name is "family.row".
template <typename Rows>
const auto& rowOf(const Rows& rows, Gradient& g) {
  const std::string_view name = g.op().getOpDescriptor()->name();
  return rows[indexOf(rows, name.substr(name.find('.') + 1))];
}

// ---- transforms: g * dz/dx

/// dz/dx from x and z.
using Slope = Symbol (*)(Gradient& g, Symbol x, Symbol z);

/// With complex numbers the gradient of f is that of the conjugate variable, as in PyTorch.
template <Slope SLOPE>
void times(Gradient& g) {
  g.set(0, g.of(0) * conjugate(g, SLOPE(g, g.input(0), g.output(0))));
}

Symbol transform(const char* name, Symbol x) { return ruleOf(x).call(std::string("transform.") + name, {x}); }

bool isComplex(const Gradient& g, Symbol x) { return DataTypeUtils::isC(g.shape(x).type()); }

Symbol reciprocalSquare(Symbol x) { return transform("Reciprocal", x * x); }

/// The transform NAMEDerivative, which complex numbers do not have.
void timesDerivative(Gradient& g) {
  const std::string& name = g.op().getOpDescriptor()->name();
  const Symbol x = g.input(0);
  if (!isComplex(g, x)) return g.set(0, g.of(0) * g.call(name + "Derivative", {x}));
  const Symbol slope = name == "transform.Tan"     ? reciprocalSquare(transform("Cosine", x))
                       : name == "transform.ACosh" ? transform("RSqrt", x - 1.0) * transform("RSqrt", x + 1.0)
                                                   : transform("RSqrt", x * x + 1.0);
  g.set(0, g.of(0) * conjugate(g, slope));
}

/// Magnitudes of complex numbers are real, and so are their gradients.
void ruleOfAbs(Gradient& g) {
  const Symbol x = g.input(0), of = isComplex(g, x) ? g.cast(g.of(0), x) : g.of(0);
  g.set(0, of * transform("Sign", x));
}

/// In graphs, what is not set is 0.
void zeroRule(Gradient& g) {
  if (!g.prefersRules()) g.set(0, g.zerosLike(g.input(0)));
}

/// A complex number divided by its magnitude: what the gradient has in the direction of z does not count.
void ruleOfSign(Gradient& g) {
  const Symbol x = g.input(0), z = g.output(0);
  if (!isComplex(g, x)) return zeroRule(g);
  const Symbol size = transform("Abs", x), along = g.call("real", {g.of(0) * conjugate(g, z)});
  const Symbol scale = g.call("divide_no_nan", {g.onesLike(size), size});
  g.set(0, (g.of(0) - z * g.cast(along, x)) * g.cast(scale, x));
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

/// z is x or constant.
void whereUnchanged(Gradient& g) { g.set(0, g.keepWhere(g.call("equals", {g.input(0), g.output()}), g.of())); }

constexpr Rule TRANSFORMS[] = {
    {"Sqrt", times<[](Gradient&, Symbol, Symbol z) { return transform("Reciprocal", z * 2.0); }>},
    {"RSqrt", times<[](Gradient&, Symbol, Symbol z) { return transform("Cube", z) * -0.5; }>},
    {"Abs", ruleOfAbs},
    {"Sign", ruleOfSign},
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
    {"CompareAndSetTransform", whereUnchanged},
    {"ClipByValue", whereUnchanged},
    {"Stabilize", whereUnchanged},
    {"StabilizeFP16", whereUnchanged},
    {"SetRange", whereUnchanged},
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

// ---- derivatives, which have derivatives themselves

/// A derivative, written with operations that have rules.
struct Derivative {
  std::string_view name;
  Symbol (*formula)(Gradient& g, Symbol x);
};

Symbol oneMinusSquare(Symbol x) { return transform("OneMinus", x * x); }
Symbol sigmoid(Symbol x) { return transform("Sigmoid", x); }
/// Of x sigmoid(x).
Symbol slopeOfSwish(Symbol x) {
  const Symbol s = sigmoid(x);
  return s + x * transform("TimesOneMinus", s);
}

constexpr Derivative DERIVATIVES[] = {
    {"TanhDerivative", [](Gradient&, Symbol x) { return oneMinusSquare(transform("Tanh", x)); }},
    {"SigmoidDerivative", [](Gradient&, Symbol x) { return transform("TimesOneMinus", sigmoid(x)); }},
    {"SoftSignDerivative", [](Gradient&, Symbol x) { return reciprocalSquare(transform("Abs", x) + 1.0); }},
    {"TanDerivative", [](Gradient&, Symbol x) { return reciprocalSquare(transform("Cosine", x)); }},
    {"SELUDerivative",
     [](Gradient& g, Symbol x) {
       return g.keepWhere(g.call("less", {x, g.constant(0, x)}), transform("SELU", x));
     }},
    {"RationalTanhDerivative",
     [](Gradient&, Symbol x) {
       // z = 1.7159 sign(d) (1 - 1 / D), D = 1 + |d| + d^2 + 1.41645 d^4, d = 2 x / 3
       const Symbol a = transform("Abs", x) * (2.0 / 3), square = a * a,
                    root = a + square + square * square * 1.41645 + 1.0;
       return (a * 2.0 + a * square * (4 * 1.41645) + 1.0) / (root * root) * (1.7159 * 2 / 3);
     }},
    {"RectifiedTanhDerivative",
     [](Gradient& g, Symbol x) {
       return g.keepWhere(g.call("greater", {x, g.constant(0, x)}), oneMinusSquare(transform("Tanh", x)));
     }},
    {"SwishDerivative", [](Gradient&, Symbol x) { return slopeOfSwish(x); }},
    {"GELUDerivative", [](Gradient&, Symbol x) { return slopeOfSwish(x * 1.702); }},
    {"ACoshDerivative", [](Gradient&, Symbol x) { return transform("RSqrt", x * x - 1.0); }},
    {"ASinhDerivative", [](Gradient&, Symbol x) { return transform("RSqrt", x * x + 1.0); }},
    {"SinhDerivative", [](Gradient&, Symbol x) { return transform("Cosh", x); }},
    {"LogSigmoidDerivative", [](Gradient&, Symbol x) { return sigmoid(-x); }},
    {"CubeDerivative", [](Gradient&, Symbol x) { return x * x * 3.0; }},
    {"SpecialDerivative", [](Gradient&, Symbol x) { return transform("TimesOneMinus", x); }},
    {"MishDerivative",
     [](Gradient&, Symbol x) {
       const Symbol t = transform("Tanh", transform("SoftPlus", x));
       return t + x * sigmoid(x) * oneMinusSquare(t);
     }},
    {"PreciseGELUDerivative", [](Gradient&, Symbol x) {
       // 0.5 (1 + t) + 0.5 x (1 - t^2) u', t = tanh(u), u = sqrt(2 / pi) (x + 0.044715 x^3)
       constexpr double ROOT = 0.7978845608028654;
       const Symbol square = x * x, t = transform("Tanh", (x + x * square * 0.044715) * ROOT);
       return t * 0.5 + 0.5 + x * oneMinusSquare(t) * (square * (3 * 0.044715 * ROOT * 0.5) + 0.5 * ROOT);
     }}};

void derivativeRule(Gradient& g) {
  Composition composition(g);
  const Symbol z = rowOf(DERIVATIVES, g).formula(composition, composition.input(0));
  composition.differentiate({z});
}

/// Constant between jumps: the slopes of functions that are linear in pieces.
constexpr std::string_view SLOPES_OF_PIECES[] = {"HardTanhDerivative", "HardSigmoidDerivative"};

constexpr std::string_view STEPS[] = {"Ones",
                                      "Round",
                                      "Ceiling",
                                      "Floor",
                                      "Rint",
                                      "Step",
                                      "TruncateDiv",
                                      "FloorDiv",
                                      "ReverseMod",
                                      "TruncateMod",
                                      "BinaryRelativeError",
                                      "EqualsWithEps",
                                      "SimpleHammingDistance",
                                      "BinaryMinimumAbsoluteRelativeError"};

constexpr std::string_view LOGICAL[] = {"LogicalOr", "LogicalXor", "LogicalNot", "LogicalAnd"};

// ---- two operands: pairs of elements, an array and a scalar, sub-arrays and an array

/// The operands in shapes that broadcast, and the result.
struct Operands {
  Gradient& g;
  Symbol x, y, z;

  /// Operations on complex numbers are linear in the gradient; pairRule() takes the conjugate of the result.
  Symbol of() const { return conjugate(g, g.of()); }
  Symbol log(Symbol a) const { return transform("Log", a); }
  Symbol number(double value) const { return g.constant(value, x); }
  /// a where `comparison` holds for p and q, else 0.
  Symbol where(const char* comparison, Symbol p, Symbol q, Symbol a) const {
    return g.keepWhere(g.call(comparison, {p, q}), a);
  }
  Symbol quotient(Symbol a, Symbol b) const { return g.call("divide_no_nan", {a, b}); }
  /// a where y, or x, was taken: a call with another operand shows that.
  Symbol whereSame(Symbol p, Symbol q, Symbol expected, bool same, Symbol a) const {
    const Symbol result = g.call(g.op().getOpDescriptor()->name(), {p, q}, g.ownArguments());
    return where(same ? "equals" : "not_equals", result, expected, a);
  }
};

/// The term of one operand; null when the result does not depend on it.
using Term = Symbol (*)(const Operands& o);

struct Pair {
  std::string_view name;
  Term byX, byY;
};

#define SD_TERM(EXPRESSION) [](const Operands& o) -> Symbol { return EXPRESSION; }

constexpr Term AS_IT_IS = SD_TERM(o.of()), NEGATED = SD_TERM(-o.of()), ZERO = SD_TERM(o.g.zerosLike(o.of()));
/// Of z = x - q y, where q is constant between jumps.
constexpr Term OF_REMAINDER = SD_TERM(o.of() * (o.z - o.x) / o.y);
/// Of the incomplete gamma function; constant for x that are not positive.
constexpr Term OF_DENSITY = [](const Operands& o) -> Symbol {
  const Symbol density = transform("Exp", (o.x - 1.0) * o.log(o.y) - o.y - o.g.call("lgamma", {o.x}));
  return o.where("greater", o.x, o.number(0), o.of() * density);
};

Symbol relative(const Operands& o, Symbol a, bool second) {
  const Symbol direction = transform("Sign", second ? o.y - o.x : o.x - o.y);
  const Symbol sum = transform("Abs", o.x) + transform("Abs", o.y);
  return o.quotient(o.of() * (direction - o.z * transform("Sign", a)), sum);
}

constexpr Pair PAIRS[] = {
    {"Add", AS_IT_IS, AS_IT_IS},
    {"Subtract", AS_IT_IS, NEGATED},
    {"Multiply", SD_TERM(o.of() * o.y), SD_TERM(o.of() * o.x)},
    {"Divide", SD_TERM(o.of() / o.y), SD_TERM(-(o.of() * o.z / o.y))},
    {"ReverseSubtract", NEGATED, AS_IT_IS},
    {"ReverseDivide", SD_TERM(-(o.of() * o.z / o.x)), SD_TERM(o.of() / o.x)},
    {"SafeDivide", SD_TERM(o.quotient(o.of(), o.y)), SD_TERM(-o.quotient(o.of() * o.z, o.y))},
    {"DivideNoNan", SD_TERM(o.quotient(o.of(), o.y)), SD_TERM(-o.quotient(o.of() * o.z, o.y))},
    {"MaxPairwise", SD_TERM(o.where("greater_equal", o.x, o.y, o.of())), SD_TERM(o.where("less", o.x, o.y, o.of()))},
    {"MinPairwise", SD_TERM(o.where("less_equal", o.x, o.y, o.of())), SD_TERM(o.where("greater", o.x, o.y, o.of()))},
    {"AMaxPairwise", SD_TERM(o.where("greater", transform("Abs", o.x), transform("Abs", o.y), o.of())),
     SD_TERM(o.where("less_equal", transform("Abs", o.x), transform("Abs", o.y), o.of()))},
    {"AMinPairwise", SD_TERM(o.where("less", transform("Abs", o.x), transform("Abs", o.y), o.of())),
     SD_TERM(o.where("greater_equal", transform("Abs", o.x), transform("Abs", o.y), o.of()))},
    {"SquaredSubtract", SD_TERM(o.of() * (o.x - o.y) * 2.0), SD_TERM(o.of() * (o.y - o.x) * 2.0)},
    {"SquaredReverseSubtract", SD_TERM(o.of() * (o.x - o.y) * 2.0), SD_TERM(o.of() * (o.y - o.x) * 2.0)},
    {"Pow", SD_TERM(o.of() * o.y * o.g.call("Pow", {o.x, o.y - 1.0})), SD_TERM(o.of() * o.z * o.log(o.x))},
    {"ReversePow", SD_TERM(o.of() * o.z * o.log(o.y)), SD_TERM(o.of() * o.x * o.g.call("Pow", {o.y, o.x - 1.0}))},
    {"CopyPws", nullptr, AS_IT_IS},
    {"Copy2", nullptr, AS_IT_IS},
    {"Copy", nullptr, AS_IT_IS},
    {"Axpy", SD_TERM(o.of() * parameter(o.g, 0, 1)), AS_IT_IS},
    {"CompareAndSet", SD_TERM(o.whereSame(o.y + 1.0, o.y, o.y, false, o.of())),
     SD_TERM(o.whereSame(o.y + 1.0, o.y, o.y, true, o.of()))},
    {"CompareAndReplace", SD_TERM(o.whereSame(o.x, o.x + 1.0, o.x, true, o.of())),
     SD_TERM(o.whereSame(o.x, o.x + 1.0, o.x, false, o.of()))},
    {"ReplaceNans", SD_TERM(o.g.call("select", {transform("IsNan", o.x), o.g.zerosLike(o.of()), o.of()})),
     SD_TERM(o.g.keepWhere(transform("IsNan", o.x), o.of()))},
    {"Remainder", AS_IT_IS, OF_REMAINDER},
    {"FMod", AS_IT_IS, OF_REMAINDER},
    {"FloorMod", AS_IT_IS, OF_REMAINDER},
    {"Mod", AS_IT_IS, OF_REMAINDER},
    {"RemainderMod", AS_IT_IS, OF_REMAINDER},
    {"Atan2", SD_TERM(-(o.of() * o.y / (o.x * o.x + o.y * o.y))), SD_TERM(o.of() * o.x / (o.x * o.x + o.y * o.y))},
    {"RelativeError", SD_TERM(relative(o, o.x, false)), SD_TERM(relative(o, o.y, true))},
    {"LogPoissonLoss", SD_TERM(-(o.of() * o.y)), SD_TERM(o.of() * (transform("Exp", o.y) - o.x))},
    {"LogPoissonLossFull", SD_TERM(o.of() * (o.log(o.x) - o.y + o.number(0.5) / o.x)),
     SD_TERM(o.of() * (transform("Exp", o.y) - o.x))},
    {"IGamma", nullptr, OF_DENSITY},
    {"IGammac", nullptr, SD_TERM(-OF_DENSITY(o))},
    {"ELU", SD_TERM(o.g.call("select", {o.g.call("less", {o.x, o.number(0)}), o.of() * (o.z + o.y), o.of()})),
     SD_TERM(o.where("less", o.x, o.number(0), o.of() * transform("Expm1", o.x)))},
    {"SXELogitsSmoother", SD_TERM(o.of() * (1.0 - o.y)), SD_TERM(o.of() * (0.5 - o.x))},
    {"ELUDerivative", SD_TERM(o.where("less", o.x, o.number(0), o.of() * o.z)),
     SD_TERM(o.where("less", o.x, o.number(0), o.of() * transform("Exp", o.x)))},
    {"LeakyRELUDerivative", ZERO, SD_TERM(o.where("less", o.x, o.number(0), o.of()))},
    {"RELUDerivative", ZERO, ZERO},
    {"PowDerivative", SD_TERM(o.of() * o.y * (o.y - 1.0) * o.g.call("Pow", {o.x, o.y - 2.0})),
     SD_TERM(o.of() * o.g.call("Pow", {o.x, o.y - 1.0}) * (o.y * o.log(o.x) + 1.0))},
    {"LeakyRELU", SD_TERM(o.g.call("select", {o.g.call("less", {o.x, o.number(0)}), o.of() * o.y, o.of()})),
     SD_TERM(o.where("less", o.x, o.number(0), o.of() * o.x))},
    {"LogX", SD_TERM(o.of() / (o.x * o.log(o.y))), SD_TERM(-(o.of() * o.z / (o.y * o.log(o.y))))},
    {"RELU", SD_TERM(o.where("greater_equal", o.x, o.y, o.of())), SD_TERM(o.where("less", o.x, o.y, o.of()))},
    {"RELU6", SD_TERM(o.where("less", o.x, o.number(6), o.where("greater_equal", o.x, o.y, o.of()))),
     SD_TERM(o.where("less", o.z, o.number(6), o.where("less", o.x, o.y, o.of())))},
    {"LstmClip", SD_TERM(o.where("equals", o.x, o.z, o.of())),
     SD_TERM(o.where("not_equals", o.x, o.z, o.of() * transform("Sign", o.x)))}};

#undef SD_TERM

std::vector<int> reducedAxes(const std::vector<int>& axes) {
  return std::find(axes.begin(), axes.end(), SD_MAX_DIMENSION) == axes.end() ? axes : std::vector<int>();
}

/// The shape of a sub-array of `whole` along the axes, with size 1 for the other dimensions.
Symbol subarrayOf(Gradient& g, Symbol whole, const std::vector<int>& axes) {
  std::vector<int> others;
  const int rank = g.rank(whole);
  for (int d = 0; d < rank; d++)
    if (std::none_of(axes.begin(), axes.end(), [&](int a) { return (a < 0 ? a + rank : a) == d; })) others.push_back(d);
  return others.empty() ? whole : g.sum(whole, others, true);
}

void pairRule(Gradient& g) {
  const Pair& pair = rowOf(PAIRS, g);
  const ArgumentStruct* structure = g.op().schema().structure();
  const Symbol x = g.input(0), given = g.input(1);
  Symbol y = given;
  if (structure != nullptr && *structure == argumentStruct<NumberedScalar>) {
    // One element, of any rank.
    y = given ? g.sum(given) : g.constant(g.arguments<NumberedScalar>().scalar.value_or(0), x);
  } else if (structure != nullptr && *structure == argumentStruct<NumberedAxes>) {
    y = g.reshapeLike(given, subarrayOf(g, x, g.arguments<NumberedAxes>().axis));
  }
  const Operands operands{g, x, y, g.output()};
  if (pair.byX != nullptr) g.set(0, conjugate(g, pair.byX(operands)));
  if (pair.name == "IGamma" || pair.name == "IGammac") g.none(0, "the derivative has no closed form");
  if (given && pair.byY != nullptr) g.set(1, conjugate(g, g.reshapeLike(g.sumTo(pair.byY(operands), y), given)));
}

// ---- reductions

/// One reduction: x, its result and the gradient of the result, in shapes that broadcast with x.
struct Reduced {
  Gradient& g;
  Reduction axes;
  Symbol x, z, of;

  explicit Reduced(Gradient& gradient, const std::vector<int>& given, Symbol from)
      : g(gradient), axes{reducedAxes(given), true}, x(from) {
    const Symbol kept = g.call("reduce_sum", {x}, axes);
    z = g.reshapeLike(g.output(), kept);
    of = g.reshapeLike(g.of(), kept);
  }
  /// The gradient operation of a custom operation.
  Symbol backward(const char* operation, Symbol array) const { return g.call(operation, {array, of}, axes); }
  Symbol log() const { return transform("Log", x); }
};

struct ReductionRow {
  std::string_view name;
  Symbol (*gradient)(const Reduced& r);
};

#define SD_BACKWARD(OPERATION) [](const Reduced& r) { return r.backward(OPERATION, r.x); }

constexpr ReductionRow REDUCTIONS[] = {
    {"Sum", SD_BACKWARD("reduce_sum_bp")},
    {"Mean", SD_BACKWARD("reduce_mean_bp")},
    {"Prod", SD_BACKWARD("reduce_prod_bp")},
    {"Max", SD_BACKWARD("reduce_max_bp")},
    {"Min", SD_BACKWARD("reduce_min_bp")},
    {"Norm1", SD_BACKWARD("reduce_norm1_bp")},
    {"ASum", SD_BACKWARD("reduce_norm1_bp")},
    {"Norm2", SD_BACKWARD("reduce_norm2_bp")},
    {"NormFrobenius", SD_BACKWARD("reduce_norm2_bp")},
    {"SquaredNorm", SD_BACKWARD("reduce_sqnorm_bp")},
    {"NormMax", SD_BACKWARD("reduce_norm_max_bp")},
    {"AMax", SD_BACKWARD("reduce_norm_max_bp")},
    {"AMin",
     [](const Reduced& r) { return r.backward("reduce_min_bp", transform("Abs", r.x)) * transform("Sign", r.x); }},
    {"AMean", [](const Reduced& r) { return r.backward("reduce_mean_bp", r.x) * transform("Sign", r.x); }},
    {"NormP",
     [](const Reduced& r) {
       const auto& parameters = r.g.arguments<NumberedReduction>().parameters;
       const Symbol p = r.g.constant((parameters.empty() ? 1 : parameters[0]) - 1, r.x);
       const Symbol slope = transform("Sign", r.x) * r.g.call("Pow", {transform("Abs", r.x), p});
       return slope * (r.of / r.g.call("Pow", {r.z, p}));
     }},
    {"Entropy", [](const Reduced& r) { return -((r.log() + 1.0) * r.of); }},
    {"LogEntropy", [](const Reduced& r) { return -((r.log() + 1.0) * (r.of / transform("Exp", r.z))); }},
    {"ShannonEntropy", [](const Reduced& r) { return -((r.log() + 1.0) * r.of) * std::numbers::log2e; }}};

#undef SD_BACKWARD

void reductionRule(Gradient& g) {
  g.set(0, rowOf(REDUCTIONS, g).gradient(Reduced(g, g.arguments<NumberedReduction>().axis, g.input(0))));
}

// ---- distances

/// The gradient of the first operand a; b is the other one. Both have the larger shape.
using DistanceTerm = Symbol (*)(const Reduced& r, Symbol a, Symbol b);

struct Distance {
  std::string_view name;
  DistanceTerm term;
};

Symbol normOf(const Reduced& r, Symbol a) { return r.g.call("reduce_norm2", {a}, r.axes); }

/// Of the cosine c of the angle: b / (|a| |b|) - c a / |a|^2.
Symbol cosineTerm(const Reduced& r, Symbol a, Symbol b, Symbol cosine) {
  const Symbol lengthOfA = normOf(r, a), lengthOfB = normOf(r, b);
  return r.of * (b / (lengthOfA * lengthOfB) - cosine * a / (lengthOfA * lengthOfA));
}

constexpr Distance DISTANCES[] = {
    {"ManhattanDistance", [](const Reduced& r, Symbol a, Symbol b) { return r.of * transform("Sign", a - b); }},
    {"EuclideanDistance", [](const Reduced& r, Symbol a, Symbol b) { return r.of * (a - b) / r.z; }},
    {"Dot", [](const Reduced& r, Symbol, Symbol b) { return r.of * b; }},
    {"CosineSimilarity", [](const Reduced& r, Symbol a, Symbol b) { return cosineTerm(r, a, b, r.z); }},
    {"CosineDistance", [](const Reduced& r, Symbol a, Symbol b) { return -cosineTerm(r, a, b, 1.0 - r.z); }},
    {"JaccardDistance", [](const Reduced& r, Symbol a, Symbol b) {
       // z = 1 - m / M with the sums m of the smaller and M of the larger elements
       const Symbol sum = r.g.call("reduce_sum", {r.g.call("maximum", {a, b})}, r.axes);
       const Symbol smaller = r.g.cast(r.g.call("less", {a, b}), a);
       return r.of * ((1.0 - smaller) * (1.0 - r.z) - smaller) / sum;
     }}};

void distanceRule(Gradient& g) {
  const auto& axis = g.arguments<NumberedAxes>().axis;
  const Symbol x = g.input(0), y = g.input(1);
  const int rankOfX = g.rank(x), rankOfY = g.rank(y);
  const Symbol whole = rankOfX >= rankOfY ? x : y;
  const Reduced reduced(g, axis, whole);
  // The smaller operand is one sub-array.
  const auto aligned = [&](Symbol a) {
    return rankOfX == rankOfY || a.id() == whole.id() ? a : g.reshapeLike(a, subarrayOf(g, whole, axis));
  };
  const Symbol a = aligned(x), b = aligned(y), full = g.zerosLike(whole);
  g.set(0, g.reshapeLike(g.sumTo(rowOf(DISTANCES, g).term(reduced, a + full, b + full), a), x));
  g.set(1, g.reshapeLike(g.sumTo(rowOf(DISTANCES, g).term(reduced, b + full, a + full), b), y));
}

template <bool DEVIATION>
void spreadRule(Gradient& g) {
  const auto& a = g.arguments<NumberedVariance>();
  const Reduced r(g, a.axis, g.input(0));
  const Spread arguments{r.axes.axis, true, a.biasCorrected};
  g.set(0, g.call(DEVIATION ? "reduce_stdev_bp" : "reduce_variance_bp", {r.x, r.of}, arguments));
}

}  // namespace

void stateGradient(Schema& schema, const loops::NumberedOp& op) {
  const loops::GroupTraits& traits = loops::traitsOf(op.group);
  const OpFamily family = traits.family;
  const bool pair = family == OpFamily::Pairwise || family == OpFamily::Scalar || family == OpFamily::Broadcast;
  if (traits.result == loops::ResultTypes::Truth || contains(LOGICAL, op.name)) {
    schema.notDifferentiable(LOGICAL_RESULT);
  } else if (traits.result == loops::ResultTypes::Counts || family == OpFamily::IndexReduce) {
    schema.notDifferentiable(INTEGER_RESULT);
  } else if (traits.operands == loops::OperandTypes::Integers) {
    schema.notDifferentiable(INTEGER_INPUTS);
  } else if (family == OpFamily::Random) {
    schema.notDifferentiable(RANDOM_RESULT);
  } else if (const size_t s = indexOf(DERIVATIVES, op.name);
             family == OpFamily::Transform && s < std::size(DERIVATIVES)) {
    schema.gradient(derivativeRule);
  } else if (contains(SLOPES_OF_PIECES, op.name)) {
    schema.gradient(zeroRule);
  } else if (op.name.ends_with("Derivative") && !(pair && indexOf(PAIRS, op.name) < std::size(PAIRS))) {
    schema.notDifferentiable(IS_GRADIENT);
  } else if (contains(STEPS, op.name)) {
    schema.notDifferentiable(JUMPS);
  } else if (op.name.ends_with("BenchmarkOp")) {
    schema.notDifferentiable("the operation serves to measure speed");
  } else if (family == OpFamily::Variance) {
    schema.gradient(op.name.ends_with("Deviation") ? spreadRule<true> : spreadRule<false>);
  } else if (const size_t p = indexOf(PAIRS, op.name); pair && p < std::size(PAIRS)) {
    schema.gradient(pairRule);
  } else if (const size_t r = indexOf(REDUCTIONS, op.name); family == OpFamily::Reduce && r < std::size(REDUCTIONS)) {
    schema.gradient(reductionRule);
  } else if (const size_t d = indexOf(DISTANCES, op.name); family == OpFamily::Reduce3 && d < std::size(DISTANCES)) {
    schema.gradient(distanceRule);
  } else if (const size_t t = indexOf(TRANSFORMS, op.name);
             family == OpFamily::Transform && t < std::size(TRANSFORMS)) {
    schema.gradient(TRANSFORMS[t].rule);
  } else if (family == OpFamily::Transform && contains(WITH_DERIVATIVES, op.name)) {
    schema.gradient(timesDerivative);
  }
}

}  // namespace sd::ops
