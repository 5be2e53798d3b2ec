#include "ops/declarable/helpers/Scan.h"

#include <execution/Parallel.h>

#include <algorithm>
#include <numeric>
#include <type_traits>

#include "ops/declarable/Common.h"

namespace sd::ops {
namespace {

constexpr LongType TILE = 256;
constexpr double NANOSECONDS_AN_ELEMENT = 1;

/// A contiguous array seen as [outer, length, inner], with sequences along the middle dimension.
struct Sequences {
  LongType outer = 1, length = 1, inner = 1;

  Sequences(const NDArray& array, int first, int last) {
    for (int d = 0; d < array.rankOf(); d++) (d < first ? outer : d <= last ? length : inner) *= array.sizeAt(d);
  }
};

/// Sums of floats are kept in double.
template <typename T>
using Accumulator = std::conditional_t<std::is_same_v<T, float>, double, T>;

/// The running result, including the given value.
template <typename T, Scan Kind>
Accumulator<T> joined(Accumulator<T> before, T value) {
  // Narrow unsigned factors would be promoted to int, whose overflow is undefined.
  using Wide = std::conditional_t<(sizeof(T) < 4), unsigned, Accumulator<T>>;
  const auto first = static_cast<Wide>(before), next = static_cast<Wide>(value);
  return static_cast<Accumulator<T>>(Kind == Scan::Sum ? first + next : first * next);
}

template <typename T, Scan Kind>
void scanSequence(const T* x, T* z, LongType length, LongType step, bool exclusive) {
  auto sum = static_cast<Accumulator<T>>(Kind == Scan::Sum ? 0 : 1);
  LongType j = 0;
  if constexpr (Kind == Scan::Sum && std::is_same_v<T, float>) {
    // Only one addition in four waits for the one before. The order changes only the last bits of the double.
    for (; j + 4 <= length; j += 4) {
      const T* const in = x + j * step;
      T* const out = z + j * step;
      const double one = in[0], two = one + in[step], three = two + in[2 * step], four = three + in[3 * step];
      const double sums[] = {sum, sum + one, sum + two, sum + three, sum + four};
      for (int k = 0; k < 4; k++) out[k * step] = static_cast<T>(sums[exclusive ? k : k + 1]);
      sum = sums[4];
    }
  }
  for (; j < length; j++) {
    const auto before = sum;
    sum = joined<T, Kind>(before, x[j * step]);
    z[j * step] = static_cast<T>(exclusive ? before : sum);
  }
}

template <typename T, Scan Kind>
void scanSequences(const T* x, T* z, const Sequences& s, ScanRange range) {
  const LongType tiles = (s.inner + TILE - 1) / TILE;
  const double cost = NANOSECONDS_AN_ELEMENT * static_cast<double>(s.outer * s.length * s.inner);
  execution::parallelFor(s.outer * tiles, execution::threadsFor(cost), [&](LongType start, LongType stop) {
    for (LongType unit = start; unit < stop; unit++) {
      const LongType column = unit % tiles * TILE, width = std::min(TILE, s.inner - column);
      const LongType base = unit / tiles * s.length * s.inner + column;
      if (s.inner == 1) {
        const LongType first = base + (range.reverse ? s.length - 1 : 0);
        scanSequence<T, Kind>(x + first, z + first, s.length, range.reverse ? -1 : 1, range.exclusive);
        continue;
      }
      Accumulator<T> sums[TILE];
      std::fill_n(sums, width, static_cast<Accumulator<T>>(Kind == Scan::Sum ? 0 : 1));
      for (LongType j = 0; j < s.length; j++) {
        const LongType at = base + (range.reverse ? s.length - 1 - j : j) * s.inner;
        const T* in = x + at;
        T* out = z + at;
        for (LongType c = 0; c < width; c++) {
          const auto before = sums[c];
          sums[c] = joined<T, Kind>(before, in[c]);
          out[c] = static_cast<T>(range.exclusive ? before : sums[c]);
        }
      }
    }
  });
}

template <Scan Kind>
void scanBits(const NDArray& x, NDArray& z, const Sequences& s, ScanRange range) {
  const auto run = [&]<typename T>(T) {
    scanSequences<T, Kind>(static_cast<const T*>(x.buffer()), static_cast<T*>(z.buffer()), s, range);
  };
  if (x.dataType() == FLOAT32) return run(0.f);
  if (x.dataType() == DOUBLE) return run(0.);
  // Signed and unsigned integers give the same bits modulo 2^bits.
  switch (x.sizeOfT()) {
    case 1:
      return run(uint8_t{});
    case 2:
      return run(uint16_t{});
    case 4:
      return run(uint32_t{});
    default:
      return run(uint64_t{});
  }
}

/// Calls f(views, first axis, last axis), where the views of the arrays have `axes` as neighbouring dimensions. The
/// first array determines the shape.
template <typename F>
void alongAxes(const std::vector<int>& axes, int rank, F&& f) {
  std::vector<int> order(static_cast<size_t>(rank));
  std::iota(order.begin(), order.end(), 0);
  if (axes.empty()) return f(order, 0, rank - 1);
  const int count = static_cast<int>(axes.size());
  if (axes.back() - axes.front() == count - 1) return f(order, axes.front(), axes.back());
  std::stable_partition(order.begin(), order.end(),
                        [&](int d) { return !std::binary_search(axes.begin(), axes.end(), d); });
  f(order, rank - count, rank - 1);
}

}  // namespace

void scan(Scan kind, const NDArray& x, const std::vector<int>& axes, ScanRange range, NDArray& z) {
  if (z.isEmpty()) return;
  // Booleans are counted; a count above 0 converts to true.
  const DataType type = DataTypeUtils::isHalf(x.dataType()) ? FLOAT32 : x.dataType() == BOOL ? INT64 : x.dataType();
  alongAxes(axes, x.rankOf(), [&](const std::vector<int>& order, int first, int last) {
    const NDArray from = x.permute(order);
    NDArray to = z.permute(order);
    const Dense source(from, type);
    DenseOut target(to, type);
    const Sequences sequences(from, first, last);
    if (kind == Scan::Sum)
      scanBits<Scan::Sum>(*source, *target, sequences, range);
    else
      scanBits<Scan::Product>(*source, *target, sequences, range);
    target.commit();
  });
}

namespace {

/// gradient[j] = the sum over k of eps[k] times the product of all x that result k is made of, except x[j].
void sequenceGradient(const double* x, const double* eps, double* gradient, LongType length, LongType step,
                      bool exclusive) {
  LongType zero = 0;
  double product = 1;  // product of the elements before the first zero
  for (; zero < length && x[zero * step] != 0; zero++) {
    const double before = product;
    product *= x[zero * step];
    gradient[zero * step] = eps[zero * step] * (exclusive ? before : product);
  }
  double sum = zero < length && exclusive ? eps[zero * step] * product : 0;
  for (LongType j = zero - 1; j >= 0; j--) {
    const double own = gradient[j * step];
    gradient[j * step] = (exclusive ? sum : sum + own) / x[j * step];
    sum += own;
  }
  if (zero == length) return;
  sum = exclusive ? 0 : eps[zero * step] * product;
  for (LongType k = zero + 1; k < length; k++) {
    const double before = product;
    product *= x[k * step];
    sum += eps[k * step] * (exclusive ? before : product);
    gradient[k * step] = 0;
  }
  gradient[zero * step] = sum;
}

}  // namespace

void productScanGradient(const NDArray& x, const NDArray& eps, const std::vector<int>& axes, ScanRange range,
                         NDArray& gradient) {
  if (gradient.isEmpty()) return;
  alongAxes(axes, x.rankOf(), [&](const std::vector<int>& order, int first, int last) {
    const NDArray fromX = x.permute(order), fromEps = eps.permute(order);
    NDArray to = gradient.permute(order);
    const Dense values(fromX, DOUBLE), gradients(fromEps, DOUBLE);
    DenseOut target(to, DOUBLE);
    const Sequences s(fromX, first, last);
    const auto *in = values.as<double>(), *above = gradients.as<double>();
    auto* out = target.as<double>();
    const double cost = 4 * static_cast<double>(s.outer * s.length * s.inner);
    execution::parallelFor(s.outer * s.inner, execution::threadsFor(cost), [&](LongType start, LongType stop) {
      for (LongType i = start; i < stop; i++) {
        const LongType begin = i / s.inner * s.length * s.inner + i % s.inner;
        const LongType at = range.reverse ? begin + (s.length - 1) * s.inner : begin;
        sequenceGradient(in + at, above + at, out + at, s.length, range.reverse ? -s.inner : s.inner, range.exclusive);
      }
    });
    target.commit();
  });
}

}  // namespace sd::ops
