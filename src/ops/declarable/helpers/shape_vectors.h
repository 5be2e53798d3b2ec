// Shapes that are given as vectors of integers.
#ifndef NDFORGE_SRC_OPS_DECLARABLE_HELPERS_SHAPE_VECTORS_H
#define NDFORGE_SRC_OPS_DECLARABLE_HELPERS_SHAPE_VECTORS_H

#include "ops/declarable/Common.h"

namespace sd::ops {

/// How many sizes an input holds. @throws std::invalid_argument when it is no vector
LongType lengthOfShapeVector(graph::Context& block, int input, const char* name);
/// The sizes that an input holds. @throws std::invalid_argument when it is no vector or a size is negative
Dims shapeVector(graph::Context& block, int input, const char* name);
/// What two shapes broadcast to. @throws std::invalid_argument when they do not
Dims broadcastOf(const Dims& x, const Dims& y);
/// The values as elements of a vector of the same length.
void writeVector(const Dims& values, NDArray& z);

}  // namespace sd::ops

#endif
