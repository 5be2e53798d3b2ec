// Reductions over one contiguous run, and of many rows into one row of accumulators.
//
// Floating-point values are added in blocks: each lane of several independent batches adds a few values, and blocks are
// joined in double. The order of additions depends on the length alone, so results do not change with the number of
// threads.
#ifndef NDFORGE_SRC_LOOPS_KERNELS_REDUCELOOPS_H
#define NDFORGE_SRC_LOOPS_KERNELS_REDUCELOOPS_H

#include <algorithm>
#include <limits>
#include <type_traits>

#include "loops/kernels/ElementLoops.h"
#include "simd/EachBatch.h"

namespace sd::simd {

template <typename T>
using Accumulator = std::conditional_t<isFloat<T>, double, T>;

/// Batches per accumulator chain: rounding errors grow with this number, not with the length of the run.
inline constexpr LongType CHAIN = 8;
inline constexpr LongType CHAINS = 4;
/// Rows that are summed in the element type before they are added to the accumulator.
inline constexpr LongType ROW_BLOCK = 32;
/// The width of a block of columns whose sums take half of the L1 cache.
template <typename T>
inline constexpr LongType COLUMN_BLOCK = 16384 / sizeof(T);

/// Joins all 2 * Width lanes in lanes[0], halving their number in each step. Constant widths let each step be a vector
/// operation.
template <LongType Width, typename T, typename F>
SD_INLINE void foldLanes(T* lanes, F&& join) {
  for (LongType k = 0; k < Width; k++) lanes[k] = join(lanes[k], lanes[k + Width]);
  if constexpr (Width > 1) foldLanes<Width / 2>(lanes, join);
}

template <template <typename...> class Op, typename T>
struct Reduction {
  using A = Accumulator<T>;

  static void start(void* acc, LongType count) {
    std::fill_n(static_cast<A*>(acc), count, static_cast<A>(Op<A>::startingValue()));
  }

  static void merge(void* acc, const void* other, LongType count) {
    const auto a = static_cast<A*>(acc);
    const auto b = static_cast<const A*>(other);
    for (LongType i = 0; i < count; i++) a[i] = Op<A>::update(a[i], b[i]);
  }

  static void finish([[maybe_unused]] void* acc, [[maybe_unused]] LongType count, [[maybe_unused]] LongType n,
                     [[maybe_unused]] const void* paramData) {
    if constexpr (!Op<T>::resultIsAccumulator) {
      const auto a = static_cast<A*>(acc);
      A params[4] = {};
      if constexpr (Op<T>::maxParams > 0)
        for (int i = 0; i < Op<T>::maxParams; i++) params[i] = static_cast<A>(static_cast<const T*>(paramData)[i]);
      for (LongType i = 0; i < count; i++) a[i] = Op<A>::postProcess(a[i], n, params);
    }
  }

  static void run(const void* xData, LongType n, void* accData, const void* paramData) {
    const auto x = static_cast<const T*>(xData);
    const auto acc = static_cast<A*>(accData);
    const auto params = static_cast<const T*>(paramData);
    if constexpr (usesBatches<Op, T>) {
      if constexpr (Op<T>::isExact) {
        const Batch<T> first(firstValue());
        Batch<T> chains[CHAINS] = {first, first, first, first};
        LongType i = 0;
        if (n >= 2 * CHAINS * static_cast<LongType>(Batch<T>::size)) {
          // Whole cache lines from here on, because loads that cross lines take twice as long. No value changes an
          // extreme when it is taken twice.
          i = elementsToLine(x);
          if (i > 0) chains[1] = Op<Batch<T>>::update(first, apply<Op>(Batch<T>::load_unaligned(x), params));
        }
        if (i < n) addBlock(chains, x, i, n, std::numeric_limits<LongType>::max(), params);
        acc[0] = joinExact(chains, acc[0]);
      } else if (n < CHAIN * CHAINS * static_cast<LongType>(Batch<T>::size)) {
        acc[0] = Op<double>::update(acc[0], joinWide(partOfBlock(x, n, params)));
      } else {
        State state;
        begin(&state);
        addBlocks(x, n, state.values, params);
        end(&state, acc);
      }
    } else {
      A a = acc[0];
      for (LongType i = 0; i < n; i++) a = Op<A>::update(a, static_cast<A>(apply<Op>(x[i], params)));
      acc[0] = a;
    }
  }

