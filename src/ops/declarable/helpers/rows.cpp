#include "ops/declarable/helpers/rows.h"

#include <array/DataTypeUtils.h>
#include <execution/Parallel.h>
#include <system/op_enums.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>
#include <vector>

#include "loops/ElementLoop.h"
#include "loops/Kernels.h"
#include "ops/declarable/helpers/take_elements.h"
#include "system/Error.h"

namespace sd::ops::helpers {
namespace {

// Approximate nanoseconds for n rows: a cache miss for each, and its bytes.
double costOfRows(LongType n, size_t bytes) {
  return static_cast<double>(n) * (2.0 + 0.1 * static_cast<double>(bytes));
}

/// Bytes of a row from which on a result that does not fit into the caches is written past them.
constexpr size_t STREAMED = 512;

template <typename T>
void gatherElements(const T* x, LongType size, const LongType* indices, LongType n, T* z, LongType start,
                    LongType stop) {
  LongType outer = start / n, i = start % n;
  for (LongType at = start; at < stop; outer++, i = 0) {
    const LongType count = std::min(n - i, stop - at);
    takeElements(x + outer * size, indices + i, count, z + at);
    at += count;
  }
}

/// The part of an update that one thread performs: rows firstRow..lastRow-1, elements first..last-1 of each.
struct Part {
  const LongType* indices;
  LongType n, inner;
  LongType firstRow, lastRow, first, last;
};

using Kernel = void (*)(void* z, const void* u, const Part& part);

// Narrow unsigned factors would be promoted to int, whose overflow is undefined.
template <typename T>
using Wide = std::conditional_t<std::is_integral_v<T> && (sizeof(T) < 4), unsigned, T>;

struct Add {
  template <typename T>
  static T op(T z, T u) {
    return static_cast<T>(Wide<T>(z) + Wide<T>(u));
  }
};

/// The kernel for what F does to runs of T; nullptr when there is none, or the build leaves its operation out.
template <typename T, typename F>
simd::BinaryLoop runKernel() {
  if constexpr (std::is_same_v<F, Add> && std::is_floating_point_v<T>)
    return simd::kernels().pairwise[pairwise::Add][sizeof(T) == 8 ? simd::F64 : simd::F32].both;
  else
    return nullptr;
}

template <typename T, typename F>
void combineRows(void* target, const void* updates, const Part& part) {
  constexpr LongType LONG = 64;
  const simd::BinaryLoop run = part.last - part.first < LONG ? nullptr : runKernel<T, F>();
  auto* z = static_cast<T*>(target);
  const auto* u = static_cast<const T*>(updates);
  const auto rows = static_cast<UnsignedLong>(part.lastRow - part.firstRow);
  for (LongType i = 0; i < part.n; i++) {
    const LongType row = part.indices[i];
    if (static_cast<UnsignedLong>(row - part.firstRow) >= rows) continue;
    T* to = z + row * part.inner;
    const T* from = u + i * part.inner;
    if (run != nullptr)
      run(to + part.first, from + part.first, to + part.first, part.last - part.first, nullptr);
    else
      for (LongType j = part.first; j < part.last; j++) to[j] = F::op(to[j], from[j]);
  }
}

struct Subtract {
  template <typename T>
  static T op(T z, T u) {
    return static_cast<T>(Wide<T>(z) - Wide<T>(u));
  }
};
struct ReverseSubtract {
  template <typename T>
  static T op(T z, T u) {
    return static_cast<T>(Wide<T>(u) - Wide<T>(z));
  }
};
struct Multiply {
  template <typename T>
  static T op(T z, T u) {
    return static_cast<T>(Wide<T>(z) * Wide<T>(u));
  }
};
struct Divide {
  template <typename T>
  static T op(T z, T u) {
    if constexpr (std::is_integral_v<T> && std::is_signed_v<T>) {
      // The lowest value divided by -1 wraps to itself.
      if (u == -1) return static_cast<T>(0 - static_cast<std::make_unsigned_t<T>>(z));
    }
    return static_cast<T>(z / u);
  }
};
struct ReverseDivide {
  template <typename T>
  static T op(T z, T u) {
    return Divide::op(u, z);
  }
};
struct Max {
  template <typename T>
  static T op(T z, T u) {
    return u > z || z != z ? u : z;
  }
};
struct Min {
  template <typename T>
  static T op(T z, T u) {
    return u < z || z != z ? u : z;
  }
};
struct Assign {
  template <typename T>
  static T op(T, T u) {
    return u;
  }
};

/// Operations that give the same bits for signed and unsigned integers.
template <typename T>
Kernel modularKernel(Combine combine) {
  switch (combine) {
    case Combine::Add:
      return &combineRows<T, Add>;
    case Combine::Subtract:
      return &combineRows<T, Subtract>;
    case Combine::ReverseSubtract:
      return &combineRows<T, ReverseSubtract>;
    case Combine::Multiply:
      return &combineRows<T, Multiply>;
    case Combine::Assign:
      return &combineRows<T, Assign>;
    default:
      return nullptr;
  }
}

template <typename T>
Kernel kernel(Combine combine) {
  switch (combine) {
    case Combine::Divide:
      return &combineRows<T, Divide>;
    case Combine::ReverseDivide:
      return &combineRows<T, ReverseDivide>;
    case Combine::Max:
      return &combineRows<T, Max>;
    case Combine::Min:
      return &combineRows<T, Min>;
    default:
      break;
  }
  if constexpr (std::is_integral_v<T>) {
    return modularKernel<std::make_unsigned_t<T>>(combine);
  } else {
    return modularKernel<T>(combine);
  }
}

Kernel kernelOf(Combine combine, DataType type) {
  if (combine == Combine::Assign) {
    switch (DataTypeUtils::sizeOf(type)) {
      case 1:
        return &combineRows<uint8_t, Assign>;
      case 2:
        return &combineRows<uint16_t, Assign>;
      case 4:
        return &combineRows<uint32_t, Assign>;
      default:
        return &combineRows<uint64_t, Assign>;
    }
  }
  switch (type) {
    case FLOAT32:
      return kernel<float>(combine);
    case DOUBLE:
      return kernel<double>(combine);
    case INT8:
      return kernel<int8_t>(combine);
    case INT16:
      return kernel<int16_t>(combine);
    case INT32:
      return kernel<int32_t>(combine);
    case INT64:
      return kernel<int64_t>(combine);
    case UINT8:
      return kernel<uint8_t>(combine);
    case UINT16:
      return kernel<uint16_t>(combine);
    case UINT32:
      return kernel<uint32_t>(combine);
    case UINT64:
      return kernel<uint64_t>(combine);
    default:
      fail<std::runtime_error>("[scatter] type {} cannot be combined", DataTypeUtils::describe(type));
  }
}

/// Whether equal ranges of rows, one for each thread, have about as many updates.
bool isBalanced(const LongType* indices, LongType n, LongType rows, int threads) {
  if (rows < threads) return false;
  const auto number = static_cast<UnsignedLong>(threads), all = static_cast<UnsignedLong>(rows);
  std::vector<LongType> counts(number);
  for (LongType i = 0; i < n; i++) {
    const auto row = static_cast<UnsignedLong>(indices[i]);
    if (row < all) counts[row * number / all]++;
  }
  return *std::max_element(counts.begin(), counts.end()) <= n / threads + n / (4 * threads);
}

}  // namespace

void gatherRows(const void* x, LongType outer, LongType size, const LongType* indices, LongType n, size_t bytes,
                void* z) {
  if (n == 0 || bytes == 0) return;
  const int threads = execution::threadsFor(costOfRows(outer * n, bytes));
  const bool streams = bytes >= STREAMED && outer * n * static_cast<LongType>(bytes) >= loops::streamingThreshold();
  execution::parallelFor(outer * n, threads, [&](LongType start, LongType stop) {
    const auto elements = [&]<typename T>(T) {
      gatherElements(static_cast<const T*>(x), size, indices, n, static_cast<T*>(z), start, stop);
    };
    switch (bytes) {
      case 1:
        return elements(uint8_t{});
      case 2:
        return elements(uint16_t{});
      case 4:
        return elements(uint32_t{});
      case 8:
        return elements(uint64_t{});
      default:
        break;
    }
    const auto step = static_cast<LongType>(bytes);
    const auto* from = static_cast<const char*>(x);
    auto* to = static_cast<char*>(z);
    LongType o = start / n, i = start % n;
    for (LongType at = start; at < stop; at++) {
      const char* row = from + (o * size + indices[i]) * step;
      if (streams)
        simd::kernels().streamCopy(row, to + at * step, step);
      else
        std::memcpy(to + at * step, row, bytes);
      if (++i == n) i = 0, o++;
    }
    if (streams) simd::kernels().streamFence();
  });
}

void gatherRowsOrZero(const void* x, LongType size, const LongType* indices, LongType n, size_t bytes, void* z) {
  if (n == 0 || bytes == 0) return;
  execution::parallelFor(n, execution::threadsFor(costOfRows(n, bytes)), [&](LongType start, LongType stop) {
    const auto step = static_cast<LongType>(bytes);
    for (LongType i = start; i < stop; i++) {
      char* to = static_cast<char*>(z) + i * step;
      if (static_cast<UnsignedLong>(indices[i]) < static_cast<UnsignedLong>(size)) {
        std::memcpy(to, static_cast<const char*>(x) + indices[i] * step, bytes);
      } else {
        std::memset(to, 0, bytes);
      }
    }
  });
}

void scatterRows(Combine combine, DataType type, void* z, LongType rows, LongType inner, const LongType* indices,
                 LongType n, const void* u) {
  if (n == 0 || inner == 0 || rows == 0) return;
  const Kernel run = kernelOf(combine, type);
  const size_t bytes = static_cast<size_t>(inner) * DataTypeUtils::sizeOf(type);
  // For short rows, a thread would need more time to find its own rows than to update all of them.
  const int threads = inner < 16 ? 1 : execution::threadsFor(costOfRows(n, bytes));
  // Threads share neither rows nor elements: each goes through all indices in order. Whole rows are read faster than
  // parts of them, but one row may have most of the updates.
  if (threads > 1 && inner >= 256 * threads && !isBalanced(indices, n, rows, threads)) {
    execution::parallelFor(inner, threads, [&](LongType start, LongType stop) {
      run(z, u, {indices, n, inner, 0, rows, start, stop});
    });
  } else {
    execution::parallelFor(rows, threads, [&](LongType start, LongType stop) {
      run(z, u, {indices, n, inner, start, stop, 0, inner});
    });
  }
}

}  // namespace sd::ops::helpers
