// Lists of dimensions and sizes in every form that callers use.
#include <array/NDArray.h>
#include <gtest/gtest.h>

#include <span>

#include "NDArrayHelpers.h"

using namespace sd;
using indexing::Dimensions;
using nd_test::expectArray;
using nd_test::messageOf;

TEST(DimensionsTests, EveryFormHoldsTheSameNumbers) {
  const std::vector<int> ints = {2, 0, -1};
  const std::vector<LongType> longs(ints.begin(), ints.end());
  const int raw[] = {2, 0, -1};
  for (const Dimensions& dims : {Dimensions{2, 0, -1}, Dimensions{2LL, 0LL, -1LL}, Dimensions(ints), Dimensions(longs),
                                 Dimensions(std::span<const int>(ints)), Dimensions(std::span<const LongType>(longs)),
                                 Dimensions(raw, raw + 3), Dimensions(longs.begin(), longs.end())}) {
    EXPECT_EQ(dims.asVector(), ints);
    EXPECT_EQ(dims.size(), 3);
    EXPECT_EQ(dims.back(), -1);
    EXPECT_EQ(dims[1], 0);
    EXPECT_FALSE(dims.empty());
  }
  EXPECT_TRUE(Dimensions().empty());
  EXPECT_TRUE(Dimensions(std::vector<LongType>{}).empty());
}

TEST(DimensionsTests, WhatIsNoListOfDimensionsIsRefused) {
  const std::vector<LongType> huge = {5000000000LL};
  EXPECT_EQ(messageOf<std::runtime_error>([&] { Dimensions dims(huge); }),
            "[dimensions] 5000000000 is not a dimension");
  EXPECT_EQ(messageOf<std::runtime_error>([&] { Dimensions dims(std::vector<int>(40, 0)); }),
            "[dimensions] 40 dimensions are given, but at most 32 are allowed");
}

TEST(DimensionsTests, ArrayMethodsTakeEveryForm) {
  NDArray x('c', {2, 3, 2}, FLOAT32);
  x.linspace(1);
  const std::vector<int> ints = {0, 2};
  const std::vector<LongType> longs = {0, 2};
  const std::vector<double> sums = {1 + 2 + 7 + 8, 3 + 4 + 9 + 10, 5 + 6 + 11 + 12};
  expectArray(x.reduceAlongDimension(reduce::Sum, {0, 2}), {3}, sums);
  expectArray(x.reduceAlongDimension(reduce::Sum, ints), {3}, sums);
  expectArray(x.reduceAlongDimension(reduce::Sum, longs), {3}, sums);
  expectArray(x.reduceAlongDimension(reduce::Sum, std::span<const int>(ints)), {3}, sums);
  expectArray(x.reduceAlongDimension(reduce::Sum, std::span<const LongType>(longs), true), {1, 3, 1}, sums);
  EXPECT_EQ(x.tensorsAlongDimension(longs), 3);
  EXPECT_EQ(x.allTensorsAlongDimension(longs).size(), 3);
  expectArray(x(1, std::vector<LongType>{1}), {2, 2}, {3, 4, 9, 10});

  const std::vector<int> order = {2, 0, 1};
  const std::vector<LongType> longOrder(order.begin(), order.end());
  const std::vector<double> permuted = {1, 3, 5, 7, 9, 11, 2, 4, 6, 8, 10, 12};
  expectArray(x.permute({2, 0, 1}), {2, 2, 3}, permuted);
  expectArray(x.permute(order), {2, 2, 3}, permuted);
  expectArray(x.permute(longOrder), {2, 2, 3}, permuted);
  expectArray(x.permute(order.data(), 3), {2, 2, 3}, permuted);
  expectArray(x.permute(longOrder.data(), 3), {2, 2, 3}, permuted);
  expectArray(x.permute(std::span<const int>(order)), {2, 2, 3}, permuted);
  NDArray target;
  x.permute({2, 0, 1}, target);
  expectArray(target, {2, 2, 3}, permuted);
  x.permutei(std::span<const LongType>(longOrder));
  expectArray(x, {2, 2, 3}, permuted);

  const std::vector<int> sizes = {3, 4};
  expectArray(x.reshape('c', sizes), {3, 4}, permuted);
  expectArray(x.reshape('c', std::span<const int>(sizes)), {3, 4}, permuted);
  x.reshapei(sizes);
  expectArray(x, {3, 4}, permuted);
  EXPECT_TRUE(NDArray('c', sizes, INT8).isSameShape({3, 4}));
  NDArray pair('c', {2}, {1, 2}, INT32);
  expectArray(pair.tile(std::vector<int>{2, 2}), {2, 4}, {1, 2, 1, 2, 1, 2, 1, 2});
  expectArray(pair.repeat(0, std::vector<LongType>{2, 1}), {3}, {1, 1, 2});
  EXPECT_THROW(pair.repeat(0, std::vector<LongType>{5000000000LL}), std::runtime_error);
}
