#include "ops/declarable/helpers/standardize.h"

#include <algorithm>
#include <cmath>

#include "ops/declarable/helpers/real.h"

namespace sd::ops {
namespace {

struct Spread {
  double mean, deviation;
};

template <typename T>
Spread spreadOf(const T* x, LongType n) {
  double sum = 0, squares = 0;
  for (LongType i = 0; i < n; i++) sum += static_cast<double>(x[i]);
  const double mean = sum / static_cast<double>(n);
  for (LongType i = 0; i < n; i++) squares += (static_cast<double>(x[i]) - mean) * (static_cast<double>(x[i]) - mean);
  return {mean, std::sqrt(squares / static_cast<double>(n))};
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
      for (LongType r = first * n; r < last * n; r += n) {
        const Spread s = spreadOf(values + r, n);
        for (LongType i = r; i < r + n; i++)
          result[i] = orZero<T>((static_cast<double>(values[i]) - s.mean) / (s.deviation + 1e-12));
      }
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
