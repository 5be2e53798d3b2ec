// apply: runs an operator on every element, in one pass over memory.
#ifndef NDFORGE_TENSOR_APPLY_H
#define NDFORGE_TENSOR_APPLY_H

#include <tensor/Library.h>
#include <tensor/Source.h>

// The output is one of the sources, or shares no memory with them: iterations do not depend on each other.
#if defined(__clang__)
#define SD_TENSOR_INDEPENDENT
#else
#define SD_TENSOR_INDEPENDENT _Pragma("GCC ivdep")
#endif

SD_TENSOR_BEGIN

namespace detail {

/// How an operator is instantiated for its operands: type F, the compute type of operand k, and the type of the result.
template <bool OneType, template <typename...> class Op, typename Z, typename... X>
struct Binding;

template <typename C, typename>
using Same = C;

template <template <typename...> class Op, typename Z, typename... X>
struct Binding<true, Op, Z, X...> {
  using OfSources = ComputeType<Op, X...>;
  template <typename C>
  static constexpr bool givesElements() {
    if constexpr (isCallable<Op<C>, C, Same<C, X>...>) {
      using R = ResultOf<Op<C>, C, Same<C, X>...>;
      return !std::is_same_v<R, bool> && tupleSize<R> == 0;
    } else {
      return false;
    }
  }
  template <typename R>
  using WithResult = ComputeType<Op, X..., std::conditional_t<Element<R>, R, Common<X...>>>;
  using C = std::conditional_t<givesElements<OfSources>(), WithResult<Z>, OfSources>;
  using F = Op<C>;
  template <typename>
  using Argument = C;
};

template <template <typename...> class Op, typename Z, typename... X>
struct Binding<false, Op, Z, X...> {
  using C = Common<X...>;
  using F = Op<X..., Z>;
  template <typename A>
  using Argument = A;
};

template <template <typename...> class Op, typename Z, typename... X>
using BindingOf = Binding<overOneType<Op>, Op, Z, X...>;

/// Whether apply runs on batches.
template <template <typename...> class Op, typename Z, typename... X>
constexpr bool appliesVectors() {
  if constexpr (overOneType<Op> && Element<Z>) {
    using B = BindingOf<Op, Z, X...>;
    using C = typename B::C;
    if constexpr (hasVectorForm<typename B::F, C>() && isCallable<typename B::F, C, Same<C, X>...>)
      return std::is_same_v<ResultOf<typename B::F, C, Same<C, X>...>, C> &&
             (std::is_same_v<C, Z> ||
              convertsInVectors<C, Z>)&&((std::is_same_v<C, X> || convertsInVectors<X, C>)&&...);
  }
  return false;
}

template <typename F, typename... A>
constexpr void requireOperator() {
  constexpr bool callable = isCallable<F, Common<A...>, A...>;
  if constexpr (sizeof...(A) == 1)
    static_assert(callable, "sd::tensor: the operator has no static member 'op(x)' for the type that it computes in");
  else if constexpr (sizeof...(A) == 2)
    static_assert(callable,
                  "sd::tensor: the operator has no static member 'op(x, y)' for the type that it computes in");
  else
    static_assert(callable,
                  "sd::tensor: the operator has no static member 'op(x, y, z)' for the type that it computes in");
}

/// Integers must not be divided by 0: the divisor is checked before anything is written.
template <typename F, std::size_t K, typename... S>
void requireDivisors(const char* function, std::size_t n, const S&... s) {
  if constexpr (requires { F::divisor; }) {
    constexpr auto which = F::divisor;
    constexpr std::size_t k = which == simdOps::Divisor::X ? 0 : 1;
    if constexpr (which != simdOps::Divisor::None && k < K) {
      const auto& divisor = std::get<k>(std::tie(s...));
      if constexpr (std::is_integral_v<decltype(divisor.at(0))>) {
        bool found = false;
        for (std::size_t i = 0; i < n; i++) found |= divisor.at(i) == 0;
        if (found)
          throw std::invalid_argument("[" + std::string(function) + "] argument '" + (k == 0 ? "x" : "y") +
                                      "': division of integers by 0");
      }
    }
  }
}

/// Whether a composed operator divides integers by a value that is known only during the computation.
template <typename F>
constexpr bool dividesInside() {
  if constexpr (requires { F::dividesInside; })
    return F::dividesInside;
  else
    return false;
}

/// For divisions inside a composed operator: computes it once without writing, and throws when a divisor is 0.
template <typename F, typename C, typename... S>
void requireInnerDivisors(std::size_t n, const C* parameters, const S&... s) {
  if constexpr (dividesInside<F>() && (std::is_integral_v<decltype(s.at(0))> || ...))
    for (std::size_t i = 0; i < n; i++) static_cast<void>(call<F>(parameters, s.at(i)...));
}

/// z[i] = r; converts the value and interleaves tuples.
template <typename Z, typename R>
SD_LANES_INLINE void put(Z* z, std::size_t i, const R& r) {
  if constexpr (tupleSize<R> == 0) {
    z[i] = convert<Z>(r);
  } else {
    constexpr std::size_t N = tupleSize<R>;
    [&]<std::size_t... K>(std::index_sequence<K...>) {
      if constexpr (tupleSize<Z> == N)
        ((std::get<K>(z[i]) = convert<std::tuple_element_t<K, Z>>(std::get<K>(r))), ...);
      else
        ((z[N * i + K] = convert<Z>(std::get<K>(r))), ...);
    }
    (std::make_index_sequence<N>());
  }
}

template <typename F, typename C, typename Z, typename... S>
void applyScalars(Z* z, std::size_t n, const C* parameters, S... s) {
  // Blocks of constant length: compilers vectorise them even at -O2.
  constexpr std::size_t BLOCK = 64;
  std::size_t i = 0;
  for (; i + BLOCK <= n; i += BLOCK) {
    SD_TENSOR_INDEPENDENT
    for (std::size_t k = 0; k < BLOCK; k++) put(z, i + k, call<F>(parameters, s.at(i + k)...));
  }
  for (; i < n; i++) put(z, i, call<F>(parameters, s.at(i)...));
}

/// The smallest multiple of `period` that is at least `least`.
constexpr int unrollOf(int period, int least = 4) { return (least + period - 1) / period * period; }

template <template <typename...> class Op, typename C, typename Z, typename... S>
void applyVectors(Z* z, std::size_t n, const C* parameters, S... s) {
  using L = Lanes<C>;
  using F = Op<L>;
  constexpr std::size_t W = L::size;
  constexpr int period = [] {
    int p = 1;
    ((p = std::lcm(p, S::period)), ...);
    return p;
  }();
  constexpr int U = unrollOf(period);
  if (n < W) {
    for (std::size_t i = 0; i < n; i++) z[i] = convert<Z>(call<Op<C>>(parameters, s.at(i)...));
    return;
  }
  // The last batch overlaps the one before it. It is computed first, because z may be a source.
  const L last = call<F>(parameters, s.lanesAt(n - W)...);
  std::size_t i = 0;
  for (; i + U * W <= n; i += U * W)
    unrolled<U>([&](auto k) __attribute__((always_inline)) {
      const std::size_t at = i + k * W;
      call<F>(parameters, s.template lanes<k % S::period>(at)...).store(z + at);
    });
  for (; i + W <= n; i += W) call<F>(parameters, s.lanesAt(i)...).store(z + i);
  last.store(z + n - W);
}

/// As applyVectors, but stores past the caches; for outputs of more than `threshold` bytes. Not used in place, because
/// what has been read is in the caches.
/// @return whether z has been written
template <template <typename...> class Op, typename C, typename Z, typename... S>
[[gnu::noinline]] bool streamVectors(std::size_t threshold, Z* z, std::size_t n, const C* parameters, S... s) {
  constexpr std::size_t W = Lanes<C>::size, U = 4;
  if constexpr (simd::canStream<W * sizeof(Z)>) {
    const std::size_t beyond = reinterpret_cast<std::uintptr_t>(z) % simd::CACHE_LINE;
    const std::size_t head = (simd::CACHE_LINE - beyond) % simd::CACHE_LINE / sizeof(Z);
    if (n * sizeof(Z) <= threshold || n < head + W || beyond % sizeof(Z) != 0 || (s.isIn(z) || ...)) return false;
    const auto batch = [=](std::size_t i) __attribute__((always_inline)) {
      return call<Op<Lanes<C>>>(parameters, s.lanesAt(i)...);
    };
    // z shares no memory with the sources: the batches at either end may overlap others
    std::size_t i = 0;
    for (; i < head; i += W) batch(i).store(z + i);
    for (i = head; i + U * W <= n; i += U * W)
      unrolled<U>([&](auto k) __attribute__((always_inline)) { batch(i + k * W).stream(z + i + k * W); });
    simd::streamFence();
    for (; i + W <= n; i += W) batch(i).store(z + i);
    batch(n - W).store(z + n - W);
    return true;
  } else {
    return false;
  }
}

template <template <typename...> class Op, typename T, typename X>
void applyByLibrary(T* z, std::size_t n, const X& x) {
  applyElementary<Op>(std::data(x), z, n);
}

template <template <typename...> class Op, typename T, typename X, typename Y>
void applyByLibrary(T* z, std::size_t n, const X& x, const Y& y) {
  if constexpr (ScalarSource<Y>)
    applyElementary<Op>(std::data(x), &y, 1, z, n);
  else
    applyElementary<Op>(std::data(x), std::data(y), n, z, n);
}

template <template <typename...> class Op, typename Z, typename... X>
SD_LANES_INLINE void applySources(const char* function, Z* z, std::size_t n, const Parameters& given, const X&... x) {
  using B = BindingOf<Op, Z, TypeOf<X>...>;
  using F = typename B::F;
  using C = typename B::C;
  requireOperator<F, typename B::template Argument<TypeOf<X>>...>();
  const auto parameters = parameterValues<F, C, typename B::template Argument<TypeOf<X>>...>(given);
  const C* const values = parameters.values;
  if constexpr (isElementary<Op, Z, TypeOf<X>...>() && (!TupleSource<X> && ...)) return applyByLibrary<Op>(z, n, x...);
  const auto run = [&](const auto&... s) __attribute__((always_inline)) {
    requireDivisors<F, sizeof...(X)>(function, n, s...);
    requireInnerDivisors<F>(n, values, s...);
    if constexpr (appliesVectors<Op, Z, TypeOf<X>...>()) {
      if (n * sizeof(Z) > simd::LEAST_STREAM) [[unlikely]]
        if (streamVectors<Op, C>(simd::streamingThreshold(), z, n, values, s...)) return;
      applyVectors<Op, C>(z, n, values, s...);
    } else {
      applyScalars<F, C>(z, n, values, s...);
    }
  };
  run(stream<typename B::template Argument<TypeOf<X>>>(x)...);
}

/// Number of elements of z for each element of x.
template <template <typename...> class Op, typename Z, typename... X>
constexpr std::size_t resultsPerElement() {
  using B = BindingOf<Op, Z, X...>;
  if constexpr (Element<Z> && isCallable<typename B::F, typename B::C, typename B::template Argument<X>...>) {
    constexpr std::size_t N = tupleSize<ResultOf<typename B::F, typename B::C, typename B::template Argument<X>...>>;
    return N == 0 ? 1 : N;
  } else {
    return 1;
  }
}

template <typename Z>
SD_LANES_INLINE void checkOutput(const char* function, const char* output, const Z& z, std::size_t needed) {
  if (std::size(z) < needed) [[unlikely]]
    refuseLength(function, output, std::size(z), " is less than the required length, ", needed);
}

}  // namespace detail

