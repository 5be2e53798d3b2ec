// Sums, mean and deviation of rows of contiguous elements, and rows that are scaled and shifted.
#ifndef NDFORGE_SRC_OPS_DECLARABLE_HELPERS_ROW_SPREAD_H
#define NDFORGE_SRC_OPS_DECLARABLE_HELPERS_ROW_SPREAD_H

#include <system/common.h>

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "loops/Kernels.h"

namespace sd::ops::rows {

struct Spread {
  double mean, deviation;  // or the sums from which they are computed
};

template <typename T>
const simd::RowKernel& kernel() {
  return simd::kernels().rows[sizeof(T) == sizeof(double)];
}

/// As kernel<T>().affine, but z is written past the caches: for outputs that are larger. simd::kernels().streamFence()
/// follows the last row.
template <typename T>
void streamAffine(const T* x, LongType n, const simd::RowAffine& by, T* z) {
  constexpr LongType PART = 256;
  alignas(64) T part[PART];
  // All parts but the first begin with a cache line of z.
  auto length = PART - static_cast<LongType>(reinterpret_cast<uintptr_t>(z) % sizeof part / sizeof(T));
  for (LongType i = 0; i < n; i += length, length = PART) {
    length = std::min(length, n - i);
    kernel<T>().affine(x + i, length, by, part);
    simd::kernels().streamCopy(part, z + i, length * static_cast<LongType>(sizeof(T)));
  }
}

/// The sums of x[i] - about and of their squares.
template <typename T>
Spread sumsAround(const T* x, LongType n, T about) {
  double sums[2];
  kernel<T>().spread(x, n, static_cast<double>(about), sums);
  return {sums[0], sums[1]};
}

/// A mean as the sum of two numbers of T.
template <typename T>
struct Centre {
  T about, off;

  explicit Centre(double mean) : about(static_cast<T>(mean)), off(static_cast<T>(mean - static_cast<double>(about))) {}
};

/// The sums are taken around an estimate of the mean, to which differences are exact. That of a few elements will do
/// unless it is far from the mean of all.
template <typename T>
Spread spreadOf(const T* x, LongType n) {
  const double count = static_cast<double>(n);
  const LongType few = std::min<LongType>(n, 64 / sizeof(T));
  T about = static_cast<T>(sumsAround(x, few, x[0]).mean / static_cast<double>(few) + static_cast<double>(x[0]));
  for (int attempt = 0; attempt < 2; attempt++) {
    const auto [sum, sumOfSquares] = sumsAround(x, n, about);
    if (!std::isfinite(sumOfSquares)) break;
    const double off = sum / count, meanSquare = sumOfSquares / count;
    if (attempt == 1 || 4 * off * off <= meanSquare)
      return {static_cast<double>(about) + off, std::sqrt(std::max(0.0, meanSquare - off * off))};
    about = static_cast<T>(static_cast<double>(about) + off);
  }
  // Sums overflow in T, or values are not finite.
  double mean = 0, squares = 0;
  for (LongType i = 0; i < n; i++) mean += static_cast<double>(x[i]) / count;
  for (LongType i = 0; i < n; i++) squares += (static_cast<double>(x[i]) - mean) * (static_cast<double>(x[i]) - mean);
  return {mean, std::sqrt(squares / count)};
}

struct GradientSums {
  double g, product;
};

/// The sums of g factors and of g factors (x - mean); without factors they are 1.
template <typename T>
GradientSums gradientSums(const T* x, const T* g, LongType n, double mean, const T* factors = nullptr) {
  double sums[2];
  kernel<T>().products(x, g, factors, n, mean, sums);
  return {sums[0], sums[1]};
}

}  // namespace sd::ops::rows

#endif