  static void begin(void* state) {
    const auto values = static_cast<State*>(state)->values;
    std::fill_n(values, State::SIZE, static_cast<typename State::Value>(Op<typename State::Value>::startingValue()));
  }

  static void part(const void* xData, LongType n, void* state, const void* paramData) {
    const auto x = static_cast<const T*>(xData);
    const auto params = static_cast<const T*>(paramData);
    const auto values = static_cast<State*>(state)->values;
    if constexpr (Op<T>::isExact) {
      constexpr LongType W = Batch<T>::size;
      Batch<T> chains[CHAINS];
      for (LongType k = 0; k < CHAINS; k++) chains[k] = Batch<T>::load_aligned(values + k * W);
      LongType i = 0;
      if (i < n) addBlock(chains, x, i, n, std::numeric_limits<LongType>::max(), params);
      for (LongType k = 0; k < CHAINS; k++) chains[k].store_aligned(values + k * W);
    } else {
      addBlocks(x, n, values, params);
    }
  }

  static void chain(ChainLink* links, ChainLink* last, LongType first, LongType n, void* stateData,
                    const void* paramData) {
    constexpr LongType W = Batch<T>::size;
    const auto values = static_cast<State*>(stateData)->values;
    last->step = chainStep<T>(lastStep);
    last->params = paramData;
    if constexpr (Op<T>::isExact) {
      last->target = values;
      runChain<T>(links, first, n);
    } else {
      alignas(64) T chains[2 * CHAINS * W];
      last->target = chains;
      for (LongType i = first; i < first + n; i += CHAIN * CHAINS * W) {
        std::fill_n(chains, 2 * CHAINS * W, firstValue());
        runChain<T>(links, i, CHAIN * CHAINS * W);
        Batch<T> v[CHAINS];
        for (LongType k = 0; k < CHAINS; k++)
          v[k] = Op<Batch<T>>::update(Batch<T>::load_aligned(chains + k * W),
                                      Batch<T>::load_aligned(chains + (CHAINS + k) * W));
        addToLanes(joinChains(v), values);
      }
    }
    last->target = nullptr;
  }

  static void end(const void* stateData, void* accData) {
    const auto acc = static_cast<A*>(accData);
    State state = *static_cast<const State*>(stateData);
    if constexpr (Op<T>::isExact) {
      constexpr LongType W = Batch<T>::size;
      Batch<T> chains[CHAINS];
      for (LongType k = 0; k < CHAINS; k++) chains[k] = Batch<T>::load_aligned(state.values + k * W);
      acc[0] = joinExact(chains, acc[0]);
    } else {
      foldLanes<Batch<T>::size / 2>(state.values, [](double a, double b) { return Op<double>::update(a, b); });
      acc[0] = Op<double>::update(acc[0], state.values[0]);
    }
  }

  static void rows(const void* xData, LongType rows, LongType rowStride, LongType columns, void* accData,
                   const void* paramData) {
    const auto acc = static_cast<A*>(accData);
    const auto params = static_cast<const T*>(paramData);
    alignas(64) T sums[COLUMN_BLOCK<T>];
    for (LongType c = 0; c < columns; c += COLUMN_BLOCK<T>) {
      const LongType width = std::min(COLUMN_BLOCK<T>, columns - c);
      for (LongType r = 0; r < rows; r += ROW_BLOCK) {
        const auto x = static_cast<const T*>(xData) + r * rowStride + c;
        const LongType count = std::min(ROW_BLOCK, rows - r);
        if constexpr (usesBatches<Op, T>) {
          addRows(x, count, rowStride, width, sums, params);
          for (LongType k = 0; k < width; k++) acc[c + k] = Op<A>::update(acc[c + k], static_cast<A>(sums[k]));
        } else {
          for (LongType row = 0; row < count; row++)
            for (LongType k = 0; k < width; k++)
              acc[c + k] = Op<A>::update(acc[c + k], static_cast<A>(apply<Op>(x[row * rowStride + k], params)));
        }
      }
    }
  }

