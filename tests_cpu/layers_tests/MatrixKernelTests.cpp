// Products that have kernels of their own: those of a few rows with a transposed matrix, of small matrices, of larger
// ones of doubles, dot products. Their values, what lies beside the result, and that threads do not change them.
#include <array/DataTypeUtils.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>
#include <tuple>
#include <vector>

#include "ThreadCount.h"
#include "linalg/MatrixProduct.h"

using namespace sd;

namespace {

constexpr LongType GAP = 3;  // between the rows

/// c = alpha a bᵀ + beta c for random matrices; b itself is plain if `isPlain`, and a is transposed if `isTurned`.
template <typename T>
struct Case {
  LongType m, n, k;
  double alpha, beta;
  bool isPlain, isTurned;
  std::vector<T> a, b, c;

  Case(LongType m_, LongType n_, LongType k_, double alpha_, double beta_, bool isPlain_ = false,
       bool isTurned_ = false)
      : m(m_), n(n_), k(k_), alpha(alpha_), beta(beta_), isPlain(isPlain_), isTurned(isTurned_) {
    std::mt19937 random(static_cast<unsigned>(m * 31 + n * 7 + k));
    std::uniform_real_distribution<double> values(-1, 1);
    const auto fill = [&](std::vector<T>& x, LongType count) {
      x.resize(static_cast<size_t>(count));
      for (T& value : x) value = static_cast<T>(values(random));
    };
    fill(a, isTurned ? k * (m + GAP) : m * (k + GAP));
    fill(b, isPlain ? k * (n + GAP) : n * (k + GAP));
    fill(c, m * (n + GAP));
  }
  T elementA(LongType i, LongType l) const {
    return a[static_cast<size_t>(isTurned ? l * (m + GAP) + i : i * (k + GAP) + l)];
  }
  T elementB(LongType l, LongType j) const {
    return b[static_cast<size_t>(isPlain ? l * (n + GAP) + j : j * (k + GAP) + l)];
  }
  std::vector<T> result() {
    std::vector<T> z = c;
    // What is not read may be anything.
    if (beta == 0)
      for (LongType i = 0; i < m; i++)
        for (LongType j = 0; j < n; j++)
          z[static_cast<size_t>(i * (n + GAP) + j)] = std::numeric_limits<T>::quiet_NaN();
    const MatrixOperand x =
        isTurned ? MatrixOperand{a.data(), m, k, 1, m + GAP} : MatrixOperand{a.data(), m, k, k + GAP, 1};
    const MatrixOperand y =
        isPlain ? MatrixOperand{b.data(), k, n, n + GAP, 1} : MatrixOperand{b.data(), k, n, 1, k + GAP};
    multiplyMatrices(DataTypeUtils::fromT<T>(), x, y, {z.data(), m, n, n + GAP, 1}, alpha, beta);
    return z;
  }
  std::vector<T> result(int threads) {
    const ThreadCount scope(threads);
    return result();
  }
  void expectRight() {
    SCOPED_TRACE(testing::Message() << m << " x " << n << " x " << k << ", alpha " << alpha << ", beta " << beta
                                    << ", elements of " << sizeof(T) << " bytes");
    const std::vector<T> z = result();
    // One sum of k terms after the other has the larger error.
    const double tolerance =
        std::numeric_limits<T>::epsilon() * (4 + static_cast<double>(isPlain ? k : LongType(std::sqrt(k))));
    for (LongType i = 0; i < m; i++) {
      for (LongType j = 0; j < n; j++) {
        double sum = 0, size = 0;
        for (LongType l = 0; l < k; l++) {
          const double term = static_cast<double>(elementA(i, l)) * static_cast<double>(elementB(l, j));
          sum += term;
          size += std::abs(term);
        }
        const auto at = static_cast<size_t>(i * (n + GAP) + j);
        const double expected = alpha * sum + (beta == 0 ? 0 : beta * static_cast<double>(c[at]));
        ASSERT_NEAR(static_cast<double>(z[at]), expected, tolerance * (std::abs(alpha) * size + std::abs(expected)))
            << i << ", " << j;
      }
      for (LongType j = n; j < n + GAP; j++) {
        const auto at = static_cast<size_t>(i * (n + GAP) + j);
        ASSERT_EQ(z[at], c[at]) << "beside row " << i;
      }
    }
  }
};

template <typename T>
void expectProducts() {
  const std::pair<double, double> factors[] = {{1, 0}, {1, 1}, {-0.5, 0}, {2, 0.25}};
  for (const LongType m : {1, 2, 3, 4, 5, 7, 8, 16, 17, 31, 32, 33})
    for (const LongType n : {1, 2, 3, 5, 16, 37, 64})
      for (const LongType k : {1, 15, 63, 64, 65, 79, 256, 300})
        for (const auto& [alpha, beta] : factors) Case<T>(m, n, k, alpha, beta).expectRight();
}

template <typename T>
void expectSmallProducts() {
  const std::pair<double, double> factors[] = {{1, 0}, {1, 1}, {-0.5, 0}, {2, 0.25}};
  const std::tuple<LongType, LongType, LongType> sizes[] = {
      {4, 16, 1},     {4, 16, 7},      {8, 32, 32},   {12, 48, 33},  {16, 16, 5},     {20, 64, 64},
      {64, 64, 64},   {28, 80, 100},   {31, 64, 64},  {64, 65, 64},  {128, 128, 128}, {100, 104, 99},
      {148, 128, 60}, {256, 256, 256}, {4, 512, 100}, {512, 16, 50}, {256, 8, 512},   {36, 24, 1200}};
  for (const auto& [m, n, k] : sizes)
    for (const auto& [alpha, beta] : factors)
      for (const bool isTurned : {false, true}) Case<T>(m, n, k, alpha, beta, true, isTurned).expectRight();
}

template <typename T>
void expectSameBits(Case<T> one) {
  const std::vector<T> alone = one.result(1);
  for (const int threads : {2, 3, 7}) {
    const std::vector<T> together = one.result(threads);
    for (LongType i = 0; i < one.m; i++)
      for (LongType j = 0; j < one.n; j++) {
        const auto at = static_cast<size_t>(i * (one.n + GAP) + j);
        ASSERT_EQ(together[at], alone[at]);
      }
  }
}

}  // namespace

