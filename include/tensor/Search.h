// Searches: the position of an aggregate, and the first element that satisfies a predicate.
#ifndef NDFORGE_TENSOR_SEARCH_H
#define NDFORGE_TENSOR_SEARCH_H

#include <tensor/Aggregate.h>

#include <optional>

SD_TENSOR_BEGIN

namespace detail {

inline constexpr std::ptrdiff_t NOT_FOUND = -1;

/// Applies a predicate of one to three operands to every element: P is an operator whose `op` returns truth values.
template <template <typename...> class P, typename C, bool Vectors, typename... S>
struct Tested {
  static constexpr int period = [] {
    int p = 1;
    ((p = std::lcm(p, S::period)), ...);
    return p;
  }();
  static constexpr int blocks = 2;
  static constexpr bool vectors = Vectors;
  using Element = C;
  std::tuple<S...> s;
  const C* parameters;

  SD_LANES_INLINE bool at(std::size_t i) const {
    return std::apply(
        [&](const auto&... o) __attribute__((always_inline)) { return call<P<C>>(parameters, o.at(i)...); }, s);
  }
  template <int K>
  SD_LANES_INLINE auto lanes(std::size_t i) const {
    return std::apply(
        [&](const auto&... o) __attribute__((always_inline)) {
          return call<P<Lanes<C>>>(parameters, o.template lanes<K % std::remove_cvref_t<decltype(o)>::period>(i)...);
        },
        s);
  }
  SD_LANES_INLINE auto lanesAt(std::size_t i) const {
    return std::apply(
        [&](const auto&... o) __attribute__((always_inline)) { return call<P<Lanes<C>>>(parameters, o.lanesAt(i)...); },
        s);
  }
};

/// Tests whether values equal `wanted`; with NaN, whether values are NaN.
template <typename C, bool Vectors, bool NaN, typename V>
struct Equal {
  static constexpr int period = V::period;
  static constexpr int blocks = 1;  // the value exists: tests beyond it are wasted
  static constexpr bool vectors = Vectors;
  using Element = C;
  const V& values;
  C wanted;

  SD_LANES_INLINE bool at(std::size_t i) const { return test(values.at(i)); }
  SD_LANES_INLINE auto lanesAt(std::size_t i) const { return test(values.lanesAt(i)); }
  template <int K>
  SD_LANES_INLINE auto lanes(std::size_t i) const {
    return test(values.template lanes<K>(i));
  }

 private:
  template <typename T>
  SD_LANES_INLINE auto test(T v) const {
    if constexpr (NaN)
      return v != v;
    else
      return v == T(wanted);
  }
};

/// The first i in start..stop-1 for which the test holds. A whole block is tested before the result is inspected: the
/// search ends at most one block after the match. `start` is a multiple of a batch times the test's period.
template <typename Test>
SD_LANES_INLINE std::ptrdiff_t findFirst(Test test, std::size_t start, std::size_t stop) {
  using C = typename Test::Element;
  std::size_t i = start;
  if constexpr (Test::vectors) {
    constexpr std::size_t W = Lanes<C>::size;
    constexpr int U = Test::blocks * unrollOf(Test::period);
    if (stop - start >= W) {
      for (; i + U * W <= stop; i += U * W) {
        auto hits = Lanes<C>::Mask::none();
        unrolled<U>([&](auto k) __attribute__((always_inline)) {
          hits = hits || test.template lanes<k % Test::period>(i + k * W);
        });
        if (hits.any()) break;
      }
      for (; i + W <= stop; i += W) {
        const auto hits = test.lanesAt(i);
        if (hits.any()) return static_cast<std::ptrdiff_t>(i) + hits.first();
      }
      if (i < stop) {
        // the last batch overlaps the previous one, in which nothing was found
        const auto hits = test.lanesAt(stop - W);
        if (hits.any()) return static_cast<std::ptrdiff_t>(stop - W) + hits.first();
      }
      return NOT_FOUND;
    }
  } else {
    constexpr std::size_t BLOCK = 64;
    for (; i + BLOCK <= stop; i += BLOCK) {
      unsigned hits = 0;
      for (std::size_t k = 0; k < BLOCK; k++) hits |= test.at(i + k) ? 1u : 0u;
      if (hits != 0) break;
    }
  }
  for (; i < stop; i++)
    if (test.at(i)) return static_cast<std::ptrdiff_t>(i);
  return NOT_FOUND;
}

/// The values of a part of an array; Far: of an array in memory, outside the caches.
template <typename V, bool Far>
struct From {
  using Value = typename V::Value;
  static constexpr int period = V::period;
  const V& values;
  std::size_t start;  ///< a multiple of the batches of a period
  SD_LANES_INLINE auto at(std::size_t i) const { return values.at(start + i); }
  template <int K>
  SD_LANES_INLINE auto lanes(std::size_t i) const {
    if constexpr (Far && period == 1)
      return values.lanesFromMemory(start + i);
    else
      return values.template lanes<K>(start + i);
  }
  SD_LANES_INLINE auto lanesAt(std::size_t i) const { return values.lanesAt(start + i); }
};

/// The contributions of the values: these are what aggregations compare.
template <template <typename...> class A, typename C, typename V>
struct Contributions {
  using Value = C;
  static constexpr int period = V::period;
  V values;

