// Functors of distances and similarities (REDUCE3), of positions (INDEX_REDUCE), and the names of the statistics.
#ifndef NDFORGE_OPS_FUNCTORS_REDUCE3_H
#define NDFORGE_OPS_FUNCTORS_REDUCE3_H

#include <ops/functors/reduce.h>

namespace simdOps {

/// A distance has `accumulators` running sums; `update` adds a pair, `postProcess` computes the result for n pairs.
template <int Sums>
struct DistanceOp : Op {
  static constexpr int accumulators = Sums;
  static constexpr double emptyValue = 0;
};

template <typename T, typename...>
struct ManhattanDistance : DistanceOp<1> {
  static constexpr const char* formula = "sum of |x - y|";
  static void update(T* acc, T x, T y, const Scalar<T>*) { acc[0] = acc[0] + math::abs(x - y); }
  static double postProcess(const double* acc, sd::LongType) { return acc[0]; }
};

template <typename T, typename...>
struct EuclideanDistance : DistanceOp<1> {
  static constexpr const char* formula = "sqrt(sum of (x - y)^2)";
  static void update(T* acc, T x, T y, const Scalar<T>*) { acc[0] = acc[0] + (x - y) * (x - y); }
  static double postProcess(const double* acc, sd::LongType) { return std::sqrt(acc[0]); }
};

template <typename T, typename...>
struct Dot : DistanceOp<1> {
  static constexpr const char* formula = "sum of x * y";
  static void update(T* acc, T x, T y, const Scalar<T>*) { acc[0] = acc[0] + x * y; }
  static double postProcess(const double* acc, sd::LongType) { return acc[0]; }
};

template <typename T, typename...>
struct CosineSimilarity : DistanceOp<3> {
  static constexpr const char* formula = "sum of x * y / (sqrt(sum of x^2) * sqrt(sum of y^2)); NaN for a zero norm";
  static constexpr double emptyValue = std::numeric_limits<double>::quiet_NaN();
  static void update(T* acc, T x, T y, const Scalar<T>*) {
    acc[0] = acc[0] + x * y;
    acc[1] = acc[1] + x * x;
    acc[2] = acc[2] + y * y;
  }
  static double postProcess(const double* acc, sd::LongType) {
    return acc[0] / (std::sqrt(acc[1]) * std::sqrt(acc[2]));
  }
};

template <typename T, typename...>
struct CosineDistance : CosineSimilarity<T> {
  static constexpr const char* formula = "1 - cosine similarity; NaN for a zero norm";
  static double postProcess(const double* acc, sd::LongType n) { return 1 - CosineSimilarity<T>::postProcess(acc, n); }
};

template <typename T, typename...>
struct JaccardDistance : DistanceOp<2> {
  static constexpr const char* formula = "1 - sum of min(x, y) / sum of max(x, y)";
  static void update(T* acc, T x, T y, const Scalar<T>*) {
    acc[0] = acc[0] + math::min(x, y);
    acc[1] = acc[1] + math::max(x, y);
  }
  static double postProcess(const double* acc, sd::LongType) { return 1 - acc[0] / acc[1]; }
};

template <typename T, typename...>
struct SimpleHammingDistance : DistanceOp<1> {
  static constexpr const char* formula = "number of positions with x != y, divided by n";
  static void update(T* acc, T x, T y, const Scalar<T>*) {
    acc[0] = acc[0] + select<T>(x == y, constant<T>(0), constant<T>(1));
  }
  static double postProcess(const double* acc, sd::LongType n) { return acc[0] / static_cast<double>(n); }
};

template <typename T, typename...>
struct EqualsWithEps : DistanceOp<1> {
  static constexpr const char* formula =
      "number of positions where x and y differ: not |x - y| <= eps and not |x - y| <= eps * max(|x|, |y|); extra: eps";
  static constexpr int maxParams = 1;
  static void update(T* acc, T x, T y, const Scalar<T>* params) {
    const T d = math::abs(x - y), eps = math::abs(math::splat<T>(params[0]));
    const auto close = (d <= eps) || (d <= eps * math::max(math::abs(x), math::abs(y)));
    // infinities are close only when they are equal
    const auto finite = math::isfinite(x) && math::isfinite(y);
    acc[0] = acc[0] + select<T>((x == y) || (close && finite), constant<T>(0), constant<T>(1));
  }
  static double postProcess(const double* acc, sd::LongType) { return acc[0]; }
};

// ------------------------------------------------------------------------------------------------------------
// positions

/// The first element whose `op` is better than those of all elements before it.
template <typename T, typename...>
struct IndexMax : Op {
  static constexpr const char* formula =
      "position of the largest x, the lowest position of equal values; NaN is never chosen";
  static Scalar<T> startingValue() { return LOWEST<Scalar<T>>; }
  static T op(T x) { return x; }
  static auto better(T x, T best) { return x > best; }
};

template <typename T, typename...>
struct IndexMin : Op {
  static constexpr const char* formula =
      "position of the smallest x, the lowest position of equal values; NaN is never chosen";
  static Scalar<T> startingValue() { return HIGHEST<Scalar<T>>; }
  static T op(T x) { return x; }
  static auto better(T x, T best) { return x < best; }
};

template <typename T, typename...>
struct IndexAbsoluteMax : Op {
  static constexpr const char* formula =
      "position of the largest |x|, the lowest position of equal values; NaN is never chosen";
  static Scalar<T> startingValue() { return 0; }
  static T op(T x) { return math::abs(x); }
  static auto better(T x, T best) { return magnitudeLess(best, x); }
};

template <typename T, typename...>
struct IndexAbsoluteMin : Op {
  static constexpr const char* formula =
      "position of the smallest |x|, the lowest position of equal values; NaN is never chosen";
  static Scalar<T> startingValue() { return HIGHEST<Scalar<T>>; }
  static T op(T x) { return math::abs(x); }
  static auto better(T x, T best) { return magnitudeLess(x, best); }
};

/// extra: compare, eps, mode.
template <typename T, bool Last>
struct IndexOfCondition : WithParams<3> {
  static constexpr int modeParam = 2;
  static constexpr bool isLast = Last;
  static constexpr int cost = 4;
  static bool op(T x, const T* params) { return MatchConditionBool<T>::op(x, params); }
};

template <typename T, typename...>
struct FirstIndex : IndexOfCondition<T, false> {
  static constexpr const char* formula =
      "lowest position with condition(x), -1 when there is none; extra: compare, eps, mode";
};

template <typename T, typename...>
struct LastIndex : IndexOfCondition<T, true> {
  static constexpr const char* formula =
      "highest position with condition(x), -1 when there is none; extra: compare, eps, mode";
};

// -----------------------------------------------------------------------------------------------------------
// statistics

/// Mean of n values, and the sum of squared differences from it; `join` is Chan's update for two sets.
struct Moments {
  double n = 0, mean = 0, m2 = 0;

  void join(const Moments& other) {
    if (other.n == 0) return;
    if (n == 0) {
      *this = other;
      return;
    }
    const double total = n + other.n, delta = other.mean - mean;
    mean += delta * (other.n / total);
    m2 += other.m2 + delta * delta * (n * (other.n / total));
    n = total;
  }
};

template <typename T, typename...>
struct SummaryStatsVariance : Op {
  static constexpr const char* formula =
      "sum of (x - mean)^2 / (n - 1), or sum of (x - mean)^2 / n without bias correction";
  static double value(const Moments& m, bool biasCorrected) {
    return m.n <= 1 ? 0 : m.m2 / (biasCorrected ? m.n - 1 : m.n);
  }
};

template <typename T, typename...>
struct SummaryStatsStandardDeviation : Op {
  static constexpr const char* formula = "square root of the variance";
  static double value(const Moments& m, bool biasCorrected) {
    return std::sqrt(SummaryStatsVariance<T>::value(m, biasCorrected));
  }
};

}  // namespace simdOps

#endif
