// Batches of the instruction set that a unit is compiled for: loads, stores and incomplete batches.
#ifndef NDFORGE_SRC_SIMD_VECTOR_H
#define NDFORGE_SRC_SIMD_VECTOR_H

#include <cstring>
#include <type_traits>
#include <utility>

#include "simd/functions.h"

#if defined(__AVX2__)
#include <immintrin.h>
#endif

namespace sd::simd {

template <typename T>
inline constexpr bool isFloat = std::is_same_v<T, float> || std::is_same_v<T, double>;

/// The batch type for functors that support batches; integer code is left to the compiler's vectoriser.
template <typename T>
using Batch = xsimd::batch<T>;

#if defined(__AVX512F__)
#define SD_HAS_LANE_MASKS 1

/// A mask of the first n lanes.
template <typename T>
SD_INLINE auto firstLanes(LongType n) {
  if constexpr (sizeof(T) == 4)
    return static_cast<__mmask16>((1u << n) - 1);
  else
    return static_cast<__mmask8>((1u << n) - 1);
}
SD_INLINE __m512 loadLanes(const float* x, __mmask16 mask, __m512 rest) { return _mm512_mask_loadu_ps(rest, mask, x); }
SD_INLINE __m512d loadLanes(const double* x, __mmask8 mask, __m512d rest) {
  return _mm512_mask_loadu_pd(rest, mask, x);
}
SD_INLINE void storeLanes(float* z, __mmask16 mask, __m512 value) { _mm512_mask_storeu_ps(z, mask, value); }
SD_INLINE void storeLanes(double* z, __mmask8 mask, __m512d value) { _mm512_mask_storeu_pd(z, mask, value); }
SD_INLINE __m512 mixLanes(__mmask16 mask, __m512 value, __m512 rest) { return _mm512_mask_mov_ps(rest, mask, value); }
SD_INLINE __m512d mixLanes(__mmask8 mask, __m512d value, __m512d rest) { return _mm512_mask_mov_pd(rest, mask, value); }

#define SD_HAS_LANE_ROTATION 1

/// Lane i receives lane i + n, the last n lanes the first ones.
SD_INLINE __m512 rotateLanes(__m512 x, LongType n) {
  const __m512i lanes = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
  return _mm512_permutexvar_ps(_mm512_add_epi32(lanes, _mm512_set1_epi32(static_cast<int>(n))), x);
}
SD_INLINE __m512d rotateLanes(__m512d x, LongType n) {
  const __m512i lanes = _mm512_setr_epi64(0, 1, 2, 3, 4, 5, 6, 7);
  return _mm512_permutexvar_pd(_mm512_add_epi64(lanes, _mm512_set1_epi64(n)), x);
}

#elif defined(__AVX2__)
#define SD_HAS_LANE_MASKS 1

template <typename T>
SD_INLINE __m256i firstLanes(LongType n) {
  if constexpr (sizeof(T) == 4)
    return _mm256_cmpgt_epi32(_mm256_set1_epi32(static_cast<int>(n)), _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));
  else
    return _mm256_cmpgt_epi64(_mm256_set1_epi64x(n), _mm256_setr_epi64x(0, 1, 2, 3));
}
SD_INLINE __m256 mixLanes(__m256i mask, __m256 value, __m256 rest) {
  return _mm256_blendv_ps(rest, value, _mm256_castsi256_ps(mask));
}
SD_INLINE __m256d mixLanes(__m256i mask, __m256d value, __m256d rest) {
  return _mm256_blendv_pd(rest, value, _mm256_castsi256_pd(mask));
}
SD_INLINE __m256 loadLanes(const float* x, __m256i mask, __m256 rest) {
  return mixLanes(mask, _mm256_maskload_ps(x, mask), rest);
}
SD_INLINE __m256d loadLanes(const double* x, __m256i mask, __m256d rest) {
  return mixLanes(mask, _mm256_maskload_pd(x, mask), rest);
}
SD_INLINE void storeLanes(float* z, __m256i mask, __m256 value) { _mm256_maskstore_ps(z, mask, value); }
SD_INLINE void storeLanes(double* z, __m256i mask, __m256d value) { _mm256_maskstore_pd(z, mask, value); }
#endif

/// Loads the first n < Batch::size elements; the other lanes are `fill`.
template <typename T>
SD_INLINE Batch<T> loadPart(const T* x, LongType n, T fill = T(0)) {
#if defined(SD_HAS_LANE_MASKS)
  return loadLanes(x, firstLanes<T>(n), Batch<T>(fill));
#else
  alignas(64) T buffer[Batch<T>::size];
  for (std::size_t i = 0; i < Batch<T>::size; i++) buffer[i] = fill;
  std::memcpy(buffer, x, static_cast<std::size_t>(n) * sizeof(T));
  return Batch<T>::load_aligned(buffer);
#endif
}

template <typename T>
SD_INLINE void storePart(T* z, Batch<T> value, LongType n) {
#if defined(SD_HAS_LANE_MASKS)
  storeLanes(z, firstLanes<T>(n), value);
#else
  alignas(64) T buffer[Batch<T>::size];
  value.store_aligned(buffer);
  std::memcpy(z, buffer, static_cast<std::size_t>(n) * sizeof(T));
#endif
}

/// Keeps the first n lanes of `value` and sets the others to `rest`.
template <typename T>
SD_INLINE Batch<T> keepFirst(Batch<T> value, LongType n, T rest) {
#if defined(SD_HAS_LANE_MASKS)
  return mixLanes(firstLanes<T>(n), value, Batch<T>(rest));
#else
  alignas(64) T buffer[Batch<T>::size];
  value.store_aligned(buffer);
  for (std::size_t i = static_cast<std::size_t>(n); i < Batch<T>::size; i++) buffer[i] = rest;
  return Batch<T>::load_aligned(buffer);
#endif
}

/// Lane i receives lane i ^ Distance, where Distance is a power of 2.
template <int Distance, typename T, typename A>
SD_INLINE xsimd::batch<T, A> exchangeLanes(xsimd::batch<T, A> x) {
  return [&]<int... I>(std::integer_sequence<int, I...>)->xsimd::batch<T, A> {
    return __builtin_shufflevector(x.data, x.data, (I ^ Distance)...);
  }
  (std::make_integer_sequence<int, static_cast<int>(xsimd::batch<T, A>::size)>());
}

}  // namespace sd::simd

#endif
