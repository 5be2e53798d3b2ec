// Element types: their names on the command line, and dispatch by type.
#ifndef NDFORGE_SRC_CLI_TYPES_H
#define NDFORGE_SRC_CLI_TYPES_H

#include <array/DataType.h>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "cli/Errors.h"
#include "types/TypeDispatch.h"

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
  return visitNumericType(
      dtype, [&]<typename T>() -> decltype(auto) { return f(T{}); },
      [] { throw DataError("arrays of this type are not supported"); });
}

/// Whether T is one of the four float types.
template <typename T>
inline constexpr bool IS_FLOAT = std::is_floating_point_v<T> || types::isHalf<T>;

}  // namespace sd::cli

#endif