/// Whether apply<Op> runs on batches for a result of type Z and operands of types X (the types of elements).
template <template <typename...> class Op, typename Z, typename... X>
inline constexpr bool applyIsVectorized = detail::appliesVectors<Op, Z, X...>();

/// z[i] = Op(x[i]). z is at least as long as x; it is x itself or shares no memory with x. If Op returns a tuple of N,
/// z holds tuples, or N elements for each element of x.
/// @throws std::invalid_argument for lengths, overlaps, parameters and integer divisors; then nothing is written
template <template <typename...> class Op, SpanSource X, SpanTarget Z>
void apply(const X& x, Z&& z, const Parameters& parameters = {}) {
  using T = ElementOf<Z>;
  constexpr std::size_t N = detail::resultsPerElement<Op, T, ElementOf<const X>>();
  const std::size_t n = std::size(x);
  detail::checkOutput("apply", "z", z, N * n);
  detail::checkOverlap("apply", "z", std::data(z), N * n * sizeof(T), "x", x);
  detail::applySources<Op>("apply", std::data(z), n, parameters, x);
}

/// z[i] = Op(x[i], y[i]). y is an array as long as x, a scalar, or a tuple whose size is a divisor of the length of x.
template <template <typename...> class Op, SpanSource X, Operand Y, SpanTarget Z>
void apply(const X& x, const Y& y, Z&& z, const Parameters& parameters = {}) {
  using T = ElementOf<Z>;
  constexpr std::size_t N = detail::resultsPerElement<Op, T, ElementOf<const X>, detail::TypeOf<Y>>();
  const std::size_t n = std::size(x);
  detail::checkLength("apply", "y", n, y);
  detail::checkOutput("apply", "z", z, N * n);
  detail::checkOverlap("apply", "z", std::data(z), N * n * sizeof(T), "x", x);
  detail::checkOverlap("apply", "z", std::data(z), N * n * sizeof(T), "y", y);
  detail::applySources<Op>("apply", std::data(z), n, parameters, x, y);
}

