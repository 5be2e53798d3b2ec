#include "ops/declarable/helpers/quantiles.h"

#include <execution/Parallel.h>
#include <loops/Sorting.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <type_traits>

#include "ops/declarable/helpers/compared_type.h"
#include "ops/declarable/helpers/real.h"

namespace sd::ops::helpers {
namespace {

/// A quantile of n elements in order: lower * (1 - weight) + upper * weight of the elements with these ranks.
struct Place {
  LongType lower, upper;
  double weight;
};

Place placeOf(double fraction, LongType n, QuantileInterpolation interpolation) {
  const double at = fraction * static_cast<double>(n - 1);
  const LongType lower = std::min(static_cast<LongType>(at), n - 1), upper = std::min(lower + 1, n - 1);
  const double rest = at - static_cast<double>(lower);
  if (rest == 0 || upper == lower) return {lower, lower, 0};
  switch (interpolation) {
    case QuantileInterpolation::Lower:
      return {lower, lower, 0};
    case QuantileInterpolation::Higher:
      return {upper, upper, 0};
    case QuantileInterpolation::Midpoint:
      return {lower, upper, 0.5};
    case QuantileInterpolation::Nearest: {
      const bool up = rest > 0.5 || (rest == 0.5 && lower % 2 != 0);
      return up ? Place{upper, upper, 0} : Place{lower, lower, 0};
    }
    default:
      return {lower, upper, rest};
  }
}

/// a * (1 - weight) + b * weight, exactly a or b when they are equal.
double between(double a, double b, double weight) {
  if (a == b) return a;
  const double difference = b - a;
  if (std::isinf(difference) && std::isfinite(a) && std::isfinite(b)) return a * (1 - weight) + b * weight;
  return weight < 0.5 ? a + difference * weight : b - difference * (1 - weight);
}

template <typename T>
LongType numbersOf(const T* row, LongType n) {
  if constexpr (std::is_integral_v<T>) {
    return n;
  } else {
    LongType count = 0;
    for (LongType i = 0; i < n; i++) count += row[i] == row[i];
    return count;
  }
}

/// From this length on, a row is not ordered as a whole: a sample of it gives bounds between which the wanted elements
/// lie, and only what is between them is ordered (R. W. Floyd and R. L. Rivest, Expected time bounds for selection,
/// 1975).
constexpr LongType LONG_ROW = 512;

/// The elements of two ranks, one after the other or equal ones.
template <typename T>
struct Pair {
  T lower, upper;
};

/// Finds elements of rows of numbers by their ranks.
template <typename T>
class Selector {
 public:
  /// For rows of up to n elements.
  explicit Selector(LongType n) : _work(new T[static_cast<size_t>(n) + 1]) {}

  Pair<T> select(const T* row, LongType n, LongType lower, LongType upper) {
    if (n >= LONG_ROW) {
      const LongType below = narrow(row, n, lower, upper);
      if (below >= 0) return ordered(_kept, lower - below, upper - below);
    }
    std::copy_n(row, n, _work.get());
    return ordered(n, lower, upper);
  }

 private:
  std::unique_ptr<T[]> _work;  // n + 1 elements; not initialised, since mostly a small part is used
  std::vector<T> _sample;
  LongType _kept = 0;

  static LongType sampleOf(LongType n) { return static_cast<LongType>(std::cbrt(static_cast<double>(n) * n)); }

  /// Of the first n elements of the work space.
  Pair<T> ordered(LongType n, LongType lower, LongType upper) {
    T *const work = _work.get(), *const end = work + n;
    std::nth_element(work, work + lower, end);
    const T first = work[lower];
    return {first, upper == lower ? first : *std::min_element(work + upper, end)};
  }

  /// Copies the elements that may have these ranks, and returns how many are smaller than they; -1 when the sample was
  /// misleading.
  LongType narrow(const T* row, LongType n, LongType lower, LongType upper) {
    const LongType size = sampleOf(n);
    _sample.resize(static_cast<size_t>(size));
    // An element from each of `size` parts of the row, at positions that do not follow a pattern of the row.
    uint64_t state = 0x9e3779b97f4a7c15u;
    for (LongType i = 0; i < size; i++) {
      state = state * 6364136223846793005u + 1442695040888963407u;
      const LongType start = i * n / size, end = (i + 1) * n / size;
      _sample[static_cast<size_t>(i)] = row[start + static_cast<LongType>(state >> 33) % (end - start)];
    }
    const auto rankInSample = [&](LongType rank) { return rank * size / n; };
    const auto margin = static_cast<LongType>(1.5 * std::sqrt(static_cast<double>(size))) + 1;
    const LongType first = std::max<LongType>(rankInSample(lower) - margin, 0);
    const LongType last = std::min(rankInSample(upper) + margin, size - 1);
    const auto at = [&](LongType i) { return _sample.begin() + static_cast<std::ptrdiff_t>(i); };
    std::nth_element(at(0), at(first), _sample.end());
    if (last > first) std::nth_element(at(first + 1), at(last), _sample.end());
    const bool fromLowest = rankInSample(lower) <= margin, toHighest = rankInSample(upper) >= size - 1 - margin;
    const T least = fromLowest ? lowest() : *at(first), most = toHighest ? highest() : *at(last);
    // Without branches, which processors could not predict.
    T* const work = _work.get();
    LongType kept = 0, below = 0;
    for (LongType i = 0; i < n; i++) {
      const T value = row[i];
      work[kept] = value;
      kept += static_cast<LongType>(value >= least) & static_cast<LongType>(value <= most);
      below += static_cast<LongType>(value < least);
    }
    _kept = kept;
    return lower >= below && upper < below + kept ? below : -1;
  }

