// Products of matrices on oneDNN: their values, what lies beside them, and that threads do not change them.
#include <gtest/gtest.h>
#include <system/Environment.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "ThreadCount.h"
#include "linalg/OnednnProduct.h"

using namespace sd;

namespace {

struct Product {
  int m, n, k;
  bool transA, transB;
  float alpha = 1, beta = 0;
  int gap = 0;  // between the rows

  std::vector<float> a, b, c;
  int lda() const { return (transA ? m : k) + gap; }
  int ldb() const { return (transB ? k : n) + gap; }
  int ldc() const { return n + gap; }
  std::string text() const {
    return std::to_string(m) + " x " + std::to_string(n) + " x " + std::to_string(k) + (transA ? " T" : " N") +
           (transB ? "T" : "N") + ", alpha " + std::to_string(alpha) + ", beta " + std::to_string(beta) + ", gap " +
           std::to_string(gap);
  }

  void fill() {
    std::mt19937 random(static_cast<unsigned>(m * 31 + n * 7 + k));
    std::uniform_real_distribution<float> values(-1, 1);
    a.resize(static_cast<size_t>((transA ? k : m) * lda()));
    b.resize(static_cast<size_t>((transB ? n : k) * ldb()));
    c.resize(static_cast<size_t>(m * ldc()));
    for (auto* array : {&a, &b, &c}) std::generate(array->begin(), array->end(), [&] { return values(random); });
  }
  bool run(std::vector<float>& z) const {
    return blas::multiplyByOnednn(transA, transB, m, n, k, alpha, a.data(), lda(), b.data(), ldb(), beta, z.data(),
                                  ldc());
  }
  double element(int i, int j) const {
    double sum = 0;
    for (int l = 0; l < k; l++)
      sum += static_cast<double>(a[static_cast<size_t>(transA ? l * lda() + i : i * lda() + l)]) *
             static_cast<double>(b[static_cast<size_t>(transB ? j * ldb() + l : l * ldb() + j)]);
    const auto at = static_cast<size_t>(i * ldc() + j);
    return alpha * sum + (beta == 0 ? 0 : beta * static_cast<double>(c[at]));
  }
};

/// Sizes with one tile and several, with remainders.
std::vector<Product> products() {
  std::vector<Product> list;
  for (const auto& [m, n, k] : {std::tuple{32, 32, 32},
                                {1, 513, 70},
                                {700, 1, 64},
                                {61, 83, 97},
                                {256, 128, 64},
                                {128, 10, 256},
                                {1030, 100, 20},
                                {530, 1100, 9},
                                {520, 600, 64},
                                {12, 40, 9000},
                                {100, 300, 515}})
    for (const bool transA : {false, true})
      for (const bool transB : {false, true}) list.push_back({m, n, k, transA, transB, 1, 0, 0, {}, {}, {}});
  list.push_back({200, 150, 100, false, true, 0.5f, 2, 3, {}, {}, {}});
  list.push_back({200, 150, 100, true, false, -1, 1, 5, {}, {}, {}});
  list.push_back({100, 300, 515, false, true, 0.5f, 2, 3, {}, {}, {}});
  return list;
}

/// False when the processor or the build has no such products.
bool isAvailable() {
  Product one{64, 64, 64, false, false, 1, 0, 0, {}, {}, {}};
  one.fill();
  return one.run(one.c);
}

}  // namespace

TEST(OnednnProduct, valuesAreThoseOfTheDefinition) {
  if (!isAvailable()) GTEST_SKIP() << "products run on BLAS here";
  for (Product& p : products()) {
    p.fill();
    std::vector<float> z = p.c;
    if (p.beta == 0)
      for (int i = 0; i < p.m; i++) std::fill_n(z.begin() + i * p.ldc(), p.n, std::numeric_limits<float>::quiet_NaN());
    ASSERT_TRUE(p.run(z)) << p.text();
    double error = 0;
    for (int i = 0; i < p.m; i++)
      for (int j = 0; j < p.ldc(); j++) {
        const auto at = static_cast<size_t>(i * p.ldc() + j);
        if (j < p.n)
          error = std::max(error, std::isnan(z[at]) ? 1.0 : std::abs(static_cast<double>(z[at]) - p.element(i, j)));
        else
          ASSERT_EQ(z[at], p.c[at]) << p.text() << ": a gap was written";
      }
    EXPECT_LT(error, 1e-6 * std::sqrt(p.k) + 1e-9 * p.k) << p.text();
  }
}

TEST(OnednnProduct, threadsChangeNoBit) {
  if (!isAvailable()) GTEST_SKIP() << "products run on BLAS here";
  for (Product& p : products()) {
    p.fill();
    std::vector<float> one = p.c;
    {
      const ThreadCount threads(1);
      ASSERT_TRUE(p.run(one)) << p.text();
    }
    for (const int count : {2, 5}) {
      const ThreadCount threads(count);
      std::vector<float> several = p.c;
      ASSERT_TRUE(p.run(several)) << p.text();
      EXPECT_TRUE(one == several) << p.text() << ": " << count << " threads give other bits than one";
    }
  }
}

TEST(OnednnProduct, tinyProductsAndASwitchLeaveTheWorkToBlas) {
  Product tiny{8, 8, 8, false, false, 1, 0, 0, {}, {}, {}};
  tiny.fill();
  const std::vector<float> before = tiny.c;
  EXPECT_FALSE(tiny.run(tiny.c));
  EXPECT_TRUE(tiny.c == before);

  Product large{100, 100, 100, false, false, 1, 0, 0, {}, {}, {}};
  large.fill();
  std::vector<float> z = large.c;
  Environment::getInstance().setUseONEDNN(false);
  EXPECT_FALSE(large.run(z));
  Environment::getInstance().setUseONEDNN(true);
  EXPECT_TRUE(z == large.c);
}