  SD_LANES_INLINE C at(std::size_t i) const {
    return Gathered<A, C, false>::contribution(static_cast<const C*>(nullptr), values.at(i));
  }
  template <int K>
  SD_LANES_INLINE auto lanes(std::size_t i) const {
    return Gathered<A, Lanes<C>, false>::contribution(static_cast<const C*>(nullptr), values.template lanes<K>(i));
  }
  SD_LANES_INLINE auto lanesAt(std::size_t i) const {
    return Gathered<A, Lanes<C>, false>::contribution(static_cast<const C*>(nullptr), values.lanesAt(i));
  }
  SD_LANES_INLINE auto lanesFromMemory(std::size_t i) const {
    return Gathered<A, Lanes<C>, false>::contribution(static_cast<const C*>(nullptr), values.lanesFromMemory(i));
  }
};

/// The aggregation without `op`, which was already applied to the contributions.
template <template <typename...> class A>
struct Joining {
  template <typename T>
  struct Operator {
    static constexpr bool isVectorizable = true;
    static auto startingValue() { return A<T>::startingValue(); }
    static SD_LANES_INLINE T update(T x, T y) { return A<T>::update(x, y); }
  };
};

template <template <typename...> class A, typename C, bool Vectors, bool Check, typename V>
C joinValues(const V& values, std::size_t n) {
  constexpr bool check = Check && std::is_floating_point_v<C> && !propagatesNaN<A<C>>();
  using G = Gathered<Joining<A>::template Operator, C, check>;
  const C* const none = nullptr;
  if constexpr (Vectors)
    return gatherVectors<G, Gathered<Joining<A>::template Operator, Lanes<C>, check>, C, 1>(values, n, none)[0]
        .finished(none, n);
  else
    return gatherScalars<G, 1>(values, n, none)[0].finished(none, n);
}

/// The result of an aggregation that selects one of the values, and the start of the first block that contains it. NaN
/// ends the search.
template <typename C>
struct Best {
  static constexpr std::size_t BLOCK = 12 * 64 * 8;
  C value;
  std::size_t start;
};

template <template <typename...> class A, bool Check, bool Vectors, bool Far, typename C, typename V>
SD_LANES_INLINE Best<C> bestBlock(const V& values, std::size_t n) {
  constexpr std::size_t BLOCK = Best<C>::BLOCK;
  Best<C> best{C(A<C>::startingValue()), 0};
  for (std::size_t start = 0; start < n; start += BLOCK) {
    const std::size_t length = n - start < BLOCK ? n - start : BLOCK;
    const C block = joinValues<A, C, Vectors, Check>(From<V, Far>{values, start}, length);
    if (Check && block != block) return {block, start};
    const C joined = A<C>::update(best.value, block);
    if (joined != best.value) best = {joined, start};
  }
  return best;
}
template <template <typename...> class A, bool Check, bool Vectors, typename C, typename V>
[[gnu::noinline]] Best<C> bestBlockFromMemory(const V& values, std::size_t n) {
  return bestBlock<A, Check, Vectors, true, C>(values, n);
}

template <template <typename...> class A, bool Check, bool Vectors, typename C, typename V>
[[gnu::flatten]] std::ptrdiff_t indexOf(V given, std::size_t n) {
  requireAggregation<A<C>, C>();
  const Contributions<A, C, V> values{given};
  if (n == 0) return NOT_FOUND;
  const auto find = [&](C wanted, std::size_t start, std::size_t stop) {
    using All = Contributions<A, C, V>;
    if constexpr (Check && std::is_floating_point_v<C>)
      if (wanted != wanted) return findFirst(Equal<C, Vectors, true, All>{values, wanted}, start, stop);
    return findFirst(Equal<C, Vectors, false, All>{values, wanted}, start, stop);
  };
  if constexpr (!selects<A<C>>()) {
    return find(joinValues<A, C, Vectors, Check>(values, n), 0, n);
  } else {
    // Searches the last block that changed the aggregate, while it is still in the caches.
    const Best<C> best = n * sizeof(C) > simd::LARGER_THAN_CACHES ? bestBlockFromMemory<A, Check, Vectors, C>(values, n)
                                                                  : bestBlock<A, Check, Vectors, false, C>(values, n);
    // the starting value may be anywhere, or nowhere when all values are NaN
    if (best.value == C(A<C>::startingValue())) return find(best.value, 0, n);
    return find(best.value, best.start, n - best.start < Best<C>::BLOCK ? n : best.start + Best<C>::BLOCK);
  }
}

template <bool Check, template <typename...> class Op, template <typename...> class A, typename... X>
std::ptrdiff_t indexOfTransformed(const char* function, std::size_t n, const X&... x) {
  using Types = TransformType<Op, A, TypeOf<X>...>;
  using C = typename Types::C;
  requireOperator<Op<C>, Same<C, X>...>();
  static_assert(!Types::isTest, "sd::tensor: the transform of indexOfAggregate must not return truth values");
  requireDivisors<Op<C>, sizeof...(X)>(function, n, stream<C>(x)...);
  constexpr bool vectors = gathersVectors<A, C, TypeOf<X>...>() && hasVectorForm<Op<C>, C>();
  return indexOf<A, Check, vectors, C>(transformed<Op, C>(stream<C>(x)...), n);
}

template <bool Check, template <typename...> class A, typename X>
std::ptrdiff_t indexOfPlain(const X& x) {
  using T = ElementOf<const X>;
  using C = AggregateType<A, T>;
  const auto s = stream<C>(x);
  return indexOf<A, Check, gathersVectors<A, C, T>(), C>(Plain<C, std::remove_const_t<decltype(s)>>{s}, std::size(x));
}

/// The compute type of a predicate: the common type of its operands.
template <template <typename...> class P, typename... X>
using PredicateType = ComputeType<P, TypeOf<X>...>;

template <template <typename...> class P, typename C, typename... T>
constexpr bool searchesVectors() {
  if constexpr (hasVectorForm<P<C>, C>())
    return ((std::is_same_v<C, T> || convertsInVectors<T, C>)&&...);
  else
    return false;
}

template <template <typename...> class P, typename... X>
std::ptrdiff_t search(const char* function, std::size_t n, const Parameters& given, const X&... x) {
  using C = PredicateType<P, X...>;
  requireOperator<P<C>, Same<C, X>...>();
  static_assert(std::is_same_v<ResultOf<P<C>, C, Same<C, X>...>, bool>,
                "sd::tensor: 'op' of a predicate must return a truth value");
  requireDivisors<P<C>, sizeof...(X)>(function, n, stream<C>(x)...);
  const auto parameters = parameterValues<P<C>, C, Same<C, X>...>(given);
  constexpr bool vectors = searchesVectors<P, C, TypeOf<X>...>();
  const auto find = [&](const auto&... s) {
    return findFirst(Tested<P, C, vectors, std::remove_cvref_t<decltype(s)>...>{{s...}, parameters.values}, 0, n);
  };
  return find(stream<C>(x)...);
}

template <typename X>
std::optional<ElementOf<const X>> elementAt(const X& x, std::ptrdiff_t index) {
  if (index == NOT_FOUND) return std::nullopt;
  return std::data(x)[index];
}

}  // namespace detail