 private:
  /// What a run carries from block to block: the sums of the lanes, or the chains when there is a single block.
  struct State {
    using Value = std::conditional_t<Op<T>::isExact, T, double>;
    static constexpr LongType SIZE = Batch<T>::size * (Op<T>::isExact ? CHAINS : 1);
    alignas(64) Value values[SIZE];
    static_assert(sizeof(values) <= REDUCE_STATE && REDUCE_PART % (CHAIN * CHAINS * Batch<T>::size) == 0 &&
                  CHAINS * Batch<T>::size <= REDUCE_LAST);
  };

  SD_INLINE static T firstValue() { return static_cast<T>(Op<T>::startingValue()); }

  /// Adds up to `steps` batches to each chain, from x[i] on, and the end of the run.
  template <typename B>
  SD_INLINE static void addBlock(B* chains, const T* x, LongType& i, LongType n, LongType steps, const T* params) {
    constexpr LongType W = B::size;
    for (LongType step = 0; step < steps && i + CHAINS * W <= n; step++, i += CHAINS * W)
      for (LongType k = 0; k < CHAINS; k++)
        chains[k] = Op<B>::update(chains[k], apply<Op>(B::load_unaligned(x + i + k * W), params));
    if (i + CHAINS * W <= n) return;
    // The end of the run. Chains are in registers only as long as their numbers are constants.
    for (LongType k = 0; k < CHAINS; k++) {
      const LongType left = n - i - k * W;
      if (left >= W)
        chains[k] = Op<B>::update(chains[k], apply<Op>(B::load_unaligned(x + i + k * W), params));
      else if (left > 0)
        chains[k] = Op<B>::update(chains[k],
                                  keepFirst<T>(apply<Op>(loadPart(x + i + k * W, left), params), left, firstValue()));
    }
    i = n;
  }

  template <typename B>
  SD_INLINE static B joinChains(const B* chains) {
    return Op<B>::update(Op<B>::update(chains[0], chains[1]), Op<B>::update(chains[2], chains[3]));
  }

  /// The chains of a whole block. The steps take turns with two sets of chains, because additions wait for each other.
  template <typename B>
  SD_INLINE static void addWholeBlock(B* chains, const T* x, const T* params) {
    constexpr LongType W = B::size;
    const auto value = [&](LongType batch) { return apply<Op>(B::load_unaligned(x + batch * W), params); };
    const B first(firstValue());
    B others[CHAINS];
    for (LongType k = 0; k < CHAINS; k++) chains[k] = others[k] = first;
    // Unrolled, compilers read one chain after the other, which takes longer than from the beginning to the end.
    SD_NOT_UNROLLED
    for (LongType batch = 0; batch < CHAIN * CHAINS; batch += 2 * CHAINS) {
      for (LongType k = 0; k < CHAINS; k++) chains[k] = Op<B>::update(chains[k], value(batch + k));
      for (LongType k = 0; k < CHAINS; k++) others[k] = Op<B>::update(others[k], value(batch + CHAINS + k));
    }
    for (LongType k = 0; k < CHAINS; k++) chains[k] = Op<B>::update(chains[k], others[k]);
  }

#if defined(SD_HAS_LANE_ROTATION)
  /// Joins a whole block that begins with lane `over` of a cache line. Loads that cross lines take twice as long, so
  /// lines are added as they are: their first lanes belong to the batch before. The order of additions stays the same.
  SD_INLINE static Batch<T> sumOfLines(const T* x, LongType over, const T* params) {
    using B = Batch<T>;
    constexpr LongType W = B::size, SUMS = 2 * CHAINS;
    const auto before = firstLanes<T>(over);
    const B first(firstValue());
    B sums[SUMS];
    const auto add = [&](LongType k, B v) SD_INLINED { sums[k] = Op<B>::update(sums[k], apply<Op>(v, params)); };
    for (LongType k = 0; k < SUMS; k++) sums[k] = first;
    add(0, loadLanes(x - over, static_cast<decltype(before)>(~before), first));
    sums[0] = mixLanes(before, first, sums[0]);
    for (LongType k = 1; k < SUMS; k++) add(k, B::load_unaligned(x - over + k * W));
    SD_NOT_UNROLLED
    for (LongType line = SUMS; line < CHAIN * CHAINS; line += SUMS)
      for (LongType k = 0; k < SUMS; k++) add(k, B::load_unaligned(x - over + (line + k) * W));
    const B end = sums[0];
    add(0, loadLanes(x - over + CHAIN * CHAINS * W, before, first));
    sums[0] = mixLanes(before, sums[0], end);
    B chains[CHAINS];
    const auto chain = [&](LongType k) SD_INLINED { return B(mixLanes(before, sums[(k + 1) % SUMS], sums[k])); };
    for (LongType k = 0; k < CHAINS; k++) chains[k] = Op<B>::update(chain(k), chain(k + CHAINS));
    return rotateLanes(joinChains(chains), over);
  }

