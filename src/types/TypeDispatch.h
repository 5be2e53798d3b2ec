// From an element type known at run time to a C++ type: withNumericType("op", type, [&]<typename T>() { … }).
#ifndef NDFORGE_SRC_TYPES_TYPEDISPATCH_H
#define NDFORGE_SRC_TYPES_TYPEDISPATCH_H

#include <array/DataType.h>
#include <array/DataTypeUtils.h>
#include <types/element_types.h>

#include <string_view>

#include "system/Error.h"

namespace sd {

/// Calls f.operator()<T>() with the C++ type T of a row of SD_ELEMENT_TYPES. For strings and other types it
/// calls otherwise(), which must throw.
template <typename F, typename Otherwise>
decltype(auto) visitNumericType(DataType type, F&& f, Otherwise&& otherwise) {
  switch (type) {
#define SD_VISIT(TYPE, NAME, CXX, ...) \
  case TYPE:                           \
    return f.template operator()<CXX>();
    SD_ELEMENT_TYPES(SD_VISIT)
#undef SD_VISIT
    default:
      otherwise();
      std::terminate();
  }
}

namespace loops {

[[noreturn]] inline void failOnType(std::string_view op, DataType type, std::string_view expected) {
  fail<std::runtime_error>("[{}] bad data type {}: {} expected", op, static_cast<int>(type), expected);
}

/// Calls f.operator()<T>() with the C++ type T of a numeric type. @throws std::runtime_error for strings and other
/// types
template <typename F>
decltype(auto) withNumericType(std::string_view op, DataType type, F&& f) {
  return visitNumericType(type, f, [&] { failOnType(op, type, "numbers"); });
}

/// Calls f.operator()<T>() with the C++ type T of a float type. @throws std::runtime_error for any other type
template <typename F>
decltype(auto) withFloatType(std::string_view op, DataType type, F&& f) {
  using Result = decltype(f.template operator()<float>());
  return visitNumericType(
      type,
      [&]<typename T>() -> Result {
        if constexpr (std::is_floating_point_v<T> || types::isHalf<T>)
          return f.template operator()<T>();
        else
          failOnType(op, type, "a float type");
      },
      [&] { failOnType(op, type, "a float type"); });
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

}  // namespace loops

}  // namespace sd

#endif
