#include <helpers/shape.h>
#include <loops/Executor.h>
#include <loops/type_conversions.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <vector>

#include "loops/Conversion.h"
#include "system/Error.h"

namespace sd {

namespace {

void checkBlocks(const char* op, const void* dx, LongType n, const void* dz) {
  if (n < 0) fail("[{}] the number of elements is {}: it must not be negative", op, n);
  if (n > 0 && (dx == nullptr || dz == nullptr)) fail("[{}] {} is null", op, dx == nullptr ? "x" : "z");
}

loops::TypeCode codeOf(const char* op, DataType type) {
  switch (type) {
    case HALF:
      return loops::TypeCode::Float16;
    case FLOAT32:
      return loops::TypeCode::Float32;
    case DOUBLE:
      return loops::TypeCode::Double;
    default:
      fail("[{}] threshold codes encode only HALF, FLOAT and DOUBLE, not {}", op, DataTypeUtils::describe(type));
  }
}

struct Range {
  float min, max;
  float magnitude() const { return std::max(std::fabs(min), std::fabs(max)); }
};

}  // namespace

void TypeCast::convert(DataType from, const void* dx, LongType n, DataType to, void* dz) {
  checkBlocks("convertGeneric", dx, n, dz);
  if (n == 0) return;
  LongType xInfo[6], zInfo[6];
  shape::fillContiguous(xInfo, from, 'c', 1, &n);
  shape::fillContiguous(zInfo, to, 'c', 1, &n);
  loops::assign({dx, xInfo}, {dz, zInfo});
}

LongType TypeCast::estimateQuantizedSize(LongType n) {
  if (n <= 0) fail<std::runtime_error>("[estimateQuantizedSize] the number of elements is {}: it must be positive", n);
  return n + static_cast<LongType>(sizeof(Range));
}

void TypeCast::toQuantized(DataType type, const void* dx, LongType n, void* dz) {
  checkBlocks("convertToQuantized", dx, n, dz);
  if (n == 0) return;
  std::vector<float> values(static_cast<size_t>(n));
  convert(type, dx, n, FLOAT32, values.data());
  Range range{values[0], values[0]};
  for (const float x : values) range = {std::fmin(range.min, x), std::fmax(range.max, x)};
  std::memcpy(dz, &range, sizeof(range));
  auto* codes = static_cast<int8_t*>(dz) + sizeof(range);
  const float magnitude = range.magnitude();
  for (size_t i = 0; i < values.size(); i++) {
    const float code = std::round(values[i] / magnitude * 127.f);
    codes[i] = std::isnan(code) ? int8_t{0} : static_cast<int8_t>(std::clamp(code, -127.f, 127.f));
  }
}

void TypeCast::fromQuantized(const void* dx, LongType n, DataType type, void* dz) {
  checkBlocks("convertFromQuantized", dx, n, dz);
  if (n == 0) return;
  Range range;
  std::memcpy(&range, dx, sizeof(range));
  const auto* codes = static_cast<const int8_t*>(dx) + sizeof(range);
  std::vector<float> values;
  for (LongType i = 0; i < n; i++) values.push_back(static_cast<float>(codes[i]) / 127.f * range.magnitude());
  convert(FLOAT32, values.data(), n, type, dz);
}

void TypeCast::toThreshold(DataType type, void* dx, LongType n, void* dz) {
  loops::convertTypes(codeOf("convertToThreshold", type), dx, n, loops::TypeCode::Threshold, dz);
}

void TypeCast::fromThreshold(void* dx, LongType n, DataType type, void* dz) {
  loops::convertTypes(loops::TypeCode::Threshold, dx, n, codeOf("convertFromThreshold", type), dz);
}

}  // namespace sd
