// The error function of batches, and its complement.
#ifndef NDFORGE_SRC_SIMD_ERROR_FUNCTIONS_H
#define NDFORGE_SRC_SIMD_ERROR_FUNCTIONS_H

#include "simd/fused.h"

namespace sd {
namespace math {

/// erf(x) in float: x + x * P(x^2) up to 0.7, 1 - 2^G(|x|) beyond, where G approximates the logarithm of erfc, whose
/// error counts for at most a third there. Error below 2 ulp.
template <typename A>
SD_INLINE xsimd::batch<float, A> erfBatch(xsimd::batch<float, A> x) {
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

#if defined(SD_HAS_FUSED_MULTIPLY_ADD)
/// The polynomial of x with these coefficients, that of the highest power first. The first may be a batch.
template <typename B, typename First, typename... Others>
SD_INLINE B horner(B x, First first, Others... others) {
  B sum(first);
  ((sum = simd::fused(sum, x, B(others))), ...);
  return sum;
}

// Long polynomials are split by the remainder of the power by 2 or 4: the delay of one long chain would cost more time
// than the operations do.

/// erf(x): x + x * P(x^2) up to 0.85, 1 - 2^G(|x|) beyond, where G approximates the logarithm of erfc. Error below
/// 2.4 ulp.
template <typename A>
SD_INLINE xsimd::batch<double, A> erfBatch(xsimd::batch<double, A> x) {
  using B = xsimd::batch<double, A>;
  const B sign = x & B(-0.0), magnitude = x ^ sign, most(5.95);  // erf(5.95) rounds to 1
  const B t = xsimd::select(magnitude > most, most, magnitude);  // keeps NaN
  const B z = t * t, z2 = z * z;
  // minimax polynomial of log2(erfc(t)) from 0.85 to 5.95 for the error of erf, within 2^-54
  const B g0 = horner(z2, 4.709581331856073e-10, 4.4437578887816575e-6, -1.0590089537867234e-4, 0.02751049519983792,
                      -2.3255055609417265e-7);
  const B g1 = horner(z2, -1.1746741645913663e-11, -7.883133310653403e-7, -7.431808489218888e-5, 4.3365341787086377e-4,
                      -1.6279044743005722);
  const B g2 = horner(z2, 1.004560623598387e-7, 5.092766070915357e-5, -2.595738706793464e-3, -0.9184611672408513);
  const B g3 = horner(z2, -8.769724244171905e-9, -1.813490452502631e-5, 9.735568135296903e-4, -0.1482291107800856);
  const B g = simd::fused(simd::fused(g3, t, g2), z, simd::fused(g1, t, g0));
  const B n = xsimd::nearbyint(g), f = g - n, f2 = f * f;
  // minimax polynomial of 2^f, within 2^-51, of which less than a third counts
  const B p0 = horner(f2, 7.037229843800062e-9, 1.321566319196276e-6, 1.5403529960215684e-4, 9.618129108035561e-3,
                      0.24022650695908765, 1.0);
  const B p1 = horner(f2, 1.0208538905900678e-7, 1.525265811197584e-5, 1.333355822856793e-3, 0.0555041086644588,
                      0.6931471805599497);
  const B far = B(1.0) - simd::scaled(simd::fused(p1, f, p0), n);
  // minimax polynomial of (erf(t) / t - 1) of t^2 up to 0.85^2, within 2^-55
  const B q0 = horner(z2, 1.066251109102712e-8, 1.6398387384413868e-6, 1.2055187099643874e-4, 5.223977569259617e-3,
                      0.11283791670931316, 0.12837916709551256);
  const B q1 = horner(z2, -1.5692338589625115e-7, -1.4921858875864167e-5, -8.548323403312745e-4, -0.026866170640030898,
                      -0.37612638903183315);
  const B near = simd::fused(simd::fused(q1, z, q0), t, t);
  return xsimd::select(t > B(0.85), far, near) | sign;
}

/// (exp(-r) - 1 + r) / r^2 for |r| <= ln(2) / 2: minimax polynomial, within 2^-27 of exp.
template <typename A>
SD_INLINE xsimd::batch<float, A> expRemainder(xsimd::batch<float, A> r) {
  return horner(r, 1.3814646e-3f, -8.36871463e-3f, 0.0416683863f, -0.166665207f, 0.499999935f);
}

/// The same in double, within 2^-56 of exp.
template <typename A>
SD_INLINE xsimd::batch<double, A> expRemainder(xsimd::batch<double, A> r) {
  using B = xsimd::batch<double, A>;
  const B r2 = r * r;
  const B p0 = horner(r2, 2.7630214047121527e-7, 2.4801493206202735e-5, 1.3888888943512534e-3, 0.04166666666653068,
                      0.5000000000000011);
  const B p1 = horner(r2, -2.500019082127008e-8, -2.7557585831835873e-6, -1.9841269507399819e-4, -8.333333333493943e-3,
                      -0.16666666666666413);
  return simd::fused(p1, r, p0);
}

/// 2^-64 * exp(t^2) * erfc(t) / (1 - u) for t = 3 * (1 + u) / (1 - u) in 0..10.06: minimax polynomial, within 2^-26.
template <typename A>
SD_INLINE xsimd::batch<float, A> erfcFactor(xsimd::batch<float, A> u) {
  using B = xsimd::batch<float, A>;
  const B u2 = u * u;
  const B p0 = horner(u2, -4.3401498e-24f, -1.11146542e-23f, 1.07996052e-21f, 5.33272153e-21f);
  const B p1 = horner(u2, -2.9184063e-24f, 2.78058733e-23f, -2.42490415e-22f, -2.805067e-21f);
  return horner(u, simd::fused(p1, u, p0), -7.9814851e-21f, 9.70367195e-21f);
}

/// 2^-64 * exp(t^2) * erfc(t) / (1 - u) for t = 3.5 * (1 + u) / (1 - u) in 0..27.24: minimax polynomial, within 2^-56.
/// The largest terms are added one by one, which rounds fewer times.
template <typename A>
SD_INLINE xsimd::batch<double, A> erfcFactor(xsimd::batch<double, A> u) {
  using B = xsimd::batch<double, A>;
  const B u2 = u * u, u4 = u2 * u2;
  const B p0 = horner(u4, -1.678611311606629e-28, -6.169682759953078e-27, -5.790970446401411e-25,
                      -2.4604034905653474e-23, -3.3707537839561898e-21);
  const B p1 = horner(u4, 6.872146480864638e-29, 4.259253372430141e-27, 1.444084816094234e-25, -1.010905997257598e-23,
                      1.748187885742971e-21);
  const B p2 = horner(u4, 2.4978823310030364e-29, 9.003686097775268e-28, 5.610278355228187e-26, 5.5335487844900434e-24,
                      -7.149438735590872e-22);
  const B p3 =
      horner(u4, -6.4311401337064955e-28, -2.6266227145543745e-26, -3.257418626999956e-25, 2.053681806225034e-22);
  const B rest = simd::fused(simd::fused(p3, u, p2), u2, simd::fused(p1, u, p0));
  return horner(u, rest, 5.375425168807974e-21, -7.262603562371218e-21, 8.418485939218947e-21);
}

/// erfc(x) = exp(-x^2) * w * P(1 - w) for x >= 0, where w = 2a / (x + a); 2 - erfc(-x) for x < 0. Error below 2.6 ulp
/// in float, 3.3 in double.
///
/// P times 2^-64, and the power of 2 times 2^64, are normal also where the result is not, so that it is rounded once.
template <typename S, typename A>
SD_INLINE xsimd::batch<S, A> erfcBatch(xsimd::batch<S, A> x) {
  using B = xsimd::batch<S, A>;
  constexpr bool isFloat = sizeof(S) == 4;
  constexpr S a = isFloat ? S(3) : S(3.5);
  const B magnitude = xsimd::abs(x), most(isFloat ? S(10.06) : S(27.24));  // erfc(most) rounds to 0
  const B t = xsimd::select(magnitude > most, most, magnitude);            // keeps NaN
  // The relative error of w is wError / 2a; that of the result is 2a * slope times as large, and added to the exponent.
  const B sum = t + B(a), sumRest = t - (sum - B(a)), w = B(2 * a) / sum;
  const B wError = simd::fused(w, sumRest, simd::fusedSubtract(w, sum, B(2 * a)));
  const B slope = simd::fused(w, B(isFloat ? S(0.2222) : S(0.2245)), B(isFloat ? S(0.1167) : S(0.0786)));
  const B p = erfcFactor(B(S(1)) - w);
  const B product = simd::fused(w, p, B(S(0))), productRest = simd::fusedSubtract(w, p, product);
  // t^2 = z + zRest = r - n * ln(2), with ln(2) in two parts
  const B z = simd::fused(t, t, B(S(0))), zRest = simd::fusedSubtract(t, t, z);
  const B n = xsimd::nearbyint(z * B(S(-1.4426950408889634)));
  const B ln2(isFloat ? S(0.693147182f) : S(0.6931471805599453));
  const B ln2Rest(isFloat ? S(-1.90465421e-9f) : S(2.3190468138462996e-17));
  const B r = simd::fused(n, ln2, z) + simd::fused(slope, wError, simd::fused(n, ln2Rest, zRest));
  const B e = simd::fusedSubtract(r * r, expRemainder(r), r);  // exp(-r) - 1
  const B result = (product + simd::fused(product, e, productRest)) * simd::scaled(B(S(1)), n + B(S(64)));
  return xsimd::select(x < B(S(0)), B(S(2)) - result, result);
}

#endif

}  // namespace math
}  // namespace sd

#endif
