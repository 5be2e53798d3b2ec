// What sd::tensor requires of an operator, and the type in which an operator computes.
//
// An operator is a class template with static members, like the functors of ops/ops.h, which are operators. It is
// passed as a template: apply<simdOps::Multiply>(x, y, z).
//
//  - `op(x)`, `op(x, y)`, `op(x, y, z)`: one, two or three operands. An operator with parameters takes a
//    pointer to them as its last argument.
//  - A predicate is an operator whose `op` returns a truth value (math::Mask<T> when it is vectorizable).
//  - An aggregation has `startingValue()` and `update(accumulated, value)`. It may have `op(x)`, the contribution of an
//    element, and `postProcess(accumulated, n, parameters)`.
//  - `isVectorizable`: T may be a batch (simd::Lanes<T>) as well as a scalar. An operator without this member runs on
//    scalars.
//  - `propagatesNaN`, `selects` of aggregations, `computesInFloat`: see ops/functors/base.h. All are optional.
//
// A template over one type runs in the common type of sources and result (see ComputeType). A template over several
// types receives the types of the sources and of the result, and runs on scalars.
#ifndef NDFORGE_TENSOR_OPERATOR_H
#define NDFORGE_TENSOR_OPERATOR_H

#if __cplusplus < 202002L
#error "tensor/Tensor.h needs C++20"
#endif

#include <loops/CommonType.h>
#include <ops/functors/base.h>
#include <simd/LaneFunctions.h>

#include <array>
#include <stdexcept>
#include <string>
#include <tuple>
#include <type_traits>

// Different namespaces, so that units compiled for different instruction sets can be linked into one program.
#define SD_TENSOR_BEGIN  \
  namespace sd::tensor { \
  inline namespace SD_LANES_NAMESPACE {
#define SD_TENSOR_END \
  }                   \
  }

SD_TENSOR_BEGIN

using simd::Lanes;

/// A type of single elements.
template <typename T>
concept Element = std::is_arithmetic_v<T> || types::isHalf<T>;

/// `F::op` can be called with operands of these types, where F is the operator for one type.
template <typename F, typename... A>
concept HasOp = requires(A... a) {
  F::op(a...);
};

/// As HasOp, with a pointer to parameters of type P after the operands.
template <typename F, typename P, typename... A>
concept HasOpWithParameters = requires(const P* parameters, A... a) {
  F::op(a..., parameters);
};

template <typename F>
concept HasStartingValue = requires {
  F::startingValue();
};

template <typename F, typename A>
concept HasUpdate = requires(A a) {
  F::update(a, a);
};

template <typename F>
concept StatesVectorizable = requires {
  { F::isVectorizable } -> std::convertible_to<bool>;
};

/// The parameters of operators that take any: `apply<simdOps::ClipByValue>(x, z, Parameters{0, 1})`. An operator has at
/// most four; missing ones have the operator's default value.
struct Parameters {
  double values[4] = {};
  int count = 0;

  Parameters() = default;
  template <Element... V>
  explicit(false) Parameters(V... v) : values{static_cast<double>(v)...}, count(sizeof...(V)) {
    static_assert(sizeof...(V) <= 4, "sd::tensor: an operator has at most four parameters");
  }
};

namespace detail {

template <typename F>
constexpr int requiredParameters() {
  if constexpr (requires { F::requiredParams; })
    return F::requiredParams;
  else
    return 0;
}

/// Parameters in the type in which an operator computes.
template <typename F, typename C>
struct ParameterValues {
  C values[4];

