// aggregate and the searches on spans, against plain C++ loops in wide types. Every table runs with and without the
// vector form of the operators.
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "TensorCases.h"

using namespace sd;
using namespace tensorcases;
using tensor::scalarOnly;

namespace {

template <typename T>
class TensorAggregate : public ::testing::Test {};
TYPED_TEST_SUITE(TensorAggregate, Types);

template <typename T>
class TensorNaN : public ::testing::Test {};
using RealTypes = ::testing::Types<float, double>;
TYPED_TEST_SUITE(TensorNaN, RealTypes);

template <typename T>
class TensorFromMemory : public ::testing::Test {};
using SomeTypes = ::testing::Types<float, double, std::int32_t>;
TYPED_TEST_SUITE(TensorFromMemory, SomeTypes);

template <typename T>
constexpr T lowest() {
  return std::numeric_limits<T>::has_infinity ? -std::numeric_limits<T>::infinity() : std::numeric_limits<T>::lowest();
}

}  // namespace

TYPED_TEST(TensorAggregate, sums_extremes_and_transforms) {
  using T = TypeParam;
  for (const std::size_t n : lengths()) {
    const auto x = values<T>(n, 1), y = values<T>(n, 2);
    T sum = 0, squares = 0, products = 0, largest = lowest<T>();
    for (std::size_t i = 0; i < n; i++) {
      sum = static_cast<T>(sum + x[i]);
      squares = static_cast<T>(squares + x[i] * x[i]);
      products = static_cast<T>(products + x[i] * y[i]);
      largest = std::max(largest, x[i]);
    }
    const auto check = [&]<template <typename...> class Sum, template <typename...> class Max,
                           template <typename...> class Square, template <typename...> class Multiply>() {
      ASSERT_EQ(tensor::aggregate<Sum>(x), sum) << n;
      ASSERT_EQ((tensor::aggregate<Square, Sum>(x)), squares) << n;
      ASSERT_EQ((tensor::aggregate<Multiply, Sum>(x, y)), products) << n;
      ASSERT_EQ((tensor::aggregate<Multiply, Sum>(x, T(2))), static_cast<T>(2 * sum)) << n;
      ASSERT_EQ(tensor::aggregate<Max>(x), largest) << n;
      ASSERT_EQ(tensor::aggregateNumber<Max>(x), largest) << n;
      const auto [a, b] = tensor::aggregate2<Max, Sum>(x);
      ASSERT_EQ(a, largest) << n;
      ASSERT_EQ(b, sum) << n;
    };
    check.template operator()<simdOps::Sum, simdOps::Max, simdOps::Square, simdOps::Multiply>();
    check.template operator()<scalarOnly<simdOps::Sum>::Operator, scalarOnly<simdOps::Max>::Operator,
                              scalarOnly<simdOps::Square>::Operator, scalarOnly<simdOps::Multiply>::Operator>();
  }
}

TYPED_TEST(TensorAggregate, every_second_third_fourth) {
  using T = TypeParam;
  for (const std::size_t n : lengths()) {
    const auto x = values<T>(n, 1);
    const auto check = [&]<template <typename...> class Sum, template <typename...> class Min>() {
      const auto expected = [&](std::size_t step, std::size_t first) {
        T sum = 0;
        for (std::size_t i = first; i < n; i += step) sum = static_cast<T>(sum + x[i]);
        return sum;
      };
      const auto smallest = [&](std::size_t step, std::size_t first) {
        T low =
            std::numeric_limits<T>::has_infinity ? std::numeric_limits<T>::infinity() : std::numeric_limits<T>::max();
        for (std::size_t i = first; i < n; i += step) low = std::min(low, x[i]);
        return low;
      };
      if (n % 2 == 0)
        for (std::size_t k = 0; k < 2; k++) {
          ASSERT_EQ(tensor::aggregate2D<Sum>(x)[k], expected(2, k)) << n;
          ASSERT_EQ(tensor::aggregateNumber2D<Min>(x)[k], smallest(2, k)) << n;
          ASSERT_EQ((tensor::aggregate2D<simdOps::Add, Sum>(x, std::tuple<T, T>{1, 2})[k]),
                    static_cast<T>(expected(2, k) + (k + 1) * (n / 2)))
              << n;
        }
      if (n % 3 == 0)
        for (std::size_t k = 0; k < 3; k++) {
          ASSERT_EQ(tensor::aggregate3D<Sum>(x)[k], expected(3, k)) << n;
          ASSERT_EQ(tensor::aggregate3D<Min>(x)[k], smallest(3, k)) << n;
        }
      if (n % 4 == 0)
        for (std::size_t k = 0; k < 4; k++) {
          ASSERT_EQ(tensor::aggregate4D<Sum>(x)[k], expected(4, k)) << n;
          ASSERT_EQ(tensor::aggregateNumber4D<Min>(x)[k], smallest(4, k)) << n;
        }
    };
    check.template operator()<simdOps::Sum, simdOps::Min>();
    check.template operator()<scalarOnly<simdOps::Sum>::Operator, scalarOnly<simdOps::Min>::Operator>();
  }
}

