// The product of two matrices of one element type, given by addresses and strides.
#ifndef NDFORGE_SRC_LINALG_MATRIXPRODUCT_H
#define NDFORGE_SRC_LINALG_MATRIXPRODUCT_H

#include <array/DataType.h>
#include <system/common.h>

namespace sd {

class NDArray;

struct MatrixView {
  void* data;
  LongType rows, columns;
  LongType rowStride, columnStride;

  MatrixView transposed() const { return {data, columns, rows, columnStride, rowStride}; }
  /// One of both strides is 1 and the other does not fold rows onto each other: BLAS takes it.
  bool isPlain() const;
};

/// What computes the products of floats and doubles; integers always use loops.
enum class Multiplier { BLAS, LOOPS };

/// c = alpha * a b + beta * c; c is not read when beta is 0. `type` is FLOAT32, DOUBLE or an integer; the views are
/// plain and c overlaps neither a nor b.
void multiplyMatrices(DataType type, const MatrixView& a, const MatrixView& b, const MatrixView& c, double alpha,
                      double beta, Multiplier by = Multiplier::BLAS);

/// MmulHelper::matmul with a choice of what computes.
void multiplyArrays(const NDArray& x, const NDArray& y, NDArray& z, bool transX, bool transY, double alpha, double beta,
                    Multiplier by);

}  // namespace sd

#endif
