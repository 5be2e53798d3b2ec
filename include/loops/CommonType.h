// The type in which elements of several types are computed.
#ifndef NDFORGE_LOOPS_COMMONTYPE_H
#define NDFORGE_LOOPS_COMMONTYPE_H

#include <system/common.h>
#include <types/element_types.h>

#include <type_traits>

namespace sd::loops {

namespace detail {

template <typename T>
struct ArithmeticOf {
  using type = T;
};
#define SD_ARITHMETIC(TYPE, NAME, CXX, STORAGE, STORED, ARITHMETIC, ...) \
  template <>                                                            \
  struct ArithmeticOf<CXX> {                                             \
    using type = ARITHMETIC;                                             \
  };
SD_ELEMENT_TYPES(SD_ARITHMETIC)
#undef SD_ARITHMETIC

}  // namespace detail

/// The type in which elements of one type are computed: float for half types, int8 for truth values.
template <typename T>
using ArithmeticType = typename detail::ArithmeticOf<T>::type;

template <typename... T>
struct TypeList {
  static constexpr int size = sizeof...(T);
};

namespace detail {

template <typename A, typename... More>
struct CommonTypeOf {
  using type = A;
};
template <typename A, typename B, typename... More>
struct CommonTypeOf<A, B, More...> {
  using Both = typename std::conditional_t<std::is_same_v<A, B>, std::enable_if<true, A>, std::common_type<A, B>>::type;
  using type = typename CommonTypeOf<Both, More...>::type;
};

/// Those of `T...` whose arithmetic is done in the type itself, after the types of List.
template <typename List, typename... T>
struct ComputeTypesOf {
  using type = List;
};
template <typename... Found, typename T, typename... More>
struct ComputeTypesOf<TypeList<Found...>, T, More...>
    : ComputeTypesOf<
          std::conditional_t<std::is_same_v<ArithmeticType<T>, T>, TypeList<Found..., T>, TypeList<Found...>>,
          More...> {};

}  // namespace detail

/// If the types are equal, that type; else the type that the rules of C++ give.
template <typename... T>
using CommonType = typename detail::CommonTypeOf<ArithmeticType<T>...>::type;

/// The types in which kernels and operators compute: float, double, and the integers, in the order of the table.
#define SD_CXX_TYPE(TYPE, NAME, CXX, ...) , CXX
using ComputeTypes = typename detail::ComputeTypesOf<TypeList<> SD_ELEMENT_TYPES(SD_CXX_TYPE)>::type;
#undef SD_CXX_TYPE

}  // namespace sd::loops

#endif
