// Batches of the instruction set that a unit is compiled for: loads, stores and incomplete batches.
#ifndef NDFORGE_SRC_SIMD_KERNELS_VECTOR_H
#define NDFORGE_SRC_SIMD_KERNELS_VECTOR_H

#include <math/simd.h>

#include <cstring>
#include <type_traits>

namespace sd::simd {

template <typename T>
inline constexpr bool isFloat = std::is_same_v<T, float> || std::is_same_v<T, double>;

/// The batch that functors are compiled for, when they can be; integers are left to the compiler's vectoriser.
template <typename T>
using Batch = xsimd::batch<T>;

/// The first n < Batch::size elements, the other lanes are `fill`.
template <typename T>
SD_INLINE Batch<T> loadPart(const T* x, LongType n, T fill = T(0)) {
  alignas(64) T buffer[Batch<T>::size];
  for (std::size_t i = 0; i < Batch<T>::size; i++) buffer[i] = fill;
  std::memcpy(buffer, x, static_cast<std::size_t>(n) * sizeof(T));
  return Batch<T>::load_aligned(buffer);
}

template <typename T>
SD_INLINE void storePart(T* z, Batch<T> value, LongType n) {
  alignas(64) T buffer[Batch<T>::size];
  value.store_aligned(buffer);
  std::memcpy(z, buffer, static_cast<std::size_t>(n) * sizeof(T));
}

/// `value` in the first n lanes, `rest` in the others.
template <typename T>
SD_INLINE Batch<T> keepFirst(Batch<T> value, LongType n, T rest) {
  alignas(64) T buffer[Batch<T>::size];
  value.store_aligned(buffer);
  for (std::size_t i = static_cast<std::size_t>(n); i < Batch<T>::size; i++) buffer[i] = rest;
  return Batch<T>::load_aligned(buffer);
}

}  // namespace sd::simd

#endif
