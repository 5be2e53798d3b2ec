// Definitions of ElementConvert.h's templates.
#ifndef NDFORGE_SRC_ARRAY_ELEMENTCONVERT_HPP
#define NDFORGE_SRC_ARRAY_ELEMENTCONVERT_HPP

#include <cmath>
#include <limits>
#include <type_traits>

#include "types/TypeDispatch.h"

namespace sd::elements {

/// A double as an integer: values beyond the range give the nearest end of it, NaN gives 0.
template <typename T>
T saturated(double value) {
  // 2^63 and 2^64 are exact in double; the largest integers are not.
  constexpr double above = std::numeric_limits<T>::max() / 2 + 1;
  if (std::isnan(value)) return T{0};
  if (value <= static_cast<double>(std::numeric_limits<T>::lowest())) return std::numeric_limits<T>::lowest();
  if (value >= 2 * above) return std::numeric_limits<T>::max();
  return static_cast<T>(value);
}

/// A double as T, by the rules of convert().
template <typename T>
T fromReal(double value) {
  if constexpr (std::is_same_v<T, bool>) {
    return value != 0;
  } else if constexpr (std::is_same_v<T, uint64_t>) {
    return value < 0 ? static_cast<T>(saturated<LongType>(value)) : saturated<T>(value);
  } else if constexpr (std::is_same_v<T, uint32_t>) {
    return static_cast<T>(saturated<LongType>(value));
  } else if constexpr (std::is_integral_v<T> && sizeof(T) < sizeof(int32_t)) {
    return static_cast<T>(saturated<int32_t>(value));
  } else if constexpr (std::is_integral_v<T>) {
    return saturated<T>(value);
  } else if constexpr (sizeof(T) == 2) {
    return T(static_cast<float>(value));
  } else {
    return static_cast<T>(value);
  }
}

[[noreturn]] void notANumber(const char* op, DataType type);

template <typename F>
decltype(auto) withType(const char* op, DataType type, F&& f) {
  return visitNumericType(
      type, [&]<typename T>() -> decltype(auto) { return f(T{}); }, [&] { notANumber(op, type); });
}

}  // namespace sd::elements

#endif
