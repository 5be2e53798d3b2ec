// The LAPACK routines that the library uses, overloaded for float and double. Matrices are column-major, as LAPACK
// expects. Each function returns LAPACK's info: 0 for success. `work` is a buffer that grows as needed and can be
// reused.
#ifndef NDFORGE_SRC_LINALG_LAPACK_H
#define NDFORGE_SRC_LINALG_LAPACK_H

#include <complex>
#include <vector>

namespace sd::lapack {

/// The leading dimension to choose for columns of n elements. Those of multiples of 128 displace each other in the
/// caches: with it, QR factors of 512 x 512 floats take 4.5 instead of 6.2 ms.
inline int leadingDimension(int n) { return n % 128 == 0 ? n + 16 : n; }

/// a = u^T u (upper) or l l^T in the given triangle. Result > 0: the leading minor of that order is not positive
/// definite.
template <typename T>
int potrf(bool upper, int n, T* a, int lda);
/// b = a^-1 b, with the factor from potrf.
template <typename T>
int potrs(bool upper, int n, int columns, const T* a, int lda, T* b, int ldb);
/// a[n, n] = p l u; pivots count from 1. Result > 0: that diagonal element of u is 0.
template <typename T>
int getrf(int n, T* a, int lda, int* pivots);
/// b[n, columns] = op(a)^-1 b, with the factors from getrf.
template <typename T>
int getrs(bool transposed, int n, int columns, const T* a, int lda, const int* pivots, T* b, int ldb);
/// The inverse, from the factors of getrf.
template <typename T>
int getri(int n, T* a, int lda, const int* pivots, std::vector<T>& work);
/// a[m, n] = q r: r goes to the upper triangle, q is stored as reflectors below it with min(m, n) factors in tau.
template <typename T>
int geqrf(int m, int n, T* a, int lda, T* tau, std::vector<T>& work);
/// The first n columns of q[m, m], from k reflectors of geqrf.
template <typename T>
int orgqr(int m, int n, int k, T* a, int lda, const T* tau, std::vector<T>& work);
/// a[m, n] = u diag(s) vt; a is overwritten. job: 'N' only s, 'S' the first min(m, n) vectors, 'A' all vectors.
template <typename T>
int gesdd(char job, int m, int n, T* a, int lda, T* s, T* u, int ldu, T* vt, int ldvt, std::vector<T>& work);
/// The minimum-norm x[n, columns] that minimises |a x - b| for a[m, n]. x is written to b[max(m, n), columns]; a is
/// overwritten.
template <typename T>
int gelsy(int m, int n, int columns, T* a, int lda, T* b, int ldb, T rcond, std::vector<T>& work);
/// Eigenvalues and right eigenvectors of a general a[n, n], which is overwritten.
template <typename T>
int geev(int n, T* a, int lda, T* real, T* imaginary, T* vectors, int ldv, std::vector<T>& work);
/// Eigenvalues, ascending, and eigenvectors of the symmetric a[n, n], of which the given triangle is read; the vectors
/// take its place.
template <typename T>
int syevd(bool upper, int n, T* a, int lda, T* values, std::vector<T>& work);

/// a = z t z^H: a is overwritten with the upper triangular t.
int schur(int n, std::complex<double>* a, std::complex<double>* z);

}  // namespace sd::lapack

#endif
