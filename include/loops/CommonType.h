// The type in which elements of several types are computed.
#ifndef NDFORGE_LOOPS_COMMONTYPE_H
#define NDFORGE_LOOPS_COMMONTYPE_H

#include <system/common.h>
#include <types/bfloat16.h>
#include <types/float16.h>

#include <type_traits>

namespace sd::loops {

/// The type in which elements of one type are computed: float for half types, int8 for truth values.
template <typename T>
using ArithmeticType = std::conditional_t<std::is_same_v<T, float16> || std::is_same_v<T, bfloat16>, float,
                                          std::conditional_t<std::is_same_v<T, bool>, int8_t, T>>;

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

}  // namespace detail

/// If the types are equal, that type; else the type that the rules of C++ give.
template <typename... T>
using CommonType = typename detail::CommonTypeOf<ArithmeticType<T>...>::type;

}  // namespace sd::loops

#endif