  /// The same for a part of a block.
  SD_INLINE static Batch<T> partOfLines(const T* x, LongType n, LongType over, const T* params) {
    using B = Batch<T>;
    constexpr LongType W = B::size;
    const auto before = firstLanes<T>(over);
    const B first(firstValue());
    B sums[CHAINS] = {first, first, first, first};
    const auto add = [&](LongType k, B v) SD_INLINED { sums[k] = Op<B>::update(sums[k], apply<Op>(v, params)); };
    add(0, loadLanes(x - over, static_cast<decltype(before)>(~before), first));
    sums[0] = mixLanes(before, first, sums[0]);
    LongType i = W - over;
    for (; i + CHAINS * W <= n; i += CHAINS * W)
      for (LongType k = 0; k < CHAINS; k++) add((k + 1) % CHAINS, B::load_unaligned(x + i + k * W));
    for (LongType k = 0; k < CHAINS; k++) {
      const LongType left = n - i - k * W;
      if (left >= W) {
        add((k + 1) % CHAINS, B::load_unaligned(x + i + k * W));
      } else if (left > 0) {
        const B v = keepFirst<T>(apply<Op>(loadPart(x + i + k * W, left), params), left, firstValue());
        sums[(k + 1) % CHAINS] = Op<B>::update(sums[(k + 1) % CHAINS], v);
      }
    }
    B chains[CHAINS];
    for (LongType k = 0; k < CHAINS; k++) chains[k] = mixLanes(before, sums[(k + 1) % CHAINS], sums[k]);
    return rotateLanes(joinChains(chains), over);
  }
#endif

  /// Adds the joined chains of a block to the sums of the lanes.
  SD_INLINE static void addToLanes(Batch<T> sums, double* lanes) {
    constexpr LongType W = Batch<T>::size;
    alignas(64) T block[W];
    sums.store_aligned(block);
    for (LongType k = 0; k < W; k++) lanes[k] = Op<double>::update(lanes[k], static_cast<double>(block[k]));
  }

  /// The last step of a chain: adds its values to what `target` has.
  static void lastStep(const ChainLink* link, LongType i, Batch<T> a, Batch<T> b, Batch<T> c, Batch<T> d) {
    static_assert(CHAINS == CHAIN_BATCHES);
    constexpr LongType W = Batch<T>::size;
    const auto params = static_cast<const T*>(link->params);
    // Sums that depend on the order of additions have two sets of chains.
    const LongType from = Op<T>::isExact ? 0 : i / (CHAINS * W) % 2 * CHAINS;
    const auto add = [&](LongType k, Batch<T> v) {
      T* const sum = static_cast<T*>(link->target) + (from + k) * W;
      Op<Batch<T>>::update(Batch<T>::load_aligned(sum), apply<Op>(v, params)).store_aligned(sum);
    };
    add(0, a);
    add(1, b);
    add(2, c);
    add(3, d);
  }

  /// The end of a run of a single block, whose lanes are joined without a wider type.
  template <typename B>
  SD_INLINE static double joinExact(const B* chains, double acc) {
    return Op<double>::update(acc, static_cast<double>(joinLanes<B::size / 2>(joinChains(chains)).get(0)));
  }

  /// Adds n elements in blocks to the sums of the lanes.
  SD_INLINE static void addBlocks(const T* x, LongType n, double* lanes, const T* params) {
    using B = Batch<T>;
    constexpr LongType W = B::size, BLOCK = CHAIN * CHAINS * W;
    LongType i = 0;
#if defined(SD_HAS_LANE_ROTATION)
    const LongType over = (W - elementsToLine(x)) % W;
    for (; over > 0 && i + BLOCK <= n; i += BLOCK) addToLanes(sumOfLines(x + i, over, params), lanes);
#endif
    for (; i + BLOCK <= n; i += BLOCK) {
      B chains[CHAINS];
      addWholeBlock(chains, x + i, params);
      addToLanes(joinChains(chains), lanes);
    }
    if (i < n) addToLanes(partOfBlock(x + i, n - i, params), lanes);
  }

