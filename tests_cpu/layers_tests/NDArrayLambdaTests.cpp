// User functions over the elements of arrays.
#include <array/NDArray.h>
#include <array/NDArrayFactory.h>
#include <gtest/gtest.h>

#include <atomic>

#include "NDArrayHelpers.h"

using namespace sd;
using nd_test::expectArray;
using nd_test::layoutsOf;

TEST(NDArrayLambdaTests, EveryFormInEveryLayout) {
  const std::vector<double> a = {1, 2, 3, 4, 5, 6}, b = {6, 5, 4, 3, 2, 1};
  for (auto& x : layoutsOf({2, 3}, a))
    for (auto& y : layoutsOf({2, 3}, b))
      for (auto& z : layoutsOf({2, 3}, {0, 0, 0, 0, 0, 0})) {
        x.applyLambda<double>([](double v) { return 10 * v; }, z);
        expectArray(z, {2, 3}, {10, 20, 30, 40, 50, 60});
        x.applyPairwiseLambda<double>(
            y, [](double v, double w) { return v - w; }, z);
        expectArray(z, {2, 3}, {-5, -3, -1, 1, 3, 5});
        x.applyTriplewiseLambda<double>(
            y, x, [](double u, double v, double w) { return u * v + w; }, z);
        expectArray(z, {2, 3}, {7, 12, 15, 16, 15, 12});
        x.applyIndexedLambda<double>([](LongType i, double v) { return 100.0 * static_cast<double>(i) + v; }, z);
        expectArray(z, {2, 3}, {1, 102, 203, 304, 405, 506});
        x.applyIndexedPairwiseLambda<double>(
            y, [](LongType i, double v, double w) { return i % 2 == 0 ? v : w; }, z);
        expectArray(z, {2, 3}, {1, 5, 3, 3, 5, 1});
      }
}

TEST(NDArrayLambdaTests, ScalarOperandsAndInPlace) {
  NDArray x('c', {3}, {1, 2, 3}, INT32);
  const auto ten = NDArrayFactory::create<int>(10);
  x.applyPairwiseLambda<int>(
      ten, [](int a, int b) { return a * b; }, x);
  expectArray(x, {3}, {10, 20, 30});
  const std::function<int(int)> negate = [](int v) { return -v; };
  x.applyLambda<int>(negate, x);
  expectArray(x, {3}, {-10, -20, -30});
}

TEST(NDArrayLambdaTests, EveryElementOnceInSeveralThreads) {
  for (LongType n : {1, 4095, 4096, 100003}) {
    NDArray x('c', {n, 3}, INT64), z('f', {n, 3}, INT64);
    std::atomic<LongType> calls(0);
    x.applyIndexedLambda<LongType>(
        [&](LongType i, LongType) {
          calls++;
          return i;
        },
        z);
    EXPECT_EQ(calls.load(), 3 * n);
    bool right = true;
    for (LongType i = 0; i < 3 * n; i++) right &= z.e<LongType>(i) == i;
    EXPECT_TRUE(right) << n;
  }
}

TEST(NDArrayLambdaTests, WrongTypesAndShapesAreRefused) {
  NDArray x('c', {2, 3}, FLOAT32), y('c', {3, 2}, FLOAT32), d('c', {2, 3}, DOUBLE);
  const auto one = [](float) { return 1.f; };
  const auto two = [](float, float) { return 1.f; };
  EXPECT_THROW(x.applyLambda<double>([](double v) { return v; }, x), std::runtime_error);
  EXPECT_THROW(x.applyLambda<float>(one, d), std::runtime_error);
  EXPECT_THROW(x.applyLambda<float>(one, y), std::runtime_error);
  EXPECT_THROW(x.applyPairwiseLambda<float>(y, two, x), std::runtime_error);
  EXPECT_THROW(x.applyPairwiseLambda<float>(d, two, x), std::runtime_error);
  EXPECT_THROW(x.applyTriplewiseLambda<float>(
                   x, y, [](float, float, float) { return 1.f; }, x),
               std::runtime_error);
  expectArray(x, {2, 3}, {0, 0, 0, 0, 0, 0});
  NDArray none('c', {0, 2}, FLOAT32);
  EXPECT_NO_THROW(none.applyLambda<float>(one, none));
}
