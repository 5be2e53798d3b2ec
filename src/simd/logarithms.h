// Logarithms and powers of batches.
#ifndef NDFORGE_SRC_SIMD_LOGARITHMS_H
#define NDFORGE_SRC_SIMD_LOGARITHMS_H

#include <math/math.h>

#include "simd/fused.h"
#include "simd/patch.h"

namespace sd {
namespace math {

#if defined(SD_HAS_FUSED_MULTIPLY_ADD)
/// x = m * 2^exponent for normal x > 0, with m in sqrt(1/2) .. sqrt(2).
template <typename A>
struct MantissaAndExponent {
  using B = xsimd::batch<double, A>;
  using I = xsimd::batch<uint64_t, A>;
  I biased;  // exponent + 1023, followed by the bits of m - sqrt(1/2)
  SD_INLINE explicit MantissaAndExponent(B x) : biased(simd::bitsAs<I>(x) + I(0x3ff0000000000000 - ROOT)) {}
  SD_INLINE B m() const { return simd::bitsAs<B>((biased & I(0x000fffffffffffff)) + I(ROOT)); }
  SD_INLINE B exponent() const { return shifted() - B(SHIFT); }
  /// -exponent, +0 rather than -0.
  SD_INLINE B minusExponent() const { return B(SHIFT) - shifted(); }
  /// 2^-exponent for exponents below 1023.
  SD_INLINE B inversePower() const { return simd::bitsAs<B>(I(0x7fe0000000000000) - (biased & I(0x7ff0000000000000))); }

