// exp(x) and exp(x) - 1 of batches.
#ifndef NDFORGE_SRC_SIMD_EXPONENTIALS_H
#define NDFORGE_SRC_SIMD_EXPONENTIALS_H

#include "simd/fused.h"

#if defined(SD_HAS_FUSED_MULTIPLY_ADD)
namespace sd {
namespace math {

/// Integer lanes of the same width as those of a batch of float or double, and what its bits mean.
template <typename B>
struct FloatBits;
template <typename A>
struct FloatBits<xsimd::batch<float, A>> {
  using I = xsimd::batch<uint32_t, A>;
  static constexpr int EXPONENT_AT = 23;
  static constexpr uint32_t EXPONENT = 0x7f800000u, ONE = 0x3f800000u, STEP = 0x00800000u;
  /// Adding 1.5 * 2^23 rounds to an integer, which the last bits of the sum hold.
  static constexpr float ROUNDER = 12582912.0f;
  static constexpr uint32_t ROUNDER_BITS = 0x4b400000u;
};
template <typename A>
struct FloatBits<xsimd::batch<double, A>> {
  using I = xsimd::batch<uint64_t, A>;
  static constexpr int EXPONENT_AT = 52;
  static constexpr uint64_t EXPONENT = 0x7ff0000000000000u, ONE = 0x3ff0000000000000u, STEP = 0x0010000000000000u;
  static constexpr double ROUNDER = 6755399441055744.0;  // 1.5 * 2^52
  static constexpr uint64_t ROUNDER_BITS = 0x4338000000000000u;
};

/// x = n * ln(2) + rest with |rest| <= ln(2) / 2. Adding `shift` to the bits of a number multiplies it by 2^n.
template <typename B>
struct ReducedExponent {
  typename FloatBits<B>::I shift;
  B rest;
};

template <typename B>
SD_INLINE ReducedExponent<B> reduceExponent(B x) {
  using F = FloatBits<B>;
  constexpr bool isFloat = sizeof(typename B::value_type) == 4;
  const B rounder(F::ROUNDER);
  const B sum = simd::fused(x, B(isFloat ? 1.44269504f : 1.4426950408889634), rounder), n = sum - rounder;
  B r = simd::fused(n, B(isFloat ? -0.693145752f : -0.693147180559663), x);
  r = simd::fused(n, B(isFloat ? -1.42860677e-6f : -2.8235290563031577e-13), r);
  return {simd::bitsAs<typename F::I>(sum) << F::EXPONENT_AT, r};
}

/// exp(r) - 1 for |r| <= ln(2) / 2.
template <typename A>
SD_INLINE xsimd::batch<float, A> expm1OfRest(xsimd::batch<float, A> r) {
  using B = xsimd::batch<float, A>;
  // minimax polynomial of (exp(r) - 1 - r) / r^2; exp(r) is within 2^-28
  B p = simd::fused(r, B(0.00138145394f), B(0.00836874545f));
  p = simd::fused(p, r, B(0.0416683890f));
  p = simd::fused(p, r, B(0.166665211f));
  p = simd::fused(p, r, B(0.49999994f));
  return simd::fused(r * r, p, r);
}
template <typename A>
SD_INLINE xsimd::batch<double, A> expm1OfRest(xsimd::batch<double, A> r) {
  using B = xsimd::batch<double, A>;
  // Chebyshev interpolation of (exp(r) - 1 - r) / r^2, within 2.1e-16
  B p = simd::fused(r, B(2.5100424157005067e-8), B(2.7620138719733994e-7));
  p = simd::fused(p, r, B(2.7557268378684192e-6));
  p = simd::fused(p, r, B(2.480152119021773e-5));
  p = simd::fused(p, r, B(1.9841269863105968e-4));
  p = simd::fused(p, r, B(1.3888888917281794e-3));
  p = simd::fused(p, r, B(8.333333333330051e-3));
  p = simd::fused(p, r, B(4.166666666662399e-2));
  p = simd::fused(p, r, B(0.16666666666666669));
  p = simd::fused(p, r, B(0.5));
  return simd::fused(r * r, p, r);
}

/// 2^n of a reduced exponent, where that is a normal number.
template <typename B>
SD_INLINE B powerOf(const ReducedExponent<B>& reduced) {
  return simd::bitsAs<B>(reduced.shift + typename FloatBits<B>::I(FloatBits<B>::ONE));
}

#if defined(__AVX512F__)
/// exp(x) = 2^n * 2^(k/16) * exp(r) with |r| <= ln(2) / 32: two registers hold the 16 powers, and fewer terms are left.
SD_INLINE __m512d expBySixteenths(__m512d x) {
  const __m512d lower = _mm512_setr_pd(1.0, 1.0442737824274138, 1.0905077326652577, 1.1387886347566916,
                                       1.189207115002721, 1.241857812073484, 1.2968395546510096, 1.3542555469368927);
  const __m512d upper = _mm512_setr_pd(1.4142135623730951, 1.4768261459394993, 1.5422108254079407, 1.6104903319492543,
                                       1.681792830507429, 1.7562521603732995, 1.8340080864093424, 1.9152065613971474);
  const __m512d rounder = _mm512_set1_pd(6755399441055744.0);  // 1.5 * 2^52
  const __m512d sum = _mm512_fmadd_pd(x, _mm512_set1_pd(23.083120654223414), rounder), n = _mm512_sub_pd(sum, rounder);
  __m512d r = _mm512_fmadd_pd(n, _mm512_set1_pd(-0.043321698784978935), x);
  r = _mm512_fmadd_pd(n, _mm512_set1_pd(-1.7647056601894736e-14), r);
  // the last bits of the sum are those of 16 * n + k
  const __m512i last = _mm512_castpd_si512(sum), shift = _mm512_slli_epi64(_mm512_srli_epi64(last, 4), 52);
  const __m512i root = _mm512_castpd_si512(_mm512_permutex2var_pd(lower, last, upper));
  const __m512d power = _mm512_castsi512_pd(_mm512_add_epi64(root, shift));
  // minimax polynomial of (exp(r) - 1 - r) / r^2; exp(r) is within 2^-56
  __m512d p = _mm512_fmadd_pd(r, _mm512_set1_pd(1.3888595682724299e-3), _mm512_set1_pd(8.333472047457744e-3));
  p = _mm512_fmadd_pd(p, r, _mm512_set1_pd(0.04166666669315363));
  p = _mm512_fmadd_pd(p, r, _mm512_set1_pd(0.1666666666441395));
  p = _mm512_fmadd_pd(p, r, _mm512_set1_pd(0.49999999999999606));
  return _mm512_fmadd_pd(power, _mm512_fmadd_pd(_mm512_mul_pd(r, r), p, r), power);
}
#endif

/// exp(x) for |x| <= 87.3 in float, 708 in double. Error below 1.2 ulp.
template <typename B>
SD_INLINE B expOfUsual(B x) {
#if defined(__AVX512F__)
  if constexpr (sizeof(typename B::value_type) == 8 && sizeof(B) == sizeof(__m512d)) return expBySixteenths(x);
#endif
  const ReducedExponent<B> reduced = reduceExponent(x);
  const B power = powerOf(reduced);
  return simd::fused(power, expm1OfRest(reduced.rest), power);
}

/// exp(x) - 1. Error below 2 ulp.
template <typename B>
SD_INLINE B expm1Batch(B x) {
  using S = typename B::value_type;
  using F = FloatBits<B>;
  constexpr bool isFloat = sizeof(S) == 4;
  // Results at the limits round to -1 and to infinity. min and max return NaN.
  const B a = xsimd::max(B(S(isFloat ? -18 : -40)), xsimd::min(B(S(isFloat ? 88.8 : 709.9)), x));
  const ReducedExponent<B> reduced = reduceExponent(a);
  const B q = expm1OfRest(reduced.rest);
  // 2^n * q + (2^n - 1) in halves, as 2^n may be infinite
  const B half = simd::bitsAs<B>(reduced.shift + typename F::I(F::ONE - F::STEP));
  const B less = half - B(S(0.5));
  return (simd::fused(half, q + q, less) + less) | (x & B(S(-0.0)));
}

}  // namespace math
}  // namespace sd
#endif

#endif
