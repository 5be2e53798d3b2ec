// The option flags of a shapeInfo buffer: element type, emptiness, sparseness.
#ifndef NDFORGE_ARRAY_ARRAYOPTIONS_H
#define NDFORGE_ARRAY_ARRAYOPTIONS_H

#include <array/ArrayType.h>
#include <array/DataType.h>
#include <array/SpaceType.h>
#include <array/SparseType.h>
#include <system/common.h>

#include <initializer_list>

#define ARRAY_SPARSE 2
#define ARRAY_COMPRESSED 4
#define ARRAY_EMPTY 8
#define ARRAY_RAGGED 16
#define ARRAY_CSR 32
#define ARRAY_CSC 64
#define ARRAY_COO 128
#define ARRAY_COMPLEX 512
#define ARRAY_QUANTIZED 1024
#define ARRAY_BHALF 2048
#define ARRAY_HALF 4096
#define ARRAY_FLOAT 8192
#define ARRAY_DOUBLE 16384
#define ARRAY_CHAR 32768
#define ARRAY_SHORT 65536
#define ARRAY_INT 131072
#define ARRAY_LONG 262144
#define ARRAY_BOOL 524288
#define ARRAY_UTF8 1048576
#define ARRAY_EXTRAS 2097152
#define ARRAY_UTF16 4194304
#define ARRAY_UNSIGNED 8388608
#define ARRAY_UTF32 16777216
#define ARRAY_HAS_PADDED_BUFFER (1 << 25)

namespace sd {

/// Reads and writes the flags slot of a shapeInfo buffer. If all flags are 0, the buffer has the old format: every
/// query for a property returns false.
class SD_LIB_EXPORT ArrayOptions {
 public:
  /// All bits that describe the element type.
  static constexpr LongType DATA_TYPE_BITS = ARRAY_BHALF | ARRAY_HALF | ARRAY_FLOAT | ARRAY_DOUBLE | ARRAY_CHAR |
                                             ARRAY_SHORT | ARRAY_INT | ARRAY_LONG | ARRAY_BOOL | ARRAY_UTF8 |
                                             ARRAY_UTF16 | ARRAY_UTF32 | ARRAY_UNSIGNED | ARRAY_COMPLEX;

  /// The flags slot.
  static LongType& extra(LongType* info) { return info[2 * info[0] + 1]; }
  static LongType extra(const LongType* info) { return info[2 * info[0] + 1]; }
  static int extraIndex(const LongType* info) { return extraIndex(static_cast<int>(info[0])); }
  static int extraIndex(int rank) { return 2 * rank + 1; }

  static bool isNewFormat(const LongType* info) { return extra(info) != 0; }
  static bool hasPropertyBitSet(const LongType* info, int property) { return (extra(info) & property) == property; }
  static void setPropertyBit(LongType* info, int property) { extra(info) |= property; }
  static void unsetPropertyBit(LongType* info, int property) { extra(info) &= ~static_cast<LongType>(property); }
  static void setPropertyBits(LongType* info, std::initializer_list<int> properties) {
    for (int property : properties) setPropertyBit(info, property);
  }
  /// Inverts the property and returns its new state.
  static bool togglePropertyBit(LongType* info, int property) {
    extra(info) ^= property;
    return hasPropertyBitSet(info, property);
  }

  /// The element type. @throws std::runtime_error when no type bit is set
  static DataType dataType(const LongType* info) { return dataTypeOfFlags(extra(info)); }
  /// The element type that these flags encode. @throws std::runtime_error when no type bit is set
  static DataType dataTypeOfFlags(LongType flags);
  /// True when the type bits of these flags are exactly those of one element type.
  static bool isOneDataType(LongType flags) noexcept;
  /// The bits of an element type. @throws std::runtime_error when arrays cannot have this type
  static LongType flagsOfDataType(DataType dataType);
  /// True when arrays can have this type.
  static bool isStorable(DataType dataType) noexcept;

  /// Replaces the type bits. @throws std::runtime_error when arrays cannot have this type
  static void setDataType(LongType* info, DataType dataType) {
    const LongType bits = flagsOfDataType(dataType);
    extra(info) = (extra(info) & ~DATA_TYPE_BITS) | bits;
  }
  static void resetDataType(LongType* info) { extra(info) &= ~DATA_TYPE_BITS; }
  static LongType propertyWithoutDataType(const LongType* info) { return extra(info) & ~DATA_TYPE_BITS; }
  static void copyDataType(LongType* to, const LongType* from) {
    extra(to) = propertyWithoutDataType(to) | (extra(from) & DATA_TYPE_BITS);
  }

  static bool isUnsigned(const LongType* info) { return hasPropertyBitSet(info, ARRAY_UNSIGNED); }
  static bool isSparseArray(const LongType* info) { return hasPropertyBitSet(info, ARRAY_SPARSE); }
  static bool hasExtraProperties(const LongType* info) { return hasPropertyBitSet(info, ARRAY_EXTRAS); }
  static bool hasPaddedBuffer(const LongType* info) { return hasPropertyBitSet(info, ARRAY_HAS_PADDED_BUFFER); }
  static void flagAsPaddedBuffer(LongType* info) { setPropertyBit(info, ARRAY_HAS_PADDED_BUFFER); }

  /// The first of QUANTIZED, COMPLEX that is set, else CONTINUOUS.
  static SpaceType spaceType(const LongType* info);
  /// The first of SPARSE, COMPRESSED, EMPTY, RAGGED that is set, else DENSE.
  static ArrayType arrayType(const LongType* info);
  /// The first of CSC, CSR, COO that is set, else LIL. @throws std::runtime_error when the array is not sparse
  static SparseType sparseType(const LongType* info);
};

}  // namespace sd

#endif
