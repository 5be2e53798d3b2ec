// Treats spans of structures whose members have one type (points, colours, complex numbers) as spans of these members.
#ifndef NDFORGE_TENSOR_POINTS_H
#define NDFORGE_TENSOR_POINTS_H

#include <tensor/Source.h>

SD_TENSOR_BEGIN

/// The members of an array of structures: `components<float>(points)` has x, y, x, y … for points {float x, y;}. With
/// it, aggregate2D returns the aggregates of x and of y, and a tuple operand is a point.
template <Element T, detail::HasDataAndSize P>
auto components(P&& points) {
  using S = detail::PointedTo<std::remove_reference_t<P>>;
  static_assert(std::is_standard_layout_v<S> && std::is_trivially_copyable_v<S> && sizeof(S) % sizeof(T) == 0 &&
                    alignof(S) >= alignof(T),
                "sd::tensor: the structure does not consist of numbers of this type");
  using To = std::conditional_t<std::is_const_v<S>, const T, T>;
  return std::span<To>(reinterpret_cast<To*>(std::data(points)), std::size(points) * (sizeof(S) / sizeof(T)));
}

SD_TENSOR_END

#endif
