// Moving elements without computing: stores past the caches, exchange of rows and columns.
#ifndef NDFORGE_SRC_SIMD_KERNELS_MEMORYLOOPS_H
#define NDFORGE_SRC_SIMD_KERNELS_MEMORYLOOPS_H

#include <system/common.h>

#include <algorithm>
#include <cstdint>
#include <cstring>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace sd::simd {

template <typename To, typename From>
SD_INLINE To castTo(From x) {
  To to;
  std::memcpy(&to, &x, sizeof(to));
  return to;
}

/// A store past the caches; z is aligned to the batch.
template <typename T, typename B>
SD_INLINE void streamStore(T* z, B value) {
#if defined(__AVX512F__)
  if constexpr (sizeof(B) == sizeof(__m512i))
    return _mm512_stream_si512(reinterpret_cast<__m512i*>(z), castTo<__m512i>(value));
#endif
#if defined(__AVX__)
  if constexpr (sizeof(B) == sizeof(__m256i))
    return _mm256_stream_si256(reinterpret_cast<__m256i*>(z), castTo<__m256i>(value));
#endif
#if defined(__x86_64__)
  if constexpr (sizeof(B) == sizeof(__m128i))
    return _mm_stream_si128(reinterpret_cast<__m128i*>(z), castTo<__m128i>(value));
#endif
  value.store_aligned(z);
}

inline void streamCopy(const void* xData, void* zData, LongType bytes) {
  auto x = static_cast<const char*>(xData);
  auto z = static_cast<char*>(zData);
#if defined(__x86_64__)
  constexpr LongType LINE = 64;
  const LongType head = std::min(bytes, static_cast<LongType>((LINE - reinterpret_cast<uintptr_t>(z) % LINE) % LINE));
  std::memcpy(z, x, static_cast<std::size_t>(head));
  x += head, z += head, bytes -= head;
  for (; bytes >= LINE; x += LINE, z += LINE, bytes -= LINE) {
#if defined(__AVX512F__)
    _mm512_stream_si512(reinterpret_cast<__m512i*>(z), _mm512_loadu_si512(x));
#elif defined(__AVX__)
    for (int k = 0; k < 2; k++)
      _mm256_stream_si256(reinterpret_cast<__m256i*>(z) + k,
                          _mm256_loadu_si256(reinterpret_cast<const __m256i*>(x) + k));
#else
    for (int k = 0; k < 4; k++)
      _mm_stream_si128(reinterpret_cast<__m128i*>(z) + k, _mm_loadu_si128(reinterpret_cast<const __m128i*>(x) + k));
#endif
  }
#endif
  std::memcpy(z, x, static_cast<std::size_t>(bytes));
}

inline void streamFence() {
#if defined(__x86_64__)
  _mm_sfence();
#endif
}

/// Square blocks, so that the lines of both sides stay in the cache until they are used up.
template <typename T>
void transposeLoop(const void* xData, LongType xStride, void* zData, LongType zStride, LongType rows,
                   LongType columns) {
  constexpr LongType EDGE = sizeof(T) == 8 ? 8 : 16;
  const auto x = static_cast<const T*>(xData);
  const auto z = static_cast<T*>(zData);
  LongType r = 0;
  for (; r + EDGE <= rows; r += EDGE) {
    LongType c = 0;
    for (; c + EDGE <= columns; c += EDGE) {
      T block[EDGE][EDGE];
      for (LongType i = 0; i < EDGE; i++)
        for (LongType k = 0; k < EDGE; k++) block[k][i] = x[(r + i) * xStride + c + k];
      for (LongType k = 0; k < EDGE; k++) std::memcpy(z + (c + k) * zStride + r, block[k], sizeof(block[k]));
    }
    for (; c < columns; c++)
      for (LongType i = 0; i < EDGE; i++) z[c * zStride + r + i] = x[(r + i) * xStride + c];
  }
  for (; r < rows; r++)
    for (LongType c = 0; c < columns; c++) z[c * zStride + r] = x[r * xStride + c];
}

}  // namespace sd::simd

#endif
