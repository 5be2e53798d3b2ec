// Steps of chains: element-wise operations one after the other on values that stay in vector registers.
//
// A step computes four batches and calls the next one, with the batches as arguments. Compilers make a jump of the
// call, so that a chain of any operations, put together at run time, runs as fast as one loop compiled for them: values
// are not stored between operations, and the processor reads memory for one while it computes another.
#ifndef NDFORGE_SRC_LOOPS_KERNELS_CHAINSTEPS_H
#define NDFORGE_SRC_LOOPS_KERNELS_CHAINSTEPS_H

#include "loops/kernels/KernelTable.h"
#include "simd/MemoryLoops.h"
#include "simd/Vector.h"

#ifdef __clang__
#define SD_NOT_UNROLLED _Pragma("clang loop unroll(disable)")
#else
#define SD_NOT_UNROLLED _Pragma("GCC unroll 1")
#endif

namespace sd::simd {

template <template <typename...> class Op, typename V, typename P>
SD_INLINE auto apply(V x, const P* params) {
  if constexpr (requires { Op<V>::op(x, params); })
    return Op<V>::op(x, params);
  else
    return Op<V>::op(x);
}

template <template <typename...> class Op, typename V, typename P>
SD_INLINE auto apply(V x, V y, const P* params) {
  if constexpr (requires { Op<V>::op(x, y, params); })
    return Op<V>::op(x, y, params);
  else
    return Op<V>::op(x, y);
}

/// Whether a functor runs on batches of T.
template <template <typename...> class Op, typename T>
inline constexpr bool usesBatches = isFloat<T>&& Op<T>::isVectorizable;

/// Batches that a chain computes at once: enough to hide the latency of operations, and of few enough to stay in
/// registers on every instruction set.
inline constexpr LongType CHAIN_BATCHES = 4;

template <typename T>
using ChainFunction = void (*)(const ChainLink* link, LongType i, Batch<T> a, Batch<T> b, Batch<T> c, Batch<T> d);

template <typename T>
ChainStep chainStep(ChainFunction<T> step) {
  return reinterpret_cast<ChainStep>(step);
}

#define SD_NEXT_STEP(A, B, C, D) return reinterpret_cast<ChainFunction<T>>(link[1].step)(link + 1, i, A, B, C, D)

/// How far ahead operands are fetched, in bytes: the processor itself stops at the end of each page.
inline constexpr LongType FETCHED_AHEAD = 4096;

/// Fetches what a later call will read of a run.
template <typename T>
SD_INLINE void fetchAhead(const T* x) {
  constexpr LongType LINE = 64;
  const auto at = reinterpret_cast<const char*>(x) + FETCHED_AHEAD;
  for (LongType k = 0; k < CHAIN_BATCHES * static_cast<LongType>(sizeof(Batch<T>)); k += LINE)
    __builtin_prefetch(at + k);
}

template <typename T>
void loadStep(const ChainLink* link, LongType i, Batch<T>, Batch<T>, Batch<T>, Batch<T>) {
  using B = Batch<T>;
  constexpr LongType W = B::size;
  const T* x = static_cast<const T*>(link->operand) + i;
  fetchAhead(x);
  SD_NEXT_STEP(B::load_unaligned(x), B::load_unaligned(x + W), B::load_unaligned(x + 2 * W),
               B::load_unaligned(x + 3 * W));
}

template <typename T, bool Streams>
void storeStep(const ChainLink* link, LongType i, Batch<T> a, Batch<T> b, Batch<T> c, Batch<T> d) {
  constexpr LongType W = Batch<T>::size;
  T* z = static_cast<T*>(link->target) + i;
  const auto store = [](T* to, Batch<T> v) {
    if constexpr (Streams)
      streamStore(to, v);
    else
      v.store_unaligned(to);
  };
  store(z, a);
  store(z + W, b);
  store(z + 2 * W, c);
  store(z + 3 * W, d);
  SD_NEXT_STEP(a, b, c, d);
}

template <typename T>
void endStep(const ChainLink*, LongType, Batch<T>, Batch<T>, Batch<T>, Batch<T>) {}

/// Operations that take longer are not repeated in the code of a step: a loop takes the first batch, and its result
/// becomes the last one.
inline constexpr int LONGEST_REPEATED = 4;

template <typename B>
SD_INLINE void rotate(B& a, B& b, B& c, B& d, B next) {
  a = b;
  b = c;
  c = d;
  d = next;
}

template <template <typename...> class Op, typename T>
[[gnu::flatten]] void unaryStep(const ChainLink* link, LongType i, Batch<T> a, Batch<T> b, Batch<T> c, Batch<T> d) {
  const auto params = static_cast<const T*>(link->params);
  if constexpr (Op<T>::cost <= LONGEST_REPEATED) {
    SD_NEXT_STEP(apply<Op>(a, params), apply<Op>(b, params), apply<Op>(c, params), apply<Op>(d, params));
  } else {
    SD_NOT_UNROLLED
    for (LongType k = 0; k < CHAIN_BATCHES; k++) rotate(a, b, c, d, apply<Op>(a, params));
    SD_NEXT_STEP(a, b, c, d);
  }
}

template <template <typename...> class Op, typename T, ChainForm Form>
[[gnu::flatten]] void binaryStep(const ChainLink* link, LongType i, Batch<T> a, Batch<T> b, Batch<T> c, Batch<T> d) {
  using B = Batch<T>;
  constexpr LongType W = B::size;
  constexpr bool IS_RUN = Form == V_RUN || Form == RUN_V;
  const auto params = static_cast<const T*>(link->params);
  const T* const other = static_cast<const T*>(link->operand) + (IS_RUN ? i : 0);
  const B one(IS_RUN ? T() : *other);
  if constexpr (IS_RUN) fetchAhead(other);
  const auto result = [&](B v, LongType k) {
    const B y = IS_RUN ? B::load_unaligned(other + k * W) : one;
    if constexpr (Form == V_RUN || Form == V_ONE)
      return apply<Op>(v, y, params);
    else
      return apply<Op>(y, v, params);
  };
  if constexpr (Op<T>::cost <= LONGEST_REPEATED) {
    SD_NEXT_STEP(result(a, 0), result(b, 1), result(c, 2), result(d, 3));
  } else {
    SD_NOT_UNROLLED
    for (LongType k = 0; k < CHAIN_BATCHES; k++) rotate(a, b, c, d, result(a, k));
    SD_NEXT_STEP(a, b, c, d);
  }
}

template <template <typename...> class Op, typename T>
const ChainStep* binarySteps() {
  static const ChainStep steps[CHAIN_FORMS] = {
      chainStep<T>(binaryStep<Op, T, V_RUN>), chainStep<T>(binaryStep<Op, T, V_ONE>),
      chainStep<T>(binaryStep<Op, T, RUN_V>), chainStep<T>(binaryStep<Op, T, ONE_V>)};
  return steps;
}

template <typename T>
void runChain(const ChainLink* links, LongType first, LongType n) {
  const auto begin = reinterpret_cast<ChainFunction<T>>(links->step);
  const Batch<T> none(T(0));
  for (LongType i = first; i < first + n; i += CHAIN_BATCHES * Batch<T>::size) begin(links, i, none, none, none, none);
}

template <typename T>
ChainKernel chainKernel() {
  return {CHAIN_BATCHES * static_cast<LongType>(Batch<T>::size),
          chainStep<T>(loadStep<T>),
          chainStep<T>(storeStep<T, false>),
          chainStep<T>(storeStep<T, true>),
          chainStep<T>(endStep<T>),
          runChain<T>};
}

}  // namespace sd::simd

#endif
