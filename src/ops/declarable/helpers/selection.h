// Choosing elements by a condition.
#ifndef NDFORGE_SRC_OPS_DECLARABLE_HELPERS_SELECTION_H
#define NDFORGE_SRC_OPS_DECLARABLE_HELPERS_SELECTION_H

#include "ops/declarable/Common.h"

namespace sd::ops::helpers {

/// How many elements of x, in c order, each element of the condition decides: 1 when the shapes are equal, all for one
/// element, a slice along dimension 0 when the condition has as many elements as there are slices.
/// @throws std::invalid_argument otherwise
LongType decidedBy(const NDArray& condition, const NDArray& x);

/// z = condition ? x : y, with x, y and z of one shape and type.
void select(const NDArray& condition, const NDArray& x, const NDArray& y, NDArray& z);

/// z = x where the condition is false; the k-th true element takes y[k], or y[0] when y has one element. y has enough
/// elements; the condition has the shape of x.
void putWhere(const NDArray& condition, const NDArray& x, const NDArray& y, NDArray& z);

/// Writes the coordinates of the elements that are not 0, in c order: coordinate d of element k to
/// target[d * axisStep + k * elementStep].
void coordinates(const NDArray& condition, LongType* target, LongType axisStep, LongType elementStep);

/// The number of elements that are not 0.
LongType countTrue(const NDArray& x);

}  // namespace sd::ops::helpers

#endif
