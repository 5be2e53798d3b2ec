// Complex numbers: their parts, magnitudes and angles.
#ifndef NDFORGE_OPS_DECLARABLE_HEADERS_COMPLEX_NUMBERS_H
#define NDFORGE_OPS_DECLARABLE_HEADERS_COMPLEX_NUMBERS_H

#include <ops/declarable/DeclarableCustomOp.h>

namespace sd::ops {

namespace additional {
/// Complex numbers of real and imaginary parts.
DECLARE_CUSTOM_OP(complex, 1, 1, false, 0, 0)
/// The real parts.
DECLARE_CUSTOM_OP(real, 1, 1, false, 0, 0)
/// The imaginary parts.
DECLARE_CUSTOM_OP(imag, 1, 1, false, 0, 0)
/// The conjugate numbers.
DECLARE_CUSTOM_OP(conj, 1, 1, false, 0, 0)
/// The magnitudes.
DECLARE_CUSTOM_OP(complex_abs, 1, 1, false, 0, 0)
/// The angles to the positive real axis.
DECLARE_CUSTOM_OP(angle, 1, 1, false, 0, 0)
}  // namespace additional

}  // namespace sd::ops

#endif
