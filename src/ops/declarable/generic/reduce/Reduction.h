// Dimensions, shapes and arguments of the operations reduce_….
#ifndef NDFORGE_SRC_OPS_DECLARABLE_GENERIC_REDUCE_REDUCTION_H
#define NDFORGE_SRC_OPS_DECLARABLE_GENERIC_REDUCE_REDUCTION_H

#include "ops/declarable/Common.h"

namespace sd::ops {

/// The dimensions of a call, ascending; empty means all. Axes in input `input` take precedence over integer arguments.
std::vector<int> reducedAxes(graph::Context& block, int input, int rank);

/// A flag: a boolean argument or, if there are no boolean arguments, a floating one.
bool reduceFlag(graph::Context& block, size_t index);
inline bool keepsDims(graph::Context& block) { return reduceFlag(block, 0); }

/// The shape function of reductions.
const LongType* reducedShape(graph::Context& block, const LongType* x, DataType type);

/// x's type if it is real, else the default float type: the result type of means and norms.
DataType realType(const LongType* x);

/// The number of elements of x that are reduced to one element of the result.
LongType elementsPerResult(const NDArray& x, const std::vector<int>& axes);

/// A gradient of the result in a shape that broadcasts with x: the reduced dimensions are 1. @throws
/// std::invalid_argument when it has neither the reduced shape nor one element
NDArray stretchable(const NDArray& gradient, const NDArray& x, const std::vector<int>& axes);

inline constexpr const char* REDUCE_INPUTS = "x: any shape\naxes?: integers; override the integer arguments";
inline constexpr const char* REDUCE_INTEGERS =
    "axes...?: the dimensions to reduce; negative ones count from the end (default all)";
inline constexpr const char* REDUCE_BOOLEANS =
    "keepDims?: reduced dimensions are kept with size 1 (default false; without booleans, the first floating argument)";

#define NDFORGE_REDUCE_NOTES                                                                                       \
  "Without axes, a scalar or a vector gives a scalar, even with keepDims, and an empty array gives its own empty " \
  "shape; with all axes listed, it gives the result of the operation for no elements."

}  // namespace sd::ops

#endif
