#include "ops/declarable/helpers/largest.h"

#include <execution/Parallel.h>

#include <algorithm>
#include <bit>
#include <functional>
#include <limits>
#include <type_traits>

#include "ops/declarable/helpers/compared_type.h"

namespace sd::ops::helpers {
namespace {

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

/// An integer in the order of the values, except for NaN, and -0 is less than 0.
inline int32_t inOrder(int32_t value) { return value; }
inline int32_t inOrder(float value) {
  const auto bits = std::bit_cast<int32_t>(value);
  return bits ^ ((bits >> 31) & std::numeric_limits<int32_t>::max());
}

/// The number of elements that are compared together with the smallest of the largest so far.
template <typename T>
constexpr int STRIP = 128 / sizeof(T);

/// Whether one of the elements of a strip may exceed `bound`, which is not NaN.
template <typename T>
bool hasAbove(const T* strip, T bound) {
  int any = 0;
  if constexpr (sizeof(T) == 4) {
    // Compilers vectorise this: comparisons of floats may raise exceptions, those of integers do not.
    const int32_t least = inOrder(bound);
    for (int k = 0; k < STRIP<T>; k++) any |= inOrder(strip[k]) > least ? -1 : 0;
  } else {
    for (int k = 0; k < STRIP<T>; k++) any |= strip[k] > bound;
  }
  return any != 0;
}

/// Calls f(i) for the elements from `start` on that exceed `least`, which f may raise. If `least` is NaN, for all.
template <typename T, typename F>
void forEachAbove(const T* row, LongType start, LongType n, const T& least, F&& f) {
  LongType i = start;
  for (; i + STRIP<T> <= n; i += STRIP<T>) {
    // Most strips have no such element.
    if (least == least && !hasAbove(row + i, least)) continue;
    for (LongType j = i; j < i + STRIP<T>; j++)
      if (!(row[j] <= least)) f(j);
  }
  for (; i < n; i++)
    if (!(row[i] <= least)) f(i);
}

/// Up to this k, the largest elements so far are kept in order.
constexpr LongType FEW = 32;

/// The number of keys that are needed for the k largest of n elements.
LongType roomFor(LongType k, LongType n) { return k <= FEW ? k : std::min(n, 2 * k); }

/// Orders the n keys, which are different, so that keys[k - 1] is the k-th largest and larger ones are before it. The
/// loop does not branch on keys, which processors could not predict.
template <typename Key>
void selectLargest(Key* keys, LongType n, LongType k) {
  constexpr LongType SHORT = 16;
  constexpr int MOST_ROUNDS = 40;  // unfortunate orders must not take quadratic time
  Key *first = keys, *last = keys + n, *const wanted = keys + k - 1;
  for (int round = 0; last - first > SHORT && round < MOST_ROUNDS; round++) {
    Key* const end = last - 1;
    Key* const middle = first + (last - first) / 2;
    // the median of three goes to the end
    if (*first < *middle) std::swap(*first, *middle);
    if (*first < *end) std::swap(*first, *end);
    if (*end < *middle) std::swap(*end, *middle);
    const Key pivot = *end;
    Key* at = first;
    for (Key* i = first; i < end; i++) {
      const Key key = *i;
      *i = *at;
      *at = key;
      at += key > pivot;
    }
    std::swap(*at, *end);
    if (at == wanted) return;
    if (at > wanted)
      last = at;
    else
      first = at + 1;
  }
  std::nth_element(first, wanted, last, std::greater<>());
}

/// `keys` has room for roomFor(k, n).
template <typename T>
void largestOfRow(const T* row, LongType n, LongType k, bool sorted, LongType* chosen, typename Ranked<T>::Key* keys) {
  using R = Ranked<T>;
  const LongType room = roomFor(k, n);
  for (LongType i = 0; i < room; i++) keys[i] = R::key(row[i], i);
  T least;
  if (k <= FEW) {
    std::sort(keys, keys + k, std::greater<>());
    least = row[R::position(keys[k - 1])];
    forEachAbove(row, k, n, least, [&](LongType i) {
      const auto key = R::key(row[i], i);
      if (key < keys[k - 1]) return;
      LongType at = k - 1;
      for (; at > 0 && keys[at - 1] < key; at--) keys[at] = keys[at - 1];
      keys[at] = key;
      least = row[R::position(keys[k - 1])];
    });
  } else {
    // The largest are selected whenever the room is full.
    LongType kept = room;
    const auto select = [&] {
      if (kept > k) selectLargest(keys, kept, k);
      kept = k;
      least = row[R::position(keys[k - 1])];
    };
    select();
    forEachAbove(row, room, n, least, [&](LongType i) {
      keys[kept++] = R::key(row[i], i);
      if (kept == room) select();
    });
    select();
    if (sorted) std::sort(keys, keys + k, std::greater<>());
  }
  for (LongType i = 0; i < k; i++) chosen[i] = R::position(keys[i]);
  if (!sorted) std::sort(chosen, chosen + k);
}

}  // namespace

void largestOfRows(const NDArray& x, LongType k, bool sorted, NDArray& values, NDArray& positions) {
  if (values.isEmpty()) return;
  const LongType n = x.sizeAt(-1), rows = x.lengthOf() / n;
  DataType type = comparedAs(x.dataType());
  // The position has as many bits in a key as the value.
  if (n > std::numeric_limits<uint32_t>::max()) type = type == FLOAT32 ? DOUBLE : type == INT32 ? INT64 : type;
  const Dense dense(x, type);
  DenseOut largest(values, type), places(positions, INT64);
  withCompared(*dense, [&](const auto* elements) {
    using T = std::remove_const_t<std::remove_pointer_t<decltype(elements)>>;
    T* results = largest.as<T>();
    LongType* chosen = places.as<LongType>();
    const double cost = static_cast<double>(n) + 30.0 * static_cast<double>(k);
    execution::parallelFor(rows, execution::threadsFor(cost * static_cast<double>(rows)),
                           [&](LongType start, LongType stop) {
                             std::vector<typename Ranked<T>::Key> keys(static_cast<size_t>(roomFor(k, n)));
                             for (LongType r = start; r < stop; r++) {
                               const T* row = elements + r * n;
                               largestOfRow(row, n, k, sorted, chosen + r * k, keys.data());
                               for (LongType j = r * k; j < (r + 1) * k; j++) results[j] = row[chosen[j]];
                             }
                           });
  });
  largest.commit();
  places.commit();
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
