// Operators composed of operators at compile time. Each is a type with a member template `Operator`, which is an
// operator. apply, aggregate, indexOfAggregate, indexOfFirst and first also accept the type itself:
//
//   apply<compose<simdOps::Square, simdOps::Neg>>(x, z);                          // -(x^2): from left to right
//   aggregate<compose<bind<simdOps::Add, simdOps::Abs, simdOps::Abs>::Operator, simdOps::Sqrt>, simdOps::Sum>(x, y);
#ifndef NDFORGE_TENSOR_COMPOSE_H
#define NDFORGE_TENSOR_COMPOSE_H

#include <tensor/Array.h>
#include <tensor/Search.h>

SD_TENSOR_BEGIN

namespace detail {

/// An operator inside another one: throws instead of dividing integers by 0.
template <typename F, typename... A>
SD_LANES_INLINE auto step(A... a) {
  if constexpr (requires { F::divisor; }) {
    constexpr auto which = F::divisor;
    constexpr std::size_t k = which == simdOps::Divisor::X ? 0 : 1;
    if constexpr (which != simdOps::Divisor::None && k < sizeof...(A)) {
      if constexpr (std::is_integral_v<std::tuple_element_t<k, std::tuple<A...>>>)
        if (std::get<k>(std::tie(a...)) == 0) throw std::invalid_argument("[tensor] division of integers by 0");
    }
  }
  return F::op(a...);
}

template <typename F>
constexpr bool statedVectorizable() {
  if constexpr (StatesVectorizable<F>)
    return F::isVectorizable;
  else
    return false;
}

template <typename F>
constexpr bool divides() {
  if constexpr (requires { F::divisor; })
    return F::divisor != simdOps::Divisor::None;
  else
    return dividesInside<F>();
}

/// The properties of composed operators.
template <typename... F>
struct Composed {
  static constexpr bool isVectorizable = (statedVectorizable<F>() && ...);
  static constexpr bool computesInFloat = (detail::computesInFloat<F>() || ...);
  static constexpr bool dividesInside = (detail::divides<F>() || ...);
};

}  // namespace detail

/// A type with a member template that is an operator (`Operator`).
template <typename T>
concept Composition = requires {
  typename T::template Operator<float>;
};

/// Applies F to the operands, the next operator to its result, and so on from left to right.
template <template <typename...> class F, template <typename...> class... G>
struct compose {
  template <typename T>
  struct Operator : detail::Composed<F<T>, G<T>...> {
    template <typename... A>
    requires HasOp<F<T>, A...>
    static SD_LANES_INLINE auto op(A... a) {
      if constexpr (sizeof...(G) == 0)
        return detail::step<F<T>>(a...);
      else
        return compose<G...>::template Operator<T>::op(detail::step<F<T>>(a...));
    }
  };
};

/// Op(F(x), G(y), …): one operator for each operand.
template <template <typename...> class Op, template <typename...> class... F>
struct bind {
  template <typename T>
  struct Operator : detail::Composed<Op<T>, F<T>...> {
    template <typename... A>
    requires(sizeof...(A) == sizeof...(F)) static SD_LANES_INLINE auto op(A... a) {
      return detail::step<Op<T>>(detail::step<F<T>>(a)...);
    }
  };
};

/// Op(F(x), G(x), …): several operators of the same operands.
template <template <typename...> class Op, template <typename...> class... F>
struct branch {
  template <typename T>
  struct Operator : detail::Composed<Op<T>, F<T>...> {
    template <typename... A>
    requires(HasOp<F<T>, A...>&&...) static SD_LANES_INLINE auto op(A... a) {
      return detail::step<Op<T>>(detail::step<F<T>>(a...)...);
    }
  };
};

/// Op(Value, x). Value is a template argument: an integer, with GCC also a floating-point number.
template <template <typename...> class Op, auto Value>
struct bindFirst {
  template <typename T>
  struct Operator : detail::Composed<Op<T>> {
    static SD_LANES_INLINE auto op(T x) { return detail::step<Op<T>>(T(static_cast<math::Scalar<T>>(Value)), x); }
  };
};

/// Op(x, Value).
template <template <typename...> class Op, auto Value>
struct bindSecond {
  template <typename T>
  struct Operator : detail::Composed<Op<T>> {
    static SD_LANES_INLINE auto op(T x) { return detail::step<Op<T>>(x, T(static_cast<math::Scalar<T>>(Value))); }
  };
};

/// An operator without its vector form, to compare the two.
template <template <typename...> class Op>
struct scalarOnly {
  template <typename T>
  struct Operator : Op<T> {
    static constexpr bool isVectorizable = false;
  };
};

template <Composition F, typename... A>
auto apply(A&&... a) {
  return apply<F::template Operator>(std::forward<A>(a)...);
}
template <Composition F, template <typename...> class G, typename... A>
auto aggregate(A&&... a) {
  return aggregate<F::template Operator, G>(std::forward<A>(a)...);
}
template <Composition F, template <typename...> class G, typename... A>
auto aggregateNumber(A&&... a) {
  return aggregateNumber<F::template Operator, G>(std::forward<A>(a)...);
}
template <Composition F, template <typename...> class G, typename... A>
auto indexOfAggregate(A&&... a) {
  return indexOfAggregate<F::template Operator, G>(std::forward<A>(a)...);
}
template <Composition F, typename... A>
auto indexOfFirst(A&&... a) {
  return indexOfFirst<F::template Operator>(std::forward<A>(a)...);
}
template <Composition F, typename... A>
auto first(A&&... a) {
  return first<F::template Operator>(std::forward<A>(a)...);
}

SD_TENSOR_END

#endif