/// z[i] = Op(x[i], y[i], w[i]). y and w are arrays as long as x, scalars, or tuples whose sizes divide the length of x.
template <template <typename...> class Op, SpanSource X, Operand Y, Operand W, SpanTarget Z>
void apply(const X& x, const Y& y, const W& w, Z&& z, const Parameters& parameters = {}) {
  using T = ElementOf<Z>;
  constexpr std::size_t N =
      detail::resultsPerElement<Op, T, ElementOf<const X>, detail::TypeOf<Y>, detail::TypeOf<W>>();
  const std::size_t n = std::size(x);
  detail::checkLength("apply", "y", n, y);
  detail::checkLength("apply", "w", n, w);
  detail::checkOutput("apply", "z", z, N * n);
  detail::checkOverlap("apply", "z", std::data(z), N * n * sizeof(T), "x", x);
  detail::checkOverlap("apply", "z", std::data(z), N * n * sizeof(T), "y", y);
  detail::checkOverlap("apply", "z", std::data(z), N * n * sizeof(T), "w", w);
  detail::applySources<Op>("apply", std::data(z), n, parameters, x, y, w);
}

/// z[i] = Op(x[i], value), for operators whose second operand is always a scalar and keeps its type: the count of a
/// shift, an exponent. Calls `op(x, value)`, where x may be a batch.
template <template <typename...> class Op, SpanSource X, ScalarSource S, SpanTarget Z>
void applyScalar(const X& x, S value, Z&& z) {
  using T = ElementOf<Z>;
  using C = ComputeType<Op, ElementOf<const X>, T>;
  const std::size_t n = std::size(x);
  detail::checkOutput("applyScalar", "z", z, n);
  detail::checkOverlap("applyScalar", "z", std::data(z), n * sizeof(T), "x", x);
  static_assert(HasOp<Op<C>, C, S>,
                "sd::tensor: the operator has no static member 'op(x, value)' for the type that it computes in");
  if constexpr (detail::hasVectorForm<Op<C>, C>()) {
    if constexpr (HasOp<Op<Lanes<C>>, Lanes<C>, S> && detail::ArrayStream<C, ElementOf<const X>>::inVectors &&
                  (std::is_same_v<C, T> || detail::convertsInVectors<C, T>)) {
      constexpr std::size_t W = Lanes<C>::size;
      const auto s = detail::stream<C>(x);
      T* const to = std::data(z);
      std::size_t i = 0;
      for (; i + W <= n; i += W) Op<Lanes<C>>::op(s.lanesAt(i), value).store(to + i);
      for (; i < n; i++) to[i] = detail::convert<T>(Op<C>::op(s.at(i), value));
      return;
    }
  }
  struct ScalarOnly {
    S value;
    SD_LANES_INLINE S at(std::size_t) const { return value; }
  };
  const auto s = detail::stream<C>(x);
  detail::requireDivisors<Op<C>, 2>("applyScalar", n, s, ScalarOnly{value});
  detail::requireInnerDivisors<Op<C>>(n, static_cast<const C*>(nullptr), s, ScalarOnly{value});
  detail::applyScalars<Op<C>, C>(std::data(z), n, static_cast<const C*>(nullptr), s, ScalarOnly{value});
}

