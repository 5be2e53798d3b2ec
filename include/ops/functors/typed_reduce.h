// Reductions as programs call them one step at a time: simdOps::Mean<X, Z>::update(old, x, params) and so on, and
// reductions of 16-bit floats and BOOL, simdOps::Sum<float16>. X is the type of the elements, Z that of the result.
// They are meant for programs; kernels use the functors over one type.
#ifndef NDFORGE_OPS_FUNCTORS_TYPED_REDUCE_H
#define NDFORGE_OPS_FUNCTORS_TYPED_REDUCE_H

#include <loops/summarystatsreduce.h>
#include <ops/functors/reduce3.h>
#include <ops/functors/strict.h>
#include <ops/functors/typed.h>

namespace functions::indexreduce {

/// An element and its position; -1 when there is none.
template <typename X>
struct IndexValue {
  X value{};
  sd::LongType index = 0;

  IndexValue() = default;
  IndexValue(X v, sd::LongType i) : value(v), index(i) {}
};

}  // namespace functions::indexreduce

namespace simdOps {

namespace detail {

/// The type in which elements are compared and joined: BOOL as 0 and 1, so that there is no value below false.
template <typename T>
using Joined = std::conditional_t<sd::types::isHalf<T>, float, std::conditional_t<std::is_same_v<T, bool>, uint8_t, T>>;

/// The accumulator of a reduction with results of type Z, which is at least a float.
template <typename Z>
using Wide =
    std::conditional_t<std::is_floating_point_v<Z>, Z, std::conditional_t<sd::types::isHalf<Z>, float, double>>;

[[noreturn]] inline void failWithoutParams(const char* formula) {
  throw std::runtime_error(std::string("[simdOps] no parameters: ") + formula);
}

}  // namespace detail

// --------------------------------------------------------------------------------- results of the type of x

/// Reductions of 16-bit floats and BOOL, whose steps are computed in float and in integers.
template <template <typename...> class F, typename X>
class SameReduction : public NoSpecialLoop {
  using C = detail::Joined<X>;
  using Functor = F<C>;
  static constexpr C* NO_PARAMS = nullptr;

 public:
  static constexpr const char* formula = Functor::formula;
  static constexpr functions::ReduceType reduceType = Functor::reduceType;

  static X startingValue(const X* input = nullptr) {
    if (input == nullptr) return static_cast<X>(Functor::startingValue());
    const C first = static_cast<C>(input[0]);
    return static_cast<X>(Functor::startingValue(&first));
  }
  static X op(X x, X* = nullptr) { return static_cast<X>(Functor::op(static_cast<C>(x), NO_PARAMS)); }
  static X update(X old, X opOutput, X* = nullptr) {
    return static_cast<X>(Functor::update(static_cast<C>(old), static_cast<C>(opOutput), NO_PARAMS));
  }
  static X merge(X old, X opOutput, X* params = nullptr) { return update(old, opOutput, params); }
  static X postProcess(X acc, sd::LongType n, X* = nullptr) {
    return static_cast<X>(Functor::postProcess(static_cast<C>(acc), n, NO_PARAMS));
  }
};

// ------------------------------------------------------------------------------------- results of type float

template <template <typename...> class F, typename X, typename Z>
class FloatReduction : public NoSpecialLoop {
 public:
  /// The type of the accumulator.
  using InterType = detail::Wide<Z>;

 private:
  using Functor = F<InterType>;
  static constexpr InterType* NO_PARAMS = nullptr;

 public:
  static constexpr const char* formula = Functor::formula;
  static constexpr functions::ReduceType reduceType = Functor::reduceType;

