// apply, applyScalar and apply2 on spans, against plain C++ loops. Every table runs with and without the vector form of
// the operator.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>

#include "TensorCases.h"

using namespace sd;
using namespace tensorcases;
using tensor::scalarOnly;

namespace {

constexpr double NaN = std::numeric_limits<double>::quiet_NaN();

template <typename T>
class TensorApply : public ::testing::Test {};
TYPED_TEST_SUITE(TensorApply, Types);

/// Calls check with the operator, and with the same operator without its vector form.
template <template <typename...> class Op, typename Check>
void bothForms(Check&& check) {
  check.template operator()<Op>("vectors");
  check.template operator()<scalarOnly<Op>::template Operator>("scalars");
}

}  // namespace

TYPED_TEST(TensorApply, one_source) {
  using T = TypeParam;
  bothForms<simdOps::Square>([]<template <typename...> class Op>(const char* form) {
    for (const std::size_t n : lengths()) {
      const auto x = values<T>(n, 1);
      std::vector<T> z(n + 3, T(99));
      tensor::apply<Op>(x, z);
      for (std::size_t i = 0; i < n; i++)
        ASSERT_EQ(z[i], static_cast<T>(x[i] * x[i])) << form << " " << i << " of " << n;
      for (std::size_t i = n; i < n + 3; i++) ASSERT_EQ(z[i], T(99)) << "behind the end, " << form << ", length " << n;
    }
  });
}

TYPED_TEST(TensorApply, sources_that_are_arrays_scalars_and_tuples) {
  using T = TypeParam;
  bothForms<simdOps::AddMultiply>([]<template <typename...> class Op>(const char* form) {
    for (const std::size_t n : lengths()) {
      const auto x = values<T>(n, 1), y = values<T>(n, 2), w = values<T>(n, 3);
      std::vector<T> z(n);
      const auto check = [&](const char* what, auto yAt, auto wAt) {
        for (std::size_t i = 0; i < n; i++)
          ASSERT_EQ(z[i], static_cast<T>((x[i] + yAt(i)) * wAt(i))) << form << ", " << what << ", " << i << " of " << n;
      };
      const auto yArray = [&](std::size_t i) { return y[i]; };
      const auto wArray = [&](std::size_t i) { return w[i]; };
      tensor::apply<Op>(x, y, w, z);
      check("arrays", yArray, wArray);
      tensor::apply<Op>(x, T(3), w, z);
      check(
          "scalar and array", [](std::size_t) { return T(3); }, wArray);
      tensor::apply<Op>(x, y, T(2), z);
      check("array and scalar", yArray, [](std::size_t) { return T(2); });
      const T cycle[] = {5, 1, 4, 2};
      const auto repeated = [&cycle](std::size_t period) {
        return [&cycle, period](std::size_t i) { return cycle[i % period]; };
      };
      if (n % 2 == 0) {
        tensor::apply<Op>(x, std::tuple<T, T>{5, 1}, w, z);
        check("two", repeated(2), wArray);
        tensor::apply<Op>(x, y, std::pair<T, T>{5, 1}, z);
        check("a pair", yArray, repeated(2));
      }
      if (n % 3 == 0) {
        tensor::apply<Op>(x, std::tuple<T, T, T>{5, 1, 4}, w, z);
        check("three", repeated(3), wArray);
      }
      if (n % 4 == 0) {
        tensor::apply<Op>(x, std::tuple<T, T, T, T>{5, 1, 4, 2}, w, z);
        check("four", repeated(4), wArray);
      }
      if (n % 12 == 0) {
        tensor::apply<Op>(x, std::tuple<T, T, T>{5, 1, 4}, std::tuple<T, T, T, T>{5, 1, 4, 2}, z);
        check("three and four", repeated(3), repeated(4));
      }
    }
  });
}

