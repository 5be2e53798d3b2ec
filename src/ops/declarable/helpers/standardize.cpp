#include "ops/declarable/helpers/standardize.h"

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

/// z = (x - mean) / divisor * factors + offsets, which may be nullptr.
template <typename T>
void standardizeRow(const T* x, LongType n, Spread s, Divisor divisor, const T* factors, const T* offsets, T* z) {
  const Centre<T> centre(s.mean);
  simd::RowAffine by{.about = static_cast<double>(centre.about),
                     .off = static_cast<double>(centre.off),
                     .scale = 1 / divisor.of(s),
                     .factors = factors,
                     .offsets = offsets};
  if (!std::isfinite(s.deviation)) {
    standardizeOddRow(x, n, s, divisor, z);
    x = z;
    by.about = by.off = 0;
    by.scale = 1;
  }
  kernel<T>().affine(x, n, by, z);
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

/// z = g factors / s - sum(g factors) / (n s) - d sum(g factors d) / (n s^3), where d = x - mean and s is the
/// deviation.
template <typename T>
void gradientRow(const T* x, const T* g, const T* factors, LongType n, Spread s, bool replacesNaN, T* z) {
  if (s.deviation == 0) {
    std::fill_n(z, n, T(0));
    return;
  }
  const auto [sum, product] = gradientSums(x, g, n, s.mean, factors);
  const double inverse = 1 / s.deviation, count = static_cast<double>(n);
  const double mean = sum / count, slope = product * inverse * inverse * inverse / count;
  if (std::isfinite(mean) && std::isfinite(slope)) {
    const Centre<T> centre(s.mean);
    const simd::RowSlope by{.about = static_cast<double>(centre.about),
                            .off = static_cast<double>(centre.off),
                            .mean = mean,
                            .scale = inverse,
                            .slope = slope,
                            .factors = factors};
    return kernel<T>().slope(x, g, n, by, z);
  }
  for (LongType i = 0; i < n; i++) {
    const double given = static_cast<double>(g[i]) * (factors == nullptr ? 1.0 : static_cast<double>(factors[i]));
    const double value = (given - mean) * inverse - (static_cast<double>(x[i]) - s.mean) * slope;
    z[i] = value == value || !replacesNaN ? static_cast<T>(value) : T(0);
  }
}

/// With the divisor of the gradient as deviation.
Spread gradientSpread(Spread s, double epsilon) {
  if (epsilon > 0) s.deviation = std::sqrt(s.deviation * s.deviation + epsilon);
  return s;
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
    overElements(x.lengthOf() / n, 10 + 0.6 * static_cast<double>(n), [=](LongType first, LongType last) {
      for (LongType r = first * n; r < last * n; r += n)
        standardizeRow(values + r, n, spreadOf(values + r, n), divisor, factors == nullptr ? nullptr : scale,
                       offsets == nullptr ? nullptr : shift, result + r);
    });
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
    overElements(x.lengthOf() / n, 2.0 * static_cast<double>(n), [=](LongType first, LongType last) {
      for (LongType r = first * n; r < last * n; r += n)
        gradientRow<T>(values + r, gs + r, nullptr, n, gradientSpread(spreadOf(values + r, n), epsilon), !(epsilon > 0),
                       result + r);
    });
  });
  to.commit();
}

namespace {

/// Sums of numbers of columns over rows: in T for some rows, then in double.
template <typename T>
class ColumnTotals {
 public:
  explicit ColumnTotals(LongType n) : totals(static_cast<size_t>(n)), _part(static_cast<size_t>(n)) {}

  T* part() { return _part.data(); }
  void flush() {
    for (size_t i = 0; i < totals.size(); i++) {
      totals[i] += static_cast<double>(_part[i]);
      _part[i] = 0;
    }
  }

  std::vector<double> totals;

 private:
  std::vector<T> _part;
};

}  // namespace

void layerGradients(const NDArray& x, const NDArray& g, const NDArray& factors, const std::vector<int>& axes,
                    double epsilon, NDArray& gradX, NDArray& gradFactors, NDArray* gradOffsets) {
  constexpr LongType ROWS = 64, MOST_PARTS = 16, MOST_NUMBERS = 1 << 22;
  const DataType type = computeType(gradX);
  NDArray target = axesLast(gradX, axes);
  const NDArray source = axesLast(x, axes), given = axesLast(g, axes);
  const Dense from(source, type), incoming(given, type);
  DenseOut to(target, type);
  const LongType n = groupSize(x, axes), rows = x.lengthOf() / n, channels = factors.lengthOf();
  NDArray ofFactors = unset(DOUBLE, {channels}), ofOffsets = unset(DOUBLE, {channels});
  ofFactors.nullify();
  ofOffsets.nullify();
  withReal(type, [&]<typename T>() {
    const std::vector<T> scales = repeated<T>(&factors, n);
    const T *values = from.as<T>(), *gs = incoming.as<T>();
    T* result = to.as<T>();
    const Divisor divisor{epsilon};
    // Parts depend on the shape alone, so that threads change no bit of the sums.
    const LongType parts = std::clamp<LongType>(MOST_NUMBERS / n, 1, std::min(rows, MOST_PARTS));
    const int threads = execution::threadsFor(3 * static_cast<double>(x.lengthOf()));
    std::vector<ColumnTotals<T>> products(static_cast<size_t>(parts), ColumnTotals<T>(n)), sums = products;
    execution::parallelFor(parts, threads, [&](LongType start, LongType stop) {
      for (LongType part = start; part < stop; part++) {
        ColumnTotals<T>&ofG = sums[static_cast<size_t>(part)], &ofProducts = products[static_cast<size_t>(part)];
        const LongType first = part * rows / parts, last = (part + 1) * rows / parts;
        for (LongType r = first; r < last; r++) {
          const T *xs = values + r * n, *given_ = gs + r * n;
          const Spread s = spreadOf(xs, n);
          gradientRow(xs, given_, scales.data(), n, gradientSpread(s, epsilon), divisor.replacesNaN(), result + r * n);
          const Centre<T> centre(s.mean);
          simd::RowAffine by{.about = static_cast<double>(centre.about),
                             .off = static_cast<double>(centre.off),
                             .scale = 1 / divisor.of(s)};
          std::vector<T> odd;
          if (!std::isfinite(s.deviation)) {
            odd.resize(static_cast<size_t>(n));
            standardizeOddRow(xs, n, s, divisor, odd.data());
            xs = odd.data();
            by = {};
          }
          kernel<T>().accumulate(xs, given_, n, by, ofProducts.part(), ofG.part());
          if ((r - first) % ROWS == ROWS - 1 || r + 1 == last) {
            ofG.flush();
            ofProducts.flush();
          }
        }
      }
    });
    const auto join = [&](const std::vector<ColumnTotals<T>>& all, NDArray& joined) {
      double* totals = joined.bufferAsT<double>();
      for (const ColumnTotals<T>& one : all)
        for (LongType start = 0; start < n; start += channels)
          for (LongType c = 0; c < channels; c++) totals[c] += one.totals[static_cast<size_t>(start + c)];
    };
    join(products, ofFactors);
    join(sums, ofOffsets);
  });
  to.commit();
  gradFactors.assign(ofFactors);
  if (gradOffsets != nullptr) gradOffsets->assign(ofOffsets);
}

}  // namespace sd::ops