  static X startingValue(const X* = nullptr) { return static_cast<X>(0); }
  static InterType op(X x, [[maybe_unused]] Z* params = nullptr) {
    if constexpr (Functor::requiredParams > 0) {
      if (params == nullptr) detail::failWithoutParams(formula);
      const auto p = static_cast<InterType>(params[0]);
      return Functor::op(static_cast<InterType>(x), &p);
    } else {
      return Functor::op(static_cast<InterType>(x));
    }
  }
  static InterType update(InterType old, InterType opOutput, Z* = nullptr) {
    return Functor::update(old, opOutput, NO_PARAMS);
  }
  static InterType merge(InterType old, InterType opOutput, Z* = nullptr) {
    return Functor::update(old, opOutput, NO_PARAMS);
  }
  static Z postProcess(InterType acc, sd::LongType n, [[maybe_unused]] Z* params = nullptr) {
    if constexpr (Functor::requiredParams > 0) {
      if (params == nullptr) detail::failWithoutParams(formula);
      const auto p = static_cast<InterType>(params[0]);
      return static_cast<Z>(Functor::postProcess(acc, n, &p));
    } else {
      return static_cast<Z>(Functor::postProcess(acc, n, NO_PARAMS));
    }
  }
};

template <typename X, typename Z>
struct AMean<X, Z> : FloatReduction<simdOps::AMean, X, Z> {
  using typename FloatReduction<simdOps::AMean, X, Z>::InterType;
  static Z postProcess(InterType acc, sd::LongType n, Z* = nullptr) {
    return FloatReduction<simdOps::AMean, X, Z>::postProcess(math::abs(acc), n);
  }
};

// ------------------------------------------------------------------------------ truth values and numbers of elements

/// The steps after `op` of a test of all elements. The accumulator is 0 or 1 in the type of x.
template <template <typename...> class F, typename X, typename Z>
class TestReduction {
  using Functor = F<detail::Joined<X>>;

 public:
  static constexpr functions::ReduceType reduceType = Functor::reduceType;

  static X startingValue(const X* = nullptr) { return static_cast<X>(Functor::startingValue() ? 1 : 0); }
  static Z update(X old, X opOutput, X* = nullptr) {
    return static_cast<Z>(Functor::update(static_cast<bool>(old), static_cast<bool>(opOutput)) ? 1 : 0);
  }
  static Z merge(X old, X opOutput, X* = nullptr) { return update(old, opOutput); }
  static Z postProcess(X acc, sd::LongType, X* = nullptr) { return static_cast<Z>(static_cast<bool>(acc) ? 1 : 0); }
};

/// The steps after `op` of a number of elements.
template <typename X, typename Z>
struct CountReduction {
  static constexpr functions::ReduceType reduceType = functions::SUM;

  static Z startingValue(const X* = nullptr) { return static_cast<Z>(0); }
  static Z update(Z old, Z opOutput, X* = nullptr) { return static_cast<Z>(old + opOutput); }
  static Z merge(Z old, Z opOutput, X* = nullptr) { return static_cast<Z>(old + opOutput); }
  static Z postProcess(Z acc, sd::LongType, X* = nullptr) { return acc; }
};

// ------------------------------------------------------------------------------------------------- pairs of elements

/// `op` returns the contribution of a pair. Similarities and JaccardDistance need a second sum and a third: they add
/// to state[0] and state[1], which must be 0 before the first pair. EqualsWithEps reads eps from state[2].
template <template <typename...> class F, typename X, typename Z>
class PairReduction {
  using C = std::conditional_t<std::is_integral_v<X> || std::is_same_v<X, double> || std::is_same_v<Z, double>, double,
                               float>;
  using Functor = F<C>;
  static constexpr int SUMS = Functor::accumulators;
  /// JaccardDistance keeps both of its sums in the state.
  static constexpr int RETURNED = SUMS == 2 ? 0 : 1;

 public:
  static constexpr const char* formula = Functor::formula;
  static constexpr functions::ReduceType reduceType = functions::SUM;
  static constexpr int extraParamsLen = SUMS - RETURNED;

  static Z* generateExtraParams() { return nullptr; }
  template <typename P>
  static void finalizeExtraParams(P) {}
  static void aggregateExtraParams([[maybe_unused]] Z* total, [[maybe_unused]] Z* local) {
    for (int i = 0; i < extraParamsLen; i++) total[i] = static_cast<Z>(total[i] + local[i]);
  }

