// Distributions of the random operations: equal generators give equal results, and the moments are right.
#include <array/NDArrayFactory.h>
#include <gtest/gtest.h>
#include <ops/declarable/CustomOperations.h>

#include <algorithm>
#include <cmath>
#include <functional>
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
}

// The numbers of the generator that shuffles use: programs with a fixed seed rely on them.
TEST(OpsRandom, NumbersOfShuffles) {
  const graph::RandomGenerator source(119, 5);
  struct Row {
    const char* what;
    std::vector<LongType> shape;
    bool inPlace;
    std::function<LongType(int)> number;  // draws for the exchange of i with a smaller one
  };
  const int n = 9;
  const auto counted = [&](int i) { return source.relativeLong(n - 1 - i); };
  const Row table[] = {
      {"a vector", {n}, false, counted},
      {"a vector in place", {n}, true, counted},
      {"a column in place", {n, 1}, true, counted},
      {"rows", {n, 2}, false, counted},
      {"rows in place", {n, 2}, true, [&](int i) -> LongType { return source.relativeInt(i); }},
  };
  for (const Row& row : table) {
    SCOPED_TRACE(row.what);
    std::vector<int> order(n);
    std::iota(order.begin(), order.end(), 0);
    for (int i = n - 1; i > 0; i--)
      std::swap(order[static_cast<size_t>(i)], order[static_cast<size_t>(row.number(i) % (i + 1))]);
    NDArray x('c', row.shape, FLOAT32), z('c', row.shape, FLOAT32);
    x.linspace(0);
    const LongType width = x.lengthOf() / n;
    graph::RandomGenerator rng(119, 5);
    ops::random_shuffle shuffle;
    ASSERT_EQ(shuffle.execute(rng, {&x}, {row.inPlace ? &x : &z}, {}, {}, {}, {}, row.inPlace), Status::OK);
    const NDArray& result = row.inPlace ? x : z;
    for (int i = 0; i < n; i++)
      EXPECT_EQ(result.e<LongType>(i * width), order[static_cast<size_t>(i)] * width) << "at " << i;
  }
}

// Each position has one uniform number, from which the numbers for all rates follow by inversion.
TEST(OpsRandom, NumbersOfPoisson) {
  for (const DataType type : {FLOAT32, DOUBLE}) {
    SCOPED_TRACE(DataTypeUtils::describe(type));
    NDArray shape('c', {1}, {500}, INT32), rates('c', {4}, {0, 1, 5, 60}, type), z('c', {500, 4}, type);
    graph::RandomGenerator rng(119, 5), source(119, 5);
    source.setSeed(3);
    ops::random_poisson op;
    ASSERT_EQ(op.execute(rng, {&shape, &rates}, {&z}, {}, {3}), Status::OK);
    for (int k = 0; k < 500; k++) {
      const float u = source.relativeT<float>(k);
      for (int r = 0; r < 4; r++) {
        // in long double: a number that lies so near to a bound that rounding decides is not drawn here
        const long double rate = rates.e<double>(r);
        long double x = 0, p = std::exp(-rate), sum = p;
        while (u > sum) sum += p *= rate / ++x;
        EXPECT_EQ(z.e<double>(k, r), static_cast<double>(x)) << "rate " << r << " at " << k;
      }
    }
  }
  // Numbers beyond all sums, and rates whose first term vanishes, end too.
  NDArray shape('c', {1}, {100000}, INT32), rates('c', {3}, {5, 80, 3000}, FLOAT32), z('c', {100000, 3}, FLOAT32);
  graph::RandomGenerator rng(119, 5);
  ops::random_poisson op;
  ASSERT_EQ(op.execute(rng, {&shape, &rates}, {&z}, {}, {3}), Status::OK);
  const double most[] = {60, 200, 3500}, means[] = {5, 80, 3000};
  for (int r = 0; r < 3; r++) {
    const NDArray column = z({0, 0, r, r + 1});
    EXPECT_LT(column.reduceNumber(reduce::Max).e<double>(0), most[r]);
    EXPECT_NEAR(column.meanNumber().e<double>(0), means[r], 5 * std::sqrt(means[r] / 1e5) + 0.01);
  }
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
