// Products of matrices and tensors, and their gradients.
#ifndef NDFORGE_OPS_DECLARABLE_HEADERS_BLAS_H
#define NDFORGE_OPS_DECLARABLE_HEADERS_BLAS_H

#include <ops/declarable/DeclarableCustomOp.h>

#include <vector>

namespace sd::ops {

namespace args {
/// Arguments of matmul and its gradient, for alpha * op(x) op(y) + beta * z.
struct Matmul {
  bool transposeA = false;
  bool transposeB = false;
  bool transposeOut = false;
  double alpha = 1.0;
  double beta = 0.0;
};

/// Arguments of addmm, for alpha * op(x) op(y) + beta * c.
struct AddedMatmul {
  bool transposeA = false;
  bool transposeB = false;
  bool transposeOut = false;
  double alpha = 1.0;
  double beta = 1.0;
};

/// Arguments of tensormmul and its gradient: the paired axes, in the same order.
struct TensorContraction {
  std::vector<int> axesX{};
  std::vector<int> axesY{};
};

struct Axpy {
  double alpha = 1.0;  ///< the factor of y
};

/// Arguments of batched_gemm, as in BLAS: op(x) is m x k, op(y) is k x n.
struct BatchedGemm {
  bool transposeA = false;
  bool transposeB = false;
  int m = 0;
  int n = 0;
  int k = 0;
  int lda = 0;
  int ldb = 0;
  int ldc = 0;
  int batchSize = 0;
};
}  // namespace args

DECLARE_CUSTOM_OP(matmul, 2, 1, false, 0, -2)
DECLARE_CUSTOM_OP(matmul_bp, 3, 2, false, 0, -2)
namespace additional {
DECLARE_CONFIGURABLE_OP(addmm, 3, 1, true, 0, -2)
}  // namespace additional
DECLARE_CUSTOM_OP(tensormmul, 2, 1, false, 0, -1)
DECLARE_CUSTOM_OP(tensormmul_bp, 3, 2, false, 0, -1)
DECLARE_CONFIGURABLE_OP(axpy, 2, 1, false, -2, 0)
DECLARE_CUSTOM_OP(batched_gemm, -1, -1, false, 0, 9)

}  // namespace sd::ops

#endif
