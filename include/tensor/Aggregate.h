// aggregate: reduces all elements to one value, in one pass over memory.
//
// Elements are accumulated in the lanes of several batches, which are combined at the end. Floating-point sums also
// combine them every few hundred steps, so that rounding errors grow slowly. The order depends on the length and on the
// instruction set for which the program is compiled.
#ifndef NDFORGE_TENSOR_AGGREGATE_H
#define NDFORGE_TENSOR_AGGREGATE_H

#include <ops/functors/reduce.h>
#include <tensor/Apply.h>

SD_TENSOR_BEGIN

namespace detail {

template <typename A>
constexpr bool propagatesNaN() {
  if constexpr (requires { A::propagatesNaN; })
    return A::propagatesNaN;
  else
    return false;
}

template <typename A>
constexpr bool selects() {
  if constexpr (requires { A::selects; })
    return A::selects;
  else
    return false;
}

/// Whether one long sequence of updates gives the same result as several shorter ones that are then combined.
template <typename A, typename S>
constexpr bool isExact() {
  if constexpr (requires { A::isExact; })
    return std::is_integral_v<S> || A::isExact;
  else
    return std::is_integral_v<S>;
}

template <typename V>
struct LanesOf {
  static constexpr bool value = false;
};
template <typename C>
struct LanesOf<Lanes<C>> {
  static constexpr bool value = true;
};

/// The accumulated state: V is a scalar or a batch. Check: a NaN among the values makes the result NaN.
template <template <typename...> class A, typename V, bool Check>
struct Gathered {
  using F = A<V>;
  using S = std::remove_cvref_t<decltype(F::startingValue())>;
  using Value = std::conditional_t<std::is_same_v<S, bool>, bool, V>;
  using Nan = decltype(std::declval<V>() != std::declval<V>());
  static constexpr int chains = 4;  ///< number of batches that accumulate side by side
  static constexpr bool readsTwice = Check;
  static constexpr bool exact = isExact<F, S>();
  static constexpr bool repeats = selects<F>();  ///< values may be added twice

  Value value;
  std::conditional_t<Check, Nan, std::false_type> nan;

  static SD_LANES_INLINE Gathered start() {
    Gathered g;
    g.value = Value(F::startingValue());
    if constexpr (Check) {
      if constexpr (LanesOf<V>::value)
        g.nan = Nan::none();
      else
        g.nan = false;
    }
    return g;
  }
  /// The contribution of an element.
  template <typename P>
  static SD_LANES_INLINE Value contribution(const P* parameters, V x) {
    if constexpr (isCallable<F, P, V>)
      return call<F>(parameters, x);
    else
      return x;
  }
  template <typename P>
  SD_LANES_INLINE void add(const P* parameters, V x) {
    value = F::update(value, contribution(parameters, x));
    if constexpr (Check) nan = nan || (x != x);
  }
  /// Adds x to one state and y to another, which are combined at the end: a single comparison checks both for NaN.
  template <typename P>
  static SD_LANES_INLINE void addTwo(Gathered& g, Gathered& h, const P* parameters, V x, V y) {
    g.value = F::update(g.value, contribution(parameters, x));
    h.value = F::update(h.value, contribution(parameters, y));
    if constexpr (Check) g.nan = g.nan || math::Functions<V>::unordered(x, y);
  }
  /// Adds only the lanes of x that are set in the mask.
  template <typename P, typename M>
  SD_LANES_INLINE void addSome(const P* parameters, V x, M mask) {
    value = F::update(value, math::select<V>(mask, contribution(parameters, x), V(F::startingValue())));
    if constexpr (Check) nan = nan || (mask && (x != x));
  }
  SD_LANES_INLINE void join(const Gathered& other) {
    value = F::update(value, other.value);
    if constexpr (Check) nan = nan || other.nan;
  }
  /// Combines the lanes of each of N interleaved sequences: lane k holds sequence k.
  template <int N, int Distance>
  SD_LANES_INLINE Gathered folded() const {
    if constexpr (Distance < N) {
      return *this;
    } else {
      Gathered g;
      g.value = F::update(value, value.template exchanged<Distance>());
      if constexpr (Check) g.nan = N == 1 ? nan : nan.template spread<Distance>();
      return g.template folded<N, Distance / 2>();
    }
  }
  template <int N, typename C>
  SD_LANES_INLINE Gathered<A, C, Check> lane(int i) const {
    Gathered<A, C, Check> g;
    g.value = value[i];
    if constexpr (Check) g.nan = N == 1 ? nan.any() : nan[i];
    return g;
  }
  /// The result of n values.
  template <typename P>
  SD_LANES_INLINE Value finished(const P* parameters, std::size_t n) const {
    Value v = value;
    if constexpr (Check) {
      if (nan) return std::numeric_limits<V>::quiet_NaN();
    }
    if constexpr (requires { F::postProcess(v, sd::LongType(0), parameters); })
      return F::postProcess(v, static_cast<sd::LongType>(n), parameters);
    else
      return v;
  }
};

/// Two aggregations of the same values; the first one checks for NaN on behalf of both.
template <typename G, typename H>
struct GatheredBoth {
  static constexpr int chains = 2;
  static constexpr bool readsTwice = true;
  static constexpr bool exact = G::exact && H::exact;
  static constexpr bool repeats = G::repeats && H::repeats;
  G first;
  H second;

