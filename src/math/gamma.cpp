// Series below the peak of the integrand, Lentz's continued fraction above it
// (Abramowitz and Stegun 6.5.29 and 6.5.31).
#include <math/gamma.h>

#include <cmath>
#include <limits>

namespace sd::math {

namespace {

constexpr double EPSILON = std::numeric_limits<double>::epsilon() / 4;
constexpr double SMALLEST_A = 1e-6;

/// t^a * exp(-t) / Gamma(a). std::lgamma writes a global sign; the reentrant form does not.
double front(double a, double t) {
  int sign = 0;
  return std::exp(a * std::log(t) - t - lgamma_r(a, &sign));
}

/// The number of terms that suffices grows with sqrt(a) near the peak.
int terms(double a) { return 500 + static_cast<int>(20 * std::sqrt(std::fmin(a, 1e12))); }

double series(double a, double t) {
  double term = 1 / a, sum = term, n = a;
  for (int i = 0; i < terms(a); i++) {
    n += 1;
    term *= t / n;
    sum += term;
    if (term < sum * EPSILON) break;
  }
  return sum * front(a, t);
}

double fraction(double a, double t) {
  constexpr double tiny = 1e-300;
  double b = t + 1 - a, c = 1 / tiny, d = 1 / b, h = d;
  for (int i = 1; i < terms(a); i++) {
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
  return h * front(a, t);
}

}  // namespace

double lowerGamma(double a, double t) {
  if (std::isnan(a) || std::isnan(t) || t < 0) return std::numeric_limits<double>::quiet_NaN();
  if (a <= SMALLEST_A || t == 0) return 0;
  if (std::isinf(t)) return 1;
  if (std::isinf(a)) return 0;
  return t < a + 1 ? series(a, t) : 1 - fraction(a, t);
}

double upperGamma(double a, double t) {
  if (std::isnan(a) || std::isnan(t) || t < 0) return std::numeric_limits<double>::quiet_NaN();
  if (a <= SMALLEST_A || t == 0) return 1;
  if (std::isinf(t)) return 0;
  if (std::isinf(a)) return 1;
  return t < a + 1 ? 1 - series(a, t) : fraction(a, t);
}

}  // namespace sd::math