  /// Joins a run that is shorter than a block. No second copy of the code, because it is long.
  [[gnu::noinline]] static Batch<T> partOfBlock(const T* x, LongType n, const T* params) {
    const Batch<T> first(firstValue());
#if defined(SD_HAS_LANE_ROTATION)
    constexpr LongType W = Batch<T>::size;
    if (const LongType over = (W - elementsToLine(x)) % W; over > 0 && n >= 2 * CHAINS * W)
      return partOfLines(x, n, over, params);
#endif
    Batch<T> chains[CHAINS] = {first, first, first, first};
    LongType i = 0;
    addBlock(chains, x, i, n, CHAIN, params);
    return joinChains(chains);
  }

  /// Sets every lane to the combination of all lanes.
  template <int Distance, typename B>
  SD_INLINE static B joinLanes(B x) {
    const B joined = Op<B>::update(x, exchangeLanes<Distance>(x));
    if constexpr (Distance > 1)
      return joinLanes<Distance / 2>(joined);
    else
      return joined;
  }

  /// All lanes, joined as doubles in the order of foldLanes().
  SD_INLINE static double joinWide(Batch<T> x) {
    using D = Batch<double>;
    if constexpr (std::is_same_v<T, double>) {
      return joinLanes<D::size / 2>(x).get(0);
    } else {
      constexpr int HALF = static_cast<int>(D::size);
      typedef double Doubles __attribute__((vector_size(HALF * sizeof(double))));
      return [&]<int... I>(std::integer_sequence<int, I...>) {
        const Doubles low = __builtin_convertvector(__builtin_shufflevector(x.data, x.data, I...), Doubles);
        const Doubles high = __builtin_convertvector(__builtin_shufflevector(x.data, x.data, (HALF + I)...), Doubles);
        return joinLanes<HALF / 2>(Op<D>::update(D(low), D(high))).get(0);
      }
      (std::make_integer_sequence<int, HALF>());
    }
  }

  /// sums[k] = the sum of column k over a few rows. Eight rows at a time, so that each sum is loaded and stored once
  /// for all of them.
  static void addRows(const T* x, LongType count, LongType rowStride, LongType width, T* sums, const T* params) {
    using B = Batch<T>;
    constexpr LongType W = B::size;
    const B first(static_cast<T>(Op<T>::startingValue()));
    for (LongType k = 0; k < width; k += W) first.store_aligned(sums + k);
    LongType row = 0;
    for (; row + 8 <= count; row += 8) addSome<8>(x + row * rowStride, rowStride, width, sums, params);
    for (; row + 4 <= count; row += 4) addSome<4>(x + row * rowStride, rowStride, width, sums, params);
    for (; row < count; row++) addSome<1>(x + row * rowStride, rowStride, width, sums, params);
  }

