// Elementary functions of single numbers, for programs: sd::math::sd_exp<X, Z>(x) takes an X and gives a Z. Kernels use
// math/math.h.
#ifndef NDFORGE_MATH_TEMPLATEMATH_H
#define NDFORGE_MATH_TEMPLATEMATH_H

#include <system/common.h>
#include <types/bfloat16.h>
#include <types/float16.h>

#include <cmath>
#include <limits>
#include <type_traits>

namespace sd::math {

namespace detail {

/// What a function of T computes in: float for the types that it holds exactly, double for the others.
template <typename T>
using Real = std::conditional_t<std::is_same_v<T, double> || (std::is_integral_v<T> && sizeof(T) >= 4), double, float>;

template <typename T>
inline constexpr bool isReal = std::is_floating_point_v<T> || std::is_same_v<T, float16> || std::is_same_v<T, bfloat16>;

template <typename T>
Real<T> real(T value) {
  return static_cast<Real<T>>(value);
}

/// A result as Z: integers lose the fraction and stop at the ends of their range, NaN becomes 0.
template <typename Z, typename R>
Z result(R x) {
  if constexpr (std::is_integral_v<Z> && !std::is_same_v<Z, bool> && std::is_floating_point_v<R>) {
    using Limits = std::numeric_limits<Z>;
    constexpr R above = static_cast<R>(Limits::max() / 2 + 1) * 2;  // a power of 2, which R holds exactly
    if (x != x) return Z{0};
    if (x <= static_cast<R>(Limits::lowest())) return Limits::lowest();
    if (x >= above) return Limits::max();
  }
  return static_cast<Z>(x);
}

}  // namespace detail

// One line for each function of one number.
#define SD_MATH_UNARY(NAME, EXPRESSION)            \
  template <typename X, typename Z>                \
  Z NAME(X value) {                                \
    const detail::Real<X> x = detail::real(value); \
    return detail::result<Z>(EXPRESSION);          \
  }

SD_MATH_UNARY(sd_sqrt, std::sqrt(x))
SD_MATH_UNARY(sd_exp, std::exp(x))
SD_MATH_UNARY(sd_log, std::log(x))
SD_MATH_UNARY(sd_floor, std::floor(x))
SD_MATH_UNARY(sd_ceil, std::ceil(x))
/// Halves away from 0.
SD_MATH_UNARY(sd_round, std::round(x))
SD_MATH_UNARY(sd_rint, std::rint(x))
SD_MATH_UNARY(sd_sin, std::sin(x))
SD_MATH_UNARY(sd_cos, std::cos(x))
SD_MATH_UNARY(sd_tan, std::tan(x))
SD_MATH_UNARY(sd_asin, std::asin(x))
SD_MATH_UNARY(sd_acos, std::acos(x))
SD_MATH_UNARY(sd_atan, std::atan(x))
SD_MATH_UNARY(sd_sinh, std::sinh(x))
SD_MATH_UNARY(sd_cosh, std::cosh(x))
SD_MATH_UNARY(sd_tanh, std::tanh(x))
SD_MATH_UNARY(sd_erf, std::erf(x))
SD_MATH_UNARY(sd_erfc, std::erfc(x))
SD_MATH_UNARY(sd_sigmoid, 1 / (1 + std::exp(-x)))
/// -1, 0 or 1.
SD_MATH_UNARY(sd_sign, static_cast<int>(x > 0) - static_cast<int>(x < 0))
SD_MATH_UNARY(sd_sgn, static_cast<int>(x > 0) - static_cast<int>(x < 0))

#undef SD_MATH_UNARY

/// x to the power of y.
template <typename X, typename Y, typename Z>
Z sd_pow(X x, Y y) {
  return detail::result<Z>(std::pow(detail::real(x), detail::real(y)));
}

/// The remainder of x / y with the sign of x.
template <typename X, typename Y, typename Z>
Z sd_fmod(X x, Y y) {
  return detail::result<Z>(std::fmod(detail::real(x), detail::real(y)));
}

template <typename T>
T sd_abs(T value) {
  if constexpr (std::is_unsigned_v<T>)
    return value;
  else if constexpr (std::is_integral_v<T>)  // the most negative value stays
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

/// False for types that have no such values.
template <typename T>
bool sd_isnan(T value) {
  if constexpr (detail::isReal<T>)
    return std::isnan(detail::real(value));
  else
    return false;
}
template <typename T>
bool sd_isinf(T value) {
  if constexpr (detail::isReal<T>)
    return std::isinf(detail::real(value));
  else
    return false;
}
template <typename T>
bool sd_isfin(T value) {
  return !sd_isnan(value) && !sd_isinf(value);
}

/// |a - b| / (|a| + |b|), 0 for two zeros.
template <typename T, typename Z>
Z sd_re(T a, T b) {
  const auto x = detail::real(a), y = detail::real(b);
  return x == y ? static_cast<Z>(0.f) : static_cast<Z>(std::fabs(x - y) / (std::fabs(x) + std::fabs(y)));
}

/// Equal infinities, or a difference of at most eps, absolute or relative to the larger magnitude.
template <typename T>
bool sd_eq(T a, T b, double eps) {
  if (a == b) return true;
  const double x = static_cast<double>(detail::real(a)), y = static_cast<double>(detail::real(b));
  if (std::isinf(x) || std::isinf(y)) return false;
  const double difference = std::fabs(x - y);
  return difference <= eps || difference <= eps * std::fmax(std::fabs(x), std::fabs(y));
}

/// The bits of an integer, turned to the left by `shift` modulo its width.
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
