#include "ops/declarable/helpers/segments.h"

#include <execution/Parallel.h>

#include <cmath>
#include <limits>

#include "array/ElementConvert.h"
#include "ops/declarable/helpers/rows.h"
#include "ops/declarable/helpers/scatter_into.h"

namespace sd::ops::helpers {
namespace {

using Counts = std::vector<LongType>;

Counts countRows(const LongType* ids, LongType count, LongType segments) {
  Counts counts(static_cast<size_t>(segments));
  for (LongType i = 0; i < count; i++)
    if (ids[i] >= 0) counts[static_cast<size_t>(ids[i])]++;
  return counts;
}

Combine combineOf(Segments kind) {
  switch (kind) {
    case Segments::Prod:
      return Combine::Multiply;
    case Segments::Max:
      return Combine::Max;
    case Segments::Min:
      return Combine::Min;
    default:
      return Combine::Add;
  }
}

/// The type in which a reduction of elements of `type` is computed.
DataType typeFor(Segments kind, DataType type) {
  if (DataTypeUtils::isR(type)) return accumulatorOf(type);
  if (kind == Segments::SqrtN) return DOUBLE;
  if (kind == Segments::Mean) return type == UINT64 ? UINT64 : INT64;
  return type;
}

/// The neutral element of the reduction.
template <typename T>
T neutral(Segments kind) {
  using Limits = std::numeric_limits<T>;
  if (kind == Segments::Prod) return T(1);
  if (kind == Segments::Max) return Limits::has_infinity ? static_cast<T>(-Limits::infinity()) : Limits::lowest();
  if (kind == Segments::Min) return Limits::has_infinity ? Limits::infinity() : Limits::max();
  return T(0);
}

/// Divides each row of sums, by the count for Mean or by its square root for SqrtN.
template <typename T>
void divideRows(Segments kind, T* z, const Counts& counts, LongType inner) {
  for (size_t s = 0; s < counts.size(); s++, z += inner) {
    if (counts[s] < 2) continue;
    const T divisor =
        kind == Segments::Mean ? static_cast<T>(counts[s]) : static_cast<T>(std::sqrt(static_cast<double>(counts[s])));
    for (LongType j = 0; j < inner; j++) z[j] /= divisor;
  }
}

void divideSums(Segments kind, NDArray& z, const Counts& counts, LongType inner) {
  if (kind != Segments::Mean && kind != Segments::SqrtN) return;
  switch (z.dataType()) {
    case FLOAT32:
      return divideRows(kind, z.bufferAsT<float>(), counts, inner);
    case DOUBLE:
      return divideRows(kind, z.bufferAsT<double>(), counts, inner);
    case UINT64:
      return divideRows(kind, z.bufferAsT<uint64_t>(), counts, inner);
    default:
      return divideRows(kind, z.bufferAsT<int64_t>(), counts, inner);
  }
}

/// Computes z, which is contiguous and has the compute type, from x converted to that type. Means need the counts.
void reduceInto(Segments kind, const NDArray& x, const LongType* ids, LongType count, const Counts& counts,
                NDArray& z) {
  const LongType segments = z.sizeAt(0);
  const LongType inner = z.lengthOf() / segments;
  elements::withType("segments", z.dataType(), [&]<typename T>(T) { z.assign(neutral<T>(kind)); });
  scatterRows(combineOf(kind), z.dataType(), z.buffer(), segments, inner, ids, count, x.buffer());
  divideSums(kind, z, counts, inner);
}

/// The lowest or the highest finite value of a type, as a scalar. For signed integers the lowest is -max.
NDArray limitOf(Segments kind, DataType type) {
  NDArray scalar(type);
  elements::withType("segments", type, [&]<typename T>(T) {
    using Limits = std::numeric_limits<T>;
    if constexpr (std::is_same_v<T, bool>) {
      scalar.p(0, kind == Segments::Min);
    } else if (kind == Segments::Min) {
      scalar.p(0, Limits::max());
    } else if constexpr (std::is_unsigned_v<T>) {
      scalar.p(0, T(0));
    } else {
      scalar.p(0, static_cast<T>(-Limits::max()));
    }
  });
  return scalar;
}

void fillRowless(Segments kind, NoRows noRows, DataType type, const Counts& counts, NDArray& z) {
  if (kind != Segments::Max && kind != Segments::Min) return;
  const LongType inner = z.lengthOf() / static_cast<LongType>(counts.size());
  NDArray row('c', {inner}, z.dataType());
  if (noRows == NoRows::Limit) {
    row.assign(limitOf(kind, type));
  } else {
    row.nullify();
  }
  const size_t bytes = static_cast<size_t>(inner) * z.sizeOfT();
  for (size_t s = 0; s < counts.size(); s++)
    if (counts[s] == 0) std::memcpy(z.bufferAsT<char>() + s * bytes, row.buffer(), bytes);
}

template <typename T>
struct Rows {
  const LongType* ids;
  LongType count, inner;
  const T* x;
  const T* gradZ;
  T* gradX;

