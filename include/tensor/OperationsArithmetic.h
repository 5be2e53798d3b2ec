// Ready-made operations: arithmetic, bits, comparisons, rounding, maximum and minimum.
#ifndef NDFORGE_TENSOR_OPERATIONSARITHMETIC_H
#define NDFORGE_TENSOR_OPERATIONSARITHMETIC_H

#include <ops/functors/extended.h>
#include <tensor/Array.h>
#include <tensor/Compose.h>

SD_TENSOR_BEGIN

/// Defines a function that calls apply with one operator, with the operands and rules of apply: NAME(x, z), NAME(x, y,
/// z) or NAME(x, y, w, z), on spans or on arrays.
#define SD_TENSOR_FUNCTION(NAME, OPERANDS, ...)                                           \
  template <typename... A>                                                                \
  requires(sizeof...(A) > OPERANDS && sizeof...(A) <= OPERANDS + 2) void NAME(A&&... a) { \
    apply<__VA_ARGS__>(std::forward<A>(a)...);                                            \
  }

SD_TENSOR_FUNCTION(add, 2, simdOps::Add)                  ///< x + y
SD_TENSOR_FUNCTION(subtract, 2, simdOps::Subtract)        ///< x - y
SD_TENSOR_FUNCTION(multiply, 2, simdOps::Multiply)        ///< x * y
SD_TENSOR_FUNCTION(divide, 2, simdOps::Divide)            ///< x / y; integers truncate, y != 0
SD_TENSOR_FUNCTION(remainder, 2, simdOps::FMod)           ///< x - trunc(x / y) * y
SD_TENSOR_FUNCTION(ieeeRemainder, 2, simdOps::Remainder)  ///< x - n * y, n = x / y rounded to nearest, halves to even
SD_TENSOR_FUNCTION(negate, 1, simdOps::Neg)               ///< -x
SD_TENSOR_FUNCTION(abs, 1, simdOps::Abs)                  ///< |x|
SD_TENSOR_FUNCTION(sign, 1, simdOps::Sign)                ///< -1, 0 or 1
SD_TENSOR_FUNCTION(copySign, 2, simdOps::CopySign)        ///< |x| with the sign of y
SD_TENSOR_FUNCTION(square, 1, simdOps::Square)            ///< x^2
SD_TENSOR_FUNCTION(cube, 1, simdOps::Cube)                ///< x^3
SD_TENSOR_FUNCTION(reciprocal, 1, simdOps::Reciprocal)    ///< 1 / x
SD_TENSOR_FUNCTION(addMultiply, 3, simdOps::AddMultiply)  ///< (x + y) * w
SD_TENSOR_FUNCTION(multiplyAdd, 3, simdOps::MultiplyAdd)  ///< x * y + w
SD_TENSOR_FUNCTION(multiplyDivide, 3, simdOps::MultiplyDivide)  ///< x * y / w, in floating point
SD_TENSOR_FUNCTION(lerp, 3, simdOps::Lerp)                      ///< x * (1 - w) + y * w

SD_TENSOR_FUNCTION(bitwiseAnd, 2, simdOps::IntAnd)              ///< x & y
SD_TENSOR_FUNCTION(bitwiseOr, 2, simdOps::IntOr)                ///< x | y
SD_TENSOR_FUNCTION(bitwiseXor, 2, simdOps::IntXor)              ///< x ^ y
SD_TENSOR_FUNCTION(onesComplement, 1, simdOps::OnesComplement)  ///< ~x
SD_TENSOR_FUNCTION(rotateLeft, 2, simdOps::CyclicShiftLeft)     ///< the bits of x rotated left by y
SD_TENSOR_FUNCTION(rotateRight, 2, simdOps::CyclicShiftRight)   ///< the bits of x rotated right by y

SD_TENSOR_FUNCTION(equalTo, 2, simdOps::EqualTo)                        ///< x == y
SD_TENSOR_FUNCTION(notEqualTo, 2, simdOps::NotEqualTo)                  ///< x != y
SD_TENSOR_FUNCTION(greaterThan, 2, simdOps::GreaterThan)                ///< x > y
SD_TENSOR_FUNCTION(greaterThanOrEqual, 2, simdOps::GreaterThanOrEqual)  ///< x >= y
SD_TENSOR_FUNCTION(lessThan, 2, simdOps::LessThan)                      ///< x < y
SD_TENSOR_FUNCTION(lessThanOrEqual, 2, simdOps::LessThanOrEqual)        ///< x <= y

