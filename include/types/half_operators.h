// Operators that the 16-bit float types share.
#ifndef NDFORGE_TYPES_HALF_OPERATORS_H
#define NDFORGE_TYPES_HALF_OPERATORS_H

#include <type_traits>

namespace sd::types {

/// Base of all types of real numbers that are computed in float.
struct HalfType {};

template <typename T>
inline constexpr bool isHalf = std::is_base_of_v<HalfType, T>;

template <typename T>
using IfNumber = std::enable_if_t<std::is_arithmetic_v<T>, int>;

/// Base of a 16-bit float type H. Arithmetic is done in float and rounded to H; if the other operand is a number, it is
/// first rounded to H. Comparisons are those of float (-0 equals 0, NaN equals nothing) and do not round the number.
template <typename H>
struct HalfOperators : HalfType {
#define SD_HALF_ARITHMETIC(OP)                                                                           \
  friend constexpr H operator OP(H a, H b) { return H(static_cast<float>(a) OP static_cast<float>(b)); } \
  template <typename T, IfNumber<T> = 0>                                                                 \
  friend constexpr H operator OP(H a, T b) {                                                             \
    return H(static_cast<float>(a) OP static_cast<float>(H(b)));                                         \
  }                                                                                                      \
  template <typename T, IfNumber<T> = 0>                                                                 \
  friend constexpr H operator OP(T a, H b) {                                                             \
    return H(static_cast<float>(H(a)) OP static_cast<float>(b));                                         \
  }                                                                                                      \
  friend constexpr H& operator OP##=(H& a, H b) { return a = H(static_cast<float>(a) OP static_cast<float>(b)); }

#define SD_HALF_COMPARISON(OP)                                                                           \
  friend constexpr bool operator OP(H a, H b) { return static_cast<float>(a) OP static_cast<float>(b); } \
  template <typename T, IfNumber<T> = 0>                                                                 \
  friend constexpr bool operator OP(H a, T b) {                                                          \
    return static_cast<float>(a) OP b;                                                                   \
  }                                                                                                      \
  template <typename T, IfNumber<T> = 0>                                                                 \
  friend constexpr bool operator OP(T a, H b) {                                                          \
    return a OP static_cast<float>(b);                                                                   \
  }

  SD_HALF_ARITHMETIC(+)
  SD_HALF_ARITHMETIC(-)
  SD_HALF_ARITHMETIC(*)
  SD_HALF_ARITHMETIC(/)
  SD_HALF_COMPARISON(==)
  SD_HALF_COMPARISON(!=)
  SD_HALF_COMPARISON(<)
  SD_HALF_COMPARISON(>)
  SD_HALF_COMPARISON(<=)
  SD_HALF_COMPARISON(>=)

#undef SD_HALF_ARITHMETIC
#undef SD_HALF_COMPARISON

  friend constexpr H& operator++(H& a) { return a = H(static_cast<float>(a) + 1.f); }
  friend constexpr H& operator--(H& a) { return a = H(static_cast<float>(a) - 1.f); }
  friend constexpr H operator++(H& a, int) {
    const H old = a;
    ++a;
    return old;
  }
  friend constexpr H operator--(H& a, int) {
    const H old = a;
    --a;
    return old;
  }
};

}  // namespace sd::types

#endif