  static T lowest() {
    if constexpr (std::is_integral_v<T>)
      return std::numeric_limits<T>::lowest();
    else
      return -std::numeric_limits<T>::infinity();
  }
  static T highest() {
    if constexpr (std::is_integral_v<T>)
      return std::numeric_limits<T>::max();
    else
      return std::numeric_limits<T>::infinity();
  }
};

/// Up to this number of quantiles they are selected one by one; for more of them rows are sorted.
constexpr size_t FEW_QUANTILES = 8;

/// The dimensions of x, those along which the rows go last.
std::vector<int> rowsLast(const NDArray& x, const std::vector<int>& axes) {
  std::vector<int> order;
  for (int d = 0; d < x.rankOf(); d++)
    if (!axes.empty() && !std::binary_search(axes.begin(), axes.end(), d)) order.push_back(d);
  if (axes.empty())
    for (int d = 0; d < x.rankOf(); d++) order.push_back(d);
  else
    order.insert(order.end(), axes.begin(), axes.end());
  return order;
}

/// The sub-arrays of x as rows of a contiguous array.
class Rows {
 public:
  Rows(const NDArray& x, const QuantileCall& call, LongType results, bool sorted)
      : _count(results / static_cast<LongType>(call.fractions.size())),
        _length(x.lengthOf() / _count),
        _dense(arranged(x, call.axes), comparedAs(x.dataType())) {
    if (!sorted || _length == 0) return;
    _sorted = std::make_unique<NDArray>(_dense->dup('c').reshape('c', {_count, _length}));
    loops::sortAlong(out(*_sorted), {1}, false);
  }

  LongType count() const { return _count; }
  LongType length() const { return _length; }
  const NDArray& values() const { return _sorted != nullptr ? *_sorted : *_dense; }

 private:
  LongType _count, _length;
  Dense _dense;
  std::unique_ptr<NDArray> _sorted;

  static NDArray arranged(const NDArray& x, const std::vector<int>& axes) {
    const std::vector<int> order = rowsLast(x, axes);
    if (order.empty() || x.isEmpty() || std::is_sorted(order.begin(), order.end())) return x.viewOf(x.shapeInfo(), 0);
    return x.permute(order);
  }
};

/// Calls f on ranges of rows in several threads.
template <typename F>
void overRows(const Rows& rows, size_t fractions, F&& f) {
  const double cost = 2.0 + 2.5 * static_cast<double>(rows.length()) * static_cast<double>(fractions);
  execution::parallelFor(rows.count(), execution::threadsFor(cost * static_cast<double>(rows.count())), f);
}

/// The numbers of a row, and where a quantile of them lies.
template <typename T>
class Row {
 public:
  Row(const T* values, LongType n, bool ignoreNan, std::vector<T>& work) : _values(values), _all(values), _length(n) {
    _count = numbersOf(values, n);
    _isNan = _count == 0 || (_count < n && !ignoreNan);
    if (_isNan || _count == n) return;
    work.clear();
    std::copy_if(values, values + n, std::back_inserter(work), [](T value) { return value == value; });
    _values = work.data();
  }

  /// Whether the quantiles are NaN.
  bool isNan() const { return _isNan; }
  const T* numbers() const { return _values; }
  LongType count() const { return _count; }
  /// Of a NaN, 0 for none; from 1 on.
  LongType positionOfNan() const {
    if (_count == _length) return 0;
    LongType i = 0;
    while (_all[i] == _all[i]) i++;
    return i + 1;
  }

