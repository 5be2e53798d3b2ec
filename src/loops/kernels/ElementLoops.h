// Element-wise loops over one contiguous run. z is x or y itself, or overlaps neither.
#ifndef NDFORGE_SRC_LOOPS_KERNELS_ELEMENTLOOPS_H
#define NDFORGE_SRC_LOOPS_KERNELS_ELEMENTLOOPS_H

#include "loops/kernels/ChainSteps.h"
#include "simd/MemoryLoops.h"

namespace sd::simd {

template <template <typename...> class Op, typename T>
[[gnu::flatten]] void unaryLoop(const void* xData, void* zData, LongType n, const void* paramData) {
  const auto x = static_cast<const T*>(xData);
  const auto z = static_cast<T*>(zData);
  const auto params = static_cast<const T*>(paramData);
  if constexpr (usesBatches<Op, T>) {
    using B = Batch<T>;
    constexpr LongType W = B::size;
    LongType i = 0;
    for (; i + W <= n; i += W) apply<Op>(B::load_unaligned(x + i), params).store_unaligned(z + i);
    if (i < n) storePart<T>(z + i, apply<Op>(loadPart(x + i, n - i), params), n - i);
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
    LongType i = 0;
    for (; i + W <= n; i += W) {
      const B xs = XRuns ? B::load_unaligned(x + i) : xOne;
      const B ys = YRuns ? B::load_unaligned(y + i) : yOne;
      apply<Op>(xs, ys, params).store_unaligned(z + i);
    }
    if (i < n) {
      const B xs = XRuns ? loadPart(x + i, n - i) : xOne;
      const B ys = YRuns ? loadPart(y + i, n - i) : yOne;
      storePart<T>(z + i, apply<Op>(xs, ys, params), n - i);
    }
  } else {
    const T xOne = x[0], yOne = y[0];
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

template <template <typename...> class Op, typename T>
UnaryKernel unaryKernel() {
  if constexpr (usesBatches<Op, T>)
    return {unaryLoop<Op, T>, chainStep<T>(unaryStep<Op, T>)};
  else
    return {unaryLoop<Op, T>, nullptr};
}

template <template <typename...> class Op, typename T>
UnaryKernel unaryTestKernel() {
  return {unaryTestLoop<Op, T>, nullptr};
}

/// For cheap operations, which are bound by memory: results go from registers to memory with non-temporal stores.
template <template <typename...> class Op, typename T>
void streamingLoop(const void* xData, const void* yData, void* zData, LongType n, const void* paramData) {
  using B = Batch<T>;
  constexpr LongType W = B::size;
  const auto x = static_cast<const T*>(xData);
  const auto y = static_cast<const T*>(yData);
  const auto z = static_cast<T*>(zData);
  const auto params = static_cast<const T*>(paramData);
  LongType i = 0;
  for (; i + W <= n; i += W) streamStore(z + i, apply<Op>(B::load_unaligned(x + i), B::load_unaligned(y + i), params));
  if (i < n) binaryLoop<Op, T, true, true>(x + i, y + i, z + i, n - i, params);
}

template <template <typename...> class Op, typename T>
BinaryKernel binaryKernel() {
  BinaryKernel kernel{binaryLoop<Op, T, true, true>, binaryLoop<Op, T, false, true>, binaryLoop<Op, T, true, false>,
                      nullptr, nullptr};
  if constexpr (usesBatches<Op, T>) kernel.chain = binarySteps<Op, T>();
  if constexpr (usesBatches<Op, T> && Op<T>::cost <= 2) kernel.streaming = streamingLoop<Op, T>;
  return kernel;
}

template <template <typename...> class Op, typename T>
constexpr BinaryKernel binaryTestKernel() {
  return {binaryTestLoop<Op, T, true, true>, binaryTestLoop<Op, T, false, true>, binaryTestLoop<Op, T, true, false>,
          nullptr, nullptr};
}

}  // namespace sd::simd

#endif
