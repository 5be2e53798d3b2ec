#include <array/DataTypeUtils.h>

#include "system/Error.h"

namespace sd {

namespace {

/// The name of an element type's enumerator, or null.
const char* nameOf(DataType type) {
  switch (type) {
    case BOOL:
      return "BOOL";
    case HALF:
      return "HALF";
    case BFLOAT16:
      return "BFLOAT16";
    case FLOAT32:
      return "FLOAT32";
    case DOUBLE:
      return "DOUBLE";
    case INT8:
      return "INT8";
    case INT16:
      return "INT16";
    case INT32:
      return "INT32";
    case INT64:
      return "INT64";
    case UINT8:
      return "UINT8";
    case UINT16:
      return "UINT16";
    case UINT32:
      return "UINT32";
    case UINT64:
      return "UINT64";
    case UTF8:
      return "UTF8";
    case UTF16:
      return "UTF16";
    case UTF32:
      return "UTF32";
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
