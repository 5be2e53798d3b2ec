// Functors on the bits of integers. A shift by less than 0, or by at least the width, shifts all bits out.
#ifndef NDFORGE_OPS_FUNCTORS_BITWISE_H
#define NDFORGE_OPS_FUNCTORS_BITWISE_H

#include <ops/functors/base.h>

namespace simdOps {

template <typename T>
using Bits = std::make_unsigned_t<T>;

template <typename T>
inline constexpr Bits<T> WIDTH = 8 * sizeof(T);

/// Functors on bits: there is no floating-point form.
template <typename T>
struct ShiftOp : ScalarIntegers<T> {
  static constexpr bool integersOnly = true;
};

struct BitwiseOp : Op {
  static constexpr bool integersOnly = true;
};

template <typename T>
struct ShiftLeft : ShiftOp<T> {
  static constexpr const char* formula = "x << y; 0 when y is outside 0..bits-1";
  static T op(T x, T y, Params<T> = nullptr) {
    const auto by = static_cast<Bits<T>>(y);
    return by < WIDTH<T> ? static_cast<T>(static_cast<uint64_t>(x) << by) : T(0);
  }
};

template <typename T>
struct ShiftRight : ShiftOp<T> {
  static constexpr const char* formula =
      "x >> y, the sign is kept; all bits are shifted out when y is outside 0..bits-1";
  static T op(T x, T y, Params<T> = nullptr) {
    const auto by = static_cast<Bits<T>>(y);
    return static_cast<T>(x >> (by < WIDTH<T> ? by : static_cast<Bits<T>>(WIDTH<T> - 1)) >> (by < WIDTH<T> ? 0 : 1));
  }
};

template <typename T>
SD_INLINE T rotateLeft(T x, Bits<T> by) {
  const auto bits = static_cast<Bits<T>>(x);
  const Bits<T> left = by & (WIDTH<T> - 1), right = (WIDTH<T> - left) & (WIDTH<T> - 1);
  return static_cast<T>(static_cast<Bits<T>>(static_cast<uint64_t>(bits) << left) |
                        static_cast<Bits<T>>(bits >> right));
}

template <typename T>
struct CyclicShiftLeft : ShiftOp<T> {
  static constexpr const char* formula = "the bits of x rotated left by y mod bits";
  static T op(T x, T y, Params<T> = nullptr) { return rotateLeft(x, static_cast<Bits<T>>(y)); }
};

template <typename T>
struct CyclicShiftRight : ShiftOp<T> {
  static constexpr const char* formula = "the bits of x rotated right by y mod bits";
  static T op(T x, T y, Params<T> = nullptr) {
    return rotateLeft(x, static_cast<Bits<T>>(0u - static_cast<Bits<T>>(y)));
  }
};

template <typename T>
struct IntAnd : BitwiseOp {
  static constexpr const char* formula = "x & y";
  static T op(T x, T y, Params<T> = nullptr) { return static_cast<T>(x & y); }
};

template <typename T>
struct IntOr : BitwiseOp {
  static constexpr const char* formula = "x | y";
  static T op(T x, T y, Params<T> = nullptr) { return static_cast<T>(x | y); }
};

template <typename T>
struct IntXor : BitwiseOp {
  static constexpr const char* formula = "x ^ y";
  static T op(T x, T y, Params<T> = nullptr) { return static_cast<T>(x ^ y); }
};

}  // namespace simdOps

#endif
