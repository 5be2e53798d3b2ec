#include "ops/declarable/helpers/special_functions.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "math/stirling.h"

namespace sd::ops {
namespace {

using math::distanceFromOne;
using math::PI;
using math::scaledGamma;

constexpr double INF = std::numeric_limits<double>::infinity();

}  // namespace

double logGamma(double x) {
  int sign;
  return lgamma_r(x, &sign);
}

// Recurrence up to 10, then the asymptotic series: Abramowitz and Stegun, 6.3.5, 6.3.7 and 6.3.18.
double digammaOf(double x) {
  if (std::isnan(x) || x == -INF) return std::numeric_limits<double>::quiet_NaN();
  if (x == INF) return x;
  if (x <= 0) {
    if (x == std::floor(x)) return INF;
    // tan(PI x) has period 1 in x; subtracting the nearest integer keeps the digits of an x near 0
    return digammaOf(1 - x) - PI / std::tan(PI * (x - std::round(x)));
  }
  double sum = 0;
  for (; x < 10; x++) sum -= 1 / x;
  const double s = 1 / (x * x);
  const double series =
      s *
      (1.0 / 12 - s * (1.0 / 120 - s * (1.0 / 252 - s * (1.0 / 240 - s * (1.0 / 132 - s * (691.0 / 32760 - s / 12))))));
  return sum + std::log(x) - 0.5 / x - series;
}

namespace {

/// The exponent of the power of q that scaledZeta divides by: the sum is about q / (x - 1) for large q and about 1 for
/// small q.
double powerOfZeta(double x, double q) { return q >= 1 ? 1 - x : -x; }

/// The Hurwitz zeta function divided by q^powerOfZeta, by Euler-Maclaurin: the first terms are added one by one, the
/// rest is an integral with corrections. Abramowitz and Stegun, 23.1.30.
double scaledZeta(double x, double q) {
  // B_2k / (2 k)!
  static constexpr double bernoulli[] = {8.333333333333333e-2,   -1.3888888888888889e-3,  3.306878306878307e-5,
                                         -8.267195767195768e-7,  2.08767569878681e-8,     -5.284190138687493e-10,
                                         1.3382536530684679e-11, -3.3896802963225827e-13, 8.586062056277845e-15,
                                         -2.174868698558062e-16};
  constexpr double rounding = std::numeric_limits<double>::epsilon() / 4;
  const double unit = q >= 1 ? 1 / q : 1;
  // ((q + k) / q)^-x, also accurate where q + 1 rounds to q
  const auto termAt = [=](int k) { return k == 0 ? unit : unit * std::exp(-x * std::log1p(k / q)); };
  double sum = 0;
  int k = 0;
  for (; k < 12 || q + k < 12; k++) {
    const double term = termAt(k);
    sum += term;
    if (k > 0 && term <= rounding * sum) return sum;
  }
  const double power = termAt(k), a = q + k;
  sum += power * a / (x - 1) + 0.5 * power;
  double factor = x / a * power;
  for (int n = 0; n < 10; n++) {
    const double term = bernoulli[n] * factor;
    sum += term;
    if (std::abs(term) <= rounding * std::abs(sum)) break;
    factor *= (x + 2 * n + 1) / a * ((x + 2 * n + 2) / a);
  }
  return sum;
}

}  // namespace

double hurwitzZeta(double x, double q) { return q == INF ? 0 : std::pow(q, powerOfZeta(x, q)) * scaledZeta(x, q); }

double polygammaOf(double n, double x) {
  if (n != std::floor(n)) return std::numeric_limits<double>::quiet_NaN();
  if (n == 0) return digammaOf(x);
  if (x == INF) return 0;
  const double sign = std::fmod(n, 2) == 0 ? -1 : 1;
  const double factorial = std::tgamma(n + 1), exponent = powerOfZeta(n + 1, x), power = std::pow(x, exponent);
  if (factorial < INF && power > std::numeric_limits<double>::min() && factorial * power < INF)
    return sign * (factorial * power) * scaledZeta(n + 1, x);
  // One factor exceeds the range of double, although the product may not.
  if (n > 1e15) return sign * std::exp(n * (std::log(n / x) - 1));
  return sign * std::exp(logGamma(n + 1) + exponent * std::log(x) + std::log(scaledZeta(n + 1, x)));
}

namespace {

/// x and y = 1 - x, each as exact as possible, and lambda = a - (a + b) x = a y - b x.
struct BetaArguments {
  double a, b, x, y, lambda;

