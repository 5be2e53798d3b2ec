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
  static constexpr LongType BLOCK = 4096;
  /// A run of a single block is searched in the first part only that has its extreme.
  static constexpr LongType PART = 16 * static_cast<LongType>(Batch<T>::size);
  static constexpr LongType FEW = 6;      ///< so many elements are compared one after the other
  static constexpr LongType SHORT = 512;  ///< so many elements are searched to the end, without a branch for each batch
#if defined(SD_HAS_LANE_MASKS)
  static constexpr LongType MOST_FEW = 2;  ///< batches of columns whose bests stay in registers
#else
  static constexpr LongType MOST_FEW = 0;  ///< loading part of a batch takes longer than the rest
#endif

  static void start(IndexAccumulator* acc, LongType count) {
    for (LongType i = 0; i < count; i++) set<T>(acc[i], Op<T>::startingValue(), -1);
  }

  static void merge(IndexAccumulator* acc, const IndexAccumulator* other, LongType count) {
    for (LongType i = 0; i < count; i++)
      if (other[i].index >= 0 && Op<T>::better(valueOf<T>(other[i]), valueOf<T>(acc[i]))) acc[i] = other[i];
  }

  static void run(const void* xData, LongType n, LongType base, IndexAccumulator* acc, const void*) {
    const auto x = static_cast<const T*>(xData);
    T best = valueOf<T>(*acc);
    if (n <= FEW) {
      LongType position = -1;
      for (LongType i = 0; i < n; i++) {
        const T v = Op<T>::op(x[i]);
        if (!Op<T>::better(v, best)) continue;
        best = v;
        position = i;
      }
      if (position >= 0) set(*acc, best, base + position);
      return;
    }
    if constexpr (isFloat<T>) {
      if (n > 8 * PART && n <= BLOCK) {
        LongType begin, end;
        const T candidate = extremeInParts(x, n, best, begin, end);
        if (Op<T>::better(candidate, best))
          set(*acc, candidate, base + begin + find(x + begin, end - begin, candidate));
        return;
      }
    }
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
        const auto x = static_cast<const T*>(xData) + r * rowStride + c;
        LongType whole = width;
        if constexpr (isFloat<T>) {
          constexpr LongType W = Batch<T>::size;
          whole = width <= MOST_FEW * W ? 0 : width / W * W;
          const LongType few = width - whole;
          if (MOST_FEW > 0 && few > W)
            takeBetterOfFew<2>(x + whole, height, rowStride, few, best + whole, index + whole);
          else if (few > 0)
            takeBetterOfFew<1>(x + whole, height, rowStride, few, best + whole, index + whole);
        }
        for (LongType row = 0; whole > 0 && row < height; row++) {
          const Index here = static_cast<Index>(row);
          for (LongType k = 0; k < whole; k++) {
            const T v = Op<T>::op(x[row * rowStride + k]);
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
  /// n columns, as many as N registers have lanes, or fewer by less than one register: their best values and indices
  /// stay in registers.
  template <int N, typename Index>
  static void takeBetterOfFew(const T* x, LongType rows, LongType rowStride, LongType n, T* best, Index* index) {
    using B = Batch<T>;
    constexpr LongType LAST = (N - 1) * B::size;
    const LongType part = n - LAST;
    const auto load = [part](const T* from, int k) SD_INLINED {
      return k < N - 1 ? B::load_unaligned(from + k * B::size) : loadPart(from + LAST, part);
    };
    B bests[N], indices[N];  // small integers, so that one mask selects both
    for (int k = 0; k < N; k++) {
      bests[k] = load(best, k);
      indices[k] = B(T(-1));
    }
    for (LongType row = 0; row < rows; row++) {
      for (int k = 0; k < N; k++) {
        const B v = Op<B>::op(load(x + row * rowStride, k));
        const auto better = Op<B>::better(v, bests[k]);
        bests[k] = xsimd::select(better, v, bests[k]);
        indices[k] = xsimd::select(better, B(static_cast<T>(row)), indices[k]);
      }
    }
    alignas(64) T values[N * B::size], found[N * B::size];
    for (int k = 0; k < N; k++) {
      bests[k].store_aligned(values + k * B::size);
      indices[k].store_aligned(found + k * B::size);
    }
    for (LongType k = 0; k < n; k++) {
      best[k] = values[k];
      index[k] = static_cast<Index>(found[k]);
    }
  }

  static T extreme(const T* x, LongType n, T best) {
    if constexpr (isFloat<T>) {
      constexpr int HALF = static_cast<int>(Batch<T>::size) / 2;
      Batch<T> first(best);
      const LongType head = takeHead(x, n, first);
      return betterOfLanes<HALF>(extremes(x + head, n - head, first)).get(0);
    } else {
      for (LongType i = 0; i < n; i++) {
        const T v = Op<T>::op(x[i]);
        best = Op<T>::better(v, best) ? v : best;
      }
      return best;
    }
  }

  /// The elements before the first whole cache line, as part of a batch. Loads that cross lines take twice as long.
  template <typename B>
  SD_INLINE static LongType takeHead(const T* x, LongType n, B& bests) {
    const LongType head = n >= 8 * static_cast<LongType>(B::size) ? elementsToLine(x) : 0;
    if (head > 0) bests = betterOf(Op<B>::op(B::load_unaligned(x)), bests);
    return head;
  }

  /// The extreme of each lane.
  template <typename B>
  SD_INLINE static B extremes(const T* x, LongType n, B first) {
    constexpr LongType W = B::size, CHAINS_OF_BESTS = 4;
    B bests[CHAINS_OF_BESTS] = {first, first, first, first};
    LongType i = 0;
    for (; i + CHAINS_OF_BESTS * W <= n; i += CHAINS_OF_BESTS * W)
      for (LongType k = 0; k < CHAINS_OF_BESTS; k++)
        bests[k] = betterOf(Op<B>::op(B::load_unaligned(x + i + k * W)), bests[k]);
    for (; i + W <= n; i += W) bests[0] = betterOf(Op<B>::op(B::load_unaligned(x + i)), bests[0]);
    // lanes beyond the end repeat x[i]
    if (i < n) bests[1] = betterOf(Op<B>::op(loadPart(x + i, n - i, x[i])), bests[1]);
    return betterOf(betterOf(bests[0], bests[1]), betterOf(bests[2], bests[3]));
  }

  /// The extreme, and the first part that has it. Each lane keeps its best and the number of its part, so that no
  /// branch depends on the values.
  static T extremeInParts(const T* x, LongType n, T best, LongType& begin, LongType& end) {
    using B = Batch<T>;
    constexpr int HALF = static_cast<int>(B::size) / 2;
    B bests(best), parts(T(0)), number(T(0));
    const LongType head = takeHead(x, n, bests);
    for (LongType i = head; i < n; i += PART) {
      const B here = extremes(x + i, std::min(PART, n - i), B(best));
      parts = xsimd::select(Op<B>::better(here, bests), number, parts);
      bests = betterOf(here, bests);
      number += B(T(1));
    }
    const B all = betterOfLanes<HALF>(bests);
    const auto part = static_cast<LongType>(leastOfLanes<HALF>(xsimd::select(bests == all, parts, number)).get(0));
    begin = part == 0 ? 0 : head + part * PART;
    end = std::min(n, head + (part + 1) * PART);
    return all.get(0);
  }

  /// x where it is better than `best`, which is no NaN; `best` elsewhere.
  template <typename B>
  SD_INLINE static B betterOf(B x, B best) {
    const bool isLargest = Op<T>::better(T(1), T(0));
    return isLargest ? math::max<B>(x, best) : math::min<B>(x, best);
  }
  /// Every lane receives the best of all lanes.
  template <int Distance, typename B>
  SD_INLINE static B betterOfLanes(B x) {
    const B best = betterOf(exchangeLanes<Distance>(x), x);
    if constexpr (Distance > 1)
      return betterOfLanes<Distance / 2>(best);
    else
      return best;
  }

  /// The first position of a value that x is known to contain.
  static LongType find(const T* x, LongType n, T value) {
    LongType i = 0;
    if constexpr (isFloat<T>) {
      using B = Batch<T>;
      constexpr LongType W = B::size;
      if (n <= SHORT) return findInShort(x, n, value);
      const B wanted(value);
      const auto isAt = [&](LongType k) SD_INLINED { return Op<B>::op(B::load_unaligned(x + i + k * W)) == wanted; };
      while (i + 4 * W <= n && !xsimd::any((isAt(0) | isAt(1)) | (isAt(2) | isAt(3)))) i += 4 * W;
      return i + findInShort(x + i, std::min(4 * W, n - i), value);
    } else {
      while (!(Op<T>::op(x[i]) == value)) i++;
      return i;
    }
  }

  /// From the end to the beginning, each lane keeps its last position with the value, as a number of type T.
  static LongType findInShort(const T* x, LongType n, T value) {
    using B = Batch<T>;
    constexpr LongType W = B::size;
    alignas(64) static constexpr auto LANES = [] {
      std::array<T, W> lanes{};
      for (LongType i = 0; i < W; i++) lanes[static_cast<std::size_t>(i)] = static_cast<T>(i);
      return lanes;
    }();
    const B wanted(value), lanes = B::load_aligned(LANES.data());
    B found(std::numeric_limits<T>::infinity());
    LongType i = n / W * W;
    if (i < n) {
      const B v = Op<B>::op(loadPart(x + i, n - i, std::numeric_limits<T>::quiet_NaN()));
      found = math::select<B>(v == wanted, lanes + B(static_cast<T>(i)), found);
    }
    B here = lanes + B(static_cast<T>(i));
    const auto keep = [&](LongType at, B positions) SD_INLINED {
      found = math::select<B>(Op<B>::op(B::load_unaligned(x + at)) == wanted, positions, found);
    };
    for (; i >= 4 * W; i -= 4 * W) {  // so that subtracting the positions is not what takes longest
      for (LongType k = 1; k < 4; k++) keep(i - k * W, here - B(static_cast<T>(k * W)));
      here -= B(static_cast<T>(4 * W));
      keep(i - 4 * W, here);
    }
    for (; i > 0; i -= W) {
      here -= B(static_cast<T>(W));
      keep(i - W, here);
    }
    return static_cast<LongType>(leastOfLanes<W / 2>(found).get(0));
  }
  template <int Distance, typename B>
  SD_INLINE static B leastOfLanes(B x) {
    const B least = math::min<B>(x, exchangeLanes<Distance>(x));
    if constexpr (Distance > 1)
      return leastOfLanes<Distance / 2>(least);
    else
      return least;
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
