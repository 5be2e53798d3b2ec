#include "ops/declarable/helpers/special_functions.h"

#include <cmath>
#include <limits>

namespace sd::ops {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double pi = 3.14159265358979323846;

}  // namespace

double logGamma(double x) {
  int sign;
  return lgamma_r(x, &sign);
}

// Recurrence up to 10, then the asymptotic series: Abramowitz and Stegun, 6.3.5, 6.3.7 and 6.3.18.
double digammaOf(double x) {
  if (std::isnan(x) || x == -infinity) return std::numeric_limits<double>::quiet_NaN();
  if (x == infinity) return x;
  if (x <= 0) {
    if (x == std::floor(x)) return infinity;
    // tan has the period 1 in x
    return digammaOf(1 - x) - pi / std::tan(pi * (x - std::floor(x)));
  }
  double sum = 0;
  for (; x < 10; x++) sum -= 1 / x;
  const double s = 1 / (x * x);
  const double series =
      s *
      (1.0 / 12 - s * (1.0 / 120 - s * (1.0 / 252 - s * (1.0 / 240 - s * (1.0 / 132 - s * (691.0 / 32760 - s / 12))))));
  return sum + std::log(x) - 0.5 / x - series;
}

// Euler-Maclaurin: the first terms one by one, the rest as an integral with corrections. Abramowitz and
// Stegun, 23.1.30.
double hurwitzZeta(double x, double q) {
  // B_2k / (2 k)!
  static constexpr double bernoulli[] = {8.333333333333333e-2,   -1.3888888888888889e-3,  3.306878306878307e-5,
                                         -8.267195767195768e-7,  2.08767569878681e-8,     -5.284190138687493e-10,
                                         1.3382536530684679e-11, -3.3896802963225827e-13, 8.586062056277845e-15,
                                         -2.174868698558062e-16};
  constexpr double rounding = std::numeric_limits<double>::epsilon() / 4;
  double sum = 0, a = q;
  for (int k = 0; k < 12 || a < 12; k++, a++) {
    const double term = std::pow(a, -x);
    sum += term;
    if (term <= rounding * sum && a > 1) return sum;
  }
  const double power = std::pow(a, -x);
  sum += power * a / (x - 1) + 0.5 * power;
  double factor = x * power / a;
  for (int k = 0; k < 10; k++) {
    const double term = bernoulli[k] * factor;
    sum += term;
    if (std::abs(term) <= rounding * std::abs(sum)) break;
    factor *= (x + 2 * k + 1) * (x + 2 * k + 2) / (a * a);
  }
  return sum;
}

double polygammaOf(double n, double x) {
  if (n != std::floor(n)) return std::numeric_limits<double>::quiet_NaN();
  if (n == 0) return digammaOf(x);
  const double sign = std::fmod(n, 2) == 0 ? -1 : 1;
  return sign * std::tgamma(n + 1) * hurwitzZeta(n + 1, x);
}

// The continued fraction by Lentz's method: Abramowitz and Stegun, 26.5.8.
double incompleteBeta(double a, double b, double x) {
  if (x == 0 || x == 1) return x;
  if (a == b && x == 0.5) return 0.5;
  if (x > (a + 1) / (a + b + 2)) return 1 - incompleteBeta(b, a, 1 - x);
  constexpr double tiny = 1e-300;
  constexpr int steps = 1024;
  const auto held = [](double value) { return std::abs(value) < tiny ? tiny : value; };
  const double front = std::exp(a * std::log(x) + b * std::log1p(-x) + logGamma(a + b) - logGamma(a) - logGamma(b)) / a;
  double c = 1, d = 1 / held(1 - (a + b) * x / (a + 1)), result = d;
  for (int m = 1; m <= steps; m++) {
    const double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
    d = 1 / held(1 + even * d);
    c = held(1 + even / c);
    result *= d * c;
    const double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 / held(1 + odd * d);
    c = held(1 + odd / c);
    result *= d * c;
    if (std::abs(d * c - 1) < 4 * std::numeric_limits<double>::epsilon()) return front * result;
  }
  return infinity;
}

}  // namespace sd::ops