 private:
  /// exponent + SHIFT: the bits of 2^52 + n end in those of n.
  SD_INLINE B shifted() const { return simd::bitsAs<B>((biased >> 52) | I(0x4330000000000000)); }
  static constexpr double SHIFT = 4503599627371519.0;   // 2^52 + 1023
  static constexpr uint64_t ROOT = 0x3fe6a09e667f3bcd;  // the bits of sqrt(1/2)
};

/// log((1 + f) / 2^j) for 1 + f in sqrt(1/2) .. sqrt(2). Keeps the sign of f = 0 when j is +0: j, not the exponent
/// itself, is the argument because the product of +0 and a negative constant is -0, which added to f leaves f as it is.
template <typename A>
SD_INLINE xsimd::batch<double, A> logOfParts(xsimd::batch<double, A> f, xsimd::batch<double, A> j) {
  using B = xsimd::batch<double, A>;
  // log(1 + f) = 2 * atanh(s) = f - s * (f - s^2 * r)
  const B s = f / (f + B(2.0)), s2 = s * s, s4 = s2 * s2;
  // minimax polynomial of (2 * atanh(s) / s - 2) / s^2; its error in log(1 + f) is 2^-59 of log(1 + f)
  B r = simd::fused(s2, B(0.14796099167054516), B(0.1531403629308356));
  r = simd::fused(r, s4, simd::fused(s2, B(0.18183564857338821), B(0.22222198563447795)));
  r = simd::fused(r, s4, simd::fused(s2, B(0.28571428742478155), B(0.3999999999941429)));
  r = simd::fused(r, s2, B(0.6666666666666734));
  // -log(2) in two parts: the products of the first are exact
  const B rest = j * B(-5.497923018708371e-14) - s * (f - s2 * r);
  return simd::fused(j, B(-0.6931471805598903), f + rest);
}

/// The same in float, for j * 2^23.
template <typename A>
SD_INLINE xsimd::batch<float, A> logOfParts(xsimd::batch<float, A> f, xsimd::batch<float, A> j) {
  using B = xsimd::batch<float, A>;
  const B s = f / (f + B(2.0f)), s2 = s * s;
  // minimax polynomial of (2 * atanh(s) / s - 2) / s^2; its error in log(1 + f) is 2^-30 of log(1 + f)
  B r = simd::fused(s2, B(0.29871878f), B(0.39977536f));
  r = simd::fused(r, s2, B(0.66666776f));
  // -log(2) / 2^23 in two parts: the products of the first are exact
  const B rest = j * B(-3.8082819e-12f) - s * (f - s2 * r);
  return simd::fused(j, B(-8.2625774666666145e-8f), f + rest);
}

/// log(x) of normal x > 0. Error below 0.9 ulp.
template <typename A>
SD_INLINE xsimd::batch<double, A> logOfNormal(xsimd::batch<double, A> x) {
  const MantissaAndExponent<A> parts(x);
  return logOfParts(parts.m() - xsimd::batch<double, A>(1.0), parts.minusExponent());
}

template <typename A>
SD_INLINE xsimd::batch<float, A> logOfNormal(xsimd::batch<float, A> x) {
  using B = xsimd::batch<float, A>;
  using I = xsimd::batch<int32_t, A>;
  const I bits = simd::bitsAs<I>(x);
  const I j = (I(0x3f3504f3 + 0x007fffff) - bits) & I(-0x00800000);  // x * 2^(j >> 23) lies in sqrt(1/2) .. sqrt(2)
  return logOfParts(simd::bitsAs<B>(bits + j) - B(1.0f), xsimd::to_float(j));
}

/// log(x) where lanes may be anything.
template <typename B>
[[gnu::noinline]] B logOfAny(B x) {
  using S = typename B::value_type;
  constexpr bool isFloat = sizeof(S) == 4;
  constexpr S INFINITE = std::numeric_limits<S>::infinity();
  const auto isSubnormal = x < B(std::numeric_limits<S>::min());
  // 2^23 and 2^54, and their logarithms
  const B normal = xsimd::select(isSubnormal, x * B(S(isFloat ? 8388608.0 : 18014398509481984.0)), x);
  B z = logOfNormal(normal) - xsimd::select(isSubnormal, B(S(isFloat ? 15.942385f : 37.429947750237048)), B(S(0)));
  z = xsimd::select(x < B(INFINITE), z, x);  // infinity and NaN
  z = xsimd::select(x == B(S(0)), B(-INFINITE), z);
  return xsimd::select(x < B(S(0)), B(std::numeric_limits<S>::quiet_NaN()), z);
}

/// log(x). Batches that hold 0, subnormal, negative or special lanes take a slower way.
template <typename B>
SD_INLINE B logBatch(B x) {
  using S = typename B::value_type;
  const auto isNormal = (x >= B(std::numeric_limits<S>::min())) && (x < B(std::numeric_limits<S>::infinity()));
  return __builtin_expect(xsimd::all(isNormal), true) ? logOfNormal(x) : logOfAny(x);
}

/// Below this limit, log1pWithin holds: larger exponents have no normal inverse power.
template <typename S>
inline constexpr S LOG1P_LIMIT = sizeof(S) == 4 ? S(1e38) : S(1e308);

/// log(1 + x) for -1 < x < 1e308.
template <typename A>
SD_INLINE xsimd::batch<double, A> log1pWithin(xsimd::batch<double, A> x) {
  using B = xsimd::batch<double, A>;
  const B one(1.0), sum = x + one, sumRest = x - (sum - one);
  const MantissaAndExponent<A> parts(sum);
  const B f = simd::fusedSubtract(sumRest, parts.inversePower(), one - parts.m());  // -0 - +0 is -0
  return logOfParts(f, parts.minusExponent());
}

/// log(1 + x) for -1 < x < 1e38.
template <typename A>
SD_INLINE xsimd::batch<float, A> log1pWithin(xsimd::batch<float, A> x) {
  using B = xsimd::batch<float, A>;
  using I = xsimd::batch<int32_t, A>;
  const B one(1.0f), sum = x + one, sumRest = x - (sum - one);
  const I bits = simd::bitsAs<I>(sum);
  // m = sum * 2^(j >> 23) lies in sqrt(1/2) .. sqrt(2)
  const I j = (I(0x3f3504f3 + 0x007fffff) - bits) & I(-0x00800000);
  const B m = simd::bitsAs<B>(bits + j), inverse = simd::bitsAs<B>(I(0x3f800000) + j);
  return logOfParts(simd::fusedSubtract(sumRest, inverse, one - m), xsimd::to_float(j));
}

/// log(1 + x) where lanes may be anything.
template <typename B>
[[gnu::noinline]] B log1pOfAny(B x) {
  using S = typename B::value_type;
  constexpr S INFINITE = std::numeric_limits<S>::infinity();
  const auto isLarge = x >= B(LOG1P_LIMIT<S>);
  B z = xsimd::select(x < B(LOG1P_LIMIT<S>), log1pWithin(x), x);  // infinity and NaN
  z = xsimd::select(x == B(S(-1)), B(-INFINITE), z);
  z = xsimd::select(x < B(S(-1)), B(std::numeric_limits<S>::quiet_NaN()), z);
  return patch(
      z, isLarge && (x < B(INFINITE)), [](S v) { return std::log1p(v); }, x);
}

/// log(1 + x). Error below 1.6 ulp. Batches that hold -1, lesser, very large or special lanes take a slower way.
template <typename B>
SD_INLINE B log1pBatch(B x) {
  using S = typename B::value_type;
  const auto isWithin = (x > B(S(-1))) && (x < B(LOG1P_LIMIT<S>));
  return __builtin_expect(xsimd::all(isWithin), true) ? log1pWithin(x) : log1pOfAny(x);
}

/// x^y in float for lanes where x is normal and |log2(x^y)| < 64; the scalar function computes the other lanes.
///
/// log2(x) = k + 2/ln(2) * atanh(s), s = (m - 1) / (m + 1), is represented as a sum of two floats, so that multiplying
/// by y keeps the digits that exp2 needs. Error below 3 ulp. Needs a fused multiply-add.
template <typename A>
SD_INLINE xsimd::batch<float, A> powBatch(xsimd::batch<float, A> x, xsimd::batch<float, A> y) {
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
  return patch(
      result, !usual, [](float a, float b) { return std::pow(a, b); }, x, y);
}

/// z = |x|^y with the sign of x^y; NaN where x is negative and y is not an integer.
template <typename A>
SD_INLINE xsimd::batch<double, A> signOfPower(xsimd::batch<double, A> x, xsimd::batch<double, A> y,
                                              xsimd::batch<double, A> z) {
  using B = xsimd::batch<double, A>;
  const B half = y * B(0.5), zero(0.0);
  const auto isEven = xsimd::nearbyint(half) == half, isInteger = xsimd::nearbyint(y) == y;
  z = z ^ xsimd::select(isEven, zero, x & B(-0.0));
  return xsimd::select(isInteger || (x >= zero), z, B(std::numeric_limits<double>::quiet_NaN()));
}

/// x^y where lanes may be anything: t = y * log2(|x|) and z = 2^t hold for normal x and |t| < 1021.
template <typename A>
[[gnu::noinline]] xsimd::batch<double, A> powOfAny(xsimd::batch<double, A> x, xsimd::batch<double, A> y,
                                                   xsimd::batch<double, A> t, xsimd::batch<double, A> z) {
  using B = xsimd::batch<double, A>;
  const B zero(0.0), one(1.0), infinite(std::numeric_limits<double>::infinity()), magnitude = xsimd::abs(x);
  z = xsimd::select(t >= B(1025.0), infinite, z);
  z = xsimd::select(t <= B(-1076.0), zero, z);
  z = signOfPower(x, y, xsimd::select(magnitude == one, one, z));
  // 0 and infinity have powers of any exponent; their sign counts for odd integers only
  const B half = y * B(0.5);
  const auto isOdd = (xsimd::nearbyint(y) == y) && (xsimd::nearbyint(half) != half);
  const B limit = xsimd::select(y < zero, one / magnitude, magnitude) ^ xsimd::select(isOdd, x & B(-0.0), zero);
  const auto isOrdinary = (magnitude > zero) && (magnitude < infinite);
  z = xsimd::select(isOrdinary, z, limit);
  z = xsimd::select((x == x) && (y == y), z, x + y);
  z = xsimd::select((y == zero) || (x == one), one, z);
  const auto isExtreme = (xsimd::abs(t) >= B(1021.0)) && (t < B(1025.0)) && (t > B(-1076.0));
  const auto isSubnormal = magnitude < B(std::numeric_limits<double>::min());
  return patch(
      z, isOrdinary && (isSubnormal || isExtreme), [](double a, double b) { return std::pow(a, b); }, x, y);
}

/// x^y. Needs a fused multiply-add. Subnormal x and results close to the ends of the range are left to the C library.
///
/// log2(x) = k + 2/ln(2) * atanh(s), s = (m - 1) / (m + 1), is represented as a sum of two doubles, as are s, s^2 and
/// the first two terms of the series. Error below 1.3 ulp.
template <typename A>
[[gnu::noinline]] xsimd::batch<double, A> powBatch(xsimd::batch<double, A> x, xsimd::batch<double, A> y) {
  using B = xsimd::batch<double, A>;
  const MantissaAndExponent<A> parts(xsimd::abs(x));
  const B m = parts.m(), k = parts.exponent();
  const B zero(0.0), one(1.0);
  // s with the opposite sign, so that the products need no negation. Fused with 0 keeps the compiler from contracting
  // products whose rounding is corrected.
  const B c = m - one, d = m + one, dRest = m - (d - one);
  const B inverse = B(-1.0) / d, s = simd::fused(c, inverse, zero);
  const B sRest = simd::fused(s, dRest, simd::fused(s, d, c)) * inverse;
  const B u = simd::fused(s, s, zero), uRest = simd::fused(s + s, sRest, simd::fusedSubtract(s, s, u));
  const B scale(-2.8853900817779268), scaleRest(-4.0710547481862066e-17), third(-0.9617966939259756);  // -2 / ln(2)
  // minimax polynomial of ((atanh(s) / s - 1) * scale / u - third) / u; its error in log2(m) is 2^-66 of log2(m)
  const B u2 = u * u;
  B p = simd::fused(u2, B(-0.19091532758969013), simd::fused(u, B(-0.19119084390935454), B(-0.22198718414003762)));
  p = simd::fused(p, u2, simd::fused(u, B(-0.2623076184633993), B(-0.32059890346910574)));
  p = simd::fused(p, u2, simd::fused(u, B(-0.41219858308249707), B(-0.5770780163556545)));
  // log2(m) = s * r, r = scale + u * q, q = third + u * p
  const B q = simd::fused(p, u, third), qRest = simd::fused(p, u, third - q);
  const B r = simd::fused(u, q, scale);
  const B rRest = simd::fused(u, q, scale - r) + simd::fused(u, qRest, simd::fused(uRest, q, scaleRest));
  const B sum = simd::fused(s, r, k);  // k is 0 or larger than s * r: k - sum is exact
  const B rest = simd::fused(s, rRest, simd::fused(sRest, r, simd::fused(s, r, k - sum)));
  const B shift(6755399441055744.0);                                  // 1.5 * 2^52: adding it rounds to integers
  const B shifted = simd::fused(y, sum, shift), n = shifted - shift;  // the bits of `shifted` end in those of n
  const B t = y * sum, f = simd::fused(y, rest, simd::fusedSubtract(y, sum, n));
  // minimax polynomial of (2^f - 1) / f; its error in 2^f is 2^-56
  const auto line = [&](double slope, double start) { return simd::fused(f, B(slope), B(start)); };
  const B f2 = f * f, f4 = f2 * f2;
  B e = simd::fused(f2, line(4.457387371426054e-10, 7.0738599969564214e-9),
                    line(1.0178046461569588e-7, 1.3215434818051409e-6));
  e = simd::fused(e, f4,
                  simd::fused(f2, line(1.5252733867539189e-5, 1.5403530458077118e-4),
                              line(1.3333558146379034e-3, 9.618129107593335e-3)));
  e = simd::fused(e, f2, line(5.550410866482174e-2, 0.24022650695910133));
  e = simd::fused(e, f, B(0.6931471805599453));
  using I = typename MantissaAndExponent<A>::I;
  const B z = simd::bitsAs<B>(simd::bitsAs<I>(simd::fused(e, f, one)) + (simd::bitsAs<I>(shifted) << 52));
  // normal x, results within 2^-1021 .. 2^1021
  const auto isUsual = simd::fused(k, k, t * t) < B(1021.0 * 1021.0);
  if (__builtin_expect(xsimd::all(isUsual && (x > zero)), true)) return z;
  return xsimd::all(isUsual) ? signOfPower(x, y, z) : powOfAny(x, y, t, z);
}
#endif

}  // namespace math
}  // namespace sd

#endif
