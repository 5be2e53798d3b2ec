// Loops over elements whose bodies are written once, for batches and for what is left of them.
#ifndef NDFORGE_SRC_SIMD_EACHBATCH_H
#define NDFORGE_SRC_SIMD_EACHBATCH_H

#include <type_traits>

#include "simd/Vector.h"

/// For lambdas, which compilers would call for some types of batches.
#define SD_INLINED __attribute__((always_inline))

namespace sd::simd {

// B is a scalar or a batch.
template <typename T, typename B>
SD_INLINE B load(const T* x) {
  if constexpr (std::is_same_v<T, B>)
    return *x;
  else
    return B::load_unaligned(x);
}
template <typename T, typename B>
SD_INLINE void store(T* z, B value) {
  if constexpr (std::is_same_v<T, B>)
    *z = value;
  else
    value.store_unaligned(z);
}
template <typename T, typename B>
inline constexpr LongType lanesOf = static_cast<LongType>(sizeof(B) / sizeof(T));

/// Calls f.operator()<B>(i) for all i of [first, n), a batch of them at a time, and for the rest smaller batches, down
/// to 4, and single ones.
template <typename T, typename B = Batch<T>, typename F>
SD_INLINE void eachBatch(LongType n, F&& f, LongType first = 0) {
  constexpr LongType V = lanesOf<T, B>;
  LongType i = first;
  for (; i + V <= n; i += V) f.template operator()<B>(i);
  if constexpr (V == 1)
    return;
  else if constexpr (V >= 8)
    eachBatch<T, xsimd::make_sized_batch_t<T, V / 2>>(n, f, i);
  else
    for (; i < n; i++) f.template operator()<T>(i);
}

}  // namespace sd::simd

#endif
