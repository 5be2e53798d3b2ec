// Arithmetic of two broadcast arrays: z has x's type, and y is converted to it first.
// operations: add subtract reversesubtract multiply squaredsubtract divide realdiv reversedivide divide_no_nan floordiv
// operations: truncatediv mod floormod reversemod maximum minimum Pow assign igamma igammac boolean_and boolean_or
// operations: boolean_xor tf_atan2
// aliases: Sub sub RSub Mul squareddifference Div RealDiv RDiv copy set
// calls: Add Atan2 CopyPws Divide DivideNoNan FloorDiv FloorMod IGamma IGammac LogicalAnd LogicalOr LogicalXor
// calls: MaxPairwise MinPairwise Mod Multiply Pow ReverseDivide ReverseMod ReverseSubtract SquaredSubtract Subtract
// calls: TruncateDiv
#include <ops/declarable/headers/broadcastable.h>

#include "ops/declarable/helpers/inference.h"
#include "ops/declarable/helpers/rules.h"

namespace sd::ops {
namespace {

enum class Takes { Complex, AnyType, ComplexNumbers, Numbers, Floats };  // the first one: any type, also complex

/// The input that may not be BOOL because it is a divisor.
enum class Divides { None, X, Y };

/// What is known of the derivative: an operation computes it (NAME_bp), and in graphs a rule, a rule alone, or why
/// there is none.
enum class Derivative { Operation, Remainder, Rule, Boolean, Jumps };

enum class Commutes { No, Yes };

struct Member {
  const char *numbered, *gradient;
  GradientFunction rule;
  Takes takes;
  Derivative derivative;
  Commutes commutes;
  const char *summary, *formula, *words, *see, *example;
  NamesElsewhere elsewhere;
};

#define SD_NUMBERS R"({"x": [7.0, -7.0, 3.0], "y": [2.0, 2.0, 5.0]})"

/// z = x - q y, where q is constant between jumps.
Symbol remainderByX(Gradient& g, Symbol, Symbol, Symbol) { return g.of(); }
Symbol remainderByY(Gradient& g, Symbol x, Symbol y, Symbol z) { return g.of() * (z - x) / y; }
constexpr GradientFunction remainderRule = pairRule<remainderByX, remainderByY>;

Symbol quotientByX(Gradient& g, Symbol, Symbol y, Symbol) { return g.call("divide_no_nan", {g.of(), y}); }
Symbol quotientByY(Gradient& g, Symbol, Symbol y, Symbol z) { return -g.call("divide_no_nan", {g.of() * z, y}); }

/// y^(x - 1) e^-y / Gamma(x), the density of the gamma distribution.
Symbol gammaDensity(Gradient& g, Symbol x, Symbol y) {
  const Symbol exponent = (x - 1.0) * g.call("transform.Log", {y}) - y - g.call("lgamma", {x});
  return g.of() * g.call("transform.Exp", {exponent});
}
Symbol lowerByY(Gradient& g, Symbol x, Symbol y, Symbol) { return gammaDensity(g, x, y); }
Symbol upperByY(Gradient& g, Symbol x, Symbol y, Symbol) { return -gammaDensity(g, x, y); }
template <auto BY_Y>
void incompleteGammaRule(Gradient& g) {
  pairRule<nullptr, BY_Y>(g);
  g.none(0, NO_CLOSED_FORM);
}

Symbol angleByX(Gradient& g, Symbol x, Symbol y, Symbol) { return g.of() * y / (x * x + y * y); }
Symbol angleByY(Gradient& g, Symbol x, Symbol y, Symbol) { return -(g.of() * x / (x * x + y * y)); }

Symbol same(Gradient& g, Symbol, Symbol, Symbol) { return g.of(); }
Symbol negated(Gradient& g, Symbol, Symbol, Symbol) { return -g.of(); }
// With complex numbers the gradient of f is that of the conjugate variable, as in PyTorch.
Symbol factorX(Gradient& g, Symbol x, Symbol, Symbol) { return g.of() * conjugate(g, x); }
Symbol factorY(Gradient& g, Symbol, Symbol y, Symbol) { return g.of() * conjugate(g, y); }
Symbol overX(Gradient& g, Symbol x, Symbol, Symbol) { return g.of() / conjugate(g, x); }
Symbol overY(Gradient& g, Symbol, Symbol y, Symbol) { return g.of() / conjugate(g, y); }
Symbol ratioX(Gradient& g, Symbol x, Symbol, Symbol z) { return -(g.of() * conjugate(g, z / x)); }
Symbol ratioY(Gradient& g, Symbol, Symbol y, Symbol z) { return -(g.of() * conjugate(g, z / y)); }
Symbol differenceByX(Gradient& g, Symbol x, Symbol y, Symbol) { return g.of() * ((x - y) * 2.0); }
Symbol differenceByY(Gradient& g, Symbol x, Symbol y, Symbol) { return g.of() * ((y - x) * 2.0); }
/// The gradient where a is not larger than b.
Symbol unlessLarger(Gradient& g, Symbol a, Symbol b) { return g.of() - g.keepAbove(a - b, 0, g.of()); }
Symbol unlessXLarger(Gradient& g, Symbol x, Symbol y, Symbol) { return unlessLarger(g, x, y); }
Symbol unlessYLarger(Gradient& g, Symbol x, Symbol y, Symbol) { return unlessLarger(g, y, x); }
Symbol powerByX(Gradient& g, Symbol x, Symbol y, Symbol) {
  return g.of() * conjugate(g, y * g.call("Pow", {x, y - 1.0}));
}
/// 0 for x <= 0, of complex numbers for x = 0, where log(1) takes the place of log(x).
Symbol powerByY(Gradient& g, Symbol x, Symbol, Symbol z) {
  const char* comparison = DataTypeUtils::isC(g.shape(x).type()) ? "not_equals" : "greater";
  const Symbol base = g.call("select", {g.call(comparison, {x, g.constant(0, x)}), x, g.onesLike(x)});
  return g.of() * conjugate(g, z * g.call("transform.Log", {base}));
}

/// The rules of graphs for the operations that also have gradient operations, and those of the others.
GradientFunction ruleOf(std::string_view name) {
  if (name == "add") return pairRule<same, same>;
  if (name == "subtract") return pairRule<same, negated>;
  if (name == "reversesubtract") return pairRule<negated, same>;
  if (name == "multiply") return pairRule<factorY, factorX>;
  if (name == "divide" || name == "realdiv") return pairRule<overY, ratioY>;
  if (name == "reversedivide") return pairRule<ratioX, overX>;
  if (name == "squaredsubtract") return pairRule<differenceByX, differenceByY>;
  if (name == "maximum") return pairRule<unlessYLarger, unlessXLarger>;
  if (name == "minimum") return pairRule<unlessXLarger, unlessYLarger>;
  if (name == "Pow") return pairRule<powerByX, powerByY>;
  if (name == "assign") return pairRule<nullptr, same>;
  if (name == "divide_no_nan") return pairRule<quotientByX, quotientByY>;
  if (name == "igamma") return incompleteGammaRule<lowerByY>;
  if (name == "igammac") return incompleteGammaRule<upperByY>;
  return nullptr;
}

void describe(Schema& schema, const Member& member) {
  schema.summary(member.summary).formula(member.formula);
  schema.input("x", "any shape");
  schema.input("y", "a shape that broadcasts with x; converted to the type of x");
  schema.output("z", "the broadcast shape, the type of x");
  if (member.takes == Takes::Floats)
    schema.inputTypes({ALL_FLOATS});
  else if (member.takes == Takes::Numbers)
    schema.inputTypes({ALL_FLOATS, ALL_INTS});
  else if (member.takes == Takes::ComplexNumbers)
    schema.inputTypes({ALL_FLOATS, ALL_INTS, ALL_COMPLEX});
  else if (member.takes == Takes::Complex)
    schema.inputTypes({ANY, ALL_COMPLEX});
  else
    schema.inputTypes({ANY});
  schema.sameTypes().elementwise(member.numbered).infer(inferBroadcast);
  if (member.commutes == Commutes::Yes) schema.commutative();
  if (member.derivative == Derivative::Operation) schema.gradient(member.gradient);
  // mod_bp of the interface gives zeros.
  if (member.derivative == Derivative::Remainder) schema.gradient(remainderRule);
  if (member.derivative == Derivative::Rule || member.derivative == Derivative::Operation) schema.gradient(member.rule);
  if (member.derivative == Derivative::Boolean) schema.notDifferentiable(LOGICAL_RESULT);
  if (member.derivative == Derivative::Jumps) schema.notDifferentiable(JUMPS);
  schema.example(member.example).elsewhere(member.elsewhere).words(member.words).see(member.see);
}

void requireDivisor(const NDArray& array, int index, const char* name) {
  if (array.isB()) reject("input {} '{}': a BOOL array cannot be a divisor (shape {})", index, name, text(array));
}

Status apply(graph::Context& block, int number, Divides divides, NDArray& z) {
  const NDArray &x = *block.array(0), &y = *block.array(1);
  if (divides == Divides::X) requireDivisor(x, 0, "x");
  if (divides == Divides::Y) requireDivisor(y, 1, "y");
  BROADCAST_CHECK_EMPTY(&x, &y, &z);
  broadcastTo(loops::OpGroup::Pairwise, number, x, y, z);
  return Status::OK;
}

}  // namespace

// name, number, types, which input divides, derivative, whether it commutes; then texts: what it does, formula, words,
// see also, example, names elsewhere
#define SD_ARITHMETIC(NAME, NUMBER, TYPES, DIVIDES, DERIVATIVE, COMMUTES, ...)                                        \
  BROADCASTABLE_OP_IMPL(NAME, 0, 0) { return apply(block, pairwise::NUMBER, Divides::DIVIDES, *OUTPUT_VARIABLE(0)); } \
  DECLARE_SCHEMA(NAME) {                                                                                              \
    describe(schema, {"pairwise." #NUMBER, #NAME "_bp", ruleOf(#NAME), Takes::TYPES, Derivative::DERIVATIVE,          \
                      Commutes::COMMUTES, __VA_ARGS__});                                                              \
  }

SD_ARITHMETIC(add, Add, Complex, None, Operation, Yes, "Adds two arrays.", "z = x + y", "plus, sum, +",
              "subtract mergeadd", SD_NUMBERS,
              {.numpy = "numpy.add", .torch = "torch.add", .tensorflow = "tf.add", .onnx = "Add"})
SD_ARITHMETIC(subtract, Subtract, Complex, None, Operation, No, "Subtracts one array from another.", "z = x - y",
              "minus, difference, -", "reversesubtract add", SD_NUMBERS,
              {.numpy = "numpy.subtract", .torch = "torch.sub", .tensorflow = "tf.subtract", .onnx = "Sub"})
SD_ARITHMETIC(reversesubtract, ReverseSubtract, Complex, None, Operation, No, "Subtracts with the operands exchanged.",
              "z = y - x", "reversed minus", "subtract", SD_NUMBERS, {.torch = "torch.rsub"})
SD_ARITHMETIC(multiply, Multiply, Complex, None, Operation, Yes, "Multiplies two arrays.", "z = x * y",
              "times, product, *, Hadamard product", "divide", SD_NUMBERS,
              {.numpy = "numpy.multiply", .torch = "torch.mul", .tensorflow = "tf.multiply", .onnx = "Mul"})
SD_ARITHMETIC(squaredsubtract, SquaredSubtract, AnyType, None, Operation, Yes, "Squares the difference.",
              "z = (x - y)^2", "squared difference, squared error", "subtract square", SD_NUMBERS,
              {.tensorflow = "tf.math.squared_difference"})
SD_ARITHMETIC(divide, Divide, Complex, Y, Operation, No, "Divides one array by another.",
              "z = x / y; integers: truncated toward 0", "quotient, /", "realdiv divide_no_nan floordiv", SD_NUMBERS,
              {.numpy = "numpy.divide", .torch = "torch.div", .tensorflow = "tf.divide", .onnx = "Div"})
SD_ARITHMETIC(realdiv, Divide, Complex, None, Operation, No, "Divides one array by another.",
              "z = x / y; integers: truncated toward 0", "quotient", "divide", SD_NUMBERS,
              {.numpy = "numpy.divide", .torch = "torch.div", .tensorflow = "tf.realdiv", .onnx = "Div"})
SD_ARITHMETIC(reversedivide, ReverseDivide, Complex, X, Operation, No, "Divides with the operands exchanged.",
              "z = y / x; integers: truncated toward 0", "reversed quotient", "divide", SD_NUMBERS, {})
SD_ARITHMETIC(divide_no_nan, DivideNoNan, AnyType, Y, Rule, No, "Divides, with 0 where the divisor is 0.",
              "z = 0 where y = 0, else x / y", "safe division", "divide", R"({"x": [6.0, 1.0], "y": [2.0, 0.0]})",
              {.tensorflow = "tf.math.divide_no_nan"})
SD_ARITHMETIC(floordiv, FloorDiv, AnyType, Y, Jumps, No, "Divides and rounds down.", "z = floor(x / y)",
              "integer division, //", "truncatediv floormod", SD_NUMBERS,
              {.numpy = "numpy.floor_divide", .torch = "torch.floor_divide", .tensorflow = "tf.math.floordiv"})
SD_ARITHMETIC(truncatediv, TruncateDiv, AnyType, None, Jumps, No, "Divides and rounds toward 0.", "z = trunc(x / y)",
              "integer division", "floordiv", SD_NUMBERS, {.tensorflow = "tf.truncatediv"})
SD_ARITHMETIC(mod, Mod, AnyType, None, Remainder, No, "The remainder of a division.",
              "z = x - floor(x / y) * y, with the sign of y; integers: x - trunc(x / y) * y, with the sign of x",
              "modulo, remainder, %", "floormod reversemod", SD_NUMBERS,
              {.numpy = "numpy.mod", .torch = "torch.remainder", .onnx = "Mod"})
SD_ARITHMETIC(floormod, FloorMod, AnyType, Y, Remainder, No,
              "The remainder of a division, with the sign of the divisor.", "z = x - floor(x / y) * y",
              "modulo, remainder", "mod floordiv", SD_NUMBERS,
              {.numpy = "numpy.mod", .torch = "torch.remainder", .tensorflow = "tf.math.floormod", .onnx = "Mod"})
SD_ARITHMETIC(reversemod, ReverseMod, AnyType, None, Jumps, No,
              "The remainder of a division of the truncated values, with the operands exchanged.",
              "z = trunc(y) mod trunc(x), with the sign of y", "reversed modulo", "mod", SD_NUMBERS, {})
SD_ARITHMETIC(maximum, MaxPairwise, AnyType, None, Operation, Yes, "The larger of two elements.", "z = max(x, y)",
              "larger, max", "minimum mergemax", SD_NUMBERS,
              {.numpy = "numpy.maximum", .torch = "torch.maximum", .tensorflow = "tf.maximum", .onnx = "Max"})
SD_ARITHMETIC(minimum, MinPairwise, AnyType, None, Operation, Yes, "The smaller of two elements.", "z = min(x, y)",
              "smaller, min", "maximum", SD_NUMBERS,
              {.numpy = "numpy.minimum", .torch = "torch.minimum", .tensorflow = "tf.minimum", .onnx = "Min"})
SD_ARITHMETIC(Pow, Pow, ComplexNumbers, None, Operation, No, "Raises x to the power y.",
              "z = x^y; integers: exact modulo 2^bits, a negative y gives 0 unless |x| = 1", "power, exponent, **",
              "square", R"({"x": [2.0, 3.0], "y": [3.0, 2.0]})",
              {.numpy = "numpy.power", .torch = "torch.pow", .tensorflow = "tf.pow", .onnx = "Pow"})
SD_ARITHMETIC(assign, CopyPws, Complex, None, Operation, No, "Copies y, stretched to the broadcast shape.", "z = y",
              "copy, set", "add", SD_NUMBERS, {.numpy = "numpy.copyto", .torch = "torch.Tensor.copy_"})
SD_ARITHMETIC(igamma, IGamma, Floats, None, Rule, No, "The regularised lower incomplete gamma function.",
              "z = P(x, y) = integral from 0 to y of t^(x - 1) e^-t dt / Gamma(x)", "incomplete gamma",
              "igammac lgamma", R"({"x": [1.0], "y": [1.0]})",
              {.torch = "torch.special.gammainc", .tensorflow = "tf.math.igamma"})
SD_ARITHMETIC(igammac, IGammac, Floats, None, Rule, No, "The regularised upper incomplete gamma function.",
              "z = 1 - P(x, y)", "incomplete gamma", "igamma lgamma", R"({"x": [1.0], "y": [1.0]})",
              {.torch = "torch.special.gammaincc", .tensorflow = "tf.math.igammac"})
SD_ARITHMETIC(
    boolean_and, LogicalAnd, AnyType, None, Boolean, Yes, "Logical and; for numbers, bitwise on the truncated values.",
    "z = trunc(x) & trunc(y)", "logical and, conjunction", "boolean_or bitwise_and",
    R"({"x": [true, true, false], "y": [true, false, false]})",
    {.numpy = "numpy.logical_and", .torch = "torch.logical_and", .tensorflow = "tf.logical_and", .onnx = "And"})
SD_ARITHMETIC(boolean_or, LogicalOr, AnyType, None, Boolean, Yes,
              "Logical or; for numbers, bitwise on the truncated values.", "z = trunc(x) | trunc(y)",
              "logical or, disjunction", "boolean_and bitwise_or",
              R"({"x": [true, true, false], "y": [true, false, false]})",
              {.numpy = "numpy.logical_or", .torch = "torch.logical_or", .tensorflow = "tf.logical_or", .onnx = "Or"})
SD_ARITHMETIC(
    boolean_xor, LogicalXor, AnyType, None, Boolean, Yes, "Exclusive or; for numbers, bitwise on the truncated values.",
    "z = trunc(x) ^ trunc(y)", "exclusive or", "boolean_and bitwise_xor",
    R"({"x": [true, true, false], "y": [true, false, false]})",
    {.numpy = "numpy.logical_xor", .torch = "torch.logical_xor", .tensorflow = "tf.math.logical_xor", .onnx = "Xor"})

// The numbered operation takes the abscissa first.
BROADCASTABLE_OP_IMPL(tf_atan2, 0, 0) {
  const NDArray &x = *INPUT_VARIABLE(0), &y = *INPUT_VARIABLE(1);
  NDArray& z = *OUTPUT_VARIABLE(0);
  BROADCAST_CHECK_EMPTY(&x, &y, &z);
  if (y.dataType() == x.dataType()) {
    broadcastTo(loops::OpGroup::Pairwise, pairwise::Atan2, y, x, z);
  } else {
    const NDArray converted = y.cast(x.dataType());
    broadcastTo(loops::OpGroup::Pairwise, pairwise::Atan2, converted, x, z);
  }
  return Status::OK;
}
DECLARE_SCHEMA(tf_atan2) {
  describe(schema, {"",
                    nullptr,
                    pairRule<angleByX, angleByY>,
                    Takes::Numbers,
                    Derivative::Rule,
                    Commutes::No,
                    "The angle of the point with ordinate x and abscissa y.",
                    "z = atan2(x, y): in -pi..pi, the sign of x",
                    "arc tangent, angle",
                    "Pow",
                    R"({"x": [0.0, 1.0], "y": [1.0, 0.0]})",
                    {.numpy = "numpy.arctan2", .torch = "torch.atan2", .tensorflow = "tf.atan2"}});
}

DECLARE_SYN(Sub, subtract);
DECLARE_SYN(sub, subtract);
DECLARE_SYN(RSub, reversesubtract);
DECLARE_SYN(Mul, multiply);
DECLARE_SYN(squareddifference, squaredsubtract);
DECLARE_SYN(Div, divide);
DECLARE_SYN(RealDiv, realdiv);
DECLARE_SYN(RDiv, reversedivide);
DECLARE_SYN(copy, assign);
DECLARE_SYN(set, assign);

}  // namespace sd::ops
