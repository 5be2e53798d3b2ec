// Axes, shapes and schemas of the operations reduce_….
#ifndef NDFORGE_SRC_OPS_DECLARABLE_GENERIC_REDUCE_REDUCTION_H
#define NDFORGE_SRC_OPS_DECLARABLE_GENERIC_REDUCE_REDUCTION_H

#include <ops/declarable/headers/reduce.h>

#include "ops/declarable/helpers/ShortList.h"
#include "ops/declarable/helpers/inference.h"

namespace sd::ops {

/// The axes of a call on an array of this rank, ascending; empty means all.
std::vector<int> reducedAxes(const std::vector<int>& axis, int rank);

using AxisList = ShortList<int>;
/// The same for the running call, whose inference has found them already if it ran.
const AxisList& currentAxes(graph::Context& block, const std::vector<int>& axis, int rank);

/// The shape of a reduction of input 0, with S's members axis and keepDims. The type is that of x, or a real type.
template <typename S>
PartialShape reducedShape(Inference& in, bool real);
/// As above; the axes are unknown when `known` is false. Unknown sizes are taken to be positive: a reduction of an
/// empty array to one element has the shape of that array.
PartialShape reducedShape(const PartialShape& x, const std::vector<int>& axis, bool known, bool keepDims,
                          DataType type);

/// `type` if it is real, else the default float type: the result type of means and norms.
DataType realType(DataType type);

/// The number of elements of x that are reduced to one element of the result.
LongType elementsPerResult(const NDArray& x, const std::vector<int>& axes);

/// A gradient of the result in a shape that broadcasts with x: the reduced dimensions are 1. @throws
/// std::invalid_argument when it has neither the reduced shape nor one element
NDArray stretchable(const NDArray& gradient, const NDArray& x, const std::vector<int>& axes);

// ---- schemas

inline constexpr const char* AXIS_TEXT =
    "the axes to reduce, all when there are none; negative ones count from the end";
inline constexpr const char* KEEP_DIMS_TEXT = "whether the reduced axes stay with size 1";

/// The input that gives the axes, and the arguments of S. `input` is the index of that input.
template <typename S>
void reductionArguments(Schema& schema, int input) {
  schema.input("axis", "the axes to reduce").types({ALL_INTS, ALL_FLOATS}).rank(0, 2).optional();
  schema.argument(&S::axis, "axis", AXIS_TEXT).atInteger(0).orInput(input);
  if constexpr (requires { &S::keepDims; })
    schema.argument(&S::keepDims, "keep_dims", KEEP_DIMS_TEXT).atFlag(0).orFloat(0);
  if constexpr (requires { &S::biasCorrected; })
    schema.argument(&S::biasCorrected, "bias_corrected", "whether the divisor is n - 1, not n").atFlag(1).orFloat(1);
}

inline constexpr const char* REDUCTION_NOTE =
    "Without axes, a scalar or a vector gives a scalar, even with keep_dims, and an empty array gives its own empty "
    "shape; with all axes listed, it gives the result of the operation for no elements.";

/// Of a call: everything is known, and the axes are kept for the body.
PartialShape reducedShapeOfCall(Inference& in, const PartialShape& x, const std::vector<int>& axis, bool keepDims,
                                DataType type);

template <typename S>
PartialShape reducedShape(Inference& in, bool real) {
  const S& a = in.arguments<S>();
  const PartialShape x = in.input(0);
  const DataType type = real ? realType(x.type()) : x.type();
  const bool known = in.knows(&S::axis);
  if (!in.isPartial() && known) return reducedShapeOfCall(in, x, a.axis, a.keepDims, type);
  return reducedShape(x, a.axis, known, a.keepDims, type);
}

}  // namespace sd::ops

#endif
