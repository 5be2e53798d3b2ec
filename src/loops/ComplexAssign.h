// Copies and conversions of complex elements, whose parts the kernels handle.
#ifndef NDFORGE_SRC_LOOPS_COMPLEXASSIGN_H
#define NDFORGE_SRC_LOOPS_COMPLEXASSIGN_H

#include <array/ArrayOptions.h>
#include <loops/Executor.h>

namespace sd::loops {

/// Whether this is a shapeInfo of a complex type.
inline bool isComplex(const LongType* info) noexcept {
  return info != nullptr && info[0] >= 0 && info[0] <= SD_MAX_RANK &&
         ArrayOptions::hasPropertyBitSet(info, ARRAY_COMPLEX);
}

/// assign() where x or z is complex. Real numbers become real parts.
/// @throws sd::datatype_exception when z is not complex
void assignComplex(In x, Out z);

}  // namespace sd::loops

#endif
