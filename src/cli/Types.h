// Element types: their names on the command line, and dispatch by type.
#ifndef NDFORGE_SRC_CLI_TYPES_H
#define NDFORGE_SRC_CLI_TYPES_H

#include <array/DataType.h>
#include <types/bfloat16.h>
#include <types/float16.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "cli/Errors.h"

namespace sd::cli {

/// NumPy's name of a type, for example "float32".
std::string_view typeName(DataType dtype);

/// The type with a name: NumPy's names, "half", "float", "double", and DataType's names, in any case. @throws
/// UsageError that lists the names for any other name
DataType typeOf(const std::string& name);

/// The types that arrays in files can have.
std::vector<DataType> elementTypes();

/// Calls f with a value of the C++ type that belongs to an element type.
template <typename F>
decltype(auto) visitType(DataType dtype, F&& f) {
  switch (dtype) {
    case DataType::BOOL:
      return f(bool{});
    case DataType::INT8:
      return f(int8_t{});
    case DataType::INT16:
      return f(int16_t{});
    case DataType::INT32:
      return f(int32_t{});
    case DataType::INT64:
      return f(int64_t{});
    case DataType::UINT8:
      return f(uint8_t{});
    case DataType::UINT16:
      return f(uint16_t{});
    case DataType::UINT32:
      return f(uint32_t{});
    case DataType::UINT64:
      return f(uint64_t{});
    case DataType::HALF:
      return f(float16{});
    case DataType::BFLOAT16:
      return f(bfloat16{});
    case DataType::FLOAT32:
      return f(float{});
    case DataType::DOUBLE:
      return f(double{});
    default:
      throw DataError("arrays of this type are not supported");
  }
}

/// Whether T is one of the four float types.
template <typename T>
inline constexpr bool IS_FLOAT =
    std::is_floating_point_v<T> || std::is_same_v<T, float16> || std::is_same_v<T, bfloat16>;

}  // namespace sd::cli

#endif
