// Conversion of contiguous blocks by type code, and the threshold encoding.
#include <array/ArrayOptions.h>
#include <helpers/shape.h>
#include <loops/Executor.h>

#include <cmath>
#include <cstring>

#include "loops/Conversion.h"
#include "system/Error.h"
#include "types/TypeDispatch.h"

namespace sd::loops {

namespace {

constexpr const char* OP = "convertTypes";
constexpr LongType HEADER = 4;

DataType typeOf(TypeCode code) {
  switch (code) {
    case TypeCode::Int8:
      return INT8;
    case TypeCode::UInt8:
      return UINT8;
    case TypeCode::Float16:
      return HALF;
    case TypeCode::Int16:
      return INT16;
    case TypeCode::UInt16:
      return UINT16;
    case TypeCode::Float32:
      return FLOAT32;
    case TypeCode::Double:
      return DOUBLE;
    default:
      fail("[{}] type code {} cannot be converted", OP, static_cast<int>(code));
  }
}

/// The header of an encoded array. The caller's buffer may have any alignment.
struct Header {
  int32_t capacity, length;
  float threshold;

  explicit Header(const void* code) {
    std::memcpy(&capacity, code, sizeof(capacity));
    std::memcpy(&length, static_cast<const char*>(code) + 4, sizeof(length));
    std::memcpy(&threshold, static_cast<const char*>(code) + 8, sizeof(threshold));
    if (capacity < 0) fail("[{}] the threshold code has the negative capacity {}", OP, capacity);
    if (!(threshold > 0)) fail("[{}] the threshold is {}: it must be positive", OP, threshold);
  }
};

void encode(TypeCode from, void* x, LongType n, void* code) {
  if (n > SD_MAX_INT - 1) fail("[{}] {} elements are too many for a threshold code", OP, n);
  const Header header(code);
  auto* entries = static_cast<int32_t*>(code);
  withFloatType(OP, typeOf(from), [&]<typename T>() {
    T* values = static_cast<T*>(x);
    const T threshold = static_cast<T>(header.threshold);
    LongType used = 0;
    for (LongType i = 0; i < n && used < header.capacity; i++) {
      const bool above = values[i] >= threshold;
      if (!above && !(values[i] <= -threshold)) continue;
      const auto number = static_cast<int32_t>(i + 1);
      entries[HEADER + used++] = above ? number : -number;
      values[i] = above ? values[i] - threshold : values[i] + threshold;
    }
    // Zeros fill the rest of the capacity; decoding skips them.
    std::fill(entries + HEADER + used, entries + HEADER + header.capacity, 0);
  });
  entries[1] = static_cast<int32_t>(n);
}

void decode(const void* code, TypeCode to, void* z) {
  const Header header(code);
  const auto* entries = static_cast<const int32_t*>(code) + HEADER;
  for (int32_t k = 0; k < header.capacity; k++) {
    const LongType number = std::abs(static_cast<LongType>(entries[k]));
    if (number > header.length)
      fail("[{}] entry {} of the threshold code is {}: there are {} elements", OP, k, entries[k], header.length);
  }
  withFloatType(OP, typeOf(to), [&]<typename T>() {
    T* values = static_cast<T*>(z);
    const T threshold = static_cast<T>(header.threshold);
    for (int32_t k = 0; k < header.capacity; k++) {
      if (entries[k] == 0) continue;
      T& value = values[std::abs(static_cast<LongType>(entries[k])) - 1];
      value = entries[k] > 0 ? value + threshold : value - threshold;
    }
  });
}

}  // namespace

void convertTypes(TypeCode from, void* x, LongType n, TypeCode to, void* z) {
  if (n < 0) fail("[{}] the number of elements is {}: it must not be negative", OP, n);
  const bool encodes = to == TypeCode::Threshold && from != TypeCode::Threshold;
  const bool decodes = from == TypeCode::Threshold && to != TypeCode::Threshold;
  if (encodes || decodes) {
    const TypeCode floats = encodes ? from : to;
    if (floats != TypeCode::Float16 && floats != TypeCode::Float32 && floats != TypeCode::Double)
      fail("[{}] threshold codes encode only float types, not type code {}", OP, static_cast<int>(floats));
    if (x == nullptr || z == nullptr) fail("[{}] {} is null", OP, x == nullptr ? "x" : "z");
    return encodes ? encode(from, x, n, z) : decode(x, to, z);
  }
  const DataType source = typeOf(from), target = typeOf(to);
  if (n == 0) return;
  if (x == nullptr || z == nullptr) fail("[{}] {} is null", OP, x == nullptr ? "x" : "z");
  LongType xInfo[6], zInfo[6];
  shape::fillContiguous(xInfo, source, 'c', 1, &n);
  shape::fillContiguous(zInfo, target, 'c', 1, &n);
  assign(In{x, xInfo}, Out{z, zInfo});
}

LongType estimateThreshold(const void* x, DataType type, LongType n, float threshold) {
  const char* op = "estimateThreshold";
  if (n < 0) fail("[{}] the number of elements is {}: it must not be negative", op, n);
  if (n > 0 && x == nullptr) fail("[{}] x is null", op);
  return withFloatType(op, type, [&]<typename T>() {
    const T* values = static_cast<const T*>(x);
    LongType count = 0;
    for (LongType i = 0; i < n; i++) count += std::fabs(static_cast<double>(values[i])) >= threshold;
    return count;
  });
}

}  // namespace sd::loops
