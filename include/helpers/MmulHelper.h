// Products of matrices, vectors and tensors.
#ifndef NDFORGE_HELPERS_MMULHELPER_H
#define NDFORGE_HELPERS_MMULHELPER_H

#include <system/common.h>

#include <initializer_list>
#include <vector>

namespace sd {

class NDArray;

/// Shapes: [M, K] x [K, N] -> [M, N]; [.., M, K] x [.., K, N] -> [.., M, N] with equal leading dimensions; [M, K] x [K]
/// -> [M]; [K] x [K, N] -> [N]; [K] x [K] -> scalar. All arrays must have the same type. Integers wrap around; 16-bit
/// floats are summed in float. C is read only when beta is not 0. K = 0 gives zeros (plus beta * C).
/// @throws std::runtime_error for shapes that do not fit, BOOL and strings, sd::datatype_exception for different types,
/// std::invalid_argument for a result of another shape
class SD_LIB_EXPORT MmulHelper {
 public:
  /// C = alpha * A B + beta * C. Without C, makes a new array of the given order, which the caller deletes. Returns the
  /// result. Two vectors of equal length (rows, columns or rank 1) give a scalar, their dot product; a row and a column
  /// give their matrix product. A single matrix is multiplied with every matrix of a batch.
  static NDArray* mmul(const NDArray* A, const NDArray* B, NDArray* C = nullptr, double alpha = 1.0, double beta = 0.0,
                       char outOrder = 'f');

  /// z = alpha * x y + beta * z, where transX and transY swap the last two dimensions (no effect on rank-1 arrays).
  static void matmul(const NDArray* x, const NDArray* y, NDArray* z, bool transX, bool transY, double alpha = 1.0,
                     double beta = 0.0);

  /// The sum of a * b over axesA of a, paired with axesB of b (by default the same axes). The result has the other
  /// dimensions of a, then those of b, in c order. The caller deletes it.
  static NDArray* tensorDot(const NDArray* a, const NDArray* b, const std::initializer_list<int>& axesA,
                            const std::initializer_list<int>& axesB = {});
  static NDArray* tensorDot(const NDArray* a, const NDArray* b, const std::vector<int>& axesA,
                            const std::vector<int>& axesB);
  /// Writes to c; c permuted by permutForC (when given) has the shape of the result.
  static void tensorDot(const NDArray* a, const NDArray* b, NDArray* c, const std::vector<int>& axesA,
                        const std::vector<int>& axesB, const std::vector<int>& permutForC = {});

  /// Applies the steps to a and b, which turn them into matrices, and multiplies these. A step that contains a 0 is a
  /// permutation, any other step is a new shape. The caller deletes the result.
  static NDArray* tensorDot(const NDArray* a, const NDArray* b, const std::vector<std::vector<LongType>>& modifA,
                            const std::vector<std::vector<LongType>>& modifB);
  /// Writes to c, which the steps of modifC turn into a matrix.
  static void tensorDot(const NDArray* a, const NDArray* b, NDArray* c,
                        const std::vector<std::vector<LongType>>& modifA,
                        const std::vector<std::vector<LongType>>& modifB,
                        const std::vector<std::vector<LongType>>& modifC);
};

}  // namespace sd

#endif
