// Arctangents, arc sines and arc cosines of batches.
#ifndef NDFORGE_SRC_SIMD_ANGLES_H
#define NDFORGE_SRC_SIMD_ANGLES_H

#include "simd/fused.h"

namespace sd {
namespace math {

#if defined(SD_HAS_FUSED_MULTIPLY_ADD)
/// P(z), z = t^2, 0 <= t <= 1, where atan(t) = t + t * z * P(z) within 2.2e-8 of the result. Even and odd powers of z
/// are apart, so that fewer operations wait for each other.
template <typename A>
SD_INLINE xsimd::batch<float, A> arctangentPolynomial(xsimd::batch<float, A> z) {
  using B = xsimd::batch<float, A>;
  const B w = z * z;
  B q = simd::fused(w, B(2.9208395e-3f), B(0.043208655f));
  B p = simd::fused(w, B(-0.016367128f), B(-0.0755183f));
  q = simd::fused(q, w, B(0.106658004f));
  p = simd::fused(p, w, B(-0.14211003f));
  q = simd::fused(q, w, B(0.19993767f));
  p = simd::fused(p, w, B(-0.33333153f));
  return simd::fused(q, z, p);
}

/// The same in double, within 1.4e-17 of the result.
template <typename A>
SD_INLINE xsimd::batch<double, A> arctangentPolynomial(xsimd::batch<double, A> z) {
  using B = xsimd::batch<double, A>;
  const B w = z * z;
  B q = simd::fused(w, B(1.3321878732628405e-5), B(8.35239449993536e-4));
  B p = simd::fused(w, B(-1.5306793761731292e-4), B(-2.895265914180314e-3));
  q = simd::fused(q, w, B(7.215204434960127e-3));
  p = simd::fused(p, w, B(-0.013925079894316005));
  q = simd::fused(q, w, B(0.02200898126662895));
  p = simd::fused(p, w, B(-0.029922043390841778));
  q = simd::fused(q, w, B(0.03665253053253146));
  p = simd::fused(p, w, B(-0.04219661933511444));
  q = simd::fused(q, w, B(0.04722493227973045));
  p = simd::fused(p, w, B(-0.05253565434610367));
  q = simd::fused(q, w, B(0.058805376552800756));
  p = simd::fused(p, w, B(-0.06666405611061066));
  q = simd::fused(q, w, B(0.07692280018852193));
  p = simd::fused(p, w, B(-0.09090907017599326));
  q = simd::fused(q, w, B(0.11111111007814592));
  p = simd::fused(p, w, B(-0.1428571428260082));
  q = simd::fused(q, w, B(0.1999999999995189));
  p = simd::fused(p, w, B(-0.3333333333333307));
  return simd::fused(q, z, p);
}

/// atan2(y, x): the arctangent of the smaller of |x| and |y| divided by the larger, moved to its octant. Error below
/// 2.5 ulp.
template <typename S, typename A>
SD_INLINE xsimd::batch<S, A> atan2Batch(xsimd::batch<S, A> y, xsimd::batch<S, A> x) {
  using B = xsimd::batch<S, A>;
  const B minusZero(S(-0.0)), zero(S(0)), right(S(1.5707963267948966));
  const B a = xsimd::abs(x), b = xsimd::abs(y), signX = x & minusZero, signY = y & minusZero;
  const B small = xsimd::min(a, b), large = xsimd::max(b, a);   // this order keeps NaN in one of them
  B t = xsimd::select(small == large, B(S(1)), small / large);  // infinities as well
  t = xsimd::select(large == zero, small, t);                   // small is 0 or NaN
  const B z = t * t, p = arctangentPolynomial(z);
  const auto isSteep = a < b;
  const B base = xsimd::select(isSteep, right, right - (right | signX));  // pi/2; or 0 or pi
  const B turned = t ^ signX ^ xsimd::select(isSteep, minusZero, zero);
  const B low(sizeof(S) == 4 ? S(-2.7827534e-8) : S(3.8981718325193755e-17));  // of pi / its rounded value - 1
  return (base + (turned + simd::fused(turned * z, p, base * low))) | signY;
}

/// atan(x) = k * pi/4 + atan(u), k = 0, 1 or 2, u = x, (x - 1) / (x + 1) or -1 / x with |u| <= tan(pi/8). Error below
/// 2 ulp.
template <typename A>
SD_INLINE xsimd::batch<double, A> atanBatch(xsimd::batch<double, A> x) {
  using B = xsimd::batch<double, A>;
  const B sign = x & B(-0.0), one(1.0);
  const B a = xsimd::min(B(1e18), x ^ sign);  // keeps NaN; atan(1e18) rounds to pi/2
  // 0 or 1: products are cheaper than selects with AVX2
  const B first(a > B(0.414213562373095)), second(a > B(2.414213562373095));
  const B k = first + second, notSecond = one - second;
  const B u = simd::fusedSubtract(notSecond, a, first) / simd::fused(first, a, notSecond);
  const B z = u * u, w = z * z;
  // atan(u) = u + u * z * P(z) within 6.4e-18 of the result; even and odd powers of z apart
  B p = simd::fused(w, B(-0.017837194347154025), B(-0.050373694365738006));
  B q = simd::fused(w, B(0.03800766129378408), B(0.058475318277094596));
  p = simd::fused(p, w, B(-0.06663065123264154));
  q = simd::fused(q, w, B(0.07692057680403447));
  p = simd::fused(p, w, B(-0.0909089766274271));
  q = simd::fused(q, w, B(0.11111110781649393));
  p = simd::fused(p, w, B(-0.1428571428018574));
  q = simd::fused(q, w, B(0.19999999999953677));
  p = simd::fused(p, w, B(-0.333333333333332));
  p = simd::fused(q, z, p);
  // pi/4 in two parts
  const B angle = u + simd::fused(u * z, p, k * B(3.061616997868383e-17));
  return simd::fused(k, B(0.7853981633974483), angle) | sign;
}

/// P(z), z = s^2 <= 1/4, where asin(s) = s + s * z * P(z) within 4.9e-9 of the result.
template <typename A>
SD_INLINE xsimd::batch<float, A> arcsinePolynomial(xsimd::batch<float, A> z) {
  using B = xsimd::batch<float, A>;
  B p = simd::fused(z, B(0.042156987f), B(0.024185507f));
  p = simd::fused(p, z, B(0.04546902f));
  p = simd::fused(p, z, B(0.0749531f));
  return simd::fused(p, z, B(0.16666752f));
}

/// The same in double, within 2.2e-17 of the result.
template <typename A>
SD_INLINE xsimd::batch<double, A> arcsinePolynomial(xsimd::batch<double, A> z) {
  using B = xsimd::batch<double, A>;
  const B w = z * z;
  B q = simd::fused(w, B(0.031897978154622975), B(0.01951982465321816));
  B p = simd::fused(w, B(-0.016207255078762674), B(6.530235060559223e-3));
  q = simd::fused(q, w, B(0.012168862224816819));
  p = simd::fused(p, w, B(0.01388526582227892));
  q = simd::fused(q, w, B(0.017359703587920747));
  p = simd::fused(p, w, B(0.02237175803235823));
  q = simd::fused(q, w, B(0.03038195914047224));
  p = simd::fused(p, w, B(0.0446428568282058));
  q = simd::fused(q, w, B(0.07500000000337173));
  p = simd::fused(p, w, B(0.16666666666665408));
  return simd::fused(q, z, p);
}

/// asin(x) = pi/2 - 2 * asin(sqrt((1 - |x|) / 2)) beyond 1/2. Error below 2 ulp.
template <typename A>
SD_INLINE xsimd::batch<double, A> asinBatch(xsimd::batch<double, A> x) {
  using B = xsimd::batch<double, A>;
  const B sign = x & B(-0.0), a = x ^ sign, half(0.5);
  const auto isLarge = a > half;
  const B large(isLarge);                                        // 0 or 1
  const B z = xsimd::min(a * a, simd::fused(a, B(-0.5), half));  // the first up to 1/2
  const B s = xsimd::select(isLarge, xsimd::sqrt(z), a);         // NaN beyond 1
  const B rest = simd::fused(s * z, arcsinePolynomial(z), large * B(-3.061616997868383e-17));
  const B scale = simd::fused(large, B(-3.0), B(1.0)), right = large * B(1.5707963267948966);
  return simd::fused(s + rest, scale, right) | sign;
}

/// acos(x) = pi/2 - asin(x) up to 1/2, 2 * asin(sqrt((1 - x) / 2)) beyond, pi - acos(-x) below -1/2. Error below 1.5
/// ulp.
template <typename S, typename A>
SD_INLINE xsimd::batch<S, A> acosBatch(xsimd::batch<S, A> x) {
  using B = xsimd::batch<S, A>;
  const B sign = x & B(S(-0.0)), a = x ^ sign, half(S(0.5)), right(S(1.5707963267948966));
  const auto isLarge = a > half;
  const B large(isLarge);                                           // 0 or 1
  const B z = xsimd::min(a * a, simd::fused(a, B(S(-0.5)), half));  // the first up to 1/2
  const B s = xsimd::select(isLarge, xsimd::sqrt(z), a);            // NaN beyond 1
  const B angle = simd::fused(s * z, arcsinePolynomial(z), s) ^ sign;
  const B base = right - large * (right | sign);  // pi/2; or 0 or pi
  return simd::fused(angle, simd::fused(large, B(S(3)), B(S(-1))), base);
}

// float: xsimd's own
template <typename A>
SD_INLINE xsimd::batch<float, A> atanBatch(xsimd::batch<float, A> x) {
  return xsimd::atan(x);
}
template <typename A>
SD_INLINE xsimd::batch<float, A> asinBatch(xsimd::batch<float, A> x) {
  return xsimd::asin(x);
}
#endif

}  // namespace math
}  // namespace sd

#endif
