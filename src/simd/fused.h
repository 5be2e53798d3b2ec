// Fused multiply-add of batches, rounded once, as sums of two floats require. Products with powers of 2.
#ifndef NDFORGE_SRC_SIMD_FUSED_H
#define NDFORGE_SRC_SIMD_FUSED_H

#include <system/common.h>

#include <concepts>

#include "simd/Batch.h"

#if defined(__AVX512F__)
#include <immintrin.h>
#endif

#if defined(__FMA__) || (defined(__ARM_NEON) && defined(__aarch64__))
#define SD_HAS_FUSED_MULTIPLY_ADD 1
#endif

namespace sd {
namespace simd {

/// x * y + z. Early releases of xsimd multiply and add separately in 512-bit batches.
template <typename A>
SD_INLINE xsimd::batch<float, A> fused(xsimd::batch<float, A> x, xsimd::batch<float, A> y, xsimd::batch<float, A> z) {
#if defined(__AVX512F__)
  if constexpr (sizeof(xsimd::batch<float, A>) == sizeof(__m512)) return _mm512_fmadd_ps(x, y, z);
#endif
  return xsimd::fma(x, y, z);
}

template <typename A>
SD_INLINE xsimd::batch<double, A> fused(xsimd::batch<double, A> x, xsimd::batch<double, A> y,
                                        xsimd::batch<double, A> z) {
#if defined(__AVX512F__)
  if constexpr (sizeof(xsimd::batch<double, A>) == sizeof(__m512d)) return _mm512_fmadd_pd(x, y, z);
#endif
  return xsimd::fma(x, y, z);
}

/// x * y - z, computed in the same way.
template <typename A>
SD_INLINE xsimd::batch<float, A> fusedSubtract(xsimd::batch<float, A> x, xsimd::batch<float, A> y,
                                               xsimd::batch<float, A> z) {
#if defined(__AVX512F__)
  if constexpr (sizeof(xsimd::batch<float, A>) == sizeof(__m512)) return _mm512_fmsub_ps(x, y, z);
#endif
  return xsimd::fms(x, y, z);
}
template <typename A>
SD_INLINE xsimd::batch<double, A> fusedSubtract(xsimd::batch<double, A> x, xsimd::batch<double, A> y,
                                                xsimd::batch<double, A> z) {
#if defined(__AVX512F__)
  if constexpr (sizeof(xsimd::batch<double, A>) == sizeof(__m512d)) return _mm512_fmsub_pd(x, y, z);
#endif
  return xsimd::fms(x, y, z);
}

/// The bits of x as lanes of `To`. xsimd 8 expects the batch type, later releases the type of its lanes.
template <typename To, typename From>
SD_INLINE To bitsAs(From x) {
  if constexpr (requires {
                  { xsimd::bitwise_cast<To>(x) } -> std::same_as<To>;
                })
    return xsimd::bitwise_cast<To>(x);
  else
    return xsimd::bitwise_cast<typename To::value_type>(x);
}

/// q * 2^n for integers n in -126..127.
template <typename A>
SD_INLINE xsimd::batch<float, A> scaled(xsimd::batch<float, A> q, xsimd::batch<float, A> n) {
#if defined(__AVX512F__)
  if constexpr (sizeof(xsimd::batch<float, A>) == sizeof(__m512)) return _mm512_scalef_ps(q, n);
#endif
  using I = xsimd::batch<int32_t, A>;
  const I power = (xsimd::to_int(n) + I(127)) << 23;
  return q * bitsAs<xsimd::batch<float, A>>(power);
}

/// q * 2^n for integers n, where both q and the result are normal.
template <typename A>
SD_INLINE xsimd::batch<double, A> scaled(xsimd::batch<double, A> q, xsimd::batch<double, A> n) {
#if defined(__AVX512F__)
  if constexpr (sizeof(xsimd::batch<double, A>) == sizeof(__m512d)) return _mm512_scalef_pd(q, n);
#endif
  using B = xsimd::batch<double, A>;
  using I = xsimd::batch<int64_t, A>;
  const I power = bitsAs<I>(n + B(6755399441055744.0)) << 52;  // the last bits of 1.5 * 2^52 + n are those of n
  return bitsAs<B>(bitsAs<I>(q) + power);
}

}  // namespace simd
}  // namespace sd

#endif