  template <int Rows>
  static void addSome(const T* x, LongType rowStride, LongType width, T* sums, const T* params) {
    using B = Batch<T>;
    constexpr LongType W = B::size;
    // Two chains wait half as long for one another's results. Both begin with what no value changes: NaN is skipped
    // where it is the second operand only.
    constexpr int HALF = (Rows + 1) / 2;
    const B first(firstValue());
    const auto add = [&](LongType k, auto&& load) SD_INLINED {
      const auto sumOf = [&](int row, int end) SD_INLINED {
        B sum = first;
        for (int r = row; r < end; r++) sum = Op<B>::update(sum, apply<Op>(load(x + r * rowStride + k), params));
        return sum;
      };
      const B some = sumOf(0, HALF), sum = Rows == 1 ? some : Op<B>::update(some, sumOf(HALF, Rows));
      Op<B>::update(B::load_aligned(sums + k), sum).store_aligned(sums + k);
    };
    LongType k = 0;
    for (; k + W <= width; k += W) add(k, [](const T* from) SD_INLINED { return B::load_unaligned(from); });
    if (k < width) add(k, [&](const T* from) SD_INLINED { return loadPart(from, width - k); });
  }
};

template <template <typename...> class Op, typename T>
constexpr ReduceKernel reduceKernel() {
  using R = Reduction<Op, T>;
  ReduceKernel kernel{R::start, R::run, R::rows, R::merge, R::finish};
  if constexpr (usesBatches<Op, T>) {
    kernel.begin = R::begin;
    kernel.part = R::part;
    kernel.end = R::end;
    kernel.chain = R::chain;
  }
  return kernel;
}

/// Counts the elements that pass a test in blocks; the boolean follows from the count.
inline constexpr LongType COUNT_BLOCK = 4096;

template <template <typename...> class Op, typename T>
SD_INLINE LongType countBlock(const T* x, LongType n, const T* params) {
  unsigned count = 0;
  for (LongType i = 0; i < n; i++) count += apply<Op>(x[i], params) ? 1u : 0u;
  return count;
}

/// Whether any element (startingValue false) or every element (true) passes the functor's test.
template <template <typename...> class Op, typename T>
struct TestReduction {
  static void start(void* acc, LongType count) {
    std::fill_n(static_cast<uint8_t*>(acc), count, static_cast<uint8_t>(Op<T>::startingValue()));
  }
  static void merge(void* acc, const void* other, LongType count) {
    const auto a = static_cast<uint8_t*>(acc);
    const auto b = static_cast<const uint8_t*>(other);
    for (LongType i = 0; i < count; i++) a[i] = Op<T>::update(a[i] != 0, b[i] != 0);
  }
  static void finish(void*, LongType, LongType, const void*) {}

  static void run(const void* xData, LongType n, void* accData, const void* params) {
    const auto x = static_cast<const T*>(xData);
    const auto acc = static_cast<uint8_t*>(accData);
    const bool every = Op<T>::startingValue();
    for (LongType i = 0; i < n && (acc[0] != 0) == every; i += COUNT_BLOCK) {
      const LongType length = std::min(COUNT_BLOCK, n - i);
      const LongType count = countBlock<Op>(x + i, length, static_cast<const T*>(params));
      acc[0] = every ? count == length : count > 0;
    }
  }
  static void rows(const void* xData, LongType rows, LongType rowStride, LongType columns, void* accData,
                   const void* paramData) {
    const auto acc = static_cast<uint8_t*>(accData);
    const auto params = static_cast<const T*>(paramData);
    for (LongType r = 0; r < rows; r++) {
      const auto x = static_cast<const T*>(xData) + r * rowStride;
      for (LongType c = 0; c < columns; c++) acc[c] = Op<T>::update(acc[c] != 0, apply<Op>(x[c], params));
    }
  }
};

template <template <typename...> class Op, typename T>
struct CountReduction {
  static void start(void* acc, LongType count) { std::fill_n(static_cast<LongType*>(acc), count, LongType(0)); }
  static void merge(void* acc, const void* other, LongType count) {
    for (LongType i = 0; i < count; i++) static_cast<LongType*>(acc)[i] += static_cast<const LongType*>(other)[i];
  }
  static void finish(void*, LongType, LongType, const void*) {}

  static void run(const void* xData, LongType n, void* acc, const void* params) {
    const auto x = static_cast<const T*>(xData);
    for (LongType i = 0; i < n; i += COUNT_BLOCK)
      *static_cast<LongType*>(acc) +=
          countBlock<Op>(x + i, std::min(COUNT_BLOCK, n - i), static_cast<const T*>(params));
  }
  static void rows(const void* xData, LongType rows, LongType rowStride, LongType columns, void* accData,
                   const void* paramData) {
    const auto acc = static_cast<LongType*>(accData);
    const auto params = static_cast<const T*>(paramData);
    for (LongType r = 0; r < rows; r++) {
      const auto x = static_cast<const T*>(xData) + r * rowStride;
      for (LongType c = 0; c < columns; c++) acc[c] += apply<Op>(x[c], params) ? 1 : 0;
    }
  }
};

template <template <template <typename...> class, typename> class R, template <typename...> class Op, typename T>
constexpr ReduceKernel countingKernel() {
  return {R<Op, T>::start, R<Op, T>::run, R<Op, T>::rows, R<Op, T>::merge, R<Op, T>::finish};
}

}  // namespace sd::simd

#endif
