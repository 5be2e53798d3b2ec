// Remainders of divisions of batches.
#ifndef NDFORGE_SRC_SIMD_REMAINDERS_H
#define NDFORGE_SRC_SIMD_REMAINDERS_H

#include <cmath>
#include <limits>

#include "simd/fused.h"
#include "simd/patch.h"

namespace sd {
namespace math {

#if defined(SD_HAS_FUSED_MULTIPLY_ADD)
/// std::fmod(x, y), exactly. The scalar function computes lanes where |x / y| is not below 2^23 (double: 2^52).
template <typename S, typename A>
SD_INLINE xsimd::batch<S, A> fmodBatch(xsimd::batch<S, A> x, xsimd::batch<S, A> y) {
  using B = xsimd::batch<S, A>;
  const B sign = x & B(S(-0.0)), a = x ^ sign, b = xsimd::abs(y);
  const B quotient = a / b;
  // The rounded quotient may be 1 too large, then r is the remainder minus b; both have no more digits than b.
  // An infinite b is replaced, because 0 * b must be 0.
  const B r = simd::fused(-xsimd::trunc(quotient), xsimd::min(b, B(std::numeric_limits<S>::max())), a);
  const B result = xsimd::select(r < B(S(0)), r + b, r) ^ sign;
  return patch(
      result, quotient >= B(S(1) / std::numeric_limits<S>::epsilon()), [](S u, S v) { return std::fmod(u, v); }, x, y);
}

/// std::remainder(x, y), exactly. The scalar function computes lanes where |x / y| is not below 2^23 (double: 2^52).
template <typename S, typename A>
SD_INLINE xsimd::batch<S, A> remainderBatch(xsimd::batch<S, A> x, xsimd::batch<S, A> y) {
  using B = xsimd::batch<S, A>;
  const B minusZero(S(-0.0)), sign = x & minusZero, a = x ^ sign, b = xsimd::abs(y);
  const B quotient = a / b;
  // An infinite b is replaced, because 0 * b must be 0.
  const B r = simd::fused(-xsimd::nearbyint(quotient), xsimd::min(b, B(std::numeric_limits<S>::max())), a);
  // The quotient may have been rounded across the half between two integers; a tie is exact.
  const B nearer = r - (b | (r & minusZero));
  const B result = xsimd::select(xsimd::abs(r + r) > b, nearer, r) ^ sign;
  return patch(
      result, quotient >= B(S(1) / std::numeric_limits<S>::epsilon()), [](S u, S v) { return std::remainder(u, v); }, x,
      y);
}
#endif

}  // namespace math
}  // namespace sd

#endif
