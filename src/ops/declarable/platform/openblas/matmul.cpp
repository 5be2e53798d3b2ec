// Products of matrices on OpenBLAS.
// operations: matmul addmm
#include <system/platform_boilerplate.h>

#include "ops/declarable/generic/blas/Matmul.h"

namespace sd::ops::platforms {

DECLARE_PLATFORM(matmul, ENGINE_CPU)

PLATFORM_IMPL(matmul, ENGINE_CPU) {
  multiply(block, *getZ(block), Multiplier::Blas);
  return Status::OK;
}

/// 16-bit floats are computed in float.
PLATFORM_CHECK(matmul, ENGINE_CPU) {
  return (block.array(0)->isR() || block.array(0)->isC()) && block.array(0)->dataType() == block.array(1)->dataType();
}

DECLARE_PLATFORM(addmm, ENGINE_CPU)

PLATFORM_IMPL(addmm, ENGINE_CPU) {
  multiplyAndAdd(block, *getZ(block), Multiplier::Blas);
  return Status::OK;
}
PLATFORM_CHECK(addmm, ENGINE_CPU) { return block.array(0)->isR(); }

}  // namespace sd::ops::platforms
