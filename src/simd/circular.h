// Sines, cosines and tangents of batches.
#ifndef NDFORGE_SRC_SIMD_CIRCULAR_H
#define NDFORGE_SRC_SIMD_CIRCULAR_H

#include <cmath>

#include "simd/exponentials.h"
#include "simd/patch.h"

#if defined(SD_HAS_FUSED_MULTIPLY_ADD)
namespace sd {
namespace math {

/// x - m * step, in three parts of step: m is an integer or half of one. The first difference is exact where the result
/// is below 2, the others keep the digits of results near 0.
template <typename B>
SD_INLINE B lessMultiples(B x, B m, const double (&step)[3]) {
  using S = typename B::value_type;
  B r = simd::fused(m, B(S(-step[0])), x);
  r = simd::fused(m, B(S(-step[1])), r);
  return simd::fused(m, B(S(-step[2])), r);
}

/// Pi in three parts, each that of the type nearest to what the ones before leave. Larger arguments than the limit are
/// rare, and need more parts.
template <typename S>
struct Circle;
template <>
struct Circle<float> {
  static constexpr double PI[] = {3.1415927410125732, -8.742277657347586e-8, -3.4302490200117637e-15};
  static constexpr double HALF_PI[] = {1.5707963705062866, -4.371138828673793e-8, -1.7151245100058819e-15};
  static constexpr float LIMIT = 131072.0f;
};
template <>
struct Circle<double> {
  static constexpr double PI[] = {3.141592653589793, 1.2246467991473532e-16, -2.9947698097183397e-33};
  static constexpr double HALF_PI[] = {1.5707963267948966, 6.123233995736766e-17, -1.4973849048591698e-33};
  static constexpr double LIMIT = 1073741824.0;
};

/// (sin(r) / r - 1) / z of z = r^2 for |r| <= pi/2: minimax polynomials. sin(r) is within 2^-27 of itself, in double
/// within 2^-60.
template <typename A>
SD_INLINE xsimd::batch<float, A> sinePolynomial(xsimd::batch<float, A> z) {
  using B = xsimd::batch<float, A>;
  B p = simd::fused(z, B(2.6057342e-6f), B(-1.9809656e-4f));
  p = simd::fused(p, z, B(0.008333068f));
  return simd::fused(p, z, B(-0.1666666f));
}
template <typename A>
SD_INLINE xsimd::batch<double, A> sinePolynomial(xsimd::batch<double, A> z) {
  using B = xsimd::batch<double, A>;
  B p = simd::fused(z, B(2.7216716333411304e-15), B(-7.64304295118518e-13));
  p = simd::fused(p, z, B(1.6058941887471113e-10));
  p = simd::fused(p, z, B(-2.505210692137747e-8));
  p = simd::fused(p, z, B(2.755731921174271e-6));
  p = simd::fused(p, z, B(-1.9841269841213362e-4));
  p = simd::fused(p, z, B(8.333333333333208e-3));
  return simd::fused(p, z, B(-0.16666666666666666));
}

/// sin(x) = (-1)^n * sin(r) with |x| = n * pi + r. Error below 1.8 ulp.
template <typename B>
SD_INLINE B sinBatch(B x) {
  using S = typename B::value_type;
  using F = FloatBits<B>;
  const B sign = x & B(S(-0.0)), a = x ^ sign;
  const B rounder(F::ROUNDER);
  const B sum = simd::fused(a, B(S(0.3183098861837907)), rounder);
  const B r = lessMultiples(a, sum - rounder, Circle<S>::PI), z = r * r;
  // the last bit of n, as a sign
  const B turn = simd::bitsAs<B>(simd::bitsAs<typename F::I>(sum) << (8 * sizeof(S) - 1));
  return patch(
      simd::fused(r * z, sinePolynomial(z), r) ^ sign ^ turn, a >= B(Circle<S>::LIMIT), [](S v) { return std::sin(v); },
      x);
}

/// cos(x) = (-1)^n * sin(r) with |x| = (n - 1/2) * pi + r. Error below 2.2 ulp.
template <typename B>
SD_INLINE B cosBatch(B x) {
  using S = typename B::value_type;
  using F = FloatBits<B>;
  const B a = xsimd::abs(x), rounder(F::ROUNDER), half(S(0.5));
  const B sum = simd::fused(a, B(S(0.3183098861837907)), half) + rounder;
  const B r = lessMultiples(a, (sum - rounder) - half, Circle<S>::PI), z = r * r;
  const B turn = simd::bitsAs<B>(simd::bitsAs<typename F::I>(sum) << (8 * sizeof(S) - 1));
  return patch(
      simd::fused(r * z, sinePolynomial(z), r) ^ turn, a >= B(Circle<S>::LIMIT), [](S v) { return std::cos(v); }, x);
}

/// P(z) / Q(z) = (tan(r) / r - 1) / z of z = r^2 for |r| <= pi/4, with which tan(r) is within 2^-27 of itself, in
/// double within 2^-56.
template <typename A>
SD_INLINE void tangentParts(xsimd::batch<float, A> z, xsimd::batch<float, A>& p, xsimd::batch<float, A>& q) {
  using B = xsimd::batch<float, A>;
  p = simd::fused(z, B(-0.014880963f), B(0.33333334f));
  q = simd::fused(z, B(0.015952542f), B(-0.4446429f));
  q = simd::fused(q, z, B(1.0f));
}
template <typename A>
SD_INLINE void tangentParts(xsimd::batch<double, A> z, xsimd::batch<double, A>& p, xsimd::batch<double, A>& q) {
  using B = xsimd::batch<double, A>;
  p = simd::fused(z, B(2.4297794831183115e-4), B(-0.021411374094186083));
  p = simd::fused(p, z, B(0.3333333333333333));
  q = simd::fused(z, B(-1.852596139586968e-8), B(-2.538789135088777e-4));
  q = simd::fused(q, z, B(0.024517820853195673));
  q = simd::fused(q, z, B(-0.4642341222825582));
  q = simd::fused(q, z, B(1.0));
}

/// tan(x) = tan(r) with |x| = n * pi/2 + r, or -1 / tan(r) where n is odd. Error below 3.2 ulp.
template <typename B>
SD_INLINE B tanBatch(B x) {
  using S = typename B::value_type;
  using F = FloatBits<B>;
  const B sign = x & B(S(-0.0)), a = x ^ sign, rounder(F::ROUNDER);
  const B sum = simd::fused(a, B(S(0.6366197723675814)), rounder);
  const B r = lessMultiples(a, sum - rounder, Circle<S>::HALF_PI), z = r * r;
  B p, q;
  tangentParts(z, p, q);
  const B sine = simd::fused(r * z, p, r * q);  // of some length, like q
  const B turn = simd::bitsAs<B>(simd::bitsAs<typename F::I>(sum) << (8 * sizeof(S) - 1));
  const auto isEven = (turn | B(S(1))) > B(S(0));
  const B tangent = xsimd::select(isEven, sine, q) / xsimd::select(isEven, q, sine);
  return patch(
      tangent ^ sign ^ turn, a >= B(Circle<S>::LIMIT), [](S v) { return std::tan(v); }, x);
}

}  // namespace math
}  // namespace sd
#endif

#endif
