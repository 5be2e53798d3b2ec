// The BLAS routines that the library uses, overloaded for float and double: those that the program has given to
// initializeFunctions, else those of the BLAS that the library is linked with. Apart from the rest because OpenBLAS's
// header declares a bfloat16 of its own.
#ifndef NDFORGE_SRC_LINALG_BLAS_H
#define NDFORGE_SRC_LINALG_BLAS_H

namespace sd::blas {

/// c[m, n] = alpha * op(a)[m, k] * op(b)[k, n] + beta * c, rows of c contiguous.
void gemm(bool transA, bool transB, int m, int n, int k, float alpha, const float* a, int lda, const float* b, int ldb,
          float beta, float* c, int ldc);
void gemm(bool transA, bool transB, int m, int n, int k, double alpha, const double* a, int lda, const double* b,
          int ldb, double beta, double* c, int ldc);

/// y[m] = alpha * a[m, n] * x[n] + beta * y
void gemv(bool rowMajor, int m, int n, float alpha, const float* a, int lda, const float* x, int incX, float beta,
          float* y, int incY);
void gemv(bool rowMajor, int m, int n, double alpha, const double* a, int lda, const double* x, int incX, double beta,
          double* y, int incY);

/// b = op(a)^-1 b for the given triangle of a[n, n]; rows of a and of b[n, columns] are contiguous.
void trsm(bool upper, bool transposed, int n, int columns, const float* a, float* b);
void trsm(bool upper, bool transposed, int n, int columns, const double* a, double* b);

}  // namespace sd::blas

#endif
