// The LAPACK routines that the library uses, overloaded for float and double. Matrices are column by column, as LAPACK
// has them. Each returns LAPACK's info: 0 for success. `work` is a buffer that grows as needed and may be used again.
#ifndef NDFORGE_SRC_LINALG_LAPACK_H
#define NDFORGE_SRC_LINALG_LAPACK_H

#include <complex>
#include <vector>

namespace sd::lapack {

/// a = u^T u (upper) or l l^T in the given triangle. > 0: the minor of that order is not positive definite.
template <typename T>
int potrf(bool upper, int n, T* a, int lda);
/// b = a^-1 b with the factor of potrf.
template <typename T>
int potrs(bool upper, int n, int columns, const T* a, int lda, T* b, int ldb);
/// a[n, n] = p l u; pivots count from 1. > 0: that element of u is 0.
template <typename T>
int getrf(int n, T* a, int lda, int* pivots);
/// b[n, columns] = op(a)^-1 b with the factors of getrf.
template <typename T>
int getrs(bool transposed, int n, int columns, const T* a, int lda, const int* pivots, T* b, int ldb);
/// The inverse from the factors of getrf.
template <typename T>
int getri(int n, T* a, int lda, const int* pivots, std::vector<T>& work);
/// a[m, n] = l q: l in the lower triangle, q as reflectors behind it and min(m, n) factors in tau.
template <typename T>
int gelqf(int m, int n, T* a, int lda, T* tau, std::vector<T>& work);
/// The first m rows of q[n, n] from k reflectors of gelqf.
template <typename T>
int orglq(int m, int n, int k, T* a, int lda, const T* tau, std::vector<T>& work);
/// a[m, n] = u diag(s) vt, a is destroyed. job: 'N' s only, 'S' the first min(m, n) vectors, 'A' all.
template <typename T>
int gesdd(char job, int m, int n, T* a, int lda, T* s, T* u, int ldu, T* vt, int ldvt, std::vector<T>& work);
/// The x[n, columns] of least norm that minimises |a x - b| for a[m, n]; b[max(m, n), columns] gets it, a is destroyed.
template <typename T>
int gelsy(int m, int n, int columns, T* a, int lda, T* b, int ldb, T rcond, std::vector<T>& work);
/// Eigenvalues and right eigenvectors of a general a[n, n], which is destroyed.
template <typename T>
int geev(int n, T* a, int lda, T* real, T* imaginary, T* vectors, std::vector<T>& work);

/// a = z t z^H: a gets the upper triangle t.
int schur(int n, std::complex<double>* a, std::complex<double>* z);

}  // namespace sd::lapack

#endif
