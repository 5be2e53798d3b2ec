// The operands of fused operators: arrays, scalars, and tuples of scalars that repeat.
#ifndef NDFORGE_TENSOR_SOURCE_H
#define NDFORGE_TENSOR_SOURCE_H

#include <tensor/Convert.h>

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>

SD_TENSOR_BEGIN

namespace detail {

template <typename X>
concept HasDataAndSize = requires(const std::remove_reference_t<X>& x) {
  std::data(x);
  std::size(x);
};

template <typename X>
using PointedTo = std::remove_pointer_t<decltype(std::data(std::declval<X&>()))>;

}  // namespace detail

/// An array to read: anything that converts to a std::span of elements.
template <typename X>
concept SpanSource =
    detail::HasDataAndSize<X> && Element<std::remove_cv_t<detail::PointedTo<std::remove_reference_t<X>>>>;

/// An array to write; its elements may be tuples of elements.
template <typename Z>
concept SpanTarget = detail::HasDataAndSize<Z> && !std::is_const_v<detail::PointedTo<std::remove_reference_t<Z>>>;

/// A scalar that is the operand for all elements.
template <typename X>
concept ScalarSource = Element<std::remove_cvref_t<X>>;

/// A tuple (std::tuple, std::pair) of 2 to 4 scalars that repeats over the elements: a point in 2, 3 or 4 dimensions.
template <typename X>
concept TupleSource = !detail::HasDataAndSize<X> && detail::tupleSize<std::remove_cvref_t<X>> >= 2 &&
                      detail::tupleSize<std::remove_cvref_t<X>> <= 4;

template <typename X>
concept Operand = SpanSource<X> || ScalarSource<X> || TupleSource<X>;

/// The element type of an array.
template <typename X>
using ElementOf = std::remove_cv_t<detail::PointedTo<std::remove_reference_t<X>>>;

namespace detail {

/// The element type of an operand; for a tuple the common type.
template <typename X>
struct OperandType {
  using type = X;
};
template <HasDataAndSize X>
struct OperandType<X> {
  using type = ElementOf<const X>;
};
template <typename... T>
struct OperandType<std::tuple<T...>> {
  using type = Common<T...>;
};
template <typename A, typename B>
struct OperandType<std::pair<A, B>> {
  using type = Common<A, B>;
};
template <typename X>
using TypeOf = typename OperandType<std::remove_cvref_t<X>>::type;

// --------------------------------------------------------------------------------------------------------- errors

[[noreturn, gnu::cold, gnu::noinline]] inline void refuseLength(const char* function, const char* argument,
                                                                std::size_t length, const char* relation,
                                                                std::size_t other) {
  throw std::invalid_argument("[" + std::string(function) + "] argument '" + argument + "': length " +
                              std::to_string(length) + relation + std::to_string(other));
}

[[noreturn, gnu::cold, gnu::noinline]] inline void refuseOverlap(const char* function, const char* output,
                                                                 const char* argument) {
  throw std::invalid_argument("[" + std::string(function) + "] argument '" + output + "' overlaps argument '" +
                              argument + "' without being the same array");
}

// -------------------------------------------------------------------------------------------------------- streams

/// Elements of an array, converted to C. `period`: the number of batches after which the values repeat.
template <typename C, typename T>
struct ArrayStream {
  static constexpr int period = 1;
  static constexpr bool inVectors = std::is_same_v<C, T> || convertsInVectors<T, C>;
  const T* data;

  SD_LANES_INLINE C at(std::size_t i) const { return convert<C>(data[i]); }
  template <int>
  SD_LANES_INLINE Lanes<C> lanes(std::size_t i) const {
    return Lanes<C>::load(data + i);
  }
  SD_LANES_INLINE Lanes<C> lanesAt(std::size_t i) const { return Lanes<C>::load(data + i); }
  /// For arrays that are in memory, outside the caches.
  SD_LANES_INLINE Lanes<C> lanesFromMemory(std::size_t i) const {
    if constexpr (std::is_same_v<C, T>)
      return Lanes<C>::loadHalves(data + i);
    else
      return lanesAt(i);
  }
  /// Whether the elements start at z.
  SD_LANES_INLINE bool isIn(const void* z) const { return data == z; }
};

template <typename C>
struct ScalarStream {
  static constexpr int period = 1;
  static constexpr bool inVectors = true;
  C value;

