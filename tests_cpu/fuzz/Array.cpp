#include "Array.h"

#include <array/ArrayOptions.h>
#include <array/DataTypeUtils.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

namespace fuzz {

Array Array::of(DataType type, const Dims& dims) {
  Array array;
  array.type = type;
  array.dims = dims;
  array.makeContiguous();
  return array;
}

bool Array::isEmpty() const { return std::find(dims.begin(), dims.end(), 0) != dims.end(); }

LongType Array::length() const {
  if (isEmpty()) return 0;
  LongType n = 1;
  for (LongType d : dims)
    if (d < 0 || __builtin_mul_overflow(n, d, &n) || n > LongType{1} << 62) return -1;
  return n;
}

LongType Array::unit() const {
  if (isString()) return 1;
  // Flags may name another type than that of the values.
  DataType named = type;
  for (const Lie& lie : lies)
    if (lie.slot == Lie::Flags && sd::ArrayOptions::isOneDataType(lie.value))
      named = sd::ArrayOptions::dataTypeOfFlags(lie.value);
  return static_cast<LongType>(std::max(sd::DataTypeUtils::sizeOf(type), sd::DataTypeUtils::sizeOf(named)));
}

void Array::makeContiguous(char newOrder) {
  order = newOrder;
  strides.assign(dims.size(), 0);
  LongType step = 1;
  for (size_t k = 0; k < dims.size(); k++) {
    const size_t d = order == 'c' ? dims.size() - 1 - k : k;
    strides[d] = isEmpty() ? 0 : step;
    if (__builtin_mul_overflow(step, dims[d], &step)) step = 0;
  }
}

/// Whether a stride is that of the dimension outside of `inner`, a size and its stride.
static bool follows(LongType stride, const std::pair<LongType, LongType>& inner) {
  LongType product;
  return !__builtin_mul_overflow(inner.first, inner.second, &product) && stride == product;
}

std::vector<LongType> Array::info() const {
  std::vector<LongType> info{static_cast<LongType>(dims.size())};
  info.insert(info.end(), dims.begin(), dims.end());
  info.insert(info.end(), strides.begin(), strides.end());
  std::vector<std::pair<LongType, LongType>> real;  // dimensions other than 1, with their strides
  for (size_t d = 0; d < dims.size(); d++)
    if (dims[d] != 1) real.emplace_back(dims[d], strides[d]);
  LongType ews = 1;
  if (!isEmpty() && !real.empty()) {
    bool c = true, f = true;
    for (size_t d = 0; d + 1 < real.size(); d++) {
      c = c && follows(real[d].second, real[d + 1]);
      f = f && follows(real[d + 1].second, real[d]);
    }
    ews = c ? real.back().second : f ? real.front().second : 0;
    if (ews < 0) ews = 0;
  }
  const LongType flags = sd::ArrayOptions::flagsOfDataType(type) | (isEmpty() ? ARRAY_EMPTY : 0);
  info.insert(info.end(), {flags, ews, order});
  const size_t rank = dims.size();
  for (const Lie& lie : lies) {
    const auto at = static_cast<size_t>(lie.index);
    if (lie.slot == Lie::Rank) info[0] = lie.value;
    if (lie.slot == Lie::Dim && at < rank) info[1 + at] = lie.value;
    if (lie.slot == Lie::Stride && at < rank) info[1 + rank + at] = lie.value;
    if (lie.slot == Lie::Flags) info[2 * rank + 1] = lie.value;
    if (lie.slot == Lie::Ews) info[2 * rank + 2] = lie.value;
    if (lie.slot == Lie::Order) info[2 * rank + 3] = lie.value;
  }
  return info;
}

bool extentOf(const Array& array, Extent& extent) {
  extent = {0, 0};
  if (array.isString()) {
    extent.high = static_cast<LongType>(array.values.size()) - 1;
    // The buffer begins with the offsets of all strings and of the end.
    const LongType offsets = static_cast<LongType>(array.values.size() / sizeof(LongType));
    return array.length() == 0 || (array.length() > 0 && array.length() < offsets);
  }
  if (array.isEmpty()) {
    extent.high = -1;
    return true;
  }
  for (size_t d = 0; d < array.dims.size(); d++) {
    LongType reach = 0;
    if (array.dims[d] < 0 || __builtin_mul_overflow(array.dims[d] - 1, array.strides[d], &reach)) return false;
    if (reach > LongType{1} << 40 || reach < -(LongType{1} << 40)) return false;
    (reach < 0 ? extent.low : extent.high) += reach;
  }
  return true;
}

const std::vector<DataType>& numericTypes() {
  static const std::vector<DataType> types{sd::FLOAT32, sd::DOUBLE, sd::INT32, sd::INT64,    sd::HALF,
                                           sd::INT8,    sd::UINT8,  sd::BOOL,  sd::BFLOAT16, sd::INT16,
                                           sd::UINT16,  sd::UINT32, sd::UINT64};
  return types;
}

bool isFloat(DataType type) { return sd::DataTypeUtils::isR(type); }

std::string typeName(DataType type) { return sd::DataTypeUtils::asString(type); }

namespace {

template <typename T>
void put(uint8_t* at, T value) {
  std::memcpy(at, &value, sizeof(T));
}

template <typename T>
T get(const uint8_t* at) {
  T value;
  std::memcpy(&value, at, sizeof(T));
  return value;
}

uint16_t upperHalf(float value) { return static_cast<uint16_t>(std::bit_cast<uint32_t>(value) >> 16); }

/// Truncates, which is exact enough for inputs.
uint16_t halfOf(float value) {
  const auto bits = std::bit_cast<uint32_t>(value);
  const auto sign = static_cast<uint16_t>(bits >> 16 & 0x8000);
  const int exponent = static_cast<int>(bits >> 23 & 255) - 127;
  if (exponent == 128) return static_cast<uint16_t>(sign | 0x7C00 | ((bits & 0x7FFFFF) != 0 ? 1 : 0));
  if (exponent > 15) return static_cast<uint16_t>(sign | 0x7C00);
  if (exponent < -14) return sign;
  return static_cast<uint16_t>(sign | (exponent + 15) << 10 | (bits >> 13 & 1023));
}

double fromHalf(uint16_t bits) {
  const int exponent = bits >> 10 & 31, fraction = bits & 1023;
  if (exponent == 31) return fraction != 0 ? NAN : bits >> 15 != 0 ? -INFINITY : INFINITY;
  const double value = exponent == 0 ? std::ldexp(fraction, -24) : std::ldexp(fraction + 1024, exponent - 25);
  return bits >> 15 != 0 ? -value : value;
}

double numberAt(DataType type, const uint8_t* at) {
  switch (type) {
    case sd::BOOL:
    case sd::UINT8:
      return *at;
    case sd::HALF:
      return fromHalf(get<uint16_t>(at));
    case sd::BFLOAT16:
      return std::bit_cast<float>(static_cast<uint32_t>(get<uint16_t>(at)) << 16);
    case sd::FLOAT32:
      return get<float>(at);
    case sd::DOUBLE:
      return get<double>(at);
    case sd::INT8:
      return get<int8_t>(at);
    case sd::INT16:
      return get<int16_t>(at);
    case sd::INT32:
      return get<int32_t>(at);
    case sd::INT64:
      return static_cast<double>(get<int64_t>(at));
    case sd::UINT16:
      return get<uint16_t>(at);
    case sd::UINT32:
      return get<uint32_t>(at);
    default:
      return static_cast<double>(get<uint64_t>(at));
  }
}

LongType sizeOf(DataType type) { return static_cast<LongType>(sd::DataTypeUtils::sizeOf(type)); }

}  // namespace

void writeNumber(DataType type, double value, uint8_t* at) {
  switch (type) {
    case sd::BOOL:
      return put<uint8_t>(at, value != 0);
    case sd::HALF:
      return put(at, halfOf(static_cast<float>(value)));
    case sd::BFLOAT16:
      return put(at, upperHalf(static_cast<float>(value)));
    case sd::FLOAT32:
      return put(at, static_cast<float>(value));
    case sd::DOUBLE:
      return put(at, value);
    default: {
      const auto bits = std::isfinite(value) && std::fabs(value) < 9e18 ? static_cast<int64_t>(value) : 0;
      std::memcpy(at, &bits, static_cast<size_t>(sizeOf(type)));
    }
  }
}

void writeRandom(Random& random, DataType type, uint8_t* at) {
  const uint64_t kind = random.below(16);
  if (kind < 9) return writeNumber(type, static_cast<double>(random.between(kind < 5 ? -3 : 0, 6)), at);
  const auto size = static_cast<size_t>(sizeOf(type));
  if (isFloat(type) && kind < 14) {
    constexpr double inf = std::numeric_limits<double>::infinity();
    static constexpr double VALUES[] = {inf,          -inf,          NAN,   0.5,    -0.0,   1e-42,
                                        -1e-310,      1e300,         -1e4,  3.4e38, -0.3,   1e-7,
                                        2147483648.0, -2147483649.0, 65504, 6e-8,   9.3e18, -9.3e18};
    return writeNumber(type, VALUES[random.below(std::size(VALUES))], at);
  }
  if (kind < 14) {
    const int bits = static_cast<int>(8 * size);
    const uint64_t top = uint64_t{1} << (bits - 1);
    const uint64_t value = random.pick<uint64_t>(
        {top, top - 1, ~uint64_t{0}, top + 1, top - 2, uint64_t{1} << 31, (uint64_t{1} << 31) - 1, uint64_t{1} << 32});
    std::memcpy(at, &value, size);
    return;
  }
  const uint64_t bits = random.next();
  std::memcpy(at, &bits, size);
}

Bytes convertedValues(const Bytes& values, DataType from, DataType to) {
  const LongType a = sizeOf(from), b = sizeOf(to), n = static_cast<LongType>(values.size()) / a;
  Bytes result(static_cast<size_t>(n * b));
  for (LongType i = 0; i < n; i++) writeNumber(to, numberAt(from, values.data() + i * a), result.data() + i * b);
  return result;
}

std::string Array::describe() const {
  if (!given) return "null";
  const auto list = [](const Dims& numbers) {
    std::string text;
    for (LongType v : numbers) text += (text.empty() ? "" : ", ") + std::to_string(v);
    return "[" + text + "]";
  };
  std::string text = typeName(type) + " " + list(dims);
  Array plain = *this;
  plain.makeContiguous(order);
  if (plain.strides != strides) text += " strides " + list(strides);
  if (order != 'c') text += std::string(" order ") + order;
  static constexpr const char* SLOTS[] = {"rank", "dim", "stride", "flags", "ews", "order"};
  for (const Lie& lie : lies) {
    text += std::string(", shapeInfo says ") + SLOTS[lie.slot];
    if (lie.slot == Lie::Dim || lie.slot == Lie::Stride) text += " " + std::to_string(lie.index);
    text += " = " + std::to_string(lie.value);
  }
  if (nullInfo) text += ", shapeInfo null";
  if (nullBuffer) text += ", buffer null";
  if (alias >= 0) text += ", on input " + std::to_string(alias) + " at " + std::to_string(shift);
  if (values.empty() || isString()) return text;
  text += " {";
  const LongType size = sizeOf(type), n = std::min<LongType>(static_cast<LongType>(values.size()) / size, 12);
  for (LongType i = 0; i < n; i++) {
    char number[40];
    std::snprintf(number, sizeof(number), "%s%.9g", i > 0 ? ", " : "", numberAt(type, values.data() + i * size));
    text += number;
  }
  return text + (n * size < static_cast<LongType>(values.size()) ? ", ...}" : "}");
}

}  // namespace fuzz
