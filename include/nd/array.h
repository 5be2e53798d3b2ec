// Arrays that read like NumPy's: indices, masks, comparisons, loops and printing.
//
//   NDArray x({2, 3}, FLOAT32);
//   x(all, 0) = 1;
//   x[x < 1] = 5;
//   for (auto row : x) std::cout << row << '\n';
//
// == and != between two arrays compare them as a whole, as programs for libnd4j expect; nd::equals and nd::not_equals
// compare elements, and so do == and != with a number.
#ifndef NDFORGE_ND_ARRAY_H
#define NDFORGE_ND_ARRAY_H

#include <array/Indexing.h>
#include <array/NDArray.h>
#include <array/NDArrayText.h>

#include <utility>

namespace sd {

namespace detail {

template <typename T>
using IfNumber = std::enable_if_t<scalarTypesForNDarray<T>::value, int>;

}  // namespace detail

namespace indexing {

using sd::operator<<;  // for std::cout << x[mask]

/// Elements or parts of an array that a mask or an array of positions selects. Reading copies them; assignments change
/// the array, which must outlive the selection.
class SD_LIB_EXPORT Selection {
 public:
  /// `which`: BOOL, with the leading sizes of the array; or integers, positions in the first dimension, of which
  /// negative ones count from the end. @throws std::invalid_argument for other types and shapes
  Selection(const NDArray& array, const NDArray& which);

  /// [n, rest...] for a mask with n true elements, [positions..., rest...] for positions.
  NDArray values() const;
  operator NDArray() const { return values(); }

  /// The values broadcast to the shape of values(); of several for one place the last one counts.
  Selection& operator=(const NDArray& values);
  Selection& operator=(const Selection& other) { return *this = other.values(); }
  template <typename T, detail::IfNumber<T> = 0>
  Selection& operator=(const T& value) {
    NDArray scalar(DataTypeUtils::fromT<T>());
    scalar.assign(value);
    return *this = scalar;
  }

 private:
  NDArray _array;    ///< a view
  NDArray _indices;  ///< INT64 [places..., k]: coordinates in the first k dimensions
};

}  // namespace indexing

template <typename A, std::enable_if_t<std::is_base_of_v<NDArray, A>, int>>
indexing::Selection NDArray::operator[](const A& which) const {
  return indexing::Selection(*this, which);
}

namespace detail {

/// The element-wise comparison of this name, of arrays in the type in which they meet.
SD_LIB_EXPORT NDArray compared(const char* operation, const NDArray& x, const NDArray& y);

template <typename T>
NDArray scalarBeside(const NDArray& x, const T& value) {
  // A number takes the type of the array, unless only the number is real.
  const bool widens = std::is_floating_point_v<T> && !x.isR();
  NDArray scalar(widens ? DataTypeUtils::fromT<T>() : x.isB() ? DataTypeUtils::fromT<T>() : x.dataType());
  scalar.assign(value);
  return scalar;
}

}  // namespace detail

#define SD_ARRAY_COMPARISON(SIGN, OPERATION, REVERSE)                      \
  template <typename T, detail::IfNumber<T> = 0>                           \
  NDArray operator SIGN(const NDArray& x, const T& value) {                \
    return detail::compared(OPERATION, x, detail::scalarBeside(x, value)); \
  }                                                                        \
  template <typename T, detail::IfNumber<T> = 0>                           \
  NDArray operator SIGN(const T& value, const NDArray& x) {                \
    return detail::compared(REVERSE, x, detail::scalarBeside(x, value));   \
  }
#define SD_ARRAY_ORDER(SIGN, OPERATION, REVERSE)                                                                 \
  inline NDArray operator SIGN(const NDArray& x, const NDArray& y) { return detail::compared(OPERATION, x, y); } \
  SD_ARRAY_COMPARISON(SIGN, OPERATION, REVERSE)

SD_ARRAY_ORDER(<, "less", "greater")
SD_ARRAY_ORDER(<=, "less_equal", "greater_equal")
SD_ARRAY_ORDER(>, "greater", "less")
SD_ARRAY_ORDER(>=, "greater_equal", "less_equal")
SD_ARRAY_COMPARISON(==, "equals", "equals")
SD_ARRAY_COMPARISON(!=, "not_equals", "not_equals")

#undef SD_ARRAY_ORDER
#undef SD_ARRAY_COMPARISON

/// True where the element is 0 or false.
inline NDArray operator!(const NDArray& x) { return x == 0; }

}  // namespace sd

#endif
