// From an element type known at run time to a C++ type: withNumericType("op", type, [&]<typename T>() { … }).
#ifndef NDFORGE_SRC_LOOPS_TYPEDISPATCH_H
#define NDFORGE_SRC_LOOPS_TYPEDISPATCH_H

#include <array/DataType.h>
#include <array/DataTypeUtils.h>
#include <exceptions/datatype_exception.h>
#include <types/bfloat16.h>
#include <types/float16.h>

#include <string_view>

#include "system/Error.h"

namespace sd::loops {

[[noreturn]] inline void failOnType(std::string_view op, DataType type, std::string_view expected) {
  fail<std::runtime_error>("[{}] bad data type {}: {} expected", op, static_cast<int>(type), expected);
}

/// Calls f.operator()<T>() with the C++ type T of a float type. @throws std::runtime_error for any other type
template <typename F>
decltype(auto) withFloatType(std::string_view op, DataType type, F&& f) {
  switch (type) {
    case HALF:
      return f.template operator()<float16>();
    case BFLOAT16:
      return f.template operator()<bfloat16>();
    case FLOAT32:
      return f.template operator()<float>();
    case DOUBLE:
      return f.template operator()<double>();
    default:
      failOnType(op, type, "a float type");
  }
}

/// Calls f.operator()<T>() with the C++ type T of a numeric type. @throws std::runtime_error for strings and other
/// types
template <typename F>
decltype(auto) withNumericType(std::string_view op, DataType type, F&& f) {
  switch (type) {
    case BOOL:
      return f.template operator()<bool>();
    case INT8:
      return f.template operator()<int8_t>();
    case INT16:
      return f.template operator()<int16_t>();
    case INT32:
      return f.template operator()<int32_t>();
    case INT64:
      return f.template operator()<LongType>();
    case UINT8:
      return f.template operator()<uint8_t>();
    case UINT16:
      return f.template operator()<uint16_t>();
    case UINT32:
      return f.template operator()<uint32_t>();
    case UINT64:
      return f.template operator()<uint64_t>();
    case HALF:
    case BFLOAT16:
    case FLOAT32:
    case DOUBLE:
      return withFloatType(op, type, f);
    default:
      failOnType(op, type, "numbers");
  }
}

/// Calls f.operator()<U>() with the unsigned integer of an element's size, to move elements as bits.
template <typename F>
decltype(auto) withElementBits(std::string_view op, DataType type, F&& f) {
  return withNumericType(op, type, [&]<typename T>() -> decltype(auto) {
    if constexpr (sizeof(T) == 1) {
      return f.template operator()<uint8_t>();
    } else if constexpr (sizeof(T) == 2) {
      return f.template operator()<uint16_t>();
    } else if constexpr (sizeof(T) == 4) {
      return f.template operator()<uint32_t>();
    } else {
      return f.template operator()<uint64_t>();
    }
  });
}

}  // namespace sd::loops

#endif
