// Operators between arrays, and between arrays and numbers.
//
// Two arrays: NumPy's broadcasting, or element by element when lengths and ranks are equal. Types: promotedType; += and
// the others keep the type and refuse promoted types of a higher kind (array/TypePromotion.h). An array and a number:
// the number is converted to the array's type; the result has that type, or the number's when only this is real.
#ifndef NDFORGE_ARRAY_NDARRAYOPERATORS_H
#define NDFORGE_ARRAY_NDARRAYOPERATORS_H

#include <array/NDArray.h>

namespace sd {

namespace detail {

template <typename T>
inline constexpr bool isArray = std::is_base_of_v<NDArray, std::decay_t<T>>;

template <typename A, typename B>
using IfArrays = std::enable_if_t<isArray<A> && isArray<B>, int>;

template <typename A, typename T>
using IfArrayAndNumber = std::enable_if_t<isArray<A> && scalarTypesForNDarray<T>::value, int>;

// Whether an operand is a temporary, whose buffer the result may take over.
template <typename A>
inline constexpr bool isTemporary = !std::is_reference_v<A> && !std::is_const_v<A>;

}  // namespace detail

#define SD_ARRAY_OPERATOR(SIGN, NAME, REVERSE)                                                                   \
  template <typename A, typename B, detail::IfArrays<A, B> = 0>                                                  \
  NDArray operator SIGN(A&& a, B&& b) {                                                                          \
    return NDArray::arithmetic(BroadcastOpsTuple::NAME(), a, b, detail::isTemporary<A>, detail::isTemporary<B>); \
  }                                                                                                              \
  template <typename A, typename T, detail::IfArrayAndNumber<A, T> = 0>                                          \
  NDArray operator SIGN(A&& a, const T& number) {                                                                \
    return NDArray::arithmetic(scalar::NAME, a, &number, DataTypeUtils::fromT<T>(), detail::isTemporary<A>);     \
  }                                                                                                              \
  template <typename A, typename T, detail::IfArrayAndNumber<A, T> = 0>                                          \
  NDArray operator SIGN(const T& number, A&& a) {                                                                \
    return NDArray::arithmetic(scalar::REVERSE, a, &number, DataTypeUtils::fromT<T>(), detail::isTemporary<A>);  \
  }

SD_ARRAY_OPERATOR(+, Add, Add)
SD_ARRAY_OPERATOR(-, Subtract, ReverseSubtract)
SD_ARRAY_OPERATOR(*, Multiply, Multiply)
SD_ARRAY_OPERATOR(/, Divide, ReverseDivide)

#undef SD_ARRAY_OPERATOR

}  // namespace sd

#endif
