// Element types and lists of numbers in FlatBuffers.
#ifndef NDFORGE_SRC_CALL_FLATTYPES_H
#define NDFORGE_SRC_CALL_FLATTYPES_H

#include <array/ArrayOptions.h>
#include <graph/generated/array_generated.h>

#include <cstring>
#include <vector>

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

/// The numbers of a list, or none without it. In damaged files those of 8 bytes need not lie at multiples of 8, which
/// FlatBuffers' verifier does not check.
template <typename T>
std::vector<T> valuesOf(const flatbuffers::Vector<T>* list) {
  if (list == nullptr || list->size() == 0) return {};
  std::vector<T> values(list->size());
  std::memcpy(values.data(), list->Data(), values.size() * sizeof(T));
  for (T& value : values) value = flatbuffers::EndianScalar(value);
  return values;
}

}  // namespace sd::graph

#endif
