// Distributions of the random operations: equal generators give equal results, and the moments are right.
#include <array/NDArrayFactory.h>
#include <gtest/gtest.h>
#include <ops/declarable/CustomOperations.h>

#include <algorithm>
#include <cmath>
#include <numeric>

using namespace sd;

namespace {

struct Moments {
  double mean, variance;
};

Moments momentsOf(const NDArray& array) {
  const std::vector<double> values = array.getBufferAsVector<double>();
  const double n = static_cast<double>(values.size());
  const double mean = std::accumulate(values.begin(), values.end(), 0.0) / n;
  double squares = 0;
  for (double v : values) squares += (v - mean) * (v - mean);
  return {mean, squares / n};
}

/// Runs the operation with generators with equal and with different seeds; returns the moments of its FLOAT32 result of
/// 40000 elements.
Moments distribution(ops::DeclarableOp& op, const std::vector<double>& t) {
  NDArray shape('c', {2}, {200, 200}, INT32);
  NDArray a('c', {200, 200}, FLOAT32), b('c', {200, 200}, FLOAT32), c('c', {200, 200}, FLOAT32);
  graph::RandomGenerator rng(31, 5), other(32, 5);
  EXPECT_EQ(op.execute(rng, {&shape}, {&a}, t, {}), Status::OK);
  EXPECT_EQ(op.execute(rng, {&shape}, {&b}, t, {}), Status::OK);
  EXPECT_EQ(op.execute(other, {&shape}, {&c}, t, {}), Status::OK);
  EXPECT_TRUE(a.equalsTo(b, 0.0));
  EXPECT_FALSE(a.equalsTo(c));
  return momentsOf(a);
}

}  // namespace

TEST(OpsRandom, Distributions) {
  ops::random_normal normal;
  Moments m = distribution(normal, {3, 2});
  EXPECT_NEAR(m.mean, 3, 0.05);
  EXPECT_NEAR(m.variance, 4, 0.15);
  ops::random_bernoulli bernoulli;
  m = distribution(bernoulli, {0.3});
  EXPECT_NEAR(m.mean, 0.3, 0.015);
  ops::random_exponential exponential;
  m = distribution(exponential, {2});
  EXPECT_NEAR(m.mean, 0.5, 0.015);
  EXPECT_NEAR(m.variance, 0.25, 0.02);
  ops::randomuniform uniform;
  m = distribution(uniform, {-1, 3});
  EXPECT_NEAR(m.mean, 1, 0.03);
  EXPECT_NEAR(m.variance, 16.0 / 12, 0.04);
}

TEST(OpsRandom, PoissonNumbersAsIntegers) {
  NDArray shape('c', {1}, {500}, INT32), lambda('c', {2}, {1, 30}, FLOAT32);
  ops::random_poisson op;
  graph::RandomGenerator rng(31, 5);
  NDArray real('c', {500, 2}, DOUBLE), whole('c', {500, 2}, INT32);
  ASSERT_EQ(op.execute(rng, {&shape, &lambda}, {&real}, {}, {3}, {}, {DOUBLE}), Status::OK);
  ASSERT_EQ(op.execute(rng, {&shape, &lambda}, {&whole}, {}, {3}, {}, {INT32}), Status::OK);
  EXPECT_GT(momentsOf(real).variance, 100);  // values around both means occur
  EXPECT_TRUE(whole.cast(DOUBLE).equalsTo(real, 0.0));
}

TEST(OpsRandom, GammaAndPoisson) {
  NDArray shape('c', {1}, {40000}, INT64);
  for (const DataType type : {FLOAT32, DOUBLE}) {
    NDArray alpha('c', {3}, {0.5, 1, 4}, type), beta('c', {1}, {2}, type), z('c', {40000, 3}, type), again = z;
    ops::random_gamma gamma;
    graph::RandomGenerator rng(11, 5);
    ASSERT_EQ(gamma.execute(rng, {&shape, &alpha, &beta}, {&z}, {}, {77}), Status::OK);
    ASSERT_EQ(gamma.execute(rng, {&shape, &alpha, &beta}, {&again}, {}, {77}), Status::OK);
    EXPECT_TRUE(z.equalsTo(again, 0.0));
    for (int k = 0; k < 3; k++) {
      const double a = alpha.e<double>(k);
      const Moments m = momentsOf(z({0, 0, k, k + 1}));
      EXPECT_NEAR(m.mean, a / 2, 0.03 * std::sqrt(a));
      EXPECT_NEAR(m.variance, a / 4, 0.03 * a);
    }
    NDArray lambda('c', {3}, {0.5, 4, 60}, type);
    ops::random_poisson poisson;
    ASSERT_EQ(poisson.execute(rng, {&shape, &lambda}, {&z}, {}, {3}), Status::OK);
    for (int k = 0; k < 3; k++) {
      const double l = lambda.e<double>(k);
      const Moments m = momentsOf(z({0, 0, k, k + 1}));
      EXPECT_NEAR(m.mean, l, 0.025 * std::sqrt(l));
      EXPECT_NEAR(m.variance, l, 0.04 * l);
    }
  }
}

