// Regularised incomplete gamma functions.
#ifndef NDFORGE_MATH_GAMMA_H
#define NDFORGE_MATH_GAMMA_H

#include <system/common.h>

namespace sd {
namespace math {

/// P(a, t) = 1/Gamma(a) * integral of s^(a-1) exp(-s) over 0..t; 0 for a <= 1e-6, NaN for negative t.
SD_LIB_EXPORT double lowerGamma(double a, double t);

/// Q(a, t) = 1 - P(a, t), without cancellation for large t.
SD_LIB_EXPORT double upperGamma(double a, double t);

}  // namespace math
}  // namespace sd

#endif
