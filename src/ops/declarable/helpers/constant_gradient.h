// Incoming gradients of one element, which programs for ND4J give for whole arrays: a constant.
#ifndef NDFORGE_SRC_OPS_DECLARABLE_HELPERS_CONSTANT_GRADIENT_H
#define NDFORGE_SRC_OPS_DECLARABLE_HELPERS_CONSTANT_GRADIENT_H

#include <ops/declarable/Schema.h>

#include "ops/declarable/Common.h"

namespace sd::ops {

/// Whether the incoming gradient has one element, [] or [1], and the result of the operation more of them.
inline bool isConstantGradient(const PartialShape& gradient, const PartialShape& result) {
  return gradient.hasRank() && gradient.rank() <= 1 && gradient.length() == 1 && result.length() > 1;
}

/// The incoming gradient of a result of shape `dims`: a view, or an array of this shape when it is one element.
inline NDArray wholeGradient(const NDArray& gradient, const Dims& dims) {
  const PartialShape given = PartialShape::of(gradient.shapeInfo());
  if (!isConstantGradient(given, PartialShape(gradient.dataType(), dims)))
    return gradient.viewOf(gradient.shapeInfo(), 0);
  NDArray whole = NDArray::uninitialized(gradient.dataType(), 'c', static_cast<int>(dims.size()), dims.data(),
                                         LaunchContext::defaultContext());
  whole.assign(gradient);
  return whole;
}

}  // namespace sd::ops

#endif
