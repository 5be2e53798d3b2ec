#include "ops/declarable/helpers/largest.h"

#include <execution/Parallel.h>

#include <algorithm>
#include <numeric>

namespace sd::ops::helpers {
namespace {

/// A type that holds the values of `type` exactly and in which rows are compared.
DataType comparedAs(DataType type) {
  switch (type) {
    case HALF:
    case BFLOAT16:
    case FLOAT32:
      return FLOAT32;
    case DOUBLE:
    case UINT64:
      return type;
    case INT64:
    case UINT32:
      return INT64;
    default:
      return INT32;
  }
}

template <typename F>
void withCompared(const NDArray& dense, F&& f) {
  switch (dense.dataType()) {
    case FLOAT32:
      return f(dense.bufferAsT<float>());
    case DOUBLE:
      return f(dense.bufferAsT<double>());
    case INT32:
      return f(dense.bufferAsT<int32_t>());
    case INT64:
      return f(dense.bufferAsT<int64_t>());
    default:
      return f(dense.bufferAsT<uint64_t>());
  }
}

/// a goes before b: larger, or equal and earlier; NaN after all numbers.
template <typename T>
struct Before {
  const T* row;
  bool operator()(LongType a, LongType b) const {
    if (row[a] > row[b]) return true;
    if (row[a] < row[b]) return false;
    if (row[a] == row[b]) return a < b;
    const bool isNumberA = row[a] == row[a], isNumberB = row[b] == row[b];
    return isNumberA != isNumberB ? isNumberA : a < b;
  }
};

/// The first k by `before` in no order. A heap whose top is the last of them looks at most elements once only.
template <typename T>
void selectByHeap(const T* row, LongType n, LongType k, LongType* chosen) {
  const Before<T> before{row};
  std::iota(chosen, chosen + k, LongType{0});
  std::make_heap(chosen, chosen + k, before);
  for (LongType i = k; i < n; i++) {
    // Later elements that are equal stay out.
    const T last = row[chosen[0]];
    if (!(row[i] > last || (last != last && row[i] == row[i]))) continue;
    std::pop_heap(chosen, chosen + k, before);
    chosen[k - 1] = i;
    std::push_heap(chosen, chosen + k, before);
  }
}

template <typename T>
void largestOfRow(const T* row, LongType n, LongType k, bool sorted, LongType* chosen, std::vector<LongType>& all) {
  const Before<T> before{row};
  if (k <= 64 || k <= n / 16) {
    selectByHeap(row, n, k, chosen);
  } else {
    all.resize(static_cast<size_t>(n));
    std::iota(all.begin(), all.end(), LongType{0});
    if (k < n) std::nth_element(all.begin(), all.begin() + k, all.end(), before);
    std::copy(all.begin(), all.begin() + k, chosen);
  }
  if (sorted) {
    std::sort(chosen, chosen + k, before);
  } else {
    std::sort(chosen, chosen + k);
  }
}

}  // namespace

void positionsOfLargest(const NDArray& x, LongType k, bool sorted, LongType* positions) {
  if (x.isEmpty()) return;
  const Dense dense(x, comparedAs(x.dataType()));
  const LongType n = x.sizeAt(-1), rows = x.lengthOf() / n;
  withCompared(*dense, [&](const auto* values) {
    const int threads = execution::threadsFor(3.0 * static_cast<double>(x.lengthOf()));
    execution::parallelFor(rows, threads, [&](LongType start, LongType stop) {
      std::vector<LongType> all;
      for (LongType r = start; r < stop; r++) largestOfRow(values + r * n, n, k, sorted, positions + r * k, all);
    });
  });
}

void nthElements(const NDArray& x, LongType n, bool reversed, NDArray& z) {
  if (z.isEmpty()) return;
  const DataType type = comparedAs(x.dataType());
  const LongType size = x.sizeAt(-1), rows = x.lengthOf() / size;
  const Dense dense(x, type);
  DenseOut target(z, type);
  withCompared(*dense, [&](const auto* values) {
    using T = std::remove_const_t<std::remove_pointer_t<decltype(values)>>;
    const auto ascending = [](T a, T b) { return a < b || (a == a && b != b); };
    const auto descending = [](T a, T b) { return a > b || (a == a && b != b); };
    T* results = target.as<T>();
    const int threads = execution::threadsFor(5.0 * static_cast<double>(x.lengthOf()));
    execution::parallelFor(rows, threads, [&](LongType start, LongType stop) {
      std::vector<T> row(static_cast<size_t>(size));
      for (LongType r = start; r < stop; r++) {
        std::copy_n(values + r * size, size, row.begin());
        if (reversed) {
          std::nth_element(row.begin(), row.begin() + n, row.end(), descending);
        } else {
          std::nth_element(row.begin(), row.begin() + n, row.end(), ascending);
        }
        results[r] = row[static_cast<size_t>(n)];
      }
    });
  });
  target.commit();
}

}  // namespace sd::ops::helpers
