// Batches whose lanes are interleaved, and the way back.
#ifndef NDFORGE_SRC_SIMD_INTERLEAVE_H
#define NDFORGE_SRC_SIMD_INTERLEAVE_H

#include <tuple>
#include <utility>

#include "simd/Vector.h"

namespace sd::simd {

namespace detail {
/// Lane i of the result is lane f(i) of the lanes of x followed by those of y.
template <typename F, typename B>
SD_INLINE B lanesBy(B x, B y) {
  return [&]<int... I>(std::integer_sequence<int, I...>)->B {
    return __builtin_shufflevector(x.data, y.data, F::of(I)...);
  }
  (std::make_integer_sequence<int, static_cast<int>(B::size)>());
}

template <int SIZE, int FIRST>
struct Zip {
  static constexpr int of(int i) { return FIRST + i / 2 + i % 2 * SIZE; }
};
template <int FIRST>
struct Unzip {
  static constexpr int of(int i) { return FIRST + 2 * i; }
};
template <int SIZE>
struct Reverse {
  static constexpr int of(int i) { return SIZE - 1 - i; }
};
}  // namespace detail

/// x[0], y[0], x[1], y[1], … in two batches.
template <typename B>
SD_INLINE std::pair<B, B> zipped(B x, B y) {
  constexpr int SIZE = static_cast<int>(B::size);
  return {detail::lanesBy<detail::Zip<SIZE, 0>>(x, y), detail::lanesBy<detail::Zip<SIZE, SIZE / 2>>(x, y)};
}

/// The lanes of x and y with even numbers, and those with odd ones.
template <typename B>
SD_INLINE std::pair<B, B> unzipped(B x, B y) {
  return {detail::lanesBy<detail::Unzip<0>>(x, y), detail::lanesBy<detail::Unzip<1>>(x, y)};
}

template <typename B>
SD_INLINE B reversedLanes(B x) {
  return detail::lanesBy<detail::Reverse<static_cast<int>(B::size)>>(x, x);
}

/// Lane v of batch j becomes number R * v + j of all lanes. R is a power of 2.
template <typename B, int R>
SD_INLINE void interleave(B (&x)[R]) {
  if constexpr (R > 1) {
    B even[R / 2], odd[R / 2];
    for (int j = 0; j < R / 2; j++) {
      even[j] = x[2 * j];
      odd[j] = x[2 * j + 1];
    }
    interleave(even);
    interleave(odd);
    for (int j = 0; j < R / 2; j++) std::tie(x[2 * j], x[2 * j + 1]) = zipped(even[j], odd[j]);
  }
}

}  // namespace sd::simd

#endif
