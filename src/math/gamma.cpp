// Temme's uniform expansion is used for a >= 12 and t near a. Otherwise the power series is used where t is small or
// below a, and the continued fraction above a (Abramowitz and Stegun 6.5.29 and 6.5.31). They are used only far from a,
// where both need few terms, or the result is already 0 or 1.
#include <math/gamma.h>

#include <array>
#include <cmath>
#include <limits>

#include "math/stirling.h"

namespace sd::math {

namespace {

constexpr double EPSILON = std::numeric_limits<double>::epsilon() / 4;
constexpr double SMALLEST_A = 1e-6;
constexpr double STIRLING_A = 12;
constexpr int MOST_TERMS = 1000;

struct Both {
  double lower, upper;
};
Both fromLower(double p) { return {p, 1 - p}; }
Both fromUpper(double q) { return {1 - q, q}; }

/// t^a * exp(-t) / Gamma(a).
double front(double a, double t) {
  if (a >= STIRLING_A) {
    const double exponent = -a * distanceFromOne(t / a, (t - a) / a);
    return std::sqrt(a / (2 * PI)) * std::exp(exponent) / scaledGamma(a);
  }
  const double half = std::exp(-t / 2);  // applied twice, because exp(-t) underflows before the product does
  return half == 0 ? 0 : half * std::pow(t, a) / std::tgamma(a) * half;
}

/// sum of t^n / (a (a + 1) … (a + n)), times front.
double lowerSeries(double a, double t) {
  const double factor = front(a, t);
  if (factor == 0) return 0;
  double term = 1 / a, sum = term, n = a;
  for (int i = 0; i < MOST_TERMS && term >= sum * EPSILON; i++) {
    n += 1;
    term *= t / n;
    sum += term;
  }
  return sum * factor;
}

/// The continued fraction for the upper function, by Lentz's method.
double upperFraction(double a, double t) {
  const double factor = front(a, t);
  if (factor == 0) return 0;
  constexpr double tiny = 1e-300;
  double b = t + 1 - a, c = 1 / tiny, d = 1 / b, h = d;
  for (int i = 1; i < MOST_TERMS; i++) {
    const double an = -i * (i - a);
    b += 2;
    d = an * d + b;
    if (std::fabs(d) < tiny) d = tiny;
    c = b + an / c;
    if (std::fabs(c) < tiny) c = tiny;
    d = 1 / d;
    const double delta = d * c;
    h *= delta;
    if (std::fabs(delta - 1) < EPSILON) break;
  }
  return h * factor;
}

/// ln Gamma(1 + a) for a < 2, with the digits of a that rounding of 1 + a would lose.
double logGammaOfOnePlus(double a) {
  constexpr double gamma = 0.57721566490153286061;
  int sign = 0;
  const double b = 1 + a, lost = a - (b - 1);
  return lgamma_r(b, &sign) + (a < 0.5 ? lost * (PI * PI / 6 * a - gamma) : 0);
}

/// Q for small a and t, where 1 - P would cancel:
/// 1 - t^a / Gamma(1 + a) (1 + sum of a (-t)^n / ((a + n) n!)).
double upperSeries(double a, double t) {
  const double exponent = a * std::log(t) - logGammaOfOnePlus(a);
  double term = 1, sum = 0;
  for (int n = 1; n < 60; n++) {
    term *= -t / n;
    sum += term / (a + n);
  }
  return -std::expm1(exponent) - std::exp(exponent) * a * sum;
}

constexpr int COEFFICIENTS = 36;

/// The coefficients of eta / mu as a power series in eta, where eta^2 / 2 = mu - ln(1 + mu). Those of mu follow from
/// eta (1 + mu) = mu dmu/deta.
constexpr std::array<double, COEFFICIENTS> etaOverMu() {
  std::array<double, COEFFICIENTS + 2> mu{};
  mu[1] = 1;
  for (size_t k = 2; k < mu.size(); k++) {
    double rest = mu[k - 1];
    for (size_t i = 2; i < k; i++) rest -= static_cast<double>(k - i + 1) * mu[i] * mu[k - i + 1];
    mu[k] = rest / static_cast<double>(k + 1);
  }
  std::array<double, COEFFICIENTS> f{1};
  for (size_t n = 1; n < f.size(); n++)
    for (size_t i = 1; i <= n; i++) f[n] -= mu[i + 1] * f[n - i];
  return f;
}

/// Temme's expansion, DLMF 8.12.3 and 8.12.4: erfc(±eta sqrt(a / 2)) / 2 and a series in eta. Its coefficients for this
/// a follow from the differential equation of the remainder, starting from the last one.
Both uniform(double a, double t) {
  static constexpr auto f = etaOverMu();
  const double mu = (t - a) / a, square = 2 * distanceFromOne(t / a, mu);
  const double eta = std::copysign(std::sqrt(square), mu);
  std::array<double, COEFFICIENTS + 1> beta{};
  for (int n = COEFFICIENTS - 1; n > 0; n--) {
    const auto i = static_cast<size_t>(n);
    beta[i - 1] = f[i] + (i + 1 < beta.size() ? (n + 1) / a * beta[i + 1] : 0);
  }
  double series = 0;
  for (int n = COEFFICIENTS - 2; n >= 0; n--) series = series * eta + beta[static_cast<size_t>(n)];
  const double remainder = std::exp(-a * (square / 2)) / std::sqrt(2 * PI) / std::sqrt(a) * series / (1 + beta[1] / a);
  const double root = std::sqrt(a / 2) * eta;
  if (eta > 0) return fromUpper(std::erfc(root) / 2 + remainder);
  return fromLower(std::erfc(-root) / 2 - remainder);
}

Both incompleteGamma(double a, double t) {
  if (std::isnan(a) || std::isnan(t) || t < 0) {
    constexpr double nan = std::numeric_limits<double>::quiet_NaN();
    return {nan, nan};
  }
  if (a <= SMALLEST_A || t == 0) return {0, 1};
  if (std::isinf(t)) return {1, 0};
  if (std::isinf(a)) return {0, 1};
  if (a >= STIRLING_A && t > 0.4 * a && t < 2.2 * a) return uniform(a, t);
  if (t > a && t > 1.1) return fromUpper(upperFraction(a, t));
  const double p = lowerSeries(a, t);
  if (p > 0.7 && t <= 1.1) return {p, upperSeries(a, t)};
  return fromLower(p);
}

}  // namespace

double lowerGamma(double a, double t) { return incompleteGamma(a, t).lower; }
double upperGamma(double a, double t) { return incompleteGamma(a, t).upper; }

}  // namespace sd::math
