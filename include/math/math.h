// Elementary functions that work on scalars and on SIMD batches.
//
// The functors of ops/ops.h call only these functions, so that one body serves both. `Functions<T>` implements them for
// a type: scalars here, batches in simd/functions.h. Integer arithmetic wraps modulo 2^bits.
#ifndef NDFORGE_MATH_MATH_H
#define NDFORGE_MATH_MATH_H

#include <system/common.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace sd {
namespace math {

template <typename T>
struct Functions;

/// The element type of T: T itself for a scalar, the lane type for a batch.
template <typename T>
using Scalar = typename Functions<T>::Scalar;

/// The result type of a comparison of two T.
template <typename T>
using Mask = decltype(std::declval<T>() < std::declval<T>());

/// T with every lane equal to `value`.
template <typename T>
SD_INLINE T constant(double value) {
  return T(static_cast<Scalar<T>>(value));
}

/// T with every lane equal to a parameter.
template <typename T>
SD_INLINE T splat(Scalar<T> value) {
  return T(value);
}

template <typename T>
inline constexpr bool isInteger = std::is_integral<Scalar<T>>::value;

#define SD_MATH_UNARY(NAME)       \
  template <typename T>           \
  SD_INLINE T NAME(T x) {         \
    return Functions<T>::NAME(x); \
  }
#define SD_MATH_BINARY(NAME)         \
  template <typename T>              \
  SD_INLINE T NAME(T x, T y) {       \
    return Functions<T>::NAME(x, y); \
  }

SD_MATH_UNARY(negate)
SD_MATH_UNARY(abs)
SD_MATH_UNARY(sqrt)
SD_MATH_UNARY(exp)
SD_MATH_UNARY(expm1)
SD_MATH_UNARY(log)
SD_MATH_UNARY(log1p)
SD_MATH_UNARY(log2)
SD_MATH_UNARY(sin)
SD_MATH_UNARY(cos)
SD_MATH_UNARY(tan)
SD_MATH_UNARY(asin)
SD_MATH_UNARY(acos)
SD_MATH_UNARY(atan)
SD_MATH_UNARY(sinh)
SD_MATH_UNARY(cosh)
SD_MATH_UNARY(tanh)
SD_MATH_UNARY(asinh)
SD_MATH_UNARY(acosh)
SD_MATH_UNARY(atanh)
SD_MATH_UNARY(erf)
SD_MATH_UNARY(erfc)
SD_MATH_UNARY(floor)
SD_MATH_UNARY(ceil)
SD_MATH_UNARY(trunc)
SD_MATH_UNARY(round)  // halves away from zero
SD_MATH_UNARY(rint)   // halves to even
SD_MATH_BINARY(add)
SD_MATH_BINARY(subtract)
SD_MATH_BINARY(multiply)
SD_MATH_BINARY(pow)
SD_MATH_BINARY(atan2)
SD_MATH_BINARY(fmod)
SD_MATH_BINARY(remainder)
SD_MATH_BINARY(copysign)

#undef SD_MATH_UNARY
#undef SD_MATH_BINARY

template <typename T>
SD_INLINE auto isnan(T x) {
  return Functions<T>::isnan(x);
}
template <typename T>
SD_INLINE auto isinf(T x) {
  return Functions<T>::isinf(x);
}
template <typename T>
SD_INLINE auto isfinite(T x) {
  return Functions<T>::isfinite(x);
}

/// whenTrue where the mask holds, whenFalse elsewhere. Both sides are evaluated.
template <typename T>
SD_INLINE T select(Mask<T> mask, T whenTrue, T whenFalse) {
  return Functions<T>::select(mask, whenTrue, whenFalse);
}

/// Returns the second argument when one is NaN.
template <typename T>
SD_INLINE T min(T x, T y) {
  return Functions<T>::min(x, y);
}
template <typename T>
SD_INLINE T max(T x, T y) {
  return Functions<T>::max(x, y);
}

/// 1 / (1 + exp(-x)) without overflow: computes exp only of -|x|.
template <typename T>
SD_INLINE T sigmoid(T x) {
  const T one = constant<T>(1), e = exp<T>(-abs<T>(x));
  return select<T>(x >= constant<T>(0), one, e) / (one + e);
}

/// log(1 + exp(x)) without overflow.
template <typename T>
SD_INLINE T softplus(T x) {
  const T zero = constant<T>(0);
  return select<T>(x > zero, x, select<T>(x <= zero, zero, x)) + log1p<T>(exp<T>(-abs<T>(x)));
}

// ---------------------------------------------------------------------------------------------------------- scalars

template <typename S>
struct FloatFunctions {
  using Scalar = S;
  static S negate(S x) { return -x; }
  static S abs(S x) { return std::fabs(x); }
  static S sqrt(S x) { return std::sqrt(x); }
  static S exp(S x) { return std::exp(x); }
  static S expm1(S x) { return std::expm1(x); }
  static S log(S x) { return std::log(x); }
  static S log1p(S x) { return std::log1p(x); }
  static S log2(S x) { return std::log2(x); }
  static S sin(S x) { return std::sin(x); }
  static S cos(S x) { return std::cos(x); }
  static S tan(S x) { return std::tan(x); }
  static S asin(S x) { return std::asin(x); }
  static S acos(S x) { return std::acos(x); }
  static S atan(S x) { return std::atan(x); }
  static S sinh(S x) { return std::sinh(x); }
  static S cosh(S x) { return std::cosh(x); }
  static S tanh(S x) { return std::tanh(x); }
  static S asinh(S x) { return std::asinh(x); }
  static S acosh(S x) { return std::acosh(x); }
  static S atanh(S x) { return std::atanh(x); }
  static S erf(S x) { return std::erf(x); }
  static S erfc(S x) { return std::erfc(x); }
  static S floor(S x) { return std::floor(x); }
  static S ceil(S x) { return std::ceil(x); }
  static S trunc(S x) { return std::trunc(x); }
  static S round(S x) { return std::round(x); }
  static S rint(S x) { return std::rint(x); }
  static S add(S x, S y) { return x + y; }
  static S subtract(S x, S y) { return x - y; }
  static S multiply(S x, S y) { return x * y; }
  static S pow(S x, S y) { return std::pow(x, y); }
  static S atan2(S y, S x) { return std::atan2(y, x); }
  static S fmod(S x, S y) { return std::fmod(x, y); }
  static S remainder(S x, S y) { return std::remainder(x, y); }
  static S copysign(S x, S y) { return std::copysign(x, y); }
  static bool isnan(S x) { return x != x; }
  static bool isinf(S x) { return std::fabs(x) == std::numeric_limits<S>::infinity(); }
  static bool isfinite(S x) { return std::fabs(x) < std::numeric_limits<S>::infinity(); }
  static S select(bool mask, S whenTrue, S whenFalse) { return mask ? whenTrue : whenFalse; }
  static S min(S x, S y) { return x < y ? x : y; }
  static S max(S x, S y) { return x > y ? x : y; }
};

template <>
struct Functions<float> : FloatFunctions<float> {};
template <>
struct Functions<double> : FloatFunctions<double> {};

/// Exact integer arithmetic, wrapping modulo 2^bits. The caller must exclude division by zero.
template <typename S>
struct IntFunctions {
  using Scalar = S;
  // unsigned and at least as wide as int, so that promotion to int cannot cause signed overflow
  using Wide = std::conditional_t<(sizeof(S) < sizeof(int)), unsigned, std::make_unsigned_t<S>>;