  static Z startingValue(const X* = nullptr) { return static_cast<Z>(0); }
  static Z op(X x, X y, Z* state = nullptr) {
    C sums[SUMS] = {}, eps = C(0);
    if constexpr (Functor::maxParams > 0)
      if (state != nullptr) eps = static_cast<C>(state[2]);
    if constexpr (extraParamsLen > 0)
      if (state == nullptr) detail::failWithoutParams(formula);
    Functor::update(sums, static_cast<C>(x), static_cast<C>(y), &eps);
    for (int i = 0; i < extraParamsLen; i++) state[i] = static_cast<Z>(static_cast<C>(state[i]) + sums[i + RETURNED]);
    return static_cast<Z>(RETURNED > 0 ? sums[0] : C(0));
  }
  static Z update(Z old, Z opOutput, Z* = nullptr) { return static_cast<Z>(old + opOutput); }
  static Z merge(Z old, Z opOutput, Z* = nullptr) { return static_cast<Z>(old + opOutput); }
  static Z postProcess(Z acc, sd::LongType n, [[maybe_unused]] Z* state = nullptr) {
    double sums[SUMS] = {static_cast<double>(acc)};
    if constexpr (extraParamsLen > 0)
      if (state == nullptr) detail::failWithoutParams(formula);
    for (int i = 0; i < extraParamsLen; i++) sums[i + RETURNED] = static_cast<double>(state[i]);
    return static_cast<Z>(Functor::postProcess(sums, n));
  }
};

// --------------------------------------------------------------------------------------------------------- positions

template <typename X>
using IndexValue = functions::indexreduce::IndexValue<X>;

template <typename X>
struct PositionReduction {
  static IndexValue<X> postProcess(IndexValue<X> acc, int, int, X*, int, X*, X*) { return acc; }
};

/// Of two elements `update` returns the better one; of equal ones that with the lower index.
template <template <typename...> class F, typename X>
class BestReduction : public PositionReduction<X> {
  using C = detail::Joined<X>;
  using Functor = F<C>;

  static C contribution(X x) { return Functor::op(static_cast<C>(x)); }

 public:
  static constexpr const char* formula = Functor::formula;

  static X startingValue(const X* = nullptr) { return static_cast<X>(Functor::startingValue()); }
  static IndexValue<X> startingIndexValue(const X* = nullptr) { return {startingValue(), 0}; }
  static IndexValue<X> op(IndexValue<X> x, X* = nullptr) { return {static_cast<X>(contribution(x.value)), x.index}; }
  static IndexValue<X> update(const IndexValue<X>& old, const IndexValue<X>& opOutput, X* = nullptr) {
    const C a = contribution(old.value), b = contribution(opOutput.value);
    return Functor::better(b, a) || (a == b && opOutput.index < old.index) ? opOutput : old;
  }
  static IndexValue<X> merge(IndexValue<X> a, IndexValue<X> b, X* = nullptr) { return update(a, b); }
};

/// The first or the last element that satisfies the condition; the index is -1 while there is none.
template <template <typename...> class F, typename X>
class ConditionReduction : public PositionReduction<X> {
  using C = detail::Joined<X>;
  static constexpr bool LAST = F<C>::isLast;

  static IndexValue<X> chosen(const IndexValue<X>& a, const IndexValue<X>& b) {
    if (a.index < 0 || b.index < 0) return a.index < 0 ? b : a;
    return (LAST ? b.index > a.index : b.index < a.index) ? b : a;
  }

 public:
  static constexpr const char* formula = F<C>::formula;

  static X startingValue(const X* = nullptr) { return static_cast<X>(0); }
  static IndexValue<X> startingIndexValue(const X* = nullptr) { return {startingValue(), -1}; }
  static IndexValue<X> op(IndexValue<X> x, X* = nullptr) { return x; }
  static IndexValue<X> update(const IndexValue<X>& old, const IndexValue<X>& opOutput, X* params) {
    if (params == nullptr) detail::failWithoutParams(formula);
    const C p[] = {static_cast<C>(params[0]), static_cast<C>(params[1]), static_cast<C>(params[2])};
    return F<C>::op(static_cast<C>(opOutput.value), p) ? chosen(old, opOutput) : old;
  }
  /// Of two results of `update`.
  static IndexValue<X> merge(IndexValue<X> a, IndexValue<X> b, X* = nullptr) { return chosen(a, b); }
};

// -------------------------------------------------------------------------------------------------------- statistics

template <template <typename...> class F, typename X, typename Z>
struct StatisticsReduction {
  using Data = functions::summarystats::SummaryStatsData<X>;
  static constexpr const char* formula = F<double>::formula;

