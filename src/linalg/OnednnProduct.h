// Products of matrices in single precision on oneDNN.
#ifndef NDFORGE_SRC_LINALG_ONEDNNPRODUCT_H
#define NDFORGE_SRC_LINALG_ONEDNNPRODUCT_H

namespace sd::blas {

/// c = alpha * op(a) op(b) + beta * c as gemm computes it, if oneDNN has kernels for the processor that are better than
/// those of the linked BLAS, and may be used; else returns false. Results do not depend on the number of threads.
bool multiplyByOnednn(bool transA, bool transB, int m, int n, int k, float alpha, const float* a, int lda,
                      const float* b, int ldb, float beta, float* c, int ldc);

}  // namespace sd::blas

#endif
