// Code that the gradients of activations share.
#ifndef NDFORGE_SRC_OPS_DECLARABLE_GENERIC_ACTIVATIONS_GRADIENT_H
#define NDFORGE_SRC_OPS_DECLARABLE_GENERIC_ACTIVATIONS_GRADIENT_H

#include <exceptions/datatype_exception.h>

#include "ops/declarable/Common.h"

namespace sd::ops {

/// The incoming gradient in the shape of x. A single element is used for all of x; an array of the same length is
/// matched in c order. @throws std::runtime_error for another length, sd::datatype_exception for another type
inline NDArray gradientLike(const NDArray& x, const NDArray& gradient) {
  if (gradient.dataType() != x.dataType())
    throw datatype_exception::build("[" + RunningOp::name() + "] input 1 'gradZ' must have the type of x", x.dataType(),
                                    gradient.dataType());
  if (gradient.isSameShape(x) || (gradient.lengthOf() == 1 && x.lengthOf() != 1))
    return gradient.viewOf(gradient.shapeInfo(), 0);
  if (gradient.lengthOf() != x.lengthOf())
    throw std::runtime_error("[" + RunningOp::name() + "] input 1 'gradZ': its shape is " + text(gradient) +
                             ", but x has shape " + text(x));
  return gradient.reshape('c', x.getShapeAsVector());
}

}  // namespace sd::ops

#endif
