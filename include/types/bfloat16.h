// bfloat16: the upper half of a float.
#ifndef NDFORGE_TYPES_BFLOAT16_H
#define NDFORGE_TYPES_BFLOAT16_H

#include <system/common.h>
#include <types/half_operators.h>

#include <limits>
#include <typeindex>  // declares std::hash, and little else

struct float16;

/// Brain float: 8 bits of exponent, 7 of mantissa. Conversions round to nearest even and go through float; NaN stays
/// NaN.
struct bfloat16 : sd::types::HalfOperators<bfloat16> {
  int16_t _data = 0;

  constexpr bfloat16() = default;
  template <typename T, sd::types::IfNumber<T> = 0>
  constexpr bfloat16(T value) : _data(static_cast<int16_t>(round(static_cast<float>(value)))) {}
  constexpr bfloat16(const float16& value);

  constexpr operator float() const { return __builtin_bit_cast(float, static_cast<uint32_t>(bits()) << 16); }
  /// True when the value is not zero; NaN is true.
  constexpr explicit operator bool() const { return (bits() & 0x7fff) != 0; }
  template <typename T, std::enable_if_t<std::is_arithmetic_v<T> && !std::is_same_v<T, float>, int> = 0>
  constexpr explicit operator T() const {
    return static_cast<T>(static_cast<float>(*this));
  }
  constexpr bfloat16 operator-() const { return fromBits(static_cast<uint16_t>(bits() ^ 0x8000)); }

  constexpr uint16_t bits() const { return static_cast<uint16_t>(_data); }
  static constexpr bfloat16 fromBits(uint16_t bits) {
    bfloat16 result;
    result._data = static_cast<int16_t>(bits);
    return result;
  }

  /// The lowest value, not the smallest positive one.
  static constexpr bfloat16 min() { return fromBits(0xff7f); }
  static constexpr bfloat16 max() { return fromBits(0x7f7f); }
  /// Distance from 1 to the next value.
  static constexpr bfloat16 eps() { return fromBits(0x3c00); }
  static constexpr bfloat16 inf() { return fromBits(0x7f80); }
  static constexpr bfloat16 nan() { return fromBits(0x7fc0); }

 private:
  static constexpr uint16_t round(float value) {
    const uint32_t u = __builtin_bit_cast(uint32_t, value);
    if ((u & 0x7fffffffu) > 0x7f800000u) return static_cast<uint16_t>((u >> 16) | 0x40);
    return static_cast<uint16_t>((u + 0x7fff + ((u >> 16) & 1)) >> 16);
  }
};

template <>
struct std::hash<bfloat16> {
  size_t operator()(bfloat16 value) const noexcept { return value == 0.f ? 0 : value.bits(); }
};

template <>
class std::numeric_limits<bfloat16> : public std::numeric_limits<float> {
 public:
  static constexpr int digits = 8;
  static constexpr int digits10 = 2;
  static constexpr int max_digits10 = 4;
  static constexpr bfloat16 min() noexcept { return bfloat16::fromBits(0x0080); }
  static constexpr bfloat16 lowest() noexcept { return bfloat16::min(); }
  static constexpr bfloat16 max() noexcept { return bfloat16::max(); }
  static constexpr bfloat16 epsilon() noexcept { return bfloat16::eps(); }
  static constexpr bfloat16 round_error() noexcept { return bfloat16::fromBits(0x3f00); }
  static constexpr bfloat16 infinity() noexcept { return bfloat16::inf(); }
  static constexpr bfloat16 quiet_NaN() noexcept { return bfloat16::nan(); }
  static constexpr bfloat16 signaling_NaN() noexcept { return bfloat16::fromBits(0x7fa0); }
  static constexpr bfloat16 denorm_min() noexcept { return bfloat16::fromBits(0x0001); }
};

#include <types/float16.h>

#endif