  static SD_LANES_INLINE GatheredBoth start() { return {G::start(), H::start()}; }
  template <typename P, typename V>
  SD_LANES_INLINE void add(const P* parameters, V x) {
    first.add(parameters, x);
    second.add(parameters, x);
  }
  template <typename P, typename V>
  static SD_LANES_INLINE void addTwo(GatheredBoth& a, GatheredBoth& b, const P* parameters, V x, V y) {
    G::addTwo(a.first, b.first, parameters, x, y);
    H::addTwo(a.second, b.second, parameters, x, y);
  }
  template <typename P, typename V, typename M>
  SD_LANES_INLINE void addSome(const P* parameters, V x, M mask) {
    first.addSome(parameters, x, mask);
    second.addSome(parameters, x, mask);
  }
  SD_LANES_INLINE void join(const GatheredBoth& other) {
    first.join(other.first);
    second.join(other.second);
  }
  template <int N, int Distance>
  SD_LANES_INLINE GatheredBoth folded() const {
    return {first.template folded<N, Distance>(), second.template folded<N, Distance>()};
  }
  template <int N, typename C>
  SD_LANES_INLINE auto lane(int i) const {
    const auto g = first.template lane<N, C>(i);
    const auto h = second.template lane<N, C>(i);
    return GatheredBoth<std::remove_const_t<decltype(g)>, std::remove_const_t<decltype(h)>>{g, h};
  }
  template <typename P>
  SD_LANES_INLINE auto finished(const P* parameters, std::size_t n) const {
    const auto a = first.finished(parameters, n);
    const auto b = second.finished(parameters, n);
    if constexpr (std::is_same_v<decltype(first.nan), bool>)
      if (first.nan) return std::pair(a, std::numeric_limits<std::remove_const_t<decltype(b)>>::quiet_NaN());
    return std::pair(a, b);
  }
};

// ------------------------------------------------------------------------------------------ the values to aggregate

/// The elements themselves.
template <typename C, typename S>
struct Plain {
  using Value = C;
  static constexpr int period = S::period;
  S s;
  SD_LANES_INLINE C at(std::size_t i) const { return s.at(i); }
  template <int K>
  SD_LANES_INLINE auto lanes(std::size_t i) const {
    return s.template lanes<K>(i);
  }
  SD_LANES_INLINE auto lanesAt(std::size_t i) const { return s.lanesAt(i); }
  SD_LANES_INLINE auto lanesFromMemory(std::size_t i) const { return s.lanesFromMemory(i); }
};

/// The results of a transform of one or two operands.
template <template <typename...> class Op, typename C, typename... S>
struct Transformed {
  static constexpr int period = [] {
    int p = 1;
    ((p = std::lcm(p, S::period)), ...);
    return p;
  }();
  std::tuple<S...> s;

