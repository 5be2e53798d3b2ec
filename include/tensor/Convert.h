// Conversion of single elements by the rules of docs/semantics.md.
#ifndef NDFORGE_TENSOR_CONVERT_H
#define NDFORGE_TENSOR_CONVERT_H

#include <tensor/Operator.h>

SD_TENSOR_BEGIN

namespace detail {

/// Whether the compiler's vector conversions follow these rules.
template <typename From, typename To>
inline constexpr bool convertsInVectors =
    simd::hasLanes<From>&& simd::hasLanes<To> && !(std::is_floating_point_v<From> && std::is_integral_v<To>);

/// Rounds toward 0; values out of range give the nearest limit, NaN gives 0.
template <typename I, typename F>
SD_LANES_INLINE I saturated(F x) {
  constexpr F end = static_cast<F>(std::numeric_limits<I>::max() / 2 + 1) * 2;  // 2^bits
  if (x != x) return 0;
  if (x >= end) return std::numeric_limits<I>::max();
  if (x < -end) return std::numeric_limits<I>::min();
  return static_cast<I>(x);
}

template <typename To, typename From>
SD_LANES_INLINE To convert(From x) {
  if constexpr (std::is_same_v<To, From>) {
    return x;
  } else if constexpr (types::isHalf<From>) {
    return convert<To>(static_cast<float>(x));
  } else if constexpr (types::isHalf<To>) {
    if constexpr (std::is_same_v<From, double> || (std::is_integral_v<From> && sizeof(From) > 2))
      return To(x);
    else
      return To(static_cast<float>(x));
  } else if constexpr (std::is_same_v<To, bool>) {
    return x != From(0);
  } else if constexpr (std::is_floating_point_v<From> && std::is_integral_v<To>) {
    if constexpr (sizeof(To) == 8 && std::is_unsigned_v<To>)
      return x > From(0) ? saturated<To>(x) : static_cast<To>(saturated<int64_t>(x));
    else if constexpr (sizeof(To) == 8 || (sizeof(To) == 4 && std::is_unsigned_v<To>))
      return static_cast<To>(saturated<int64_t>(x));
    else
      return static_cast<To>(saturated<int32_t>(x));
  } else {
    return static_cast<To>(x);
  }
}

}  // namespace detail

SD_TENSOR_END

#endif
