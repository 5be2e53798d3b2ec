// Operations of other frameworks on sparse arrays and strings.
#ifndef NDFORGE_OPS_DECLARABLE_HEADERS_COMPAT_H
#define NDFORGE_OPS_DECLARABLE_HEADERS_COMPAT_H

#include <ops/declarable/DeclarableCustomOp.h>

namespace sd::ops {

DECLARE_CUSTOM_OP(compat_sparse_to_dense, 4, 1, false, 0, 0)
DECLARE_CUSTOM_OP(compat_string_split, 2, 2, false, 0, 0)

}  // namespace sd::ops

#endif
