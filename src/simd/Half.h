// Converts runs of 16-bit floats to float and back, with hardware instructions where they exist and bit arithmetic
// elsewhere.
#ifndef NDFORGE_SRC_SIMD_HALF_H
#define NDFORGE_SRC_SIMD_HALF_H

#include <system/common.h>

#include <bit>
#include <cstring>

#include "simd/StoredTypes.h"

#if defined(__F16C__) || defined(__AVX2__)
#include <immintrin.h>
#elif defined(__ARM_NEON) && defined(__aarch64__)
#include <arm_neon.h>
#endif

namespace sd::simd {

/// Converts one value by its bits: a multiplication adjusts the exponent and also handles subnormals.
SD_INLINE float halfToFloatScalar(HalfBits h) {
  const uint32_t sign = static_cast<uint32_t>(h.bits & 0x8000u) << 16;
  const uint32_t magnitude = static_cast<uint32_t>(h.bits & 0x7fffu) << 13;
  const float scaled = std::bit_cast<float>(magnitude) * std::bit_cast<float>(0x77800000u);  // 2^112
  const uint32_t finite = std::bit_cast<uint32_t>(scaled);
  const uint32_t special = magnitude | 0x7f800000u;
  return std::bit_cast<float>((magnitude >= 0x0f800000u ? special : finite) | sign);
}

SD_INLINE HalfBits floatToHalfScalar(float x) {
  const uint32_t bits = std::bit_cast<uint32_t>(x);
  const uint32_t sign = (bits >> 16) & 0x8000u;
  const uint32_t magnitude = bits & 0x7fffffffu;
  uint32_t half;
  if (magnitude > 0x7f800000u) {
    half = 0x7e00u | ((magnitude >> 13) & 0x1ffu);
  } else if (magnitude >= 0x477ff000u) {  // 65520 and above round to infinity
    half = 0x7c00u;
  } else if (magnitude < 0x38800000u) {  // subnormal: adding 0.5 makes the adder round to the last place
    const float shifted = std::bit_cast<float>(magnitude) + 0.5f;
    half = std::bit_cast<uint32_t>(shifted) - 0x3f000000u;
  } else {
    const uint32_t odd = (magnitude >> 13) & 1u;
    half = (magnitude - 0x38000000u + 0xfffu + odd) >> 13;
  }
  return {static_cast<uint16_t>(half | sign)};
}

inline void halfToFloat(const HalfBits* x, float* z, LongType n) {
  LongType i = 0;
#if defined(__AVX512F__)
  for (; i + 16 <= n; i += 16)
    _mm512_storeu_ps(z + i, _mm512_cvtph_ps(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(x + i))));
#endif
#if defined(__F16C__)
  for (; i + 8 <= n; i += 8)
    _mm256_storeu_ps(z + i, _mm256_cvtph_ps(_mm_loadu_si128(reinterpret_cast<const __m128i*>(x + i))));
#elif defined(__ARM_NEON) && defined(__aarch64__)
  for (; i + 4 <= n; i += 4)
    vst1q_f32(z + i, vcvt_f32_f16(vreinterpret_f16_u16(vld1_u16(reinterpret_cast<const uint16_t*>(x + i)))));
#endif
#if defined(__F16C__)
  for (; i < n; i++) z[i] = _cvtsh_ss(x[i].bits);
#else
  for (; i < n; i++) z[i] = halfToFloatScalar(x[i]);
#endif
}

inline void floatToHalf(const float* x, HalfBits* z, LongType n) {
  LongType i = 0;
#if defined(__F16C__)
  constexpr int ROUNDING = _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC;
#endif
#if defined(__AVX512F__)
  for (; i + 16 <= n; i += 16)
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(z + i), _mm512_cvtps_ph(_mm512_loadu_ps(x + i), ROUNDING));
#endif
#if defined(__F16C__)
  const auto eight = [](const float* from) { return _mm256_cvtps_ph(_mm256_loadu_ps(from), ROUNDING); };
  for (; i + 16 <= n; i += 16)  // a store of 32 bytes takes half the time of two
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(z + i), _mm256_set_m128i(eight(x + i + 8), eight(x + i)));
  for (; i + 8 <= n; i += 8) _mm_storeu_si128(reinterpret_cast<__m128i*>(z + i), eight(x + i));
