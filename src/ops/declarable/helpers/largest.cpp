#include "ops/declarable/helpers/largest.h"

#include <execution/Parallel.h>

#include <algorithm>
#include <bit>
#include <functional>
#include <limits>
#include <type_traits>

namespace sd::ops::helpers {
namespace {

/// The type in which rows are compared; it holds the values of `type` exactly.
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

__extension__ using Wide = unsigned __int128;

/// A value and its position in one number: a larger value gives a larger number, and of equal values the earlier one
/// does. NaN gives the smallest number.
template <typename T>
struct Ranked {
  using Bits = std::conditional_t<sizeof(T) == 4, uint32_t, uint64_t>;
  using Key = std::conditional_t<sizeof(T) == 4, uint64_t, Wide>;
  static constexpr int WIDTH = 8 * sizeof(T);

  static Bits rank(T value) {
    constexpr Bits SIGN = Bits{1} << (WIDTH - 1);
    if constexpr (std::is_floating_point_v<T>) {
      if (value != value) return 0;
      const Bits bits = std::bit_cast<Bits>(value == 0 ? T(0) : value);
      return (bits & SIGN) != 0 ? ~bits : bits | SIGN;
    } else {
      return std::is_signed_v<T> ? static_cast<Bits>(value) ^ SIGN : static_cast<Bits>(value);
    }
  }
  static Key key(T value, LongType position) {
    return static_cast<Key>(rank(value)) << WIDTH | static_cast<Bits>(~static_cast<Bits>(position));
  }
  static LongType position(Key key) { return static_cast<LongType>(static_cast<Bits>(~static_cast<Bits>(key))); }
};

/// `keys` must have room for the row.
template <typename T>
void largestOfRow(const T* row, LongType n, LongType k, bool sorted, LongType* chosen, typename Ranked<T>::Key* keys) {
  using R = Ranked<T>;
  if (k <= 64 || k <= n / 16) {
    // The top of the heap is the smallest kept key; most elements need a single comparison with it.
    for (LongType i = 0; i < k; i++) keys[i] = R::key(row[i], i);
    std::make_heap(keys, keys + k, std::greater<>());
    for (LongType i = k; i < n; i++) {
      const auto key = R::key(row[i], i);
      if (key < keys[0]) continue;
      std::pop_heap(keys, keys + k, std::greater<>());
      keys[k - 1] = key;
      std::push_heap(keys, keys + k, std::greater<>());
    }
  } else {
    for (LongType i = 0; i < n; i++) keys[i] = R::key(row[i], i);
    if (k < n) std::nth_element(keys, keys + k, keys + n, std::greater<>());
  }
  if (sorted) std::sort(keys, keys + k, std::greater<>());
  for (LongType i = 0; i < k; i++) chosen[i] = R::position(keys[i]);
  if (!sorted) std::sort(chosen, chosen + k);
}

}  // namespace

void positionsOfLargest(const NDArray& x, LongType k, bool sorted, LongType* positions) {
  if (x.isEmpty()) return;
  const LongType n = x.sizeAt(-1), rows = x.lengthOf() / n;
  DataType type = comparedAs(x.dataType());
  // The position has as many bits in a key as the value.
  if (n > std::numeric_limits<uint32_t>::max()) type = type == FLOAT32 ? DOUBLE : type == INT32 ? INT64 : type;
  const Dense dense(x, type);
  withCompared(*dense, [&](const auto* values) {
    using T = std::remove_const_t<std::remove_pointer_t<decltype(values)>>;
    const int threads = execution::threadsFor(3.0 * static_cast<double>(x.lengthOf()));
    execution::parallelFor(rows, threads, [&](LongType start, LongType stop) {
      std::vector<typename Ranked<T>::Key> keys(static_cast<size_t>(n));
      for (LongType r = start; r < stop; r++)
        largestOfRow(values + r * n, n, k, sorted, positions + r * k, keys.data());
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
