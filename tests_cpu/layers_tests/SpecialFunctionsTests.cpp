// Special functions at the edges of their ranges, against data/special_functions.py.
#include <gtest/gtest.h>
#include <math/gamma.h>

#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>

#include "ops/declarable/helpers/special_functions.h"

namespace sd {
namespace {

struct Row {
  std::string function;
  double arguments[3];
  double value;
};

const Row ROWS[] = {
#include "../data/special_functions.inc"
};

double computed(const Row& row) {
  const auto [a, b, c] = row.arguments;
  if (row.function == "lowerGamma") return math::lowerGamma(a, b);
  if (row.function == "upperGamma") return math::upperGamma(a, b);
  if (row.function == "incompleteBeta") return ops::incompleteBeta(a, b, c);
  if (row.function == "hurwitzZeta") return ops::hurwitzZeta(a, b);
  if (row.function == "polygamma") return ops::polygammaOf(a, b);
  if (row.function == "digamma") return ops::digammaOf(a);
  throw std::invalid_argument("no function " + row.function);
}

}  // namespace

// Small values have full relative precision, too; values near 1 have that of their complement.
TEST(SpecialFunctions, EdgesOfTheirRanges) {
  for (const Row& row : ROWS) {
    const double relative = row.function == "incompleteBeta" ? 1e-11 : 5e-13;
    const double actual = computed(row);
    EXPECT_NEAR(actual, row.value, relative * std::fabs(row.value) + (row.function == "incompleteBeta" ? 2e-15 : 0))
        << row.function << "(" << row.arguments[0] << ", " << row.arguments[1] << ", " << row.arguments[2] << ")";
  }
}

TEST(SpecialFunctions, ProbabilitiesForAnyArgument) {
  constexpr double inf = std::numeric_limits<double>::infinity();
  const double values[] = {5e-324, 1e-310, 1e-100, 1.1e-6, 0.5,  1,     11.99, 12,      1e3, 1e6,
                           1e8,    1.1e8,  1e15,   9.3e18, 1e30, 1e150, 1e308, 1.7e308, inf};
  const auto isProbability = [](double p) { return p >= 0 && p <= 1; };
  for (const double a : values)
    for (const double b : values) {
      const double p = math::lowerGamma(a, b), q = math::upperGamma(a, b);
      EXPECT_TRUE(isProbability(p) && isProbability(q) && std::fabs(p + q - 1) < 1e-15) << a << ", " << b;
      for (const double x : {5e-324, 1e-300, 1e-10, 0.25, 0.75, 1 - 0x1p-53})
        if (!std::isinf(a) || !std::isinf(b)) {
          EXPECT_TRUE(isProbability(ops::incompleteBeta(a, b, x))) << a << ", " << b << ", " << x;
        }
      EXPECT_FALSE(std::isnan(ops::hurwitzZeta(1 + a, b)) && a > 1e-15) << a << ", " << b;
      if (!std::isinf(a)) {
        EXPECT_FALSE(std::isnan(ops::polygammaOf(std::ceil(a), b))) << a << ", " << b;
      }
    }
}

}  // namespace sd
