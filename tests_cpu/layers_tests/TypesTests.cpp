// Scalar types: float16 and bfloat16 bit by bit, and the small value types.
#include <gtest/gtest.h>
#include <types/bfloat16.h>
#include <types/float16.h>
#include <types/pair.h>
#include <types/triple.h>
#include <types/u32.h>
#include <types/u64.h>
#include <types/utf8string.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>
#include <unordered_set>

namespace {

constexpr double INF = std::numeric_limits<double>::infinity();

/// Value of the bits of a binary float with a sign, `exponentBits` and `mantissaBits`, by the definition of IEEE 754.
double decode(unsigned bits, int exponentBits, int mantissaBits) {
  const unsigned mantissa = bits & ((1u << mantissaBits) - 1);
  const int exponent = static_cast<int>((bits >> mantissaBits) & ((1u << exponentBits) - 1));
  const double sign = (bits >> (exponentBits + mantissaBits)) & 1 ? -1.0 : 1.0;
  const int bias = (1 << (exponentBits - 1)) - 1;
  if (exponent == (1 << exponentBits) - 1) return mantissa == 0 ? sign * INF : std::nan("");
  if (exponent == 0) return sign * std::ldexp(mantissa, 1 - bias - mantissaBits);
  return sign * std::ldexp(mantissa + (1u << mantissaBits), exponent - bias - mantissaBits);
}

struct Half {
  using Type = float16;
  static constexpr int EXPONENT = 5, MANTISSA = 10;
};
struct Brain {
  using Type = bfloat16;
  static constexpr int EXPONENT = 8, MANTISSA = 7;
};

template <typename Format>
class Float16Tests : public testing::Test {
 public:
  using Number = typename Format::Type;
  static constexpr unsigned INFINITE = ((1u << Format::EXPONENT) - 1) << Format::MANTISSA;
  static double value(unsigned bits) { return decode(bits, Format::EXPONENT, Format::MANTISSA); }
};
using Formats = testing::Types<Half, Brain>;
TYPED_TEST_SUITE(Float16Tests, Formats);

TYPED_TEST(Float16Tests, EveryValueConvertsToFloatAndBack) {
  using T = typename TestFixture::Number;
  for (unsigned bits = 0; bits < 65536; bits++) {
    const float actual = T::fromBits(static_cast<uint16_t>(bits));
    const double expected = this->value(bits);
    if (std::isnan(expected)) {
      ASSERT_TRUE(std::isnan(actual)) << bits;
      ASSERT_TRUE(std::isnan(static_cast<float>(T(actual)))) << bits;
    } else {
      ASSERT_EQ(actual, expected) << bits;
      ASSERT_EQ(T(actual).bits(), bits);
    }
  }
}

TYPED_TEST(Float16Tests, RoundsToNearestEven) {
  using T = typename TestFixture::Number;
  for (unsigned bits = 0; bits + 1 < TestFixture::INFINITE; bits++) {
    const auto middle = static_cast<float>((this->value(bits) + this->value(bits + 1)) / 2);
    const unsigned even = bits % 2 == 0 ? bits : bits + 1;
    ASSERT_EQ(T(middle).bits(), even) << middle;
    ASSERT_EQ(T(-middle).bits(), even | 0x8000) << middle;
    ASSERT_EQ(T(std::nextafter(middle, 0.f)).bits(), bits) << middle;
    ASSERT_EQ(T(std::nextafter(middle, std::numeric_limits<float>::infinity())).bits(), bits + 1) << middle;
  }
}

TYPED_TEST(Float16Tests, OverflowsToInfinity) {
  using T = typename TestFixture::Number;
  const double largest = this->value(TestFixture::INFINITE - 1);
  const double step = largest - this->value(TestFixture::INFINITE - 2);
  const auto limit = static_cast<float>(largest + step / 2);
  EXPECT_EQ(T(limit).bits(), TestFixture::INFINITE);
  EXPECT_EQ(T(std::nextafter(limit, 0.f)).bits(), TestFixture::INFINITE - 1);
  EXPECT_EQ(T(-std::numeric_limits<float>::max()).bits(), TestFixture::INFINITE | 0x8000);
  EXPECT_EQ(static_cast<float>(T(INF)), INF);
}

TYPED_TEST(Float16Tests, ArithmeticRoundsOnce) {
  using T = typename TestFixture::Number;
  const T a = 1.5f;
  const T b = -0.375;
  EXPECT_EQ(static_cast<float>(a + b), 1.125f);
  EXPECT_EQ(static_cast<float>(a - b), 1.875f);
  EXPECT_EQ(static_cast<float>(a * b), -0.5625f);
  EXPECT_EQ(static_cast<float>(a / b), -4.f);
  EXPECT_TRUE((std::is_same_v<decltype(a * 2.0), T>));
  EXPECT_TRUE((std::is_same_v<decltype(2 - a), T>));
  EXPECT_EQ(static_cast<float>(2 - a), 0.5f);
  // The number is rounded to the type before the operation: 2049 and 257 are halfway and become 2048 and 256.
  const float halfway = Float16Tests<TypeParam>::INFINITE == 0x7c00 ? 2049.f : 257.f;
  EXPECT_EQ(static_cast<float>(T(0) + halfway), halfway - 1);
  T c = a;
  c += 1;
  c *= 2.0;
  c -= b;
  c /= T(0.5);
  EXPECT_EQ(static_cast<float>(c), 10.75f);
  EXPECT_EQ(static_cast<float>(-a), -1.5f);
  EXPECT_EQ((-T(0)).bits(), 0x8000);
}

TYPED_TEST(Float16Tests, Comparisons) {
  using T = typename TestFixture::Number;
  const T nan = std::nan("");
  EXPECT_TRUE(T(0) == T(-0.f));
  EXPECT_FALSE(T(0) != T(-0.f));
  EXPECT_FALSE(nan == nan);
  EXPECT_TRUE(nan != nan);
  EXPECT_FALSE(nan < T(1) || nan > T(1) || nan <= T(1) || nan >= T(1));
  EXPECT_TRUE(T(-2) < T(1) && T(1) > T(-2) && T(1) <= T(1) && T(1) >= T(1));
  EXPECT_TRUE(T(3) == 3 && 3.0 == T(3) && T(3) != 4 && 2u < T(3) && T(3) >= 3.f);
  EXPECT_FALSE(T(0.1f) == 0.1f) << "the number is not rounded for a comparison";
  EXPECT_EQ(std::max(T(2), T(-7)).bits(), T(2).bits());
}

TYPED_TEST(Float16Tests, Increments) {
  using T = typename TestFixture::Number;
  T a = 4;
  EXPECT_EQ(static_cast<float>(a++), 4.f);
  EXPECT_EQ(static_cast<float>(a), 5.f);
  EXPECT_EQ(static_cast<float>(++a), 6.f);
  EXPECT_EQ(&++a, &a);
  EXPECT_EQ(static_cast<float>(a--), 7.f);
  EXPECT_EQ(static_cast<float>(--a), 5.f);
}

TYPED_TEST(Float16Tests, ConvertsFromAndToEveryNumber) {
  using T = typename TestFixture::Number;
  EXPECT_EQ(T().bits(), 0);
  const T values[] = {5.0,
                      5.f,
                      5,
                      5u,
                      5l,
                      5ul,
                      5ll,
                      5ull,
                      static_cast<int8_t>(5),
                      static_cast<uint8_t>(5),
                      static_cast<int16_t>(5),
                      static_cast<uint16_t>(5)};
  for (const T& value : values) EXPECT_EQ(static_cast<float>(value), 5.f);
  EXPECT_EQ(static_cast<float>(T(true)), 1.f);
  const T value = -6.5f;
  EXPECT_EQ(static_cast<double>(value), -6.5);
  EXPECT_EQ(static_cast<int>(value), -6);
  EXPECT_EQ(static_cast<long long>(value), -6);
  EXPECT_EQ(static_cast<int8_t>(value), -6);
  EXPECT_EQ(static_cast<uint16_t>(-value), 6);
  EXPECT_TRUE(static_cast<bool>(value));
  EXPECT_TRUE(static_cast<bool>(T(std::nan(""))));
  EXPECT_FALSE(static_cast<bool>(T(0)));
  EXPECT_FALSE(static_cast<bool>(T(-0.f)));
  T assigned;
  assigned = 2.5;
  EXPECT_EQ(static_cast<float>(assigned), 2.5f);
  assigned = true;
  EXPECT_EQ(static_cast<float>(assigned), 1.f);
}

TYPED_TEST(Float16Tests, Limits) {
  using T = typename TestFixture::Number;
  using Limits = std::numeric_limits<T>;
  EXPECT_EQ(Limits::max().bits(), TestFixture::INFINITE - 1);
  EXPECT_EQ(Limits::lowest().bits(), (TestFixture::INFINITE - 1) | 0x8000);
  EXPECT_EQ(Limits::min().bits(), 1u << TypeParam::MANTISSA);
  EXPECT_EQ(Limits::denorm_min().bits(), 1u);
  EXPECT_EQ(static_cast<float>(Limits::epsilon()), std::ldexp(1.f, -TypeParam::MANTISSA));
  EXPECT_EQ(static_cast<float>(Limits::infinity()), INF);
  EXPECT_TRUE(std::isnan(static_cast<float>(Limits::quiet_NaN())));
  EXPECT_EQ(Limits::digits, TypeParam::MANTISSA + 1);
  EXPECT_EQ(std::ldexp(1.0, Limits::min_exponent - 1), static_cast<float>(Limits::min()));
  EXPECT_LT(static_cast<double>(Limits::max()), std::ldexp(1.0, Limits::max_exponent));
  EXPECT_GE(static_cast<double>(Limits::max()), std::ldexp(1.0, Limits::max_exponent - 1));
}

TYPED_TEST(Float16Tests, EqualValuesHashEqually) {
  using T = typename TestFixture::Number;
  EXPECT_EQ(std::hash<T>()(T(0)), std::hash<T>()(T(-0.f)));
  EXPECT_NE(std::hash<T>()(T(1)), std::hash<T>()(T(2)));
  EXPECT_EQ((std::unordered_set<T>{T(1), T(2), T(1)}.size()), 2u);
}

TEST(Float16Conversions, BetweenTheTwo) {
  const bfloat16 b = float16(1.0009765625f);  // one bit more than bfloat16 has
  EXPECT_EQ(static_cast<float>(b), 1.f);
  const float16 h = bfloat16(1e30f);
  EXPECT_EQ(static_cast<float>(h), INF);
  float16 assigned;
  assigned = bfloat16(3);
  EXPECT_EQ(static_cast<float>(assigned), 3.f);
}

TEST(Float16Conversions, BitsOfHalf) {
  const float16 h = half{0x3e00};
  EXPECT_EQ(static_cast<float>(h), 1.5f);
  EXPECT_EQ(h.data.getX(), 0x3e00);
  EXPECT_EQ(static_cast<half>(h).x, 0x3e00);
  EXPECT_EQ(float16(std::nanf("")).data.x, 0x7fff);
}

TEST(Float16Conversions, ConstantsOfBfloat16) {
  EXPECT_EQ(bfloat16::min()._data, static_cast<int16_t>(0xff7f));
  EXPECT_EQ(bfloat16::max()._data, 0x7f7f);
  EXPECT_EQ(static_cast<float>(bfloat16::eps()), 0.0078125f);
  EXPECT_EQ(static_cast<float>(bfloat16::inf()), INF);
  EXPECT_EQ(bfloat16::nan()._data, 0x7fc0);
  EXPECT_EQ(bfloat16(-std::nanf("")).bits() & 0x7fc0, 0x7fc0);
}

TEST(Float16Conversions, AtCompileTime) {
  static_assert(static_cast<float>(float16(1.f / 3.f)) == 0.333251953125f);
  static_assert(static_cast<float>(float16(1e-7f)) == 1.1920928955078125e-7f);
  static_assert(static_cast<float>(bfloat16(1.f / 3.f)) == 0.333984375f);
  static_assert(float16(1) + 2 == 3);
}

TEST(SmallTypes, PairAndTriple) {
  EXPECT_EQ(sd::Pair().first() + sd::Pair(1).second(), 0);
  EXPECT_EQ(sd::Pair(3, 4).second(), 4);
  const sd::Triple triple(1, 2, 3);
  EXPECT_EQ(triple.first() * 100 + triple.second() * 10 + triple.third(), 123);
}

TEST(SmallTypes, Unions) {
  sd::u64 wide;
  EXPECT_EQ(wide._ulong, 0u);
  wide._double = 1.0;
  EXPECT_EQ(wide._long, 0x3ff0000000000000);
  sd::u32 narrow;
  narrow._f32 = 1.f;
  EXPECT_EQ(narrow._u32, 0x3f800000u);
  EXPECT_EQ(sizeof(wide), 8u);
  EXPECT_EQ(sizeof(narrow), 4u);
}

TEST(SmallTypes, Utf8String) {
  const sd::utf8string none;
  EXPECT_EQ(none._length, 0u);
  const sd::utf8string text("ab\0cd", 5);
  sd::utf8string copy(text);
  EXPECT_NE(copy._buffer, text._buffer);
  EXPECT_EQ(std::string(copy._buffer, copy._length), std::string("ab\0cd", 5));
  EXPECT_EQ(copy._buffer[5], '\0');
  copy = sd::utf8string(std::string("grün"));
  EXPECT_EQ(copy._length, 5u);
  copy = none;
  EXPECT_EQ(copy._length, 0u);
  EXPECT_THROW(sd::utf8string("x", -1), std::runtime_error);
  EXPECT_THROW(sd::utf8string(nullptr, 3), std::runtime_error);
}

}  // namespace
