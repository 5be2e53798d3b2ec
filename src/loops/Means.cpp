// Sums and means of several arrays, element by element.
#include <array/ArrayOptions.h>
#include <exceptions/datatype_exception.h>
#include <execution/Parallel.h>
#include <helpers/shape.h>

#include "loops/Layout.h"
#include "loops/Moving.h"
#include "system/Error.h"
#include "types/StoredBool.h"
#include "types/TypeDispatch.h"

namespace sd::loops {

namespace {

constexpr LongType TILE = 1024;

/// The type in which elements of T are summed: overflow is defined in it, and 16-bit floats are summed in float.
template <typename T>
struct SumType {
  using type = float;
};
template <>
struct SumType<float> {
  using type = float;
};
template <>
struct SumType<double> {
  using type = double;
};
template <>
struct SumType<bool> {
  using type = bool;
};
template <typename T>
requires(std::is_integral_v<T> && !std::is_same_v<T, bool>) struct SumType<T> {
  using type = std::make_unsigned_t<T>;
};

template <typename T>
typename SumType<T>::type plus(typename SumType<T>::type sum, T value) {
  using Sum = typename SumType<T>::type;
  if constexpr (std::is_same_v<T, bool>) {
    return sum || value;
  } else {
    return static_cast<Sum>(sum + static_cast<Sum>(value));
  }
}

/// The term of a mean: value / n, truncated for integers.
template <typename T>
T share(T value, int n) {
  if constexpr (std::is_same_v<T, bool>) {
    return value && n == 1;
  } else if constexpr (std::is_integral_v<T> && std::is_unsigned_v<T>) {
    return static_cast<T>(value / static_cast<uint64_t>(n));
  } else if constexpr (std::is_integral_v<T>) {
    return static_cast<T>(static_cast<LongType>(value) / n);
  } else {
    return value;
  }
}

template <typename T>
const Stored<T>* block(const void* const* x, int a) {
  return static_cast<const Stored<T>*>(x[a]);
}

/// Makes the checks that both functions share; returns the layout of z if z has data.
void check(const char* op, const void* const* x, DataType type, int n, LongType length, Out z) {
  withNumericType(op, type, []<typename T>() {});
  if (n < 1) fail("[{}] the number of arrays is {}: it must be positive", op, n);
  if (length < 0) fail("[{}] length is {}: it must not be negative", op, length);
  if (x == nullptr) fail("[{}] the arrays are null", op);
  if (length > 0) {
    for (int a = 0; a < n; a++)
      if (x[a] == nullptr) fail("[{}] array {} is null", op, a);
  }
  if (z.data == nullptr) return;
  if (z.info == nullptr) fail("[{}] the shape of z is null", op);
  shape::validate(z.info, op);
  if (ArrayOptions::dataType(z.info) != type) fail<datatype_exception>("[{}] x and z have different types", op);
  if (shape::length(z.info) != length)
    fail("[{}] z has {} elements, but length is {}", op, shape::length(z.info), length);
}

}  // namespace

void average(void* const* x, DataType type, int n, LongType length, Out z, bool propagate) {
  const char* op = "average";
  check(op, x, type, n, length, z);
  const bool toInputs = propagate || z.data == nullptr;
  withNumericType(op, type, [&]<typename T>() {
    using Sum = typename SumType<T>::type;
    const LongType tiles = (length + TILE - 1) / TILE;
    const int threads = execution::threadsFor(static_cast<double>(length) * n);
    execution::parallelFor(tiles, threads, [&](LongType first, LongType last) {
      Sum sums[TILE];
      T means[TILE];
      for (LongType t = first; t < last; t++) {
        const LongType begin = t * TILE, count = std::min(TILE, length - begin);
        std::fill_n(sums, count, Sum{});
        for (int a = 0; a < n; a++) {
          const Stored<T>* values = block<T>(x, a) + begin;
          for (LongType i = 0; i < count; i++) {
            if constexpr (std::is_integral_v<T>) {
              sums[i] = plus<T>(sums[i], share<T>(values[i], n));
            } else {
              sums[i] += static_cast<Sum>(values[i]) / static_cast<Sum>(n);
            }
          }
        }
        for (LongType i = 0; i < count; i++) means[i] = static_cast<T>(sums[i]);
        if (z.data != nullptr) Layout(z.info).write(static_cast<T*>(z.data), begin, begin + count, means);
        for (int a = 0; toInputs && a < n; a++) std::copy_n(means, count, static_cast<T*>(x[a]) + begin);
      }
    });
  });
}

void accumulate(const void* const* x, DataType type, int n, LongType length, Out z) {
  const char* op = "accumulate";
  if (z.data == nullptr && length > 0) fail("[{}] the buffer of z is null", op);
  check(op, x, type, n, length, z);
  withNumericType(op, type, [&]<typename T>() {
    using Sum = typename SumType<T>::type;
    const LongType tiles = (length + TILE - 1) / TILE;
    const int threads = execution::threadsFor(static_cast<double>(length) * n);
    execution::parallelFor(tiles, threads, [&](LongType first, LongType last) {
      const Layout layout(z.info);
      Sum sums[TILE];
      Stored<T> results[TILE];
      for (LongType t = first; t < last; t++) {
        const LongType begin = t * TILE, count = std::min(TILE, length - begin);
        layout.read(static_cast<const Stored<T>*>(z.data), begin, begin + count, results);
        for (LongType i = 0; i < count; i++) sums[i] = static_cast<Sum>(results[i]);
        for (int a = 0; a < n; a++) {
          const Stored<T>* values = block<T>(x, a) + begin;
          for (LongType i = 0; i < count; i++) sums[i] = plus<T>(sums[i], values[i]);
        }
        for (LongType i = 0; i < count; i++) results[i] = static_cast<T>(sums[i]);
        layout.write(static_cast<Stored<T>*>(z.data), begin, begin + count, results);
      }
    });
  });
}

}  // namespace sd::loops