#elif defined(__ARM_NEON) && defined(__aarch64__)
  for (; i + 4 <= n; i += 4)
    vst1_u16(reinterpret_cast<uint16_t*>(z + i), vreinterpret_u16_f16(vcvt_f16_f32(vld1q_f32(x + i))));
#endif
#if defined(__F16C__)
  for (; i < n; i++) z[i] = {static_cast<uint16_t>(_cvtss_sh(x[i], ROUNDING))};
#else
  for (; i < n; i++) z[i] = floatToHalfScalar(x[i]);
#endif
}

inline void bfloatToFloat(const BFloatBits* x, float* z, LongType n) {
  for (LongType i = 0; i < n; i++) z[i] = std::bit_cast<float>(static_cast<uint32_t>(x[i].bits) << 16);
}

#if defined(__AVX512F__)
/// Rounded as by floatToBFloat(): the upper half of each lane; the lower half is anything.
SD_INLINE __m512i roundedUpper(__m512 x) {
  const __m512i bits = _mm512_castps_si512(x);
  const __m512i odd = _mm512_and_si512(_mm512_srli_epi32(bits, 16), _mm512_set1_epi32(1));
  const __m512i rounded = _mm512_add_epi32(bits, _mm512_add_epi32(odd, _mm512_set1_epi32(0x7fff)));
  return _mm512_mask_or_epi32(rounded, _mm512_cmp_ps_mask(x, x, _CMP_UNORD_Q), bits, _mm512_set1_epi32(0x400000));
}
SD_INLINE __m256i bfloatsOf(__m512 x) { return _mm512_cvtepi32_epi16(_mm512_srli_epi32(roundedUpper(x), 16)); }
#elif defined(__AVX2__)
SD_INLINE __m256i roundedUpper(__m256 x) {
  const __m256i bits = _mm256_castps_si256(x);
  const __m256i odd = _mm256_and_si256(_mm256_srli_epi32(bits, 16), _mm256_set1_epi32(1));
  const __m256i rounded = _mm256_add_epi32(bits, _mm256_add_epi32(odd, _mm256_set1_epi32(0x7fff)));
  const __m256i quiet = _mm256_or_si256(bits, _mm256_set1_epi32(0x400000));
  return _mm256_blendv_epi8(rounded, quiet, _mm256_castps_si256(_mm256_cmp_ps(x, x, _CMP_UNORD_Q)));
}
SD_INLINE __m128i bfloatsOf(__m256 x) {
  const __m256i lanes = _mm256_srli_epi32(roundedUpper(x), 16);
  return _mm_packus_epi32(_mm256_castsi256_si128(lanes), _mm256_extracti128_si256(lanes, 1));
}
#endif

inline void floatToBFloat(const float* x, BFloatBits* z, LongType n) {
  LongType i = 0;
#if defined(__AVX512F__)
  for (; i + 16 <= n; i += 16)
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(z + i), bfloatsOf(_mm512_loadu_ps(x + i)));
#elif defined(__AVX2__)
  for (; i + 8 <= n; i += 8) _mm_storeu_si128(reinterpret_cast<__m128i*>(z + i), bfloatsOf(_mm256_loadu_ps(x + i)));
#endif
  for (; i < n; i++) {
    const uint32_t bits = std::bit_cast<uint32_t>(x[i]);
    const uint32_t rounded = (bits + 0x7fffu + ((bits >> 16) & 1u)) >> 16;
    const uint32_t quiet = (bits >> 16) | 0x40u;
    z[i].bits = static_cast<uint16_t>((bits & 0x7fffffffu) > 0x7f800000u ? quiet : rounded);
  }
}

}  // namespace sd::simd

#endif
