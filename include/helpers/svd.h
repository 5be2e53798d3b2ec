// Singular value decomposition by divide and conquer.
#ifndef NDFORGE_HELPERS_SVD_H
#define NDFORGE_HELPERS_SVD_H

#include <helpers/hhSequence.h>

namespace sd::ops::helpers {

/// A = U diag(S) V^T. The matrix is reduced to bidiagonal form and divided into two halves, which are solved
/// separately. They are combined by means of the eigenvalues of a matrix that consists of a column, a row and a
/// diagonal: Gu and Eisenstat, "A divide-and-conquer algorithm for the bidiagonal SVD", 1995. T is float or double and
/// must be the type of the arrays.
///
/// The methods below are the steps; they throw std::runtime_error for indices out of range. They work on
/// - _m [n + 1, n], whose first n rows hold the lower bidiagonal matrix,
/// - _u [n + 1, n + 1]; only its first and last row, [2, n + 1], when U is not wanted,
/// - _v [n, n].
template <typename T>
class SVD {
 public:
  /// Matrices with fewer than switchSize columns, and parts below that size, are solved by rotations.
  /// @throws std::runtime_error when the array is not a matrix of finite values, sd::datatype_exception for its type
  SVD(const NDArray& matrix, int switchSize, bool calcV, bool calcU, bool fullUV);
  /// Only sets the sizes; computes nothing.
  SVD(const NDArray& matrix, int switchSize, bool calcV, bool calcU, bool fullUV, char t);

  /// Where the diagonal element is 0, sets element (ind, 0) of the part that begins at col1 to 0 by a rotation.
  void deflation1(int col1, int shift, int ind, int size);
  /// Where two diagonal elements are equal, sets the second of the two corresponding column elements to 0.
  void deflation2(int col1U, int col1M, int row1W, int col1W, int ind1, int ind2, int size);
  /// Finds and applies all deflations, and sorts the diagonal.
  void deflation(int col1, int col2, int ind, int row1W, int col1W, int shift);

  /// The value of the secular equation at mu + shift; diagShifted = diag - shift.
  T secularEq(T mu, const NDArray& col0, const NDArray& diag, const NDArray& permut, const NDArray& diagShifted,
              T shift) const;
  /// The zeros of the secular equation: singVals = shifts + mus. permut lists where col0 is not 0.
  void calcSingVals(const NDArray& col0, const NDArray& diag, const NDArray& permut, NDArray& singVals, NDArray& shifts,
                    NDArray& mus) const;
  /// The column for which singVals are the exact singular values.
  void perturb(const NDArray& col0, const NDArray& diag, const NDArray& permut, const NDArray& singVals,
               const NDArray& shifts, const NDArray& mus, NDArray& zhat) const;
  void calcSingVecs(const NDArray& zhat, const NDArray& diag, const NDArray& permut, const NDArray& singVals,
                    const NDArray& shifts, const NDArray& mus, NDArray& U, NDArray& V) const;
  /// Decomposes the part of _m that begins at col1 and has the given size: makes U [size + 1, size + 1], singVals
  /// [size, 1] and V [size, size].
  void calcBlockSVD(int col1, int size, NDArray& U, NDArray& singVals, NDArray& V);
  void DivideAndConquer(int col1, int col2, int row1W, int col1W, int shift);

  const NDArray& getS() const { return _s; }
  const NDArray& getU() const { return _u; }
  const NDArray& getV() const { return _v; }

  NDArray _m;
  NDArray _s;  ///< [k, 1], k = min(rows, columns), descending
  NDArray _u;
  NDArray _v;

 private:
  void evalData(const NDArray& matrix);
  void requirePart(const char* method, int col1, int col2, int row1W, int col1W, int shift) const;
  void exchangeUV(const HHsequence& hhU, const HHsequence& hhV, const NDArray& U, const NDArray& V);

  int _switchSize;
  int _diagSize;
  bool _transp;
  bool _calcU;
  bool _calcV;
  bool _fullUV;
};

extern template class SD_LIB_EXPORT SVD<float>;
extern template class SD_LIB_EXPORT SVD<double>;

}  // namespace sd::ops::helpers

#endif
