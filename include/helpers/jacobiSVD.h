// Singular value decomposition by rotations.
#ifndef NDFORGE_HELPERS_JACOBISVD_H
#define NDFORGE_HELPERS_JACOBISVD_H

#include <array/NDArray.h>

namespace sd::ops::helpers {

/// A = U diag(S) V^T by two-sided Jacobi rotations: precise, and suited to small matrices. T is float or double and
/// must be the type of the arrays. Golub and Van Loan, "Matrix Computations", section 8.6.3. Rotations are matrices
/// [[c, s], [-s, c]].
template <typename T>
class JacobiSVD {
 public:
  /// U and V are square when fullUV, else they have min(rows, columns) columns.
  /// @throws std::runtime_error when the array is not a matrix of finite values, sd::datatype_exception for its type
  JacobiSVD(const NDArray& matrix, bool calcU, bool calcV, bool fullUV);

  /// Sets `block`(q, p) to 0 by rotating its rows, and the columns of _u. Returns false if the block is then diagonal,
  /// relative to maxElem, the largest diagonal element so far, which is updated.
  bool isBlock2x2NotDiag(NDArray& block, int p, int q, T& maxElem);

  /// The rotation that makes the symmetric matrix [[x, y], [y, z]] diagonal. If it is diagonal already, returns false
  /// and the identity.
  static bool createJacobiRotation(const T& x, const T& y, const T& z, NDArray& rotation);
  /// The rotation J with J^T (p, q) = (r, 0).
  static void createJacobiRotationGivens(const T& p, const T& q, NDArray& rotation);
  /// Rotations such that left B right is diagonal for the 2x2 block B of rows and columns p, q.
  static void svd2x2(const NDArray& block, int p, int q, NDArray& left, NDArray& right);
  /// Multiplies rows i and j of the block by the rotation from the left, or columns i and j from the right.
  static void mulRotationOnLeft(int i, int j, NDArray& block, const NDArray& rotation);
  static void mulRotationOnRight(int i, int j, NDArray& block, const NDArray& rotation);

  NDArray _m;  ///< [k, k], k = min(rows, columns): diagonal in the end
  NDArray _s;  ///< [k, 1], descending
  NDArray _u;
  NDArray _v;

 private:
  bool _calcU;
  bool _calcV;
  bool _fullUV;
};

extern template class SD_LIB_EXPORT JacobiSVD<float>;
extern template class SD_LIB_EXPORT JacobiSVD<double>;

}  // namespace sd::ops::helpers

#endif