  static S negate(S x) { return static_cast<S>(Wide(0) - static_cast<Wide>(x)); }
  static S abs(S x) {
    if constexpr (std::is_signed<S>::value) return x < 0 ? negate(x) : x;
    return x;
  }
  static S floor(S x) { return x; }
  static S ceil(S x) { return x; }
  static S trunc(S x) { return x; }
  static S round(S x) { return x; }
  static S rint(S x) { return x; }
  static S add(S x, S y) { return static_cast<S>(static_cast<Wide>(x) + static_cast<Wide>(y)); }
  static S subtract(S x, S y) { return static_cast<S>(static_cast<Wide>(x) - static_cast<Wide>(y)); }
  static S multiply(S x, S y) { return static_cast<S>(static_cast<Wide>(x) * static_cast<Wide>(y)); }

  /// Truncating division; the most negative value divided by -1 wraps to itself.
  static S divide(S x, S y) {
    if constexpr (std::is_signed<S>::value)
      if (y == S(-1)) return negate(x);
    return static_cast<S>(x / y);
  }
  /// Remainder of the truncating division, with the sign of x.
  static S modulo(S x, S y) {
    if constexpr (std::is_signed<S>::value)
      if (y == S(-1)) return 0;
    return static_cast<S>(x % y);
  }
  static S fmod(S x, S y) { return modulo(x, y); }

