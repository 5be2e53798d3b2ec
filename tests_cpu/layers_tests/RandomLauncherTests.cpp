// Arrays filled with random numbers.
#include <array/NDArray.h>
#include <gtest/gtest.h>
#include <helpers/RandomLauncher.h>

#include <cmath>

using namespace sd;
using sd::graph::RandomGenerator;

namespace {

struct Fill {
  const char* name;
  void (*run)(RandomGenerator&, NDArray*);
  double mean, variance;
};

}  // namespace

TEST(RandomLauncherTests, FillsHaveTheirMoments) {
  // Closed forms; the variance of a normal variate truncated at two deviations is 0.7737413.
  const Fill table[] = {
      {"uniform", [](RandomGenerator& g, NDArray* x) { RandomLauncher::fillUniform(nullptr, g, x, -1, 3); }, 1,
       16. / 12},
      {"normal", [](RandomGenerator& g, NDArray* x) { RandomLauncher::fillGaussian(nullptr, g, x, 2, 0.5); }, 2, 0.25},
      {"truncated", [](RandomGenerator& g, NDArray* x) { RandomLauncher::fillTruncatedNormal(nullptr, g, x, 1, 2); }, 1,
       4 * 0.7737413},
      {"log-normal", [](RandomGenerator& g, NDArray* x) { RandomLauncher::fillLogNormal(nullptr, g, x, 0, 0.5); },
       std::exp(0.125), (std::exp(0.25) - 1) * std::exp(0.25)},
      {"Bernoulli", [](RandomGenerator& g, NDArray* x) { RandomLauncher::fillBernoulli(nullptr, g, x, 0.3); }, 0.3,
       0.21},
      {"exponential", [](RandomGenerator& g, NDArray* x) { RandomLauncher::fillExponential(nullptr, g, x, 2); }, 0.5,
       0.25},
  };
  const int n = 40000;
  for (const Fill& fill : table) {
    SCOPED_TRACE(fill.name);
    RandomGenerator generator(119, 5), same(119, 5);
    NDArray x('c', {200, 200}, FLOAT32), y('f', {200, 200}, FLOAT32);
    fill.run(generator, &x);
    fill.run(same, &y);
    double sum = 0, squares = 0;
    for (int i = 0; i < n; i++) {
      const double value = x.e<float>(i);
      ASSERT_EQ(value, y.e<float>(i)) << "element " << i << " depends on the order of the array";
      sum += value;
      squares += value * value;
    }
    const double mean = sum / n;
    EXPECT_NEAR(mean, fill.mean, 5 * std::sqrt(fill.variance / n));
    EXPECT_NEAR(squares / n - mean * mean, fill.variance, 0.06 * fill.variance);
    RandomGenerator moved(119, 5);
    moved.rewindH(n);
    EXPECT_EQ(generator.nodeState(), moved.nodeState());
  }
}

TEST(RandomLauncherTests, BinomialCountsSuccesses) {
  RandomGenerator generator(119, 5);
  NDArray x('c', {2000}, DOUBLE);
  RandomLauncher::fillBinomial(nullptr, generator, &x, 7, 0.375);
  for (int i = 0; i < 2000; i++) {
    const double value = x.e<double>(i);
    ASSERT_TRUE(value >= 0 && value <= 7 && value == std::floor(value)) << value;
  }
  RandomLauncher::fillBinomial(nullptr, generator, &x, 7, 1);
  EXPECT_EQ(x.e<double>(3), 7);
}

TEST(RandomLauncherTests, DropOutKeepsOrReplaces) {
  RandomGenerator generator(119, 5);
  NDArray x('c', {1000}, FLOAT32), z('c', {1000}, FLOAT32);
  x.assign(2.f);
  RandomLauncher::applyInvertedDropOut(nullptr, generator, &x, 0.5, &z);
  int kept = 0;
  for (int i = 0; i < 1000; i++) {
    ASSERT_TRUE(z.e<float>(i) == 0.f || z.e<float>(i) == 4.f);
    kept += z.e<float>(i) != 0.f;
  }
  EXPECT_NEAR(kept, 500, 80);
  EXPECT_EQ(x.e<float>(0), 2.f);
  RandomLauncher::applyAlphaDropOut(nullptr, generator, &x, 0.5, 2, 1, -3, &z);
  for (int i = 0; i < 1000; i++) ASSERT_TRUE(z.e<float>(i) == 5.f || z.e<float>(i) == -5.f);
  RandomLauncher::applyDropOut(nullptr, generator, &x, 0.5);  // in place
  for (int i = 0; i < 1000; i++) ASSERT_TRUE(x.e<float>(i) == 0.f || x.e<float>(i) == 2.f);
}

TEST(RandomLauncherTests, BadArraysThrow) {
  RandomGenerator generator(119, 5);
  NDArray integers('c', {4}, INT32), x('c', {4}, FLOAT32), shorter('c', {3}, FLOAT32);
  EXPECT_THROW(RandomLauncher::fillUniform(nullptr, generator, nullptr, 0, 1), std::runtime_error);
  EXPECT_THROW(RandomLauncher::fillUniform(nullptr, generator, &integers, 0, 1), std::runtime_error);
  EXPECT_THROW(RandomLauncher::applyDropOut(nullptr, generator, nullptr, 0.5), std::runtime_error);
  EXPECT_THROW(RandomLauncher::applyDropOut(nullptr, generator, &x, 0.5, &shorter), std::runtime_error);
  EXPECT_EQ(generator.nodeState(), 5);
}
