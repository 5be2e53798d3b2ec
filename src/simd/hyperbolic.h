// Hyperbolic functions of batches, and their inverses.
#ifndef NDFORGE_SRC_SIMD_HYPERBOLIC_H
#define NDFORGE_SRC_SIMD_HYPERBOLIC_H

#include <cmath>
#include <limits>

#include "simd/exponentials.h"
#include "simd/patch.h"

#if defined(SD_HAS_FUSED_MULTIPLY_ADD)
namespace sd {
namespace math {

/// tanh(x) = e / (e + 2) with e = exp(2|x|) - 1, which is accurate near 0. Error below 2.6 ulp.
template <typename A>
SD_INLINE xsimd::batch<double, A> tanhBatch(xsimd::batch<double, A> x) {
  using B = xsimd::batch<double, A>;
  const B sign = x & B(-0.0), a = xsimd::min(B(19.1), x ^ sign);  // tanh(19.1) rounds to 1; min returns NaN
  const ReducedExponent<B> reduced = reduceExponent(a + a);
  const B q = expm1OfRest(reduced.rest);
  const B power = powerOf(reduced);
  const B e = simd::fused(power, q, power - B(1.0));
  return (e / (e + B(2.0))) ^ sign;
}

/// The same in float. Error below 3 ulp.
template <typename A>
SD_INLINE xsimd::batch<float, A> tanhBatch(xsimd::batch<float, A> x) {
  using B = xsimd::batch<float, A>;
  using F = FloatBits<B>;
  const B sign = x & B(-0.0f), a = xsimd::min(B(9.1f), x ^ sign), rounder(F::ROUNDER);  // as above
  const B sum = simd::fused(a, B(2.88539008f), rounder), n = sum - rounder;
  const B r = simd::fused(n, B(-0.34657359f), a);  // a = n * ln(2) / 2 + r
  // minimax polynomial of (exp(2r) - 1 - 2r) / r^2
  B p = simd::fused(r, B(0.0888481052f), B(0.267729508f));
  p = simd::fused(p, r, B(0.666675211f));
  p = simd::fused(p, r, B(1.33332347f));
  p = simd::fused(p, r, B(1.99999993f));
  const B q = simd::fused(r * r, p, r + r);
  const B power = simd::bitsAs<B>((simd::bitsAs<typename F::I>(sum) << F::EXPONENT_AT) + typename F::I(F::ONE));
  const B e = simd::fused(power, q, power - B(1.0f));
  return (e / (e + B(2.0f))) ^ sign;
}

/// 2 * (sinh(r) - r) / r^3 and 2 * (cosh(r) - 1) / r^2 of z = r^2 for |r| <= ln(2) / 2: minimax polynomials.
template <typename A>
SD_INLINE void sinhAndCoshOfRest(xsimd::batch<float, A> z, xsimd::batch<float, A>& s, xsimd::batch<float, A>& c) {
  using B = xsimd::batch<float, A>;
  s = simd::fused(z, B(0.016733292f), B(0.33333084f));  // sinh(r) within 2^-26 of itself
  c = simd::fused(z, B(0.0027892666f), B(0.083332532f));
  c = simd::fused(c, z, B(1.0f));  // cosh(r) within 2^-29
}
template <typename A>
SD_INLINE void sinhAndCoshOfRest(xsimd::batch<double, A> z, xsimd::batch<double, A>& s, xsimd::batch<double, A>& c) {
  using B = xsimd::batch<double, A>;
  s = simd::fused(z, B(5.02182959943397e-8), B(5.51144878196947e-6));  // sinh(r) within 2^-61 of itself
  s = simd::fused(s, z, B(3.968253977280591e-4));
  s = simd::fused(s, z, B(1.666666666664306e-2));
  s = simd::fused(s, z, B(0.33333333333333354));
  c = simd::fused(z, B(5.526296618513176e-7), B(4.9602978742545354e-5));  // cosh(r) within 2^-57
  c = simd::fused(c, z, B(2.777777789515371e-3));
  c = simd::fused(c, z, B(8.333333333302638e-2));
  c = simd::fused(c, z, B(1.0000000000000027));
}

/// sinh(x) or cosh(x) of x >= 0. With x = n * ln(2) + r, S = sinh(n * ln(2)) and C = cosh(n * ln(2)), which are sums of
/// two powers of 2, sinh(x) = S * cosh(r) + C * sinh(r) and cosh(x) = C * cosh(r) + S * sinh(r).
template <bool IsSinh, typename B>
SD_INLINE B sinhOrCosh(B x) {
  using S = typename B::value_type;
  using F = FloatBits<B>;
  using I = typename F::I;
  constexpr bool isFloat = sizeof(S) == 4;
  const B a = xsimd::min(B(S(isFloat ? 89.5 : 710.6)), x);  // both are infinite at the limit; min returns NaN
  const ReducedExponent<B> reduced = reduceExponent(a);
  const B r = reduced.rest, z = r * r;
  B s, c;
  sinhAndCoshOfRest(z, s, c);
  const B twiceSinh = simd::fused(z * r, s, r + r), twiceCosh1 = z * c;  // 2 * sinh(r) and 2 * (cosh(r) - 1)
  // S / 2 and C / 2 are finite wherever the result is
  const I quarter(F::ONE - 2 * F::STEP);
  const B power = simd::bitsAs<B>(quarter + reduced.shift);
  // an exponent that is too small gives a negative number
  const B inverse = xsimd::max(simd::bitsAs<B>(quarter - reduced.shift), B(S(0)));
  const B sum = power + inverse, difference = power - inverse;
  const B ofCosh = IsSinh ? difference : sum, ofSinh = IsSinh ? sum : difference;
  const B small = simd::fused(ofCosh, twiceCosh1, ofSinh * twiceSinh);
  return simd::fused(ofCosh, B(S(2)), small);
}

/// sinh(x). Error below 2.5 ulp.
template <typename B>
SD_INLINE B sinhBatch(B x) {
  const B sign = x & B(typename B::value_type(-0.0));
  return sinhOrCosh<true>(x ^ sign) | sign;
}

/// cosh(x). Error below 2 ulp.
template <typename B>
SD_INLINE B coshBatch(B x) {
  return sinhOrCosh<false>(xsimd::abs(x));
}

/// (2 * atanh(d / 2) - d) / d^3 of z = d^2 for |d| <= 0.491: minimax polynomials.
template <typename A>
SD_INLINE xsimd::batch<float, A> atanhPolynomial(xsimd::batch<float, A> z) {
  using B = xsimd::batch<float, A>;
  const B p = simd::fused(z, B(0.0024479546f), B(0.0124690775f));  // atanh within 2^-26 of itself
  return simd::fused(p, z, B(0.08333458f));
}
template <typename A>
SD_INLINE xsimd::batch<double, A> atanhPolynomial(xsimd::batch<double, A> z) {
  using B = xsimd::batch<double, A>;
  B p = simd::fused(z, B(2.6498562440630757e-7), B(8.631445001990808e-7));  // atanh within 2^-59 of itself
  p = simd::fused(p, z, B(4.07894651357778e-6));
  p = simd::fused(p, z, B(1.8778338352184594e-5));
  p = simd::fused(p, z, B(8.877858938810539e-5));
  p = simd::fused(p, z, B(4.3402776632823093e-4));
  p = simd::fused(p, z, B(2.2321428575534505e-3));
  p = simd::fused(p, z, B(1.249999999999279e-2));
  return simd::fused(p, z, B(0.08333333333333337));
}

/// v = 2^k * m. Which numbers have k = 0 depends on what the caller added to the bits of v.
template <typename B>
struct PowerOfTwo {
  B power, k;
};
template <typename B>
SD_INLINE PowerOfTwo<B> powerOfTwo(typename FloatBits<B>::I bits) {
  using S = typename B::value_type;
  using F = FloatBits<B>;
  using I = typename F::I;
  constexpr S BIAS = sizeof(S) == 4 ? 127 : 1023;
  const B biased = simd::bitsAs<B>((bits >> F::EXPONENT_AT) + I(F::ROUNDER_BITS));
  return {simd::bitsAs<B>(bits & I(F::EXPONENT)), biased - B(F::ROUNDER + BIAS)};
}

/// log(c + s) for c = sqrt(s^2 + 1) and s >= 0, up to 1e18 in float and 1e150 in double: k * ln(2) + 2 * atanh(d / 2)
/// with d = 2 * (m - 1) / (m + 1) and c + s = 2^k * m. For k = 0, d is 2 * s / (c + 1), which is accurate near 0.
template <typename B>
SD_INLINE B logOfSum(B c, B s) {
  using S = typename B::value_type;
  using F = FloatBits<B>;
  using I = typename F::I;
  constexpr bool isFloat = sizeof(S) == 4;
  constexpr S LIMIT = S(1.64);  // k = 0 below it: |d| <= 0.486
  const B v = c + s;
  const I offset = I(F::ONE + F::STEP) - simd::bitsAs<I>(B(LIMIT));
  const PowerOfTwo<B> p = powerOfTwo<B>(simd::bitsAs<I>(v) + offset);
  const auto isSmall = v < B(LIMIT);
  const B more = c + p.power, less = c - p.power;
  const B top = xsimd::select(isSmall, s, less + s), bottom = xsimd::select(isSmall, more, more + s);
  const B d = (top + top) / bottom, z = d * d;
  // ln(2) in two parts: the products of the first are exact
  const B low = p.k * B(S(isFloat ? 1.42860677e-6 : 2.8235290563031577e-13));
  const B rest = simd::fused(d * z, atanhPolynomial(z), low);
  return simd::fused(p.k, B(S(isFloat ? 0.693145752 : 0.693147180559663)), d + rest);
}

/// asinh(x). Error below 3.5 ulp.
template <typename B>
SD_INLINE B asinhBatch(B x) {
  using S = typename B::value_type;
  const B sign = x & B(S(-0.0)), s = x ^ sign;
  const B result = logOfSum(xsimd::sqrt(simd::fused(s, s, B(S(1)))), s) | sign;
  return patch(
      result, s > B(S(sizeof(S) == 4 ? 1e18 : 1e150)), [](S v) { return std::asinh(v); }, x);
}

/// acosh(x). Error below 3.5 ulp.
template <typename B>
SD_INLINE B acoshBatch(B x) {
  using S = typename B::value_type;
  const B one(S(1)), nan(std::numeric_limits<S>::quiet_NaN());
  // the product with the rounded x + 1, by which logOfSum divides near 1, makes up for half of its error
  const B result = logOfSum(x, xsimd::sqrt((x - one) * (x + one)));
  return patch(
      xsimd::select(x < one, nan, result), x > B(S(sizeof(S) == 4 ? 1e18 : 1e150)), [](S v) { return std::acosh(v); },
      x);
}

/// atanh(x) = log((1 + a) / (1 - a)) / 2 of a = |x| is k * ln(2) / 2 + atanh(s) for p = 2^k near (1 + a) / (1 - a) and
/// s = (1 + a - p * (1 - a)) / (1 + a + p * (1 - a)). Error below 2 ulp.
template <typename B>
SD_INLINE B atanhBatch(B x) {
  using S = typename B::value_type;
  using F = FloatBits<B>;
  using I = typename F::I;
  constexpr bool isFloat = sizeof(S) == 4;
  const B one(S(1)), sign = x & B(S(-0.0)), a = x ^ sign;
  // the difference of the bits is the logarithm within 0.09: |s| <= 0.242, and k = 0 for a < 0.22
  const I offset = I(F::ONE + F::STEP) - simd::bitsAs<I>(B(S(1.66))) + I(F::ONE);
  const PowerOfTwo<B> p = powerOfTwo<B>(simd::bitsAs<I>(one + a) - simd::bitsAs<I>(one - a) + offset);
  // a * (1 + p) + (1 - p) is rounded once where 1 + p is exact; from 1/2 on, 1 - a is exact
  const B sum = one + p.power, difference = one - p.power;
  const auto isSmall = a < B(S(0.5));
  const B w = xsimd::select(isSmall, a, a - one), two(S(2));
  const B top = simd::fused(w, sum, xsimd::select(isSmall, difference, two));
  const B bottom = simd::fused(w, difference, xsimd::select(isSmall, sum, two));
  const B s = top / bottom, twice = s + s, z = twice * twice;
  // ln(2) / 2 in two parts: the products of the first are exact
  const B low = p.k * B(S(isFloat ? 7.14303385e-7 : 1.4117645281515789e-13));
  const B rest = simd::fused(s * z, atanhPolynomial(z), low);
  const B inside = simd::fused(p.k, B(S(isFloat ? 0.346572876 : 0.3465735902798315)), s + rest);
  const B outside =
      xsimd::select(a == one, B(std::numeric_limits<S>::infinity()), B(std::numeric_limits<S>::quiet_NaN()));
  return xsimd::select(a < one, inside, outside) | sign;
}

}  // namespace math
}  // namespace sd
#endif

#endif
