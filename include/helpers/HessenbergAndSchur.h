// Orthogonal similarity transformations of square matrices.
#ifndef NDFORGE_HELPERS_HESSENBERGANDSCHUR_H
#define NDFORGE_HELPERS_HESSENBERGANDSCHUR_H

#include <array/NDArray.h>

namespace sd::ops::helpers {

// T is float or double and the type of the arrays. Constructors throw std::runtime_error unless the matrix is
// square, sd::datatype_exception for its type.

/// A = Q H Q^T, H zero below the first subdiagonal. Golub and Van Loan, "Matrix Computations", section 7.4.
template <typename T>
class Hessenberg {
 public:
  explicit Hessenberg(const NDArray& matrix);

  NDArray _Q;
  NDArray _H;
};

/// A = u t u^T with blocks of size 1 (real eigenvalues) and 2 (pairs) on the diagonal of t and zeros below them, by
/// implicit double shifts: Golub and Van Loan, "Matrix Computations", section 7.5. The methods are its steps.
template <typename T>
class Schur {
 public:
  /// @throws std::runtime_error when the iteration does not converge
  explicit Schur(const NDArray& matrix);

  /// Makes the block of rows ind - 1 and ind, to which `shift` is added, triangular if its eigenvalues are real.
  void splitTwoRows(int ind, T shift);
  /// shiftInfo [3]: the two diagonal elements at the end of the part that ends at ind, and the product beside them;
  /// other shifts, which add up in `shift`, in the steps 10 and 30.
  void calcShift(int ind, int iter, T& shift, NDArray& shiftInfo);
  /// Where between ind1 and ind2 a step may begin, ind3, and the vector [3] of its first reflection.
  void initFrancisQR(int ind1, int ind2, const NDArray& shiftVec, int& ind3, NDArray& householderVec);
  /// One step of the part of rows ind1 to ind3, beginning at ind2.
  void doFrancisQR(int ind1, int ind2, int ind3, const NDArray& householderVec);
  /// All steps: t is a Hessenberg matrix before.
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
