// Arithmetic of two arrays that broadcast: z has x's type, y is converted to it first.
#include <ops/declarable/headers/broadcastable.h>

#include "ops/declarable/Common.h"

namespace sd::ops {
namespace {

enum class Takes { ANY_TYPE, NO_BOOL, FLOATS };

void describe(OpDescriptor* descriptor, Takes takes, const char* summary, const char* formula) {
  if (takes == Takes::FLOATS) {
    descriptor->setAllowedInputTypes({ALL_FLOATS});
  } else if (takes == Takes::NO_BOOL) {
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

Status apply(graph::Context& block, int number, NDArray& z) {
  const NDArray &x = *block.array(0), &y = *block.array(1);
  BROADCAST_CHECK_EMPTY(&x, &y, &z);
  broadcastTo(loops::OpGroup::Pairwise, number, x, y, z);
  return Status::OK;
}

}  // namespace

// name, number, types, what it does, formula
#define SD_ARITHMETIC(NAME, NUMBER, TYPES, SUMMARY, FORMULA)                                        \
  BROADCASTABLE_OP_IMPL(NAME, 0, 0) { return apply(block, pairwise::NUMBER, *OUTPUT_VARIABLE(0)); } \
  DECLARE_TYPES(NAME) { describe(getOpDescriptor(), Takes::TYPES, SUMMARY, FORMULA); }

SD_ARITHMETIC(add, Add, ANY_TYPE, "Adds two arrays.", "z = x + y")
SD_ARITHMETIC(subtract, Subtract, ANY_TYPE, "Subtracts one array from another.", "z = x - y")
SD_ARITHMETIC(reversesubtract, ReverseSubtract, ANY_TYPE, "Subtracts with the operands exchanged.", "z = y - x")
SD_ARITHMETIC(multiply, Multiply, ANY_TYPE, "Multiplies two arrays.", "z = x * y")
SD_ARITHMETIC(squaredsubtract, SquaredSubtract, ANY_TYPE, "Squares the difference.", "z = (x - y)^2")
SD_ARITHMETIC(divide, Divide, ANY_TYPE, "Divides one array by another.", "z = x / y; integers: truncated toward 0")
SD_ARITHMETIC(maximum, MaxPairwise, ANY_TYPE, "The larger of two elements.", "z = max(x, y)")
SD_ARITHMETIC(minimum, MinPairwise, ANY_TYPE, "The smaller of two elements.", "z = min(x, y)")

DECLARE_SYN(Sub, subtract);
DECLARE_SYN(sub, subtract);
DECLARE_SYN(RSub, reversesubtract);
DECLARE_SYN(Mul, multiply);
DECLARE_SYN(squareddifference, squaredsubtract);
DECLARE_SYN(Div, divide);

}  // namespace sd::ops
