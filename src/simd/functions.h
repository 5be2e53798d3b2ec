// math/math.h for SIMD batches (checked by AccuracyTests; coefficients: tools/fit_polynomials.py).
#ifndef NDFORGE_SRC_SIMD_FUNCTIONS_H
#define NDFORGE_SRC_SIMD_FUNCTIONS_H

#include <math/math.h>

#include "simd/angles.h"
#include "simd/circular.h"
#include "simd/error_functions.h"
#include "simd/exponentials.h"
#include "simd/hyperbolic.h"
#include "simd/logarithms.h"
#include "simd/patch.h"
#include "simd/remainders.h"

namespace sd {
namespace math {

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
  SD_INLINE static B exp(B x) {
    return patch(
        expWithin(x), xsimd::abs(x) > B(EXP_LIMIT), [](S v) { return std::exp(v); }, x);
  }
#if defined(SD_HAS_FUSED_MULTIPLY_ADD)
  SD_INLINE static B expWithin(B x) { return expOfUsual(x); }
  SD_INLINE static B expm1(B x) { return expm1Batch(x); }
  SD_INLINE static B log(B x) { return logBatch(x); }
  SD_INLINE static B log1p(B x) { return log1pBatch(x); }
  SD_INLINE static B sin(B x) { return sinBatch(x); }
  SD_INLINE static B cos(B x) { return cosBatch(x); }
  SD_INLINE static B tan(B x) { return tanBatch(x); }
  SD_INLINE static B asin(B x) { return asinBatch(x); }
  SD_INLINE static B acos(B x) { return acosBatch(x); }
  SD_INLINE static B atan(B x) { return atanBatch(x); }
  SD_INLINE static B sinh(B x) { return sinhBatch(x); }
  SD_INLINE static B cosh(B x) { return coshBatch(x); }
  SD_INLINE static B tanh(B x) { return tanhBatch(x); }
  SD_INLINE static B asinh(B x) { return asinhBatch(x); }
  SD_INLINE static B acosh(B x) { return acoshBatch(x); }
  SD_INLINE static B atanh(B x) { return atanhBatch(x); }
  SD_INLINE static B erf(B x) { return erfBatch(x); }
  SD_INLINE static B erfc(B x) { return erfcBatch(x); }
  SD_INLINE static B pow(B x, B y) { return powBatch(x, y); }
  SD_INLINE static B atan2(B y, B x) { return atan2Batch(y, x); }
  SD_INLINE static B fmod(B x, B y) { return fmodBatch(x, y); }
  SD_INLINE static B remainder(B x, B y) { return remainderBatch(x, y); }
#else
  static B expWithin(B x) { return xsimd::exp(x); }
  static B expm1(B x) {
    // select keeps the sign of 0
    return patch(
        xsimd::select(x == B(S(0)), x, xsimd::expm1(x)), x > B(S(isFloat ? 88.0 : 709.0)),
        [](S v) { return std::expm1(v); }, x);
  }
  static B log(B x) {
    const B r = xsimd::log(x);
    if constexpr (isFloat) return r;
    return patch(
        r, x < B(std::numeric_limits<S>::min()), [](S v) { return std::log(v); }, x);
  }
  static B log1p(B x) { return xsimd::select(x == B(S(0)), x, xsimd::log1p(x)); }
  static B sin(B x) { return xsimd::sin(x); }
  static B cos(B x) { return xsimd::cos(x); }
  static B tan(B x) { return xsimd::tan(x); }
  static B asin(B x) { return xsimd::asin(x); }
  static B acos(B x) { return xsimd::acos(x); }
  static B atan(B x) { return xsimd::atan(x); }
  static B sinh(B x) { return xsimd::sinh(x); }
  static B cosh(B x) { return xsimd::cosh(x); }
  static B tanh(B x) { return xsimd::tanh(x); }
  static B asinh(B x) { return xsimd::asinh(x); }
  static B acosh(B x) { return xsimd::select(x < B(S(1)), B(std::numeric_limits<S>::quiet_NaN()), xsimd::acosh(x)); }
  static B atanh(B x) { return xsimd::atanh(x); }
  SD_INLINE static B erf(B x) {
    if constexpr (isFloat)
      return erfBatch(x);
    else
      return lanewise([](S v) { return std::erf(v); }, x);  // the vector form is off by up to 68 ulp
  }
  static B erfc(B x) {
    return lanewise([](S v) { return std::erfc(v); }, x);  // the same, also in float
  }
  static B pow(B x, B y) {
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
#endif
  static B log2(B x) {
    const B r = xsimd::log2(x);
    if constexpr (isFloat) return r;
    return patch(
        r, x < B(std::numeric_limits<S>::min()), [](S v) { return std::log2(v); }, x);
  }
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