/// Remainders and angles of pairs with every combination of signs, zeros, infinities and NaN, against the C library.
TEST(TensorApplyPairs, remainders_and_angles) {
  const double inf = std::numeric_limits<double>::infinity();
  const double values[] = {0.0, -0.0, 1, -1, 2.5, -2.5, 3, -3, 1e-300, -1e-300, 1e300, -1e300, inf, -inf, NaN};
  std::vector<double> x, y;
  for (const double a : values)
    for (const double b : values) x.push_back(a), y.push_back(b);
  const auto floorMod = [](double a, double b) {
    const double m = std::fmod(a, b);
    return (a < 0) == (b < 0) ? m : std::fmod(m + b, b);
  };
  const auto check = [&]<template <typename...> class Op>(const char* name, double error, auto truth) {
    bothForms<Op>([&]<template <typename...> class Form>(const char* form) {
      std::vector<double> z(x.size());
      tensor::apply<Form>(x, y, z);
      for (std::size_t i = 0; i < z.size(); i++) {
        const double expected = truth(x[i], y[i]);
        if (std::isnan(expected)) {
          ASSERT_TRUE(std::isnan(z[i])) << name << ", " << form << ": " << x[i] << ", " << y[i];
          continue;
        }
        ASSERT_EQ(std::signbit(z[i]), std::signbit(expected)) << name << ", " << form << ": " << x[i] << ", " << y[i];
        if (error == 0)
          ASSERT_EQ(z[i], expected) << name << ", " << form << ": " << x[i] << ", " << y[i];
        else
          ASSERT_NEAR(z[i], expected, error * std::fabs(expected))
              << name << ", " << form << ": " << x[i] << ", " << y[i];
      }
    });
  };
  check.operator()<simdOps::FMod>("FMod", 0, [](double a, double b) { return std::fmod(a, b); });
  check.operator()<simdOps::FloorMod>("FloorMod", 0, floorMod);
  check.operator()<simdOps::Remainder>("Remainder", 0, [](double a, double b) { return std::remainder(a, b); });
  check.operator()<simdOps::Atan2>("Atan2", 1e-15, [](double a, double b) { return std::atan2(b, a); });
}

TYPED_TEST(TensorApply, in_place) {
  using T = TypeParam;
  bothForms<simdOps::Subtract>([]<template <typename...> class Op>(const char* form) {
    for (const std::size_t n : lengths()) {
      const auto x = values<T>(n, 1), y = values<T>(n, 2);
      auto z = x;
      tensor::apply<Op>(z, y, z);
      for (std::size_t i = 0; i < n; i++)
        ASSERT_EQ(z[i], static_cast<T>(x[i] - y[i])) << form << " " << i << " of " << n;
      z = y;
      tensor::apply<Op>(x, z, z);
      for (std::size_t i = 0; i < n; i++)
        ASSERT_EQ(z[i], static_cast<T>(x[i] - y[i])) << form << " " << i << " of " << n;
      z = x;
      tensor::apply<Op>(z, z, z);
      for (std::size_t i = 0; i < n; i++) ASSERT_EQ(z[i], T(0)) << form;
    }
  });
}

namespace {

/// apply<Op>, with non-temporal stores when the output has more than `threshold` bytes.
template <template <typename...> class Op, typename C, typename Z, typename... X>
bool streamed(std::size_t threshold, std::span<Z> z, const X&... x) {
  return tensor::detail::streamVectors<Op, C>(threshold, z.data(), z.size(), static_cast<const C*>(nullptr),
                                              tensor::detail::stream<C>(x)...);
}

/// Outputs of Z computed in C from arrays of X: equal with ordinary and non-temporal stores, and no other memory
/// changes.
template <typename C, typename Z, typename X>
void sameWithoutCaches() {
  constexpr std::size_t LINE = 64 / sizeof(Z), W = tensor::vectorLanes<C>, STEP = W * sizeof(Z);
  std::size_t times = 0;
  for (const std::size_t n : lengths())
    for (const std::size_t offset : {std::size_t(0), std::size_t(1), LINE / 2, LINE - 1}) {
      const auto x = values<X>(n, 1), w = values<X>(n, 2);
      // z starts `offset` elements after the beginning of a cache line
      std::vector<Z> memory(n + 3 * LINE, Z(99));
      Z* begin = memory.data();
      while (reinterpret_cast<std::uintptr_t>(begin) % 64 != 0) begin++;
      const std::span<Z> z(begin + offset, n);
      if (!streamed<simdOps::MultiplyAdd, C>(0, z, x, X(3), w)) {
        ASSERT_EQ(std::count(memory.begin(), memory.end(), Z(99)), memory.size()) << "refused, but written";
        ASSERT_TRUE(!simd::canStream<STEP> || n < LINE + W) << n;
        continue;
      }
      times++;
      std::vector<Z> expected(n);
      tensor::apply<simdOps::MultiplyAdd>(x, X(3), w, expected);
      for (std::size_t i = 0; i < n; i++) ASSERT_EQ(z[i], expected[i]) << i << " of " << n << ", offset " << offset;
      for (Z* p = memory.data(); p != memory.data() + memory.size(); p++) {
        if (p >= z.data() && p < z.data() + n) continue;
        ASSERT_EQ(*p, Z(99)) << "beside, length " << n << ", offset " << offset;
      }
      if (n % 3 == 0) {
        ASSERT_TRUE((streamed<simdOps::AddMultiply, C>(0, z, x, std::tuple<X, X, X>(1, 2, 3), w)));
        tensor::apply<simdOps::AddMultiply>(x, std::tuple<X, X, X>(1, 2, 3), w, expected);
        for (std::size_t i = 0; i < n; i++) ASSERT_EQ(z[i], expected[i]) << i << " of " << n << ", offset " << offset;
      }
    }
  EXPECT_EQ(times > 0, simd::canStream<STEP>);
}

}  // namespace

