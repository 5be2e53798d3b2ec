// Code that the implementations of matmul share.
#ifndef NDFORGE_SRC_OPS_DECLARABLE_GENERIC_BLAS_MATMUL_H
#define NDFORGE_SRC_OPS_DECLARABLE_GENERIC_BLAS_MATMUL_H

#include <ops/declarable/headers/blas.h>

#include "linalg/MatrixProduct.h"
#include "ops/declarable/Common.h"

namespace sd::ops {

/// Runs the matmul call of `block`.
void multiply(graph::Context& block, NDArray& z, Multiplier by);
/// Runs the addmm call of `block`.
void multiplyAndAdd(graph::Context& block, NDArray& z, Multiplier by);

}  // namespace sd::ops

#endif
