// The ready-made operations: a table of functions with results of the C++ library or of a closed form.
#include <cmath>
#include <limits>
#include <utility>

#include "TensorCases.h"

using namespace sd;
using namespace tensorcases;

namespace {

constexpr double inf = std::numeric_limits<double>::infinity();
constexpr double NaN = std::numeric_limits<double>::quiet_NaN();
constexpr double PI = 3.14159265358979323846;

using Span = std::span<const double>;
using Out = std::span<double>;

/// Equal within a few units in the last place; NaN equals NaN.
void expectNear(double actual, double expected, const char* name, double x) {
  if (std::isnan(expected)) {
    EXPECT_TRUE(std::isnan(actual)) << name << " of " << x;
  } else if (std::isinf(expected)) {
    EXPECT_EQ(actual, expected) << name << " of " << x;
  } else {
    EXPECT_NEAR(actual, expected, 8e-16 * std::max(1.0, std::fabs(expected))) << name << " of " << x;
  }
}

struct Unary {
  const char* name;
  void (*run)(Span x, Out z);
  double (*expected)(double x);
};

#define UNARY(NAME, EXPECTED)                                                                     \
  {                                                                                               \
#NAME, [](Span x, Out z) { tensor::NAME(x, z); }, [](double x) -> double { return EXPECTED; } \
  }

const Unary UNARIES[] = {
    UNARY(negate, -x),
    UNARY(abs, std::fabs(x)),
    UNARY(sign, x > 0   ? 1
                : x < 0 ? -1
                        : 0),
    UNARY(square, x* x),
    UNARY(cube, x* x* x),
    UNARY(reciprocal, 1 / x),
    UNARY(floor, std::floor(x)),
    UNARY(ceiling, std::ceil(x)),
    UNARY(truncate, std::trunc(x)),
    UNARY(round, std::round(x)),
    UNARY(roundToEven, std::nearbyint(x)),
    UNARY(sqrt, std::sqrt(x)),
    UNARY(reciprocalSqrt, 1 / std::sqrt(x)),
    UNARY(cbrt, std::cbrt(x)),
    UNARY(exp, std::exp(x)),
    UNARY(exp2, std::exp2(x)),
    UNARY(exp10, std::pow(10.0, x)),
    UNARY(expM1, std::expm1(x)),
    UNARY(exp2M1, static_cast<double>(std::exp2(static_cast<long double>(x)) - 1)),
    UNARY(exp10M1, static_cast<double>(std::pow(10.0L, static_cast<long double>(x)) - 1)),
    UNARY(log, std::log(x)),
    UNARY(log2, std::log2(x)),
    UNARY(log10, std::log10(x)),
    UNARY(logP1, std::log1p(x)),
    UNARY(log2P1, static_cast<double>(std::log2(1 + static_cast<long double>(x)))),
    UNARY(log10P1, static_cast<double>(std::log10(1 + static_cast<long double>(x)))),
    UNARY(sigmoid, 1 / (1 + std::exp(-x))),
    UNARY(softPlus, std::log1p(std::exp(x))),
    UNARY(sin, std::sin(x)),
    UNARY(cos, std::cos(x)),
    UNARY(tan, std::tan(x)),
    UNARY(asin, std::asin(x)),
    UNARY(acos, std::acos(x)),
    UNARY(atan, std::atan(x)),
    UNARY(asinPi, std::asin(x) / PI),
    UNARY(acosPi, std::acos(x) / PI),
    UNARY(atanPi, std::atan(x) / PI),
    UNARY(sinh, std::sinh(x)),
    UNARY(cosh, std::cosh(x)),
    UNARY(tanh, std::tanh(x)),
    UNARY(asinh, std::asinh(x)),
    UNARY(acosh, std::acosh(x)),
    UNARY(atanh, std::atanh(x)),
    UNARY(degreesToRadians, x* PI / 180),
    UNARY(radiansToDegrees, x * 180 / PI),
    UNARY(bitIncrement, std::nextafter(x, inf)),
    UNARY(bitDecrement, std::nextafter(x, -inf)),
};

struct Binary {
  const char* name;
  void (*run)(Span x, Span y, Out z);
  double (*expected)(double x, double y);
};

#define BINARY(NAME, EXPECTED)                                                                                         \
  {                                                                                                                    \
#NAME, [](Span x, Span y, Out z) { tensor::NAME(x, y, z); }, [](double x, double y) -> double { return EXPECTED; } \
  }

double larger(double x, double y) { return x > y ? x : y; }
double smaller(double x, double y) { return x < y ? x : y; }
bool eitherNaN(double x, double y) { return std::isnan(x) || std::isnan(y); }
double other(double x, double y) { return std::isnan(x) ? y : x; }

const Binary BINARIES[] = {
    BINARY(add, x + y),
    BINARY(subtract, x - y),
    BINARY(multiply, x* y),
    BINARY(divide, x / y),
    BINARY(remainder, std::fmod(x, y)),
    BINARY(ieeeRemainder, std::remainder(x, y)),
    BINARY(copySign, std::copysign(x, y)),
    BINARY(pow, std::pow(x, y)),
    BINARY(hypot, std::hypot(x, y)),
    BINARY(atan2, std::atan2(x, y)),
    BINARY(atan2Pi, std::atan2(x, y) / PI),
    BINARY(maximum, eitherNaN(x, y) ? NaN : larger(x, y)),
    BINARY(minimum, eitherNaN(x, y) ? NaN : smaller(x, y)),
    BINARY(maximumNumber, eitherNaN(x, y) ? other(x, y) : larger(x, y)),
    BINARY(minimumNumber, eitherNaN(x, y) ? other(x, y) : smaller(x, y)),
    BINARY(maximumMagnitude, eitherNaN(x, y)                ? NaN
                             : std::fabs(x) >= std::fabs(y) ? x
                                                            : y),
    BINARY(minimumMagnitude, eitherNaN(x, y)                ? NaN
                             : std::fabs(x) <= std::fabs(y) ? x
                                                            : y),
    BINARY(maximumMagnitudeNumber, eitherNaN(x, y)                ? other(x, y)
                                   : std::fabs(x) >= std::fabs(y) ? x
                                                                  : y),
    BINARY(minimumMagnitudeNumber, eitherNaN(x, y)                ? other(x, y)
                                   : std::fabs(x) <= std::fabs(y) ? x
                                                                  : y),
    BINARY(equalTo, x == y),
    BINARY(notEqualTo, x != y),
    BINARY(greaterThan, x > y),
    BINARY(greaterThanOrEqual, x >= y),
    BINARY(lessThan, x < y),
    BINARY(lessThanOrEqual, x <= y),
};

const std::vector<double> SOME = {0.0, -0.0, 0.25, -0.25, 0.5,  -0.5,  0.75, 1.0, -1.0, 1.5, -1.5,
                                  2.5, -2.5, 3.0,  -7.25, 1e-5, -1e-5, 12.0, inf, -inf, NaN, 0.49999999999999994};

}  // namespace

