// Print properties of arrays to standard output.
#ifndef NDFORGE_OPS_DECLARABLE_HEADERS_UTIL_H
#define NDFORGE_OPS_DECLARABLE_HEADERS_UTIL_H

#include <ops/declarable/DeclarableCustomOp.h>

namespace sd::ops {

DECLARE_CUSTOM_OP(print_variable, 1, 1, true, 0, 0)
DECLARE_CUSTOM_OP(print_affinity, 1, 1, true, 0, 0)

}  // namespace sd::ops

#endif
