#include "cli/Types.h"

#include <array/DataTypeUtils.h>
#include <fmt/format.h>
#include <types/element_types.h>

#include <algorithm>
#include <utility>

#include "cli/Text.h"

namespace sd::cli {
namespace {

struct Name {
  std::string_view name;
  DataType dtype;
};

// The first name of a type is the one that is printed.
constexpr Name NAMES[] = {
#define SD_NAME(TYPE, NAME, ...) {#NAME, TYPE},
    SD_ELEMENT_TYPES(SD_NAME) SD_COMPLEX_TYPES(SD_NAME)
#undef SD_NAME
        {"half", HALF},
    {"float", FLOAT32},
    {"double", DOUBLE},
};

/// Truth values, signed and unsigned integers, real numbers, complex numbers.
int kindOf(DataType type) {
  if (DataTypeUtils::isC(type)) return 4;
  return DataTypeUtils::isB(type) ? 0 : DataTypeUtils::isR(type) ? 3 : DataTypeUtils::isU(type) ? 2 : 1;
}

}  // namespace

std::vector<DataType> elementTypes() {
  std::vector<DataType> types = {
#define SD_TYPE(TYPE, ...) TYPE,
      SD_ELEMENT_TYPES(SD_TYPE) SD_COMPLEX_TYPES(SD_TYPE)
#undef SD_TYPE
  };
  std::stable_sort(types.begin(), types.end(), [](DataType a, DataType b) {
    return std::pair(kindOf(a), DataTypeUtils::sizeOf(a)) < std::pair(kindOf(b), DataTypeUtils::sizeOf(b));
  });
  return types;
}

std::string_view typeName(DataType dtype) {
  const auto found = std::find_if(std::begin(NAMES), std::end(NAMES), [&](const Name& n) { return n.dtype == dtype; });
  return found == std::end(NAMES) ? std::string_view("unknown type") : found->name;
}

DataType typeOf(const std::string& name) {
  const std::string wanted = lower(name);
  for (const Name& entry : NAMES)
    if (entry.name == wanted) return entry.dtype;
  std::string known;
  for (const DataType type : elementTypes()) known += (known.empty() ? "" : ", ") + std::string(typeName(type));
  throw UsageError(fmt::format("there is no type '{}'; the types are {}", shortened(name), known));
}

}  // namespace sd::cli
