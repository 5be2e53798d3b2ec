// Lanes of a batch that the function of the C library computes.
#ifndef NDFORGE_SRC_SIMD_PATCH_H
#define NDFORGE_SRC_SIMD_PATCH_H

#include "simd/fused.h"

namespace sd {
namespace math {

/// Computes the lanes for which `mask` is set with the scalar function. Never inlined: its use of the stack and of
/// registers would slow down loops, which hardly ever call it.
template <typename B, typename F, typename... Bs>
[[gnu::noinline, gnu::cold]] B patchLanes(B result, typename B::batch_bool_type mask, F scalar, B x, Bs... more) {
  using S = typename B::value_type;
  alignas(64) S in[1 + sizeof...(Bs)][B::size], out[B::size];
  alignas(64) bool lanes[B::size];
  int k = 0;
  for (const B& b : {x, more...}) b.store_unaligned(in[k++]);
  result.store_unaligned(out);
  mask.store_unaligned(lanes);
  for (std::size_t i = 0; i < B::size; i++) {
    if (!lanes[i]) continue;
    if constexpr (sizeof...(Bs) == 0)
      out[i] = scalar(in[0][i]);
    else
      out[i] = scalar(in[0][i], in[1][i]);
  }
  return B::load_unaligned(out);
}

/// Replaces the lanes of `result` for which `mask` is set by the scalar function of one or two arguments. For rare
/// lanes only: extremes of the range, where the vector form is not accurate.
template <typename B, typename F, typename... Bs>
SD_INLINE B patch(B result, typename B::batch_bool_type mask, F scalar, B x, Bs... more) {
  return __builtin_expect(xsimd::any(mask), false) ? patchLanes(result, mask, scalar, x, more...) : result;
}

/// Applies the scalar function to every lane, for functions without a vector form.
template <typename B, typename F, typename... Bs>
[[gnu::noinline]] B lanewise(F scalar, B x, Bs... more) {
  using S = typename B::value_type;
  alignas(64) S in[1 + sizeof...(Bs)][B::size], out[B::size];
  int k = 0;
  for (const B& b : {x, more...}) b.store_unaligned(in[k++]);
  for (std::size_t i = 0; i < B::size; i++) {
    if constexpr (sizeof...(Bs) == 0)
      out[i] = scalar(in[0][i]);
    else
      out[i] = scalar(in[0][i], in[1][i]);
  }
  return B::load_unaligned(out);
}

}  // namespace math
}  // namespace sd

#endif
