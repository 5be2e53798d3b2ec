// SIMD batches: those of xsimd, with float quotients and square roots that are rounded as IEEE 754 requires.
#ifndef NDFORGE_SRC_SIMD_BATCH_H
#define NDFORGE_SRC_SIMD_BATCH_H

#include <xsimd/xsimd.hpp>

// On 64-bit Arm, xsimd 8 refines estimates, as is needed on 32-bit Arm: x / y is off by an ulp, 0 / 4e-45 and sqrt(inf)
// are NaN.
#if defined(__aarch64__) && XSIMD_VERSION_MAJOR == 8
namespace xsimd {
namespace kernel {

template <>
inline batch<float, neon64> div<neon64>(batch<float, neon64> const& x, batch<float, neon64> const& y,
                                        requires_arch<neon>) noexcept {
  return vdivq_f32(x, y);
}

template <>
inline batch<float, neon64> sqrt<neon64>(batch<float, neon64> const& x, requires_arch<neon>) noexcept {
  return vsqrtq_f32(x);
}

}  // namespace kernel
}  // namespace xsimd
#endif

#endif
