// Singular values by rotations.
#ifndef NDFORGE_HELPERS_JACOBISVD_H
#define NDFORGE_HELPERS_JACOBISVD_H

#include <array/NDArray.h>

namespace sd::ops::helpers {

/// A = U diag(S) V^T by two-sided Jacobi rotations: precise, for small matrices. T is float or double and the type of
/// the arrays. Golub and Van Loan, "Matrix Computations", section 8.6.3. Rotations are matrices [[c, s], [-s, c]].
template <typename T>
class JacobiSVD {
 public:
  /// U and V are square when fullUV, else they have min(rows, columns) columns.
  /// @throws std::runtime_error unless it is a matrix of finite values, sd::datatype_exception
  JacobiSVD(const NDArray& matrix, bool calcU, bool calcV, bool fullUV);

  /// Makes `block`(q, p) 0 by a rotation of its rows, and of the columns of _u. False when the block is diagonal then,
  /// as measured by maxElem, the largest element of the diagonal so far, which is updated.
  bool isBlock2x2NotDiag(NDArray& block, int p, int q, T& maxElem);

  /// The rotation that makes the symmetric [[x, y], [y, z]] diagonal; false (and the identity) when it is that.
  static bool createJacobiRotation(const T& x, const T& y, const T& z, NDArray& rotation);
  /// The rotation J with J^T (p, q) = (r, 0).
  static void createJacobiRotationGivens(const T& p, const T& q, NDArray& rotation);
  /// left B right is diagonal for the 2x2 block B of rows and columns p, q.
  static void svd2x2(const NDArray& block, int p, int q, NDArray& left, NDArray& right);
  /// Rows i and j of the block = rotation times them; columns i and j = they times rotation.
  static void mulRotationOnLeft(int i, int j, NDArray& block, const NDArray& rotation);
  static void mulRotationOnRight(int i, int j, NDArray& block, const NDArray& rotation);

  NDArray _m;  ///< [k, k], k = min(rows, columns): diagonal at the end
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
