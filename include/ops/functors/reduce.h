// Functors of reductions: starting value, contribution of an element, merging of contributions, final step.
//
// `op` and `update` run on scalars and batches; merging blocks and `postProcess` run on scalars of the accumulator
// type (double for floating-point x, the type itself for integers).
#ifndef NDFORGE_OPS_FUNCTORS_REDUCE_H
#define NDFORGE_OPS_FUNCTORS_REDUCE_H

#include <ops/functors/compare.h>
#include <ops/functors/transform.h>

#include <limits>

namespace simdOps {

template <typename T>
inline constexpr T LOWEST = std::numeric_limits<T>::has_infinity ? -std::numeric_limits<T>::infinity()
                                                                 : std::numeric_limits<T>::lowest();
template <typename T>
inline constexpr T HIGHEST = std::numeric_limits<T>::has_infinity ? std::numeric_limits<T>::infinity()
                                                                  : std::numeric_limits<T>::max();

/// The contributions are summed; derived functors define the contribution of an element.
template <typename T>
struct SumOf : Op {
  static constexpr bool propagatesNaN = true;
  static constexpr functions::ReduceType reduceType = functions::SUM;
  static Scalar<T> startingValue(const Scalar<T>* = nullptr) { return 0; }
  static T update(T old, T opOutput, Unused<T> = nullptr) { return math::add(old, opOutput); }
  static T merge(T old, T opOutput, Unused<T> = nullptr) { return math::add(old, opOutput); }
  static T postProcess(T acc, sd::LongType, const Scalar<T>*) { return acc; }
};

template <typename T>
struct Sum : SumOf<T> {
  static constexpr const char* formula = "sum of x";
  static T op(T x, Unused<T> = nullptr) { return x; }
};

template <typename T>
struct ASum : SumOf<T> {
  static constexpr const char* formula = "sum of |x|";
  static constexpr functions::ReduceType reduceType = functions::ASUM;
  static constexpr bool resultIsAccumulator = true;
  static T op(T x, Unused<T> = nullptr) { return math::abs(x); }
  static T update(T old, T opOutput) { return math::add(old, opOutput); }
  static T update(T old, T opOutput, Unused<T>) { return math::add(math::abs(old), math::abs(opOutput)); }
  static T merge(T old, T opOutput, Unused<T> = nullptr) { return update(old, opOutput, nullptr); }
  static T postProcess(T acc, sd::LongType, const Scalar<T>*) { return math::abs(acc); }
};

template <typename T>
struct Prod : Op {
  static constexpr bool propagatesNaN = true;
  static constexpr const char* formula = "product of x";
  static constexpr functions::ReduceType reduceType = functions::PRODUCT;
  static Scalar<T> startingValue(const Scalar<T>* = nullptr) { return 1; }
  static T op(T x, Unused<T> = nullptr) { return x; }
  static T update(T old, T opOutput, Unused<T> = nullptr) { return math::multiply(old, opOutput); }
  static T merge(T old, T opOutput, Unused<T> = nullptr) { return math::multiply(old, opOutput); }
  static T postProcess(T acc, sd::LongType, const Scalar<T>*) { return acc; }
};

/// Reductions that return one of the elements.
struct SelectingOp : Op {
  static constexpr bool isExact = true;
  static constexpr bool selects = true;
  static constexpr bool resultIsAccumulator = true;
};

template <typename T>
struct Max : SelectingOp {
  static constexpr const char* formula = "largest x; NaN is skipped";
  static constexpr functions::ReduceType reduceType = functions::MAX;
  static Scalar<T> startingValue(const Scalar<T>* = nullptr) { return LOWEST<Scalar<T>>; }
  static T op(T x, Unused<T> = nullptr) { return x; }
  static T update(T old, T opOutput, Unused<T> = nullptr) { return math::max(opOutput, old); }
  static T merge(T old, T opOutput, Unused<T> = nullptr) { return math::max(opOutput, old); }
  static T postProcess(T acc, sd::LongType, const Scalar<T>*) { return acc; }
};

template <typename T>
struct Min : SelectingOp {
  static constexpr const char* formula = "smallest x; NaN is skipped";
  static constexpr functions::ReduceType reduceType = functions::MIN;
  static Scalar<T> startingValue(const Scalar<T>* = nullptr) { return HIGHEST<Scalar<T>>; }
  static T op(T x, Unused<T> = nullptr) { return x; }
  static T update(T old, T opOutput, Unused<T> = nullptr) { return math::min(opOutput, old); }
  static T merge(T old, T opOutput, Unused<T> = nullptr) { return math::min(opOutput, old); }
  static T postProcess(T acc, sd::LongType, const Scalar<T>*) { return acc; }
};

/// |x| < |y|. The most negative integer, whose absolute value wraps, counts as the largest.
template <typename T>
SD_INLINE auto magnitudeLess(T x, T y) {
  if constexpr (math::isInteger<T>)
    return static_cast<std::make_unsigned_t<T>>(x) < static_cast<std::make_unsigned_t<T>>(y);
  else
    return x < y;
}

template <typename T>
struct AMax : SelectingOp {
  static constexpr const char* formula = "largest |x|; NaN is skipped";
  static constexpr bool isVectorizable = !math::isInteger<T>;
  static constexpr functions::ReduceType reduceType = functions::AMAX;
  static Scalar<T> startingValue() { return 0; }
  /// The first element, of any sign: the forms with parameters take the absolute value of what they are given.
  static Scalar<T> startingValue(const Scalar<T>* input) { return input == nullptr ? startingValue() : input[0]; }
  static T op(T x, Unused<T> = nullptr) { return math::abs(x); }
  static T update(T old, T opOutput) { return select<T>(magnitudeLess(old, opOutput), opOutput, old); }
  static T update(T old, T opOutput, Unused<T>) { return update(math::abs(old), math::abs(opOutput)); }
  static T merge(T old, T opOutput, Unused<T> = nullptr) { return update(old, opOutput, nullptr); }
  static T postProcess(T acc, sd::LongType, const Scalar<T>*) { return math::abs(acc); }
};

template <typename T>
struct AMin : SelectingOp {
  static constexpr const char* formula = "smallest |x|; NaN is skipped";
  static constexpr bool isVectorizable = !math::isInteger<T>;
  static constexpr functions::ReduceType reduceType = functions::AMIN;
  static Scalar<T> startingValue() { return HIGHEST<Scalar<T>>; }
  /// The first element, of any sign: the forms with parameters take the absolute value of what they are given.
  static Scalar<T> startingValue(const Scalar<T>* input) { return input == nullptr ? startingValue() : input[0]; }
  static T op(T x, Unused<T> = nullptr) { return math::abs(x); }
  static T update(T old, T opOutput) { return select<T>(magnitudeLess(opOutput, old), opOutput, old); }
  static T update(T old, T opOutput, Unused<T>) { return update(math::abs(old), math::abs(opOutput)); }
  static T merge(T old, T opOutput, Unused<T> = nullptr) { return update(old, opOutput, nullptr); }
  static T postProcess(T acc, sd::LongType, const Scalar<T>*) { return math::abs(acc); }
};

/// x^3 + log(x) sin(x) / tanh(e pi x) sqrt(pi / x) - atan(e / x): a workload for benchmarks.
template <typename T>
SD_INLINE T benchmarkFunction(T x) {
  const T pi = constant<T>(3.141592653589793), e = constant<T>(2.718281828459045);
  return x * x * x + math::log(x) * math::sin(x) / math::tanh(e * pi * x) * math::sqrt(pi / x) - math::atan(e / x);
}

template <typename T>
struct ReduceSameBenchmarkOp : SumOf<T> {
  static constexpr const char* formula = "sum of x^3 + log(x)*sin(x)/tanh(e*pi*x)*sqrt(pi/x) - atan(e/x)";
  static constexpr bool isVectorizable = !math::isInteger<T>;
  static constexpr bool boolInFloat = true;
  static constexpr int cost = 60;
  static T op(T x, Unused<T> = nullptr) {
    if constexpr (math::isInteger<T>) {
      const double v = benchmarkFunction(static_cast<double>(x));
      return v == v && std::fabs(v) < static_cast<double>(std::numeric_limits<T>::max()) ? static_cast<T>(v) : T(0);
    } else {
      return benchmarkFunction(x);
    }
  }
};

// ------------------------------------------------------------------------------------- results are always floating
// point

template <typename T>
struct FloatSumOf : SumOf<T> {
  static constexpr bool computesInFloat = true;
};

template <typename T, typename...>
struct Mean : FloatSumOf<T> {
  static constexpr const char* formula = "sum of x / n; NaN when there are no elements";
  static constexpr double emptyValue = std::numeric_limits<double>::quiet_NaN();
  static T op(T x) { return x; }
  static T postProcess(T acc, sd::LongType n, const Scalar<T>*) { return acc / static_cast<T>(n); }
};

template <typename T, typename...>
struct AMean : FloatSumOf<T> {
  static constexpr const char* formula = "sum of |x| / n";
  static T op(T x) { return math::abs(x); }
  static T postProcess(T acc, sd::LongType n, const Scalar<T>*) { return acc / static_cast<T>(n); }
};

template <typename T, typename...>
struct Norm1 : FloatSumOf<T> {
  static constexpr const char* formula = "sum of |x|";
  static T op(T x) { return math::abs(x); }
};

template <typename T, typename...>
struct SquaredNorm : FloatSumOf<T> {
  static constexpr const char* formula = "sum of x^2";
  static T op(T x) { return x * x; }
};

template <typename T, typename...>
struct Norm2 : FloatSumOf<T> {
  static constexpr const char* formula = "sqrt(sum of x^2)";
  static T op(T x) { return x * x; }
  static T postProcess(T acc, sd::LongType, const Scalar<T>*) { return math::sqrt(acc); }
};

template <typename T, typename...>
struct NormFrobenius : Norm2<T> {};

template <typename T, typename...>
struct NormMax : AMax<T> {
  static constexpr bool computesInFloat = true;
};

template <typename T, typename...>
struct NormP : FloatSumOf<T> {
  static constexpr const char* formula = "(sum of |x|^p)^(1/p); extra: p";
  static constexpr int requiredParams = 1, maxParams = 1;
  static constexpr int cost = 16;
  static T op(T x, const Scalar<T>* params) { return math::pow(math::abs(x), math::splat<T>(params[0])); }
  static T postProcess(T acc, sd::LongType, const Scalar<T>* params) { return math::pow(acc, T(1) / params[0]); }
};

/// x log(x), with 0 log(0) = 0.
template <typename T>
struct EntropyOf : FloatSumOf<T> {
  static constexpr int cost = 12;
  static T op(T x) {
    const T zero = constant<T>(0);
    return select<T>(x == zero, zero, x * math::log(x));
  }
};

template <typename T, typename...>
struct Entropy : EntropyOf<T> {
  static constexpr const char* formula = "-(sum of x * log(x))";
  static T postProcess(T acc, sd::LongType, const Scalar<T>*) { return -acc; }
};

template <typename T, typename...>
struct LogEntropy : EntropyOf<T> {
  static constexpr const char* formula = "log(-(sum of x * log(x)))";
  static T postProcess(T acc, sd::LongType, const Scalar<T>*) { return math::log(-acc); }
};

template <typename T, typename...>
struct ShannonEntropy : EntropyOf<T> {
  static constexpr const char* formula = "-(sum of x * log2(x))";
  static T postProcess(T acc, sd::LongType, const Scalar<T>*) { return -acc / T(0.6931471805599453); }
};

template <typename T, typename...>
struct ReduceFloatBenchmarkOp : FloatSumOf<T> {
  static constexpr const char* formula = "mean of x^3 + log(x)*sin(x)/tanh(e*pi*x)*sqrt(pi/x) - atan(e/x)";
  static constexpr int cost = 60;
  static T op(T x) { return benchmarkFunction(x); }
  static T postProcess(T acc, sd::LongType n, const Scalar<T>*) { return acc / static_cast<T>(n); }
};

}  // namespace simdOps

#endif
