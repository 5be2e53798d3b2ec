// The matrix transpose.
#ifndef NDFORGE_SRC_LOOPS_KERNELS_TRANSPOSELOOP_H
#define NDFORGE_SRC_LOOPS_KERNELS_TRANSPOSELOOP_H

#include <system/common.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <utility>

namespace sd::simd {

/// Matrices whose rows fill a vector of BYTES.
template <typename T, int BYTES>
struct Square {
  static constexpr int EDGE = BYTES / sizeof(T);
  typedef T Row __attribute__((vector_size(BYTES)));

  /// Interleaves the first, or the last, halves of a and b.
  template <int FIRST, int... I>
  SD_INLINE static Row turns(Row a, Row b, std::integer_sequence<int, I...>) {
    return __builtin_shufflevector(a, b, (FIRST + I / 2 + (I % 2) * EDGE)...);
  }

  /// Row i becomes what was column i. Each step interleaves the rows of the upper half with those of the lower half;
  /// after log2(EDGE) steps the matrix is transposed.
  SD_INLINE static void exchange(Row (&rows)[EDGE]) {
    constexpr auto ALL = std::make_integer_sequence<int, EDGE>();
    Row next[EDGE];
    for (int done = 1; done < EDGE; done *= 2) {
      for (int i = 0; i < EDGE / 2; i++) {
        next[2 * i] = turns<0>(rows[i], rows[i + EDGE / 2], ALL);
        next[2 * i + 1] = turns<EDGE / 2>(rows[i], rows[i + EDGE / 2], ALL);
      }
      for (int i = 0; i < EDGE; i++) rows[i] = next[i];
    }
  }

  SD_INLINE static void transpose(const T* x, LongType xStride, T* z, LongType zStride) {
    Row rows[EDGE];
    for (int i = 0; i < EDGE; i++) std::memcpy(&rows[i], x + i * xStride, sizeof(Row));
    exchange(rows);
    for (int i = 0; i < EDGE; i++) std::memcpy(z + i * zStride, &rows[i], sizeof(Row));
  }
};

/// Transposes square by square, of which the last overlap those before them rather than leave elements over. Returns
/// false, and does nothing, when not even one fits in.
template <typename T, int BYTES>
SD_INLINE bool transposeSquares(const T* x, LongType xStride, T* z, LongType zStride, LongType rows, LongType columns) {
  constexpr LongType EDGE = Square<T, BYTES>::EDGE;
  if (rows < EDGE || columns < EDGE) return false;
  for (LongType c = 0; c < columns; c += EDGE) {
    const LongType column = std::min(c, columns - EDGE);
    for (LongType r = 0; r < rows; r += EDGE) {
      const LongType row = std::min(r, rows - EDGE);
      Square<T, BYTES>::transpose(x + row * xStride + column, xStride, z + column * zStride + row, zStride);
    }
  }
  return true;
}

/// A tile that is not cut off.
template <typename T, LongType TILE>
[[gnu::noinline]] void transposeTile(const T* x, LongType xStride, T* z, LongType zStride) {
#if defined(__AVX512F__)
  constexpr int BYTES = sizeof(T) >= 4 ? 64 : 16;
#else
  constexpr int BYTES = 16;
#endif
  transposeSquares<T, BYTES>(x, xStride, z, zStride, TILE, TILE);
}

/// z[c][r] = x[r][c], tile by tile. Within a tile the rows of z are completed one after another, because rows a power
/// of 2 apart evict each other from the cache.
template <typename T>
void transposeLoop(const void* xData, LongType xStride, void* zData, LongType zStride, LongType rows,
                   LongType columns) {
  constexpr LongType TILE = 16, PAGE = 4096;
  const auto x = static_cast<const T*>(xData);
  const auto z = static_cast<T*>(zData);
  // What follows in the rows is needed soon. Processors do not foresee it in many rows that are in different pages.
  const bool apart = xStride * static_cast<LongType>(sizeof(T)) >= PAGE;
  for (LongType top = 0; top < rows; top += TILE) {
    const LongType height = std::min(rows - top, TILE);
    for (LongType left = 0; left < columns; left += TILE) {
      const LongType width = std::min(columns - left, TILE);
      const T* const from = x + top * xStride + left;
      T* const to = z + left * zStride + top;
      if (apart)
        for (LongType r = 0; r < height; r++) __builtin_prefetch(from + r * xStride + width, 0, 2);
      if (height == TILE && width == TILE) {
        transposeTile<T, TILE>(from, xStride, to, zStride);
        continue;
      }
#if defined(__AVX512F__)
      if constexpr (sizeof(T) == 4)
        if (transposeSquares<T, 32>(from, xStride, to, zStride, height, width)) continue;
#endif
      if (transposeSquares<T, 16>(from, xStride, to, zStride, height, width)) continue;
      for (LongType c = 0; c < width; c++)
        for (LongType r = 0; r < height; r++) to[c * zStride + r] = from[r * xStride + c];
    }
  }
}

}  // namespace sd::simd

#endif
