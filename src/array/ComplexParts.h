// The parts of complex arrays as arrays of real numbers.
#ifndef NDFORGE_SRC_ARRAY_COMPLEXPARTS_H
#define NDFORGE_SRC_ARRAY_COMPLEXPARTS_H

#include <array/NDArray.h>

namespace sd::arrays {

/// Arrays in the memory of x, which they do not keep alive. x is complex; it may be empty.
NDArray realPart(const NDArray& x);
NDArray imaginaryPart(const NDArray& x);
/// All parts, with a last dimension of two. @throws std::invalid_argument for an array of SD_MAX_RANK dimensions
NDArray bothParts(const NDArray& x);

/// Replaces complex numbers, of which there are some, by their conjugates.
void conjugate(NDArray& x);

}  // namespace sd::arrays

#endif