/// Whether first<P> and indexOfFirst<P> of operands of types X run on batches.
template <template <typename...> class P, typename... X>
inline constexpr bool searchIsVectorized = detail::searchesVectors<P, detail::PredicateType<P, X...>, X...>();

/// The index of the first element that equals the aggregate, or of the first NaN if there is one; -1 if there is no
/// such element (without elements, or when the aggregate is not an element). Aggregations that select one of the
/// elements read the memory once, others twice.
template <template <typename...> class A, SpanSource X>
std::ptrdiff_t indexOfAggregate(const X& x) {
  return detail::indexOfPlain<true, A>(x);
}
/// As above, for the transformed elements.
template <template <typename...> class Op, template <typename...> class A, SpanSource X>
std::ptrdiff_t indexOfAggregate(const X& x) {
  return detail::indexOfTransformed<true, Op, A>("indexOfAggregate", std::size(x), x);
}
template <template <typename...> class Op, template <typename...> class A, SpanSource X, Operand Y>
std::ptrdiff_t indexOfAggregate(const X& x, const Y& y) {
  detail::checkLength("indexOfAggregate", "y", std::size(x), y);
  return detail::indexOfTransformed<true, Op, A>("indexOfAggregate", std::size(x), x, y);
}

/// As indexOfAggregate, but does not check for NaN: an element that equals the aggregate that A computes.
template <template <typename...> class A, SpanSource X>
std::ptrdiff_t indexOfAggregateNumber(const X& x) {
  return detail::indexOfPlain<false, A>(x);
}
template <template <typename...> class Op, template <typename...> class A, SpanSource X>
std::ptrdiff_t indexOfAggregateNumber(const X& x) {
  return detail::indexOfTransformed<false, Op, A>("indexOfAggregateNumber", std::size(x), x);
}
template <template <typename...> class Op, template <typename...> class A, SpanSource X, Operand Y>
std::ptrdiff_t indexOfAggregateNumber(const X& x, const Y& y) {
  detail::checkLength("indexOfAggregateNumber", "y", std::size(x), y);
  return detail::indexOfTransformed<false, Op, A>("indexOfAggregateNumber", std::size(x), x, y);
}