  explicit ParameterValues(const Parameters& p) {
    if (p.count < requiredParameters<F>())
      throw std::invalid_argument("[tensor] " + std::to_string(p.count) +
                                  " parameters are given, but the operator needs " +
                                  std::to_string(requiredParameters<F>()));
    double missing = 0;
    if constexpr (requires { F::defaultParam; }) missing = F::defaultParam;
    for (int i = 0; i < 4; i++) values[i] = static_cast<C>(i < p.count ? p.values[i] : missing);
    if constexpr (requires { F::modeParam; })
      if constexpr (F::modeParam >= 0)
        if (!(p.values[F::modeParam] >= 0 && p.values[F::modeParam] < math::CONDITION_COUNT))
          throw std::invalid_argument("[tensor] the condition number " + std::to_string(p.values[F::modeParam]) +
                                      " is outside 0..15");
  }
};

template <typename F>
constexpr bool takesParameters() {
  if constexpr (requires { F::maxParams; })
    return F::maxParams > 0;
  else
    return false;
}

/// What is passed to operators without parameters.
template <typename C>
struct NoParameterValues {
  static constexpr const C* values = nullptr;
};

/// The parameters for F, which takes operands of types A. Operators without parameters incur no cost.
template <typename F, typename C, typename... A>
SD_LANES_INLINE auto parameterValues([[maybe_unused]] const Parameters& given) {
  if constexpr (takesParameters<F>() || HasOpWithParameters<F, C, A...>)
    return ParameterValues<F, C>(given);
  else
    return NoParameterValues<C>();
}

template <typename F, typename P, typename... A>
SD_LANES_INLINE auto call([[maybe_unused]] const P* parameters, A... a) {
  if constexpr (HasOpWithParameters<F, P, A...>)
    return F::op(a..., parameters);
  else
    return F::op(a...);
}

template <typename F, typename P, typename... A>
inline constexpr bool isCallable = HasOp<F, A...> || HasOpWithParameters<F, P, A...>;

template <typename F, typename P, typename... A>
using ResultOf = std::remove_cvref_t<decltype(call<F>(static_cast<const P*>(nullptr), std::declval<A>()...))>;

// ------------------------------------------------------------------------------------------------- types of results

template <typename T>
inline constexpr std::size_t tupleSize = 0;
template <typename... T>
inline constexpr std::size_t tupleSize<std::tuple<T...>> = sizeof...(T);
template <typename A, typename B>
inline constexpr std::size_t tupleSize<std::pair<A, B>> = 2;
template <typename T, std::size_t N>
inline constexpr std::size_t tupleSize<std::array<T, N>> = N;

// ---------------------------------------------------------------------------------------------------- compute types

template <typename T>
using Arithmetic = loops::ArithmeticType<T>;
template <typename... T>
using Common = loops::CommonType<T...>;

template <typename F>
constexpr bool computesInFloat() {
  if constexpr (requires { F::computesInFloat; })
    return F::computesInFloat;
  else
    return false;
}

/// Functions without an integer form are computed in float for 8- and 16-bit integers, in double for wider ones.
template <template <typename...> class Op, typename T>
using FloatFor = std::conditional_t<computesInFloat<Op<T>>() && std::is_integral_v<T>,
                                    std::conditional_t<sizeof(T) <= 2, float, double>, T>;

/// Whether an operator is a template over one type.
template <template <typename...> class Op>
inline constexpr bool overOneType = requires {
  typename Op<float>;
};

}  // namespace detail

/// The type in which an operator computes: the common type of its operands (and of the result, unless it is a truth
/// value or a tuple); float or double when the operator has no integer form.
template <template <typename...> class Op, typename... T>
using ComputeType = detail::FloatFor<Op, detail::Common<T...>>;

namespace detail {

/// Whether an operator that computes in C runs on batches.
template <typename F, typename C>
constexpr bool hasVectorForm() {
  if constexpr (simd::hasLanes<C> && StatesVectorizable<F>)
    return F::isVectorizable;
  else
    return false;
}

}  // namespace detail

/// Whether an operator runs on batches when it computes in C.
template <template <typename...> class Op, typename C>
inline constexpr bool isVectorizable = detail::hasVectorForm<Op<C>, C>();

/// Number of elements of a batch in this program, which is compiled for one instruction set.
template <typename C>
inline constexpr int vectorLanes = Lanes<C>::size;

SD_TENSOR_END

#endif
