// Shapes that are passed as vectors of integers.
#ifndef NDFORGE_SRC_OPS_DECLARABLE_HELPERS_SHAPE_VECTORS_H
#define NDFORGE_SRC_OPS_DECLARABLE_HELPERS_SHAPE_VECTORS_H

#include "ops/declarable/Common.h"

namespace sd::ops {

/// The number of sizes in an input. @throws std::invalid_argument when it is not a vector
LongType lengthOfShapeVector(graph::Context& block, int input, const char* name);
/// The sizes in an input. @throws std::invalid_argument when it is not a vector or a size is negative
Dims shapeVector(graph::Context& block, int input, const char* name);
/// The broadcast shape of x and y. @throws std::invalid_argument when they do not broadcast
Dims broadcastOf(const Dims& x, const Dims& y);
/// Writes the values to a vector of the same length.
void writeVector(const Dims& values, NDArray& z);

}  // namespace sd::ops

#endif
