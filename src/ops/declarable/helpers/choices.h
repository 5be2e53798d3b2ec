// Choosing between two arrays, and the coordinates of true elements.
#ifndef NDFORGE_SRC_OPS_DECLARABLE_HELPERS_CHOICES_H
#define NDFORGE_SRC_OPS_DECLARABLE_HELPERS_CHOICES_H

#include "ops/declarable/Common.h"

namespace sd::ops::helpers {

/// z = condition ? x : y. The condition has one element, or the shape of x, or as many elements as x has slices along
/// dimension 0; in the last case it chooses slices. y is converted to the type of x. @throws std::invalid_argument when
/// x and y differ in shape, or when the condition has none of these shapes
void checkChoice(const NDArray& condition, const NDArray& x, const NDArray& y);
void choose(const NDArray& condition, const NDArray& x, const NDArray& y, NDArray& z);

/// The number of elements that are not 0. NaN does not count.
LongType countTrue(const NDArray& condition);

/// Writes the coordinates of the true elements in c order: coordinate d of the k-th one goes to targets[d][k * step].
void truePlaces(const NDArray& condition, const std::vector<LongType*>& targets, LongType step);

}  // namespace sd::ops::helpers

#endif
