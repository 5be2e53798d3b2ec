// Stirling's formula without terms that overflow or cancel.
#ifndef NDFORGE_SRC_MATH_STIRLING_H
#define NDFORGE_SRC_MATH_STIRLING_H

#include <cmath>

namespace sd::math {

constexpr double PI = 3.14159265358979323846;

/// t - 1 - ln t for t > 0; `mu` is t - 1, as exact as the caller can compute it. 0 for t = 1, where the plain form
/// cancels.
inline double distanceFromOne(double t, double mu) {
  if (std::fabs(mu) > 0.5) return mu - std::log(t);
  // ln(1 + mu) = 2 atanh(r), and mu - 2 r = mu r.
  const double r = mu / (2 + mu), square = r * r;
  double sum = 0, power = 1;
  for (int k = 3; k < 40; k += 2, power *= square) sum += power / k;
  return r * (mu - 2 * square * sum);
}

/// Gamma(a) / (sqrt(2 pi / a) (a / e)^a) for a >= 10. Abramowitz and Stegun 6.1.41.
inline double scaledGamma(double a) {
  const double r = 1 / a, s = r * r;
  return std::exp(
      r * (1.0 / 12 -
           s * (1.0 / 360 -
                s * (1.0 / 1260 - s * (1.0 / 1680 - s * (1.0 / 1188 - s * (691.0 / 360360 - s * (1.0 / 156))))))));
}

}  // namespace sd::math

#endif
