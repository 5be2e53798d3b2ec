// Properties of element types: C++ type, size, kind, limits, name.
#ifndef NDFORGE_ARRAY_DATATYPEUTILS_H
#define NDFORGE_ARRAY_DATATYPEUTILS_H

#include <array/DataType.h>
#include <system/Environment.h>
#include <system/common.h>
#include <types/element_types.h>

#include <limits>
#include <string>
#include <type_traits>
#include <vector>

namespace sd {

namespace types {

/// The DataType of a C++ type; there is no `value` for types that cannot be elements.
template <typename T>
struct DataTypeOf {};
template <DataType D>
using DataTypeConstant = std::integral_constant<DataType, D>;
#define SD_DATATYPE_OF(TYPE, NAME, CXX, ...) \
  template <>                                \
  struct DataTypeOf<CXX> : DataTypeConstant<TYPE> {};
SD_ELEMENT_TYPES(SD_DATATYPE_OF)
SD_COMPLEX_TYPES(SD_DATATYPE_OF)
SD_TEXT_TYPES(SD_DATATYPE_OF)
#undef SD_DATATYPE_OF
// Other names of integers.
template <>
struct DataTypeOf<char> : DataTypeConstant<std::is_signed_v<char> ? INT8 : UINT8> {};
template <>
struct DataTypeOf<long> : DataTypeConstant<sizeof(long) == 8 ? INT64 : INT32> {};
template <>
struct DataTypeOf<std::conditional_t<std::is_same_v<uint64_t, unsigned long>, unsigned long long, unsigned long>>
    : DataTypeConstant<sizeof(unsigned long) == 8 ? UINT64 : UINT32> {};

#define SD_COUNT_TYPE(...) +1
/// The number of types that arrays can have, without and with complex numbers and strings.
inline constexpr int NUMERIC_TYPES = 0 SD_ELEMENT_TYPES(SD_COUNT_TYPE);
inline constexpr int STORABLE_TYPES = NUMERIC_TYPES SD_COMPLEX_TYPES(SD_COUNT_TYPE) SD_TEXT_TYPES(SD_COUNT_TYPE);
#undef SD_COUNT_TYPE

template <typename T, typename... Others>
inline constexpr bool isOneOf = (std::is_same_v<T, Others> || ...);

}  // namespace types

template <typename T>
struct scalarTypesForNDarray;
template <typename T>
struct scalarTypesForExecution;

class SD_LIB_EXPORT DataTypeUtils {
 public:
  template <typename T>
  using scalarTypesForNDarray = sd::scalarTypesForNDarray<T>;
  template <typename T>
  using scalarTypesForExecution = sd::scalarTypesForExecution<T>;

  static constexpr int asInt(DataType type) { return static_cast<int>(type); }
  static constexpr DataType fromInt(int number) { return static_cast<DataType>(number); }
  /// Converts from the enum of the graph format, which has the same numbers.
  template <typename FlatType>
  static constexpr DataType fromFlatDataType(FlatType type) {
    return fromInt(static_cast<int>(type));
  }

  /// The DataType of T; does not compile for a C++ type that cannot be an element.
  template <typename T>
  static constexpr DataType fromT() {
    return types::DataTypeOf<T>::value;
  }

  /// Whether arrays can have this type.
  static constexpr bool isElementType(DataType type) { return sizeOrZero(type) != 0; }

  /// Bytes of an element; 4 for strings. A type that arrays cannot have throws std::runtime_error.
  static size_t sizeOf(DataType type) {
    const size_t size = sizeOrZero(type);
    if (size == 0) throwUnknown("sizeOf", type);
    return size;
  }
  static size_t sizeOf(const LongType* shapeInfo);
  static size_t sizeOfElement(DataType type) { return sizeOf(type); }
  static size_t sizeOfElement(const LongType* shapeInfo) { return sizeOf(shapeInfo); }

  /// "INT8", "FLOAT" (for FLOAT32), "BFLOAT16", …; a type that arrays cannot have throws std::runtime_error.
  static std::string asString(DataType type);
  /// The name that messages use. It is the enumerator's: "FLOAT32"; "type 77" when there is none.
  static std::string describe(DataType type);

  // Kinds: real, complex, boolean, string, unsigned; everything that is none of the first four counts as integer.
  static constexpr bool isR(DataType type) { return kindOf(type) == Kind::Real; }
  static constexpr bool isC(DataType type) { return kindOf(type) == Kind::Complex; }
  static constexpr bool isB(DataType type) { return kindOf(type) == Kind::Boolean; }
  static constexpr bool isS(DataType type) { return kindOf(type) == Kind::Text; }
  static constexpr bool isU(DataType type) { return kindOf(type) == Kind::UnsignedInteger; }
  static constexpr bool isZ(DataType type) { return !isR(type) && !isC(type) && !isB(type) && !isS(type); }

  /// The type in which elements are computed: FLOAT32 for 16-bit floats, INT8 for BOOL, else the type itself.
  static constexpr DataType arithmeticType(DataType type) {
    switch (type) {
#define SD_ARITHMETIC(TYPE, NAME, CXX, STORAGE, STORED, ARITHMETIC, ...) \
  case TYPE:                                                             \
    return types::DataTypeOf<ARITHMETIC>::value;
      SD_ELEMENT_TYPES(SD_ARITHMETIC)
#undef SD_ARITHMETIC
      default:
        return type;
    }
  }
  /// FLOAT32 for COMPLEX64, DOUBLE for COMPLEX128, else the type itself.
  static constexpr DataType partType(DataType type) {
    return type == COMPLEX64 ? FLOAT32 : type == COMPLEX128 ? DOUBLE : type;
  }
  /// The complex type that holds the numbers of `type`: COMPLEX128 for it and DOUBLE, else COMPLEX64.
  static constexpr DataType complexType(DataType type) { return partType(type) == DOUBLE ? COMPLEX128 : COMPLEX64; }
  /// Whether the type holds real numbers that are computed in a wider type.
  static constexpr bool isHalf(DataType type) { return isR(type) && arithmeticType(type) != type; }

