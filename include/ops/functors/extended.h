// Functors in addition to the numbered operations: the ready-made functions of sd::tensor use them.
#ifndef NDFORGE_OPS_FUNCTORS_EXTENDED_H
#define NDFORGE_OPS_FUNCTORS_EXTENDED_H

#include <ops/functors/bitwise.h>
#include <ops/functors/reduce.h>
#include <ops/functors/strict.h>

#include <array>

namespace simdOps {

// ------------------------------------------------------------------------------------------------- three operands

template <typename T>
struct MultiplyAdd : Op {
  static constexpr const char* formula = "x * y + w";
  static T op(T x, T y, T w) { return math::add(math::multiply(x, y), w); }
};

template <typename T>
struct AddMultiply : Op {
  static constexpr const char* formula = "(x + y) * w";
  static T op(T x, T y, T w) { return math::multiply(math::add(x, y), w); }
};

template <typename T>
struct MultiplyDivide : Op {
  static constexpr const char* formula = "x * y / w";
  static constexpr bool computesInFloat = true;
  static constexpr int cost = 2;
  static T op(T x, T y, T w) { return x * y / w; }
};

template <typename T>
struct Lerp : Op {
  static constexpr const char* formula = "x * (1 - w) + y * w";
  static constexpr bool computesInFloat = true;
  static T op(T x, T y, T w) { return x * (constant<T>(1) - w) + y * w; }
};

// ------------------------------------------------------------------------------------------------------ integers

template <typename T>
struct OnesComplement : BitwiseOp {
  static constexpr const char* formula = "~x";
  static T op(T x) { return math::subtract(math::negate(x), T(Scalar<T>(1))); }
};

/// Shift every element by the same count; a count below 0, or of at least the width, shifts all bits out.
template <typename T>
struct ShiftLeftBy : ShiftOp<T> {
  static constexpr const char* formula = "x << count";
  static T op(T x, int count) { return ShiftLeft<T>::op(x, count < 0 || count > 127 ? T(127) : static_cast<T>(count)); }
};

template <typename T>
struct ShiftRightBy : ShiftOp<T> {
  static constexpr const char* formula = "x >> count, the sign is kept";
  static T op(T x, int count) {
    return ShiftRight<T>::op(x, count < 0 || count > 127 ? T(127) : static_cast<T>(count));
  }
};

template <typename T>
struct ShiftRightLogicalBy : ShiftOp<T> {
  static constexpr const char* formula = "x >> count, zeros move in";
  static T op(T x, int count) { return static_cast<T>(ShiftRightBy<Bits<T>>::op(static_cast<Bits<T>>(x), count)); }
};

/// Tests whether a result does not fit into an integer type; false for floating point.
struct OverflowTest : ScalarTest {};

template <typename T>
struct AddOverflows : OverflowTest {
  static constexpr const char* formula = "x + y is not representable";
  static bool op(T x, T y) {
    [[maybe_unused]] T z;
    if constexpr (math::isInteger<T>)
      return __builtin_add_overflow(x, y, &z);
    else
      return (void)x, (void)y, false;
  }
};

template <typename T>
struct SubtractOverflows : OverflowTest {
  static constexpr const char* formula = "x - y is not representable";
  static bool op(T x, T y) {
    [[maybe_unused]] T z;
    if constexpr (math::isInteger<T>)
      return __builtin_sub_overflow(x, y, &z);
    else
      return (void)x, (void)y, false;
  }
};

template <typename T>
struct MultiplyOverflows : OverflowTest {
  static constexpr const char* formula = "x * y is not representable";
  static bool op(T x, T y) {
    [[maybe_unused]] T z;
    if constexpr (math::isInteger<T>)
      return __builtin_mul_overflow(x, y, &z);
    else
      return (void)x, (void)y, false;
  }
};

template <typename T>
struct Truncate : Op {
  static constexpr const char* formula = "x rounded toward 0";
  static T op(T x) { return math::trunc(x); }
};

// ------------------------------------------------------------------------------------------- functions of scalars

/// Elementary functions that have no vector form.
struct ScalarFloatOp : FloatOp {
  static constexpr bool isVectorizable = false;
};

inline constexpr double PI = 3.14159265358979323846;
inline constexpr double LN_10 = 2.30258509299404568402;
inline constexpr double LN_2 = 0.69314718055994530942;

/// x modulo 2 in -1 … 1, exactly, so that sines and cosines of multiples of pi keep exact zeros and extremes.
template <typename T>
SD_INLINE T turn(T x) {
  return std::remainder(x, T(2));
}

template <typename T>
SD_INLINE T sinPi(T x) {
  const T r = turn(x), a = std::fabs(r);
  if (a == T(1) || a == T(0)) return std::copysign(T(0), x);
  const T folded = a > T(0.5) ? T(1) - a : a;
  const T s =
      folded > T(0.25) ? std::cos(static_cast<T>(PI) * (T(0.5) - folded)) : std::sin(static_cast<T>(PI) * folded);
  return std::copysign(s, r);
}

template <typename T>
SD_INLINE T cosPi(T x) {
  const T a = std::fabs(turn(x));
  if (a == T(0.5)) return T(0);
  const T folded = a > T(0.5) ? T(1) - a : a;
  const T c =
      folded > T(0.25) ? std::sin(static_cast<T>(PI) * (T(0.5) - folded)) : std::cos(static_cast<T>(PI) * folded);
  return a > T(0.5) ? -c : c;
}

/// A functor of one operand, defined by an expression on scalars.
#define SD_SCALAR_FUNCTION(NAME, EXPRESSION, FORMULA) \
  template <typename T>                               \
  struct NAME : ScalarFloatOp {                       \
    static constexpr const char* formula = FORMULA;   \
    static T op(T x) { return EXPRESSION; }           \
  };

SD_SCALAR_FUNCTION(Cbrt, std::cbrt(x), "the cube root of x")
SD_SCALAR_FUNCTION(Exp2, std::exp2(x), "2^x")
SD_SCALAR_FUNCTION(Exp10, std::pow(T(10), x), "10^x")
SD_SCALAR_FUNCTION(Exp2M1, std::fabs(x) > T(0.5) ? std::exp2(x) - T(1) : std::expm1(x * static_cast<T>(LN_2)),
                   "2^x - 1")
SD_SCALAR_FUNCTION(Exp10M1, std::fabs(x) > T(0.25) ? std::pow(T(10), x) - T(1) : std::expm1(x * static_cast<T>(LN_10)),
                   "10^x - 1")
SD_SCALAR_FUNCTION(Log2, std::log2(x), "logarithm of x to base 2")
SD_SCALAR_FUNCTION(Log10, std::log10(x), "logarithm of x to base 10")
SD_SCALAR_FUNCTION(Log2P1, std::log1p(x) / static_cast<T>(LN_2), "logarithm of x + 1 to base 2")
SD_SCALAR_FUNCTION(Log10P1, std::log1p(x) / static_cast<T>(LN_10), "logarithm of x + 1 to base 10")
SD_SCALAR_FUNCTION(SinPi, sinPi(x), "sin(pi * x)")
SD_SCALAR_FUNCTION(CosPi, cosPi(x), "cos(pi * x)")
SD_SCALAR_FUNCTION(TanPi, sinPi(x) / cosPi(x), "tan(pi * x)")
SD_SCALAR_FUNCTION(ASinPi, std::asin(x) / static_cast<T>(PI), "asin(x) / pi")
SD_SCALAR_FUNCTION(ACosPi, std::acos(x) / static_cast<T>(PI), "acos(x) / pi")
SD_SCALAR_FUNCTION(ATanPi, std::atan(x) / static_cast<T>(PI), "atan(x) / pi")
SD_SCALAR_FUNCTION(BitIncrement, std::nextafter(x, std::numeric_limits<T>::infinity()), "the next larger number")
SD_SCALAR_FUNCTION(BitDecrement, std::nextafter(x, -std::numeric_limits<T>::infinity()), "the next smaller number")
#undef SD_SCALAR_FUNCTION

template <typename T>
struct SinCos : ScalarFloatOp {
  static constexpr const char* formula = "{sin(x), cos(x)}";
  static std::array<T, 2> op(T x) { return {std::sin(x), std::cos(x)}; }
};

template <typename T>
struct SinCosPi : ScalarFloatOp {
  static constexpr const char* formula = "{sin(pi * x), cos(pi * x)}";
  static std::array<T, 2> op(T x) { return {sinPi(x), cosPi(x)}; }
};

template <typename T>
struct Arctangent2 : ScalarFloatOp {
  static constexpr const char* formula = "atan2(x, y): x is the numerator";
  static T op(T x, T y) { return std::atan2(x, y); }
};

template <typename T>
struct Arctangent2Pi : ScalarFloatOp {
  static constexpr const char* formula = "atan2(x, y) / pi: x is the numerator";
  static T op(T x, T y) { return std::atan2(x, y) / static_cast<T>(PI); }
};

template <typename T>
struct Hypot : ScalarFloatOp {
  static constexpr const char* formula = "sqrt(x^2 + y^2) without overflow";
  static T op(T x, T y) { return std::hypot(x, y); }
};

template <typename T>
struct RootN : ScalarFloatOp {
  static constexpr const char* formula = "the n-th root of x; negative for negative x and odd n";
  static T op(T x, int n) {
    if (n == 0) return std::numeric_limits<T>::quiet_NaN();
    if (n == 2) return std::sqrt(x);
    if (n == 3) return std::cbrt(x);
    const T root = std::pow(std::fabs(x), T(1) / static_cast<T>(n));
    if (n % 2 != 0) return std::copysign(root, x);
    return x < T(0) ? std::numeric_limits<T>::quiet_NaN() : root;
  }
};

template <typename T>
struct ScaleB : ScalarFloatOp {
  static constexpr const char* formula = "x * 2^n";
  static T op(T x, int n) { return std::scalbn(x, n); }
};

template <typename T>
struct CopySign : Op {
  static constexpr const char* formula = "|x| with the sign of y";
  static constexpr bool isVectorizable = !math::isInteger<T>;
  static T op(T x, T y) {
    if constexpr (math::isInteger<T>)
      return y < T(0) ? math::negate(math::abs(x)) : math::abs(x);
    else
      return math::copysign(x, y);
  }
};

template <typename T>
struct DegreesToRadians : Op {
  static constexpr const char* formula = "x * pi / 180";
  static constexpr bool computesInFloat = true;
  static T op(T x) { return x * constant<T>(PI / 180); }
};

template <typename T>
struct RadiansToDegrees : Op {
  static constexpr const char* formula = "x * 180 / pi";
  static constexpr bool computesInFloat = true;
  static T op(T x) { return x * constant<T>(180 / PI); }
};

// ------------------------------------------------------------------------------------------- maximum and minimum

/// When both operands compare equal (0 and -0 do), the first is taken.
template <typename T>
struct Maximum : Op {
  static constexpr const char* formula = "the larger of x and y; NaN when one is NaN";
  static T op(T x, T y) { return select<T>((x >= y) || math::isnan(x), x, y); }
};

template <typename T>
struct Minimum : Op {
  static constexpr const char* formula = "the smaller of x and y; NaN when one is NaN";
  static T op(T x, T y) { return select<T>((x <= y) || math::isnan(x), x, y); }
};

template <typename T>
struct MaximumNumber : Op {
  static constexpr const char* formula = "the larger of x and y; the other when one is NaN";
  static T op(T x, T y) { return select<T>((x >= y) || math::isnan(y), x, y); }
};

template <typename T>
struct MinimumNumber : Op {
  static constexpr const char* formula = "the smaller of x and y; the other when one is NaN";
  static T op(T x, T y) { return select<T>((x <= y) || math::isnan(y), x, y); }
};

template <typename T>
struct MaximumMagnitude : ScalarIntegers<T> {
  static constexpr const char* formula = "x or y, the one with the larger magnitude; NaN when one is NaN";
  static T op(T x, T y) {
    if constexpr (math::isInteger<T>)
      return magnitudeLess(math::abs(x), math::abs(y)) ? y : x;
    else
      return select<T>((math::abs(x) >= math::abs(y)) || math::isnan(x), x, y);
  }
};

template <typename T>
struct MinimumMagnitude : ScalarIntegers<T> {
  static constexpr const char* formula = "x or y, the one with the smaller magnitude; NaN when one is NaN";
  static T op(T x, T y) {
    if constexpr (math::isInteger<T>)
      return magnitudeLess(math::abs(y), math::abs(x)) ? y : x;
    else
      return select<T>((math::abs(x) <= math::abs(y)) || math::isnan(x), x, y);
  }
};

template <typename T>
struct MaximumMagnitudeNumber : ScalarIntegers<T> {
  static constexpr const char* formula = "x or y, the one with the larger magnitude; the other when one is NaN";
  static T op(T x, T y) {
    if constexpr (math::isInteger<T>)
      return MaximumMagnitude<T>::op(x, y);
    else
      return select<T>((math::abs(x) >= math::abs(y)) || math::isnan(y), x, y);
  }
};

template <typename T>
struct MinimumMagnitudeNumber : ScalarIntegers<T> {
  static constexpr const char* formula = "x or y, the one with the smaller magnitude; the other when one is NaN";
  static T op(T x, T y) {
    if constexpr (math::isInteger<T>)
      return MinimumMagnitude<T>::op(x, y);
    else
      return select<T>((math::abs(x) <= math::abs(y)) || math::isnan(y), x, y);
  }
};

}  // namespace simdOps

#endif
