// Element-wise operations of two arrays that broadcast, and their gradients.
#ifndef NDFORGE_OPS_DECLARABLE_HEADERS_BROADCASTABLE_H
#define NDFORGE_OPS_DECLARABLE_HEADERS_BROADCASTABLE_H

#include <ops/declarable/BroadcastableBoolOp.h>
#include <ops/declarable/BroadcastableOp.h>
#include <ops/declarable/DeclarableCustomOp.h>
#include <ops/declarable/headers/choices.h>

#include <vector>

namespace sd::ops {

namespace args {
/// Arguments of meshgrid.
struct Meshgrid {
  GridIndexing indexing = GridIndexing::Xy;
};

/// Arguments of percentile. No axes: all.
struct Percentile {
  double q{};  ///< percent
  std::vector<int> axis{};
  PercentileInterpolation interpolation = PercentileInterpolation::Nearest;
  bool keepDims = false;
};
}  // namespace args

// The operations are defined in src/ops/declarable/generic/broadcastable; `ndforge info NAME` describes one.
DECLARE_BROADCASTABLE_OP(add, 0, 0)
DECLARE_BROADCASTABLE_OP(subtract, 0, 0)
DECLARE_BROADCASTABLE_OP(reversesubtract, 0, 0)
DECLARE_BROADCASTABLE_OP(multiply, 0, 0)
DECLARE_BROADCASTABLE_OP(squaredsubtract, 0, 0)
DECLARE_BROADCASTABLE_OP(divide, 0, 0)
DECLARE_BROADCASTABLE_OP(realdiv, 0, 0)
DECLARE_BROADCASTABLE_OP(reversedivide, 0, 0)
DECLARE_BROADCASTABLE_OP(divide_no_nan, 0, 0)
DECLARE_BROADCASTABLE_OP(floordiv, 0, 0)
DECLARE_BROADCASTABLE_OP(truncatediv, 0, 0)
DECLARE_BROADCASTABLE_OP(mod, 0, 0)
DECLARE_BROADCASTABLE_OP(floormod, 0, 0)
DECLARE_BROADCASTABLE_OP(reversemod, 0, 0)
DECLARE_BROADCASTABLE_OP(maximum, 0, 0)
DECLARE_BROADCASTABLE_OP(minimum, 0, 0)
DECLARE_BROADCASTABLE_OP(Pow, 0, 0)
DECLARE_BROADCASTABLE_OP(assign, 0, 0)
DECLARE_BROADCASTABLE_OP(tf_atan2, 0, 0)
DECLARE_BROADCASTABLE_OP(igamma, 0, 0)
DECLARE_BROADCASTABLE_OP(igammac, 0, 0)

// bitwise on values truncated to integers
DECLARE_BROADCASTABLE_OP(boolean_and, 0, 0)
DECLARE_BROADCASTABLE_OP(boolean_or, 0, 0)
DECLARE_BROADCASTABLE_OP(boolean_xor, 0, 0)

DECLARE_BROADCASTABLE_BOOL_OP(equals, 0, 0)
DECLARE_BROADCASTABLE_BOOL_OP(not_equals, 0, 0)
DECLARE_BROADCASTABLE_BOOL_OP(less, 0, 0)
DECLARE_BROADCASTABLE_BOOL_OP(less_equal, 0, 0)
DECLARE_BROADCASTABLE_BOOL_OP(greater, 0, 0)
DECLARE_BROADCASTABLE_BOOL_OP(greater_equal, 0, 0)

// gradients
DECLARE_CUSTOM_OP(add_bp, 3, 2, false, 0, 0)
DECLARE_CUSTOM_OP(subtract_bp, 3, 2, false, 0, 0)
DECLARE_CUSTOM_OP(reversesubtract_bp, 3, 2, false, 0, 0)
DECLARE_CUSTOM_OP(multiply_bp, 3, 2, false, 0, 0)
DECLARE_CUSTOM_OP(squaredsubtract_bp, 3, 2, false, 0, 0)
DECLARE_CUSTOM_OP(divide_bp, 3, 2, false, 0, 0)
DECLARE_CUSTOM_OP(realdiv_bp, 3, 2, false, 0, 0)
DECLARE_CUSTOM_OP(reversedivide_bp, 3, 2, false, 0, 0)
DECLARE_CUSTOM_OP(floordiv_bp, 3, 2, false, 0, 0)
DECLARE_CUSTOM_OP(mod_bp, 3, 2, false, 0, 0)
DECLARE_CUSTOM_OP(reversemod_bp, 3, 2, false, 0, 0)
DECLARE_CUSTOM_OP(floormod_bp, 3, 2, false, 0, 0)
DECLARE_CUSTOM_OP(maximum_bp, 3, 2, false, 0, 0)
DECLARE_CUSTOM_OP(minimum_bp, 3, 2, false, 0, 0)
DECLARE_CUSTOM_OP(Pow_bp, 3, 2, false, 0, 0)
DECLARE_CUSTOM_OP(assign_bp, 3, 2, false, 0, 0)

// arrays that vary along one axis each
DECLARE_CUSTOM_OP(meshgrid, -1, -1, false, 0, 0)

// percentiles
DECLARE_CUSTOM_OP(percentile, 1, 1, false, 1, -2)

}  // namespace sd::ops

#endif
