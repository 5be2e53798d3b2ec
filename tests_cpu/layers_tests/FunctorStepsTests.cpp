// Functors of reductions, distances, positions, statistics and random numbers, called step by step as programs call
// them. Expected values are closed forms.
#include <array/NDArrayFactory.h>
#include <gtest/gtest.h>
#include <loops/OpList.h>
#include <loops/legacy_ops.h>
#include <loops/random.h>
#include <ops/ops.h>
#include <ops/random_ops.h>
#include <ops/special_random_ops.h>

#include <cmath>
#include <concepts>
#include <limits>
#include <memory>
#include <vector>

using namespace sd;
using functions::indexreduce::IndexValue;
using functions::summarystats::SummaryStatsData;

namespace {

// ------------------------------------------------------------------------------------- which members functors have

template <typename F, typename X>
concept SameSteps = requires(X x, X* params, const X* input, LongType n) {
  { F::startingValue(input) } -> std::same_as<X>;
  { F::op(x, params) } -> std::same_as<X>;
  { F::update(x, x, params) } -> std::same_as<X>;
  { F::merge(x, x, params) } -> std::same_as<X>;
  { F::postProcess(x, n, params) } -> std::same_as<X>;
  { F::op(x, nullptr) } -> std::same_as<X>;
  { F::update(x, x, nullptr) } -> std::same_as<X>;
  requires !F::requiresSpecialAccumulation;
  { F::reduceType } -> std::convertible_to<functions::ReduceType>;
  F::execSpecial(params, nullptr, params, params, nullptr, static_cast<int*>(nullptr), 1, nullptr, nullptr);
};

template <typename F, typename X, typename Z>
concept FloatSteps = requires(X x, Z* params, const X* input, typename F::InterType acc, LongType n) {
  { F::startingValue(input) } -> std::same_as<X>;
  { F::op(x, params) } -> std::same_as<typename F::InterType>;
  { F::update(acc, acc, params) } -> std::same_as<typename F::InterType>;
  { F::merge(acc, acc, params) } -> std::same_as<typename F::InterType>;
  { F::postProcess(acc, n, params) } -> std::same_as<Z>;
  requires !F::requiresSpecialAccumulation;
};

template <typename F, typename X, typename Acc, typename Z>
concept TestSteps = requires(X x, X* params, const X* input, Acc acc, LongType n) {
  { F::startingValue(input) } -> std::same_as<Acc>;
  { F::op(x, params) } -> std::same_as<Z>;
  { F::update(acc, acc, params) } -> std::same_as<Z>;
  { F::merge(acc, acc, params) } -> std::same_as<Z>;
  { F::postProcess(acc, n, params) } -> std::same_as<Z>;
  requires !F::requiresSpecialAccumulation;
};

template <typename F, typename X, typename Z>
concept PairSteps = requires(X x, Z z, Z* state, const X* input, LongType n) {
  { F::extraParamsLen } -> std::convertible_to<int>;
  { F::startingValue(input) } -> std::same_as<Z>;
  { F::op(x, x, state) } -> std::same_as<Z>;
  { F::update(z, z, state) } -> std::same_as<Z>;
  { F::merge(z, z, state) } -> std::same_as<Z>;
  { F::postProcess(z, n, state) } -> std::same_as<Z>;
  F::aggregateExtraParams(state, state);
  F::finalizeExtraParams(F::generateExtraParams());
};

template <typename F, typename X>
concept IndexSteps = requires(X x, X* params, const X* input, IndexValue<X> a, IndexValue<X> b) {
  { F::startingIndexValue(input) } -> std::same_as<IndexValue<X>>;
  { F::startingValue(input) } -> std::same_as<X>;
  { F::op(a, params) } -> std::same_as<IndexValue<X>>;
  { F::update(a, b, params) } -> std::same_as<IndexValue<X>>;
  { F::merge(a, b, params) } -> std::same_as<IndexValue<X>>;
  { F::postProcess(a, 2, 0, params, 1, params, params) } -> std::same_as<IndexValue<X>>;
};

template <typename F, typename X, typename Z>
concept StatisticsSteps = requires(SummaryStatsData<X> data, Z* params) {
  { F::getValue(true, data) } -> std::same_as<Z>;
  { F::op(data, params) } -> std::same_as<SummaryStatsData<X>>;
};

template <typename F, typename X>
concept RandomSteps = requires(X x, X* params, graph::RandomGenerator* generator, LongType i, const LongType* shape) {
  { F::requiresSpecial } -> std::convertible_to<bool>;
  { F::op(i, i, generator, params) } -> std::same_as<X>;
  { F::op(x, i, i, generator, params) } -> std::same_as<X>;
  { F::op(x, x, i, i, generator, params) } -> std::same_as<X>;
  F::specialOp(static_cast<Pointer>(generator), params, shape, params, shape, params, shape, params);
};

template <typename F, typename X>
concept Transform = requires(X x, X* params) {
  { F::op(x, params) } -> std::same_as<X>;
  requires !F::requiresSpecial;
  F::execSpecial(params, nullptr, params, nullptr, params, nullptr, nullptr);
};

// Each check is a template of the functor and of a type of elements.
template <template <typename...> class F, typename X>
constexpr bool hasTransform = Transform<F<X>, X>;
template <template <typename...> class F, typename X>
constexpr bool hasSame = SameSteps<F<X>, X>;
template <template <typename...> class F, typename X>
constexpr bool hasFloat = FloatSteps<F<X, float>, X, float>&& FloatSteps<F<X, float16>, X, float16>&&
    FloatSteps<F<X, double>, X, double>&& std::same_as<typename F<X, bfloat16>::InterType, float>;
template <template <typename...> class F, typename X>
constexpr bool hasTest = TestSteps<F<X, bool>, X, X, bool>;
template <template <typename...> class F, typename X>
constexpr bool hasCount = TestSteps<F<X, LongType>, X, LongType, LongType>;
template <template <typename...> class F, typename X>
constexpr bool hasPairs = PairSteps<F<X, float>, X, float>&& PairSteps<F<X, float16>, X, float16>;
template <template <typename...> class F, typename X>
constexpr bool hasIndex = IndexSteps<F<X, LongType>, X>&& IndexSteps<F<X, int>, X>;
template <template <typename...> class F, typename X>
constexpr bool hasStatistics = StatisticsSteps<F<X, float>, X, float>&& StatisticsSteps<F<X, double>, X, double>;
template <template <typename...> class F, typename X>
constexpr bool hasRandom = RandomSteps<F<X>, X>;

#define SD_FLOATS(CHECK, FUNCTOR)                                                                             \
  static_assert(                                                                                              \
      CHECK<FUNCTOR, float16> && CHECK<FUNCTOR, bfloat16> && CHECK<FUNCTOR, float> && CHECK<FUNCTOR, double>, \
      #CHECK ", " #FUNCTOR);
#define SD_ALL(CHECK, FUNCTOR)                                                                                      \
  SD_FLOATS(CHECK, FUNCTOR)                                                                                         \
  static_assert(CHECK<FUNCTOR, bool> && CHECK<FUNCTOR, int8_t> && CHECK<FUNCTOR, int16_t> && CHECK<FUNCTOR, int> && \
                    CHECK<FUNCTOR, LongType> && CHECK<FUNCTOR, uint8_t> && CHECK<FUNCTOR, uint16_t> &&              \
                    CHECK<FUNCTOR, uint32_t> && CHECK<FUNCTOR, uint64_t>,                                           \
                #CHECK ", " #FUNCTOR);
#define SD_TRANSFORM_SAME(NUMBER, FUNCTOR) SD_ALL(hasTransform, FUNCTOR)
#define SD_TRANSFORM_STRICT(NUMBER, FUNCTOR) SD_FLOATS(hasTransform, FUNCTOR)
#define SD_REDUCE_SAME(NUMBER, FUNCTOR) SD_ALL(hasSame, FUNCTOR)
#define SD_REDUCE_FLOAT(NUMBER, FUNCTOR) SD_ALL(hasFloat, FUNCTOR)
#define SD_REDUCE_BOOL(NUMBER, FUNCTOR) SD_ALL(hasTest, FUNCTOR)
#define SD_REDUCE_LONG(NUMBER, FUNCTOR) SD_ALL(hasCount, FUNCTOR)
#define SD_REDUCE3(NUMBER, FUNCTOR) SD_ALL(hasPairs, FUNCTOR)
#define SD_INDEX_REDUCE(NUMBER, FUNCTOR) SD_ALL(hasIndex, FUNCTOR)
#define SD_STATISTICS(NUMBER, FUNCTOR) SD_ALL(hasStatistics, FUNCTOR)
#define SD_RANDOM(NUMBER, FUNCTOR) SD_FLOATS(hasRandom, FUNCTOR)
SD_FOR_EACH_OP(SD_TRANSFORM_SAME, TRANSFORM_SAME_OPS)
SD_FOR_EACH_OP(SD_TRANSFORM_STRICT, TRANSFORM_STRICT_OPS)
SD_FOR_EACH_OP(SD_REDUCE_SAME, REDUCE_SAME_OPS)
SD_FOR_EACH_OP(SD_REDUCE_FLOAT, REDUCE_FLOAT_OPS)
SD_FOR_EACH_OP(SD_REDUCE_BOOL, REDUCE_BOOL_OPS)
SD_FOR_EACH_OP(SD_REDUCE_LONG, REDUCE_LONG_OPS)
SD_FOR_EACH_OP(SD_REDUCE3, REDUCE3_OPS)
SD_FOR_EACH_OP(SD_INDEX_REDUCE, INDEX_REDUCE_OPS)
SD_FOR_EACH_OP(SD_STATISTICS, SUMMARY_STATS_OPS)
SD_FOR_EACH_OP(SD_RANDOM, RANDOM_OPS)

static_assert(simdOps::Sum<float>::reduceType == functions::ReduceType::SUM);
static_assert(simdOps::Prod<int>::reduceType == functions::ReduceType::PRODUCT);
static_assert(simdOps::AMax<double>::reduceType == functions::ReduceType::AMAX);
static_assert(simdOps::IndexMin<float, LongType>::reduceType == functions::ReduceType::MIN);
static_assert(simdOps::CosineSimilarity<float, float>::extraParamsLen == 2);
static_assert(simdOps::Dot<float, float>::extraParamsLen == 0);

// -------------------------------------------------------------------------------------------------------- the steps

/// Applies the steps to two parts, as two threads would, and merges them.
template <typename F, typename Acc, typename X, typename P>
auto reduceInParts(const std::vector<double>& values, P* params) {
  const X first = static_cast<X>(values[0]);
  Acc parts[2];
  const size_t half = values.size() / 2;
  for (int part = 0; part < 2; part++) {
    parts[part] = static_cast<Acc>(F::startingValue(&first));
    for (size_t i = part == 0 ? 0 : half; i < (part == 0 ? half : values.size()); i++)
      parts[part] =
          static_cast<Acc>(F::update(parts[part], static_cast<Acc>(F::op(static_cast<X>(values[i]), params)), params));
  }
  return F::postProcess(static_cast<Acc>(F::merge(parts[0], parts[1], params)), static_cast<LongType>(values.size()),
                        params);
}

template <template <typename...> class F, typename X>
double same(const std::vector<double>& values) {
  X params[1] = {};
  return static_cast<double>(reduceInParts<F<X>, X, X>(values, params));
}

template <template <typename...> class F, typename X, typename Z>
double toFloat(const std::vector<double>& values) {
  Z params[] = {static_cast<Z>(3.f)};
  return static_cast<double>(reduceInParts<F<X, Z>, typename F<X, Z>::InterType, X>(values, params));
}

template <template <typename...> class F, typename X>
bool toTruth(const std::vector<double>& values) {
  return reduceInParts<F<X, bool>, X, X>(values, static_cast<X*>(nullptr));
}

/// compare 1, eps 0, condition 3: x > 1
template <template <typename...> class F, typename X>
double toCount(const std::vector<double>& values) {
  X params[] = {static_cast<X>(1), static_cast<X>(0), static_cast<X>(3)};
  return static_cast<double>(reduceInParts<F<X, LongType>, LongType, X>(values, params));
}

struct Row {
  const char* functor;
  double (*reduce)(const std::vector<double>&);
  double expected;
};

void check(const std::vector<Row>& rows, const std::vector<double>& values, double tolerance = 0) {
  for (const Row& row : rows)
    EXPECT_NEAR(row.reduce(values), row.expected, tolerance * std::fabs(row.expected)) << row.functor;
}

const std::vector<double> SIGNED = {3, -1, 4, 1, -5}, UNSIGNED = {3, 1, 4, 1, 5};

template <typename X>
void checkSame(const std::vector<double>& values, const std::vector<double>& expected) {
  using namespace simdOps;
  const std::vector<double (*)(const std::vector<double>&)> functors = {
      same<Sum, X>, same<Prod, X>, same<Max, X>, same<Min, X>, same<ASum, X>, same<AMax, X>, same<AMin, X>};
  const char* names[] = {"Sum", "Prod", "Max", "Min", "ASum", "AMax", "AMin"};
  for (size_t i = 0; i < expected.size(); i++) check({{names[i], functors[i], expected[i]}}, values);
}

template <typename X, typename Z>
void checkFloat(double tolerance) {
  using namespace simdOps;
  check({{"Mean", toFloat<Mean, X, Z>, 0.4},
         {"AMean", toFloat<AMean, X, Z>, 2.8},
         {"Norm1", toFloat<Norm1, X, Z>, 14},
         {"Norm2", toFloat<Norm2, X, Z>, std::sqrt(52.)},
         {"NormFrobenius", toFloat<NormFrobenius, X, Z>, std::sqrt(52.)},
         {"NormMax", toFloat<NormMax, X, Z>, 5},
         {"NormP", toFloat<NormP, X, Z>, std::cbrt(218.)},
         {"SquaredNorm", toFloat<SquaredNorm, X, Z>, 52}},
        SIGNED, tolerance);
  if constexpr (!std::is_integral_v<X>) {
    const double nats = 1.5 * std::log(2.);
    check({{"Entropy", toFloat<Entropy, X, Z>, nats},
           {"LogEntropy", toFloat<LogEntropy, X, Z>, std::log(nats)},
           {"ShannonEntropy", toFloat<ShannonEntropy, X, Z>, 1.5}},
          {0.5, 0.25, 0.25, 0}, tolerance);
  }
}

}  // namespace

TEST(FunctorStepsTests, ReductionsOfTheSameType) {
  const std::vector<double> ofSigned = {2, 60, 4, -5, 14, 5, 1}, ofUnsigned = {14, 60, 5, 1, 14, 5, 1};
  checkSame<float>(SIGNED, ofSigned);
  checkSame<double>(SIGNED, ofSigned);
  checkSame<float16>(SIGNED, ofSigned);
  checkSame<bfloat16>(SIGNED, ofSigned);
  checkSame<int8_t>(SIGNED, ofSigned);
  checkSame<int16_t>(SIGNED, ofSigned);
  checkSame<int>(SIGNED, ofSigned);
  checkSame<LongType>(SIGNED, ofSigned);
  checkSame<uint8_t>(UNSIGNED, ofUnsigned);
  checkSame<uint32_t>(UNSIGNED, ofUnsigned);
  checkSame<uint64_t>(UNSIGNED, ofUnsigned);
  checkSame<bool>({1, 0, 1}, {1, 0, 1, 0, 1, 1, 0});
  checkSame<bool>({0, 0}, {0, 0, 0, 0, 0, 0, 0});
  checkSame<bool>({1, 1, 1}, {1, 1, 1, 1, 1, 1, 1});
}

TEST(FunctorStepsTests, SingleStepsOfTheSameType) {
  const float in[] = {-3, 2, 1};
  EXPECT_EQ(simdOps::Sum<float>::startingValue(in), 0);
  EXPECT_EQ(simdOps::Prod<float>::startingValue(in), 1);
  EXPECT_EQ(simdOps::Max<float>::startingValue(in), -std::numeric_limits<float>::infinity());
  EXPECT_EQ(simdOps::Min<float>::startingValue(in), std::numeric_limits<float>::infinity());
  EXPECT_EQ(simdOps::Max<uint8_t>::startingValue(nullptr), 0);
  EXPECT_EQ(simdOps::Max<int>::startingValue(nullptr), std::numeric_limits<int>::lowest());
  EXPECT_FALSE(simdOps::Max<bool>::startingValue(nullptr));
  EXPECT_EQ(simdOps::AMax<float>::startingValue(in), -3);
  EXPECT_EQ(simdOps::AMin<float>::startingValue(in), -3);
  // Magnitudes, whatever the sign of the arguments
  EXPECT_EQ(simdOps::AMax<float>::update(-3, 2, nullptr), 3);
  EXPECT_EQ(simdOps::AMin<float>::merge(-3, -2, nullptr), 2);
  EXPECT_EQ(simdOps::ASum<float>::update(-3, -2, nullptr), 5);
  EXPECT_EQ(simdOps::ASum<float>::postProcess(-3, 4, nullptr), 3);
  EXPECT_EQ(simdOps::AMax<int>::postProcess(-3, 4, nullptr), 3);
  EXPECT_EQ(simdOps::NormMax<float>::update(2, 3), 3);
  EXPECT_EQ((simdOps::NormMax<int, float>::update(-3, 2, nullptr)), 3);
  const float nan = std::numeric_limits<float>::quiet_NaN();
  EXPECT_EQ(simdOps::Max<float>::update(1, nan, nullptr), 1);
  EXPECT_EQ(simdOps::AMin<float>::update(1, nan, nullptr), 1);
}

TEST(FunctorStepsTests, ReductionsToFloat) {
  checkFloat<float, float>(1e-6);
  checkFloat<double, double>(1e-15);
  checkFloat<int, double>(1e-15);
  checkFloat<int8_t, float>(1e-6);
  checkFloat<LongType, float16>(1e-3);
  checkFloat<float16, float16>(1e-3);
  checkFloat<bfloat16, float>(1e-6);
  EXPECT_EQ((toFloat<simdOps::Mean, bool, float>({1, 1, 0, 0, 1, 1, 0, 0})), 0.5);
  // The accumulator is wide: 4096 times 3 does not fit into the digits of a float16.
  EXPECT_EQ((toFloat<simdOps::Mean, float16, float16>(std::vector<double>(4096, 3))), 3);
  EXPECT_EQ((simdOps::Mean<float, float>::startingValue(nullptr)), 0);
  EXPECT_TRUE(std::isnan((simdOps::Mean<float, double>::postProcess(0, 0, nullptr))));
  EXPECT_EQ((simdOps::AMean<float, float>::postProcess(-6, 3, nullptr)), 2);
  EXPECT_THROW((simdOps::NormP<float, float>::op(1, nullptr)), std::runtime_error);
  EXPECT_THROW((simdOps::NormP<float, float>::postProcess(1, 1, nullptr)), std::runtime_error);
}

TEST(FunctorStepsTests, ReductionsToTruthValues) {
  using namespace simdOps;
  const double nan = std::numeric_limits<double>::quiet_NaN(), inf = std::numeric_limits<double>::infinity();
  const struct {
    const char* functor;
    bool (*ofFloats)(const std::vector<double>&);
    bool (*ofHalves)(const std::vector<double>&);
    std::vector<bool> expected;  ///< for {0, 0}, {1, 2}, {-1, 0}, {nan, 1}, {-inf, 1}
  } rows[] = {
      {"Any", toTruth<Any, float>, toTruth<Any, float16>, {false, true, true, true, true}},
      {"All", toTruth<All, float>, toTruth<All, float16>, {false, true, false, true, true}},
      {"IsFinite", toTruth<IsFinite, float>, toTruth<IsFinite, float16>, {true, true, true, false, false}},
      {"IsInfOrNan", toTruth<IsInfOrNan, float>, toTruth<IsInfOrNan, float16>, {false, false, false, true, true}},
      {"IsNan", toTruth<IsNan, float>, toTruth<IsNan, float16>, {false, false, false, true, false}},
      {"IsInf", toTruth<IsInf, float>, toTruth<IsInf, float16>, {false, false, false, false, true}},
      {"IsPositive", toTruth<IsPositive, float>, toTruth<IsPositive, float16>, {false, true, false, true, true}},
      {"IsNegative", toTruth<IsNegative, float>, toTruth<IsNegative, float16>, {false, false, true, false, true}}};
  const std::vector<std::vector<double>> inputs = {{0, 0}, {1, 2}, {-1, 0}, {nan, 1}, {-inf, 1}};
  for (const auto& row : rows)
    for (size_t i = 0; i < inputs.size(); i++) {
      EXPECT_EQ(row.ofFloats(inputs[i]), row.expected[i]) << row.functor << " " << i;
      EXPECT_EQ(row.ofHalves(inputs[i]), row.expected[i]) << row.functor << " " << i;
    }
  EXPECT_TRUE((toTruth<All, bool>({1, 1})));
  EXPECT_FALSE((toTruth<All, bool>({1, 0})));
  EXPECT_TRUE((toTruth<Any, uint8_t>({0, 200})));
  EXPECT_EQ((All<int, bool>::startingValue(nullptr)), 1);
  EXPECT_EQ((Any<int, bool>::startingValue(nullptr)), 0);
}

TEST(FunctorStepsTests, ReductionsToNumbersOfElements) {
  using namespace simdOps;
  const double nan = std::numeric_limits<double>::quiet_NaN();
  check({{"CountNonZero", toCount<CountNonZero, float>, 4},
         {"CountZero", toCount<CountZero, float>, 2},
         {"MatchCondition", toCount<MatchCondition, float>, 2}},
        {0, 2, nan, -0., 3, 1});
  check({{"CountNonZero", toCount<CountNonZero, int8_t>, 3},
         {"CountZero", toCount<CountZero, float16>, 1},
         {"MatchCondition", toCount<MatchCondition, bfloat16>, 2},
         {"MatchCondition", toCount<MatchCondition, uint16_t>, 2}},
        {0, 2, 3, 1});
  check({{"CountNonZero", toCount<CountNonZero, bool>, 2}, {"CountZero", toCount<CountZero, bool>, 1}}, {0, 1, 1});
  EXPECT_EQ((MatchCondition<float, uint64_t>::update(3, 4, nullptr)), 7u);
}

namespace {

struct Pair {
  const char* functor;
  double (*reduce)(double eps);
  double expected;
};

/// Two parts with a state each, which are joined as threads join them.
template <template <typename...> class F, typename X, typename Z>
double ofPairs(double eps) {
  using D = F<X, Z>;
  const double x[] = {3, 1, 4, 1, 5}, y[] = {2, 0, 1, 1, 13};
  Z states[2][3] = {}, sums[2];
  for (int part = 0; part < 2; part++) {
    states[part][2] = static_cast<Z>(eps);
    sums[part] = D::startingValue(nullptr);
    for (int i = 2 * part; i < 2 + 3 * part; i++)
      sums[part] = D::update(sums[part], D::op(static_cast<X>(x[i]), static_cast<X>(y[i]), states[part]), states[part]);
  }
  D::aggregateExtraParams(states[0], states[1]);
  return static_cast<double>(D::postProcess(D::merge(sums[0], sums[1], states[0]), 5, states[0]));
}

template <typename X, typename Z>
void checkPairs(double tolerance) {
  using namespace simdOps;
  const double cosine = 76 / std::sqrt(52. * 175);
  const Pair rows[] = {{"ManhattanDistance", ofPairs<ManhattanDistance, X, Z>, 13},
                       {"EuclideanDistance", ofPairs<EuclideanDistance, X, Z>, std::sqrt(75.)},
                       {"Dot", ofPairs<Dot, X, Z>, 76},
                       {"CosineSimilarity", ofPairs<CosineSimilarity, X, Z>, cosine},
                       {"CosineDistance", ofPairs<CosineDistance, X, Z>, 1 - cosine},
                       {"JaccardDistance", ofPairs<JaccardDistance, X, Z>, 1 - 9. / 22},
                       {"SimpleHammingDistance", ofPairs<SimpleHammingDistance, X, Z>, 0.8}};
  for (const Pair& row : rows) EXPECT_NEAR(row.reduce(0), row.expected, tolerance * row.expected) << row.functor;
  EXPECT_EQ((ofPairs<EqualsWithEps, X, Z>(0)), 4);
  EXPECT_EQ((ofPairs<EqualsWithEps, X, Z>(0.5)), 3);  // 3 and 2 differ by less than half of 3
}

}  // namespace

TEST(FunctorStepsTests, PairsOfElements) {
  using namespace simdOps;
  checkPairs<float, float>(2e-6);
  checkPairs<double, double>(1e-14);
  checkPairs<int, double>(1e-14);
  checkPairs<uint8_t, float>(2e-6);  // x - y does not wrap
  checkPairs<float16, float>(2e-6);
  checkPairs<LongType, float16>(4e-3);
  EXPECT_EQ((Dot<float, float>::op(2, 3, nullptr)), 6);
  EXPECT_EQ((EqualsWithEps<float, float>::op(2, 3, nullptr)), 1);
  EXPECT_EQ((Dot<float, float>::generateExtraParams()), nullptr);
  EXPECT_THROW((CosineSimilarity<float, float>::op(2, 3, nullptr)), std::runtime_error);
  EXPECT_THROW((JaccardDistance<float, float>::postProcess(2, 3, nullptr)), std::runtime_error);
  float state[3] = {};
  EXPECT_TRUE(std::isnan((CosineSimilarity<float, float>::postProcess(0, 1, state))));
}

namespace {

template <template <typename...> class F, typename X>
LongType position(const std::vector<double>& values) {
  using I = F<X, LongType>;
  X params[] = {static_cast<X>(1), static_cast<X>(0), static_cast<X>(3)};  // x > 1
  IndexValue<X> parts[2] = {I::startingIndexValue(nullptr), I::startingIndexValue(nullptr)};
  for (size_t i = 0; i < values.size(); i++) {
    IndexValue<X> element(static_cast<X>(values[i]), static_cast<LongType>(i));
    IndexValue<X>& part = parts[i < values.size() / 2 ? 0 : 1];
    element = I::op(element, params);
    part = I::update(part, element, params);
  }
  // The later part first: of equal values the lowest position still wins.
  const IndexValue<X> merged = I::merge(parts[1], parts[0], params);
  return I::postProcess(merged, static_cast<int>(values.size()), 0, nullptr, 1, params, nullptr).index;
}

}  // namespace

TEST(FunctorStepsTests, Positions) {
  using namespace simdOps;
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const struct {
    const char* functor;
    LongType (*ofFloats)(const std::vector<double>&);
    LongType (*ofIntegers)(const std::vector<double>&);
    std::vector<LongType> expected;
  } rows[] = {{"IndexMax", position<IndexMax, float>, position<IndexMax, int8_t>, {2, 0, 0}},
              {"IndexMin", position<IndexMin, float>, position<IndexMin, int8_t>, {1, 0, 1}},
              {"IndexAbsoluteMax", position<IndexAbsoluteMax, float>, position<IndexAbsoluteMax, int8_t>, {1, 0, 1}},
              {"IndexAbsoluteMin", position<IndexAbsoluteMin, float>, position<IndexAbsoluteMin, int8_t>, {3, 0, 0}},
              {"FirstIndex", position<FirstIndex, float>, position<FirstIndex, int8_t>, {0, 0, -1}},
              {"LastIndex", position<LastIndex, float>, position<LastIndex, int8_t>, {2, 3, -1}}};
  const std::vector<std::vector<double>> inputs = {{3, -7, 7, 1, -1}, {2, 2, 2, 2}, {-1, -3, -2}};
  for (const auto& row : rows)
    for (size_t i = 0; i < inputs.size(); i++) {
      EXPECT_EQ(row.ofFloats(inputs[i]), row.expected[i]) << row.functor << " " << i;
      EXPECT_EQ(row.ofIntegers(inputs[i]), row.expected[i]) << row.functor << " " << i;
    }
  EXPECT_EQ((position<IndexMax, float>({nan, 1, 2, nan})), 2);
  EXPECT_EQ((position<IndexMin, float16>({nan, 1, 2, nan})), 1);
  EXPECT_EQ((position<IndexMax, bool>({0, 0, 1, 1})), 2);
  EXPECT_EQ((position<IndexMin, bool>({1, 1, 0, 0})), 2);
  EXPECT_EQ((position<IndexMax, uint8_t>({0, 0, 1})), 2);
  EXPECT_THROW((FirstIndex<float, LongType>::update({}, {1.f, 0}, nullptr)), std::runtime_error);
}

TEST(FunctorStepsTests, Statistics) {
  SummaryStatsData<float> data;
  data.initialize();
  float params[1] = {};
  for (float v : {1.f, 2.f, 3.f, 6.f}) data.add(v);
  data = simdOps::SummaryStatsVariance<float, float>::op(data, params);
  EXPECT_FLOAT_EQ((simdOps::SummaryStatsVariance<float, float>::getValue(true, data)), 14.f / 3);
  EXPECT_FLOAT_EQ((simdOps::SummaryStatsVariance<float, float>::getValue(false, data)), 3.5f);
  EXPECT_DOUBLE_EQ((simdOps::SummaryStatsStandardDeviation<float, double>::getValue(false, data)), std::sqrt(3.5));
  data.initWithValue(4);
  EXPECT_EQ((simdOps::SummaryStatsVariance<float, float>::getValue(true, data)), 0);
}

TEST(FunctorStepsTests, TransformsOf16BitFloatsAreComputedInFloat) {
  using namespace simdOps;
  float16* const none = nullptr;
  const float16 limits[] = {float16(-1), float16(2)};
  EXPECT_EQ(Abs<float16>::op(float16(-2), none), float16(2));
  EXPECT_EQ(Cube<bfloat16>::op(bfloat16(-2), nullptr), bfloat16(-8));
  EXPECT_EQ(ClipByValue<float16>::op(float16(5), limits), float16(2));
  EXPECT_EQ(RationalTanh<float16>::op(float16(100), none), float16(1.7159f));  // d^4 is above the largest float16
  EXPECT_EQ(PreciseGELU<float16>::op(float16(60), none), float16(60));
  EXPECT_EQ(Tanh<bfloat16>::op(bfloat16(1), nullptr), bfloat16(0.76159416f));
  EXPECT_EQ(Round<float16>::op(float16(2.5f), none), float16(3));
  EXPECT_TRUE(OneMinus<bool>::op(false, nullptr));
  EXPECT_FALSE(Cube<bool>::op(false, nullptr));
  EXPECT_TRUE(Ones<bool>::op(false, nullptr));
}

namespace {

/// Element i of each form that the operation has is element i of the array that it gives.
template <template <typename> class F, typename X>
void checkRandom(int number, const char* name, int forms, int n) {
  const auto type = DataTypeUtils::fromT<X>();
  NDArray x('c', {n}, type), y('c', {n}, type), z('c', {n}, type);
  x.linspace(0.125, 0.0625);
  y.linspace(0.875, -0.0625);
  X params[] = {static_cast<X>(3), static_cast<X>(0.5f), static_cast<X>(0.25f), static_cast<X>(0.125f)};
  using Array = functions::random::RandomFunction<X>;
  for (int form = 1; form <= 4; form *= 2) {
    graph::RandomGenerator generator(11, 22), before(11, 22);
    const auto element = [&](LongType i) {
      return form == 1   ? F<X>::op(i, n, &before, params)
             : form == 2 ? F<X>::op(x.e<X>(i), i, n, &before, params)
                         : F<X>::op(x.e<X>(i), y.e<X>(i), i, n, &before, params);
    };
    if ((forms & form) == 0) {
      EXPECT_THROW(element(0), std::runtime_error) << name << " form " << form;
      continue;
    }
    if (form == 1 && F<X>::requiresSpecial)  // y is z: there is no y
      F<X>::specialOp(&generator, z.bufferAsT<X>(), z.shapeInfo(), z.bufferAsT<X>(), z.shapeInfo(), z.bufferAsT<X>(),
                      z.shapeInfo(), params);
    else if (form == 1)
      Array::execTransform(number, &generator, z.buffer(), z.shapeInfo(), params);
    else if (form == 2)
      Array::execTransform(number, &generator, x.buffer(), x.shapeInfo(), z.buffer(), z.shapeInfo(), params);
    else
      Array::execTransform(number, &generator, x.buffer(), x.shapeInfo(), y.buffer(), y.shapeInfo(), z.buffer(),
                           z.shapeInfo(), params);
    for (LongType i = 0; i < n; i++) EXPECT_EQ(element(i), z.e<X>(i)) << name << " form " << form << " element " << i;
    EXPECT_THROW(element(n), std::exception) << name;
  }
}

}  // namespace

TEST(FunctorStepsTests, RandomNumbers) {
  using namespace randomOps;
  const struct {
    const char* functor;
    void (*ofFloats)(int, const char*, int, int);
    void (*ofHalves)(int, const char*, int, int);
    int number;
    int forms;  ///< 1: no inputs, 2: x, 4: x and y
  } rows[] = {
#define SD_ROW(NUMBER, FUNCTOR, FORMS) \
  {#FUNCTOR, checkRandom<FUNCTOR, float>, checkRandom<FUNCTOR, float16>, NUMBER, FORMS},
      SD_ROW(0, UniformDistribution, 1) SD_ROW(1, DropOut, 2) SD_ROW(2, DropOutInverted, 2)
          SD_ROW(3, ProbablisticMerge, 4) SD_ROW(4, Linspace, 1) SD_ROW(6, GaussianDistribution, 5)
              SD_ROW(7, BernoulliDistribution, 3) SD_ROW(8, BinomialDistribution, 1)
                  SD_ROW(9, BinomialDistributionEx, 5) SD_ROW(10, LogNormalDistribution, 5)
                      SD_ROW(11, TruncatedNormalDistribution, 5) SD_ROW(12, AlphaDropOut, 2)
                          SD_ROW(13, ExponentialDistribution, 3) SD_ROW(14, ExponentialDistributionInv, 3)
                              SD_ROW(15, PoissonDistribution, 3) SD_ROW(16, GammaDistribution, 3)
#undef SD_ROW
  };
  for (const auto& row : rows) {
    row.ofFloats(row.number, row.functor, row.forms, 9);
    row.ofHalves(row.number, row.functor, row.forms, 9);
  }
}

TEST(FunctorStepsTests, RandomNumbersInClosedForm) {
  graph::RandomGenerator generator(5, 6);
  float range[] = {2, 10}, keep[] = {0.5f}, steps[] = {1, 4, 0};
  for (LongType i = 0; i < 5; i++) {
    const float u = generator.relativeT<float>(i);
    EXPECT_EQ(randomOps::UniformDistribution<float>::op(i, 5, &generator, range), 2 + 8 * u);
    EXPECT_EQ(randomOps::DropOut<float>::op(7.f, i, 5, &generator, keep), u >= 0.5f ? 0 : 7);
    EXPECT_EQ(randomOps::DropOutInverted<float>::op(7.f, i, 5, &generator, keep), u >= 0.5f ? 0 : 14);
    EXPECT_EQ(randomOps::ProbablisticMerge<float>::op(7.f, 8.f, i, 5, &generator, keep), u <= 0.5f ? 8 : 7);
    EXPECT_FLOAT_EQ(randomOps::Linspace<float>::op(i, 5, &generator, steps), 1 + 0.75f * static_cast<float>(i));
  }
  EXPECT_EQ(generator.nodeState(), graph::RandomGenerator(5, 6).nodeState());  // drawing does not advance it
  EXPECT_THROW(randomOps::UniformDistribution<float>::op(0, 5, nullptr, range), std::runtime_error);
  EXPECT_THROW(randomOps::UniformDistribution<float>::op(0, 5, &generator, nullptr), std::runtime_error);
  EXPECT_THROW(randomOps::Choice<float>::op(1.f, 1.f, 0, 5, &generator, range), std::runtime_error);
}

TEST(FunctorStepsTests, ChoiceReadsWholeArrays) {
  graph::RandomGenerator generator(5, 6);
  const graph::RandomGenerator before(5, 6);
  NDArray values('c', {3}, {10, 20, 30}, FLOAT32), chances('c', {3}, {0.25, 0.5, 0.25}, FLOAT32), z('c', {8}, FLOAT32);
  static_assert(randomOps::Choice<float>::requiresSpecial && !randomOps::DropOut<float>::requiresSpecial);
  randomOps::Choice<float>::specialOp(&generator, values.bufferAsT<float>(), values.shapeInfo(),
                                      chances.bufferAsT<float>(), chances.shapeInfo(), z.bufferAsT<float>(),
                                      z.shapeInfo(), nullptr);
  for (LongType i = 0; i < 8; i++) {
    const float u = before.relativeT<float>(i);
    EXPECT_EQ(z.e<float>(i), u <= 0.25f ? 10 : u <= 0.75f ? 20 : 30);
  }
}
