// What the classes that build shapes share with the set of interned ones.
#ifndef NDFORGE_SRC_SHAPE_INTERNED_H
#define NDFORGE_SRC_SHAPE_INTERNED_H

#include <system/common.h>

namespace sd {

/// Checks a shapeInfo and makes it consistent, in place: a dimension of 0 sets the empty flag, empty arrays have
/// strides of 0 and ews 1, an ews that contradicts the strides is computed anew (and the order with it).
/// @throws std::invalid_argument when it is no shape
void normaliseSlots(LongType* info);

}  // namespace sd

#endif