namespace detail {

/// Computes both results in one pass over x.
template <template <typename...> class A, template <typename...> class B, typename T, typename U, typename X>
void applyBoth(T* a, U* b, std::size_t n, const X& x) {
  using E = ElementOf<const X>;
  using BA = BindingOf<A, T, E>;
  using BB = BindingOf<B, U, E>;
  using CA = typename BA::C;
  using CB = typename BB::C;
  requireOperator<typename BA::F, CA>();
  requireOperator<typename BB::F, CB>();
  const auto sa = stream<CA>(x);
  const auto sb = stream<CB>(x);
  requireDivisors<typename BA::F, 1>("apply2", n, sa);
  requireDivisors<typename BB::F, 1>("apply2", n, sb);
  const CA* const noneA = nullptr;
  const CB* const noneB = nullptr;
  requireInnerDivisors<typename BA::F>(n, noneA, sa);
  requireInnerDivisors<typename BB::F>(n, noneB, sb);
  std::size_t i = 0;
  if constexpr (appliesVectors<A, T, E>() && appliesVectors<B, U, E>() && std::is_same_v<CA, CB>) {
    using L = Lanes<CA>;
    constexpr std::size_t W = L::size;
    for (; i + W <= n; i += W) {
      const L v = sa.lanesAt(i);
      const L ra = call<A<L>>(noneA, v), rb = call<B<L>>(noneB, v);
      ra.store(a + i);
      rb.store(b + i);
    }
  }
  for (; i < n; i++) {
    const auto ra = call<typename BA::F>(noneA, sa.at(i));
    const auto rb = call<typename BB::F>(noneB, sb.at(i));
    put(a, i, ra);
    put(b, i, rb);
  }
}

}  // namespace detail

