// Arrays as text.
#ifndef NDFORGE_SRC_ARRAY_ARRAYTEXT_H
#define NDFORGE_SRC_ARRAY_ARRAYTEXT_H

#include <array/NDArray.h>

#include <complex>
#include <string>

namespace sd {

/// The elements in nested brackets, at most `limit` of them unless it is negative, as NDArray::printIndexedBuffer()
/// prints them.
std::string indexedText(const NDArray& array, LongType limit);

namespace nd {

/// A number of the given type as NumPy prints one that stands alone: with all digits that give it back.
std::string scalarText(double value, DataType type);
/// As Python writes complex numbers: "(1+2j)", "2j". `part` is the type of a part.
std::string scalarText(std::complex<double> value, DataType part);

}  // namespace nd

}  // namespace sd

#endif
