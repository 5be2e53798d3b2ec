// Exponentials, logarithms, sine and cosine of batches against long double: over their ranges, around 0 and 1, and at
// special values.
#include <gtest/gtest.h>
#include <simd/LaneFunctions.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "random"

using namespace sd;

namespace {

/// The distance from the expected value in units in the last place.
template <typename S>
double distance(S got, long double expected) {
  using Limits = std::numeric_limits<S>;
  const S rounded = static_cast<S>(expected);
  if (std::isnan(rounded) || std::isnan(got)) return std::isnan(rounded) == std::isnan(got) ? 0 : 1e9;
  if (std::isinf(rounded) || std::isinf(got)) return got == rounded ? 0 : 1e9;
  const int exponent = rounded == 0 ? Limits::min_exponent : std::ilogb(rounded) + 1;
  const int last = std::max(exponent, Limits::min_exponent) - Limits::digits;
  return static_cast<double>(std::fabs(static_cast<long double>(got) - expected) / std::ldexp(1.0L, last));
}

template <typename S>
class LaneElementary : public ::testing::Test {
 protected:
  using L = simd::Lanes<S>;
  using F = math::Functions<L>;
  using Limits = std::numeric_limits<S>;

  /// Values between the bounds, of every magnitude in that range.
  static std::vector<S> values(double least, double most) {
    std::mt19937_64 bits(7);
    std::vector<S> all = {0,
                          S(-0.0),
                          1,
                          -1,
                          Limits::infinity(),
                          -Limits::infinity(),
                          Limits::quiet_NaN(),
                          Limits::denorm_min(),
                          -Limits::denorm_min(),
                          Limits::min(),
                          -Limits::min(),
                          Limits::max(),
                          Limits::lowest(),
                          Limits::epsilon(),
                          -Limits::epsilon()};
    for (int i = 0; i < 40000; i++) {
      const double part = static_cast<double>(bits() >> 11) * 0x1p-53;
      all.push_back(static_cast<S>(least + (most - least) * part));
      const int exponent = static_cast<int>(bits() % (2 * Limits::max_exponent)) - Limits::max_exponent;
      const S sized = std::ldexp(static_cast<S>(1 + part), exponent);
      all.push_back(bits() % 2 != 0 ? sized : -sized);
      all.push_back(static_cast<S>(1 + std::ldexp(2 * part - 1, -static_cast<int>(bits() % 30))));
    }
    while (all.size() % L::size != 0) all.push_back(1);
    return all;
  }

  template <typename Batch, typename Exact>
  static void check(const char* name, Batch batch, Exact exact, double least, double most) {
    const auto x = values(least, most);
    for (std::size_t i = 0; i < x.size(); i += L::size) {
      const L y = batch(L::load(x.data() + i));
      for (int k = 0; k < L::size; k++) {
        const S v = x[i + static_cast<std::size_t>(k)], got = y[k];
        const long double expected = exact(static_cast<long double>(v));
        ASSERT_LE(distance(got, expected), 4) << name << " of " << v << " is " << got;
        if (v == 0) {
          ASSERT_EQ(std::signbit(got), std::signbit(expected)) << name << " of " << v;
        }
      }
    }
  }
};
using RealTypes = ::testing::Types<float, double>;
TYPED_TEST_SUITE(LaneElementary, RealTypes);

}  // namespace

#define CHECK(NAME, LEAST, MOST)                                                                                       \
  TestFixture::check(                                                                                                  \
      #NAME, [](auto x) { return math::Functions<decltype(x)>::NAME(x); }, [](long double x) { return std::NAME(x); }, \
      LEAST, MOST)

TYPED_TEST(LaneElementary, exponentials) {
  CHECK(exp, -110, 90);
  CHECK(exp, -750, 712);
  CHECK(expm1, -45, 90);
  CHECK(expm1, -2, 712);
  CHECK(tanh, -25, 25);
  CHECK(tanh, -1, 1);
}

TYPED_TEST(LaneElementary, logarithms) {
  CHECK(log, 0, 100);
  CHECK(log2, 0, 10);
  CHECK(log1p, -1, 10);
  CHECK(log1p, -0.5, 0.5);
}

TYPED_TEST(LaneElementary, angles) {
  CHECK(sin, -7, 7);
  CHECK(sin, -600000, 600000);
  CHECK(cos, -7, 7);
  CHECK(cos, -9000, 9000);
  // Near multiples of pi/2, where little remains of the argument after reduction.
  for (int n = 1; n < 5000; n++) {
    const TypeParam x = static_cast<TypeParam>(n * 1.57079632679489661923132169163975144L);
    const long double s = std::sin(static_cast<long double>(x)), c = std::cos(static_cast<long double>(x));
    ASSERT_LE(distance(TestFixture::F::sin(simd::Lanes<TypeParam>(x))[0], s), 4) << x;
    ASSERT_LE(distance(TestFixture::F::cos(simd::Lanes<TypeParam>(x))[0], c), 4) << x;
  }
}
