// Products of matrices that are read where they are, without rearranging them first: those of a few rows with the rows
// of another matrix, as in fully connected layers, whose weights have a row for each output, and those of small
// matrices.
#ifndef NDFORGE_SRC_LOOPS_KERNELS_PRODUCTLOOPS_H
#define NDFORGE_SRC_LOOPS_KERNELS_PRODUCTLOOPS_H

#include <algorithm>
#include <utility>

#include "loops/kernels/KernelTable.h"
#include "simd/EachBatch.h"
#include "simd/Vector.h"
#include "simd/fused.h"

namespace sd::simd::products {

/// A block of a result takes so many rows of a and of b. Its sums, and the elements that they are made of, have room in
/// the registers.
#if defined(__AVX512F__) || defined(__aarch64__)
inline constexpr int ROWS = 4, COLUMNS = 4, PLAIN_BATCHES = 2;
#else
inline constexpr int ROWS = 2, COLUMNS = 4, PLAIN_BATCHES = 3;
#endif

/// Lane i is a[i] + a[i + DISTANCE] where that bit of i is not set, and b[i - DISTANCE] + b[i] elsewhere.
template <int DISTANCE, typename T>
SD_INLINE Batch<T> addPairs(Batch<T> a, Batch<T> b) {
  constexpr int W = static_cast<int>(Batch<T>::size);
  return [&]<int... I>(std::integer_sequence<int, I...>) SD_INLINED->Batch<T> {
    const Batch<T> own = __builtin_shufflevector(a.data, b.data, ((I & DISTANCE) != 0 ? W + I : I)...);
    const Batch<T> other =
        __builtin_shufflevector(a.data, b.data, ((I & DISTANCE) != 0 ? W + I - DISTANCE : I + DISTANCE)...);
    return own + other;
  }
  (std::make_integer_sequence<int, W>());
}

/// Lane k is the sum of all lanes of sums[k]. `sums` has as many batches as a batch has lanes.
template <int DISTANCE, typename T>
SD_INLINE Batch<T> addLanes(const Batch<T>* sums) {
  if constexpr (DISTANCE == 0)
    return sums[0];
  else {
    Batch<T> half[DISTANCE];
    for (int k = 0; k < DISTANCE; k++) half[k] = addPairs<DISTANCE, T>(sums[k], sums[k + DISTANCE]);
    return addLanes<DISTANCE / 2, T>(half);
  }
}

/// sums[r * N + c] = the sum of a[r, i] b[c, i] over i < k. A block of few sums does not wait for each of them with
/// several CHAINS.
template <int M, int N, int CHAINS, typename T>
SD_INLINE void dotBlock(const T* a, LongType stepA, const T* b, LongType stepB, LongType k, T* sums) {
  using B = Batch<T>;
  constexpr LongType W = B::size;
  B chains[CHAINS][M * N];
  for (auto& lanes : chains)
    for (B& sum : lanes) sum = B(T(0));
  const auto addProducts = [&](B* lanes, auto&& load) SD_INLINED {
    B x[M];
    for (int r = 0; r < M; r++) x[r] = load(a + r * stepA);
    for (int c = 0; c < N; c++) {
      const B y = load(b + c * stepB);
      for (int r = 0; r < M; r++) lanes[r * N + c] = fused(x[r], y, lanes[r * N + c]);
    }
  };
  LongType i = 0;
  for (; i + CHAINS * W <= k; i += CHAINS * W)
    for (int j = 0; j < CHAINS; j++)
      addProducts(chains[j], [&](const T* x) SD_INLINED { return B::load_unaligned(x + i + j * W); });
  B* const lanes = chains[0];
  for (; CHAINS > 1 && i + W <= k; i += W)
    addProducts(lanes, [&](const T* x) SD_INLINED { return B::load_unaligned(x + i); });
  if (i < k) addProducts(lanes, [&](const T* x) SD_INLINED { return loadPart(x + i, k - i); });
  for (int j = 1; j < CHAINS; j++)
    for (int s = 0; s < M * N; s++) lanes[s] = lanes[s] + chains[j][s];
  if constexpr (M * N % W == 0) {
    for (LongType j = 0; j < M * N; j += W) addLanes<W / 2, T>(lanes + j).store_unaligned(sums + j);
  } else {
    for (int j = 0; j < M * N; j++) sums[j] = xsimd::hadd(lanes[j]);
  }
}

/// M rows and N columns of the result.
template <int M, int N, int CHAINS, typename T>
SD_INLINE void multiplyBlock(const Product& p, LongType row, LongType column) {
  alignas(64) T sums[M * N];
  dotBlock<M, N, CHAINS>(static_cast<const T*>(p.a) + row * p.stepA, p.stepA,
                         static_cast<const T*>(p.b) + column * p.stepB, p.stepB, p.k, sums);
  const auto alpha = static_cast<T>(p.alpha), beta = static_cast<T>(p.beta);
  for (LongType r = 0; r < M; r++) {
    T* const z = static_cast<T*>(p.c) + (row + r) * p.stepC + column;
    for (LongType j = 0; j < N; j++) {
      const T value = alpha * sums[r * N + j];
      z[j] = beta == T(0) ? value : value + beta * z[j];
    }
  }
}

/// Columns `first` to last - 1 of M rows.
template <int M, typename T>
SD_INLINE void multiplyRows(const Product& p, LongType row, LongType first, LongType last) {
  for (; first + COLUMNS <= last; first += COLUMNS) multiplyBlock<M, COLUMNS, 1, T>(p, row, first);
  for (; first < last; first++) multiplyBlock<M, 1, 1, T>(p, row, first);
}

/// A matrix times a vector.
template <typename T>
SD_INLINE void multiplyVector(const Product& p) {
  constexpr int TOGETHER = 4, CHAINS = 2;
  LongType row = 0;
  for (; row + TOGETHER <= p.m; row += TOGETHER) multiplyBlock<TOGETHER, 1, CHAINS, T>(p, row, 0);
  for (; row < p.m; row++) multiplyBlock<1, 1, CHAINS, T>(p, row, 0);
}

template <typename T>
void multiply(const Product& p, LongType first, LongType last) {
  if (p.n == 1) return multiplyVector<T>(p);
  // The elements of a cache line of c are written one after the other, and the rows of b stay in the cache for all of
  // a.
  constexpr LongType TOGETHER = 64 / sizeof(T);
  for (LongType start = first; start < last; start += TOGETHER) {
    const LongType end = std::min(start + TOGETHER, last);
    LongType row = 0;
    for (; row + ROWS <= p.m; row += ROWS) multiplyRows<ROWS, T>(p, row, start, end);
    for (; row < p.m; row++) multiplyRows<1, T>(p, row, start, end);
  }
}

/// Blocks of the result of a plain product have so many rows, or half of them, and up to PLAIN_BATCHES batches.
inline constexpr int PLAIN_ROWS = 2 * ROWS;

/// M rows of N batches.
template <int M, int N, typename T>
SD_INLINE void multiplyPlainBlock(const Product& p, LongType row, LongType column) {
  using B = Batch<T>;
  constexpr LongType W = B::size;
  const auto* const a = static_cast<const T*>(p.a) + row * p.stepA;
  const auto* const b = static_cast<const T*>(p.b) + column;
  // The result is fetched while it is computed.
  for (int r = 0; r < M; r++)
    for (int v = 0; v < N; v++) __builtin_prefetch(static_cast<T*>(p.c) + (row + r) * p.stepC + column + v * W, 1);
  B sums[M][N];
  for (int r = 0; r < M; r++)
    for (int v = 0; v < N; v++) sums[r][v] = B(T(0));
  for (LongType i = 0; i < p.k; i++) {
    B y[N];
    for (int v = 0; v < N; v++) y[v] = B::load_unaligned(b + i * p.stepB + v * W);
    for (int r = 0; r < M; r++) {
      const B x(a[r * p.stepA + i * p.columnStepA]);
      for (int v = 0; v < N; v++) sums[r][v] = fused(x, y[v], sums[r][v]);
    }
  }
  const B alpha(static_cast<T>(p.alpha)), beta(static_cast<T>(p.beta));
  for (int r = 0; r < M; r++)
    for (int v = 0; v < N; v++) {
      T* const z = static_cast<T*>(p.c) + (row + r) * p.stepC + column + v * W;
      B value = alpha * sums[r][v];
      if (p.beta != 0) value = fused(beta, B::load_unaligned(z), value);
      value.store_unaligned(z);
    }
}

/// N batches of rows `row` to lastRow - 1.
template <int N, typename T>
SD_INLINE void multiplyPlainColumns(const Product& p, LongType row, LongType lastRow, LongType column) {
  for (; row + PLAIN_ROWS <= lastRow; row += PLAIN_ROWS) multiplyPlainBlock<PLAIN_ROWS, N, T>(p, row, column);
  if (row < lastRow) multiplyPlainBlock<PLAIN_ROWS / 2, N, T>(p, row, column);
}

template <typename T>
void multiplyPlain(const Product& p, LongType firstRow, LongType lastRow) {
  // A few columns of b at a time, which stay in the cache for all rows of a.
  constexpr LongType W = Batch<T>::size;
  LongType column = 0;
  // Four batches are two times two; three and one would leave most registers of the second pass empty.
  for (; p.n - column >= PLAIN_BATCHES * W && p.n - column != 4 * W; column += PLAIN_BATCHES * W)
    multiplyPlainColumns<PLAIN_BATCHES, T>(p, firstRow, lastRow, column);
  for (; p.n - column >= 2 * W; column += 2 * W) multiplyPlainColumns<2, T>(p, firstRow, lastRow, column);
  if (column < p.n) multiplyPlainColumns<1, T>(p, firstRow, lastRow, column);
}

}  // namespace sd::simd::products

#endif
