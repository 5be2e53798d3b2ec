// The BLAS functions that a program passes to initializeFunctions: products call them and use their results. The
// kernels of OpenBLAS.
#include <array/NDArray.h>
#include <dlfcn.h>
#include <gtest/gtest.h>
#include <helpers/MmulHelper.h>
#include <legacy/NativeOps.h>

#include <cstdlib>

#include "NDArrayHelpers.h"

using namespace sd;
using nd_test::expectArray;

namespace {

// Positions in the table of initializeFunctions.
enum Position { SGEMV, DGEMV, SGEMM, DGEMM, COUNT = 10 };
// Values of the CBLAS enumerations.
constexpr int ROW_MAJOR = 101, NO_TRANS = 111;

int calls[COUNT];

template <typename T, int POSITION>
void gemm(int order, int transA, int transB, int m, int n, int k, T alpha, const T* a, int lda, const T* b, int ldb,
          T beta, T* c, int ldc) {
  calls[POSITION]++;
  const auto at = [order](int row, int column, int ld) {
    return order == ROW_MAJOR ? row * ld + column : row + column * ld;
  };
  for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j++) {
      T sum = 0;
      for (int l = 0; l < k; l++)
        sum += (transA == NO_TRANS ? a[at(i, l, lda)] : a[at(l, i, lda)]) *
               (transB == NO_TRANS ? b[at(l, j, ldb)] : b[at(j, l, ldb)]);
      T& out = c[at(i, j, ldc)];
      out = alpha * sum + (beta == 0 ? 0 : beta * out);
    }
}

template <typename T, int POSITION>
void gemv(int order, int trans, int m, int n, T alpha, const T* a, int lda, const T* x, int incX, T beta, T* y,
          int incY) {
  calls[POSITION]++;
  const bool rows = (order == ROW_MAJOR) == (trans == NO_TRANS);  // the rows of op(a) are contiguous
  const int outputs = trans == NO_TRANS ? m : n, terms = trans == NO_TRANS ? n : m;
  for (int i = 0; i < outputs; i++) {
    T sum = 0;
    for (int l = 0; l < terms; l++) sum += (rows ? a[i * lda + l] : a[l * lda + i]) * x[l * incX];
    y[i * incY] = alpha * sum + (beta == 0 ? 0 : beta * y[i * incY]);
  }
}

class ExternalBlasTests : public testing::Test {
 protected:
  void SetUp() override {
    if (Environment::getInstance().blasFallback()) GTEST_SKIP() << "SD_BLAS_FALLBACK forbids external functions";
    std::fill(calls, calls + COUNT, 0);
  }
  void TearDown() override {
    Pointer none[COUNT] = {};
    initializeFunctions(none);
  }
  template <typename F>
  static Pointer address(F* function) {
    return reinterpret_cast<Pointer>(function);
  }
};

void expectProducts(DataType type) {
  const NDArray a('c', {2, 3}, std::vector<double>{1, 2, 3, 4, 5, 6}, type),
      v('c', {3}, std::vector<double>{1, 0, 2}, type);
  const NDArray b('f', {3, 2}, std::vector<double>{1, 2, 3, 4, 5, 6}, type);  // a transposed
  expectArray(mmul(a, b), {2, 2}, {14, 32, 32, 77});
  expectArray(mmul(a, v), {2}, {7, 16});
  expectArray(mmul(v, v), {}, {5});
  NDArray z('f', {2, 2}, std::vector<double>{1, 1, 1, 1}, type);
  MmulHelper::matmul(&a, &a, &z, false, true, 2, 3);
  expectArray(z, {2, 2}, {31, 67, 67, 157});
}

}  // namespace

TEST_F(ExternalBlasTests, ProductsCallTheFunctions) {
  Pointer table[COUNT] = {address(gemv<float, SGEMV>), address(gemv<double, DGEMV>), address(gemm<float, SGEMM>),
                          address(gemm<double, DGEMM>)};
  initializeFunctions(table);
  expectProducts(FLOAT32);
  EXPECT_EQ((std::vector<int>{2, 0, 2, 0}), std::vector<int>(calls, calls + 4));
  expectProducts(DOUBLE);
  EXPECT_EQ((std::vector<int>{2, 2, 2, 2}), std::vector<int>(calls, calls + 4));
}

TEST_F(ExternalBlasTests, MissingFunctionsAreThoseOfTheLibrary) {
  Pointer table[COUNT] = {};
  table[DGEMM] = address(gemm<double, DGEMM>);
  initializeFunctions(table);
  expectProducts(FLOAT32);
  expectProducts(DOUBLE);
  EXPECT_EQ((std::vector<int>{0, 0, 0, 2}), std::vector<int>(calls, calls + 4));
}

TEST_F(ExternalBlasTests, ATableOfNothingTakesThemBack) {
  Pointer table[COUNT] = {address(gemv<float, SGEMV>), nullptr, address(gemm<float, SGEMM>)};
  initializeFunctions(table);
  Pointer none[COUNT] = {};
  initializeFunctions(none);
  expectProducts(FLOAT32);
  EXPECT_EQ((std::vector<int>{0, 0, 0, 0}), std::vector<int>(calls, calls + 4));
}

#if defined(__x86_64__)
TEST(OpenBlasCore, hasVectorsOfTheProcessor) {
  const auto name = reinterpret_cast<char* (*)()>(dlsym(RTLD_DEFAULT, "openblas_get_corename"));
  if (name == nullptr || dlsym(RTLD_DEFAULT, "gotoblas_dynamic_init") == nullptr)
    GTEST_SKIP() << "products are not those of an OpenBLAS with kernels for several processors";
  if (std::getenv("OPENBLAS_CORETYPE") != nullptr) GTEST_SKIP() << "OPENBLAS_CORETYPE is set";
  if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma")) GTEST_SKIP() << "vectors of two doubles";
  EXPECT_STRNE(name(), "Prescott");
}
#endif