TYPED_TEST(TensorApply, past_the_caches) { sameWithoutCaches<TypeParam, TypeParam, TypeParam>(); }

TEST(TensorApplyStreams, other_types_than_are_computed_in) {
  sameWithoutCaches<double, double, float>();
  sameWithoutCaches<float, double, float>();
  sameWithoutCaches<int32_t, int8_t, int32_t>();
  sameWithoutCaches<int64_t, int8_t, int32_t>();
}

TEST(TensorApplyStreams, above_the_threshold_and_not_in_place) {
  const auto x = values<float>(1000, 1);
  std::vector<float> z(1000, 7.f), unchanged = z;
  const std::span<float> all(z);
  EXPECT_FALSE((streamed<simdOps::Neg, float>(4000, all, x)));
  EXPECT_FALSE((streamed<simdOps::Neg, float>(0, all, z)));
  EXPECT_FALSE((streamed<simdOps::Add, float>(0, all, x, z)));
  EXPECT_EQ(z, unchanged);
  EXPECT_EQ((streamed<simdOps::Neg, float>(3999, all, x)), simd::canStream<SD_LANES_BYTES>);
}

TEST(TensorApplyStreams, large_outputs) {
  const std::size_t n = (std::size_t(17) << 20) / sizeof(float) + 13;
  std::vector<float> x(n), z(n + 2, 99.f);
  for (std::size_t i = 0; i < n; i++) x[i] = static_cast<float>(i % 1009);
  tensor::apply<simdOps::AddMultiply>(x, 1, 2, std::span(z).subspan(1, n));
  EXPECT_EQ(z[0], 99.f);
  EXPECT_EQ(z[n + 1], 99.f);
  for (std::size_t i = 0; i < n; i++) ASSERT_EQ(z[i + 1], static_cast<float>(2 * (i % 1009 + 1))) << i;
}

TEST(TensorApplyTypes, sources_and_results_of_other_types) {
  bothForms<simdOps::Multiply>([]<template <typename...> class Op>(const char* form) {
    for (const std::size_t n : lengths()) {
      const auto bytes = values<int8_t>(n, 1);
      const auto words = values<int32_t>(n, 2);
      const auto floats = values<float>(n, 3);
      std::vector<int32_t> wide(n);
      tensor::apply<Op>(bytes, bytes, wide);  // computed in int32: no overflow
      for (std::size_t i = 0; i < n; i++) ASSERT_EQ(wide[i], int(bytes[i]) * bytes[i]) << form;
      std::vector<double> doubles(n);
      tensor::apply<Op>(words, floats, doubles);
      for (std::size_t i = 0; i < n; i++) ASSERT_EQ(doubles[i], double(words[i]) * floats[i]) << form;
      std::vector<int8_t> narrow(n);
      tensor::apply<Op>(floats, 0.5, narrow);  // toward 0
      for (std::size_t i = 0; i < n; i++) ASSERT_EQ(narrow[i], static_cast<int8_t>(floats[i] * 0.5)) << form;
      std::vector<float16> halves(n);
      for (std::size_t i = 0; i < n; i++) halves[i] = float16(floats[i] * 0.25f);
      std::vector<bfloat16> brains(n);
      tensor::apply<Op>(halves, 4, brains);
      for (std::size_t i = 0; i < n; i++) ASSERT_EQ(static_cast<float>(brains[i]), floats[i]) << form;
      std::vector<float> roots(n);
      tensor::apply<simdOps::Sqrt>(std::span(wide), roots);
      for (std::size_t i = 0; i < n; i++) ASSERT_EQ(roots[i], std::abs(static_cast<float>(bytes[i]))) << form;
    }
  });
}

