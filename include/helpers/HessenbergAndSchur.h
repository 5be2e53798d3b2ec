// Orthogonal similarity transformations of square matrices.
#ifndef NDFORGE_HELPERS_HESSENBERGANDSCHUR_H
#define NDFORGE_HELPERS_HESSENBERGANDSCHUR_H

#include <array/NDArray.h>

namespace sd::ops::helpers {

// T is float or double and must be the type of the arrays. Constructors throw std::runtime_error when the matrix is not
// square, sd::datatype_exception for its type.

/// A = Q H Q^T; H is zero below the first subdiagonal. Golub and Van Loan, "Matrix Computations", section 7.4.
template <typename T>
class Hessenberg {
 public:
  explicit Hessenberg(const NDArray& matrix);

  NDArray _Q;
  NDArray _H;
};

/// A = u t u^T. The diagonal of t consists of blocks of size 1 (real eigenvalues) and 2 (pairs); everything below them
/// is zero. Computed with implicit double shifts: Golub and Van Loan, "Matrix Computations", section 7.5. The methods
/// are the steps.
template <typename T>
class Schur {
 public:
  /// @throws std::runtime_error when the iteration does not converge
  explicit Schur(const NDArray& matrix);

  /// Makes the block of rows ind - 1 and ind triangular if its eigenvalues are real; adds `shift` to its diagonal.
  void splitTwoRows(int ind, T shift);
  /// shiftInfo [3]: the last two diagonal elements of the part that ends at ind, and the product of the two elements
  /// next to them. Iterations 10 and 30 use exceptional shifts, whose sum is kept in `shift`.
  void calcShift(int ind, int iter, T& shift, NDArray& shiftInfo);
  /// Computes ind3, where between ind1 and ind2 a step can begin, and the vector [3] of its first reflection.
  void initFrancisQR(int ind1, int ind2, const NDArray& shiftVec, int& ind3, NDArray& householderVec);
  /// One step on the part of rows ind1 to ind3, starting at ind2.
  void doFrancisQR(int ind1, int ind2, int ind3, const NDArray& householderVec);
  /// All steps; t must be a Hessenberg matrix.
  void calcFromHessenberg();

  NDArray t;
  NDArray u;
};

extern template class SD_LIB_EXPORT Hessenberg<float>;
extern template class SD_LIB_EXPORT Hessenberg<double>;
extern template class SD_LIB_EXPORT Schur<float>;
extern template class SD_LIB_EXPORT Schur<double>;

}  // namespace sd::ops::helpers

#endif
