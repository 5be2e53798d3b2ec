#include "cli/Types.h"

#include <fmt/format.h>

#include <algorithm>

#include "cli/Text.h"

namespace sd::cli {
namespace {

struct Name {
  std::string_view name;
  DataType dtype;
};

// The first name of a type is the one that is printed.
constexpr Name NAMES[] = {
    {"bool", DataType::BOOL},      {"int8", DataType::INT8},         {"int16", DataType::INT16},
    {"int32", DataType::INT32},    {"int64", DataType::INT64},       {"uint8", DataType::UINT8},
    {"uint16", DataType::UINT16},  {"uint32", DataType::UINT32},     {"uint64", DataType::UINT64},
    {"float16", DataType::HALF},   {"bfloat16", DataType::BFLOAT16}, {"float32", DataType::FLOAT32},
    {"float64", DataType::DOUBLE}, {"half", DataType::HALF},         {"float", DataType::FLOAT32},
    {"double", DataType::DOUBLE},
};
constexpr size_t TYPE_COUNT = 13;

}  // namespace

std::vector<DataType> elementTypes() {
  std::vector<DataType> types;
  for (size_t i = 0; i < TYPE_COUNT; ++i) types.push_back(NAMES[i].dtype);
  return types;
}

std::string_view typeName(DataType dtype) {
  const auto found = std::find_if(std::begin(NAMES), std::end(NAMES), [&](const Name& n) { return n.dtype == dtype; });
  return found == std::end(NAMES) ? std::string_view("unknown type") : found->name;
}

DataType typeOf(const std::string& name) {
  const std::string wanted = lower(name);
  std::string known;
  for (const Name& entry : NAMES)
    if (entry.name == wanted) return entry.dtype;
  for (size_t i = 0; i < TYPE_COUNT; ++i) known += (i == 0 ? "" : ", ") + std::string(NAMES[i].name);
  throw UsageError(fmt::format("there is no type '{}'; the types are {}", shortened(name), known));
}

}  // namespace sd::cli
