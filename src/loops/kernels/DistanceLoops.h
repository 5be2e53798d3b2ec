// Sums over pairs of elements (REDUCE3), and moments of runs and of columns.
#ifndef NDFORGE_SRC_LOOPS_KERNELS_DISTANCELOOPS_H
#define NDFORGE_SRC_LOOPS_KERNELS_DISTANCELOOPS_H

#include <ops/functors/reduce3.h>

#include "loops/kernels/ReduceLoops.h"

namespace sd::simd {

/// Adds the sums of n pairs to `sums`: batches of T in short chains, which are joined in double.
template <template <typename...> class Op, typename T>
void distanceLoop(const void* xData, const void* yData, LongType n, double* sums, const void* paramData) {
  using B = Batch<T>;
  constexpr LongType W = B::size;
  constexpr int S = Op<T>::accumulators;
  const auto x = static_cast<const T*>(xData);
  const auto y = static_cast<const T*>(yData);
  const auto params = static_cast<const T*>(paramData);
  alignas(64) double lanes[S][W] = {};
  alignas(64) T block[W];
  LongType i = 0;
  while (i + W <= n) {
    B chains[2][S];
    for (auto& chain : chains)
      for (auto& sum : chain) sum = B(T(0));
    LongType step = 0;
    for (; step < CHAIN && i + 2 * W <= n; step++, i += 2 * W)
      for (LongType k = 0; k < 2; k++)
        Op<B>::update(chains[k], B::load_unaligned(x + i + k * W), B::load_unaligned(y + i + k * W), params);
    if (step < CHAIN && i + W <= n) {
      Op<B>::update(chains[0], B::load_unaligned(x + i), B::load_unaligned(y + i), params);
      i += W;
    }
    for (int s = 0; s < S; s++) {
      (chains[0][s] + chains[1][s]).store_aligned(block);
      for (LongType k = 0; k < W; k++) lanes[s][k] += static_cast<double>(block[k]);
    }
  }
  double rest[S] = {};
  double wideParams[4] = {};
  if constexpr (Op<T>::maxParams > 0) wideParams[0] = static_cast<double>(params[0]);
  for (; i < n; i++) Op<double>::update(rest, static_cast<double>(x[i]), static_cast<double>(y[i]), wideParams);
  for (int s = 0; s < S; s++) {
    double sum = rest[s];
    for (LongType k = 0; k < W; k++) sum += lanes[s][k];
    sums[s] += sum;
  }
}

template <template <typename...> class Op, typename T>
constexpr DistanceKernel distanceKernel() {
  return {distanceLoop<Op, T>, Op<T>::postProcess, Op<T>::emptyValue};
}

/// Each block is read twice (mean, then deviations from it); blocks are joined by Chan's formula. Everything is in
/// double.
template <typename T>
void momentsLoop(const void* xData, LongType n, double* result) {
  constexpr LongType BLOCK = 512, LANES = 8;
  const auto x = static_cast<const T*>(xData);
  simdOps::Moments total{result[0], result[1], result[2]};
  for (LongType i = 0; i < n; i += BLOCK) {
    const LongType length = std::min(BLOCK, n - i);
    const T* const part = x + i;
    const auto sumOf = [&](auto&& value) {
      double lanes[LANES] = {};
      LongType k = 0;
      for (; k + LANES <= length; k += LANES)
        for (LongType lane = 0; lane < LANES; lane++) lanes[lane] += value(static_cast<double>(part[k + lane]));
      for (; k < length; k++) lanes[0] += value(static_cast<double>(part[k]));
      return ((lanes[0] + lanes[1]) + (lanes[2] + lanes[3])) + ((lanes[4] + lanes[5]) + (lanes[6] + lanes[7]));
    };
    const double count = static_cast<double>(length);
    const double mean = sumOf([](double v) { return v; }) / count;
    const double m2 = sumOf([mean](double v) { return (v - mean) * (v - mean); });
    total.join({count, mean, m2});
  }
  std::memcpy(result, &total, sizeof(total));
}

/// Blocks of rows are read twice as well. Strips of columns and blocks stay in the L1 cache.
template <typename T>
void momentsOfRows(const void* xData, LongType rows, LongType rowStride, LongType columns, LongType before,
                   double* mean, double* m2) {
  constexpr LongType ROWS = 64, COLUMNS = 64;
  const auto x = static_cast<const T*>(xData);
  for (LongType first = 0; first < columns; first += COLUMNS) {
    const LongType width = std::min(COLUMNS, columns - first);
    double* const means = mean + first;
    double* const squares = m2 + first;
    for (LongType row = 0; row < rows; row += ROWS) {
      const LongType height = std::min(ROWS, rows - row);
      const T* const block = x + row * rowStride + first;
      alignas(64) double center[COLUMNS] = {}, deviations[COLUMNS] = {};
      for (LongType r = 0; r < height; r++) {
        const T* const values = block + r * rowStride;
        for (LongType k = 0; k < width; k++) center[k] += static_cast<double>(values[k]);
      }
      const double n = static_cast<double>(height);
      for (LongType k = 0; k < width; k++) center[k] /= n;
      for (LongType r = 0; r < height; r++) {
        const T* const values = block + r * rowStride;
        for (LongType k = 0; k < width; k++) {
          const double distance = static_cast<double>(values[k]) - center[k];
          deviations[k] += distance * distance;
        }
      }
      // Chan's formula, as in Moments::join
      const double earlier = static_cast<double>(before + row), share = n / (earlier + n);
      if (earlier == 0) {
        std::copy_n(center, width, means);
        std::copy_n(deviations, width, squares);
        continue;
      }
      for (LongType k = 0; k < width; k++) {
        const double delta = center[k] - means[k];
        means[k] += delta * share;
        squares[k] += deviations[k] + delta * delta * (earlier * share);
      }
    }
  }
}

}  // namespace sd::simd

#endif
