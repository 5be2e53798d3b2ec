// Products of matrices by kernels of the library.
#ifndef NDFORGE_SRC_LINALG_KERNELPRODUCT_H
#define NDFORGE_SRC_LINALG_KERNELPRODUCT_H

#include "linalg/MatrixProduct.h"

namespace sd {

/// c = alpha * a b + beta * c of floats or doubles, as multiplyMatrices(), for a row-major c. `areRowsOf…`: whether the
/// rows of the matrix are contiguous, and not its columns. Returns false, and does nothing, where BLAS is as fast, and
/// where the program has brought a BLAS of its own.
template <typename T>
bool multiplyByKernel(const MatrixOperand& a, bool areRowsOfA, const MatrixOperand& b, bool areRowsOfB,
                      const MatrixOperand& c, T alpha, T beta);

}  // namespace sd

#endif