/// a[i] = A(x[i]) and b[i] = B(x[i]) in one pass over x. Each of a and b is at least as long as x, and is x itself or
/// shares no memory with x; a and b share no memory with each other.
template <template <typename...> class A, template <typename...> class B, SpanSource X, SpanTarget ZA, SpanTarget ZB>
void apply2(const X& x, ZA&& a, ZB&& b) {
  using T = ElementOf<ZA>;
  using U = ElementOf<ZB>;
  static_assert(Element<T> && Element<U>, "sd::tensor: the outputs of apply2 hold elements, not tuples");
  const std::size_t n = std::size(x);
  detail::checkOutput("apply2", "a", a, n);
  detail::checkOutput("apply2", "b", b, n);
  detail::checkOverlap("apply2", "a", std::data(a), n * sizeof(T), "x", x);
  detail::checkOverlap("apply2", "b", std::data(b), n * sizeof(U), "x", x);
  const auto from = reinterpret_cast<std::uintptr_t>(std::data(a)), to = reinterpret_cast<std::uintptr_t>(std::data(b));
  if (from < to + n * sizeof(U) && to < from + n * sizeof(T)) [[unlikely]]
    throw std::invalid_argument("[apply2] argument 'a' overlaps argument 'b'");
  detail::applyBoth<A, B>(std::data(a), std::data(b), n, x);
}

SD_TENSOR_END

#endif
