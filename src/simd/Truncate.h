// Converts runs of float to int32: the hardware conversion, corrected where it does not saturate.
#ifndef NDFORGE_SRC_SIMD_TRUNCATE_H
#define NDFORGE_SRC_SIMD_TRUNCATE_H

#include <system/common.h>

#if defined(__AVX2__)
#include <immintrin.h>
#elif defined(__ARM_NEON) && defined(__aarch64__)
#include <arm_neon.h>
#endif

namespace sd::simd {

/// Truncates toward zero; NaN gives 0, and values beyond the range give its nearest end. Returns the number of
/// converted elements; the caller converts the rest.
inline LongType floatToInt32(const float* x, int32_t* z, LongType n) {
  LongType i = 0;
#if defined(__AVX512F__)
  for (; i + 16 <= n; i += 16) {
    const __m512 v = _mm512_loadu_ps(x + i);
    const __m512i toward = _mm512_cvttps_epi32(v);  // 0x80000000 for every value that does not fit
    const __mmask16 above = _mm512_cmp_ps_mask(v, _mm512_set1_ps(2147483648.0f), _CMP_GE_OQ);
    const __m512i clipped = _mm512_mask_mov_epi32(toward, above, _mm512_set1_epi32(0x7fffffff));
    _mm512_storeu_si512(z + i, _mm512_maskz_mov_epi32(_mm512_cmp_ps_mask(v, v, _CMP_ORD_Q), clipped));
  }
#elif defined(__AVX2__)
  for (; i + 8 <= n; i += 8) {
    const __m256 v = _mm256_loadu_ps(x + i);
    const __m256i above = _mm256_castps_si256(_mm256_cmp_ps(v, _mm256_set1_ps(2147483648.0f), _CMP_GE_OQ));
    const __m256i clipped = _mm256_xor_si256(_mm256_cvttps_epi32(v), above);
    const __m256i ordered = _mm256_castps_si256(_mm256_cmp_ps(v, v, _CMP_ORD_Q));
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(z + i), _mm256_and_si256(clipped, ordered));
  }
#elif defined(__ARM_NEON) && defined(__aarch64__)
  for (; i + 4 <= n; i += 4) vst1q_s32(z + i, vcvtq_s32_f32(vld1q_f32(x + i)));
#else
  (void)x, (void)z, (void)n;
#endif
  return i;
}

}  // namespace sd::simd

#endif