 private:
  const T *_values, *_all;
  LongType _length, _count;
  bool _isNan;
};

/// The position, from 1 on, of the element of rank `rank`, whose value is known.
template <typename T>
LongType positionOf(const T* row, LongType n, LongType rank, T value) {
  LongType before = rank;
  for (LongType i = 0; i < n; i++) before -= row[i] < value;
  LongType i = 0;
  for (; i < n; i++)
    if (row[i] == value && before-- == 0) break;
  return i + 1;
}

/// The positions in x of the elements of its sub-arrays, row by row, from 1 on; null when they follow each other.
std::unique_ptr<NDArray> elementNumbers(const NDArray& x, const std::vector<int>& axes) {
  const std::vector<int> order = rowsLast(x, axes);
  if (std::is_sorted(order.begin(), order.end())) return nullptr;
  NDArray numbers = unset(INT64, x.getShapeAsVector());
  auto* to = numbers.bufferAsT<LongType>();
  for (LongType i = 0; i < numbers.lengthOf(); i++) to[i] = i + 1;
  return std::make_unique<NDArray>(numbers.permute(order).dup('c'));
}

}  // namespace

void quantiles(const NDArray& x, const QuantileCall& call, NDArray& z) {
  if (z.isEmpty()) return;
  const bool sorted = call.fractions.size() > FEW_QUANTILES;
  const Rows rows(x, call, z.lengthOf(), sorted);
  const LongType n = rows.length(), count = rows.count();
  DenseOut target(z, DOUBLE);
  auto* results = target.as<double>();
  withCompared(rows.values(), [&](const auto* values) {
    using T = std::remove_const_t<std::remove_pointer_t<decltype(values)>>;
    overRows(rows, sorted ? 1 : call.fractions.size(), [&](LongType start, LongType stop) {
      Selector<T> selector(sorted ? 0 : n);
      std::vector<T> work;
      for (LongType r = start; r < stop; r++) {
        const Row<T> row(values + r * n, n, call.ignoreNan, work);
        for (size_t k = 0; k < call.fractions.size(); k++) {
          double& result = results[static_cast<LongType>(k) * count + r];
          if (row.isNan()) {
            result = std::numeric_limits<double>::quiet_NaN();
            continue;
          }
          const Place place = placeOf(call.fractions[k], row.count(), call.interpolation);
          const Pair<T> pair = sorted ? Pair<T>{row.numbers()[place.lower], row.numbers()[place.upper]}
                                      : selector.select(row.numbers(), row.count(), place.lower, place.upper);
          result = between(static_cast<double>(pair.lower), static_cast<double>(pair.upper), place.weight);
        }
      }
    });
  });
  target.commit();
}

void quantilePositions(const NDArray& x, const QuantileCall& call, NDArray& lower, NDArray& upper, NDArray& weight) {
  if (lower.isEmpty()) return;
  const Rows rows(x, call, lower.lengthOf(), false);
  const std::unique_ptr<NDArray> numbers = x.isEmpty() ? nullptr : elementNumbers(x, call.axes);
  const LongType* number = numbers == nullptr ? nullptr : numbers->bufferAsT<LongType>();
  const LongType n = rows.length(), count = rows.count();
  DenseOut lowerOut(lower), upperOut(upper), weightOut(weight, DOUBLE);
  auto *lowers = lowerOut.as<LongType>(), *uppers = upperOut.as<LongType>();
  auto* weights = weightOut.as<double>();
  withCompared(rows.values(), [&](const auto* values) {
    using T = std::remove_const_t<std::remove_pointer_t<decltype(values)>>;
    overRows(rows, 2 * call.fractions.size(), [&](LongType start, LongType stop) {
      Selector<T> selector(n);
      std::vector<T> work;
      for (LongType r = start; r < stop; r++) {
        const T* const all = values + r * n;
        const Row<T> row(all, n, call.ignoreNan, work);
        const auto inArray = [&](LongType position) {
          if (position == 0) return position;
          const LongType at = r * n + position;
          return number == nullptr ? at : number[at - 1];
        };
        for (size_t k = 0; k < call.fractions.size(); k++) {
          const LongType at = static_cast<LongType>(k) * count + r;
          if (row.isNan()) {
            lowers[at] = uppers[at] = inArray(call.ignoreNan ? 0 : row.positionOfNan());
            weights[at] = 0;
            continue;
          }
          const Place place = placeOf(call.fractions[k], row.count(), call.interpolation);
          const Pair<T> pair = selector.select(row.numbers(), row.count(), place.lower, place.upper);
          lowers[at] = inArray(positionOf(all, n, place.lower, pair.lower));
          uppers[at] = place.upper == place.lower ? lowers[at] : inArray(positionOf(all, n, place.upper, pair.upper));
          weights[at] = place.weight;
        }
      }
    });
  });
  lowerOut.commit();
  upperOut.commit();
  weightOut.commit();
}

}  // namespace sd::ops::helpers