/// The index of the first element for which P(x[i]), P(x[i], y[i]), P(x[i], y[i], w[i]) holds; -1 if there is none.
/// @throws std::invalid_argument when the lengths of the operands do not fit
template <template <typename...> class P, SpanSource X>
std::ptrdiff_t indexOfFirst(const X& x, const Parameters& parameters = {}) {
  return detail::search<P>("indexOfFirst", std::size(x), parameters, x);
}
template <template <typename...> class P, SpanSource X, Operand Y>
std::ptrdiff_t indexOfFirst(const X& x, const Y& y, const Parameters& parameters = {}) {
  detail::checkLength("indexOfFirst", "y", std::size(x), y);
  return detail::search<P>("indexOfFirst", std::size(x), parameters, x, y);
}
template <template <typename...> class P, SpanSource X, Operand Y, Operand W>
std::ptrdiff_t indexOfFirst(const X& x, const Y& y, const W& w, const Parameters& parameters = {}) {
  detail::checkLength("indexOfFirst", "y", std::size(x), y);
  detail::checkLength("indexOfFirst", "w", std::size(x), w);
  return detail::search<P>("indexOfFirst", std::size(x), parameters, x, y, w);
}

/// The first element of x for which the predicate holds; std::nullopt if there is none.
template <template <typename...> class P, SpanSource X>
auto first(const X& x, const Parameters& parameters = {}) {
  return detail::elementAt(x, detail::search<P>("first", std::size(x), parameters, x));
}
template <template <typename...> class P, SpanSource X, Operand Y>
auto first(const X& x, const Y& y, const Parameters& parameters = {}) {
  detail::checkLength("first", "y", std::size(x), y);
  return detail::elementAt(x, detail::search<P>("first", std::size(x), parameters, x, y));
}
template <template <typename...> class P, SpanSource X, Operand Y, Operand W>
auto first(const X& x, const Y& y, const W& w, const Parameters& parameters = {}) {
  detail::checkLength("first", "y", std::size(x), y);
  detail::checkLength("first", "w", std::size(x), w);
  return detail::elementAt(x, detail::search<P>("first", std::size(x), parameters, x, y, w));
}

SD_TENSOR_END

#endif
