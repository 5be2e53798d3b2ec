// Arithmetic of two broadcast arrays: z has x's type, and y is converted to it first.
// operations: add subtract reversesubtract multiply squaredsubtract divide realdiv reversedivide divide_no_nan floordiv
// operations: truncatediv mod floormod reversemod maximum minimum Pow assign igamma igammac boolean_and boolean_or
// operations: boolean_xor tf_atan2
// aliases: Sub sub RSub Mul squareddifference Div RealDiv RDiv copy set
// calls: Add Atan2 CopyPws Divide DivideNoNan FloorDiv FloorMod IGamma IGammac LogicalAnd LogicalOr LogicalXor
// calls: MaxPairwise MinPairwise Mod Multiply Pow ReverseDivide ReverseMod ReverseSubtract SquaredSubtract Subtract
// calls: TruncateDiv
#include <ops/declarable/headers/broadcastable.h>

#include "ops/declarable/Common.h"

namespace sd::ops {
namespace {

enum class Takes { AnyType, Numbers, Floats };

/// The input that may not be BOOL because it is a divisor.
enum class Divides { None, X, Y };

void describe(OpDescriptor* descriptor, Takes takes, const char* summary, const char* formula) {
  if (takes == Takes::Floats) {
    descriptor->setAllowedInputTypes({ALL_FLOATS});
  } else if (takes == Takes::Numbers) {
    descriptor->setAllowedInputTypes({ALL_FLOATS, ALL_INTS});
  } else {
    descriptor->setAllowedInputTypes(ANY);
  }
  descriptor->setSameMode(true)->document(
      {.summary = summary,
       .formula = formula,
       .inputs = "x: any shape\ny: a shape that broadcasts with x; converted to x's type",
       .outputs = "z: the broadcast shape, x's type"});
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

// name, number, types, which input divides, what it does, formula
#define SD_ARITHMETIC(NAME, NUMBER, TYPES, DIVIDES, SUMMARY, FORMULA)                                                 \
  BROADCASTABLE_OP_IMPL(NAME, 0, 0) { return apply(block, pairwise::NUMBER, Divides::DIVIDES, *OUTPUT_VARIABLE(0)); } \
  DECLARE_TYPES(NAME) { describe(getOpDescriptor(), Takes::TYPES, SUMMARY, FORMULA); }

SD_ARITHMETIC(add, Add, AnyType, None, "Adds two arrays.", "z = x + y")
SD_ARITHMETIC(subtract, Subtract, AnyType, None, "Subtracts one array from another.", "z = x - y")
SD_ARITHMETIC(reversesubtract, ReverseSubtract, AnyType, None, "Subtracts with the operands exchanged.", "z = y - x")
SD_ARITHMETIC(multiply, Multiply, AnyType, None, "Multiplies two arrays.", "z = x * y")
SD_ARITHMETIC(squaredsubtract, SquaredSubtract, AnyType, None, "Squares the difference.", "z = (x - y)^2")
SD_ARITHMETIC(divide, Divide, AnyType, Y, "Divides one array by another.", "z = x / y; integers: truncated toward 0")
SD_ARITHMETIC(realdiv, Divide, AnyType, None, "Divides one array by another.",
              "z = x / y; integers: truncated toward 0")
SD_ARITHMETIC(reversedivide, ReverseDivide, AnyType, X, "Divides with the operands exchanged.",
              "z = y / x; integers: truncated toward 0")
SD_ARITHMETIC(divide_no_nan, DivideNoNan, AnyType, Y, "Divides, with 0 where the divisor is 0.",
              "z = 0 where y = 0, else x / y")
SD_ARITHMETIC(floordiv, FloorDiv, AnyType, Y, "Divides and rounds down.", "z = floor(x / y)")
SD_ARITHMETIC(truncatediv, TruncateDiv, AnyType, None, "Divides and rounds toward 0.", "z = trunc(x / y)")
SD_ARITHMETIC(mod, Mod, AnyType, None, "The remainder of a division.",
              "z = x - floor(x / y) * y, with the sign of y; integers: x - trunc(x / y) * y, with the sign of x")
SD_ARITHMETIC(floormod, FloorMod, AnyType, Y, "The remainder of a division, with the sign of the divisor.",
              "z = x - floor(x / y) * y")
SD_ARITHMETIC(reversemod, ReverseMod, AnyType, None,
              "The remainder of a division of the truncated values, with the operands exchanged.",
              "z = trunc(y) mod trunc(x), with the sign of y")
SD_ARITHMETIC(maximum, MaxPairwise, AnyType, None, "The larger of two elements.", "z = max(x, y)")
SD_ARITHMETIC(minimum, MinPairwise, AnyType, None, "The smaller of two elements.", "z = min(x, y)")
SD_ARITHMETIC(Pow, Pow, Numbers, None, "Raises x to the power y.",
              "z = x^y; integers: exact modulo 2^bits, a negative y gives 0 unless |x| = 1")
SD_ARITHMETIC(assign, CopyPws, AnyType, None, "Copies y, stretched to the broadcast shape.", "z = y")
SD_ARITHMETIC(igamma, IGamma, Floats, None, "The regularised lower incomplete gamma function.",
              "z = P(x, y) = integral of t^(x-1) e^-t from 0 to y, divided by Gamma(x)")
SD_ARITHMETIC(igammac, IGammac, Floats, None, "The regularised upper incomplete gamma function.", "z = 1 - P(x, y)")
SD_ARITHMETIC(boolean_and, LogicalAnd, AnyType, None, "Logical and; for numbers, bitwise on the truncated values.",
              "z = trunc(x) & trunc(y)")
SD_ARITHMETIC(boolean_or, LogicalOr, AnyType, None, "Logical or; for numbers, bitwise on the truncated values.",
              "z = trunc(x) | trunc(y)")
SD_ARITHMETIC(boolean_xor, LogicalXor, AnyType, None, "Exclusive or; for numbers, bitwise on the truncated values.",
              "z = trunc(x) ^ trunc(y)")

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
DECLARE_TYPES(tf_atan2) {
  describe(getOpDescriptor(), Takes::Numbers, "The angle of the point with ordinate x and abscissa y.",
           "z = atan2(x, y): in -pi..pi, the sign of x");
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