  /// x - n*y with n the quotient rounded to nearest, halves to even.
  static S remainder(S x, S y) {
    using U = std::make_unsigned_t<S>;
    const S r = modulo(x, y);
    const S q = divide(x, y);
    const U mr = static_cast<U>(r < 0 ? negate(r) : r), my = static_cast<U>(y < 0 ? negate(y) : y);
    const U rest = static_cast<U>(my - mr);
    if (mr < rest || (mr == rest && (q & 1) == 0)) return r;
    if constexpr (std::is_signed<S>::value)
      return (r < 0) == (y < 0) ? subtract(r, y) : add(r, y);
    else
      return subtract(r, y);
  }

  /// Exact power modulo 2^bits. A negative exponent gives 0 unless |x| is 1.
  static S pow(S x, S y) {
    if constexpr (std::is_signed<S>::value)
      if (y < 0) return x == 1 ? S(1) : x == S(-1) ? (y & 1 ? S(-1) : S(1)) : S(0);
    S result = 1, base = x;
    for (auto e = static_cast<std::make_unsigned_t<S>>(y); e != 0; e = static_cast<decltype(e)>(e >> 1)) {
      if (e & 1) result = multiply(result, base);
      base = multiply(base, base);
    }
    return result;
  }
  static bool isnan(S) { return false; }
  static bool isinf(S) { return false; }
  static bool isfinite(S) { return true; }
  static S select(bool mask, S whenTrue, S whenFalse) { return mask ? whenTrue : whenFalse; }
  static S min(S x, S y) { return x < y ? x : y; }
  static S max(S x, S y) { return x > y ? x : y; }
};

template <>
struct Functions<int8_t> : IntFunctions<int8_t> {};
template <>
struct Functions<int16_t> : IntFunctions<int16_t> {};
template <>
struct Functions<int32_t> : IntFunctions<int32_t> {};
template <>
struct Functions<long> : IntFunctions<long> {};
template <>
struct Functions<LongType> : IntFunctions<LongType> {};
template <>
struct Functions<uint8_t> : IntFunctions<uint8_t> {};
template <>
struct Functions<uint16_t> : IntFunctions<uint16_t> {};
template <>
struct Functions<uint32_t> : IntFunctions<uint32_t> {};
template <>
struct Functions<unsigned long> : IntFunctions<unsigned long> {};
template <>
struct Functions<unsigned long long> : IntFunctions<unsigned long long> {};

// ------------------------------------------------------------------------------------------------------- conditions

/// Conditions that MatchCondition, CompareAndSet, FirstIndex … take as a number.
enum Condition : int {
  EqualsEps = 0,
  NotEqualsEps = 1,
  Less = 2,
  Greater = 3,
  LessOrEqual = 4,
  GreaterOrEqual = 5,
  AbsLess = 6,
  AbsGreater = 7,
  IsInfinite = 8,
  IsNotANumber = 9,
  Equals = 10,
  NotEquals = 11,
  AbsGreaterOrEqual = 12,
  AbsLessOrEqual = 13,
  Finite = 14,
  NotFinite = 15,
};
inline constexpr int CONDITION_COUNT = 16;

/// |v - c| <= eps, without the wrap-around of unsigned and integer differences.
template <typename S>
SD_INLINE bool within(S v, S c, S eps) {
  if constexpr (std::is_integral<S>::value) {
    using U = std::make_unsigned_t<S>;
    const U distance = v > c ? static_cast<U>(static_cast<U>(v) - static_cast<U>(c))
                             : static_cast<U>(static_cast<U>(c) - static_cast<U>(v));
    return eps >= 0 && distance <= static_cast<U>(eps);
  } else {
    return std::fabs(v - c) <= eps;
  }
}

template <typename S>
SD_INLINE bool condition(int mode, S v, S c, S eps) {
  using F = Functions<S>;
  switch (mode) {
    case EqualsEps:
      return within(v, c, eps);
    case NotEqualsEps:
      if constexpr (std::is_integral<S>::value)
        return !within(v, c, eps);
      else
        return std::fabs(v - c) > eps;
    case Less:
      return v < c;
    case Greater:
      return v > c;
    case LessOrEqual:
      return v <= c;
    case GreaterOrEqual:
      return v >= c;
    case AbsLess:
      return F::abs(v) < c;
    case AbsGreater:
      return F::abs(v) > c;
    case IsInfinite:
      return F::isinf(v);
    case IsNotANumber:
      return F::isnan(v);
    case Equals:
      return v == c;
    case NotEquals:
      return v != c;
    case AbsGreaterOrEqual:
      return F::abs(v) >= c;
    case AbsLessOrEqual:
      return F::abs(v) <= c;
    case Finite:
      return F::isfinite(v);
    default:
      return !F::isfinite(v);
  }
}

}  // namespace math
}  // namespace sd

#endif
