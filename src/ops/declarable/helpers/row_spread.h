// Sums, mean and deviation of rows of contiguous elements.
#ifndef NDFORGE_SRC_OPS_DECLARABLE_HELPERS_ROW_SPREAD_H
#define NDFORGE_SRC_OPS_DECLARABLE_HELPERS_ROW_SPREAD_H

#include <system/common.h>

#include <algorithm>
#include <cmath>
#include <cstring>

namespace sd::ops::rows {

struct Spread {
  double mean, deviation;  // or the sums from which they are computed
};

// Vectors of 16 bytes, which every processor of 64 bits has, and several sums of them, because additions take time.
template <typename T>
using Vector __attribute__((vector_size(16))) = T;
inline constexpr LongType SUMS = 4;
/// Elements that are added at once.
template <typename T>
inline constexpr LongType GROUP = SUMS * 16 / sizeof(T);

template <typename T>
double total(const Vector<T>* sums) {
  const Vector<T> joined = (sums[0] + sums[1]) + (sums[2] + sums[3]);
  double sum = 0;
  for (LongType k = 0; k < GROUP<T> / SUMS; k++) sum += static_cast<double>(joined[k]);
  return sum;
}

/// The sums of x[i] - about and of their squares; blocks are summed in T, in which each lane adds few elements, so that
/// rounding errors stay small, and joined in double.
template <typename T>
Spread sumsAround(const T* x, LongType n, T about) {
  constexpr LongType N = GROUP<T>, BLOCK = 64 * N;
  double sum = 0, squares = 0;
  LongType i = 0;
  while (i + N <= n) {
    Vector<T> sums[SUMS] = {}, sumsOfSquares[SUMS] = {};
    for (const LongType end = std::min(i + BLOCK, n / N * N); i < end; i += N)
      for (LongType k = 0; k < SUMS; k++) {
        Vector<T> d;
        std::memcpy(&d, x + i + k * (N / SUMS), sizeof d);
        d -= about;
        sums[k] += d;
        sumsOfSquares[k] += d * d;
      }
    sum += total<T>(sums);
    squares += total<T>(sumsOfSquares);
  }
  for (; i < n; i++) {
    const double d = static_cast<double>(x[i] - about);
    sum += d;
    squares += d * d;
  }
  return {sum, squares};
}

/// The sums are taken around an estimate of the mean, to which differences are exact. That of a few elements will do
/// unless it is far from the mean of all.
template <typename T>
Spread spreadOf(const T* x, LongType n) {
  const double count = static_cast<double>(n);
  const LongType few = std::min(n, GROUP<T>);
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

/// As many elements of T as doubles fit into 16 bytes.
template <typename T>
using Pair __attribute__((vector_size(2 * sizeof(T)))) = T;

template <typename T>
Vector<double> pairAt(const T* x) {
  Pair<T> pair;
  std::memcpy(&pair, x, sizeof pair);
  return __builtin_convertvector(pair, Vector<double>);
}

struct GradientSums {
  double g, product;
};

/// The sums of g and of g (x - mean).
template <typename T>
GradientSums gradientSums(const T* x, const T* g, LongType n, double mean) {
  constexpr LongType N = GROUP<double>;
  Vector<double> sums[SUMS] = {}, products[SUMS] = {};
  LongType i = 0;
  for (; i + N <= n; i += N)
    for (LongType k = 0; k < SUMS; k++) {
      const Vector<double> given = pairAt(g + i + 2 * k);
      sums[k] += given;
      products[k] += given * (pairAt(x + i + 2 * k) - mean);
    }
  GradientSums result{total<double>(sums), total<double>(products)};
  for (; i < n; i++) {
    result.g += static_cast<double>(g[i]);
    result.product += static_cast<double>(g[i]) * (static_cast<double>(x[i]) - mean);
  }
  return result;
}

}  // namespace sd::ops::rows

#endif
