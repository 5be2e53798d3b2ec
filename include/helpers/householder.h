// Householder reflections.
#ifndef NDFORGE_HELPERS_HOUSEHOLDER_H
#define NDFORGE_HELPERS_HOUSEHOLDER_H

#include <array/NDArray.h>

namespace sd::ops::helpers {

/// P = I - coeff w w^T with w = (1, tail): the reflection that maps a vector x to (normX, 0, …, 0). normX has the sign
/// opposite to that of x_0 (negative for 0). T is float or double and must be the type of all arrays; vectors are
/// arrays with at most one dimension other than 1. Formulas: Golub and Van Loan, "Matrix Computations", section 5.1.
/// All functions throw sd::datatype_exception for types and std::runtime_error for shapes.
template <typename T>
class Householder {
 public:
  /// `tail` has one element fewer than x; if x has a single element, `tail` has one too, which is set to 0.
  static void evalHHmatrixData(const NDArray& x, NDArray& tail, T& coeff, T& normX);
  /// The tail overwrites all elements of x but the first, which does not change.
  static void evalHHmatrixDataI(NDArray& x, T& coeff, T& normX);
  /// matrix = P matrix
  static void mulLeft(NDArray& matrix, const NDArray& tail, T coeff);
  /// matrix = matrix P
  static void mulRight(NDArray& matrix, const NDArray& tail, T coeff);
};

extern template class SD_LIB_EXPORT Householder<float>;
extern template class SD_LIB_EXPORT Householder<double>;

}  // namespace sd::ops::helpers

#endif
