// Conversion of elements from every storage type to every other, with any strides.
//
// To integers: truncation toward zero, and NaN gives 0. Values are clamped to the range of INT32 (8-bit and 16-bit
// targets and INT32) or of INT64 (UINT32 and INT64); narrower targets then wrap modulo 2^bits. For UINT64, negative
// values are clamped to INT64 and wrap, and values beyond 2^64 give 2^64 - 1. To BOOL: x != 0. To 16-bit floats:
// rounded once, ties to even.
#ifndef NDFORGE_SRC_LOOPS_KERNELS_CONVERTLOOPS_H
#define NDFORGE_SRC_LOOPS_KERNELS_CONVERTLOOPS_H

#include <algorithm>
#include <cstring>
#include <limits>
#include <type_traits>

#include "loops/kernels/KernelTable.h"
#include "simd/Half.h"
#include "simd/MemoryLoops.h"
#include "simd/StoredTypes.h"
#include "simd/Truncate.h"

namespace sd::simd {

template <typename T>
inline constexpr bool isHalf = std::is_same_v<T, HalfBits> || std::is_same_v<T, BFloatBits>;

/// A float truncated and clamped to the range of an integer type; NaN gives 0.
template <typename I, typename F>
SD_INLINE I saturate(F x) {
  // both bounds as floats: the lower one is exact, the upper one is the first value that does not fit
  constexpr F low = static_cast<F>(std::numeric_limits<I>::min());
  constexpr F high = -low;
  const F v = x == x ? x : F(0);
  const F inside = v >= high ? F(0) : v < low ? low : v;
  const I converted = static_cast<I>(inside);
  return v >= high ? std::numeric_limits<I>::max() : converted;
}

template <typename To, typename From>
SD_INLINE To convertValue(From x) {
  if constexpr (std::is_same_v<From, BoolByte>) {
    return x.byte != 0 ? To(1) : To(0);  // GCC does not vectorise conversions of the byte to floats
  } else if constexpr (std::is_same_v<To, BoolByte>) {
    return {static_cast<uint8_t>(x != From(0))};
  } else if constexpr (std::is_floating_point_v<From> && std::is_integral_v<To>) {
    if constexpr (std::is_same_v<To, uint64_t>) {
      constexpr From half = From(9223372036854775808.0);
      const bool upper = x >= half;
      const auto bits = static_cast<uint64_t>(saturate<LongType>(upper ? x - half : x));
      return upper ? (bits | (uint64_t(1) << 63)) : bits;
    } else if constexpr (sizeof(To) == 8 || std::is_same_v<To, uint32_t>) {
      return static_cast<To>(saturate<LongType>(x));
    } else {
      return static_cast<To>(saturate<int32_t>(x));
    }
  } else {
    return static_cast<To>(x);
  }
}

inline constexpr LongType HALF_BLOCK = 256;

template <typename H>
SD_INLINE void widen(const H* x, float* z, LongType n) {
  if constexpr (std::is_same_v<H, HalfBits>)
    halfToFloat(x, z, n);
  else
    bfloatToFloat(x, z, n);
}

template <typename H>
SD_INLINE void narrow(const float* x, H* z, LongType n) {
  if constexpr (std::is_same_v<H, HalfBits>)
    floatToHalf(x, z, n);
  else
    floatToBFloat(x, z, n);
}

/// double to float with rounding to odd: a second rounding to 16 bits then gives the same result as a single rounding.
SD_INLINE float roundToOdd(double x) {
  const float f = static_cast<float>(x);
  uint32_t bits;
  std::memcpy(&bits, &f, sizeof(bits));
  const double back = static_cast<double>(f);
  const bool inexact = back != x && x == x;
  const bool above = (back < 0 ? -back : back) > (x < 0 ? -x : x);
  if (inexact && (bits & 1) == 0) bits += above ? 0xffffffffu : 1u;
  float odd;
  std::memcpy(&odd, &bits, sizeof(odd));
  return odd;
}

/// An integer as a double, rounded to odd where it has too many digits.
template <typename I>
SD_INLINE double toOddDouble(I x) {
  if constexpr (sizeof(I) == 8) {
    constexpr LongType MOST = LongType(1) << 53;
    const bool isExact = x <= static_cast<I>(MOST) && (std::is_unsigned_v<I> || x >= static_cast<I>(-MOST));
    if (!isExact) x = (x & ~I(0x7ff)) | I((x & 0x7ff) != 0 ? 0x800 : 0);
  }
  return static_cast<double>(x);
}

/// A float that is rounded to the same `To` as x is.
template <typename To, typename From>
SD_INLINE float toFloatForHalf(From x) {
  // Beyond this, all integers become an infinite FLOAT16; up to it, all are floats.
  constexpr int32_t MOST = 1 << 20;
  if constexpr (std::is_same_v<From, double>)
    return roundToOdd(x);
  else if constexpr (std::is_same_v<To, HalfBits> && std::is_integral_v<From> && sizeof(From) >= 4)
    return static_cast<float>(static_cast<int32_t>(std::is_signed_v<From> && x < static_cast<From>(-MOST) ? -MOST
                                                   : x > static_cast<From>(MOST)                          ? MOST
                                                                                                          : x));
  else if constexpr (std::is_integral_v<From> && sizeof(From) >= 4)
    return roundToOdd(toOddDouble(x));
  else
    return convertValue<float>(x);
}

template <typename From, typename To>
void convertRun(const From* x, To* z, LongType n) {
  if constexpr (std::is_same_v<From, To>) {
    std::memmove(z, x, static_cast<std::size_t>(n) * sizeof(To));
  } else if constexpr (isHalf<From> || isHalf<To>) {
    alignas(64) float block[HALF_BLOCK];
    for (LongType i = 0; i < n; i += HALF_BLOCK) {
      const LongType length = std::min(HALF_BLOCK, n - i);
      if constexpr (isHalf<From> && std::is_same_v<To, float>) {
        widen(x + i, z + i, length);
      } else if constexpr (isHalf<To> && std::is_same_v<From, float>) {
        narrow(x + i, z + i, length);
      } else {
        if constexpr (isHalf<From>)
          widen(x + i, block, length);
        else
          for (LongType k = 0; k < length; k++) block[k] = toFloatForHalf<To>(x[i + k]);
        if constexpr (isHalf<To>)
          narrow(block, z + i, length);
        else
          for (LongType k = 0; k < length; k++) z[i + k] = convertValue<To>(block[k]);
      }
    }
  } else {
    LongType i = 0;
    if constexpr (std::is_same_v<From, float> && std::is_same_v<To, int32_t>) i = floatToInt32(x, z, n);
    for (; i < n; i++) z[i] = convertValue<To>(x[i]);
  }
}

template <typename From, typename To>
void convertLoop(const void* xData, LongType xStride, void* zData, LongType zStride, LongType n) {
  const auto x = static_cast<const From*>(xData);
  const auto z = static_cast<To*>(zData);
  if (n <= 0) return;
  if (xStride == 0) {
    To value;
    convertRun(x, &value, 1);
    if (zStride == 1)
      std::fill_n(z, n, value);
    else
      for (LongType i = 0; i < n; i++) z[i * zStride] = value;
  } else if (xStride == 1 && zStride == 1) {
    convertRun(x, z, n);
  } else if constexpr (std::is_same_v<From, To>) {
    copyStrided<sizeof(From)>(xData, xStride, zData, zStride, n);
  } else if constexpr (isHalf<From> || isHalf<To>) {
    From in[HALF_BLOCK];
    To out[HALF_BLOCK];
    for (LongType i = 0; i < n; i += HALF_BLOCK) {
      const LongType length = std::min(HALF_BLOCK, n - i);
      for (LongType k = 0; k < length; k++) in[k] = x[(i + k) * xStride];
      convertRun(in, out, length);
      for (LongType k = 0; k < length; k++) z[(i + k) * zStride] = out[k];
    }
  } else {
    for (LongType i = 0; i < n; i++) z[i * zStride] = convertValue<To>(x[i * xStride]);
  }
}

}  // namespace sd::simd

#endif