  SD_LANES_INLINE auto at(std::size_t i) const {
    return std::apply([i](const auto&... o) { return call<Op<C>>(static_cast<const C*>(nullptr), o.at(i)...); }, s);
  }
  template <int K>
  SD_LANES_INLINE auto lanes(std::size_t i) const {
    return std::apply(
        [i](const auto&... o) __attribute__((always_inline)) {
          return Op<Lanes<C>>::op(o.template lanes<K % std::remove_cvref_t<decltype(o)>::period>(i)...);
        },
        s);
  }
  SD_LANES_INLINE auto lanesAt(std::size_t i) const {
    return std::apply(
        [i](const auto&... o) __attribute__((always_inline)) { return Op<Lanes<C>>::op(o.lanesAt(i)...); }, s);
  }
  SD_LANES_INLINE auto lanesFromMemory(std::size_t i) const {
    return std::apply(
        [i](const auto&... o) __attribute__((always_inline)) { return Op<Lanes<C>>::op(o.lanesFromMemory(i)...); }, s);
  }
};

// ------------------------------------------------------------------------------------------------------- the loops

/// Number of updates of a batch before it is combined: rounding errors grow with this number, not with the length.
inline constexpr std::size_t STEPS = 256;

/// G is the state for scalars, GL the state for batches, N the number of interleaved sequences.
template <typename G, typename GL, typename C, std::size_t N, typename V, typename P>
SD_LANES_INLINE std::array<G, N> gatherVectors(V values, std::size_t n, const P* parameters) {
  constexpr std::size_t W = Lanes<C>::size;
  constexpr int interleaved = static_cast<int>(N) / std::gcd(static_cast<int>(N), static_cast<int>(W));
  constexpr int K = unrollOf(std::lcm(V::period, interleaved), GL::chains);
  // a batch holds whole sequences: the last batch may overlap the previous one, without the lanes counted there
  constexpr bool overlaps = W % N == 0;
  std::array<G, N> result;
  for (auto& r : result) r = G::start();
  std::size_t i = 0;
  if (n >= W) {
    GL lanes[K], total[K];
    [[maybe_unused]] bool joined = false;
    unrolled<K>([&](auto k) __attribute__((always_inline)) { lanes[k] = total[k] = GL::start(); });
    for (;;) {
      const std::size_t steps = (n - i) / (K * W), now = GL::exact || steps < STEPS ? steps : STEPS;
      const std::size_t stop = i + now * K * W;
      const auto kept = [](auto x) __attribute__((always_inline)) {
        if constexpr (GL::readsTwice)
          return x.inRegister();
        else
          return x;
      };
      const auto at = [&](auto k) __attribute__((always_inline)) {
        return kept(values.template lanes<k % V::period>(i + k * W));
      };
      if constexpr (overlaps && K % 2 == 0) {
        // from memory, processors prefetch better the shorter the strides are
        if constexpr (V::period == 1 && requires { values.lanesFromMemory(i); }) {
          if (n * sizeof(C) > simd::LARGER_THAN_CACHES) [[unlikely]] {
            for (; i < stop; i += 2 * W)
              GL::addTwo(lanes[0], lanes[1], parameters, kept(values.lanesFromMemory(i)),
                         kept(values.lanesFromMemory(i + W)));
          } else if (n * sizeof(C) > simd::MOST_STREAM) [[unlikely]] {
            for (; i < stop; i += 2 * W)
              GL::addTwo(lanes[0], lanes[1], parameters, kept(values.lanesAt(i)), kept(values.lanesAt(i + W)));
          }
        }
        for (; i < stop; i += K * W)
          unrolled<K / 2>([&](auto k) __attribute__((always_inline)) {
            constexpr std::integral_constant<int, 2 * k> even;
            constexpr std::integral_constant<int, 2 * k + 1> odd;
            GL::addTwo(lanes[even], lanes[odd], parameters, at(even), at(odd));
          });
      } else {
        for (; i < stop; i += K * W)
          unrolled<K>([&](auto k) __attribute__((always_inline)) { lanes[k].add(parameters, at(k)); });
      }
      if (GL::exact || steps <= STEPS) break;
      unrolled<K>([&](auto k) __attribute__((always_inline)) {
        total[k].join(lanes[k]);
        lanes[k] = GL::start();
      });
      joined = true;
    }
    const std::size_t rest = (n - i) / W;
    unrolled<K - 1>([&](auto k) __attribute__((always_inline)) {
      if (k < rest) lanes[k].add(parameters, values.template lanes<k % V::period>(i + k * W));
    });
    i += rest * W;
    if constexpr (overlaps) {
      if (i < n) {
        const auto last = values.lanesAt(n - W);
        if constexpr (GL::repeats)
          lanes[K - 1].add(parameters, last);
        else
          lanes[K - 1].addSome(parameters, last, Lanes<C>::Mask::from(static_cast<int>(W - (n - i))));
      }
      i = n;
    }
    if (!GL::exact && joined) unrolled<K>([&](auto k) __attribute__((always_inline)) { lanes[k].join(total[k]); });
    if constexpr (overlaps) {
      unrolled<K / 2>([&](auto k) __attribute__((always_inline)) { lanes[k].join(lanes[k + (K + 1) / 2]); });
      unrolled<(K + 1) / 2 - 1>([&](auto k) __attribute__((always_inline)) { lanes[0].join(lanes[k + 1]); });
      const GL folded = lanes[0].template folded<static_cast<int>(N), static_cast<int>(W) / 2>();
      for (std::size_t r = 0; r < N; r++) result[r] = folded.template lane<static_cast<int>(N), C>(static_cast<int>(r));
    } else {
      unrolled<K - interleaved>([&](auto k) __attribute__((always_inline)) {
        lanes[K - 1 - k - interleaved].join(lanes[K - 1 - k]);
      });
      for (std::size_t at = 0; at < interleaved * W; at++)
        result[at % N].join(lanes[at / W].template lane<static_cast<int>(N), C>(static_cast<int>(at % W)));
    }
  }
  for (; i < n; i++) result[i % N].add(parameters, values.at(i));
  return result;
}

template <typename G, std::size_t N, typename V, typename P>
std::array<G, N> gatherScalars(V values, std::size_t n, const P* parameters) {
  std::array<G, N> result;
  for (auto& r : result) r = G::start();
  for (std::size_t i = 0; i < n; i += N)
    for (std::size_t r = 0; r < N; r++) result[r].add(parameters, values.at(i + r));
  return result;
}

template <typename A, typename V>
constexpr void requireAggregation() {
  static_assert(HasStartingValue<A>, "sd::tensor: the aggregation has no static member 'startingValue()'");
  static_assert(HasUpdate<A, V>, "sd::tensor: the aggregation has no static member 'update(accumulated, value)'");
}

/// Whether the values of an aggregation are read in batches.
template <template <typename...> class A, typename C, typename... X>
constexpr bool gathersVectors() {
  if constexpr (hasVectorForm<A<C>, C>())
    return ((std::is_same_v<C, X> || convertsInVectors<X, C>)&&...);
  else
    return false;
}

/// N results: a single one is returned itself, several as a std::array.
template <std::size_t N, typename G, typename P>
SD_LANES_INLINE auto finish(const std::array<G, N>& gathered, std::size_t n, const P* parameters) {
  if constexpr (N == 1) {
    return gathered[0].finished(parameters, n);
  } else {
    std::array<decltype(gathered[0].finished(parameters, n)), N> result;
    for (std::size_t r = 0; r < N; r++) result[r] = gathered[r].finished(parameters, n / N);
    return result;
  }
}

template <std::size_t N, bool Check, bool Vectors, template <typename...> class A, typename C, typename V>
SD_LANES_INLINE auto gather(const V& values, std::size_t n, const Parameters& given) {
  requireAggregation<A<C>, C>();
  const auto parameters = parameterValues<A<C>, C, C>(given);
  constexpr bool check = Check && std::is_floating_point_v<C> && !propagatesNaN<A<C>>();
  using G = Gathered<A, C, check>;
  if constexpr (Vectors)
    return finish<N>(gatherVectors<G, Gathered<A, Lanes<C>, check>, C, N>(values, n, parameters.values), n,
                     parameters.values);
  else
    return finish<N>(gatherScalars<G, N>(values, n, parameters.values), n, parameters.values);
}

template <template <typename...> class Op, typename C, typename... S>
SD_LANES_INLINE Transformed<Op, C, S...> transformed(const S&... s) {
  return {{s...}};
}

/// The type in which an aggregation of transformed elements computes: the common type for transform and aggregation.
/// Truth values are counted in 64 bits.
template <template <typename...> class Op, template <typename...> class A, typename... X>
struct TransformType {
  using C = FloatFor<Op, FloatFor<A, Common<X...>>>;
  static constexpr bool callable = isCallable<Op<C>, C, Same<C, X>...>;
  static constexpr bool isTest = [] {
    if constexpr (callable)
      return std::is_same_v<ResultOf<Op<C>, C, Same<C, X>...>, bool>;
    else
      return false;
  }();
  using Value = std::conditional_t<isTest, sd::LongType, C>;
};

/// Values that are computed in one type and aggregated in another.
template <typename To, typename V>
struct As {
  static constexpr int period = V::period;
  V values;
  SD_LANES_INLINE To at(std::size_t i) const { return static_cast<To>(values.at(i)); }
};

template <std::size_t N, bool Check, template <typename...> class Op, template <typename...> class A, typename... X>
auto aggregateTransformed(const char* function, std::size_t n, const X&... x) {
  using Types = TransformType<Op, A, TypeOf<X>...>;
  using C = typename Types::C;
  using R = typename Types::Value;
  requireOperator<Op<C>, Same<C, X>...>();
  requireDivisors<Op<C>, sizeof...(X)>(function, n, stream<C>(x)...);
  const auto values = transformed<Op, C>(stream<C>(x)...);
  if constexpr (std::is_same_v<C, R>) {
    constexpr bool vectors = gathersVectors<A, C, TypeOf<X>...>() && hasVectorForm<Op<C>, C>();
    return gather<N, Check, vectors, A, C>(values, n, {});
  } else {
    return gather<N, Check, false, A, R>(As<R, std::remove_const_t<decltype(values)>>{values}, n, {});
  }
}

/// Truth values are summed in 64 bits, so their sum is a count.
template <template <typename...> class A, typename T>
using AggregateType = FloatFor<A, std::conditional_t<std::is_same_v<T, bool>, sd::LongType, Arithmetic<T>>>;

/// Whether A is a test without a starting value, such as simdOps::CountNonZero: its matches are counted.
template <template <typename...> class A, typename C>
inline constexpr bool counts = !HasStartingValue<A<C>> && HasOp<A<C>, C>;

template <std::size_t N, bool Check, template <typename...> class A, typename X>
auto aggregatePlain(const char* function, std::size_t n, const X& x, const Parameters& parameters) {
  using T = ElementOf<const X>;
  using C = AggregateType<A, T>;
  if constexpr (counts<A, C>) {
    return aggregateTransformed<N, Check, A, simdOps::Sum>(function, n, x);
  } else {
    const auto s = stream<C>(x);
    return gather<N, Check, gathersVectors<A, C, T>(), A, C>(Plain<C, std::remove_const_t<decltype(s)>>{s}, n,
                                                             parameters);
  }
}

template <std::size_t N, typename X>
SD_LANES_INLINE std::size_t checkedLength(const char* function, const X& x) {
  const std::size_t n = std::size(x);
  if (n % N != 0) [[unlikely]]
    refuseLength(function, "x", n, " is not a multiple of ", N);
  return n;
}

}  // namespace detail

