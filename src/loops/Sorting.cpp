// Sorting. Numbers of every type are mapped to unsigned integers of the same size and order, so four sorts serve all
// types.
#include <array/ArrayOptions.h>
#include <execution/Parallel.h>
#include <helpers/shape.h>
#include <loops/Sorting.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <memory>
#include <numeric>
#include <utility>
#include <vector>

#include "loops/Kernels.h"
#include "loops/Layout.h"
#include "loops/Operand.h"
#include "loops/VectorSort.h"
#include "loops/kernels/SortKeys.h"
#include "system/Error.h"
#include "types/TypeDispatch.h"

namespace sd::loops {

namespace {

template <size_t Bytes>
using Bits =
    std::conditional_t<Bytes == 1, uint8_t,
                       std::conditional_t<Bytes == 2, uint16_t, std::conditional_t<Bytes == 4, uint32_t, uint64_t>>>;

template <typename T>
struct KeysOf {
  using Key = Bits<sizeof(T)>;
  using Order = simd::KeyOrder<Key, std::is_signed_v<T> ? simd::KeyKind::Signed : simd::KeyKind::Unsigned>;
};
template <>
struct KeysOf<float16> {
  using Order = simd::KeysOfF16;
};
template <>
struct KeysOf<bfloat16> {
  using Order = simd::KeysOfBF16;
};
template <>
struct KeysOf<float> {
  using Order = simd::KeysOfF32;
};
template <>
struct KeysOf<double> {
  using Order = simd::KeysOfF64;
};

/// Elements of T as unsigned keys.
template <typename T>
struct Keys : KeysOf<T>::Order {
  using Key = Bits<sizeof(T)>;

