// 16-bit floats as pairs of batches of floats, where the instruction set converts whole registers.
#ifndef NDFORGE_SRC_SIMD_HALFBATCH_H
#define NDFORGE_SRC_SIMD_HALFBATCH_H

#include "simd/Half.h"
#include "simd/Vector.h"

#if defined(__AVX2__) && defined(__F16C__)
#define SD_HAS_HALF_BATCHES 1

namespace sd::simd {

/// As many elements as two batches have, in some order.
struct BatchPair {
  Batch<float> first, second;
};

#if defined(__AVX512F__)
SD_INLINE Batch<float> loadHalves(const HalfBits* x) {
  return _mm512_cvtph_ps(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(x)));
}
SD_INLINE void storeHalves(HalfBits* z, Batch<float> value) {
  _mm256_storeu_si256(reinterpret_cast<__m256i*>(z),
                      _mm512_cvtps_ph(value, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC));
}
#else
SD_INLINE Batch<float> loadHalves(const HalfBits* x) {
  return _mm256_cvtph_ps(_mm_loadu_si128(reinterpret_cast<const __m128i*>(x)));
}
SD_INLINE void storeHalves(HalfBits* z, Batch<float> value) {
  _mm_storeu_si128(reinterpret_cast<__m128i*>(z),
                   _mm256_cvtps_ph(value, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC));
}
#endif

SD_INLINE BatchPair loadPair(const HalfBits* x) { return {loadHalves(x), loadHalves(x + Batch<float>::size)}; }
SD_INLINE void storePair(HalfBits* z, const BatchPair& pair) {
  storeHalves(z, pair.first);
  storeHalves(z + Batch<float>::size, pair.second);
}

// Each lane of 32 bits has two neighbours: the elements with even positions are the first batch, the others the second.
#if defined(__AVX512F__)
SD_INLINE BatchPair loadPair(const BFloatBits* x) {
  const __m512i words = _mm512_loadu_si512(x);
  return {_mm512_castsi512_ps(_mm512_slli_epi32(words, 16)),
          _mm512_castsi512_ps(_mm512_and_si512(words, _mm512_set1_epi32(static_cast<int>(0xffff0000u))))};
}
SD_INLINE void storePair(BFloatBits* z, const BatchPair& pair) {
  const __m512i even = _mm512_srli_epi32(roundedUpper(pair.first), 16);
  const __m512i odd = _mm512_and_si512(roundedUpper(pair.second), _mm512_set1_epi32(static_cast<int>(0xffff0000u)));
  _mm512_storeu_si512(z, _mm512_or_si512(even, odd));
}
#else
SD_INLINE BatchPair loadPair(const BFloatBits* x) {
  const __m256i words = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(x));
  return {_mm256_castsi256_ps(_mm256_slli_epi32(words, 16)),
          _mm256_castsi256_ps(_mm256_and_si256(words, _mm256_set1_epi32(static_cast<int>(0xffff0000u))))};
}
SD_INLINE void storePair(BFloatBits* z, const BatchPair& pair) {
  const __m256i even = _mm256_srli_epi32(roundedUpper(pair.first), 16);
  _mm256_storeu_si256(reinterpret_cast<__m256i*>(z), _mm256_blend_epi16(even, roundedUpper(pair.second), 0xaa));
}
#endif

}  // namespace sd::simd

#endif

#endif
