// math/math.h for SIMD batches: xsimd's functions, corrected where they are inaccurate (checked by AccuracyTests).
#ifndef NDFORGE_SRC_SIMD_FUNCTIONS_H
#define NDFORGE_SRC_SIMD_FUNCTIONS_H

#include <math/math.h>

#include "simd/fused.h"

namespace sd {
namespace math {

/// Computes the lanes for which `mask` is set with the scalar function. Never inlined: its use of the stack and of
/// registers would slow down loops, which hardly ever call it.
template <typename B, typename F>
[[gnu::noinline, gnu::cold]] B patchLanes(B result, typename B::batch_bool_type mask, F scalar, B x) {
  using S = typename B::value_type;
  alignas(64) S in[B::size], out[B::size];
  alignas(64) bool lanes[B::size];
  x.store_unaligned(in);
  result.store_unaligned(out);
  mask.store_unaligned(lanes);
  for (std::size_t i = 0; i < B::size; i++)
    if (lanes[i]) out[i] = scalar(in[i]);
  return B::load_unaligned(out);
}

/// Replaces the lanes of `result` for which `mask` is set by the scalar function. For rare lanes only: extremes of the
/// range, where the vector form is not accurate.
template <typename B, typename F>
SD_INLINE B patch(B result, typename B::batch_bool_type mask, F scalar, B x) {
  return __builtin_expect(xsimd::any(mask), false) ? patchLanes(result, mask, scalar, x) : result;
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

#if defined(SD_HAS_FUSED_MULTIPLY_ADD)
/// Computes the lanes of `result` for which `usual` is not set with the scalar function. Never inlined: its use of the
/// stack and of registers would slow down the loop, which hardly ever calls it.
template <typename B>
[[gnu::noinline, gnu::cold]] B powRest(B result, typename B::batch_bool_type usual, B x, B y) {
  alignas(64) float xs[B::size], ys[B::size], zs[B::size];
  alignas(64) bool lanes[B::size];
  x.store_unaligned(xs);
  y.store_unaligned(ys);
  result.store_unaligned(zs);
  usual.store_unaligned(lanes);
  for (std::size_t i = 0; i < B::size; i++)
    if (!lanes[i]) zs[i] = std::pow(xs[i], ys[i]);
  return B::load_unaligned(zs);
}

/// x^y in float for lanes where x is normal and |log2(x^y)| < 64; the scalar function computes the other lanes.
///
/// log2(x) = k + 2/ln(2) * atanh(s), s = (m - 1) / (m + 1), is represented as a sum of two floats, so that multiplying
/// by y keeps the digits that exp2 needs. Error below 3 ulp. Needs a fused multiply-add.
template <typename A>
SD_INLINE xsimd::batch<float, A> powFloat(xsimd::batch<float, A> x, xsimd::batch<float, A> y) {
  using B = xsimd::batch<float, A>;
  using I = xsimd::batch<int32_t, A>;
  const I bits = simd::bitsAs<I>(x);
  const I k = (bits - I(0x3f3504f3)) >> 23;  // m = x / 2^k lies in sqrt(1/2) .. sqrt(2)
  const B m = simd::bitsAs<B>(bits - (k << 23));
  const B one(1.0f);
  // s with the opposite sign, so that the products need no negation
  const B c = m - one, d = m + one, dRest = m - (d - one);
  const B inverse = B(-1.0f) / d, s = c * inverse;
  const B sRest = simd::fused(s, dRest, simd::fused(s, d, c)) * inverse;
  const B s2 = s * s;
  const B scale(-2.88539004f), scaleRest(-3.85188546e-8f);  // -2 / ln(2)
  // minimax polynomial of (atanh(s) / s - 1) / s^2, times the scale
  B p = simd::fused(s2, B(-0.336465511f), B(-0.411907745f));
  p = simd::fused(p, s2, B(-0.577079654f));
  p = simd::fused(p, s2, B(-0.961796689f));
  // products whose rounding is corrected must not be contracted into the sums that follow: hence fused with 0
  const B high = simd::fused(s, scale, B(0.0f));
  B low = simd::fused(s, scaleRest, simd::fusedSubtract(s, scale, high));
  low = simd::fused(sRest, scale, low);
  low = simd::fused(s * s2, p, low);
  const B exponent = xsimd::to_float(k);
  const B sum = exponent + high;  // |k| is 0 or larger than |high|: the error of the sum is exact
  low += high - (sum - exponent);
  const B total = sum + low, rest = low - (total - sum);
  const B t = simd::fused(y, total, B(0.0f));
  const B tRest = simd::fused(y, rest, simd::fusedSubtract(y, total, t));
  const auto usual =
      (x >= B(1.17549435e-38f)) && (x < B(std::numeric_limits<float>::infinity())) && (xsimd::abs(t) < B(64.0f));
  const B n = xsimd::nearbyint(t), f = (t - n) + tRest;
  // minimax polynomial of 2^f
  B q = simd::fused(f, B(1.5469732e-4f), B(1.3400433e-3f));
  q = simd::fused(q, f, B(9.6180253e-3f));
  q = simd::fused(q, f, B(5.5503272e-2f));
  q = simd::fused(q, f, B(0.24022651f));
  q = simd::fused(q, f, B(0.69314718f));
  q = simd::fused(q, f, one);
  const B result = simd::scaled(q, n);
  if (__builtin_expect(xsimd::all(usual), true)) return result;
  return powRest(result, usual, x, y);
}

/// exp(x) for |x| <= 87.3. Error below 1.1 ulp.
template <typename A>
SD_INLINE xsimd::batch<float, A> expFloat(xsimd::batch<float, A> x) {
  using B = xsimd::batch<float, A>;
  const B n = xsimd::nearbyint(x * B(1.44269504f));
  B r = simd::fused(n, B(-0.693145752f), x);  // x = n * ln(2) + r
  r = simd::fused(n, B(-1.42860677e-6f), r);
  // minimax polynomial of (exp(r) - 1 - r) / r^2
  B p = simd::fused(r, B(0.00138145394f), B(0.00836874545f));
  p = simd::fused(p, r, B(0.0416683890f));
  p = simd::fused(p, r, B(0.166665211f));
  p = simd::fused(p, r, B(0.49999994f));
  return simd::scaled(simd::fused(r * r, p, r) + B(1.0f), n);
}

/// exp(x) for |x| <= 708. Error below 1.2 ulp.
template <typename A>
SD_INLINE xsimd::batch<double, A> expDouble(xsimd::batch<double, A> x) {
  using B = xsimd::batch<double, A>;
  const B n = xsimd::nearbyint(x * B(1.4426950408889634));
  B r = simd::fused(n, B(-0.693147180559663), x);  // x = n * ln(2) + r
  r = simd::fused(n, B(-2.8235290563031577e-13), r);
  // Chebyshev interpolation of (exp(r) - 1 - r) / r^2, within 1.1e-16
  B p = simd::fused(r, B(2.5100424157005067e-8), B(2.7620138719733994e-7));
  p = simd::fused(p, r, B(2.7557268378684192e-6));
  p = simd::fused(p, r, B(2.480152119021773e-5));
  p = simd::fused(p, r, B(1.9841269863105968e-4));
  p = simd::fused(p, r, B(1.3888888917281794e-3));
  p = simd::fused(p, r, B(8.333333333330051e-3));
  p = simd::fused(p, r, B(4.166666666662399e-2));
  p = simd::fused(p, r, B(0.16666666666666669));
  p = simd::fused(p, r, B(0.5));
  return simd::scaled(simd::fused(r * r, p, r) + B(1.0), n);
}

/// log(x) of normal x > 0. Error below 0.9 ulp.
template <typename A>
SD_INLINE xsimd::batch<float, A> logOfNormal(xsimd::batch<float, A> x) {
  using B = xsimd::batch<float, A>;
  using I = xsimd::batch<int32_t, A>;
  const I bits = simd::bitsAs<I>(x);
  const I k = (bits - I(0x3f3504f3)) >> 23;  // m = x / 2^k lies in sqrt(1/2) .. sqrt(2)
  const B f = simd::bitsAs<B>(bits - (k << 23)) - B(1.0f), exponent = xsimd::to_float(k);
  // minimax polynomial of (log(1 + f) - f) / f^2
  B p = simd::fused(f, B(-0.076344296f), B(0.12761550f));
  p = simd::fused(p, f, B(-0.13160194f));
  p = simd::fused(p, f, B(0.14201762f));
  p = simd::fused(p, f, B(-0.16623357f));
  p = simd::fused(p, f, B(0.20001227f));
  p = simd::fused(p, f, B(-0.25000823f));
  p = simd::fused(p, f, B(0.33333331f));
  p = simd::fused(p, f, B(-0.5f));
  // log(2) in two parts: the products of the first are exact
  const B rest = f + simd::fused(f * f, p, exponent * B(-2.12194440e-4f));
  return simd::fused(exponent, B(0.693359375f), rest);
}

/// log(x) where lanes may be anything.
template <typename A>
[[gnu::noinline]] xsimd::batch<float, A> logOfAny(xsimd::batch<float, A> x) {
  using B = xsimd::batch<float, A>;
  constexpr float INFINITE = std::numeric_limits<float>::infinity();
  const auto isSubnormal = x < B(std::numeric_limits<float>::min());
  const B normal = xsimd::select(isSubnormal, x * B(8388608.0f), x);  // 2^23
  B z = logOfNormal(normal) - xsimd::select(isSubnormal, B(15.942385f), B(0.0f));
  z = xsimd::select(x < B(INFINITE), z, x);  // infinity and NaN
  z = xsimd::select(x == B(0.0f), B(-INFINITE), z);
  return xsimd::select(x < B(0.0f), B(std::numeric_limits<float>::quiet_NaN()), z);
}

template <typename A>
SD_INLINE xsimd::batch<float, A> logFloat(xsimd::batch<float, A> x) {
  using B = xsimd::batch<float, A>;
  const auto isNormal = (x >= B(std::numeric_limits<float>::min())) && (x < B(std::numeric_limits<float>::infinity()));
  return __builtin_expect(xsimd::all(isNormal), true) ? logOfNormal(x) : logOfAny(x);
}

/// tanh(x) = e / (e + 2) with e = exp(2|x|) - 1, which is accurate near 0. Error below 3 ulp.
template <typename A>
SD_INLINE xsimd::batch<float, A> tanhFloat(xsimd::batch<float, A> x) {
  using B = xsimd::batch<float, A>;
  const B sign = x & B(-0.0f), magnitude = x ^ sign, most(9.1f);  // tanh(9.1) rounds to 1
  const B a = xsimd::select(magnitude > most, most, magnitude);   // keeps NaN
  const B n = xsimd::nearbyint(a * B(2.88539008f));
  const B r = simd::fused(n, B(-0.34657359f), a);  // a = n * ln(2) / 2 + r
  // minimax polynomial of (exp(2r) - 1 - 2r) / r^2
  B p = simd::fused(r, B(0.0888481052f), B(0.267729508f));
  p = simd::fused(p, r, B(0.666675211f));
  p = simd::fused(p, r, B(1.33332347f));
  p = simd::fused(p, r, B(1.99999993f));
  const B q = simd::fused(r * r, p, r + r);
  const B power = simd::scaled(B(1.0f), n);
  const B e = simd::fused(power, q, power - B(1.0f));
  return (e / (e + B(2.0f))) ^ sign;
}
#endif

/// erf(x) in float: x + x * P(x^2) up to 0.7, 1 - 2^G(|x|) beyond, where G approximates the logarithm of erfc, whose
/// error counts for at most a third there. Error below 2 ulp.
template <typename A>
SD_INLINE xsimd::batch<float, A> erfFloat(xsimd::batch<float, A> x) {
  using B = xsimd::batch<float, A>;
  const B sign = x & B(-0.0f), magnitude = x ^ sign, most(3.93f);  // erf(3.93) rounds to 1
  const B t = xsimd::select(magnitude > most, most, magnitude);    // keeps NaN
  // minimax polynomial of log2(erfc(t)) for the error of erfc
  B g = simd::fused(t, B(3.11127548e-4f), B(-4.6575305e-3f));
  g = simd::fused(g, t, B(0.0330825616f));
  g = simd::fused(g, t, B(-0.151946429f));
  g = simd::fused(g, t, B(-0.917092828f));
  g = simd::fused(g, t, B(-1.62810941f));
  g = simd::fused(g, t, B(-4.20196432e-6f));
  const B n = xsimd::nearbyint(g), f = g - n;
  // minimax polynomial of 2^f
  B p = simd::fused(f, B(1.32764099e-3f), B(9.67554084e-3f));
  p = simd::fused(p, f, B(0.0555071347f));
  p = simd::fused(p, f, B(0.240221197f));
  p = simd::fused(p, f, B(0.693146967f));
  p = simd::fused(p, f, B(1.00000007f));
  const B far = B(1.0f) - simd::scaled(p, n);
  // minimax polynomial of (erf(t) / t - 1) of t^2
  const B z = t * t;
  B q = simd::fused(z, B(4.28179652e-3f), B(-0.0264744771f));
  q = simd::fused(q, z, B(0.11276999f));
  q = simd::fused(q, z, B(-0.376122216f));
  q = simd::fused(q, z, B(0.128379126f));
  return xsimd::select(t > B(0.7f), far, simd::fused(q, t, t)) | sign;
}

template <typename S, typename A>
struct Functions<xsimd::batch<S, A>> {
  using B = xsimd::batch<S, A>;
  using M = typename B::batch_bool_type;
  using Scalar = S;
  static constexpr bool isFloat = sizeof(S) == 4;

  static B negate(B x) { return x ^ B(S(-0.0)); }  // 0 - x would lose the sign of 0
  static B abs(B x) { return xsimd::abs(x); }
  static B sqrt(B x) { return xsimd::sqrt(x); }
  /// Beyond this limit expWithin loses the last binade and the subnormal results.
  static constexpr S EXP_LIMIT = isFloat ? S(87.3) : S(708);
  SD_INLINE static B expWithin(B x) {
#if defined(SD_HAS_FUSED_MULTIPLY_ADD)
    if constexpr (isFloat)
      return expFloat(x);
    else
      return expDouble(x);
#else
    return xsimd::exp(x);
#endif
  }
  SD_INLINE static B exp(B x) {
    return patch(
        expWithin(x), xsimd::abs(x) > B(EXP_LIMIT), [](S v) { return std::exp(v); }, x);
  }
  static B expm1(B x) {
    // select keeps the sign of 0
    return patch(
        xsimd::select(x == B(S(0)), x, xsimd::expm1(x)), x > B(S(isFloat ? 88.0 : 709.0)),
        [](S v) { return std::expm1(v); }, x);
  }
  static B log(B x) {
#if defined(SD_HAS_FUSED_MULTIPLY_ADD)
    if constexpr (isFloat) return logFloat(x);
#endif
    const B r = xsimd::log(x);
    if constexpr (isFloat) return r;
    return patch(
        r, x < B(std::numeric_limits<S>::min()), [](S v) { return std::log(v); }, x);
  }
  static B log1p(B x) { return xsimd::select(x == B(S(0)), x, xsimd::log1p(x)); }
  static B log2(B x) {
    const B r = xsimd::log2(x);
    if constexpr (isFloat) return r;
    return patch(
        r, x < B(std::numeric_limits<S>::min()), [](S v) { return std::log2(v); }, x);
  }
  static B sin(B x) { return xsimd::sin(x); }
  static B cos(B x) { return xsimd::cos(x); }
  static B tan(B x) { return xsimd::tan(x); }
  static B asin(B x) { return xsimd::asin(x); }
  static B acos(B x) { return xsimd::acos(x); }
  static B atan(B x) { return xsimd::atan(x); }
  static B sinh(B x) { return xsimd::sinh(x); }
  static B cosh(B x) { return xsimd::cosh(x); }
  SD_INLINE static B tanh(B x) {
#if defined(SD_HAS_FUSED_MULTIPLY_ADD)
    if constexpr (isFloat) return tanhFloat(x);
#endif
    return xsimd::tanh(x);
  }
  static B asinh(B x) { return xsimd::asinh(x); }
  static B acosh(B x) { return xsimd::select(x < B(S(1)), B(std::numeric_limits<S>::quiet_NaN()), xsimd::acosh(x)); }
  static B atanh(B x) { return xsimd::atanh(x); }
  SD_INLINE static B erf(B x) {
    if constexpr (isFloat)
      return erfFloat(x);
    else
      return lanewise([](S v) { return std::erf(v); }, x);  // the vector form is off by up to 68 ulp
  }
  static B erfc(B x) {
    return lanewise([](S v) { return std::erfc(v); }, x);
  }  // the same, also in float
  static B floor(B x) { return xsimd::floor(x); }
  static B ceil(B x) { return xsimd::ceil(x); }
  static B trunc(B x) { return xsimd::trunc(x); }
  static B round(B x) {
    // adding the largest value below one half keeps 0.49999997 from rounding up
    const B half(isFloat ? S(0.49999997f) : S(0.49999999999999994));
    return xsimd::trunc(x + xsimd::copysign(half, x));
  }
  static B rint(B x) { return xsimd::nearbyint(x); }
  static B add(B x, B y) { return x + y; }
  static B subtract(B x, B y) { return x - y; }
  static B multiply(B x, B y) { return x * y; }
  SD_INLINE static B pow(B x, B y) {
#if defined(SD_HAS_FUSED_MULTIPLY_ADD)
    if constexpr (isFloat) return powFloat(x, y);
#endif
    return lanewise([](S a, S b) { return std::pow(a, b); }, x, y);
  }
  static B atan2(B y, B x) {
    return lanewise([](S a, S b) { return std::atan2(a, b); }, y, x);
  }
  static B fmod(B x, B y) {
    return lanewise([](S a, S b) { return std::fmod(a, b); }, x, y);
  }
  static B remainder(B x, B y) {
    return lanewise([](S a, S b) { return std::remainder(a, b); }, x, y);
  }
  static B copysign(B x, B y) { return xsimd::copysign(x, y); }
  static M isnan(B x) { return xsimd::isnan(x); }
  static M isinf(B x) { return xsimd::abs(x) == B(std::numeric_limits<S>::infinity()); }
  static M isfinite(B x) { return xsimd::abs(x) < B(std::numeric_limits<S>::infinity()); }
  static B select(M mask, B whenTrue, B whenFalse) { return xsimd::select(mask, whenTrue, whenFalse); }
#if defined(__x86_64__)
  // the instructions return the second operand when one is NaN, as required here
  static B min(B x, B y) { return xsimd::min(x, y); }
  static B max(B x, B y) { return xsimd::max(x, y); }
#else
  static B min(B x, B y) { return select(x < y, x, y); }
  static B max(B x, B y) { return select(x > y, x, y); }
#endif
};

}  // namespace math
}  // namespace sd

#endif
