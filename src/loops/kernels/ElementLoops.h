// Element-wise loops over one contiguous run. z is x or y itself, or overlaps neither.
#ifndef NDFORGE_SRC_LOOPS_KERNELS_ELEMENTLOOPS_H
#define NDFORGE_SRC_LOOPS_KERNELS_ELEMENTLOOPS_H

#include "loops/kernels/ChainSteps.h"
#include "loops/kernels/IntegerDivision.h"
#include "simd/HalfBatch.h"
#include "simd/MemoryLoops.h"

namespace sd::simd {

// Where elements are left over, the last batch overlaps the one before, because processors store parts of registers
// slowly. It is computed first: z may be x.

/// Stores the batch that ends with element n - 1, or the n elements of an array that is shorter than a batch.
template <typename T>
SD_INLINE void storeLast(T* z, Batch<T> last, LongType n, bool isShort) {
  if (isShort)
    storePart<T>(z, last, n);
  else
    last.store_unaligned(z + n - static_cast<LongType>(Batch<T>::size));
}

// Cheap operations store whole cache lines, because stores that cross lines take twice as long: in short runs, which
// are mostly rows of broadcasts whose other operand is in the cache of the first level, and in longer ones where at
// most one operand is loaded across lines for that. The elements before the first whole line belong to a batch that
// overlaps the next one.
inline constexpr LongType SHORT_RUN = 1024;

/// Elements up to the next cache line.
template <typename T>
SD_INLINE LongType elementsToLine(const T* z) {
  constexpr uintptr_t LINE = 64;
  return static_cast<LongType>((LINE - reinterpret_cast<uintptr_t>(z) % LINE) % LINE / sizeof(T) % Batch<T>::size);
}

/// Whether x and z are as far from the next cache line.
template <typename T>
SD_INLINE bool lieAlike(const T* x, const T* z) {
  return elementsToLine(x) == elementsToLine(z);
}

/// The batch that is computed first. Long operations have it as a function, rather than once more in their loop.
template <template <typename...> class Op, typename T>
[[gnu::noinline, gnu::flatten]] Batch<T> applyAlone(Batch<T> x, const T* params) {
  return apply<Op>(x, params);
}

template <template <typename...> class Op, typename T>
[[gnu::flatten]] void unaryLoop(const void* xData, void* zData, LongType n, const void* paramData) {
  const auto x = static_cast<const T*>(xData);
  const auto z = static_cast<T*>(zData);
  const auto params = static_cast<const T*>(paramData);
  if constexpr (usesBatches<Op, T>) {
    using B = Batch<T>;
    constexpr LongType W = B::size;
    const LongType rest = n % W;
    const bool isShort = n < W;
    B last;
    if (rest > 0) {
      last = isShort ? loadPart(x, n) : B::load_unaligned(x + n - W);
      if constexpr (Op<T>::cost > 2)
        last = applyAlone<Op, T>(last, params);
      else
        last = apply<Op>(last, params);
    }
    for (LongType i = 0, end = n - W; i <= end; i += W)
      apply<Op>(B::load_unaligned(x + i), params).store_unaligned(z + i);
    if (rest > 0) storeLast<T>(z, last, n, isShort);
  } else {
    SD_INDEPENDENT
    for (LongType i = 0; i < n; i++) z[i] = apply<Op>(x[i], params);
  }
}

template <template <typename...> class Op, typename T, bool XRuns, bool YRuns>
[[gnu::flatten]] void binaryLoop(const void* xData, const void* yData, void* zData, LongType n, const void* paramData) {
  const auto x = static_cast<const T*>(xData);
  const auto y = static_cast<const T*>(yData);
  const auto z = static_cast<T*>(zData);
  const auto params = static_cast<const T*>(paramData);
  if constexpr (usesBatches<Op, T>) {
    using B = Batch<T>;
    constexpr LongType W = B::size;
    const B xOne(x[0]), yOne(y[0]);
    const bool isShort = n < W;
    const auto at = [&](LongType i) {
      return apply<Op>(XRuns ? B::load_unaligned(x + i) : xOne, YRuns ? B::load_unaligned(y + i) : yOne, params);
    };
    LongType head = 0;
    if constexpr (Op<T>::cost <= 2) {
      if (isShort) {
        storePart<T>(z, apply<Op>(XRuns ? loadPart(x, n) : xOne, YRuns ? loadPart(y, n) : yOne, params), n);
        return;
      }
      constexpr bool ONE_RUNS = !XRuns || !YRuns;
      if (n >= 4 * W && (n <= SHORT_RUN || ONE_RUNS || lieAlike(x, z) || lieAlike(y, z))) head = elementsToLine(z);
    }
    const LongType rest = (n - head) % W;
    B first, last;
    if (head > 0) first = at(0);
    if (isShort)
      last = apply<Op>(XRuns ? loadPart(x, n) : xOne, YRuns ? loadPart(y, n) : yOne, params);
    else if (rest > 0)
      last = at(n - W);
    for (LongType i = head, end = n - W; i <= end; i += W) at(i).store_unaligned(z + i);
    if (head > 0) first.store_unaligned(z);
    if (rest > 0) storeLast<T>(z, last, n, isShort);
  } else {
    const T xOne = x[0], yOne = y[0];
    if constexpr (!YRuns && fromQuotient<Op, T>() != FromQuotient::None)
      if (divideByOne<Op>(x, yOne, z, n)) return;
    SD_INDEPENDENT
    for (LongType i = 0; i < n; i++) z[i] = apply<Op>(XRuns ? x[i] : xOne, YRuns ? y[i] : yOne, params);
  }
}

/// Booleans, one byte each. The compiler vectorises these: comparisons are cheap, and it packs masks well.
template <template <typename...> class Op, typename T>
void unaryTestLoop(const void* xData, void* zData, LongType n, const void* paramData) {
  const auto x = static_cast<const T*>(xData);
  const auto z = static_cast<uint8_t*>(zData);
  const auto params = static_cast<const T*>(paramData);
  SD_INDEPENDENT
  for (LongType i = 0; i < n; i++) z[i] = apply<Op>(x[i], params) ? 1 : 0;
}

template <template <typename...> class Op, typename T, bool XRuns, bool YRuns>
void binaryTestLoop(const void* xData, const void* yData, void* zData, LongType n, const void* paramData) {
  const auto x = static_cast<const T*>(xData);
  const auto y = static_cast<const T*>(yData);
  const auto z = static_cast<uint8_t*>(zData);
  const auto params = static_cast<const T*>(paramData);
  const T xOne = x[0], yOne = y[0];
  SD_INDEPENDENT
  for (LongType i = 0; i < n; i++) z[i] = apply<Op>(XRuns ? x[i] : xOne, YRuns ? y[i] : yOne, params) ? 1 : 0;
}

// Large results go past the caches line by line: by way of a tile, memory would rest while tiles are computed. Where a
// line takes several vectors, the loop over them is not unrolled: costly functions would be repeated for each.

/// Fetches what will be read later. Costly operations wait for memory otherwise; cheap ones are faster without it.
template <int Cost, typename T>
SD_INLINE void fetchAhead([[maybe_unused]] const T* x) {
  constexpr LongType DISTANCE = 2048 / sizeof(T);
  if constexpr (Cost > 2) __builtin_prefetch(x + DISTANCE);
}

/// The elements of a cache line.
template <typename T>
inline constexpr LongType LINE_OF = 64 / sizeof(T);

/// Writes a cache line of z. `at(i)` computes the vector of its elements from i on.
template <typename T, typename At>
SD_INLINE void streamLine(T* z, At at) {
  using B = Batch<T>;
  constexpr LongType W = B::size;
  alignas(64) T line[LINE_OF<T>];
  SD_NOT_UNROLLED
  for (LongType i = 0; i < LINE_OF<T>; i += W) at(i).store_aligned(line + i);
  for (LongType i = 0; i < LINE_OF<T>; i += W) streamStore(z + i, B::load_aligned(line + i));
}

/// z begins at a cache line, n is a multiple of a line's elements.
template <template <typename...> class Op, typename T>
[[gnu::flatten]] void unaryStreamingLoop(const void* xData, void* zData, LongType n, const void* paramData) {
  using B = Batch<T>;
  const auto x = static_cast<const T*>(xData);
  const auto z = static_cast<T*>(zData);
  const auto params = static_cast<const T*>(paramData);
  for (LongType i = 0; i < n; i += LINE_OF<T>) {
    fetchAhead<Op<T>::cost>(x + i);
    streamLine(z + i, [&](LongType k) { return apply<Op>(B::load_unaligned(x + i + k), params); });
  }
}

template <template <typename...> class Op, typename T>
[[gnu::flatten]] void binaryStreamingLoop(const void* xData, const void* yData, void* zData, LongType n,
                                          const void* paramData) {
  using B = Batch<T>;
  const auto x = static_cast<const T*>(xData);
  const auto y = static_cast<const T*>(yData);
  const auto z = static_cast<T*>(zData);
  const auto params = static_cast<const T*>(paramData);
  for (LongType i = 0; i < n; i += LINE_OF<T>) {
    fetchAhead<Op<T>::cost>(x + i);
    fetchAhead<Op<T>::cost>(y + i);
    streamLine(z + i, [&](LongType k) {
      return apply<Op>(B::load_unaligned(x + i + k), B::load_unaligned(y + i + k), params);
    });
  }
}

#if defined(SD_HAS_HALF_BATCHES)
/// Runs of 16-bit floats.
template <template <typename...> class Op, typename H>
[[gnu::flatten]] void halvesLoop(const void* xData, const void* yData, void* zData, LongType n, const void* paramData) {
  constexpr LongType W = 2 * Batch<float>::size;
  const auto x = static_cast<const H*>(xData);
  const auto y = static_cast<const H*>(yData);
  const auto z = static_cast<H*>(zData);
  const auto params = static_cast<const float*>(paramData);
  const auto compute = [&](const H* a, const H* b, H* to) {
    const BatchPair as = loadPair(a), bs = loadPair(b);
    storePair(to, {apply<Op>(as.first, bs.first, params), apply<Op>(as.second, bs.second, params)});
  };
  LongType i = 0;
  for (const LongType end = n - W; i <= end; i += W) compute(x + i, y + i, z + i);
  if (i == n) return;
  H part[2][W] = {};
  const auto bytes = static_cast<std::size_t>(n - i) * sizeof(H);
  std::memcpy(part[0], x + i, bytes);
  std::memcpy(part[1], y + i, bytes);
  compute(part[0], part[1], part[0]);
  std::memcpy(z + i, part[0], bytes);
}
#endif

template <template <typename...> class Op, typename T>
UnaryKernel unaryKernel() {
  if constexpr (usesBatches<Op, T>)
    return {unaryLoop<Op, T>, chainStep<T>(unaryStep<Op, T>), unaryStreamingLoop<Op, T>};
  else
    return {unaryLoop<Op, T>, nullptr, nullptr};
}

template <template <typename...> class Op, typename T>
UnaryKernel unaryTestKernel() {
  return {unaryTestLoop<Op, T>, nullptr, nullptr};
}

template <template <typename...> class Op, typename T>
BinaryKernel binaryKernel() {
  BinaryKernel kernel{binaryLoop<Op, T, true, true>,
                      binaryLoop<Op, T, false, true>,
                      binaryLoop<Op, T, true, false>,
                      nullptr,
                      nullptr,
                      {}};
#if defined(SD_HAS_HALF_BATCHES)
  if constexpr (usesBatches<Op, T> && std::is_same_v<T, float> && Op<T>::cost <= 2) {
    kernel.halves[0] = halvesLoop<Op, HalfBits>;
    kernel.halves[1] = halvesLoop<Op, BFloatBits>;
  }
#endif
  if constexpr (usesBatches<Op, T>) {
    kernel.chain = binarySteps<Op, T>();
    kernel.streaming = binaryStreamingLoop<Op, T>;
  }
  return kernel;
}

template <template <typename...> class Op, typename T>
constexpr BinaryKernel binaryTestKernel() {
  return {binaryTestLoop<Op, T, true, true>,
          binaryTestLoop<Op, T, false, true>,
          binaryTestLoop<Op, T, true, false>,
          nullptr,
          nullptr,
          {}};
}

}  // namespace sd::simd

#endif
