// Internal functions that the classes which build shapes share with the set of interned shapes.
#ifndef NDFORGE_SRC_SHAPE_INTERNED_H
#define NDFORGE_SRC_SHAPE_INTERNED_H

#include <array/DataType.h>
#include <system/common.h>

namespace sd {

/// Checks a shapeInfo and makes it consistent, in place: a dimension of 0 sets the empty flag; empty arrays get strides
/// of 0 and ews 1; an ews that contradicts the strides is recomputed together with the order. @throws
/// std::invalid_argument when it is not a valid shape
void normaliseSlots(LongType* info);

/// Copies a shapeInfo to `slots` and sets its element type. @throws std::runtime_error when `info` is not a valid shape
/// or arrays cannot have the type
void copySlots(const LongType* info, DataType dataType, LongType* slots);

}  // namespace sd

#endif
