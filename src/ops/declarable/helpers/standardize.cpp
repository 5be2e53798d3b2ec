#include "ops/declarable/helpers/standardize.h"

#include <system/openmp_pragmas.h>

#include <algorithm>
#include <cmath>

#include "ops/declarable/helpers/real.h"

namespace sd::ops {
namespace {

struct Spread {
  double mean, deviation;  // or the sums from which they are computed
};

// Few enough elements that rounding errors of sums in T stay small.
constexpr LongType BLOCK = 256;

/// The sums of x[i] - about and of their squares; blocks are summed in T and joined in double.
template <typename T>
Spread sumsAround(const T* x, LongType n, T about) {
  Spread total{0, 0};
  for (LongType start = 0; start < n; start += BLOCK) {
    const LongType end = std::min(start + BLOCK, n);
    T sum = 0, squares = 0;
    PRAGMA_OMP_SIMD_ARGS(reduction(+ : sum, squares))
    for (LongType i = start; i < end; i++) {
      const T d = x[i] - about;
      sum += d;
      squares += d * d;
    }
    total.mean += static_cast<double>(sum);
    total.deviation += static_cast<double>(squares);
  }
  return total;
}

/// The sums are taken around a first estimate of the mean, to which differences are exact.
template <typename T>
Spread spreadOf(const T* x, LongType n) {
  const double count = static_cast<double>(n);
  const T about = static_cast<T>(sumsAround(x, n, x[0]).mean / count + static_cast<double>(x[0]));
  const auto [sum, sumOfSquares] = sumsAround(x, n, about);
  if (std::isfinite(sumOfSquares)) {
    const double off = sum / count;
    return {static_cast<double>(about) + off, std::sqrt(std::max(0.0, sumOfSquares / count - off * off))};
  }
  // Sums overflow in T, or values are not finite.
  double mean = 0, squares = 0;
  for (LongType i = 0; i < n; i++) mean += static_cast<double>(x[i]) / count;
  for (LongType i = 0; i < n; i++) squares += (static_cast<double>(x[i]) - mean) * (static_cast<double>(x[i]) - mean);
  return {mean, std::sqrt(squares / count)};
}

/// z = (x - mean) / (deviation + 1e-12), with NaN replaced by 0.
template <typename T>
void standardizeRow(const T* x, LongType n, Spread s, T* z) {
  const T about = static_cast<T>(s.mean), off = static_cast<T>(s.mean - static_cast<double>(about));
  const T factor = static_cast<T>(1 / (s.deviation + 1e-12));
  PRAGMA_OMP_SIMD
  for (LongType i = 0; i < n; i++) {
    const T value = ((x[i] - about) - off) * factor;
    z[i] = value == value ? value : T(0);
  }
}

template <typename T>
T orZero(double value) {
  return std::isnan(value) ? T(0) : static_cast<T>(value);
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

void standardizeAlong(const NDArray& x, NDArray& z, const std::vector<int>& axes) {
  if (z.isEmpty()) return;
  const DataType type = computeType(z);
  NDArray target = axesLast(z, axes);
  const NDArray source = axesLast(x, axes);
  const Dense from(source, type);
  DenseOut to(target, type);
  const LongType n = groupSize(x, axes);
  withReal(type, [&]<typename T>() {
    const T* values = from.as<T>();
    T* result = to.as<T>();
    overElements(x.lengthOf() / n, 3.0 * static_cast<double>(n), [=](LongType first, LongType last) {
      for (LongType r = first * n; r < last * n; r += n)
        standardizeRow(values + r, n, spreadOf(values + r, n), result + r);
    });
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
        double sum = 0, product = 0;
        for (LongType i = r; i < r + n; i++) {
          sum += static_cast<double>(gs[i]);
          product += static_cast<double>(gs[i]) * (static_cast<double>(values[i]) - s.mean);
        }
        const double shift = sum / (count * s.deviation);
        const double slope = product / (count * s.deviation * s.deviation * s.deviation);
        for (LongType i = r; i < r + n; i++) {
          const double value =
              static_cast<double>(gs[i]) / s.deviation - shift - (static_cast<double>(values[i]) - s.mean) * slope;
          result[i] = std::isfinite(s.deviation) && s.deviation == 0 ? T(0) : orZero<T>(value);
        }
      }
    });
  });
  to.commit();
}

}  // namespace sd::ops