TEST(TensorOperations, functions_of_one_operand) {
  for (const auto& f : UNARIES) {
    std::vector<double> z(SOME.size());
    f.run(SOME, z);
    for (std::size_t i = 0; i < SOME.size(); i++) expectNear(z[i], f.expected(SOME[i]), f.name, SOME[i]);
  }
}

TEST(TensorOperations, functions_of_two_operands) {
  std::vector<double> x, y;
  for (double a : SOME)
    for (double b : SOME) {
      x.push_back(a);
      y.push_back(b);
    }
  for (const auto& f : BINARIES) {
    std::vector<double> z(x.size());
    f.run(x, y, z);
    for (std::size_t i = 0; i < x.size(); i++) expectNear(z[i], f.expected(x[i], y[i]), f.name, x[i]);
  }
}

TEST(TensorOperations, multiples_of_pi_are_exact_where_they_can_be) {
  const std::vector<double> x = {0, 0.5, 1, 1.5, 2, -0.5, -1, 1e10 + 0.5, 1.0 / 6, 0.25};
  std::vector<double> sine(10), cosine(10), tangent(10), both(20);
  tensor::sinPi(x, sine);
  tensor::cosPi(x, cosine);
  tensor::tanPi(x, tangent);
  tensor::sinCosPi(x, both);
  const double sines[] = {0, 1, 0, -1, 0, -1, 0, 1, 0.5, std::sqrt(0.5)};
  const double cosines[] = {1, 0, -1, 0, 1, 0, -1, 0, std::sqrt(0.75), std::sqrt(0.5)};
  for (int i = 0; i < 10; i++) {
    EXPECT_NEAR(sine[i], sines[i], i < 8 ? 0 : 2e-16) << x[i];
    EXPECT_NEAR(cosine[i], cosines[i], i < 8 ? 0 : 2e-16) << x[i];
    EXPECT_EQ(both[2 * i], sine[i]);
    EXPECT_EQ(both[2 * i + 1], cosine[i]);
  }
  EXPECT_NEAR(tangent[9], 1, 3e-16);
  EXPECT_EQ(tangent[2], 0);
}

