#include "array/ElementConvert.h"

#include <array/DataTypeUtils.h>
#include <exceptions/datatype_exception.h>

#include <cstring>

#include "system/Error.h"
#include "types/StoredBool.h"

namespace sd::elements {

void notANumber(const char* op, DataType type) {
  if (DataTypeUtils::isC(type))
    fail<datatype_exception>("[{}] complex numbers are not possible (type {})", op, DataTypeUtils::describe(type));
  fail<datatype_exception>("[{}] type {} is not a number", op, DataTypeUtils::isS(type) ? "string" : "unknown");
}

size_t sizeOfNumber(const char* op, DataType type) {
  return withType(op, type, [](auto value) { return sizeof(value); });
}

namespace {

template <typename T>
constexpr bool isReal = std::is_floating_point_v<T> || types::isHalf<T>;

// Values are converted through the widest type of their kind, so that 13 types need 39 conversions instead of 169.
template <typename Wide>
void store(Wide value, void* target, DataType type) {
  withType("convert", type, [&](auto example) {
    using To = decltype(example);
    To* out = static_cast<To*>(target);
    if constexpr (std::is_same_v<To, bool>)
      *out = value != Wide{0};
    else if constexpr (std::is_same_v<Wide, double>)
      *out = fromReal<To>(value);
    else if constexpr (types::isHalf<To>)
      *out = To(static_cast<float>(value));
    else
      *out = static_cast<To>(value);
  });
}

}  // namespace

// Real numbers are real parts.
static void convertComplex(const void* source, DataType sourceType, void* target, DataType targetType) {
  const DataType part = DataTypeUtils::partType(targetType), sourcePart = DataTypeUtils::partType(sourceType);
  if (!DataTypeUtils::isC(targetType))
    fail<datatype_exception>("[convert] {} cannot become {}: take its real part or its absolute value",
                             DataTypeUtils::describe(sourceType), DataTypeUtils::describe(targetType));
  auto* imaginary = static_cast<char*>(target) + DataTypeUtils::sizeOf(part);
  constexpr double ZERO = 0;
  const bool pairs = DataTypeUtils::isC(sourceType);
  LongType real;
  convert(source, sourcePart, &real, part);
  if (pairs)
    convert(static_cast<const char*>(source) + DataTypeUtils::sizeOf(sourcePart), sourcePart, imaginary, part);
  else
    convert(&ZERO, DOUBLE, imaginary, part);
  std::memcpy(target, &real, DataTypeUtils::sizeOf(part));
}

void convert(const void* source, DataType sourceType, void* target, DataType targetType) {
  if (DataTypeUtils::isC(sourceType) || DataTypeUtils::isC(targetType))
    return convertComplex(source, sourceType, target, targetType);
  withType("convert", sourceType, [&](auto example) {
    using From = decltype(example);
    const From value = *static_cast<const Stored<From>*>(source);
    if constexpr (isReal<From>)
      store<double>(static_cast<double>(static_cast<std::conditional_t<sizeof(From) == 2, float, From>>(value)), target,
                    targetType);
    else if constexpr (std::is_unsigned_v<From>)
      store<uint64_t>(static_cast<uint64_t>(value), target, targetType);
    else
      store<LongType>(static_cast<LongType>(value), target, targetType);
  });
}

}  // namespace sd::elements