  static Key of(T value, bool descending) { return Keys::ofBits(std::bit_cast<Key>(value), descending); }
  /// Equal for -0 and 0, and for all NaN.
  static Key rank(T value, bool descending) {
    return Keys::ofBits(Keys::canonical(std::bit_cast<Key>(value)), descending);
  }
  static T value(Key key, bool descending) { return std::bit_cast<T>(Keys::bitsOf(key, descending)); }
};

/// bool is sorted as bytes: they are 0 or 1, so the order is the same.
template <typename T>
using Byte = std::conditional_t<std::is_same_v<T, bool>, uint8_t, T>;

/// Reads the first elements of a layout.
template <typename Element>
void readLine(const Layout& layout, const Byte<Element>* from, std::vector<Byte<Element>>& line) {
  layout.read(from, 0, static_cast<LongType>(line.size()), line.data());
  if constexpr (std::is_same_v<Element, bool>)
    for (uint8_t& value : line) value = value != 0;
}

template <typename Key>
struct Ranked {
  Key key;
  LongType position;
};

template <typename Key>
Key keyOf(Key key) {
  return key;
}
template <typename Key>
Key keyOf(const Ranked<Key>& item) {
  return item.key;
}

/// Fewer items are not worth the call, which may ask the system for random numbers.
constexpr size_t VECTOR_SORT = 24;

/// The sign bit of keys of 32 and 64 bits is inverted before they are sorted as signed numbers.
template <typename Key>
constexpr Key SIGN = static_cast<Key>(Key{1} << (8 * sizeof(Key) - 1));

template <typename Key>
std::make_signed_t<Key>* asSigned(Key* keys) {
  return reinterpret_cast<std::make_signed_t<Key>*>(keys);
}

template <typename Item>
bool sortedByVectors(std::vector<Item>& items) {
  if constexpr (std::is_same_v<Item, uint16_t>) {
    return vectorSort(items.data(), items.size());
  } else if constexpr (std::is_unsigned_v<Item> && sizeof(Item) > 2) {
    if (!hasVectorSort()) return false;
    for (Item& key : items) key ^= SIGN<Item>;
    vectorSort(asSigned(items.data()), items.size());
    for (Item& key : items) key ^= SIGN<Item>;
    return true;
  } else {
    return false;  // few passes sort bytes, and positions are packed with their keys before
  }
}

/// Fewer keys of one or two bytes are not worth the counts of 256 values.
constexpr size_t COUNTED = 64;

/// Where the items of each byte begin in their order, from how many there are of each.
void addUp(std::array<size_t, 256>& counts) {
  size_t sum = 0;
  for (size_t& count : counts) sum += std::exchange(count, sum);
}

void sortBytes(std::vector<uint8_t>& keys) {
  std::array<size_t, 256> counts{};
  for (const uint8_t key : keys) counts[key]++;
  auto to = keys.begin();
  for (size_t value = 0; value < counts.size(); value++)
    to = std::fill_n(to, counts[value], static_cast<uint8_t>(value));
}

/// Stable sort by keyOf: with vector instructions where the build has them, else a radix sort over the bytes of the
/// key, or insertion and merging for few items.
template <typename Item>
void sortItems(std::vector<Item>& items, std::vector<Item>& scratch) {
  using Key = decltype(keyOf(items[0]));
  const size_t n = items.size();
  if constexpr (std::is_same_v<Item, uint8_t>)
    if (n >= COUNTED) return sortBytes(items);
  if (n >= VECTOR_SORT && sortedByVectors(items)) return;
  if (n < 512) {
    std::stable_sort(items.begin(), items.end(), [](const Item& a, const Item& b) { return keyOf(a) < keyOf(b); });
    return;
  }
  scratch.resize(n);
  for (size_t byte = 0; byte < sizeof(Key); byte++) {
    const auto digit = [byte](const Item& item) { return static_cast<size_t>((keyOf(item) >> (8 * byte)) & 0xFF); };
    std::array<size_t, 256> start{};
    for (const Item& item : items) start[digit(item)]++;
    if (start[digit(items[0])] == n) continue;  // all items have the same byte here
    addUp(start);
    for (const Item& item : items) scratch[start[digit(item)]++] = item;
    items.swap(scratch);
  }
}

template <typename Key>
struct Range {
  Key least, most;
};

/// The least and the largest of n > 0 keys, of several at a time, because each comparison waits for the one before.
template <typename Key>
Range<Key> rangeOf(const Key* keys, size_t n) {
  constexpr size_t TOGETHER = 4;
  Range<Key> all{keys[0], keys[0]}, some[TOGETHER] = {all, all, all, all};
  size_t i = 0;
  for (; i + TOGETHER <= n; i += TOGETHER)
    for (size_t k = 0; k < TOGETHER; k++) {
      some[k].least = std::min(some[k].least, keys[i + k]);
      some[k].most = std::max(some[k].most, keys[i + k]);
    }
  for (; i < n; i++) all = {std::min(all.least, keys[i]), std::max(all.most, keys[i])};
  for (const Range<Key>& one : some) all = {std::min(all.least, one.least), std::max(all.most, one.most)};
  return all;
}

/// Sorts at least VECTOR_SORT keys of integers. Those that lie close together, as most integers do, are sorted as their
/// differences, in 32 bits.
void sortIntegers(int64_t* keys, size_t n) {
  const auto& kernels = simd::kernels();
  const auto narrow = std::make_unique_for_overwrite<int32_t[]>(n);
  const auto count = static_cast<LongType>(n);
  if (!kernels.narrowKeys(keys, count, narrow.get())) {
    vectorSort(keys, n);
    return;
  }
  const int64_t base = keys[0];
  vectorSort(narrow.get(), n);
  kernels.widenKeys(narrow.get(), count, base, keys);
}

/// Sorts keys of a line in place.
template <bool AreIntegers, typename Key>
void sortKeys(Key* keys, size_t n) {
  if constexpr (sizeof(Key) == 2) {
    if (n < VECTOR_SORT)
      std::sort(keys, keys + n);
    else
      vectorSort(keys, n);
  } else if (n < VECTOR_SORT) {
    std::sort(asSigned(keys), asSigned(keys) + n);
  } else if constexpr (AreIntegers && sizeof(Key) == 8) {
    sortIntegers(asSigned(keys), n);
  } else {
    vectorSort(asSigned(keys), n);
  }
}

/// Finds the positions that keys have in order.
template <typename Key>
class Positions {
 public:
  void of(const std::vector<Key>& keys, LongType* to) {
    const size_t n = keys.size();
    if constexpr (sizeof(Key) <= 2)
      if (n >= COUNTED) return ofShort(keys, to);
    if (n >= VECTOR_SORT && !hasVectorSort()) return ofRanked(keys, to);
    // Positions follow keys in the same number, if need be without the last bits of the keys.
    Range<Key> range{0, std::numeric_limits<Key>::max()};
    if (sizeof(Key) == 8) range = rangeOf(keys.data(), n);
    const int positionBits = std::bit_width(n - 1), keyBits = std::bit_width(uint64_t{range.most} - range.least);
    const int left = std::max(0, keyBits + positionBits - 64);
    const uint64_t position = (uint64_t{1} << positionBits) - 1;
    _packed.resize(n);
    for (size_t i = 0; i < n; i++)
      _packed[i] = (((uint64_t{keys[i]} - range.least) >> left) << positionBits | i) ^ SIGN<uint64_t>;
    sortKeys<false>(_packed.data(), n);
    for (size_t i = 0; i < n; i++) to[i] = static_cast<LongType>(_packed[i] & position);
    if (left > 0) orderEquals(keys, positionBits, to);
  }

