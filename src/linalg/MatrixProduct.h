// The product of two matrices of the same element type, given by address and strides.
#ifndef NDFORGE_SRC_LINALG_MATRIXPRODUCT_H
#define NDFORGE_SRC_LINALG_MATRIXPRODUCT_H

#include <array/DataType.h>
#include <system/common.h>

namespace sd {

class NDArray;

/// A matrix without an element type: an address, sizes and strides in elements.
struct MatrixOperand {
  void* data;
  LongType rows, columns;
  LongType rowStride, columnStride;

  MatrixOperand transposed() const { return {data, columns, rows, columnStride, rowStride}; }
  /// Whether BLAS accepts the matrix: one stride is 1, and the other is large enough that rows do not overlap.
  bool isPlain() const;
};

/// The implementation for products of floats and doubles; integers always use loops.
enum class Multiplier { Blas, Loops };

/// c = alpha * a b + beta * c; c is not read when beta is 0. `type` is FLOAT32, DOUBLE or an integer type. All views
/// must be plain, and c must overlap neither a nor b.
void multiplyMatrices(DataType type, const MatrixOperand& a, const MatrixOperand& b, const MatrixOperand& c,
                      double alpha, double beta, Multiplier by = Multiplier::Blas);

/// MmulHelper::matmul with a choice of implementation.
void multiplyArrays(const NDArray& x, const NDArray& y, NDArray& z, bool transX, bool transY, double alpha, double beta,
                    Multiplier by);

}  // namespace sd

#endif