TYPED_TEST(TensorAggregate, index_of_the_first_that_equals) {
  using T = TypeParam;
  for (const std::size_t n : lengths()) {
    const auto x = values<T>(n, 1), y = values<T>(n, 2);
    const auto at = [n](auto begin, auto end, auto found) { return n == 0 ? -1 : found(begin, end) - begin; };
    const auto largest = [](auto b, auto e) { return std::max_element(b, e); };
    const auto smallest = [](auto b, auto e) { return std::min_element(b, e); };
    std::vector<T> sums(n);
    for (std::size_t i = 0; i < n; i++) sums[i] = static_cast<T>(x[i] + y[i]);
    const auto check = [&]<template <typename...> class Max, template <typename...> class Min>() {
      ASSERT_EQ(tensor::indexOfAggregate<Max>(x), at(x.begin(), x.end(), largest)) << n;
      ASSERT_EQ(tensor::indexOfAggregateNumber<Min>(x), at(x.begin(), x.end(), smallest)) << n;
      ASSERT_EQ((tensor::indexOfAggregate<simdOps::Add, Max>(x, y)), at(sums.begin(), sums.end(), largest)) << n;
      ASSERT_EQ((tensor::indexOfAggregate<simdOps::Identity, Min>(x)), at(x.begin(), x.end(), smallest)) << n;
    };
    check.template operator()<simdOps::Max, simdOps::Min>();
    check.template operator()<scalarOnly<simdOps::Max>::Operator, scalarOnly<simdOps::Min>::Operator>();
  }
}

TEST(TensorIndexOf, every_place_and_twice) {
  for (const std::size_t n : {1, 7, 64, 200, 13000})
    for (std::size_t place = 0; place<n; place += n> 1000 ? 997 : 1) {
      std::vector<float> x(n, 1.f);
      x[place] = 5.f;
      if (place + 3 < n) x[place + 3] = 5.f;
      ASSERT_EQ(tensor::indexOfAggregate<simdOps::Max>(x), static_cast<std::ptrdiff_t>(place)) << n;
      ASSERT_EQ(tensor::indexOfFirst<simdOps::GreaterThan>(x, 2), static_cast<std::ptrdiff_t>(place)) << n;
      ASSERT_EQ(tensor::indexOfFirst<scalarOnly<simdOps::GreaterThan>::Operator>(x, 2),
                static_cast<std::ptrdiff_t>(place))
          << n;
      ASSERT_EQ(tensor::indexOfFirst<simdOps::IsInf>(x), -1);
    }
  const float inf = std::numeric_limits<float>::infinity();
  EXPECT_EQ(tensor::indexOfAggregate<simdOps::Max>(std::vector<float>(100, -inf)), 0);
  EXPECT_EQ(tensor::indexOfAggregate<simdOps::Max>(std::vector<int>(100, std::numeric_limits<int>::min())), 0);
  EXPECT_EQ(tensor::indexOfAggregate<simdOps::Max>(std::vector<float>{-0.f, 0.f}), 0);
  EXPECT_EQ(tensor::indexOfAggregate<simdOps::Sum>(std::vector<int>{1, -3, 4, 2, -2}), 3);
  EXPECT_EQ(tensor::indexOfAggregate<simdOps::Sum>(std::vector<int>{1, 3, 5}), -1);
  EXPECT_EQ(tensor::indexOfAggregate<simdOps::AMax>(std::vector<int>{1, -3, 3}), 1);
}

