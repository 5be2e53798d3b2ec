#include "ops/declarable/helpers/standardize.h"

#include <system/openmp_pragmas.h>

#include <algorithm>
#include <cmath>

#include "ops/declarable/helpers/real.h"
#include "ops/declarable/helpers/row_spread.h"

namespace sd::ops {
namespace {

using namespace rows;

/// The divisor, and whether NaN is replaced by 0.
struct Divisor {
  double epsilon;

  double of(const Spread& s) const {
    return epsilon > 0 ? std::sqrt(s.deviation * s.deviation + epsilon) : s.deviation + 1e-12;
  }
  bool replacesNaN() const { return !(epsilon > 0); }
};

/// z = (x - mean) / divisor, for rows with elements or sums that are not finite.
template <typename T>
[[gnu::noinline]] void standardizeOddRow(const T* x, LongType n, Spread s, Divisor divisor, T* z) {
  for (LongType i = 0; i < n; i++) {
    const double value = (static_cast<double>(x[i]) - s.mean) / divisor.of(s);
    z[i] = value == value || !divisor.replacesNaN() ? static_cast<T>(value) : T(0);
  }
}

/// z = (x - mean) / divisor. `finish(value, i)` makes the results of the values.
template <typename T, typename F>
void standardizeRow(const T* x, LongType n, Spread s, Divisor divisor, T* z, F&& finish) {
  T about = static_cast<T>(s.mean), off = static_cast<T>(s.mean - static_cast<double>(about));
  T factor = static_cast<T>(1 / divisor.of(s));
  if (!std::isfinite(s.deviation)) {
    standardizeOddRow(x, n, s, divisor, z);
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

/// z = g / deviation - shift - (x - mean) slope, with NaN replaced by 0 if `REPLACES`.
template <bool REPLACES, typename T>
void gradientRow(const T* x, const T* g, LongType n, Spread s, double shift, double slope, T* z) {
  const double inverse = 1 / s.deviation;
  const auto value = [=](auto xs, auto gs) {
    // In float, the rounding error of the inverse does not count.
    const auto scaled = sizeof(T) == sizeof(double) ? gs / s.deviation : gs * inverse;
    const auto result = scaled - shift - (xs - s.mean) * slope;
    if constexpr (REPLACES)
      return result == result ? result : decltype(result){};
    else
      return result;
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

void standardizeAlong(const NDArray& x, NDArray& z, const std::vector<int>& axes, double epsilon,
                      const NDArray* factors, const NDArray* offsets) {
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
    const Divisor divisor{epsilon};
    const auto rows = [&](auto finish) {
      overElements(x.lengthOf() / n, 10 + 0.6 * static_cast<double>(n), [=](LongType first, LongType last) {
        for (LongType r = first * n; r < last * n; r += n)
          standardizeRow(values + r, n, spreadOf(values + r, n), divisor, result + r, finish);
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

void standardizeGradient(const NDArray& x, const NDArray& g, NDArray& gradX, const std::vector<int>& axes,
                         double epsilon) {
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
        Spread s = spreadOf(values + r, n);
        if (epsilon > 0) s.deviation = std::sqrt(s.deviation * s.deviation + epsilon);
        const auto [sum, product] = gradientSums(values + r, gs + r, n, s.mean);
        const double shift = sum / (count * s.deviation);
        const double slope = product / (count * s.deviation * s.deviation * s.deviation);
        if (s.deviation == 0) {
          std::fill_n(result + r, n, T(0));
          continue;
        }
        if (epsilon > 0)
          gradientRow<false>(values + r, gs + r, n, s, shift, slope, result + r);
        else
          gradientRow<true>(values + r, gs + r, n, s, shift, slope, result + r);
      }
    });
  });
  to.commit();
}

}  // namespace sd::ops