TEST(OpsRandom, Multinomial) {
  NDArray logits('c', {2, 3}, {std::log(0.5), std::log(0.3), std::log(0.2), 1, 1, 1}, FLOAT32), count(INT32);
  count.p(0, 30000);
  ops::random_multinomial multinomial;
  NDArray z('c', {2, 30000}, INT64);
  graph::RandomGenerator rng(11, 5);
  ASSERT_EQ(multinomial.execute(rng, {&logits, &count}, {&z}, {}, {0}), Status::OK);
  const double expected[] = {0.5, 0.3, 0.2, 1.0 / 3, 1.0 / 3, 1.0 / 3};
  const std::vector<LongType> values = z.getBufferAsVector<LongType>();
  for (int row = 0; row < 2; row++)
    for (int k = 0; k < 3; k++)
      EXPECT_NEAR(
          static_cast<double>(std::count(values.begin() + row * 30000, values.begin() + (row + 1) * 30000, k)) / 30000,
          expected[3 * row + k], 0.015);
}

TEST(OpsRandom, ShufflesKeepSlices) {
  graph::RandomGenerator rng(11, 5);
  ops::random_shuffle shuffle;
  NDArray x('c', {50, 2}, INT16), z('c', {50, 2}, INT16);
  x.linspace(0);
  ASSERT_EQ(shuffle.execute(rng, {&x}, {&z}, {}, {}), Status::OK);
  EXPECT_FALSE(x.equalsTo(z));
  std::vector<int> rows;
  for (int i = 0; i < 50; i++) {
    EXPECT_EQ(z.e<int>(i, 1), z.e<int>(i, 0) + 1);
    rows.push_back(z.e<int>(i, 0) / 2);
  }
  std::sort(rows.begin(), rows.end());
  for (int i = 0; i < 50; i++) EXPECT_EQ(rows[static_cast<size_t>(i)], i);
  // the order is the same in place
  ASSERT_EQ(shuffle.execute(rng, {&x}, {&x}, {}, {}, {}, {}, true), Status::OK);
  EXPECT_TRUE(x.equalsTo(z));
}

TEST(OpsRandom, CropsLieInTheArray) {
  ops::random_crop crop;
  NDArray x('c', {6, 7}, FLOAT32), size('c', {2}, {2, 3}, INT32), z('c', {2, 3}, FLOAT32);
  x.linspace(0);
  std::vector<int> starts;
  for (int seed = 1; seed < 40; seed++) {
    graph::RandomGenerator rng(11, 5);
    ASSERT_EQ(crop.execute(rng, {&x, &size}, {&z}, {}, {seed}), Status::OK);
    const int start = z.e<int>(0);
    starts.push_back(start);
    EXPECT_LE(start / 7, 4);
    EXPECT_LE(start % 7, 4);
    for (int i = 0; i < 2; i++)
      for (int j = 0; j < 3; j++) EXPECT_EQ(z.e<int>(i, j), start + 7 * i + j);
  }
  std::sort(starts.begin(), starts.end());
  EXPECT_GT(std::unique(starts.begin(), starts.end()) - starts.begin(), 10);
}

TEST(OpsRandom, Seeds) {
  Context context(1);
  context.setRng(graph::RandomGenerator(119, 5));
  NDArray seed(INT64), z(FLOAT32), root(INT64);
  context.setInputArray(0, &seed);
  context.setOutputArray(0, &z);
  context.setIArguments({77});
  ops::set_seed set;
  ASSERT_EQ(set.execute(&context), Status::OK);
  EXPECT_EQ(context.getRng().nodeState(), 77);
  EXPECT_EQ(context.getRng().rootState(), 119);
  EXPECT_EQ(z.e<int>(0), 77);
  context.setOutputArray(0, &root);
  ops::get_seed get;
  ASSERT_EQ(get.execute(&context), Status::OK);
  EXPECT_EQ(root.e<LongType>(0), 119);
}
