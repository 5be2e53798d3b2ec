// Householder reflections.
#ifndef NDFORGE_HELPERS_HOUSEHOLDER_H
#define NDFORGE_HELPERS_HOUSEHOLDER_H

#include <array/NDArray.h>

namespace sd::ops::helpers {

/// P = I - coeff w w^T, w = (1, tail): the reflection that takes a vector x to (normX, 0, …, 0), normX having the other
/// sign than x_0 (- for 0). T is float or double, the type of all arrays; vectors are arrays of which one dimension at
/// most is not 1. Formulas: Golub and Van Loan, "Matrix Computations", section 5.1.
/// All functions throw sd::datatype_exception for types and std::runtime_error for shapes.
template <typename T>
class Householder {
 public:
  /// `tail` has one element less than x (one, set to 0, when x has only one).
  static void evalHHmatrixData(const NDArray& x, NDArray& tail, T& coeff, T& normX);
  /// The tail replaces all elements of x but the first, which stays.
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
