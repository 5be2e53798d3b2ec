// 16-bit floats as batches of floats, where the instruction set converts whole registers.
#ifndef NDFORGE_SRC_SIMD_HALFBATCH_H
#define NDFORGE_SRC_SIMD_HALFBATCH_H

#include "simd/Half.h"
#include "simd/Vector.h"

#if defined(__AVX2__) && defined(__F16C__)
#define SD_HAS_HALF_BATCHES 1

namespace sd::simd {

#if defined(__AVX512F__)
SD_INLINE Batch<float> loadWide(const HalfBits* x) {
  return _mm512_cvtph_ps(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(x)));
}
SD_INLINE Batch<float> loadWide(const BFloatBits* x) {
  return _mm512_castsi512_ps(
      _mm512_slli_epi32(_mm512_cvtepu16_epi32(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(x))), 16));
}
SD_INLINE void storeNarrow(HalfBits* z, Batch<float> value) {
  _mm256_storeu_si256(reinterpret_cast<__m256i*>(z),
                      _mm512_cvtps_ph(value, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC));
}
SD_INLINE void storeNarrow(BFloatBits* z, Batch<float> value) {
  _mm256_storeu_si256(reinterpret_cast<__m256i*>(z), bfloatsOf(value));
}
#else
SD_INLINE Batch<float> loadWide(const HalfBits* x) {
  return _mm256_cvtph_ps(_mm_loadu_si128(reinterpret_cast<const __m128i*>(x)));
}
SD_INLINE Batch<float> loadWide(const BFloatBits* x) {
  return _mm256_castsi256_ps(
      _mm256_slli_epi32(_mm256_cvtepu16_epi32(_mm_loadu_si128(reinterpret_cast<const __m128i*>(x))), 16));
}
SD_INLINE void storeNarrow(HalfBits* z, Batch<float> value) {
  _mm_storeu_si128(reinterpret_cast<__m128i*>(z),
                   _mm256_cvtps_ph(value, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC));
}
SD_INLINE void storeNarrow(BFloatBits* z, Batch<float> value) {
  _mm_storeu_si128(reinterpret_cast<__m128i*>(z), bfloatsOf(value));
}
#endif

}  // namespace sd::simd

#endif

#endif
