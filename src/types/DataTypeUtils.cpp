#include <array/DataTypeUtils.h>

#include "system/Error.h"

namespace sd {

namespace {

/// The name of an element type's enumerator, or null.
const char* nameOf(DataType type) {
  switch (type) {
#define SD_NAME(TYPE, ...) \
  case TYPE:               \
    return #TYPE;
    SD_ELEMENT_TYPES(SD_NAME)
    SD_COMPLEX_TYPES(SD_NAME)
    SD_TEXT_TYPES(SD_NAME)
#undef SD_NAME
    default:
      return nullptr;
  }
}

}  // namespace

std::string DataTypeUtils::asString(DataType type) {
  const char* name = nameOf(type);
  if (name == nullptr) throwUnknown("asString", type);
  return type == FLOAT32 ? "FLOAT" : name;  // programs compare with this name
}

std::string DataTypeUtils::describe(DataType type) {
  const char* name = nameOf(type);
  return name != nullptr ? name : fmt::format("type {}", asInt(type));
}

void DataTypeUtils::throwUnknown(const char* function, DataType type) {
  fail<std::runtime_error>("[{}] arrays cannot have data type {}", function, asInt(type));
}

}  // namespace sd
