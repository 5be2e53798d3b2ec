// Fused multiply-add of batches: one rounding, which sums of two floats rely on.
#ifndef NDFORGE_SIMD_FUSED_H
#define NDFORGE_SIMD_FUSED_H

#include <system/common.h>

#include <xsimd/xsimd.hpp>

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

}  // namespace simd
}  // namespace sd

#endif
