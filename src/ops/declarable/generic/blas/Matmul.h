// Code that the implementations of matmul share.
#ifndef NDFORGE_SRC_OPS_DECLARABLE_GENERIC_BLAS_MATMUL_H
#define NDFORGE_SRC_OPS_DECLARABLE_GENERIC_BLAS_MATMUL_H

#include "linalg/MatrixProduct.h"
#include "ops/declarable/Common.h"

namespace sd::ops {

/// Which of x, y and z are transposed.
struct MatmulFlags {
  bool x, y, z;

  explicit MatmulFlags(graph::Context& block)
      : x(integer(block, 0, 0) != 0), y(integer(block, 1, 0) != 0), z(integer(block, 2, 0) != 0) {}
};

/// Runs the matmul call of `block`.
void multiply(graph::Context& block, NDArray& z, Multiplier by);

}  // namespace sd::ops

#endif
