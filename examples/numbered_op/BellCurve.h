// The bell curve without its constant factor, 1 at 0.
#ifndef NDFORGE_OPS_FUNCTORS_BELLCURVE_H
#define NDFORGE_OPS_FUNCTORS_BELLCURVE_H

#include <ops/functors/base.h>

namespace simdOps {

/// T is float, double, or a SIMD batch of them: one body for the vector loop and its tail.
template <typename T>
struct BellCurve : FloatOp {
  static constexpr const char* formula = "exp(-x^2 / 2)";
  static T op(T x) { return math::exp(constant<T>(-0.5) * x * x); }
};

}  // namespace simdOps

#endif
