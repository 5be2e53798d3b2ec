// Positions of extremes and of the first or last element that satisfies a condition.
#ifndef NDFORGE_SRC_LOOPS_KERNELS_INDEXLOOPS_H
#define NDFORGE_SRC_LOOPS_KERNELS_INDEXLOOPS_H

#include <array>

#include "loops/kernels/ReduceLoops.h"

namespace sd::simd {

template <typename T>
SD_INLINE T valueOf(const IndexAccumulator& acc) {
  T value;
  std::memcpy(&value, acc.value, sizeof(T));
  return value;
}

template <typename T>
SD_INLINE void set(IndexAccumulator& acc, T value, LongType index) {
  std::memcpy(acc.value, &value, sizeof(T));
  acc.index = index;
}

/// Finds the extreme of a block without positions, and searches its position only when the block improves on all before
/// it.
template <template <typename...> class Op, typename T>
struct ExtremeIndex {
  static constexpr LongType BLOCK = 1024;
  static constexpr LongType SHORT = 128;  ///< up to this many elements a run carries positions along

  static void start(IndexAccumulator* acc, LongType count) {
    for (LongType i = 0; i < count; i++) set<T>(acc[i], Op<T>::startingValue(), -1);
  }

  static void merge(IndexAccumulator* acc, const IndexAccumulator* other, LongType count) {
    for (LongType i = 0; i < count; i++)
      if (other[i].index >= 0 && Op<T>::better(valueOf<T>(other[i]), valueOf<T>(acc[i]))) acc[i] = other[i];
  }

  static void run(const void* xData, LongType n, LongType base, IndexAccumulator* acc, const void*) {
    const auto x = static_cast<const T*>(xData);
    if constexpr (isFloat<T>) {
      if (n <= SHORT) return runShort(x, n, base, acc);
    }
    T best = valueOf<T>(*acc);
    for (LongType i = 0; i < n; i += BLOCK) {
      const LongType length = std::min(BLOCK, n - i);
      const T candidate = extreme(x + i, length, best);
      if (!Op<T>::better(candidate, best)) continue;
      best = candidate;
      set(*acc, best, base + i + find(x + i, length, candidate));
    }
  }

  static void rows(const void* xData, LongType rows, LongType rowStride, LongType columns, LongType base,
                   IndexAccumulator* acc, const void*) {
    // values and positions in lanes of the same width as T, so that one comparison selects both
    using Index = std::conditional_t<
        sizeof(T) == 1, int8_t,
        std::conditional_t<sizeof(T) == 2, int16_t, std::conditional_t<sizeof(T) == 4, int32_t, LongType>>>;
    constexpr LongType WIDTH = 256, HEIGHT = 120;
    alignas(64) T best[WIDTH];
    alignas(64) Index index[WIDTH];
    for (LongType c = 0; c < columns; c += WIDTH) {
      const LongType width = std::min(WIDTH, columns - c);
      for (LongType r = 0; r < rows; r += HEIGHT) {
        const LongType height = std::min(HEIGHT, rows - r);
        for (LongType k = 0; k < width; k++) best[k] = valueOf<T>(acc[c + k]);
        std::fill_n(index, width, Index(-1));
        for (LongType row = 0; row < height; row++) {
          const auto x = static_cast<const T*>(xData) + (r + row) * rowStride + c;
          const Index here = static_cast<Index>(row);
          for (LongType k = 0; k < width; k++) {
            const T v = Op<T>::op(x[k]);
            const bool better = Op<T>::better(v, best[k]);
            best[k] = better ? v : best[k];
            index[k] = better ? here : index[k];
          }
        }
        for (LongType k = 0; k < width; k++)
          if (index[k] >= 0) set(acc[c + k], best[k], base + r + index[k]);
      }
    }
  }

 private:
  /// Carries positions beside the values, as numbers of type T, without branches that depend on the elements.
  static void runShort(const T* x, LongType n, LongType base, IndexAccumulator* acc) {
    using B = Batch<T>;
    constexpr LongType W = B::size;
    alignas(64) static constexpr auto LANES = [] {
      std::array<T, W> lanes{};
      for (LongType i = 0; i < W; i++) lanes[static_cast<std::size_t>(i)] = static_cast<T>(i);
      return lanes;
    }();
    constexpr T NOTHING = std::numeric_limits<T>::quiet_NaN();  // `better` prefers any value to it
    B best(valueOf<T>(*acc)), index(T(-1)), here = B::load_aligned(LANES.data());
    const auto take = [&](B v) {
      const auto better = Op<B>::better(v, best);
      best = math::select<B>(better, v, best);
      index = math::select<B>(better, here, index);
      here += B(T(W));
    };
    LongType i = 0;
    for (; i + W <= n; i += W) take(Op<B>::op(B::load_unaligned(x + i)));
    if (i < n) take(Op<B>::op(loadPart(x + i, n - i, NOTHING)));
    joinLanes<W / 2>(best, index, n);
    const T position = index.get(0);
    if (position >= 0) set(*acc, best.get(0), base + static_cast<LongType>(position));
  }

