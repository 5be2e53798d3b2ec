// Arrays as text.
#ifndef NDFORGE_SRC_ARRAY_ARRAYTEXT_H
#define NDFORGE_SRC_ARRAY_ARRAYTEXT_H

#include <array/NDArray.h>

#include <string>

namespace sd {

/// The elements in nested brackets, at most `limit` of them unless it is negative, as NDArray::printIndexedBuffer()
/// prints them.
std::string indexedText(const NDArray& array, LongType limit);

}  // namespace sd

#endif