TEST(TensorApplyTypes, conversions_keep_to_the_rules) {
  const std::vector<double> x = {NaN, 3.9, -3.9, 1e30, -1e30, 300, -0.0};
  const auto as = [&x]<typename Z>(Z) {
    std::vector<Z> z(x.size());
    tensor::apply<simdOps::Identity>(x, z);
    return std::vector<double>(z.begin(), z.end());
  };
  EXPECT_EQ(as(int32_t()), (std::vector<double>{0, 3, -3, 2147483647, -2147483648.0, 300, 0}));
  EXPECT_EQ(as(int8_t()), (std::vector<double>{0, 3, -3, -1, 0, 44, 0}));
  EXPECT_EQ(as(uint64_t())[4], 9223372036854775808.0);
  EXPECT_EQ(as(uint32_t())[2], 4294967293.0);
  std::vector<char> passed(x.size());
  tensor::apply<simdOps::NotEqualTo>(x, 0, std::span(reinterpret_cast<bool*>(passed.data()), passed.size()));
  EXPECT_EQ(passed, (std::vector<char>{1, 1, 1, 1, 1, 1, 0}));
}

TEST(TensorApplyTypes, results_that_are_tuples) {
  for (const std::size_t n : lengths()) {
    const auto x = values<double>(n, 1);
    std::vector<double> flat(2 * n);
    std::vector<std::array<float, 2>> pairs(n);
    std::vector<std::tuple<double, double>> tuples(n);
    tensor::apply<simdOps::SinCos>(x, flat);
    tensor::apply<simdOps::SinCos>(x, pairs);
    tensor::apply<simdOps::SinCos>(x, tuples);
    for (std::size_t i = 0; i < n; i++) {
      ASSERT_EQ(flat[2 * i], std::sin(x[i]));
      ASSERT_EQ(flat[2 * i + 1], std::cos(x[i]));
      ASSERT_EQ(pairs[i][1], static_cast<float>(std::cos(x[i])));
      ASSERT_EQ(std::get<0>(tuples[i]), std::sin(x[i]));
    }
  }
}

namespace {

/// An operator of two types: x, and the result.
template <typename X, typename Z>
struct Widen {
  static Z op(X x) { return static_cast<Z>(x) * 1000; }
};

}  // namespace

TEST(TensorApplyTypes, operators_of_several_types) {
  const std::vector<int8_t> x = {1, -2, 100};
  std::vector<int32_t> z(3);
  tensor::apply<Widen>(x, z);
  EXPECT_EQ(z, (std::vector<int32_t>{1000, -2000, 100000}));
}

TEST(TensorApplyTypes, parameters) {
  const auto x = values<float>(100, 1);
  std::vector<float> z(100);
  tensor::apply<simdOps::ClipByValue>(x, z, {-2, 3});
  for (int i = 0; i < 100; i++) EXPECT_EQ(z[i], std::min(3.f, std::max(-2.f, x[i])));
  EXPECT_EQ(refusal([&] { tensor::apply<simdOps::ClipByValue>(x, z, 1); }),
            "[tensor] 1 parameters are given, but the operator needs 2");
  tensor::apply<simdOps::Axpy>(x, x, z);  // alpha is 1 when not given
  EXPECT_EQ(z[5], 2 * x[5]);
}

TEST(TensorApplyScalar, counts_of_shifts) {
  const std::vector<int32_t> x = {1, -8, 77, std::numeric_limits<int32_t>::min()};
  for (const int count : {0, 1, 5, 31, 32, 40, -1}) {
    std::vector<int32_t> left(4), right(4), logical(4);
    tensor::applyScalar<simdOps::ShiftLeftBy>(x, count, left);
    tensor::applyScalar<simdOps::ShiftRightBy>(x, count, right);
    tensor::applyScalar<simdOps::ShiftRightLogicalBy>(x, count, logical);
    const bool all = count < 0 || count > 31;
    for (int i = 0; i < 4; i++) {
      EXPECT_EQ(left[i], all ? 0 : static_cast<int32_t>(static_cast<uint32_t>(x[i]) << count)) << count;
      EXPECT_EQ(right[i], all ? (x[i] < 0 ? -1 : 0) : x[i] >> count) << count;
      EXPECT_EQ(logical[i], all ? 0 : static_cast<int32_t>(static_cast<uint32_t>(x[i]) >> count)) << count;
    }
  }
}

TYPED_TEST(TensorApply, two_results) {
  using T = TypeParam;
  for (const std::size_t n : lengths()) {
    const auto x = values<T>(n, 1);
    std::vector<T> a(n), b(n);
    tensor::apply2<simdOps::Square, simdOps::Neg>(x, a, b);
    auto c = x;
    tensor::apply2<scalarOnly<simdOps::Square>::Operator, simdOps::Neg>(c, c, b);
    EXPECT_EQ(a, c);
    for (std::size_t i = 0; i < n; i++) {
      ASSERT_EQ(a[i], static_cast<T>(x[i] * x[i]));
      ASSERT_EQ(b[i], static_cast<T>(-x[i]));
    }
  }
}

