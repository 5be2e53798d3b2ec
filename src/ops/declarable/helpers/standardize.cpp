#include "ops/declarable/helpers/standardize.h"

#include <system/openmp_pragmas.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "ops/declarable/helpers/real.h"

namespace sd::ops {
namespace {

struct Spread {
  double mean, deviation;  // or the sums from which they are computed
};

// Vectors of 16 bytes, which every processor of 64 bits has, and several sums of them, because additions take time.
template <typename T>
using Vector __attribute__((vector_size(16))) = T;
constexpr LongType SUMS = 4;
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

/// z = (x - mean) / (deviation + 1e-12), with NaN replaced by 0, for rows with elements or sums that are not finite.
template <typename T>
[[gnu::noinline]] void standardizeOddRow(const T* x, LongType n, Spread s, T* z) {
  for (LongType i = 0; i < n; i++) {
    const double value = (static_cast<double>(x[i]) - s.mean) / (s.deviation + 1e-12);
    z[i] = value == value ? static_cast<T>(value) : T(0);
  }
}

/// z = (x - mean) / (deviation + 1e-12), with NaN replaced by 0. `finish(value, i)` makes the results of the values.
template <typename T, typename F>
void standardizeRow(const T* x, LongType n, Spread s, T* z, F&& finish) {
  T about = static_cast<T>(s.mean), off = static_cast<T>(s.mean - static_cast<double>(about));
  T factor = static_cast<T>(1 / (s.deviation + 1e-12));
  if (!std::isfinite(s.deviation)) {
    standardizeOddRow(x, n, s, z);
    x = z;
    about = off = 0;
    factor = 1;
  }
  PRAGMA_OMP_SIMD
  for (LongType i = 0; i < n; i++) z[i] = finish(((x[i] - about) - off) * factor, i);
}

/// A row of n elements that repeats `values`, which may be nullptr.
template <typename T>
std::vector<T> repeated(const NDArray* values, LongType n) {
  std::vector<T> row;
  if (values == nullptr) return row;
  const Dense dense(*values, DataTypeUtils::fromT<T>());
  row.reserve(static_cast<size_t>(n));
  for (LongType i = 0; i < n; i += values->lengthOf())
    row.insert(row.end(), dense.as<T>(), dense.as<T>() + values->lengthOf());
  return row;
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

/// z = g / deviation - shift - (x - mean) slope, with NaN replaced by 0.
template <typename T>
void gradientRow(const T* x, const T* g, LongType n, Spread s, double shift, double slope, T* z) {
  const double inverse = 1 / s.deviation;
  const auto value = [=](auto xs, auto gs) {
    // In float, the rounding error of the inverse does not count.
    const auto scaled = sizeof(T) == sizeof(double) ? gs / s.deviation : gs * inverse;
    const auto result = scaled - shift - (xs - s.mean) * slope;
    return result == result ? result : decltype(result){};
  };
  LongType i = 0;
  for (; i + 2 <= n; i += 2) {
    const auto pair = __builtin_convertvector(value(pairAt(x + i), pairAt(g + i)), Pair<T>);
    std::memcpy(z + i, &pair, sizeof pair);
  }
  for (; i < n; i++) z[i] = static_cast<T>(value(static_cast<double>(x[i]), static_cast<double>(g[i])));
}

LongType groupSize(const NDArray& array, const std::vector<int>& axes) {
  LongType n = 1;
  for (int axis : axes) n *= array.sizeAt(axis);
  return n;
}

}  // namespace

NDArray axesLast(const NDArray& array, const std::vector<int>& axes) {
  std::vector<int> dims;
  for (int d = 0; d < array.rankOf(); d++)
    if (std::find(axes.begin(), axes.end(), d) == axes.end()) dims.push_back(d);
  dims.insert(dims.end(), axes.begin(), axes.end());
  if (std::is_sorted(dims.begin(), dims.end())) return array.viewOf(array.shapeInfo(), 0);
  return array.permute(dims);
}

void standardizeAlong(const NDArray& x, NDArray& z, const std::vector<int>& axes, const NDArray* factors,
                      const NDArray* offsets) {
  if (z.isEmpty()) return;
  const DataType type = computeType(z);
  NDArray target = axesLast(z, axes);
  const NDArray source = axesLast(x, axes);
  const Dense from(source, type);
  DenseOut to(target, type);
  const LongType n = groupSize(x, axes);
  withReal(type, [&]<typename T>() {
    const std::vector<T> scales = repeated<T>(factors, n), shifts = repeated<T>(offsets, n);
    const T *values = from.as<T>(), *scale = scales.data(), *shift = shifts.data();
    T* result = to.as<T>();
    const auto rows = [&](auto finish) {
      overElements(x.lengthOf() / n, 10 + 0.6 * static_cast<double>(n), [=](LongType first, LongType last) {
        for (LongType r = first * n; r < last * n; r += n)
          standardizeRow(values + r, n, spreadOf(values + r, n), result + r, finish);
      });
    };
    if (offsets != nullptr)
      rows([=](T value, LongType i) { return value * scale[i] + shift[i]; });
    else if (factors != nullptr)
      rows([=](T value, LongType i) { return value * scale[i]; });
    else
      rows([](T value, LongType) { return value; });
  });
  to.commit();
}

void standardizeGradient(const NDArray& x, const NDArray& g, NDArray& gradX, const std::vector<int>& axes) {
  if (gradX.isEmpty()) return;
  const DataType type = computeType(gradX);
  NDArray target = axesLast(gradX, axes);
  const NDArray source = axesLast(x, axes), given = axesLast(g, axes);
  const Dense from(source, type), incoming(given, type);
  DenseOut to(target, type);
  const LongType n = groupSize(x, axes);
  withReal(type, [&]<typename T>() {
    const T *values = from.as<T>(), *gs = incoming.as<T>();
    T* result = to.as<T>();
    overElements(x.lengthOf() / n, 5.0 * static_cast<double>(n), [=](LongType first, LongType last) {
      const double count = static_cast<double>(n);
      for (LongType r = first * n; r < last * n; r += n) {
        const Spread s = spreadOf(values + r, n);
        const auto [sum, product] = gradientSums(values + r, gs + r, n, s.mean);
        const double shift = sum / (count * s.deviation);
        const double slope = product / (count * s.deviation * s.deviation * s.deviation);
        if (s.deviation == 0) {
          std::fill_n(result + r, n, T(0));
          continue;
        }
        gradientRow(values + r, gs + r, n, s, shift, slope, result + r);
      }
    });
  });
  to.commit();
}

}  // namespace sd::ops