/// Whether aggregate<A> of elements of type X runs on batches.
template <template <typename...> class A, typename X>
inline constexpr bool aggregateIsVectorized = detail::gathersVectors<A, detail::AggregateType<A, X>, X>();

/// Whether aggregate<Op, A> of operands of types X runs on batches.
template <template <typename...> class Op, template <typename...> class A, typename... X>
inline constexpr bool transformedAggregateIsVectorized =
    detail::gathersVectors<A, typename detail::TransformType<Op, A, X...>::Value, X...>() &&
    std::is_same_v<typename detail::TransformType<Op, A, X...>::C,
                   typename detail::TransformType<
                       Op, A, X...>::Value>&& isVectorizable<Op, typename detail::TransformType<Op, A, X...>::C>;

// Each kind of aggregation has a family: NAME checks for NaN, NAME with Number does not. N results are a std::array.
#define SD_TENSOR_AGGREGATES(NAME, N, CHECK)                                                              \
  template <template <typename...> class A, SpanSource X>                                                 \
  auto NAME(const X& x, const Parameters& parameters = {}) {                                              \
    return detail::aggregatePlain<N, CHECK, A>(#NAME, detail::checkedLength<N>(#NAME, x), x, parameters); \
  }                                                                                                       \
  template <template <typename...> class Op, template <typename...> class A, SpanSource X>                \
  auto NAME(const X& x) {                                                                                 \
    return detail::aggregateTransformed<N, CHECK, Op, A>(#NAME, detail::checkedLength<N>(#NAME, x), x);   \
  }                                                                                                       \
  template <template <typename...> class Op, template <typename...> class A, SpanSource X, Operand Y>     \
  auto NAME(const X& x, const Y& y) {                                                                     \
    const std::size_t n = detail::checkedLength<N>(#NAME, x);                                             \
    detail::checkLength(#NAME, "y", n, y);                                                                \
    return detail::aggregateTransformed<N, CHECK, Op, A>(#NAME, n, x, y);                                 \
  }

/// aggregate<A>(x), aggregate<Transform, A>(x), aggregate<Transform, A>(x, y): aggregates the elements, or the
/// transformed elements. A NaN among the values gives NaN. Without elements the result is the starting value. The
/// result has the type in which it is computed: the type of the elements, float for half types, float or double for
/// means and norms of integers, 64 bits for counts.
/// @throws std::invalid_argument when the lengths of x and y do not fit
SD_TENSOR_AGGREGATES(aggregate, 1, true)
/// As aggregate, for every 2nd element: {result of elements 0, 2, 4 …, result of elements 1, 3, 5 …}.
/// @throws std::invalid_argument also when the length is not a multiple of 2 (3, 4)
SD_TENSOR_AGGREGATES(aggregate2D, 2, true)
SD_TENSOR_AGGREGATES(aggregate3D, 3, true)
SD_TENSOR_AGGREGATES(aggregate4D, 4, true)
/// As aggregate, but does not check for NaN: the result is what A computes. simdOps::Max and Min skip NaN.
SD_TENSOR_AGGREGATES(aggregateNumber, 1, false)
SD_TENSOR_AGGREGATES(aggregateNumber2D, 2, false)
SD_TENSOR_AGGREGATES(aggregateNumber3D, 3, false)
SD_TENSOR_AGGREGATES(aggregateNumber4D, 4, false)
#undef SD_TENSOR_AGGREGATES

/// {aggregate<A>(x), aggregate<B>(x)} from one pass over memory.
template <template <typename...> class A, template <typename...> class B, SpanSource X>
auto aggregate2(const X& x) {
  using T = ElementOf<const X>;
  using C = detail::AggregateType<A, T>;
  static_assert(std::is_same_v<C, detail::AggregateType<B, T>>,
                "sd::tensor: the two aggregations of aggregate2 compute in different types");
  detail::requireAggregation<A<C>, C>();
  detail::requireAggregation<B<C>, C>();
  constexpr bool check =
      std::is_floating_point_v<C> && !(detail::propagatesNaN<A<C>>() && detail::propagatesNaN<B<C>>());
  using G = detail::GatheredBoth<detail::Gathered<A, C, check>, detail::Gathered<B, C, false>>;
  const auto s = detail::stream<C>(x);
  const detail::Plain<C, std::remove_const_t<decltype(s)>> values{s};
  const std::size_t n = std::size(x);
  const C* const none = nullptr;
  if constexpr (detail::gathersVectors<A, C, T>() && detail::gathersVectors<B, C, T>()) {
    using GL = detail::GatheredBoth<detail::Gathered<A, Lanes<C>, check>, detail::Gathered<B, Lanes<C>, false>>;
    return detail::finish<1>(detail::gatherVectors<G, GL, C, 1>(values, n, none), n, none);
  } else {
    return detail::finish<1>(detail::gatherScalars<G, 1>(values, n, none), n, none);
  }
}

SD_TENSOR_END

#endif