TYPED_TEST(TensorNaN, anywhere_gives_nan) {
  using T = TypeParam;
  const T nan = std::numeric_limits<T>::quiet_NaN(), inf = std::numeric_limits<T>::infinity();
  for (const std::size_t n : {1, 5, 16, 33, 100, 1000, 7000})
    for (std::size_t place = 0; place<n; place += n> 100 ? 97 : 1) {
      auto x = values<T>(n, 1);
      if (n > 2) x[(place + 1) % n] = inf, x[(place + 2) % n] = -inf;
      ASSERT_FALSE(std::isnan(tensor::aggregate<simdOps::Max>(x)));
      x[place] = nan;
      ASSERT_TRUE(std::isnan(tensor::aggregate<simdOps::Max>(x))) << place << " of " << n;
      ASSERT_TRUE(std::isnan(tensor::aggregate<scalarOnly<simdOps::Min>::Operator>(x))) << place << " of " << n;
      ASSERT_TRUE(std::isnan(tensor::aggregate<simdOps::AMin>(x)));
      ASSERT_TRUE(std::isnan(tensor::aggregate<simdOps::Sum>(x)));
      ASSERT_TRUE(std::isnan(tensor::aggregate<simdOps::Prod>(x)));
      ASSERT_TRUE(std::isnan(tensor::aggregate<simdOps::Neg, simdOps::Max>(x)));
      const auto [a, b] = tensor::aggregate2<simdOps::Min, simdOps::Max>(x);
      ASSERT_TRUE(std::isnan(a) && std::isnan(b)) << place << " of " << n;
      const auto both = tensor::aggregate2D<simdOps::Max>(std::span(x).first(n / 2 * 2));
      for (std::size_t k = 0; k < 2; k++) ASSERT_EQ(std::isnan(both[k]), place % 2 == k && place < n / 2 * 2);
      const auto three = tensor::aggregate3D<simdOps::Max>(std::span(x).first(n / 3 * 3));
      for (std::size_t k = 0; k < 3; k++) ASSERT_EQ(std::isnan(three[k]), place % 3 == k && place < n / 3 * 3);
      // without a check for NaN it is skipped
      const T expected = n > 2 ? inf : lowest<T>();
      ASSERT_EQ(tensor::aggregateNumber<simdOps::Max>(x), expected) << place << " of " << n;
      ASSERT_EQ(tensor::indexOfAggregate<simdOps::Max>(x), static_cast<std::ptrdiff_t>(place));
      ASSERT_EQ(tensor::indexOfAggregateNumber<simdOps::Max>(x),
                n == 1 ? -1 : static_cast<std::ptrdiff_t>((place + 1) % n));
    }
}

TEST(TensorAggregateMore, means_norms_tests_counts) {
  const std::vector<int> x = {3, -4, 0, 12};
  EXPECT_EQ(tensor::aggregate<simdOps::Mean>(x), 2.75);
  EXPECT_EQ(tensor::aggregate<simdOps::Norm2>(x), 13.0);
  EXPECT_EQ(tensor::aggregate<simdOps::NormMax>(x), 12.0);
  EXPECT_EQ((tensor::aggregate<simdOps::NormP>(std::vector<double>{3, 4}, 1)), 7.0);
  EXPECT_EQ(tensor::aggregate<simdOps::CountNonZero>(x), 3);
  EXPECT_EQ((tensor::aggregate<simdOps::GreaterThan, simdOps::Sum>(x, 0)), 2);
  EXPECT_TRUE(tensor::aggregate<simdOps::Any>(x));
  EXPECT_FALSE(tensor::aggregate<simdOps::All>(x));
  const bool truths[] = {true, false, true, true};
  EXPECT_EQ(tensor::aggregate<simdOps::Sum>(truths), 3);
  const std::vector<float16> halves(3000, float16(1.5f));
  EXPECT_EQ(tensor::aggregate<simdOps::Sum>(halves), 4500.f);
}