  /// Calls f(x row, gradient row, result row, segment) for every row that has a segment; the other result rows are
  /// zeros.
  template <typename F>
  void each(F&& f) const {
    const double cost = static_cast<double>(count) * (2.0 + static_cast<double>(inner));
    execution::parallelFor(count, execution::threadsFor(cost), [&](LongType start, LongType stop) {
      for (LongType i = start; i < stop; i++) {
        T* to = gradX + i * inner;
        if (ids[i] < 0) {
          std::fill(to, to + inner, T(0));
        } else {
          f(x + i * inner, gradZ + ids[i] * inner, to, ids[i]);
        }
      }
    });
  }
};

template <typename T>
void gradientOfExtremes(const Rows<T>& rows, const T* z) {
  rows.each([&](const T* x, const T* g, T* to, LongType s) {
    const T* extreme = z + s * rows.inner;
    for (LongType j = 0; j < rows.inner; j++) to[j] = x[j] == extreme[j] ? g[j] : T(0);
  });
}

/// Divides by x only where no element of the segment is 0. With a single 0, only that element has a gradient: the
/// product of the others.
template <typename T>
void gradientOfProducts(const Rows<T>& rows, LongType segments) {
  const auto size = static_cast<size_t>(segments * rows.inner);
  std::vector<T> products(size, T(1));
  std::vector<LongType> zeros(size);
  for (LongType i = 0; i < rows.count; i++) {
    if (rows.ids[i] < 0) continue;
    const auto at = static_cast<size_t>(rows.ids[i] * rows.inner);
    for (size_t j = 0; j < static_cast<size_t>(rows.inner); j++) {
      const T value = rows.x[static_cast<size_t>(i * rows.inner) + j];
      if (value == 0) {
        zeros[at + j]++;
      } else {
        products[at + j] *= value;
      }
    }
  }
  rows.each([&](const T* x, const T* g, T* to, LongType s) {
    const T* product = products.data() + s * rows.inner;
    const LongType* none = zeros.data() + s * rows.inner;
    for (LongType j = 0; j < rows.inner; j++) {
      if (none[j] == 0) {
        to[j] = g[j] * (product[j] / x[j]);
      } else {
        to[j] = none[j] == 1 && x[j] == 0 ? g[j] * product[j] : T(0);
      }
    }
  });
}

template <typename T>
void gradient(Segments kind, const NDArray& x, const LongType* ids, LongType count, const NDArray& gradZ,
              NDArray& gradX) {
  const LongType segments = gradZ.sizeAt(0);
  const Rows<T> rows{
      ids, count, gradZ.lengthOf() / segments, x.bufferAsT<T>(), gradZ.bufferAsT<T>(), gradX.bufferAsT<T>()};
  if (kind == Segments::Prod) return gradientOfProducts(rows, segments);
  NDArray z(gradZ.ulike());
  reduceInto(kind, x, ids, count, {}, z);
  gradientOfExtremes(rows, z.bufferAsT<T>());
}

}  // namespace

void reduceSegments(Segments kind, NoRows noRows, const NDArray& x, const LongType* ids, LongType count, NDArray& z) {
  if (z.isEmpty()) return;
  const DataType type = typeFor(kind, x.dataType());
  const bool counted = kind != Segments::Sum && kind != Segments::Prod;
  const Counts counts = counted ? countRows(ids, count, z.sizeAt(0)) : Counts();
  const Dense from(x, type);
  DenseOut target(z, type);
  reduceInto(kind, *from, ids, count, counts, *target);
  fillRowless(kind, noRows, z.dataType(), counts, *target);
  target.commit();
}

void segmentGradient(Segments kind, const NDArray& x, const LongType* ids, LongType count, const NDArray& gradZ,
                     NDArray& gradX) {
  if (gradX.isEmpty()) return;
  if (gradZ.isEmpty()) return gradX.nullify();
  const DataType type = x.isR() && x.dataType() != DOUBLE ? FLOAT32 : DOUBLE;
  DenseOut target(gradX, type);
  if (kind == Segments::Sum || kind == Segments::Mean || kind == Segments::SqrtN) {
    NDArray scaled = gradZ.dataType() == type ? gradZ.dup('c') : NDArray(*Dense(gradZ, type));
    const LongType segments = gradZ.sizeAt(0), inner = gradZ.lengthOf() / segments;
    if (kind != Segments::Sum) divideSums(kind, scaled, countRows(ids, count, segments), inner);
    gatherRowsOrZero(scaled.buffer(), segments, ids, count, static_cast<size_t>(inner) * scaled.sizeOfT(),
                     target->buffer());
  } else {
    const Dense values(x, type), upstream(gradZ, type);
    if (type == DOUBLE) {
      gradient<double>(kind, *values, ids, count, *upstream, *target);
    } else {
      gradient<float>(kind, *values, ids, count, *upstream, *target);
    }
  }
  target.commit();
}

}  // namespace sd::ops::helpers
