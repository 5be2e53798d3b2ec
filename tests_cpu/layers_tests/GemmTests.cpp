// The products of ops/gemm.h against plain loops.
#include <gtest/gtest.h>
#include <ops/gemm.h>
#include <types/bfloat16.h>
#include <types/float16.h>

#include <vector>

using sd::LongType;

namespace {

constexpr int ROW_MAJOR = 101, COLUMN_MAJOR = 102, NO_TRANS = 111, TRANS = 112;
constexpr int M = 3, N = 4, K = 2, GAP = 2;

double valueA(int i, int k) { return (3 * i + 5 * k) % 4 - 1; }
double valueB(int k, int j) { return (2 * k + 7 * j) % 5 - 2; }

// A block with GAP unused elements after each row or column. `leading` receives its leading dimension.
template <typename T, typename F>
std::vector<T> block(int rows, int columns, bool byColumns, int& leading, F value) {
  leading = (byColumns ? rows : columns) + GAP;
  std::vector<T> data(static_cast<size_t>(leading * (byColumns ? columns : rows)), T(99.f));
  for (int i = 0; i < rows; i++)
    for (int j = 0; j < columns; j++) data[byColumns ? j * leading + i : i * leading + j] = static_cast<T>(value(i, j));
  return data;
}

template <typename T>
void checkGemm() {
  for (int order : {ROW_MAJOR, COLUMN_MAJOR})
    for (int transA : {NO_TRANS, TRANS})
      for (int transB : {NO_TRANS, TRANS})
        for (double beta : {0.0, 2.0}) {
          const bool byColumns = order == COLUMN_MAJOR;
          int lda, ldb, ldc;
          auto a = transA == NO_TRANS ? block<T>(M, K, byColumns, lda, valueA)
                                      : block<T>(K, M, byColumns, lda, [](int k, int i) { return valueA(i, k); });
          auto b = transB == NO_TRANS ? block<T>(K, N, byColumns, ldb, valueB)
                                      : block<T>(N, K, byColumns, ldb, [](int j, int k) { return valueB(k, j); });
          auto c = block<T>(M, N, byColumns, ldc, [](int, int) { return 1; });
          auto expected = block<T>(M, N, byColumns, ldc, [beta](int i, int j) {
            double sum = 0;
            for (int k = 0; k < K; k++) sum += valueA(i, k) * valueB(k, j);
            return 3 * sum + beta;
          });
          sd::blas::GEMM<T, T, T>::op(order, transA, transB, M, N, K, 3.0, a.data(), lda, b.data(), ldb, beta, c.data(),
                                      ldc);
          EXPECT_EQ(c, expected) << order << ' ' << transA << ' ' << transB << ' ' << beta;
        }
}

}  // namespace

TEST(GemmTests, EveryOrderTranspositionAndType) {
  checkGemm<float>();
  checkGemm<double>();
  checkGemm<float16>();
  checkGemm<bfloat16>();
  checkGemm<int>();
  checkGemm<LongType>();
}

TEST(GemmTests, MatrixTimesVector) {
  for (int trans : {NO_TRANS, TRANS}) {
    int lda;
    auto a = block<float>(M, N, true, lda, valueA);
    const int rows = trans == NO_TRANS ? M : N, columns = trans == NO_TRANS ? N : M;
    std::vector<float> x(2 * columns, 99.f), y(3 * rows, 1.f), expected(y);
    for (int j = 0; j < columns; j++) x[2 * j] = static_cast<float>(j - 1);
    for (int i = 0; i < rows; i++) {
      double sum = 0;
      for (int j = 0; j < columns; j++) sum += (trans == NO_TRANS ? valueA(i, j) : valueA(j, i)) * (j - 1);
      expected[3 * i] = static_cast<float>(2 * sum + 0.5);
    }
    sd::blas::GEMV<float, float, float>::op(trans, M, N, 2.0, a.data(), lda, x.data(), 2, 0.5, y.data(), 3);
    EXPECT_EQ(y, expected);
  }
}

TEST(GemmTests, NothingToSumAndNothingToDo) {
  float c[4] = {1, 2, 3, 4};
  using Gemm = sd::blas::GEMM<float, float, float>;
  Gemm::op(ROW_MAJOR, NO_TRANS, NO_TRANS, 2, 2, 0, 1.0, nullptr, 1, nullptr, 2, 3.0, c, 2);
  EXPECT_EQ(std::vector<float>(c, c + 4), (std::vector<float>{3, 6, 9, 12}));
  Gemm::op(ROW_MAJOR, NO_TRANS, NO_TRANS, 0, 2, 2, 1.0, nullptr, 2, nullptr, 2, 3.0, nullptr, 2);
}

TEST(GemmTests, WhatIsNoProductIsRefused) {
  float a[4] = {1, 2, 3, 4}, c[4] = {5, 6, 7, 8};
  using Gemm = sd::blas::GEMM<float, float, float>;
  struct {
    int order, trans, m, lda, ldc;
    void* a;
  } const rows[] = {{100, NO_TRANS, 2, 2, 2, a},        {ROW_MAJOR, 110, 2, 2, 2, a},
                    {ROW_MAJOR, NO_TRANS, -1, 2, 2, a}, {ROW_MAJOR, NO_TRANS, 2, 1, 2, a},
                    {ROW_MAJOR, NO_TRANS, 2, 2, 1, a},  {ROW_MAJOR, NO_TRANS, 2, 2, 2, nullptr}};
  for (const auto& row : rows)
    EXPECT_THROW(Gemm::op(row.order, row.trans, NO_TRANS, row.m, 2, 2, 1.0, row.a, row.lda, a, 2, 0.0, c, row.ldc),
                 std::invalid_argument);
  using Gemv = sd::blas::GEMV<float, float, float>;
  EXPECT_THROW(Gemv::op(NO_TRANS, 2, 2, 1.0, a, 2, a, 0, 0.0, c, 1), std::invalid_argument);
  EXPECT_EQ(std::vector<float>(c, c + 4), (std::vector<float>{5, 6, 7, 8}));
  EXPECT_EQ(sd::blas::linearIndexC(2, 3, 1, 2), 5);
  EXPECT_EQ(sd::blas::linearIndexF(2, 3, 1, 2), 5);
  EXPECT_EQ(sd::blas::linearIndexF(2, 3, 1, 0), 1);
}