TEST(TensorAggregateMore, nothing) {
  const std::vector<float> none;
  EXPECT_EQ(tensor::aggregate<simdOps::Sum>(none), 0);
  EXPECT_EQ(tensor::aggregate<simdOps::Prod>(none), 1);
  EXPECT_EQ(tensor::aggregate<simdOps::Max>(none), -std::numeric_limits<float>::infinity());
  EXPECT_TRUE(std::isnan(tensor::aggregate<simdOps::Mean>(none)));
  EXPECT_EQ(tensor::indexOfAggregate<simdOps::Max>(none), -1);
  EXPECT_FALSE(tensor::first<simdOps::IsPositive>(none).has_value());
}

TEST(TensorAggregateMore, long_sums_stay_accurate) {
  const std::vector<float> x(3000001, 0.1f);
  const double exact = 3000001 * static_cast<double>(0.1f);
  EXPECT_NEAR(tensor::aggregate<simdOps::Sum>(x), exact, 1e-5 * exact);
}

// Arrays much larger than the caches have separate loops. The values are small integers, so all sums are exact.
TYPED_TEST(TensorFromMemory, sums_extremes_and_places) {
  using T = TypeParam;
  for (const std::size_t bytes : {simd::MOST_STREAM, simd::LARGER_THAN_CACHES}) {
    const std::size_t n = (bytes / sizeof(T) / 12 + 1) * 12;
    std::vector<T> x(n), y(n);
    std::int64_t sum = 0, squares = 0, products = 0, twos[2] = {}, threes[3] = {};
    for (std::size_t i = 0; i < n; i++) {
      const int a = static_cast<int>(i * 7 % 5) - 2, b = static_cast<int>(i % 3) - 1;
      x[i] = static_cast<T>(a);
      y[i] = static_cast<T>(b);
      sum += a;
      squares += a * a;
      products += a * b;
      twos[i % 2] += a;
      threes[i % 3] += a;
    }
    EXPECT_EQ(tensor::aggregate<simdOps::Sum>(x), static_cast<T>(sum));
    EXPECT_EQ((tensor::aggregate<simdOps::Square, simdOps::Sum>(x)), static_cast<T>(squares));
    EXPECT_EQ((tensor::aggregate<simdOps::Multiply, simdOps::Sum>(x, y)), static_cast<T>(products));
    EXPECT_EQ((tensor::aggregate<simdOps::Multiply, simdOps::Sum>(x, T(3))), static_cast<T>(3 * sum));
    EXPECT_EQ(tensor::aggregate2D<simdOps::Sum>(x), (std::array{static_cast<T>(twos[0]), static_cast<T>(twos[1])}));
    EXPECT_EQ(tensor::aggregate3D<simdOps::Sum>(x),
              (std::array{static_cast<T>(threes[0]), static_cast<T>(threes[1]), static_cast<T>(threes[2])}));
    for (const std::size_t place : {std::size_t(0), std::size_t(6143), n / 2 + 1, n - 70, n - 1}) {
      const T before = x[place];
      x[place] = T(9);
      EXPECT_EQ((tensor::aggregate2<simdOps::Min, simdOps::Max>(x)), std::pair(T(-2), T(9))) << place;
      EXPECT_EQ(tensor::indexOfAggregate<simdOps::Max>(x), static_cast<std::ptrdiff_t>(place));
      EXPECT_EQ((tensor::indexOfAggregate<simdOps::Add, simdOps::Max>(x, T(1))), static_cast<std::ptrdiff_t>(place));
      if constexpr (std::is_floating_point_v<T>) {
        x[place] = std::numeric_limits<T>::quiet_NaN();
        EXPECT_TRUE(std::isnan(tensor::aggregate<simdOps::Max>(x))) << place;
        EXPECT_TRUE(std::isnan(tensor::aggregate<simdOps::Sum>(x))) << place;
        EXPECT_EQ(tensor::indexOfAggregate<simdOps::Max>(x), static_cast<std::ptrdiff_t>(place));
        EXPECT_EQ(tensor::aggregateNumber<simdOps::Max>(x), T(2)) << place;
      }
      x[place] = before;
    }
  }
}

