// float16: IEEE 754 binary16.
#ifndef NDFORGE_TYPES_FLOAT16_H
#define NDFORGE_TYPES_FLOAT16_H

#include <system/common.h>
#include <types/bfloat16.h>
#include <types/half_operators.h>

#include <limits>
#include <typeindex>  // declares std::hash, and little else

/// The bits of a binary16 number.
struct ihalf {
  unsigned short x = 0;
  constexpr unsigned short getX() const { return x; }
  unsigned short* getXP() { return &x; }
};
using half = ihalf;
#ifndef __CUDACC__
using __half = ihalf;
#endif

namespace sd::types {

/// The bits of the nearest binary16, ties to even. Values from 65520 on become infinity; every NaN becomes 0x7fff.
constexpr uint16_t floatToHalfBits(float value) {
  uint32_t u = __builtin_bit_cast(uint32_t, value);
  const auto sign = static_cast<uint16_t>((u >> 16) & 0x8000);
  u &= 0x7fffffffu;
  if (u > 0x7f800000u) return 0x7fff;
#ifdef __F16C__
  if (!__builtin_is_constant_evaluated()) {
    using Floats = float __attribute__((vector_size(16)));
    return static_cast<uint16_t>(__builtin_ia32_vcvtps2ph(Floats{value, 0, 0, 0}, 0)[0]);
  }
#endif
  if (u >= 0x47800000u) return sign | 0x7c00;
  if (u < 0x38800000u) {
    // Subnormal: adding 0.5 aligns the last bits of the result and of the float, so that the addition rounds.
    const float shifted = __builtin_bit_cast(float, u) + 0.5f;
    return static_cast<uint16_t>(sign | (__builtin_bit_cast(uint32_t, shifted) - 0x3f000000u));
  }
  u += 0xc8000fffu + ((u >> 13) & 1);  // adjusts the exponent bias and rounds to nearest even
  return static_cast<uint16_t>(sign | (u >> 13));
}

/// The value of a binary16.
constexpr float halfBitsToFloat(uint16_t bits) {
#ifdef __F16C__
  if (!__builtin_is_constant_evaluated()) {
    using Shorts = short __attribute__((vector_size(16)));
    return __builtin_ia32_vcvtph2ps(Shorts{static_cast<short>(bits)})[0];
  }
#endif
  const uint32_t sign = static_cast<uint32_t>(bits & 0x8000) << 16;
  const uint32_t exponent = bits & 0x7c00;
  uint32_t u = static_cast<uint32_t>(bits & 0x7fff) << 13;
  if (exponent == 0x7c00) {
    u += (255u - 31u) << 23;
  } else if (exponent == 0) {
    // Subnormal: the mantissa under the exponent of 2^-14, without the hidden bit.
    const float value = __builtin_bit_cast(float, u + (113u << 23)) - __builtin_bit_cast(float, 113u << 23);
    u = __builtin_bit_cast(uint32_t, value);
  } else {
    u += (127u - 15u) << 23;
  }
  return __builtin_bit_cast(float, sign | u);
}

}  // namespace sd::types

/// IEEE half precision: 5 bits of exponent, 10 of mantissa, with subnormals. Conversions round to nearest even and go
/// through float.
struct float16 : sd::types::HalfOperators<float16> {
  half data;

  constexpr float16() = default;
  template <typename T, sd::types::IfNumber<T> = 0>
  constexpr float16(T value) : data{sd::types::floatToHalfBits(static_cast<float>(value))} {}
  constexpr float16(half bits) : data(bits) {}
  constexpr float16(const bfloat16& value) : float16(static_cast<float>(value)) {}

  constexpr operator float() const { return sd::types::halfBitsToFloat(data.x); }
  /// True when the value is not zero; NaN is true.
  constexpr explicit operator bool() const { return (data.x & 0x7fff) != 0; }
  constexpr explicit operator half() const { return data; }
  template <typename T, std::enable_if_t<std::is_arithmetic_v<T> && !std::is_same_v<T, float>, int> = 0>
  constexpr explicit operator T() const {
    return static_cast<T>(static_cast<float>(*this));
  }
  constexpr float16 operator-() const { return fromBits(static_cast<uint16_t>(data.x ^ 0x8000)); }

  constexpr uint16_t bits() const { return data.x; }
  static constexpr float16 fromBits(uint16_t bits) { return float16(half{bits}); }
};

constexpr bfloat16::bfloat16(const float16& value) : bfloat16(static_cast<float>(value)) {}

template <>
struct std::hash<float16> {
  size_t operator()(float16 value) const noexcept { return value == 0.f ? 0 : value.bits(); }
};

template <>
class std::numeric_limits<float16> : public std::numeric_limits<float> {
 public:
  static constexpr int digits = 11;
  static constexpr int digits10 = 3;
  static constexpr int max_digits10 = 5;
  static constexpr int min_exponent = -13;
  static constexpr int min_exponent10 = -4;
  static constexpr int max_exponent = 16;
  static constexpr int max_exponent10 = 4;
  static constexpr float16 min() noexcept { return float16::fromBits(0x0400); }
  static constexpr float16 lowest() noexcept { return float16::fromBits(0xfbff); }
  static constexpr float16 max() noexcept { return float16::fromBits(0x7bff); }
  static constexpr float16 epsilon() noexcept { return float16::fromBits(0x1400); }
  static constexpr float16 round_error() noexcept { return float16::fromBits(0x3800); }
  static constexpr float16 infinity() noexcept { return float16::fromBits(0x7c00); }
  static constexpr float16 quiet_NaN() noexcept { return float16::fromBits(0x7e00); }
  static constexpr float16 signaling_NaN() noexcept { return float16::fromBits(0x7d00); }
  static constexpr float16 denorm_min() noexcept { return float16::fromBits(0x0001); }
};

static_assert(sizeof(float16) == 2 && std::is_trivially_copyable_v<float16> && std::is_standard_layout_v<float16>);
static_assert(sizeof(bfloat16) == 2 && std::is_trivially_copyable_v<bfloat16> && std::is_standard_layout_v<bfloat16>);

#endif
