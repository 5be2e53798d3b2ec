// Exponentials, logarithms, sine and cosine of batches of float and double, for compositions of fused operators. The
// error is at most 4 units in the last place, also for subnormal numbers; where the functions of <cmath> are exact (0,
// 1, infinities, NaN), these are too.
//
// Arguments are reduced in the usual way: x = n ln(2) + r for exponentials, x = 2^k m with m near 1 for logarithms, and
// x = n pi/2 + r for sine and cosine. The polynomials are Chebyshev fits (tools/fit_polynomials.py).
#ifndef NDFORGE_SIMD_LANEELEMENTARY_H
#define NDFORGE_SIMD_LANEELEMENTARY_H

#include <simd/Lanes.h>

#include <cmath>
#include <limits>

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpsabi"
#endif

namespace sd::simd {
inline namespace SD_LANES_NAMESPACE {
namespace detail {

template <typename S>
struct ElementaryConstants;

template <>
struct ElementaryConstants<float> {
  using Bits = std::uint32_t;
  static constexpr int digits = 23, bias = 127, lift = 25;
  static constexpr Bits rootOfHalf = 0x3f3504f3;
  /// ln(2) in two parts; products of the first with an exponent are exact.
  static constexpr float ln2High = 0.693359375f, ln2Low = -2.12194440e-4f;
  /// Beyond these limits exp is infinity or 0, and expm1 is -1.
  static constexpr float most = 89, least = -104, leastMinus1 = -20;
  static constexpr float mostTanh = 9.1f;  ///< from here on tanh rounds to 1
  /// (exp(r) - 1 - r) / r^2 for |r| <= ln(2) / 2
  static constexpr float exp[] = {1.39261818e-3f, 8.36317763e-3f, 4.16665546e-2f, 0.16666577f, 0.5f};
  /// (2 atanh(s) / s - 2) / z for z = s^2 and s = (m - 1) / (m + 1)
  static constexpr float log[] = {0.295809859f, 0.399887577f, 0.666666851f};
  /// pi/2 in four parts; products of the first three with n are exact for angles up to mostAngle.
  static constexpr float halfPi[] = {1.5703125f, 4.837512969970703e-4f, 7.549533620476723e-8f, 2.5633440682570896e-12f};
  static constexpr float mostAngle = 8192;
  /// (sin(r) / r - 1) / z and (cos(r) - 1 + z / 2) / z^2 for z = r^2 and |r| <= pi/4
  static constexpr float sin[] = {-1.95873873e-4f, 8.33274594e-3f, -0.166666647f};
  static constexpr float cos[] = {2.45474375e-5f, -1.38883007e-3f, 4.16666646e-2f};
};

template <>
struct ElementaryConstants<double> {
  using Bits = std::uint64_t;
  static constexpr int digits = 52, bias = 1023, lift = 54;
  static constexpr Bits rootOfHalf = 0x3fe6a09e667f3bcd;
  static constexpr double ln2High = 6.93147180369123816490e-01, ln2Low = 1.90821492927058770002e-10;
  static constexpr double most = 710, least = -746, leastMinus1 = -40;
  static constexpr double mostTanh = 22;
  static constexpr double exp[] = {2.51003831958670213e-8, 2.76200854550184157e-7, 2.75572684648316265e-6,
                                   2.48015213022410831e-5, 1.98412698630505055e-4, 1.3888888917209671e-3,
                                   8.33333333333006246e-3, 4.1666666666624136e-2,  0.166666666666666675,
                                   0.500000000000000102};
  static constexpr double log[] = {0.14617807153417325,  0.153316117220550079, 0.181828924325368712,
                                   0.222222110893794962, 0.285714286262538376, 0.399999999998988905,
                                   0.666666666666666971};
  static constexpr double halfPi[] = {1.5707963267341256, 6.077100506303966e-11, 2.0222662487111665e-21,
                                      8.4784276603689e-32};
  static constexpr double mostAngle = 524288;
  static constexpr double sin[] = {1.59178486651219391e-10, -2.50511279459656386e-8, 2.75573160838257406e-6,
                                   -1.98412698367224359e-4, 8.33333333333092457e-3,  -0.166666666666666646};
  static constexpr double cos[] = {-1.13824568658404824e-11, 2.08761438292139369e-9,  -2.75573172600147074e-7,
                                   2.48015872987430806e-5,   -1.38888888888873823e-3, 4.16666666666666654e-2};
};

template <typename S>
struct Elementary {
  using K = ElementaryConstants<S>;
  using L = Lanes<S>;
  using Native = typename L::Native;
  using Bits = Vector<typename K::Bits, L::size>;
  using Mask = LaneMask<S>;
  using F = math::Functions<L>;  // from simd/LaneFunctions.h, which includes this file

  static SD_LANES_INLINE L exp(L x) {
    const L n = wholePowers(clamp(x, K::least, K::most));
    const L r = reduced(clamp(x, K::least, K::most), n);
    const L y = L(S(1)) + expm1Near0(r);
    // in two steps, because the result may be subnormal
    const L half = rounded(n * L(S(0.5)));
    return y * power(half) * power(n - half);
  }
  static SD_LANES_INLINE L expm1(L x) {
    const L inside = clamp(x, K::leastMinus1, K::most), n = wholePowers(inside);
    const L e = expm1Near0(reduced(inside, n));
    const L p = power(n - L(S(1)));  // 2^n may not be representable
    const L y = p * e + (p - L(S(0.5)));
    return F::copysign(y + y, x);
  }
  /// e / (e + 2) with e = exp(2|x|) - 1, which is accurate near 0.
  static SD_LANES_INLINE L tanh(L x) {
    const L magnitude = F::abs(x), most(K::mostTanh);
    const L a = F::select(magnitude > most, most, magnitude);
    const L e = expm1(a + a);
    return F::copysign(e / (e + L(S(2))), x);
  }
  static SD_LANES_INLINE L log(L x) {
    const Parts p(x);
    const L l = p.k * L(K::ln2High) - ((p.rest() - p.k * L(K::ln2Low)) - p.f);
    return special(x, l);
  }
  static SD_LANES_INLINE L log2(L x) {
    const Parts p(x);
    return special(x, (p.f - p.rest()) * L(S(1.4426950408889634)) + p.k);
  }
  /// Corrects the rounding error of 1 + x.
  static SD_LANES_INLINE L log1p(L x) {
    const L one(S(1)), u = one + x;
    const L l = log(u), better = l + (x - (u - one)) / u;
    const L infinity(std::numeric_limits<S>::infinity());
    return F::copysign(F::select(F::abs(l) < infinity, better, l), x);
  }
  static SD_LANES_INLINE L sin(L x) { return circular<0>(x); }
  static SD_LANES_INLINE L cos(L x) { return circular<1>(x); }

 private:
  /// The sine of x + Quarters * pi/2.
  template <int Quarters>
  static SD_LANES_INLINE L circular(L x) {
    if ((F::abs(x) > L(K::mostAngle)).any()) [[unlikely]]
      return ofFarAngles<Quarters>(x);
    constexpr int signBit = sizeof(S) * 8 - 1;
    const L t = x * L(S(0.63661977236758134)) + L(ROUNDING), n = t - L(ROUNDING);
    const Bits quarter = bitsOf(t) + Quarters;
    L r = x;
    for (const S part : K::halfPi) r = r - n * L(part);
    const L z = r * r;
    const L sine = F::copysign(r * z * polynomial(z, K::sin) + r, r);
    const L cosine = z * z * polynomial(z, K::cos) + (L(S(1)) - L(S(0.5)) * z);
    const Mask odd = F::copysign(L(S(1)), of(quarter << signBit)) < L(S(0));
    return F::select(odd, cosine, sine) ^ of((quarter >> 1) << signBit);
  }
  /// Handles infinities as well.
  template <int Quarters>
  [[gnu::noinline, gnu::cold]] static L ofFarAngles(L x) {
    for (int i = 0; i < L::size; i++) x.v[i] = Quarters == 0 ? std::sin(x[i]) : std::cos(x[i]);
    return x;
  }
  /// x = 2^k (1 + f) with 1 + f in sqrt(1/2) .. sqrt(2).
  struct Parts {
    L k, f;
    explicit SD_LANES_INLINE Parts(L x) {
      const Mask small = x < L(std::numeric_limits<S>::min());
      const L lifted = F::select(small, x * L(static_cast<S>(std::uint64_t(1) << K::lift)), x);
      const Bits bits = bitsOf(lifted);
      constexpr typename K::Bits one = static_cast<typename K::Bits>(K::bias) << K::digits;
      const Bits exponent = (bits + (one - K::rootOfHalf)) >> K::digits;  // k + bias
      f = of(bits - (exponent << K::digits) + one) - L(S(1));
      // integers as the last digits of a number that has no fraction
      constexpr S shift = S(std::uint64_t(1) << K::digits);
      k = of(exponent | bitsOf(L(shift))) - L(shift + S(K::bias));
      k = F::select(small, k - L(S(K::lift)), k);
    }
    /// f - log(1 + f)
    SD_LANES_INLINE L rest() const {
      const L s = f / (L(S(2)) + f), z = s * s, half = L(S(0.5)) * f * f;
      return half - s * (half + z * polynomial(z, K::log));
    }
  };

  static SD_LANES_INLINE Bits bitsOf(L x) { return reinterpret_cast<Bits>(x.v); }
  static SD_LANES_INLINE L of(Bits bits) { return L(reinterpret_cast<Native>(bits)); }
  /// Preserves NaN.
  static SD_LANES_INLINE L clamp(L x, S least, S most) {
    const L above = F::select(x > L(most), L(most), x);
    return F::select(above < L(least), L(least), above);
  }
  /// The first coefficient is that of the highest power.
  template <int N>
  static SD_LANES_INLINE L polynomial(L x, const S (&coefficients)[N]) {
    L y(coefficients[0]);
    for (int i = 1; i < N; i++) y = y * x + L(coefficients[i]);
    return y;
  }
  /// For numbers below 2^digits / 2: adding this leaves no digits for a fraction.
  static constexpr S ROUNDING = S(1.5) * S(std::uint64_t(1) << K::digits);
  static SD_LANES_INLINE L rounded(L x) { return (x + L(ROUNDING)) - L(ROUNDING); }
  static SD_LANES_INLINE L wholePowers(L x) { return rounded(x * L(S(1.4426950408889634))); }
  /// x - n ln(2)
  static SD_LANES_INLINE L reduced(L x, L n) { return (x - n * L(K::ln2High)) - n * L(K::ln2Low); }
  static SD_LANES_INLINE L expm1Near0(L r) { return r * r * polynomial(r, K::exp) + r; }
  /// 2^n for integers n whose power is a normal number.
  static SD_LANES_INLINE L power(L n) {
    return of((bitsOf(n + L(ROUNDING)) - bitsOf(L(ROUNDING)) + K::bias) << K::digits);
  }
  /// Logarithms of values that are not positive and finite.
  static SD_LANES_INLINE L special(L x, L log) {
    const L zero(S(0)), infinity(std::numeric_limits<S>::infinity()), nan(std::numeric_limits<S>::quiet_NaN());
    const L others = F::select(x < zero, nan, F::select(x == zero, -infinity, x));
    return F::select((x > zero) && (x < infinity), log, others);
  }
};

}  // namespace detail
}  // namespace SD_LANES_NAMESPACE
}  // namespace sd::simd

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif

#endif