TEST(TensorOperations, three_operands) {
  const std::vector<double> x = {1, 2, 3}, y = {4, 5, 6}, w = {2, 3, 4};
  std::vector<double> z(3);
  tensor::addMultiply(x, y, w, z);
  EXPECT_EQ(z, (std::vector<double>{10, 21, 36}));
  tensor::multiplyAdd(x, y, w, z);
  EXPECT_EQ(z, (std::vector<double>{6, 13, 22}));
  tensor::multiplyDivide(x, y, 2.0, z);
  EXPECT_EQ(z, (std::vector<double>{2, 5, 9}));
  tensor::lerp(x, y, 0.25, z);
  EXPECT_EQ(z, (std::vector<double>{1.75, 2.75, 3.75}));
}

TEST(TensorOperations, bits_of_integers) {
  const std::vector<uint8_t> x = {0, 1, 0x5a, 0x80, 0xff}, y = {3, 3, 3, 3, 3};
  std::vector<uint8_t> z(5);
  const auto expect = [&](const char* name, auto f) {
    for (std::size_t i = 0; i < 5; i++)
      EXPECT_EQ(z[i], static_cast<uint8_t>(f(x[i], y[i]))) << name << " " << int(x[i]);
  };
  tensor::bitwiseAnd(x, y, z);
  expect("and", [](int a, int b) { return a & b; });
  tensor::bitwiseOr(x, y, z);
  expect("or", [](int a, int b) { return a | b; });
  tensor::bitwiseXor(x, y, z);
  expect("xor", [](int a, int b) { return a ^ b; });
  tensor::onesComplement(x, z);
  expect("complement", [](int a, int) { return ~a; });
  tensor::rotateLeft(x, y, z);
  expect("rotate left", [](int a, int) { return a << 3 | a >> 5; });
  tensor::rotateRight(x, uint8_t(3), z);
  expect("rotate right", [](int a, int) { return a >> 3 | a << 5; });
  tensor::shiftLeft(x, 2, z);
  expect("shift left", [](int a, int) { return a << 2; });
  tensor::shiftRight(x, 2, z);
  expect("shift right", [](int a, int) { return a >> 2; });
}

TEST(TensorOperations, scalars_that_keep_their_type) {
  const std::vector<double> x = {27, -27, 16, 0};
  std::vector<double> z(4);
  tensor::scaleB(x, 3, z);
  EXPECT_EQ(z, (std::vector<double>{216, -216, 128, 0}));
  tensor::rootN(x, 3, z);
  EXPECT_NEAR(z[0], 3, 5e-16);
  EXPECT_NEAR(z[1], -3, 5e-16);
  EXPECT_NEAR(z[2], 2.5198420997897464, 5e-16);
  tensor::rootN(x, 4, z);
  EXPECT_NEAR(z[2], 2, 1e-15);
  EXPECT_TRUE(std::isnan(z[1]));
}

TEST(TensorOperations, overflow_is_found_before_anything_is_written) {
  const auto check = []<typename T>(T) {
    const T high = std::numeric_limits<T>::max(), low = std::numeric_limits<T>::min();
    std::vector<T> x = {1, high, low, 2}, z(4, T(9));
    const std::vector<T> one(4, T(1)), two(4, T(2));
    EXPECT_THROW(tensor::addChecked(x, one, z), std::overflow_error);
    EXPECT_THROW(tensor::subtractChecked(x, one, z), std::overflow_error);
    EXPECT_THROW(tensor::multiplyChecked(x, T(2), z), std::overflow_error);
    EXPECT_EQ(z, std::vector<T>(4, T(9)));
    x[1] = 5;
    x[2] = 7;
    tensor::addChecked(x, one, z);
    EXPECT_EQ(z, (std::vector<T>{2, 6, 8, 3}));
    tensor::subtractChecked(x, one, z);
    EXPECT_EQ(z, (std::vector<T>{0, 4, 6, 1}));
    tensor::multiplyChecked(x, two, x);
    EXPECT_EQ(x, (std::vector<T>{2, 10, 14, 4}));
  };
  check(int8_t());
  check(int64_t());
  check(uint32_t());
  std::vector<float> x = {3e38f}, z(1);
  tensor::addChecked(x, x, z);  // infinity is a value
  EXPECT_TRUE(std::isinf(z[0]));
  try {
    std::vector<int> a = {1, 2147483647};
    tensor::addChecked(a, 1, a);
    FAIL();
  } catch (const std::overflow_error& error) {
    EXPECT_STREQ(error.what(), "[addChecked] the result at [1] does not fit the type of the output");
  }
}

