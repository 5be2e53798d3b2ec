// Eigenvalues and eigenvectors of square matrices.
#ifndef NDFORGE_HELPERS_EIGENVALSANDVECS_H
#define NDFORGE_HELPERS_EIGENVALSANDVECS_H

#include <array/NDArray.h>

namespace sd::ops::helpers {

/// A v_j = w_j v_j, computed from the Schur form. T is float or double and must be the type of the arrays.
template <typename T>
class EigenValsAndVecs {
 public:
  /// @throws std::runtime_error when the matrix is not square or the iteration does not converge,
  /// sd::datatype_exception for its type
  explicit EigenValsAndVecs(const NDArray& matrix);

  NDArray _Vals;  ///< [n, 2]: real and imaginary parts; in a conjugate pair the positive imaginary part comes first
  NDArray _Vecs;  ///< [n, n, 2]: column j is v_j, of unit length
};

extern template class SD_LIB_EXPORT EigenValsAndVecs<float>;
extern template class SD_LIB_EXPORT EigenValsAndVecs<double>;

}  // namespace sd::ops::helpers

#endif