 private:
  /// Sorts the positions of keys that differ in the bits that were left out.
  void orderEquals(const std::vector<Key>& keys, int positionBits, LongType* to) const {
    const size_t n = keys.size();
    for (size_t start = 0, end; start < n; start = end) {
      end = start + 1;
      while (end < n && _packed[end] >> positionBits == _packed[start] >> positionBits) end++;
      if (end - start > 1)
        std::stable_sort(to + start, to + end, [&](LongType a, LongType b) {
          return keys[static_cast<size_t>(a)] < keys[static_cast<size_t>(b)];
        });
    }
  }

  /// Of keys of one or two bytes: in the order of the last byte, then in that of the first.
  void ofShort(const std::vector<Key>& keys, LongType* to) {
    std::array<size_t, 256> last{}, first{};
    for (const Key key : keys) {
      last[key & 0xFF]++;
      if constexpr (sizeof(Key) == 2) first[key >> 8]++;
    }
    addUp(last);
    LongType* ordered = to;
    if constexpr (sizeof(Key) == 2) {
      _byLast.resize(keys.size());
      ordered = _byLast.data();
    }
    for (size_t i = 0; i < keys.size(); i++) ordered[last[keys[i] & 0xFF]++] = static_cast<LongType>(i);
    if constexpr (sizeof(Key) == 2) {
      addUp(first);
      for (const LongType i : _byLast) to[first[keys[static_cast<size_t>(i)] >> 8]++] = i;
    }
  }

  void ofRanked(const std::vector<Key>& keys, LongType* to) {
    const size_t n = keys.size();
    _items.resize(n);
    for (size_t i = 0; i < n; i++) _items[i] = {keys[i], static_cast<LongType>(i)};
    sortItems(_items, _scratch);
    for (size_t i = 0; i < n; i++) to[i] = _items[i].position;
  }

  std::vector<uint64_t> _packed;
  std::vector<LongType> _byLast;
  std::vector<Ranked<Key>> _items, _scratch;
};

/// Sub-arrays along axes: the layout of one sub-array, and the layout of their first elements.
struct SubArrays {
  std::vector<int> inner, outer;

  SubArrays(const LongType* info, const Axes& axes, const char* op) {
    const int rank = shape::rank(info);
    if (axes.empty()) {
      inner.resize(static_cast<size_t>(rank));
      std::iota(inner.begin(), inner.end(), 0);
      return;
    }
    if (static_cast<int>(axes.size()) > rank)
      fail("[{}] {} axes are given for an array of rank {}", op, axes.size(), rank);
    inner.resize(axes.size());
    shape::normaliseAxes(axes.data(), static_cast<int>(axes.size()), rank, inner.data(), op);
    for (int d = 0, next = 0; d < rank; d++) {
      if (next < static_cast<int>(inner.size()) && inner[static_cast<size_t>(next)] == d) {
        next++;
      } else {
        outer.push_back(d);
      }
    }
  }