TEST(TensorApplyReject, lengths_overlaps_divisors) {
  std::vector<float> x(10, 1.f), z(10, 7.f);
  const std::vector<float> five(5, 1.f);
  const std::span<float> all(x);
  const auto add = [&](const auto&... operands) { tensor::apply<simdOps::Add>(operands..., z); };
  struct {
    const char* message;
    std::function<void()> call;
  } const rows[] = {
      {"[apply] argument 'y': length 5 differs from the length of 'x', 10", [&] { add(x, five); }},
      {"[apply] argument 'y': length 3 of the tuple does not divide the length of 'x', 10",
       [&] {
         add(x, std::tuple{1, 2, 3});
       }},
      {"[apply] argument 'y': length 4 of the tuple does not divide the length of 'x', 10",
       [&] {
         add(x, std::tuple{1, 2, 3, 4});
       }},
      {"[apply] argument 'w': length 5 differs from the length of 'x', 10",
       [&] { tensor::apply<simdOps::MultiplyAdd>(x, x, five, z); }},
      {"[apply] argument 'z': length 4 is less than the required length, 10",
       [&] { tensor::apply<simdOps::Square>(x, std::span(z).first(4)); }},
      {"[apply] argument 'z': length 10 is less than the required length, 20",
       [&] { tensor::apply<simdOps::SinCos>(x, z); }},
      {"[apply] argument 'z' overlaps argument 'x' without being the same array",
       [&] { tensor::apply<simdOps::Square>(all.first(9), all.subspan(1)); }},
      {"[apply] argument 'z' overlaps argument 'y' without being the same array",
       [&] { tensor::apply<simdOps::Add>(std::span(z).first(9), all.subspan(1), all.first(9)); }},
      {"[apply] argument 'z' overlaps argument 'x' without being the same array",
       [&] { tensor::apply<simdOps::Square>(all.first(5), std::span(reinterpret_cast<double*>(x.data()), 5)); }},
      {"[apply2] argument 'a' overlaps argument 'b'",
       [&] { tensor::apply2<simdOps::Square, simdOps::Neg>(five, z, std::span(z).subspan(2)); }},
      {"[apply2] argument 'b': length 4 is less than the required length, 10",
       [&] { tensor::apply2<simdOps::Square, simdOps::Neg>(x, z, std::span<float>(z).first(4)); }},
      {"[applyScalar] argument 'z': length 3 is less than the required length, 10",
       [&] { tensor::applyScalar<simdOps::ScaleB>(x, 2, std::span(z).first(3)); }},
  };
  for (const auto& row : rows) {
    EXPECT_EQ(refusal(row.call), row.message);
    EXPECT_EQ(x, std::vector<float>(10, 1.f)) << row.message;
    EXPECT_EQ(z, std::vector<float>(10, 7.f)) << row.message;
  }
  std::vector<int> a(10, 5), b(10, 1);
  b[7] = 0;
  const auto before = a;
  EXPECT_EQ(refusal([&] { tensor::apply<simdOps::Divide>(a, b, a); }),
            "[apply] argument 'y': division of integers by 0");
  EXPECT_EQ(a, before);
}

// Checks which path is chosen, not its time.
// Traits decide which calls run on batches, so the compiler checks it, once for each set of flags.
namespace paths {
using namespace simdOps;
using tensor::applyIsVectorized;
static_assert(applyIsVectorized<Multiply, float, float, float>);
static_assert(applyIsVectorized<MultiplyAdd, int8_t, int8_t, int8_t, int8_t>);
static_assert(applyIsVectorized<AddMultiply, double, float, int32_t, double>);
static_assert(applyIsVectorized<Multiply, int32_t, int8_t, int8_t>);
static_assert(!applyIsVectorized<Multiply, int8_t, float, float>, "saturating conversions are scalar");
static_assert(!applyIsVectorized<Multiply, float16, float16, float>);
static_assert(!applyIsVectorized<Hypot, float, float, float>, "the operator says so");
static_assert(!applyIsVectorized<ShiftLeft, int32_t, int32_t, int32_t>);
static_assert(!applyIsVectorized<scalarOnly<Multiply>::Operator, float, float, float>);
static_assert(tensor::applyIsLibrary<Exp, float, float>);
static_assert(!tensor::applyIsLibrary<Exp, double, float>);
static_assert(tensor::vectorLanes<float> * sizeof(float) == SD_LANES_BYTES);
#if defined(__AVX512BW__)
static_assert(tensor::vectorLanes<float> == 16 && tensor::vectorLanes<int8_t> == 64);
#elif defined(__AVX2__)
static_assert(tensor::vectorLanes<float> == 8 && tensor::vectorLanes<int8_t> == 32);
#endif
}  // namespace paths
