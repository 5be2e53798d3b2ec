// The BLAS routines that the library uses, overloaded for float and double. Routines that the program passed to
// initializeFunctions come before those of the linked BLAS. They have a header to themselves because OpenBLAS's header
// declares a type named bfloat16.
#ifndef NDFORGE_SRC_LINALG_BLAS_H
#define NDFORGE_SRC_LINALG_BLAS_H

namespace sd::blas {

/// c[m, n] = alpha * op(a)[m, k] * op(b)[k, n] + beta * c; the rows of c are contiguous.
void gemm(bool transA, bool transB, int m, int n, int k, float alpha, const float* a, int lda, const float* b, int ldb,
          float beta, float* c, int ldc);
void gemm(bool transA, bool transB, int m, int n, int k, double alpha, const double* a, int lda, const double* b,
          int ldb, double beta, double* c, int ldc);

/// y[m] = alpha * a[m, n] * x[n] + beta * y
void gemv(bool rowMajor, int m, int n, float alpha, const float* a, int lda, const float* x, int incX, float beta,
          float* y, int incY);
void gemv(bool rowMajor, int m, int n, double alpha, const double* a, int lda, const double* x, int incX, double beta,
          double* y, int incY);

/// b = op(a)^-1 b, where a is the given triangle of a[n, n]. The rows of a and of b[n, columns] are contiguous.
void trsm(bool upper, bool transposed, int n, int columns, const float* a, float* b);
void trsm(bool upper, bool transposed, int n, int columns, const double* a, double* b);

}  // namespace sd::blas

#endif