SD_TENSOR_FUNCTION(floor, 1, simdOps::Floor)        ///< toward -inf
SD_TENSOR_FUNCTION(ceiling, 1, simdOps::Ceiling)    ///< toward inf
SD_TENSOR_FUNCTION(truncate, 1, simdOps::Truncate)  ///< toward 0
SD_TENSOR_FUNCTION(round, 1, simdOps::Round)        ///< to nearest, halves away from 0
SD_TENSOR_FUNCTION(roundToEven, 1, simdOps::Rint)   ///< to nearest, halves to even

SD_TENSOR_FUNCTION(maximum, 2, simdOps::Maximum)                                ///< NaN when one is NaN
SD_TENSOR_FUNCTION(minimum, 2, simdOps::Minimum)                                ///< NaN when one is NaN
SD_TENSOR_FUNCTION(maximumNumber, 2, simdOps::MaximumNumber)                    ///< the other when one is NaN
SD_TENSOR_FUNCTION(minimumNumber, 2, simdOps::MinimumNumber)                    ///< the other when one is NaN
SD_TENSOR_FUNCTION(maximumMagnitude, 2, simdOps::MaximumMagnitude)              ///< by |x|; NaN when one is NaN
SD_TENSOR_FUNCTION(minimumMagnitude, 2, simdOps::MinimumMagnitude)              ///< by |x|; NaN when one is NaN
SD_TENSOR_FUNCTION(maximumMagnitudeNumber, 2, simdOps::MaximumMagnitudeNumber)  ///< by |x|; the other when one is NaN
SD_TENSOR_FUNCTION(minimumMagnitudeNumber, 2, simdOps::MinimumMagnitudeNumber)  ///< by |x|; the other when one is NaN

/// x << count. A count below 0, or of at least the width, shifts all bits out.
template <SpanSource X, SpanTarget Z>
void shiftLeft(const X& x, int count, Z&& z) {
  applyScalar<simdOps::ShiftLeftBy>(x, count, z);
}
/// x >> count, preserving the sign.
template <SpanSource X, SpanTarget Z>
void shiftRight(const X& x, int count, Z&& z) {
  applyScalar<simdOps::ShiftRightBy>(x, count, z);
}
/// x >> count, filling with zeros.
template <SpanSource X, SpanTarget Z>
void shiftRightLogical(const X& x, int count, Z&& z) {
  applyScalar<simdOps::ShiftRightLogicalBy>(x, count, z);
}

namespace detail {

/// z = Op(x, y), unless a result overflows.
template <template <typename...> class Op, template <typename...> class Overflows, typename X, typename Y, typename Z>
void applyChecked(const char* function, const X& x, const Y& y, Z&& z) {
  static_assert(std::is_same_v<Common<TypeOf<X>, TypeOf<Y>>, ElementOf<Z>>,
                "sd::tensor: the output of a checked operation has the common type of its operands");
  const std::ptrdiff_t at = indexOfFirst<Overflows>(x, y);
  if (at >= 0)
    throw std::overflow_error("[" + std::string(function) + "] the result at [" + std::to_string(at) +
                              "] does not fit the type of the output");
  apply<Op>(x, y, z);
}

}  // namespace detail

/// As add, subtract and multiply of spans. @throws std::overflow_error when an integer result does not fit; then
/// nothing is written
template <SpanSource X, Operand Y, SpanTarget Z>
void addChecked(const X& x, const Y& y, Z&& z) {
  detail::applyChecked<simdOps::Add, simdOps::AddOverflows>("addChecked", x, y, z);
}
template <SpanSource X, Operand Y, SpanTarget Z>
void subtractChecked(const X& x, const Y& y, Z&& z) {
  detail::applyChecked<simdOps::Subtract, simdOps::SubtractOverflows>("subtractChecked", x, y, z);
}
template <SpanSource X, Operand Y, SpanTarget Z>
void multiplyChecked(const X& x, const Y& y, Z&& z) {
  detail::applyChecked<simdOps::Multiply, simdOps::MultiplyOverflows>("multiplyChecked", x, y, z);
}

SD_TENSOR_END

#endif
