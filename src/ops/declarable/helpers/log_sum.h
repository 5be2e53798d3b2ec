// Sums of probabilities that are represented by their logarithms.
#ifndef NDFORGE_SRC_OPS_DECLARABLE_HELPERS_LOG_SUM_H
#define NDFORGE_SRC_OPS_DECLARABLE_HELPERS_LOG_SUM_H

#include <cmath>
#include <limits>
#include <utility>

namespace sd::ops {

/// The logarithm of the probability 0.
inline constexpr double NEVER = -std::numeric_limits<double>::infinity();

/// log(exp(a) + exp(b))
inline double logSum(double a, double b) {
  if (a < b) std::swap(a, b);
  return b == NEVER ? a : a + std::log1p(std::exp(b - a));
}

}  // namespace sd::ops

#endif
