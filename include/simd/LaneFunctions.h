// The functions that functors call on batches: math::Functions of simd::Lanes.
#ifndef NDFORGE_SIMD_LANEFUNCTIONS_H
#define NDFORGE_SIMD_LANEFUNCTIONS_H

#include <simd/LaneElementary.h>

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpsabi"
#endif

namespace sd::math {

/// Functions that have no vector form here are computed lane by lane.
template <typename S>
struct Functions<simd::Lanes<S>> {
  using L = simd::Lanes<S>;
  using M = simd::LaneMask<S>;
  using Scalar = S;
  using F = Functions<S>;
  static constexpr bool isFloating = std::is_floating_point_v<S>;
  /// From here on there are only whole numbers.
  static constexpr S WHOLE = sizeof(S) == 4 ? S(8388608.0) : S(4503599627370496.0);

  static SD_LANES_INLINE L negate(L x) { return -x; }
  static SD_LANES_INLINE L abs(L x) {
    if constexpr (isFloating)
      return clearBits(x, L(S(-0.0)));
    else if constexpr (std::is_signed_v<S>)
      return select(x < L(S(0)), -x, x);
    else
      return x;
  }
  static SD_LANES_INLINE L copysign(L x, L y) {
    const L sign(S(-0.0));
    return clearBits(x, sign) | (y & sign);
  }
  static SD_LANES_INLINE L add(L x, L y) { return x + y; }
  static SD_LANES_INLINE L subtract(L x, L y) { return x - y; }
  static SD_LANES_INLINE L multiply(L x, L y) { return x * y; }
  static SD_LANES_INLINE L select(M mask, L a, L b) { return L(mask.select(a.v, b.v)); }
  static SD_LANES_INLINE L min(L x, L y) { return L(x.v < y.v ? x.v : y.v); }
  static SD_LANES_INLINE L max(L x, L y) { return L(x.v > y.v ? x.v : y.v); }
  static SD_LANES_INLINE M isnan(L x) { return x != x; }
  /// The lanes in which x or y is NaN.
  static SD_LANES_INLINE M unordered(L x, L y) {
#if SD_LANES_BYTES == 64
    return {simd::detail::compareLanes<S, simd::detail::UNORDERED>(x.v, y.v)};
#else
    return (x != x) || (y != y);
#endif
  }
  static SD_LANES_INLINE M isinf(L x) { return abs(x) == L(std::numeric_limits<S>::infinity()); }
  static SD_LANES_INLINE M isfinite(L x) { return abs(x) < L(std::numeric_limits<S>::infinity()); }

  static SD_LANES_INLINE L trunc(L x) {
    if constexpr (!isFloating) return x;
    using I = typename L::Integers;
    const M small = abs(x) < L(WHOLE);
    const L inside = select(small, x, L(S(0)));
    const L whole(__builtin_convertvector(__builtin_convertvector(inside.v, I), typename L::Native));
    return select(small, copysign(whole, x), x);
  }
  static SD_LANES_INLINE L floor(L x) {
    return beside(
        x, [](L t, L v) { return t > v; }, S(-1));
  }
  static SD_LANES_INLINE L ceil(L x) {
    return beside(
        x, [](L t, L v) { return t < v; }, S(1));
  }
  static SD_LANES_INLINE L round(L x) {
    if constexpr (!isFloating) return x;
    // adding the largest value below one half keeps 0.49999997 from rounding up
    return trunc(x + copysign(L(sizeof(S) == 4 ? S(0.49999997f) : S(0.49999999999999994)), x));
  }
  static SD_LANES_INLINE L rint(L x) {
    if constexpr (!isFloating) return x;
    const L shift = copysign(L(WHOLE), x);
    const L near = (x + shift) - shift;
    return select(abs(x) < L(WHOLE), copysign(near, x), x);
  }

#define SD_ELEMENTARY(NAME) \
  static SD_LANES_INLINE L NAME(L x) { return simd::detail::Elementary<S>::NAME(x); }
  SD_ELEMENTARY(exp)
  SD_ELEMENTARY(expm1)
  SD_ELEMENTARY(log)
  SD_ELEMENTARY(log1p)
  SD_ELEMENTARY(log2)
  SD_ELEMENTARY(tanh)
  SD_ELEMENTARY(sin)
  SD_ELEMENTARY(cos)
#undef SD_ELEMENTARY

#define SD_LANEWISE(NAME)                                     \
  static SD_LANES_INLINE L NAME(L x) {                        \
    L r = x;                                                  \
    for (int i = 0; i < L::size; i++) r.v[i] = F::NAME(x[i]); \
    return r;                                                 \
  }
#define SD_LANEWISE_PAIR(NAME)                                      \
  static SD_LANES_INLINE L NAME(L x, L y) {                         \
    L r = x;                                                        \
    for (int i = 0; i < L::size; i++) r.v[i] = F::NAME(x[i], y[i]); \
    return r;                                                       \
  }
#if defined(__x86_64__)
#if SD_LANES_BYTES == 64 && defined(__clang__)
#define SD_ROOT(TYPE, X) __builtin_ia32_sqrt##TYPE##512(X, 4)
#elif SD_LANES_BYTES == 64
#define SD_ROOT(TYPE, X) __builtin_ia32_sqrt##TYPE##512_mask(X, X, -1, 4)
#elif SD_LANES_BYTES == 32
#define SD_ROOT(TYPE, X) __builtin_ia32_sqrt##TYPE##256(X)
#else
#define SD_ROOT(TYPE, X) __builtin_ia32_sqrt##TYPE(X)
#endif
  static SD_LANES_INLINE L sqrt(L x) {
    static_assert(isFloating);
    if constexpr (sizeof(S) == 4)
      return L(SD_ROOT(ps, x.v));
    else
      return L(SD_ROOT(pd, x.v));
  }
#undef SD_ROOT
#else
  SD_LANEWISE(sqrt)
#endif
  SD_LANEWISE(tan)
  SD_LANEWISE(asin)
  SD_LANEWISE(acos)
  SD_LANEWISE(atan)
  SD_LANEWISE(sinh)
  SD_LANEWISE(cosh)
  SD_LANEWISE(asinh)
  SD_LANEWISE(acosh)
  SD_LANEWISE(atanh)
  SD_LANEWISE(erf)
  SD_LANEWISE(erfc)
  SD_LANEWISE_PAIR(pow)
  SD_LANEWISE_PAIR(atan2)
  SD_LANEWISE_PAIR(fmod)
  SD_LANEWISE_PAIR(remainder)
#undef SD_LANEWISE
#undef SD_LANEWISE_PAIR

 private:
  static SD_LANES_INLINE L clearBits(L x, L bits) {
    using U = typename L::Integers;
    return L(reinterpret_cast<typename L::Native>(reinterpret_cast<U>(x.v) & ~reinterpret_cast<U>(bits.v)));
  }
  /// trunc(x), corrected by `step` in lanes where it is on the wrong side of x; a zero keeps the sign of x.
  template <typename Wrong>
  static SD_LANES_INLINE L beside(L x, Wrong wrong, S step) {
    if constexpr (!isFloating) return x;
    const L t = trunc(x);
    return copysign(select(wrong(t, x), t + L(step), t), x);
  }
};

}  // namespace sd::math

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif

#endif
