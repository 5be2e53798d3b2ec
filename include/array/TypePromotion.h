// The type in which arrays of different types meet. docs/semantics.md shows the table.
#ifndef NDFORGE_ARRAY_TYPEPROMOTION_H
#define NDFORGE_ARRAY_TYPEPROMOTION_H

#include <array/DataTypeUtils.h>

namespace sd {

namespace detail {

constexpr int bytesOf(DataType type) {
  switch (type) {
#define SD_BYTES(TYPE, NAME, CXX, ...) \
  case TYPE:                           \
    return static_cast<int>(sizeof(CXX));
    SD_ELEMENT_TYPES(SD_BYTES)
    SD_COMPLEX_TYPES(SD_BYTES)
#undef SD_BYTES
    default:
      return 0;
  }
}

/// BOOL, integers, real numbers, complex numbers.
constexpr int kindOrder(DataType type) {
  return DataTypeUtils::isB(type) ? 0 : DataTypeUtils::isR(type) ? 2 : DataTypeUtils::isC(type) ? 3 : 1;
}

/// The smallest type that holds the values of both integer types; DOUBLE, which rounds, for UINT64 and a signed one.
constexpr DataType promotedInteger(DataType x, DataType y) {
  const DataType larger = bytesOf(x) >= bytesOf(y) ? x : y, other = larger == x ? y : x;
  if (DataTypeUtils::isU(x) == DataTypeUtils::isU(y)) return larger;
  if (bytesOf(x) != bytesOf(y) && !DataTypeUtils::isU(larger)) return larger;
  switch (bytesOf(DataTypeUtils::isU(larger) ? larger : other)) {
    case 1:
      return INT16;
    case 2:
      return INT32;
    case 4:
      return INT64;
    default:
      return DOUBLE;
  }
}

}  // namespace detail

/// The type of x + y for arrays of numbers. It does not depend on the order: the type itself for two equal ones; the
/// other type for BOOL; the real type for an integer and a real type; the wider of two real types, FLOAT32 for HALF and
/// BFLOAT16; COMPLEX64 for a complex type and another one, COMPLEX128 when one of them is that or DOUBLE; for integers
/// the smallest type that holds the values of both, DOUBLE when there is none. INHERIT when the types differ and one is
/// not a type of numbers.
constexpr DataType promotedType(DataType x, DataType y) {
  if (x == y) return x;
  if (detail::bytesOf(x) == 0 || detail::bytesOf(y) == 0) return INHERIT;
  const int kindX = detail::kindOrder(x), kindY = detail::kindOrder(y);
  if (kindX == 3 || kindY == 3)
    return x == COMPLEX128 || y == COMPLEX128 || x == DOUBLE || y == DOUBLE ? COMPLEX128 : COMPLEX64;
  if (kindX != kindY) return kindX > kindY ? x : y;
  if (kindX == 1) return detail::promotedInteger(x, y);
  if (detail::bytesOf(x) == detail::bytesOf(y)) return FLOAT32;
  return detail::bytesOf(x) > detail::bytesOf(y) ? x : y;
}

/// Whether an array of type `to` takes results of type `from` in place: a BOOL array no numbers, an integer array no
/// real numbers, a real array no complex ones.
constexpr bool storesInPlace(DataType from, DataType to) { return detail::kindOrder(from) <= detail::kindOrder(to); }

}  // namespace sd

#endif