TEST(SmallProduct, floats) { expectSmallProducts<float>(); }

TEST(SmallProduct, doubles) { expectSmallProducts<double>(); }

TEST(SmallProduct, threadsChangeNoBit) { expectSameBits(Case<double>(248, 256, 250, 1, 0, true)); }

TEST(BlockProduct, doubles) {
  // Blocks have at most 96 rows, sums of 384 terms and 1,024 columns, panels 16 columns.
  const std::tuple<LongType, LongType, LongType> sizes[] = {
      {128, 64, 64},   {124, 64, 600},  {128, 72, 65},   {132, 80, 192}, {136, 600, 193},
      {384, 64, 385},  {388, 104, 191}, {1540, 72, 100}, {130, 600, 64}, {600, 66, 200},
      {776, 264, 300}, {132, 80, 769},  {200, 1048, 70}, {128, 2056, 64}};
  for (const auto& [m, n, k] : sizes)
    for (const bool isTurned : {false, true}) {
      Case<double>(m, n, k, 1, 0, true, isTurned).expectRight();
      Case<double>(m, n, k, -0.5, 0.25, true, isTurned).expectRight();
    }
}

TEST(BlockProduct, threadsChangeNoBit) {
  expectSameBits(Case<double>(1200, 200, 300, 1, 0.5, true));
  expectSameBits(Case<double>(260, 648, 500, 2, 0, true, true));
}

TEST(FewRowsProduct, floats) { expectProducts<float>(); }

TEST(FewRowsProduct, doubles) { expectProducts<double>(); }

TEST(FewRowsProduct, dotProductsOfEveryLength) {
  for (LongType k = 1; k < 300; k++) {
    Case<float>(1, 1, k, 1, 0).expectRight();
    Case<double>(1, 1, k, -2, 0.5).expectRight();
  }
  Case<float>(1, 1, 100'003, 1, 0).expectRight();
}

TEST(VectorProduct, valuesAndThreads) {
  for (const auto& [m, k] : {std::pair<LongType, LongType>{100, 1000}, {1003, 70}, {17, 5000}, {1, 64}, {2, 129}}) {
    Case<float>(m, 1, k, 1, 0).expectRight();
    Case<double>(m, 1, k, -0.5, 2).expectRight();
  }
  expectSameBits(Case<float>(1500, 1, 3000, 1, 0));
  expectSameBits(Case<double>(1501, 1, 3000, 1, 1));
}

TEST(FewRowsProduct, threadsChangeNoBit) { expectSameBits(Case<float>(16, 2000, 700, 1, 0)); }

// Infinite and undefined elements reach the elements of their row and column, and no others.
TEST(FewRowsProduct, infinitiesAndNan) {
  Case<float> one(6, 21, 70, 1, 0);
  one.a[static_cast<size_t>(2 * (one.k + GAP) + 69)] = std::numeric_limits<float>::infinity();
  one.b[static_cast<size_t>(20 * (one.k + GAP) + 68)] = std::numeric_limits<float>::quiet_NaN();
  one.a[static_cast<size_t>(one.k)] = one.b[static_cast<size_t>(one.k)] = std::numeric_limits<float>::quiet_NaN();
  const std::vector<float> z = one.result();
  for (LongType i = 0; i < one.m; i++)
    for (LongType j = 0; j < one.n; j++) {
      const float value = z[static_cast<size_t>(i * (one.n + GAP) + j)];
      if (j == 20)
        EXPECT_TRUE(std::isnan(value)) << i << ", " << j;
      else
        EXPECT_EQ(std::isinf(value), i == 2) << i << ", " << j;
    }
}