TEST(TensorOperations, aggregates_and_searches) {
  const std::vector<double> x = {3, -4, 1, 2}, y = {1, 2, 3, 5};
  EXPECT_EQ(tensor::sum(x), 2);
  EXPECT_EQ(tensor::product(x), -24);
  EXPECT_EQ(tensor::average(x), 0.5);
  EXPECT_EQ(tensor::sumOfSquares(x), 30);
  EXPECT_EQ(tensor::sumOfMagnitudes(x), 10);
  EXPECT_EQ(tensor::norm(x), std::sqrt(30.0));
  EXPECT_EQ(tensor::dot(x, y), 8);
  EXPECT_EQ(tensor::squaredDistance(x, y), 4 + 36 + 4 + 9);
  EXPECT_EQ(tensor::productOfSums(x, y), 4.0 * -2 * 4 * 7);
  EXPECT_EQ(tensor::productOfDifferences(x, y), 2.0 * -6 * -2 * -3);
  EXPECT_EQ(tensor::maximum(x), 3);
  EXPECT_EQ(tensor::minimum(x), -4);
  EXPECT_EQ(tensor::maximumMagnitude(x), 4);
  EXPECT_EQ(tensor::minimumMagnitude(x), 1);
  EXPECT_EQ(tensor::minimumAndMaximum(x), std::pair(-4.0, 3.0));
  EXPECT_EQ(tensor::sum2D(x), (std::array<double, 2>{4, -2}));
  EXPECT_EQ(tensor::average4D(x), (std::array<double, 4>{3, -4, 1, 2}));
  EXPECT_EQ(tensor::product2D(x), (std::array<double, 2>{3, -8}));
  EXPECT_EQ(tensor::indexOfMaximum(x), 0);
  EXPECT_EQ(tensor::indexOfMinimum(x), 1);
  EXPECT_EQ(tensor::indexOfMaximumMagnitude(x), 1);
  EXPECT_EQ(tensor::indexOfMinimumMagnitude(x), 2);
  EXPECT_EQ(tensor::firstGreaterThan(x, y), 3);
  EXPECT_EQ(tensor::indexOfFirstLessThan(x, 2), 1);
  EXPECT_EQ(tensor::firstLessThanOrEqual(x, -5), std::nullopt);
  EXPECT_TRUE(tensor::contains(x, 1));
  EXPECT_FALSE(tensor::contains(x, 7));
  const std::vector<double> withNaN = {1, NaN, 5};
  EXPECT_TRUE(std::isnan(tensor::maximum(withNaN)));
  EXPECT_EQ(tensor::maximumNumber(withNaN), 5);
  EXPECT_EQ(tensor::indexOfMaximum(withNaN), 1);
  EXPECT_EQ(tensor::indexOfMaximumNumber(withNaN), 2);
  EXPECT_FALSE(tensor::contains(withNaN, NaN));
}

TEST(TensorOperations, structures) {
  struct Point {
    float x, y, z;
  };
  std::vector<Point> points = {{1, 2, 3}, {4, 5, 6}, {7, 8, 10}};
  const auto numbers = tensor::components<float>(points);
  EXPECT_EQ(tensor::sum3D(numbers), (std::array<float, 3>{12, 15, 19}));
  tensor::add(numbers, std::tuple{1.f, 0.f, -1.f}, numbers);
  EXPECT_EQ(points[2].x, 8);
  EXPECT_EQ(points[2].y, 8);
  EXPECT_EQ(points[2].z, 9);
  const std::vector<Point>& fixed = points;
  static_assert(std::is_same_v<decltype(tensor::components<float>(fixed)), std::span<const float>>);
}
