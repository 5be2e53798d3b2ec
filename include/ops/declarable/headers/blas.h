// Products of matrices and tensors, and their gradients.
#ifndef NDFORGE_OPS_DECLARABLE_HEADERS_BLAS_H
#define NDFORGE_OPS_DECLARABLE_HEADERS_BLAS_H

#include <ops/declarable/DeclarableCustomOp.h>

namespace sd::ops {

DECLARE_CUSTOM_OP(matmul, 2, 1, false, 0, -2)
DECLARE_CUSTOM_OP(matmul_bp, 3, 2, false, 0, -2)
DECLARE_CUSTOM_OP(tensormmul, 2, 1, false, 0, -1)
DECLARE_CUSTOM_OP(tensormmul_bp, 3, 2, false, 0, -1)
DECLARE_CONFIGURABLE_OP(axpy, 2, 1, false, -2, 0)
DECLARE_CUSTOM_OP(batched_gemm, -1, -1, false, 0, 9)

}  // namespace sd::ops

#endif
