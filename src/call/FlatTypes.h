// Element types in FlatBuffers.
#ifndef NDFORGE_SRC_CALL_FLATTYPES_H
#define NDFORGE_SRC_CALL_FLATTYPES_H

#include <array/ArrayOptions.h>
#include <graph/generated/array_generated.h>

#include "system/Error.h"

namespace sd::graph {

/// @throws std::runtime_error, with the number and the name, when arrays cannot have the type
inline DataType storableType(DType flat, const char* start = "") {
  const auto type = static_cast<DataType>(flat);
  if (ArrayOptions::isStorable(type)) return type;
  const std::string name = EnumNameDType(flat);
  fail("{}type {}{} is not an element type of arrays", start, static_cast<int>(type),
       name.empty() ? "" : " (" + name + ")");
}

}  // namespace sd::graph

#endif
