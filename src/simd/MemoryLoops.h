// Moves elements without computing: non-temporal stores and strided copies.
#ifndef NDFORGE_SRC_SIMD_MEMORYLOOPS_H
#define NDFORGE_SRC_SIMD_MEMORYLOOPS_H

#include <system/common.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <utility>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

/// Declares that the iterations of the loop that follows are independent: z is x or y itself, or overlaps neither.
#if defined(__clang__)
#define SD_INDEPENDENT _Pragma("clang loop vectorize(assume_safety)")
#else
#define SD_INDEPENDENT _Pragma("GCC ivdep")
#endif

namespace sd::simd {

template <typename To, typename From>
SD_INLINE To castTo(From x) {
  To to;
  std::memcpy(&to, &x, sizeof(to));
  return to;
}

/// A non-temporal store; z is aligned to the batch.
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

/// The unsigned integer of a given number of bytes.
template <std::size_t Bytes>
using WordOf =
    std::conditional_t<Bytes == 1, uint8_t,
                       std::conditional_t<Bytes == 2, uint16_t, std::conditional_t<Bytes == 4, uint32_t, uint64_t>>>;

/// z[i] = x[STEP i]: compilers vectorise strides that are constants.
template <LongType STEP, std::size_t Bytes>
void copyEvery(const void* xData, void* zData, LongType n) {
  typedef WordOf<Bytes> U __attribute__((may_alias));
  const auto x = static_cast<const U*>(xData);
  const auto z = static_cast<U*>(zData);
  SD_INDEPENDENT
  for (LongType i = 0; i < n; i++) z[i] = x[STEP * i];
}

/// z[i] = x[-i], by vectors whose lanes are reversed.
template <std::size_t Bytes>
void copyReversed(const void* xData, void* zData, LongType n) {
#if defined(__AVX512F__)
  constexpr int LANES = 64 / Bytes;
#elif defined(__AVX2__)
  constexpr int LANES = 32 / Bytes;
#else
  constexpr int LANES = 16 / Bytes;
#endif
  typedef WordOf<Bytes> U;
  typedef U Lanes __attribute__((vector_size(LANES * Bytes)));
  const auto x = static_cast<const char*>(xData);
  const auto z = static_cast<char*>(zData);
  constexpr auto SIZE = static_cast<LongType>(Bytes);
  LongType i = 0;
  for (; n >= LANES && i < n; i += LANES) {
    i = std::min<LongType>(i, n - LANES);  // the last vector overlaps the one before
    Lanes lanes;
    std::memcpy(&lanes, x - (i + LANES - 1) * SIZE, sizeof lanes);
    lanes = [&]<int... I>(std::integer_sequence<int, I...>)->Lanes {
      return __builtin_shufflevector(lanes, lanes, (LANES - 1 - I)...);
    }
    (std::make_integer_sequence<int, LANES>());
    std::memcpy(z + i * SIZE, &lanes, sizeof lanes);
  }
  for (; i < n; i++) std::memcpy(z + i * SIZE, x - i * SIZE, Bytes);
}

/// z[i] = x[i xStride], by vectors that are put together from elements.
template <std::size_t Bytes>
void gatherStrided(const void* xData, LongType xStride, void* zData, LongType n) {
  typedef WordOf<Bytes> U __attribute__((may_alias));
#if defined(__AVX2__)
  constexpr int LANES = Bytes == 8 ? 4 : 8;
#else
  constexpr int LANES = Bytes <= 2 ? 8 : 16 / Bytes;
#endif
  typedef WordOf<Bytes> Lanes __attribute__((vector_size(LANES * Bytes)));
  const auto x = static_cast<const U*>(xData);
  const auto z = static_cast<U*>(zData);
  LongType i = 0;
  for (; i + LANES <= n; i += LANES) {
    const U* const from = x + i * xStride;
    const Lanes lanes = [&]<int... I>(std::integer_sequence<int, I...>)->Lanes { return Lanes{from[I * xStride]...}; }
    (std::make_integer_sequence<int, LANES>());
    std::memcpy(z + i, &lanes, sizeof lanes);
  }
  for (; i < n; i++) z[i] = x[i * xStride];
}

/// Eight at a time: the speed of a loop over single elements depends on the alignment of its code.
template <std::size_t Bytes>
SD_INLINE void copyByEights(const void* xData, LongType xStride, void* zData, LongType zStride, LongType n) {
  typedef WordOf<Bytes> U __attribute__((may_alias));
  const auto x = static_cast<const U*>(xData);
  const auto z = static_cast<U*>(zData);
  constexpr LongType STEP = 8;
  LongType i = 0;
  for (; i + STEP <= n; i += STEP) {
    const U* from = x + i * xStride;
    U* to = z + i * zStride;
    for (LongType k = 0; k < STEP; k++) to[k * zStride] = from[k * xStride];
  }
  for (; i < n; i++) z[i * zStride] = x[i * xStride];
}

/// z[i zStride] = x[i xStride] for elements of `Bytes` bytes.
template <std::size_t Bytes>
void copyStrided(const void* xData, LongType xStride, void* zData, LongType zStride, LongType n) {
  if (zStride == 1 && xStride == 2) return copyEvery<2, Bytes>(xData, zData, n);
  if (zStride == 1 && xStride == 4) return copyEvery<4, Bytes>(xData, zData, n);
  if constexpr (Bytes <= 8) {
    if (zStride == 1 && xStride == -1) return copyReversed<Bytes>(xData, zData, n);
    if (zStride == 1) return gatherStrided<Bytes>(xData, xStride, zData, n);
  }
  // Two strides at a time do not leave registers for all the addresses.
  if (xStride == 1) return copyByEights<Bytes>(xData, 1, zData, zStride, n);
  copyByEights<Bytes>(xData, xStride, zData, zStride, n);
}

}  // namespace sd::simd

#endif
