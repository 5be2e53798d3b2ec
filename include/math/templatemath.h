// Elementary functions of single numbers, for programs: sd::math::sd_exp<X, Z>(x) takes an X and returns a Z, which is
// X by default. Kernels use math/math.h.
#ifndef NDFORGE_MATH_TEMPLATEMATH_H
#define NDFORGE_MATH_TEMPLATEMATH_H

#include <system/common.h>
#include <types/bfloat16.h>
#include <types/float16.h>

#include <limits>
#include <type_traits>

namespace sd::math {

namespace detail {

/// The type in which a function of T is computed: float for the types whose values it represents exactly, else double.
template <typename T>
using Real = std::conditional_t<std::is_same_v<T, double> || (std::is_integral_v<T> && sizeof(T) >= 4), double, float>;

template <typename T>
inline constexpr bool isReal = std::is_floating_point_v<T> || types::isHalf<T>;

template <typename T>
Real<T> real(T value) {
  return static_cast<Real<T>>(value);
}

// Replacements for functions of <cmath>, a header a quarter as long as everything that array/NDArray.h includes.
#define SD_MATH_BUILTIN(NAME)                                   \
  inline float NAME(float x) { return __builtin_##NAME##f(x); } \
  inline double NAME(double x) { return __builtin_##NAME(x); }
SD_MATH_BUILTIN(sqrt)
SD_MATH_BUILTIN(exp)
SD_MATH_BUILTIN(log)
SD_MATH_BUILTIN(floor)
SD_MATH_BUILTIN(ceil)
SD_MATH_BUILTIN(round)
SD_MATH_BUILTIN(rint)
SD_MATH_BUILTIN(sin)
SD_MATH_BUILTIN(cos)
SD_MATH_BUILTIN(tan)
SD_MATH_BUILTIN(asin)
SD_MATH_BUILTIN(acos)
SD_MATH_BUILTIN(atan)
SD_MATH_BUILTIN(sinh)
SD_MATH_BUILTIN(cosh)
SD_MATH_BUILTIN(tanh)
SD_MATH_BUILTIN(erf)
SD_MATH_BUILTIN(erfc)
SD_MATH_BUILTIN(fabs)
#undef SD_MATH_BUILTIN

inline float pow(float x, float y) { return __builtin_powf(x, y); }
inline double pow(double x, double y) { return __builtin_pow(x, y); }
inline float fmod(float x, float y) { return __builtin_fmodf(x, y); }
inline double fmod(double x, double y) { return __builtin_fmod(x, y); }

/// A result as Z: integers drop the fraction and are clipped to their range, NaN becomes 0.
template <typename Z, typename R>
Z result(R x) {
  if constexpr (std::is_integral_v<Z> && !std::is_same_v<Z, bool> && std::is_floating_point_v<R>) {
    using Limits = std::numeric_limits<Z>;
    constexpr R above = static_cast<R>(Limits::max() / 2 + 1) * 2;  // a power of 2, which R represents exactly
    if (x != x) return Z{0};
    if (x <= static_cast<R>(Limits::lowest())) return Limits::lowest();
    if (x >= above) return Limits::max();
  }
  return static_cast<Z>(x);
}

}  // namespace detail

// One line for each function of one argument.
#define SD_MATH_UNARY(NAME, EXPRESSION)            \
  template <typename X, typename Z = X>            \
  Z NAME(X value) {                                \
    const detail::Real<X> x = detail::real(value); \
    return detail::result<Z>(EXPRESSION);          \
  }

SD_MATH_UNARY(sd_sqrt, detail::sqrt(x))
SD_MATH_UNARY(sd_exp, detail::exp(x))
SD_MATH_UNARY(sd_log, detail::log(x))
SD_MATH_UNARY(sd_floor, detail::floor(x))
SD_MATH_UNARY(sd_ceil, detail::ceil(x))
/// Rounds halves away from 0.
SD_MATH_UNARY(sd_round, detail::round(x))
SD_MATH_UNARY(sd_rint, detail::rint(x))
SD_MATH_UNARY(sd_sin, detail::sin(x))
SD_MATH_UNARY(sd_cos, detail::cos(x))
SD_MATH_UNARY(sd_tan, detail::tan(x))
SD_MATH_UNARY(sd_asin, detail::asin(x))
SD_MATH_UNARY(sd_acos, detail::acos(x))
SD_MATH_UNARY(sd_atan, detail::atan(x))
SD_MATH_UNARY(sd_sinh, detail::sinh(x))
SD_MATH_UNARY(sd_cosh, detail::cosh(x))
SD_MATH_UNARY(sd_tanh, detail::tanh(x))
SD_MATH_UNARY(sd_erf, detail::erf(x))
SD_MATH_UNARY(sd_erfc, detail::erfc(x))
SD_MATH_UNARY(sd_sigmoid, 1 / (1 + detail::exp(-x)))
/// -1, 0 or 1.
SD_MATH_UNARY(sd_sign, static_cast<int>(x > 0) - static_cast<int>(x < 0))
SD_MATH_UNARY(sd_sgn, static_cast<int>(x > 0) - static_cast<int>(x < 0))

#undef SD_MATH_UNARY

/// x to the power of y.
template <typename X, typename Y, typename Z = X>
Z sd_pow(X x, Y y) {
  using R = decltype(detail::real(x) + detail::real(y));
  return detail::result<Z>(detail::pow(static_cast<R>(detail::real(x)), static_cast<R>(detail::real(y))));
}

/// The remainder of x / y with the sign of x.
template <typename X, typename Y, typename Z = X>
Z sd_fmod(X x, Y y) {
  using R = decltype(detail::real(x) + detail::real(y));
  return detail::result<Z>(detail::fmod(static_cast<R>(detail::real(x)), static_cast<R>(detail::real(y))));
}

template <typename T>
T sd_abs(T value) {
  if constexpr (std::is_unsigned_v<T>)
    return value;
  else if constexpr (std::is_integral_v<T>)  // the most negative value is unchanged
    return value < 0 ? static_cast<T>(std::make_unsigned_t<T>(0) - static_cast<std::make_unsigned_t<T>>(value)) : value;
  else
    return value < static_cast<T>(0) ? static_cast<T>(-value) : static_cast<T>(value + static_cast<T>(0));
}

template <typename T>
T sd_max(T a, T b) {
  return a > b ? a : b;
}
template <typename T>
T sd_min(T a, T b) {
  return a < b ? a : b;
}

/// False for types that cannot be NaN.
template <typename T>
bool sd_isnan(T value) {
  if constexpr (detail::isReal<T>)
    return __builtin_isnan(detail::real(value));
  else
    return false;
}
template <typename T>
bool sd_isinf(T value) {
  if constexpr (detail::isReal<T>)
    return __builtin_isinf(detail::real(value));
  else
    return false;
}
template <typename T>
bool sd_isfin(T value) {
  return !sd_isnan(value) && !sd_isinf(value);
}

/// |a - b| / (|a| + |b|), 0 for two zeros.
template <typename T, typename Z = T>
Z sd_re(T a, T b) {
  const auto x = detail::real(a), y = detail::real(b);
  return x == y ? static_cast<Z>(0.f) : static_cast<Z>(detail::fabs(x - y) / (detail::fabs(x) + detail::fabs(y)));
}

/// True for equal infinities, or for a difference of at most eps, absolute or relative to the larger magnitude.
template <typename T>
bool sd_eq(T a, T b, double eps) {
  if (a == b) return true;
  const double x = static_cast<double>(detail::real(a)), y = static_cast<double>(detail::real(b));
  if (__builtin_isinf(x) || __builtin_isinf(y)) return false;
  const double difference = detail::fabs(x - y);
  return difference <= eps || difference <= eps * sd_max(detail::fabs(x), detail::fabs(y));
}

/// The bits of an integer, rotated left by `shift` modulo its width.
template <typename T>
T sd_rotl(T value, T shift) {
  static_assert(std::is_integral_v<T>);
  using U = std::make_unsigned_t<T>;
  constexpr unsigned width = 8 * sizeof(T);
  const unsigned distance = static_cast<unsigned>(static_cast<U>(shift) % width);
  const U bits = static_cast<U>(value);
  return distance == 0 ? value : static_cast<T>(static_cast<U>(bits << distance | bits >> (width - distance)));
}

}  // namespace sd::math

#endif