  /// Combines the first n lanes: lane 0 receives the best value and its first position.
  template <int Distance, typename B>
  SD_INLINE static void joinLanes(B& best, B& index, LongType n) {
    if (n > Distance) {
      const B value = exchangeLanes<Distance>(best), position = exchangeLanes<Distance>(index);
      const auto taken = Op<B>::better(value, best) || (value == best && position < index);
      best = math::select<B>(taken, value, best);
      index = math::select<B>(taken, position, index);
    }
    if constexpr (Distance > 1) joinLanes<Distance / 2>(best, index, n);
  }

  static T extreme(const T* x, LongType n, T best) {
    if constexpr (isFloat<T>) {
      using B = Batch<T>;
      constexpr LongType W = B::size, CHAINS_OF_BESTS = 4;
      const B first(best);
      B bests[CHAINS_OF_BESTS] = {first, first, first, first};
      LongType i = 0;
      for (; i + CHAINS_OF_BESTS * W <= n; i += CHAINS_OF_BESTS * W)
        for (LongType k = 0; k < CHAINS_OF_BESTS; k++) bests[k] = better(B::load_unaligned(x + i + k * W), bests[k]);
      for (; i + W <= n; i += W) bests[0] = better(B::load_unaligned(x + i), bests[0]);
      // lanes beyond the end repeat x[i]
      if (i < n) bests[1] = better(loadPart(x + i, n - i, x[i]), bests[1]);
      for (LongType k = 1; k < CHAINS_OF_BESTS; k++)
        bests[0] = math::select<B>(Op<B>::better(bests[k], bests[0]), bests[k], bests[0]);
      alignas(64) T lanes[W];
      bests[0].store_aligned(lanes);
      foldLanes<W / 2>(lanes, [](T a, T b) { return Op<T>::better(b, a) ? b : a; });
      return lanes[0];
    } else {
      for (LongType i = 0; i < n; i++) {
        const T v = Op<T>::op(x[i]);
        best = Op<T>::better(v, best) ? v : best;
      }
      return best;
    }
  }

  template <typename B>
  static B better(B x, B best) {
    const B v = Op<B>::op(x);
    return math::select<B>(Op<B>::better(v, best), v, best);
  }

  /// The first position of a value that x is known to contain.
  static LongType find(const T* x, LongType n, T value) {
    LongType i = 0;
    if constexpr (isFloat<T>) {
      using B = Batch<T>;
      constexpr LongType W = B::size;
      const B wanted(value);
      while (i + W <= n && !xsimd::any(Op<B>::op(B::load_unaligned(x + i)) == wanted)) i += W;
    }
    while (!(Op<T>::op(x[i]) == value)) i++;
    return i;
  }
};

template <template <typename...> class Op, typename T>
struct ConditionIndex {
  static void start(IndexAccumulator* acc, LongType count) {
    for (LongType i = 0; i < count; i++) acc[i].index = -1;
  }
  static void merge(IndexAccumulator* acc, const IndexAccumulator* other, LongType count) {
    for (LongType i = 0; i < count; i++)
      if (other[i].index >= 0 && (Op<T>::isLast || acc[i].index < 0)) acc[i].index = other[i].index;
  }
  static void run(const void* xData, LongType n, LongType base, IndexAccumulator* acc, const void* paramData) {
    const auto x = static_cast<const T*>(xData);
    const auto params = static_cast<const T*>(paramData);
    if (!Op<T>::isLast && acc->index >= 0) return;
    for (LongType k = 0; k < n; k++) {
      const LongType i = Op<T>::isLast ? n - 1 - k : k;
      if (Op<T>::op(x[i], params)) {
        acc->index = base + i;
        return;
      }
    }
  }
  static void rows(const void* xData, LongType rows, LongType rowStride, LongType columns, LongType base,
                   IndexAccumulator* acc, const void* paramData) {
    const auto params = static_cast<const T*>(paramData);
    for (LongType r = 0; r < rows; r++) {
      const auto x = static_cast<const T*>(xData) + r * rowStride;
      for (LongType c = 0; c < columns; c++)
        if ((Op<T>::isLast || acc[c].index < 0) && Op<T>::op(x[c], params)) acc[c].index = base + r;
    }
  }
};

template <template <typename...> class Op, typename T>
constexpr IndexKernel indexKernel() {
  if constexpr (Op<T>::modeParam >= 0) {
    using K = ConditionIndex<Op, T>;
    return {K::start, K::run, K::rows, K::merge, -1};
  } else {
    using K = ExtremeIndex<Op, T>;
    return {K::start, K::run, K::rows, K::merge, 0};
  }
}

}  // namespace sd::simd

#endif