  /// `type` when it is real, else the default float type.
  static DataType pickFloatingType(DataType type) {
    return isR(type) ? type : Environment::getInstance().defaultFloatDataType();
  }

  /// libnd4j's rule, with complex types: the complex one if only one is complex, the real one if only one is real;
  /// else x, or with precision boost the larger. See promotedType.
  static DataType pickPairwiseResultType(DataType x, DataType y) {
    if (x == y) return x;
    if (isC(x) != isC(y)) return isC(x) ? x : y;
    if (isR(x) != isR(y)) return isR(x) ? x : y;
    return Environment::getInstance().precisionBoostAllowed() && y > x ? y : x;
  }
  static DataType pickPairwiseResultType(const LongType* xShapeInfo, const LongType* yShapeInfo);

  /// Largest value.
  template <typename T>
  static constexpr T max() {
    return std::numeric_limits<T>::max();
  }
  /// Lowest value of integers, bool and bfloat16; smallest positive normal value of float16, float and double.
  template <typename T>
  static constexpr T min() {
    if constexpr (std::is_same_v<T, bfloat16>)
      return bfloat16::min();
    else
      return std::numeric_limits<T>::min();
  }
  /// Infinity for float and double, else the largest value.
  template <typename T>
  static constexpr T infOrMax() {
    if constexpr (std::is_floating_point_v<T>)
      return std::numeric_limits<T>::infinity();
    else
      return max<T>();
  }
  /// NaN for float and double, else 0.
  template <typename T>
  static constexpr T nanOrZero() {
    if constexpr (std::is_floating_point_v<T>)
      return std::numeric_limits<T>::quiet_NaN();
    else
      return static_cast<T>(0);
  }
  /// Machine epsilon of float16, float and double, else 0.
  template <typename T>
  static constexpr T eps() {
    if constexpr (std::is_floating_point_v<T> || std::is_same_v<T, float16>)
      return std::numeric_limits<T>::epsilon();
    else
      return static_cast<T>(0);
  }
  /// Smallest positive normal value of float16 and double, else 0.
  template <typename T>
  static constexpr T min_positive() {
    if constexpr (std::is_same_v<T, double> || std::is_same_v<T, float16>)
      return std::numeric_limits<T>::min();
    else
      return static_cast<T>(0);
  }

  /// Copies all slots of a shapeInfo into a narrower type; false when a value does not fit or the rank is impossible.
  template <typename T>
  static bool castShapeInfo(const LongType* from, T* to) {
    if (from[0] < 0 || from[0] > SD_MAX_RANK) return false;
    const LongType slots = 2 * from[0] + 4;
    for (LongType i = 0; i < slots; i++) {
      to[i] = static_cast<T>(from[i]);
      if (static_cast<LongType>(to[i]) != from[i]) return false;
    }
    return true;
  }

  template <typename A, typename B>
  static std::vector<B> convertVector(const std::vector<A>& values) {
    std::vector<B> result;
    result.reserve(values.size());
    for (const auto& value : values) result.push_back(static_cast<B>(value));
    return result;
  }

 private:
  enum class Kind { None, Real, Complex, SignedInteger, UnsignedInteger, Boolean, Text };

  static constexpr Kind kindOf(DataType type) {
    switch (type) {
#define SD_KIND(TYPE, NAME, CXX, STORAGE, STORED, ARITHMETIC, KIND, ...) \
  case TYPE:                                                             \
    return Kind::KIND;
#define SD_COMPLEX_KIND(TYPE, ...) \
  case TYPE:                       \
    return Kind::Complex;
#define SD_TEXT_KIND(TYPE, ...) \
  case TYPE:                    \
    return Kind::Text;
      SD_ELEMENT_TYPES(SD_KIND)
      SD_COMPLEX_TYPES(SD_COMPLEX_KIND)
      SD_TEXT_TYPES(SD_TEXT_KIND)
#undef SD_KIND
#undef SD_COMPLEX_KIND
#undef SD_TEXT_KIND
      default:
        return Kind::None;
    }
  }
  static constexpr size_t sizeOrZero(DataType type) {
    switch (type) {
#define SD_SIZE(TYPE, NAME, CXX, ...) \
  case TYPE:                          \
    return sizeof(CXX);
      SD_ELEMENT_TYPES(SD_SIZE)
      SD_COMPLEX_TYPES(SD_SIZE)
#undef SD_SIZE
      default:
        return isS(type) ? 4 : 0;
    }
  }
  [[noreturn]] static void throwUnknown(const char* function, DataType type);
};

/// C++ types that can be a scalar operand of an array.
template <typename T>
struct scalarTypesForNDarray {
  static constexpr bool value =
      types::isOneOf<T, double, float, int, unsigned int, long long, unsigned long long, long, unsigned long, int8_t,
                     uint8_t, int16_t, uint16_t, bool, bfloat16, float16>;
};

/// C++ types that can be arguments of an operation.
template <typename T>
struct scalarTypesForExecution {
  static constexpr bool value = types::isOneOf<T, double, float, LongType, int, bool>;
};

}  // namespace sd

#endif
