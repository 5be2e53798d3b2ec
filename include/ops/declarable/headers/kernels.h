// Single steps of search algorithms.
#ifndef NDFORGE_OPS_DECLARABLE_HEADERS_KERNELS_H
#define NDFORGE_OPS_DECLARABLE_HEADERS_KERNELS_H

#include <ops/declarable/DeclarableCustomOp.h>

namespace sd::ops {

DECLARE_CUSTOM_OP(knn_mindistance, 3, 1, false, 0, 0)

}  // namespace sd::ops

#endif
