// Maxima and sums of one row of windows. Maxima skip NaN.
#ifndef NDFORGE_SRC_LOOPS_KERNELS_POOLINGLOOPS_H
#define NDFORGE_SRC_LOOPS_KERNELS_POOLINGLOOPS_H

#include <algorithm>
#include <cstring>
#include <type_traits>
#include <utility>

#include "loops/kernels/KernelTable.h"
#include "simd/EachBatch.h"

namespace sd::simd::pooling {

/// Rows of cells, and windows over them.
template <typename T>
struct Call {
  const RowWindows& windows;
  const void* const* rows;
  LongType number;
  const LongType* starts;
  T lowest;
  T* best;                        ///< or the sums
  PoolingPosition<T>* positions;  ///< or nullptr

  const T* row(LongType r) const { return static_cast<const T*>(rows[r]); }
};

/// Windows that lie side by side, one in each lane of vectors.
template <typename T, int BYTES>
struct Lanes {
  static constexpr LongType W = BYTES / static_cast<int>(sizeof(T));
  typedef T Values __attribute__((vector_size(BYTES)));
  typedef PoolingPosition<T> Positions __attribute__((vector_size(BYTES)));

  SD_INLINE static Values load(const T* x) {
    Values v;
    std::memcpy(&v, x, sizeof v);
    return v;
  }
  /// The elements of a and b at the positions FIRST, FIRST + 2, ...
  template <int FIRST>
  SD_INLINE static Values everySecond(Values a, Values b) {
    return [&]<int... I>(std::integer_sequence<int, I...>) SD_INLINED->Values {
      return __builtin_shufflevector(a, b, (FIRST + 2 * I)...);
    }
    (std::make_integer_sequence<int, static_cast<int>(W)>());
  }

  /// Calls f(k, cell k of each window). x is cell 0 of the first one. All cells are inside the row, and nothing else is
  /// read. KERNEL: the size of windows without dilation, or 0 for any.
  template <int STRIDE, int KERNEL, typename F>
  SD_INLINE static void forCells(const RowWindows& windows, const T* x, F&& f) {
    const LongType last = (KERNEL == 0 ? windows.kernel : KERNEL) - 1, apart = KERNEL == 0 ? windows.dilation : 1;
    if constexpr (STRIDE == 1) {
      for (LongType k = 0; k <= last; k++) f(k, load(x + k * apart));
    } else {
      LongType k = 0;
      while (k < last) {
        const Values a = load(x + k * apart), b = load(x + k * apart + W);
        f(k++, everySecond<0>(a, b));
        if (apart == 1) f(k++, everySecond<1>(a, b));
      }
      // What follows the last cell may be outside.
      if (k == last) f(k, everySecond<1>(load(x + k * apart - 1), load(x + k * apart - 1 + W)));
    }
  }

  template <int STRIDE, int KERNEL>
  SD_INLINE static void run(const Call<T>& call, LongType window) {
    const LongType at = window * STRIDE - call.windows.pad;
    Values best = Values{} + call.lowest;
    if (call.positions == nullptr) {
      for (LongType r = 0; r < call.number; r++)
        forCells<STRIDE, KERNEL>(call.windows, call.row(r) + at,
                                 [&](LongType, Values v) SD_INLINED { best = v > best ? v : best; });
    } else {
      Positions steps;
      for (LongType i = 0; i < W; i++) steps[i] = static_cast<PoolingPosition<T>>(i * STRIDE);
      const auto positionsOf = [&](LongType r, LongType k) SD_INLINED {
        return steps + static_cast<PoolingPosition<T>>(call.starts[r] + at + k * call.windows.dilation);
      };
      Positions positions = positionsOf(0, 0);
      for (LongType r = 0; r < call.number; r++)
        forCells<STRIDE, KERNEL>(call.windows, call.row(r) + at, [&](LongType k, Values v) SD_INLINED {
          const auto above = v > best;
          best = above ? v : best;
          positions = above ? positionsOf(r, k) : positions;
        });
      std::memcpy(call.positions + window, &positions, sizeof positions);
    }
    std::memcpy(call.best + window, &best, sizeof best);
  }