  /// I_x(a, b) = 1 - I_y(b, a)
  BetaArguments swapped() const { return {b, a, y, x, -lambda}; }
};

/// a - a x - b x, with the digits that rounding of products and differences would lose.
double distanceOf(double a, double b, double x) {
  const double ax = a * x, bx = b * x;
  const double first = a - ax, rest = first - bx;
  const double back = first - a, next = rest - first;
  const double lost = (a - (first - back)) + (-ax - back) + (first - (rest - next)) + (-bx - next);
  return rest + (lost - std::fma(a, x, -ax) - std::fma(b, x, -bx));
}

/// a distance(1 - lambda / a) + b distance(1 + lambda / b): how far x is from the mean of the distribution.
double distanceFromMean(const BetaArguments& p) {
  const double whole = p.a + p.b;
  return p.a * distanceFromOne(p.x * (whole / p.a), -p.lambda / p.a) +
         p.b * distanceFromOne(p.y * (whole / p.b), p.lambda / p.b);
}

/// x^a y^b / (a B(a, b)), computed without factors that overflow or cancel.
double betaFront(const BetaArguments& p) {
  constexpr double large = 10;
  const double a = p.a, b = p.b, whole = a + b;
  if (a >= large && b >= large)
    return std::sqrt(b / whole / a / (2 * PI)) * std::exp(-distanceFromMean(p)) * scaledGamma(whole) /
           (scaledGamma(a) * scaledGamma(b));
  const double logX = p.x < 0.5 ? std::log(p.x) : std::log1p(-p.y);
  const double logY = p.y < 0.5 ? std::log(p.y) : std::log1p(-p.x);
  if (b >= large)
    return std::exp(a * (logX + std::log(whole)) + b * logY - b * distanceFromOne(1 + a / b, a / b)) *
           std::sqrt(b / whole) * scaledGamma(whole) / scaledGamma(b) / std::tgamma(a + 1);
  if (a >= large)
    return std::exp(b * (logY + std::log(whole)) + a * logX - a * distanceFromOne(1 + b / a, b / a)) *
           std::sqrt(a / whole) * scaledGamma(whole) / scaledGamma(a) / std::tgamma(b + 1) * (b / a);
  return std::exp(a * logX + b * logY) * (b / whole) * std::tgamma(whole + 1) /
         (std::tgamma(a + 1) * std::tgamma(b + 1));
}

/// I_x(a, b) for x up to about the mean: the continued fraction of DiDonato and Morris, 1992, by Lentz's method.
double betaFraction(const BetaArguments& p) {
  const double a = p.a, b = p.b, x = p.x, whole = a + b, front = betaFront(p);
  if (front == 0) return 0;
  constexpr double tiny = 1e-300;
  constexpr int steps = 4096;  // about 1.5 sqrt(min(a, b)) are needed
  const auto held = [](double value) { return std::abs(value) < tiny ? tiny : value; };
  double value = held((p.lambda + 1) / (a + 1)), c = value, d = 0;  // divided by a, as the first numerator is
  for (int n = 1; n <= steps; n++) {
    const double even = a + 2 * n - 1;
    const double product = n * ((b - n) * x);
    const double numerator = n == 1 ? (whole / even * x) * ((b - 1) * x / even)
                                    : product * ((a + n - 1) / even) * ((whole + n - 1) / even * x);
    const double denominator = n + product / even + (a + n) / (even + 2) * (p.lambda + 1 + n * (1 + p.y));
    d = 1 / held(denominator + numerator * d);
    c = held(denominator + numerator / c);
    value = held(value * (c * d));
    if (std::abs(c * d - 1) < std::numeric_limits<double>::epsilon()) break;
  }
  return std::min(front / value, 1.0);
}

/// I_x(a, b) for large a and b, with a relative error of about 1 / min(a, b): DLMF 8.18.9 with its first coefficient.
double betaUniform(const BetaArguments& p) {
  const double half = distanceFromMean(p);  // (a + b) eta^2 / 2
  const double root = std::copysign(std::sqrt(half), p.lambda);
  // The coefficient divided by sqrt(a + b). Near the mean, where its terms cancel, the value at the mean is used.
  const double first = std::abs(root) < 1e-3
                           ? (p.b - p.a) / (p.a + p.b) / (3 * std::sqrt(p.a / (p.a + p.b)) * std::sqrt(p.b))
                           : std::sqrt(p.a) * std::sqrt(p.b / (p.a + p.b)) / p.lambda - 1 / (root * std::sqrt(2.0));
  return std::erfc(root) / 2 + first * std::exp(-half) / std::sqrt(2 * PI);
}

}  // namespace

double incompleteBeta(double a, double b, double x) {
  if (x == 0 || x == 1) return x;
  if (a == b && x == 0.5) return 0.5;
  if (std::isnan(a) || std::isnan(b) || std::isnan(x) || (a == INF && b == INF))
    return std::numeric_limits<double>::quiet_NaN();
  if (a == INF) return 0;
  if (b == INF) return 1;
  // Sums of a and b are computed below and must not overflow.
  const double largest = std::numeric_limits<double>::max() / 4;
  a = std::min(a, largest);
  b = std::min(b, largest);
  const BetaArguments p{a, b, x, 1 - x, distanceOf(a, b, x)};
  if (std::min(a, b) > 1e8) return betaUniform(p);
  return p.lambda + 1 >= 2 * x ? betaFraction(p) : 1 - betaFraction(p.swapped());
}

}  // namespace sd::ops
