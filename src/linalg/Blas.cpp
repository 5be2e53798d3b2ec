#include "linalg/Blas.h"

#include <cblas.h>

#include "linalg/ExternalBlas.h"
#include "linalg/OnednnProduct.h"

namespace sd::blas {

namespace {

using helpers::BlasFunction;

/// The program's function if it supplied one, else the linked library's.
template <typename F>
F* chosen(BlasFunction function, F* linked) {
  const Pointer brought = helpers::externalBlas(function);
  return brought != nullptr ? reinterpret_cast<F*>(brought) : linked;
}

CBLAS_TRANSPOSE flag(bool transposed) { return transposed ? CblasTrans : CblasNoTrans; }

}  // namespace

void gemm(bool transA, bool transB, int m, int n, int k, float alpha, const float* a, int lda, const float* b, int ldb,
          float beta, float* c, int ldc) {
  if (helpers::externalBlas(BlasFunction::Sgemm) == nullptr &&
      multiplyByOnednn(transA, transB, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc))
    return;
  chosen(BlasFunction::Sgemm, cblas_sgemm)(CblasRowMajor, flag(transA), flag(transB), m, n, k, alpha, a, lda, b, ldb,
                                           beta, c, ldc);
}

void gemm(bool transA, bool transB, int m, int n, int k, double alpha, const double* a, int lda, const double* b,
          int ldb, double beta, double* c, int ldc) {
  chosen(BlasFunction::Dgemm, cblas_dgemm)(CblasRowMajor, flag(transA), flag(transB), m, n, k, alpha, a, lda, b, ldb,
                                           beta, c, ldc);
}

void gemv(bool rowMajor, int m, int n, float alpha, const float* a, int lda, const float* x, int incX, float beta,
          float* y, int incY) {
  chosen(BlasFunction::Sgemv, cblas_sgemv)(rowMajor ? CblasRowMajor : CblasColMajor, CblasNoTrans, m, n, alpha, a, lda,
                                           x, incX, beta, y, incY);
}

void gemv(bool rowMajor, int m, int n, double alpha, const double* a, int lda, const double* x, int incX, double beta,
          double* y, int incY) {
  chosen(BlasFunction::Dgemv, cblas_dgemv)(rowMajor ? CblasRowMajor : CblasColMajor, CblasNoTrans, m, n, alpha, a, lda,
                                           x, incX, beta, y, incY);
}

void trsm(bool upper, bool transposed, int n, int columns, const float* a, float* b) {
  cblas_strsm(CblasRowMajor, CblasLeft, upper ? CblasUpper : CblasLower, flag(transposed), CblasNonUnit, n, columns, 1,
              a, n, b, columns);
}

void trsm(bool upper, bool transposed, int n, int columns, const double* a, double* b) {
  cblas_dtrsm(CblasRowMajor, CblasLeft, upper ? CblasUpper : CblasLower, flag(transposed), CblasNonUnit, n, columns, 1,
              a, n, b, columns);
}

}  // namespace sd::blas