  static Layout layout(const LongType* info, const std::vector<int>& dims) {
    return Layout(info, dims.data(), static_cast<int>(dims.size()));
  }
};

DataType checked(const char* op, const char* which, In x) {
  if (x.info == nullptr) fail("[{}] the shape of {} is null", op, which);
  shape::validate(x.info, op);
  const DataType type = ArrayOptions::dataType(x.info);
  withNumericType(op, type, []<typename T>() {});
  if (shape::length(x.info) > 0 && x.data == nullptr) fail("[{}] the buffer of {} is null", op, which);
  return type;
}

/// Whether the array is one line of neighbouring elements, which `axes` name.
bool isLine(const LongType* info, const Axes& axes) {
  return shape::rank(info) == 1 && shape::stride(info)[0] == 1 &&
         (axes.empty() || (axes.size() == 1 && (axes[0] == 0 || axes[0] == -1)));
}

int threadsForSorting(LongType subArrays, LongType length) {
  if (subArrays < 2) return 1;
  return execution::threadsFor(20. * static_cast<double>(subArrays) * static_cast<double>(length));
}

}  // namespace

void sort(Out x, bool descending) { sortAlong(x, {}, descending); }

void sortAlong(Out x, const Axes& axes, bool descending) { sortedAlong({x.data, x.info}, x, axes, descending); }

void sortedAlong(In x, Out z, const Axes& axes, bool descending) {
  const char* op = "sort";
  const DataType type = checked(op, "x", x);
  // Equal shapes of equal types mostly have one description.
  if (x.info != z.info && (checked(op, "z", {z.data, z.info}) != type || !shape::shapeEquals(x.info, z.info)))
    fail("[{}] the shapes or types of x and z differ", op);
  if (shape::length(x.info) == 0) return;
  if (z.data == nullptr) fail("[{}] the buffer of z is null", op);
  const bool inPlace = x.data == z.data && shape::haveSameShapeAndStrides(x.info, z.info);
  if (!inPlace) requireDisjoint(op, operand(op, "z", z.data, z.info), "x", operand(op, "x", x.data, x.info));
  if (shape::length(x.info) == 1) {
    std::memmove(z.data, x.data, DataTypeUtils::sizeOf(type));
    return;
  }
  withNumericType(op, type, [&]<typename Element>() {
    using T = Byte<Element>;
    using K = Keys<T>;
    const simd::KeyKernel& order = simd::kernels().keys[storageOf(op, "x", type)];
    const bool areKeys = std::is_integral_v<T> && std::is_signed_v<T> && sizeof(T) > 2 && !descending;
    const auto sortLine = [&](const T* from, T* to, LongType n) {
      if constexpr (sizeof(T) > 1) {
        auto* const keys = reinterpret_cast<typename K::Key*>(to);
        if (!areKeys || from != to) order.toKeys(from, keys, n, descending);
        sortKeys<std::is_integral_v<T>>(keys, static_cast<size_t>(n));
        if (!areKeys) order.fromKeys(keys, n, descending);
      }
    };
    const bool byVectors = sizeof(T) > 1 && hasVectorSort();
    if (byVectors && isLine(x.info, axes) && isLine(z.info, axes))
      return sortLine(static_cast<const T*>(x.data), static_cast<T*>(z.data), shape::length(x.info));
    const SubArrays parts(x.info, axes, op);
    const Layout inner = SubArrays::layout(x.info, parts.inner), outer = SubArrays::layout(x.info, parts.outer);
    const Layout innerZ = SubArrays::layout(z.info, parts.inner), outerZ = SubArrays::layout(z.info, parts.outer);
    const LongType n = inner.length();
    execution::parallelFor(outer.length(), threadsForSorting(outer.length(), n), [&](LongType first, LongType last) {
      if (byVectors && innerZ.contiguous()) {
        for (LongType k = first; k < last; k++) {
          const T* from = static_cast<const T*>(x.data) + outer.offset(k);
          T* const to = static_cast<T*>(z.data) + outerZ.offset(k);
          if (!inner.contiguous()) {
            inner.read(from, 0, n, to);
            from = to;
          }
          sortLine(from, to, n);
        }
        return;
      }
      if (byVectors && inner.stride() > 1 && innerZ.stride() > 1) {
        // Columns share cache lines: several are moved side by side.
        constexpr LongType TOGETHER = 64 / sizeof(T);
        const auto transpose = simd::kernels().transpose[std::countr_zero(sizeof(T))];
        const auto lines =
            std::make_unique_for_overwrite<T[]>(static_cast<size_t>(std::min(TOGETHER, last - first) * n));
        for (LongType k = first, columns; k < last; k += columns) {
          columns = std::min({TOGETHER, last - k, outer.runFrom(k), outerZ.runFrom(k)});
          transpose(static_cast<const T*>(x.data) + outer.offset(k), inner.stride(), lines.get(), n, n, columns);
          for (T* line = lines.get(); line < lines.get() + columns * n; line += n) sortLine(line, line, n);
          transpose(lines.get(), n, static_cast<T*>(z.data) + outerZ.offset(k), innerZ.stride(), columns, n);
        }
        return;
      }
      std::vector<T> line(static_cast<size_t>(n));
      std::vector<typename K::Key> keys(static_cast<size_t>(n)), scratch;
      for (LongType k = first; k < last; k++) {
        readLine<Element>(inner, static_cast<const T*>(x.data) + outer.offset(k), line);
        for (size_t i = 0; i < line.size(); i++) keys[i] = K::of(line[i], descending);
        sortItems(keys, scratch);
        for (size_t i = 0; i < line.size(); i++) line[i] = K::value(keys[i], descending);
        innerZ.write(static_cast<T*>(z.data) + outerZ.offset(k), 0, n, line.data());
      }
    });
  });
}

void sortByKey(Out keys, Out values, bool descending) { sortByKeyAlong(keys, values, {}, descending); }

void sortByKeyAlong(Out keys, Out values, const Axes& axes, bool descending) {
  const char* op = "sortByKey";
  const DataType keyType = checked(op, "keys", {keys.data, keys.info});
  const DataType valueType = checked(op, "values", {values.data, values.info});
  if (axes.empty() ? shape::length(keys.info) != shape::length(values.info)
                   : !shape::shapeEquals(keys.info, values.info))
    fail("[{}] there are {} keys and {} values, or their shapes differ", op, shape::length(keys.info),
         shape::length(values.info));
  if (shape::length(keys.info) < 2) return;
  requireDisjoint(op, operand(op, "values", values.data, values.info), "keys",
                  operand(op, "keys", keys.data, keys.info));
  const SubArrays keyParts(keys.info, axes, op), valueParts(values.info, axes, op);
  const Layout inner = SubArrays::layout(keys.info, keyParts.inner),
               outer = SubArrays::layout(keys.info, keyParts.outer);
  const Layout innerV = SubArrays::layout(values.info, valueParts.inner);
  const Layout outerV = SubArrays::layout(values.info, valueParts.outer);
  const LongType n = inner.length();
  withNumericType(op, keyType, [&]<typename Element>() {
    withElementBits(op, valueType, [&]<typename V>() {
      using T = Byte<Element>;
      using K = Keys<T>;
      execution::parallelFor(outer.length(), threadsForSorting(outer.length(), n), [&](LongType first, LongType last) {
        std::vector<T> line(static_cast<size_t>(n));
        std::vector<V> valueLine(line.size()), moved(line.size());
        std::vector<typename K::Key> lineKeys(line.size());
        std::vector<LongType> order(line.size());
        Positions<typename K::Key> positions;
        for (LongType k = first; k < last; k++) {
          T* start = static_cast<T*>(keys.data) + outer.offset(k);
          V* startV = static_cast<V*>(values.data) + outerV.offset(k);
          readLine<Element>(inner, start, line);
          innerV.read(startV, 0, n, valueLine.data());
          for (size_t i = 0; i < line.size(); i++) lineKeys[i] = K::of(line[i], descending);
          positions.of(lineKeys, order.data());
          for (size_t i = 0; i < line.size(); i++) {
            const auto from = static_cast<size_t>(order[i]);
            line[i] = K::value(lineKeys[from], descending);
            moved[i] = valueLine[from];
          }
          inner.write(start, 0, n, line.data());
          innerV.write(startV, 0, n, moved.data());
        }
      });
    });
  });
}

void sortedPositions(In x, Out z, int axis, bool descending) {
  const char* op = "argsort";
  const DataType type = checked(op, "x", x), positionType = checked(op, "z", {z.data, z.info});
  if (positionType != INT64) fail("[{}] z is {}: it must be INT64", op, DataTypeUtils::asString(positionType));
  if (!shape::shapeEquals(x.info, z.info)) fail("[{}] the shapes of x and z differ", op);
  if (shape::length(x.info) == 0) return;
  requireDisjoint(op, operand(op, "z", z.data, z.info), "x", operand(op, "x", x.data, x.info));
  const SubArrays partsX(x.info, {axis}, op), partsZ(z.info, {axis}, op);
  const Layout inner = SubArrays::layout(x.info, partsX.inner), outer = SubArrays::layout(x.info, partsX.outer);
  const Layout innerZ = SubArrays::layout(z.info, partsZ.inner), outerZ = SubArrays::layout(z.info, partsZ.outer);
  const LongType n = inner.length();
  withNumericType(op, type, [&]<typename Element>() {
    using T = Byte<Element>;
    using K = Keys<T>;
    execution::parallelFor(outer.length(), threadsForSorting(outer.length(), n), [&](LongType first, LongType last) {
      std::vector<T> line(static_cast<size_t>(n));
      std::vector<typename K::Key> keys(line.size());
      std::vector<LongType> found(innerZ.contiguous() ? 0 : line.size());
      Positions<typename K::Key> positions;
      for (LongType k = first; k < last; k++) {
        readLine<Element>(inner, static_cast<const T*>(x.data) + outer.offset(k), line);
        for (size_t i = 0; i < line.size(); i++) keys[i] = K::rank(line[i], descending);
        LongType* const to = static_cast<LongType*>(z.data) + outerZ.offset(k);
        positions.of(keys, innerZ.contiguous() ? to : found.data());
        if (!innerZ.contiguous()) innerZ.write(to, 0, n, found.data());
      }
    });
  });
}

void sortCooIndices(LongType* indices, int rank, LongType length, void* values, DataType type) {
  const char* op = "sortCooIndices";
  if (rank < 0 || rank > SD_MAX_RANK) fail("[{}] rank is {}: it must be in 0..{}", op, rank, SD_MAX_RANK);
  if (length < 0) fail("[{}] length is {}: it must not be negative", op, length);
  withElementBits(op, type, []<typename V>() {});
  if (length < 2 || rank == 0) return;
  if (indices == nullptr || values == nullptr) fail("[{}] {} is null", op, indices == nullptr ? "indices" : "values");

  const auto n = static_cast<size_t>(length), width = static_cast<size_t>(rank);
  std::vector<LongType> order(n);
  std::iota(order.begin(), order.end(), LongType{0});
  std::stable_sort(order.begin(), order.end(), [=](LongType a, LongType b) {
    const LongType *rowA = indices + a * rank, *rowB = indices + b * rank;
    return std::lexicographical_compare(rowA, rowA + width, rowB, rowB + width);
  });
  std::vector<LongType> rows(n * width);
  for (size_t i = 0; i < n; i++) std::copy_n(indices + order[i] * rank, width, rows.data() + i * width);
  withElementBits(op, type, [&]<typename V>() {
    auto* data = static_cast<V*>(values);
    std::vector<V> moved(n);
    for (size_t i = 0; i < n; i++) moved[i] = data[order[i]];
    std::copy(moved.begin(), moved.end(), data);
  });
  std::copy(rows.begin(), rows.end(), indices);
}

}  // namespace sd::loops