  template <int STRIDE, int KERNEL>
  SD_INLINE static void sum(const Call<T>& call, LongType window) {
    const LongType at = window * STRIDE - call.windows.pad;
    Values total = Values{};
    for (LongType r = 0; r < call.number; r++)
      forCells<STRIDE, KERNEL>(call.windows, call.row(r) + at, [&](LongType, Values v) SD_INLINED { total += v; });
    std::memcpy(call.best + window, &total, sizeof total);
  }
};

/// A window that may be partly outside.
template <typename T>
void poolWindow(const Call<T>& call, LongType window) {
  const RowWindows& w = call.windows;
  const LongType at = window * w.stride - w.pad;
  T best = call.lowest;
  LongType position = -1;
  const auto [first, last] = cellRange(at, w.kernel, w.dilation, w.in);
  for (LongType r = 0; r < call.number; r++)
    for (LongType k = first; k < last; k++) {
      const LongType cell = at + k * w.dilation;
      if (cell < 0 || cell >= w.in) continue;
      const T value = call.row(r)[cell];
      if (call.positions != nullptr && (position < 0 || value > best)) position = call.starts[r] + cell;
      best = value > best ? value : best;
    }
  call.best[window] = best;
  if (call.positions != nullptr) call.positions[window] = static_cast<PoolingPosition<T>>(position);
}

/// The sum of a window that may be partly outside.
template <typename T>
void sumWindow(const Call<T>& call, LongType window) {
  const RowWindows& w = call.windows;
  const LongType at = window * w.stride - w.pad;
  T total = 0;
  const auto [first, last] = cellRange(at, w.kernel, w.dilation, w.in);
  for (LongType r = 0; r < call.number; r++)
    for (LongType k = first; k < last; k++) {
      const LongType cell = at + k * w.dilation;
      if (cell >= 0 && cell < w.in) total += call.row(r)[cell];
    }
  call.best[window] = total;
}

/// The windows that are inside. Returns false for fewer windows than the least vector has lanes.
template <bool SUMS, int STRIDE, int KERNEL, int BYTES, typename T>
bool poolInside(const Call<T>& call) {
  using L = Lanes<T, BYTES>;
  const LongType first = call.windows.firstInside, last = call.windows.lastInside;
  const auto run = [&](LongType o) SD_INLINED {
    if constexpr (SUMS)
      L::template sum<STRIDE, KERNEL>(call, o);
    else
      L::template run<STRIDE, KERNEL>(call, o);
  };
  if (last - first >= L::W) {
    for (LongType o = first; o + L::W <= last; o += L::W) run(o);
    if ((last - first) % L::W != 0) run(last - L::W);
    return true;
  }
  if constexpr (BYTES > 16) return poolInside<SUMS, STRIDE, KERNEL, BYTES / 2>(call);
  return false;
}

template <bool SUMS, int STRIDE, typename T>
bool poolInside(const Call<T>& call) {
  constexpr int BYTES = static_cast<int>(sizeof(Batch<T>));
  if constexpr (std::is_floating_point_v<T>)
    if (call.windows.kernel == 3 && call.windows.dilation == 1) return poolInside<SUMS, STRIDE, 3, BYTES>(call);
  return poolInside<SUMS, STRIDE, 0, BYTES>(call);
}

/// All windows of a row: one(o) those that lanes cannot take.
template <bool SUMS, typename T, typename F>
SD_INLINE void poolRow(const Call<T>& call, F&& one) {
  const RowWindows& w = call.windows;
  const bool isDone = call.number > 0 && (w.stride == 1                   ? poolInside<SUMS, 1>(call)
                                          : w.stride == 2 && w.kernel > 1 ? poolInside<SUMS, 2>(call)
                                                                          : false);
  const LongType first = isDone ? w.firstInside : w.out, last = isDone ? w.lastInside : w.out;
  for (LongType o = 0; o < first; o++) one(o);
  for (LongType o = last; o < w.out; o++) one(o);
}

template <typename T>
void pool(const RowWindows& w, const void* const* rows, LongType number, const LongType* starts, const void* lowest,
          void* best, void* positions) {
  const Call<T> call{w,
                     rows,
                     number,
                     starts,
                     *static_cast<const T*>(lowest),
                     static_cast<T*>(best),
                     static_cast<PoolingPosition<T>*>(positions)};
  poolRow<false>(call, [&](LongType o) { poolWindow(call, o); });
}

template <typename T>
void sum(const RowWindows& w, const void* const* rows, LongType number, void* sums) {
  const Call<T> call{w, rows, number, nullptr, T(0), static_cast<T*>(sums), nullptr};
  poolRow<true>(call, [&](LongType o) { sumWindow(call, o); });
}

}  // namespace sd::simd::pooling

#endif
