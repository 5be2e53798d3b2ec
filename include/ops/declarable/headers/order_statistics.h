// Quantiles and medians.
#ifndef NDFORGE_OPS_DECLARABLE_HEADERS_ORDER_STATISTICS_H
#define NDFORGE_OPS_DECLARABLE_HEADERS_ORDER_STATISTICS_H

#include <ops/declarable/DeclarableCustomOp.h>
#include <ops/declarable/headers/choices.h>

#include <vector>

namespace sd::ops {

namespace args {
/// What stands for a position between two elements, i and i + 1.
enum class QuantileInterpolation { Linear, Lower, Higher, Midpoint, Nearest };
}  // namespace args
template <>
struct ChoicesOf<args::QuantileInterpolation> {
  static constexpr const char* name = "QuantileInterpolation";
  static constexpr Choice values[] = {{"linear", 0, "the value on the line between both"},
                                      {"lower", 1, "element i"},
                                      {"higher", 2, "element i + 1"},
                                      {"midpoint", 3, "the mean of both"},
                                      {"nearest", 4, "the nearer one; halfway the one whose position is even"}};
};

namespace args {
/// Arguments of quantile and quantile_positions. No axes: all.
struct Quantile {
  QuantileInterpolation interpolation = QuantileInterpolation::Linear;
  std::vector<int> axis{};
  bool keepDims = false;
  bool ignoreNan = false;  ///< NaN does not count; otherwise it makes the quantile NaN
};

/// Arguments of median. No axes: all.
struct Median {
  std::vector<int> axis{};
  bool keepDims = false;
  bool ignoreNan = false;  ///< NaN does not count; otherwise it makes the median NaN
};
}  // namespace args

namespace additional {
/// The values below which given fractions of the elements lie.
DECLARE_CUSTOM_OP(quantile, 2, 1, false, 0, 0)
/// Which elements quantiles lie between.
DECLARE_CUSTOM_OP(quantile_positions, 2, 3, false, 0, 0)
/// The value in the middle of the elements.
DECLARE_CUSTOM_OP(median, 1, 1, false, 0, 0)
}  // namespace additional

}  // namespace sd::ops

#endif
