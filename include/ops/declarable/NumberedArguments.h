// The arguments of numbered operations, by family.
#ifndef NDFORGE_OPS_DECLARABLE_NUMBEREDARGUMENTS_H
#define NDFORGE_OPS_DECLARABLE_NUMBEREDARGUMENTS_H

#include <system/common.h>

#include <optional>
#include <vector>

namespace sd::ops {

// `parameters` are the extra parameters that the formula names, in its order. Missing ones have their defaults. No
// axes: all of them.

/// Of transforms and of operations on pairs of elements.
struct NumberedElements {
  std::vector<double> parameters{};
};

/// Of operations with a scalar.
struct NumberedScalar {
  std::optional<double> scalar{};
  std::vector<double> parameters{};
};

/// Of broadcasts, positions and distances.
struct NumberedAxes {
  std::vector<int> axis{};
  std::vector<double> parameters{};
};

struct NumberedReduction {
  std::vector<int> axis{};
  bool keepDims = false;
  bool newFormat = true;  ///< a result of one element has rank 0, otherwise rank 2
  std::vector<double> parameters{};
};

struct NumberedVariance {
  std::vector<int> axis{};
  bool biasCorrected = false;  ///< the divisor is n - 1
};

struct NumberedRandom {
  std::vector<double> parameters{};
  std::optional<LongType> trials{};  ///< of the binomial distributions, in place of their first parameter
};

}  // namespace sd::ops

#endif
