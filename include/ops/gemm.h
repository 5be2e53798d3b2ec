// Matrix products on raw memory with BLAS's arguments, for programs that do not call a BLAS themselves.
#ifndef NDFORGE_OPS_GEMM_H
#define NDFORGE_OPS_GEMM_H

#include <array/DataTypeUtils.h>
#include <system/common.h>

#include <type_traits>

namespace sd::blas {

/// Position of element (r, c) in a dense matrix of `rows` and `cols`.
inline int linearIndexC(int rows, int cols, int r, int c) { return (void)rows, r * cols + c; }
inline int linearIndexF(int rows, int cols, int r, int c) { return (void)cols, c * rows + r; }

namespace detail {

SD_LIB_EXPORT void gemm(DataType type, int order, int transA, int transB, int m, int n, int k, double alpha, void* a,
                        int lda, void* b, int ldb, double beta, void* c, int ldc);
SD_LIB_EXPORT void gemv(DataType type, int trans, int m, int n, double alpha, void* a, int lda, void* x, int incX,
                        double beta, void* y, int incY);

}  // namespace detail

/// C = alpha * op(A) op(B) + beta * C with op(A) [M, K] and op(B) [K, N]. Order: 101 row-major, 102 column-major;
/// Trans: 111 not transposed, 112 and 113 transposed. @throws std::invalid_argument for other codes, negative sizes,
/// leading dimensions that are too small, null pointers
template <typename X, typename Y, typename Z>
class GEMM {
 public:
  static void op(int Order, int TransA, int TransB, int M, int N, int K, double alpha, void* A, int lda, void* B,
                 int ldb, double beta, void* C, int ldc) {
    static_assert(std::is_same_v<X, Y> && std::is_same_v<X, Z>, "the blocks have one element type");
    detail::gemm(DataTypeUtils::fromT<X>(), Order, TransA, TransB, M, N, K, alpha, A, lda, B, ldb, beta, C, ldc);
  }
};

/// y = alpha * op(A) x + beta * y with a column-major A [M, N]. Errors as above, and for increments below 1.
template <typename X, typename Y, typename Z>
class GEMV {
 public:
  static void op(int TRANS, int M, int N, double alpha, void* A, int lda, void* x, int incx, double beta, void* y,
                 int incy) {
    static_assert(std::is_same_v<X, Y> && std::is_same_v<X, Z>, "the blocks have one element type");
    detail::gemv(DataTypeUtils::fromT<X>(), TRANS, M, N, alpha, A, lda, x, incx, beta, y, incy);
  }
};

}  // namespace sd::blas

#endif
