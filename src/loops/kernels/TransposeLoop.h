// The matrix transpose.
#ifndef NDFORGE_SRC_LOOPS_KERNELS_TRANSPOSELOOP_H
#define NDFORGE_SRC_LOOPS_KERNELS_TRANSPOSELOOP_H

#include <system/common.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <utility>

namespace sd::simd {

template <typename T>
struct Square {
  static constexpr int EDGE = 16 / sizeof(T);
  typedef T Row __attribute__((vector_size(16)));

  /// Interleaves the first, or the last, halves of a and b.
  template <int FIRST, int... I>
  static Row turns(Row a, Row b, std::integer_sequence<int, I...>) {
    return __builtin_shufflevector(a, b, (FIRST + I / 2 + (I % 2) * EDGE)...);
  }

  /// Row i of the target is column i of the source. Each step interleaves the rows of the upper half with those of the
  /// lower half; after log2(EDGE) steps the matrix is transposed.
  static void transpose(const T* x, LongType xStride, T* z, LongType zStride) {
    constexpr auto ALL = std::make_integer_sequence<int, EDGE>();
    Row rows[EDGE], next[EDGE];
    for (int i = 0; i < EDGE; i++) std::memcpy(&rows[i], x + i * xStride, sizeof(Row));
    for (int done = 1; done < EDGE; done *= 2) {
      for (int i = 0; i < EDGE / 2; i++) {
        next[2 * i] = turns<0>(rows[i], rows[i + EDGE / 2], ALL);
        next[2 * i + 1] = turns<EDGE / 2>(rows[i], rows[i + EDGE / 2], ALL);
      }
      for (int i = 0; i < EDGE; i++) rows[i] = next[i];
    }
    for (int i = 0; i < EDGE; i++) std::memcpy(z + i * zStride, &rows[i], sizeof(Row));
  }
};

/// z[c][r] = x[r][c], tile by tile. Within a tile the rows of z are completed one after another, because rows a power
/// of 2 apart evict each other from the cache.
template <typename T>
void transposeLoop(const void* xData, LongType xStride, void* zData, LongType zStride, LongType rows,
                   LongType columns) {
  constexpr LongType TILE = 16, EDGE = Square<T>::EDGE, PAGE = 4096;
  const auto x = static_cast<const T*>(xData);
  const auto z = static_cast<T*>(zData);
  // What follows in the rows is needed soon. Processors do not foresee it in many rows that are in different pages.
  const bool apart = xStride * static_cast<LongType>(sizeof(T)) >= PAGE;
  for (LongType top = 0; top < rows; top += TILE) {
    const LongType bottom = std::min(rows, top + TILE);
    for (LongType left = 0; left < columns; left += TILE) {
      const LongType right = std::min(columns, left + TILE);
      if (apart)
        for (LongType r = top; r < bottom; r++) __builtin_prefetch(x + r * xStride + right, 0, 2);
      if (bottom - top < EDGE || right - left < EDGE) {
        for (LongType c = left; c < right; c++)
          for (LongType r = top; r < bottom; r++) z[c * zStride + r] = x[r * xStride + c];
        continue;
      }
      // The last squares overlap those before them rather than leave elements over.
      for (LongType c = left; c < right; c += EDGE) {
        const LongType column = std::min(c, right - EDGE);
        for (LongType r = top; r < bottom; r += EDGE) {
          const LongType row = std::min(r, bottom - EDGE);
          Square<T>::transpose(x + row * xStride + column, xStride, z + column * zStride + row, zStride);
        }
      }
    }
  }
}

}  // namespace sd::simd

#endif
