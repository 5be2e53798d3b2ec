// Special functions, element by element, and the cross product.
#ifndef NDFORGE_OPS_DECLARABLE_HEADERS_SPECIAL_H
#define NDFORGE_OPS_DECLARABLE_HEADERS_SPECIAL_H

#include <ops/declarable/DeclarableOp.h>

namespace sd::ops {

DECLARE_OP(Log1p, 1, 1, true)
DECLARE_OP(lgamma, 1, 1, true)
DECLARE_CONFIGURABLE_OP(digamma, 1, 1, false, 0, 0)
DECLARE_CONFIGURABLE_OP(polygamma, 2, 1, false, 0, 0)
DECLARE_CONFIGURABLE_OP(zeta, 2, 1, false, 0, 0)
DECLARE_CONFIGURABLE_OP(betainc, 3, 1, false, 0, 0)
DECLARE_OP(cross, 2, 1, false)

}  // namespace sd::ops

#endif