  static Z getValue(bool biasCorrected, Data data) {
    return static_cast<Z>(F<double>::value({data.n, data.mean, data.M2}, biasCorrected));
  }
  static Data op(Data data, Z* = nullptr) { return data; }
};

// ------------------------------------------------------------------------------------------------------------- lists

#define SD_NARROW(TEMPLATE, NAME, X) \
  template <>                        \
  struct NAME<X> : TEMPLATE<simdOps::NAME, X> {};
#define SD_SAME_REDUCTION(NAME)            \
  SD_NARROW(SameReduction, NAME, float16)  \
  SD_NARROW(SameReduction, NAME, bfloat16) \
  SD_NARROW(SameReduction, NAME, bool)
#define SD_REDUCTION(TEMPLATE, NAME) \
  template <typename X, typename Z>  \
  struct NAME<X, Z> : TEMPLATE<simdOps::NAME, X, Z> {};
#define SD_TEST(NAME)               \
  template <typename X, typename Z> \
  struct NAME<X, Z> : Typed<simdOps::NAME, X, X, Z>, TestReduction<simdOps::NAME, X, Z> {};
#define SD_COUNT(NAME)              \
  template <typename X, typename Z> \
  struct NAME<X, Z> : Typed<simdOps::NAME, X, X, Z>, CountReduction<X, Z> {};
#define SD_POSITION(TEMPLATE, NAME, TYPE)                     \
  template <typename X, typename Z>                           \
  struct NAME<X, Z> : TEMPLATE<simdOps::NAME, X> {            \
    static constexpr functions::ReduceType reduceType = TYPE; \
  };

// clang-format off
SD_SAME_REDUCTION(Sum) SD_SAME_REDUCTION(Max) SD_SAME_REDUCTION(Min) SD_SAME_REDUCTION(Prod) SD_SAME_REDUCTION(ASum)
SD_SAME_REDUCTION(AMax) SD_SAME_REDUCTION(AMin) SD_SAME_REDUCTION(ReduceSameBenchmarkOp)

SD_REDUCTION(FloatReduction, Mean) SD_REDUCTION(FloatReduction, Norm1) SD_REDUCTION(FloatReduction, Norm2)
SD_REDUCTION(FloatReduction, NormFrobenius) SD_REDUCTION(FloatReduction, NormMax) SD_REDUCTION(FloatReduction, NormP)
SD_REDUCTION(FloatReduction, SquaredNorm) SD_REDUCTION(FloatReduction, Entropy)
SD_REDUCTION(FloatReduction, LogEntropy) SD_REDUCTION(FloatReduction, ShannonEntropy)
SD_REDUCTION(FloatReduction, ReduceFloatBenchmarkOp)

SD_TEST(IsInf) SD_TEST(IsNan) SD_TEST(IsFinite) SD_TEST(IsInfOrNan) SD_TEST(IsPositive) SD_TEST(IsNegative)
SD_TEST(Any) SD_TEST(All)
SD_COUNT(CountNonZero) SD_COUNT(CountZero) SD_COUNT(MatchCondition)

SD_REDUCTION(PairReduction, ManhattanDistance) SD_REDUCTION(PairReduction, EuclideanDistance)
SD_REDUCTION(PairReduction, CosineSimilarity) SD_REDUCTION(PairReduction, Dot)
SD_REDUCTION(PairReduction, EqualsWithEps) SD_REDUCTION(PairReduction, CosineDistance)
SD_REDUCTION(PairReduction, JaccardDistance) SD_REDUCTION(PairReduction, SimpleHammingDistance)

SD_POSITION(BestReduction, IndexMax, functions::MAX) SD_POSITION(BestReduction, IndexMin, functions::MIN)
SD_POSITION(BestReduction, IndexAbsoluteMax, functions::AMAX)
SD_POSITION(BestReduction, IndexAbsoluteMin, functions::AMIN)
SD_POSITION(ConditionReduction, FirstIndex, functions::MIN) SD_POSITION(ConditionReduction, LastIndex, functions::MAX)

SD_REDUCTION(StatisticsReduction, SummaryStatsVariance)
SD_REDUCTION(StatisticsReduction, SummaryStatsStandardDeviation)
// clang-format on

#undef SD_NARROW
#undef SD_SAME_REDUCTION
#undef SD_REDUCTION
#undef SD_TEST
#undef SD_COUNT
#undef SD_POSITION

}  // namespace simdOps

#endif