TEST(TensorSearch, predicates_of_one_two_and_three_operands) {
  const std::vector<int> x = {-3, 5, 8, -1}, y = {0, 5, 9, -2};
  EXPECT_EQ(tensor::first<simdOps::IsPositive>(x), 5);
  EXPECT_EQ(tensor::indexOfFirst<simdOps::GreaterThan>(x, y), 3);
  EXPECT_EQ(tensor::first<simdOps::GreaterThan>(x, std::tuple{0, 6}), 8);
  EXPECT_EQ(
      (tensor::indexOfFirst<tensor::compose<simdOps::MultiplyAdd, tensor::bindSecond<simdOps::LessThan, 0>::Operator>>(
          x, y, -60)),
      0);
  EXPECT_EQ(tensor::first<simdOps::EqualTo>(x, 7), std::nullopt);
}

// Traits decide which calls run on batches, so the compiler checks it.
namespace paths {
static_assert(tensor::searchIsVectorized<simdOps::GreaterThan, float, float>);
static_assert(tensor::searchIsVectorized<simdOps::EqualTo, int8_t, int8_t>);
static_assert(!tensor::searchIsVectorized<simdOps::IsInf, float>);
static_assert(tensor::aggregateIsVectorized<simdOps::Max, int8_t>);
static_assert(!tensor::aggregateIsVectorized<simdOps::AMax, int32_t>);
static_assert(!tensor::aggregateIsVectorized<simdOps::Any, float>);
static_assert(tensor::transformedAggregateIsVectorized<simdOps::Square, simdOps::Sum, double>);
static_assert(!tensor::transformedAggregateIsVectorized<simdOps::Hypot, simdOps::Sum, float, float>);
}  // namespace paths

TEST(TensorSearchReject, lengths) {
  const std::vector<float> x(10), five(5);
  EXPECT_EQ(refusal([&] { (void)tensor::aggregate<simdOps::Add, simdOps::Sum>(x, five); }),
            "[aggregate] argument 'y': length 5 differs from the length of 'x', 10");
  EXPECT_EQ(refusal([&] { (void)tensor::aggregate3D<simdOps::Sum>(x); }),
            "[aggregate3D] argument 'x': length 10 is not a multiple of 3");
  EXPECT_EQ(refusal([&] { (void)tensor::aggregate4D<simdOps::Square, simdOps::Sum>(x); }),
            "[aggregate4D] argument 'x': length 10 is not a multiple of 4");
  EXPECT_EQ(refusal([&] {
              (void)tensor::indexOfAggregate<simdOps::Add, simdOps::Max>(x, std::tuple{1, 2, 3});
            }),
            "[indexOfAggregate] argument 'y': length 3 of the tuple does not divide the length of 'x', 10");
  EXPECT_EQ(refusal([&] { (void)tensor::indexOfFirst<simdOps::GreaterThan>(x, five); }),
            "[indexOfFirst] argument 'y': length 5 differs from the length of 'x', 10");
  EXPECT_EQ(refusal([&] { (void)tensor::first<simdOps::LessThan>(x, five); }),
            "[first] argument 'y': length 5 differs from the length of 'x', 10");
  EXPECT_EQ(refusal([&] {
              (void)tensor::aggregate<simdOps::Divide, simdOps::Sum>(std::vector<int>{1, 2}, std::vector<int>{1, 0});
            }),
            "[aggregate] argument 'y': division of integers by 0");
}
