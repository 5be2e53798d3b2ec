// The names that array/NDArray.h alone provides.
#include <array/NDArray.h>

namespace {

template <typename... T>
constexpr bool visible = (... && (sizeof(T) > 0));

static_assert(visible<sd::ArrayOptions, sd::DataBuffer, sd::DataTypeUtils, sd::ExtraArguments, sd::InteropDataBuffer,
                      sd::ResultSet, sd::ShapeDescriptor, sd::AffinityManager, sd::Intervals, sd::ConstantShapeHelper,
                      sd::ShapeBuilders, sd::NDIndex, sd::IndicesList, sd::memory::MemoryCounter, sd::BroadcastOpsTuple,
                      sd::BroadcastBoolOpsTuple, sd::BroadcastIntOpsTuple, NativeOpExecutioner>,
              "the headers that api programs rely on");
static_assert(visible<sd::StringUtils, sd::ConstantHelper, sd::ConstantDescriptor, sd::ConstantDataBuffer,
                      sd::PointersManager, functions::summarystats::SummaryStatsData<double>, std::thread>,
              "what programs name without a header of their own");
static_assert(sd::transform::Abs == 0 && sd::pairwise::Mod == 23 && sd::random::Choice == 5, "numbers of operations");

// Every elementary function, with and without the type of its result.
[[maybe_unused]] double elementary(double x) {
  using namespace sd::math;
  double sum = sd_abs(x) + sd_abs<float>(-1.f) + sd_max(x, 1.) + sd_min(x, 1.) + sd_max<int>(1, 2);
  sum += sd_sqrt<float, double>(2.f) + sd_exp<double, float>(x) + sd_log<int, double>(3) + sd_floor<double, double>(x);
  sum += sd_ceil<double, double>(x) + sd_round<double, double>(x) + sd_sign<double, double>(x) + sd_sgn<int, int>(-3);
  sum += sd_pow<float, double, double>(2.f, x) + sd_fmod<double, double, double>(x, 2.) + sd_re(x, 2.);
  sum += sd_re<double>(x, 2.) + sd_re<double, float>(x, 2.) + sd_rotl<int>(1, 3) + sd_sqrt(x) + sd_pow(x, 2);
  return sd_isnan(x) || sd_isinf(x) || !sd_isfin<double>(x) || sd_eq(x, 1., 1e-5) ? 0 : sum;
}

}  // namespace

#include <gtest/gtest.h>

#include <cmath>

TEST(NDArrayHeaderTests, ElementaryFunctionsAreThoseOfTheStandardLibrary) {
  using namespace sd::math;
  for (const double x : {0.0, 0.25, 1.0, 2.5}) {
    EXPECT_EQ((sd_sqrt<double, double>(x)), std::sqrt(x));
    EXPECT_EQ((sd_exp<float, float>(static_cast<float>(x))), std::exp(static_cast<float>(x)));
    EXPECT_EQ((sd_round<double, double>(-x)), std::round(-x));
    EXPECT_EQ((sd_erfc<double, double>(x)), std::erfc(x));
    EXPECT_EQ((sd_pow<float, double, double>(static_cast<float>(x), 1.5)), std::pow(static_cast<float>(x), 1.5));
    EXPECT_EQ((sd_fmod<double, int, double>(x, 2)), std::fmod(x, 2.0));
  }
  EXPECT_EQ(sd_re(1.0, 3.0), 0.5);
  EXPECT_EQ(sd_re(-1.f, 3.f), 1.f);
  EXPECT_EQ(sd_re(0.0, 0.0), 0.0);
  EXPECT_FALSE(sd_isnan(3));
  EXPECT_TRUE(sd_isnan(std::nanf("")) && sd_isinf(-HUGE_VAL));
}

TEST(NDArrayHeaderTests, NumbersAsTextNeedNoStream) {
  using sd::StringUtils;
  EXPECT_EQ(StringUtils::valueToString(2.5f), "2.5");
  EXPECT_EQ(StringUtils::valueToString(static_cast<sd::LongType>(-7)), "-7");
  EXPECT_EQ(StringUtils::valueToString<uint8_t>('a'), "a");
  EXPECT_EQ(StringUtils::valueToString(true), "1");
  EXPECT_EQ(StringUtils::valueToString(std::string("text")), "text");
  EXPECT_EQ(StringUtils::vectorToString(std::vector<double>{1, 0.5}), "[1, 0.5]");
}

TEST(NDArrayHeaderTests, SummaryStatisticsOfNumbers) {
  functions::summarystats::SummaryStatsData<double> data;
  for (const double x : {1., 2., 3., 7.}) data.add(x);
  // The skewness is m3 / m2^1.5 of the central moments m2 and m3.
  EXPECT_DOUBLE_EQ(data.mean, 3.25);
  EXPECT_DOUBLE_EQ(data.variance(), 5.1875);
  EXPECT_DOUBLE_EQ(data.min, 1);
  EXPECT_DOUBLE_EQ(data.max, 7);
  EXPECT_NEAR(data.skewness(), 0.8331504071506617, 1e-12);
}
