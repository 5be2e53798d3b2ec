// Conversion of plain blocks by type code, and the threshold encoding of sparse updates.
//
// The threshold code of an array of n floats is an array of 32-bit integers: [0] capacity, [1] n, [2] the bits of the
// threshold t as a float, [3] unused, from [4] on: i + 1 for each element x[i] >= t, -(i + 1) for each x[i] <= -t.
#ifndef NDFORGE_SRC_LOOPS_CONVERSION_H
#define NDFORGE_SRC_LOOPS_CONVERSION_H

#include <array/DataType.h>
#include <system/common.h>

namespace sd::loops {

/// Type codes of convertTypes. The numbers are part of the interface.
enum class TypeCode : int {
  Float8 = 0,
  Int8 = 1,
  UInt8 = 2,
  Float16 = 3,
  Int16 = 4,
  UInt16 = 5,
  Float32 = 6,
  Double = 7,
  Threshold = 8,
  Float24 = 119,
};

/// Converts n elements. With Threshold on one side and a float type on the other, it encodes (x keeps the part that the
/// code does not represent) or decodes (adds to z; n is ignored). @throws std::runtime_error for other pairs, null
/// buffers, negative sizes, overlapping blocks and damaged codes
SD_LIB_EXPORT void convertTypes(TypeCode from, void* x, LongType n, TypeCode to, void* z);

/// The number of elements with |x| >= threshold among n contiguous ones. @throws std::runtime_error for types other
/// than floats
SD_LIB_EXPORT LongType estimateThreshold(const void* x, DataType type, LongType n, float threshold);

}  // namespace sd::loops

#endif