  SD_LANES_INLINE C at(std::size_t) const { return value; }
  template <int>
  SD_LANES_INLINE auto lanes(std::size_t) const {
    return Lanes<C>(value);
  }
  SD_LANES_INLINE auto lanesAt(std::size_t) const { return Lanes<C>(value); }
  SD_LANES_INLINE auto lanesFromMemory(std::size_t) const { return Lanes<C>(value); }
  SD_LANES_INLINE bool isIn(const void*) const { return false; }
};

template <typename C>
constexpr int batchLength() {
  if constexpr (simd::hasLanes<C>)
    return Lanes<C>::size;
  else
    return 1;
}

/// N values that repeat. Batch k of a repetition starts at value k * lanes mod N.
template <typename C, std::size_t N>
struct TupleStream {
  static constexpr int width = batchLength<C>();
  static constexpr int period = static_cast<int>(N) / std::gcd(static_cast<int>(N), width);
  static constexpr bool inVectors = true;
  C values[width + N];

  template <typename Tuple>
  explicit TupleStream(const Tuple& t) {
    std::apply(
        [this](auto... v) {
          std::size_t i = 0;
          ((values[i++] = convert<C>(v)), ...);
        },
        t);
    for (std::size_t i = N; i < width + N; i++) values[i] = values[i - N];
  }

  SD_LANES_INLINE C at(std::size_t i) const { return values[i % N]; }
  template <int K>
  SD_LANES_INLINE auto lanes(std::size_t) const {
    return Lanes<C>::load(values + K * width % N);
  }
  SD_LANES_INLINE auto lanesAt(std::size_t i) const { return Lanes<C>::load(values + i % N); }
  SD_LANES_INLINE auto lanesFromMemory(std::size_t i) const { return lanesAt(i); }
  SD_LANES_INLINE bool isIn(const void*) const { return false; }
};

template <typename C, typename X>
SD_LANES_INLINE auto stream(const X& x) {
  if constexpr (SpanSource<const X>)
    return ArrayStream<C, ElementOf<const X>>{std::data(x)};
  else if constexpr (ScalarSource<X>)
    return ScalarStream<C>{convert<C>(x)};
  else
    return TupleStream<C, tupleSize<X>>(x);
}

/// Arrays must be as long as x; the size of a tuple must divide its length.
template <typename X>
SD_LANES_INLINE void checkLength(const char* function, const char* argument, std::size_t n, const X& x) {
  if constexpr (SpanSource<const X>) {
    if (std::size(x) != n) [[unlikely]]
      refuseLength(function, argument, std::size(x), " differs from the length of 'x', ", n);
  } else if constexpr (TupleSource<X>) {
    if (n % tupleSize<X> != 0) [[unlikely]]
      refuseLength(function, argument, tupleSize<X>, " of the tuple does not divide the length of 'x', ", n);
  }
}

/// The output, `zBytes` from z on, must be x itself (with elements of the same size) or share no memory with it.
template <typename Z, typename X>
SD_LANES_INLINE void checkOverlap(const char* function, const char* output, const Z* z, std::size_t zBytes,
                                  const char* argument, const X& x) {
  if constexpr (SpanSource<const X>) {
    using T = ElementOf<const X>;
    const auto from = reinterpret_cast<std::uintptr_t>(std::data(x)), to = reinterpret_cast<std::uintptr_t>(z);
    const bool same = from == to && sizeof(T) == sizeof(Z);
    if (!same && from < to + zBytes && to < from + std::size(x) * sizeof(T)) [[unlikely]]
      refuseOverlap(function, output, argument);
  }
}

/// Calls f with std::integral_constant<int, 0> … <int, N - 1>.
template <int N, typename F>
SD_LANES_INLINE void unrolled(F&& f) {
  [&]<int... I>(std::integer_sequence<int, I...>) __attribute__((always_inline)) {
    (f(std::integral_constant<int, I>()), ...);
  }
  (std::make_integer_sequence<int, N>());
}

}  // namespace detail

SD_TENSOR_END

#endif
