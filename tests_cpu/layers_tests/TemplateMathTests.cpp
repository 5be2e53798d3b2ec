// Functions of single numbers; expected values are closed forms.
#include <gtest/gtest.h>
#include <math/templatemath.h>

#include <cmath>
#include <cstdint>
#include <limits>

using namespace sd::math;

TEST(TemplateMathTests, FunctionsOfOneNumber) {
  const double pi = 3.14159265358979323846, e = 2.71828182845904523536;
  EXPECT_EQ((sd_sqrt<float, float>(9.f)), 3.f);
  EXPECT_EQ((sd_sqrt<int, double>(16)), 4.0);
  EXPECT_EQ((sd_sqrt<float16, float>(float16(4.f))), 2.f);
  EXPECT_NEAR((sd_exp<double, double>(1)), e, 1e-15);
  EXPECT_NEAR((sd_log<double, double>(e)), 1, 1e-15);
  EXPECT_EQ((sd_floor<float, int>(-1.5f)), -2);
  EXPECT_EQ((sd_ceil<double, int>(-1.5)), -1);
  EXPECT_EQ((sd_round<float, int>(2.5f)), 3);
  EXPECT_EQ((sd_round<float, float>(-2.5f)), -3.f);
  EXPECT_NEAR((sd_sin<double, double>(pi / 6)), 0.5, 1e-15);
  EXPECT_NEAR((sd_cos<double, double>(pi / 3)), 0.5, 1e-15);
  EXPECT_NEAR((sd_atan<double, double>(1)), pi / 4, 1e-15);
  EXPECT_NEAR((sd_tanh<double, double>(0.5)), (e - 1) / (e + 1), 1e-15);
  EXPECT_NEAR((sd_sigmoid<float, float>(0.f)), 0.5f, 1e-7f);
  EXPECT_EQ((sd_pow<double, int, double>(2, 10)), 1024);
  EXPECT_EQ((sd_pow<int, int, sd::LongType>(3, 4)), 81);
  EXPECT_EQ((sd_fmod<double, double, double>(-7, 4)), -3);
  for (int x : {-5, 0, 7}) {
    EXPECT_EQ((sd_sign<int, int>(x)), x == 0 ? 0 : x / (x < 0 ? -x : x));
    EXPECT_EQ((sd_sgn<double, int>(x)), (sd_sign<int, int>(x)));
  }
}

TEST(TemplateMathTests, IntegersStopAtTheEndsOfTheirRange) {
  EXPECT_EQ((sd_exp<double, int>(1000)), std::numeric_limits<int>::max());
  EXPECT_EQ((sd_floor<float, int8_t>(-1e10f)), -128);
  EXPECT_EQ((sd_pow<double, int, sd::LongType>(2, 63)), std::numeric_limits<sd::LongType>::max());
  EXPECT_EQ((sd_pow<double, int, uint64_t>(2, 63)), uint64_t{1} << 63);
  EXPECT_EQ((sd_sqrt<double, int>(-1)), 0);
}

TEST(TemplateMathTests, MagnitudesAndLimits) {
  EXPECT_EQ(sd_abs<int>(-3), 3);
  EXPECT_EQ(sd_abs<float>(-2.5f), 2.5f);
  EXPECT_EQ(sd_abs<int>(std::numeric_limits<int>::min()), std::numeric_limits<int>::min());
  EXPECT_EQ(sd_abs<int8_t>(-128), -128);
  EXPECT_FALSE(std::signbit(sd_abs<double>(-0.0)));
  EXPECT_EQ(sd_abs<uint8_t>(200), 200);
  EXPECT_EQ(static_cast<float>(sd_abs<bfloat16>(bfloat16(-2.f))), 2.f);
  EXPECT_EQ(sd_max<int>(2, 3) * 10 + sd_min<int>(2, 3), 32);
  const float nan = std::numeric_limits<float>::quiet_NaN(), inf = std::numeric_limits<float>::infinity();
  EXPECT_TRUE(sd_isnan(nan) && !sd_isnan(inf) && !sd_isnan(1.f) && !sd_isnan(1));
  EXPECT_TRUE(sd_isinf(inf) && sd_isinf(-inf) && !sd_isinf(nan) && !sd_isinf(5LL));
  EXPECT_TRUE(sd_isfin(1.f) && sd_isfin(3) && !sd_isfin(nan) && !sd_isfin(inf));
  EXPECT_TRUE(sd_isinf(float16(inf)) && sd_isnan(bfloat16(nan)));
}

TEST(TemplateMathTests, ComparisonAndBits) {
  EXPECT_EQ((sd_re<double, double>(3, 1)), 0.5);
  EXPECT_EQ((sd_re<float, float>(0, 0)), 0.f);
  EXPECT_TRUE(sd_eq<double>(1, 1 + 1e-7, 1e-6));
  EXPECT_TRUE(sd_eq<float>(1e6f, 1e6f + 1, 1e-5));
  EXPECT_FALSE(sd_eq<double>(1, 1.1, 1e-3));
  const double inf = std::numeric_limits<double>::infinity();
  EXPECT_TRUE(sd_eq<double>(inf, inf, 1e-3));
  EXPECT_FALSE(sd_eq<double>(inf, -inf, 1e-3));
  EXPECT_FALSE(sd_eq<double>(inf, 1, 1e-3));
  EXPECT_EQ(sd_rotl<uint8_t>(0x81, 1), 0x03);
  EXPECT_EQ(sd_rotl<uint8_t>(0x81, 9), 0x03);
  EXPECT_EQ(sd_rotl<int>(1, 31), std::numeric_limits<int>::min());
  EXPECT_EQ(sd_rotl<uint64_t>(5, 0), 5u);
}
