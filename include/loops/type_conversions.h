// Conversion of plain blocks of elements, and their quantized and threshold encodings.
#ifndef NDFORGE_LOOPS_TYPE_CONVERSIONS_H
#define NDFORGE_LOOPS_TYPE_CONVERSIONS_H

#include <array/DataTypeUtils.h>
#include <system/common.h>

// Type codes of the C function convertTypes.
#define ND4J_FLOAT8 0
#define ND4J_INT8 1
#define ND4J_UINT8 2
#define ND4J_FLOAT16 3
#define ND4J_INT16 4
#define ND4J_UINT16 5
#define ND4J_FLOAT32 6
#define ND4J_DOUBLE 7
#define ND4J_THRESHOLD 8
#define ND4J_FLOAT24 119

namespace sd {

/// Blocks must not overlap; null pointers, negative lengths and damaged codes throw std::runtime_error. Ignores
/// `extras`.
class SD_LIB_EXPORT TypeCast {
 public:
  /// Converts n elements from dx to dz.
  template <typename S, typename T>
  static void convertGeneric(Pointer* extras, void* dx, LongType n, void* dz) {
    (void)extras;
    convert(DataTypeUtils::fromT<S>(), dx, n, DataTypeUtils::fromT<T>(), dz);
  }

  /// Bytes of the quantized code of n elements: n + 8. @throws std::runtime_error for n <= 0
  static LongType estimateQuantizedSize(LongType n);
  /// The quantized code: minimum and maximum as float, then for each element an int8, round(x / m * 127), where m is
  /// the larger magnitude of minimum and maximum.
  template <typename T>
  static void convertToQuantized(Pointer* extras, void* dx, LongType n, void* dz) {
    (void)extras;
    toQuantized(DataTypeUtils::fromT<T>(), dx, n, dz);
  }
  /// q / 127 * m
  template <typename T>
  static void convertFromQuantized(Pointer* extras, void* dx, LongType n, void* dz) {
    (void)extras;
    fromQuantized(dx, n, DataTypeUtils::fromT<T>(), dz);
  }

  /// The threshold code of loops/Conversion.h; the caller must have filled in its header. dx keeps the part that the
  /// code does not represent.
  template <typename T>
  static void convertToThreshold(Pointer* extras, void* dx, LongType n, void* dz) {
    (void)extras;
    toThreshold(DataTypeUtils::fromT<T>(), dx, n, dz);
  }
  /// Adds the coded values to dz. `n` is not used: the code contains it.
  template <typename T>
  static void convertFromThreshold(Pointer* extras, void* dx, LongType n, void* dz) {
    (void)extras;
    fromThreshold(dx, n, DataTypeUtils::fromT<T>(), dz);
  }

 private:
  static void convert(DataType from, const void* dx, LongType n, DataType to, void* dz);
  static void toThreshold(DataType type, void* dx, LongType n, void* dz);
  static void fromThreshold(void* dx, LongType n, DataType type, void* dz);
  static void toQuantized(DataType type, const void* dx, LongType n, void* dz);
  static void fromQuantized(const void* dx, LongType n, DataType type, void* dz);
};

}  // namespace sd

#endif
