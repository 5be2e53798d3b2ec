// Functors that return truth values: comparisons of two operands, tests of one. Only the comparisons run on batches.
#ifndef NDFORGE_OPS_FUNCTORS_COMPARE_H
#define NDFORGE_OPS_FUNCTORS_COMPARE_H

#include <ops/functors/base.h>

namespace simdOps {

struct ScalarTest : Op {
  static constexpr bool isVectorizable = false;
};

template <typename T, typename...>
struct EqualTo : Op {
  static constexpr const char* formula = "x == y";
  static math::Mask<T> op(T x, T y) { return x == y; }
};

template <typename T, typename...>
struct NotEqualTo : Op {
  static constexpr const char* formula = "x != y";
  static math::Mask<T> op(T x, T y) { return x != y; }
};

template <typename T, typename...>
struct GreaterThan : Op {
  static constexpr const char* formula = "x > y";
  static math::Mask<T> op(T x, T y) { return x > y; }
};

template <typename T, typename...>
struct LessThan : Op {
  static constexpr const char* formula = "x < y";
  static math::Mask<T> op(T x, T y) { return x < y; }
};

template <typename T, typename...>
struct GreaterThanOrEqual : Op {
  static constexpr const char* formula = "x >= y";
  static math::Mask<T> op(T x, T y) { return x >= y; }
};

template <typename T, typename...>
struct LessThanOrEqual : Op {
  static constexpr const char* formula = "x <= y";
  static math::Mask<T> op(T x, T y) { return x <= y; }
};

template <typename T, typename...>
struct Epsilon : ScalarTest {
  static constexpr const char* formula = "|x - y| <= 1e-12";
  static bool op(T x, T y) {
    if constexpr (math::isInteger<T>)
      return x == y;
    else
      return math::abs(x - y) <= T(1e-12);
  }
};

/// Logical functors; the optional parameter is the value that counts as false.
struct TruthOp : ScalarTest {
  static constexpr int maxParams = 1;
};

template <typename T, typename...>
struct And : TruthOp {
  static constexpr const char* formula = "x and y; extra: the value that counts as false (0)";
  static bool op(T x, T y, const T* params) { return (x != params[0]) & (y != params[0]); }
};

template <typename T, typename...>
struct Or : TruthOp {
  static constexpr const char* formula = "x or y; extra: the value that counts as false (0)";
  static bool op(T x, T y, const T* params) { return (x != params[0]) | (y != params[0]); }
};

template <typename T, typename...>
struct Xor : TruthOp {
  static constexpr const char* formula = "x xor y; extra: the value that counts as false (0)";
  static bool op(T x, T y, const T* params) { return (x != params[0]) != (y != params[0]); }
};

/// One operand: logical not. Two operands: inequality.
template <typename T, typename...>
struct Not : ScalarTest {
  static constexpr const char* formula = "one operand: x == 0; two operands: x != y";
  static bool op(T x) { return x == T(0); }
  static bool op(T x, T y) { return x != y; }
};

template <typename T, typename...>
struct MatchConditionBool : WithParams<3, ScalarTest> {
  static constexpr const char* formula = "condition(x); extra: compare, eps, mode";
  static constexpr int modeParam = 2;
  static constexpr int cost = 4;
  static bool op(T x, const T* params) { return math::condition(static_cast<int>(params[2]), x, params[0], params[1]); }
};

/// Two operands: x is compared with y. Reduction: the number of elements that satisfy the condition.
template <typename T, typename...>
struct MatchCondition : WithParams<3, ScalarTest> {
  static constexpr const char* formula =
      "two operands: condition(x, y), extra: unused, eps, mode; reduction: number of x with condition(x), extra: "
      "compare, eps, mode";
  static constexpr int modeParam = 2;
  static constexpr int cost = 4;
  static bool op(T x, T y, const T* params) { return math::condition(static_cast<int>(params[2]), x, y, params[1]); }
  static bool op(T x, const T* params) { return MatchConditionBool<T>::op(x, params); }
};

/// Tests that are also reductions: true when any element passes, or (IsFinite, All) when every element does.
template <bool Every>
struct TestOp : ScalarTest {
  static constexpr functions::ReduceType reduceType = Every ? functions::PRODUCT : functions::SUM;
  static bool startingValue() { return Every; }
  static bool update(bool old, bool opOutput) { return Every ? (old & opOutput) : (old | opOutput); }
};

template <typename T, typename...>
struct IsInf : TestOp<false> {
  static constexpr const char* formula = "x is +inf or -inf";
  static bool op(T x) { return math::isinf(x); }
};

template <typename T, typename...>
struct IsNan : TestOp<false> {
  static constexpr const char* formula = "x is NaN";
  static bool op(T x) { return math::isnan(x); }
};

template <typename T, typename...>
struct IsFinite : TestOp<true> {
  static constexpr const char* formula = "x is neither inf nor NaN (reduction: every x)";
  static bool op(T x) { return math::isfinite(x); }
};

template <typename T, typename...>
struct IsInfOrNan : TestOp<false> {
  static constexpr const char* formula = "x is inf or NaN";
  static bool op(T x) { return !math::isfinite(x); }
};

template <typename T, typename...>
struct IsPositive : TestOp<false> {
  static constexpr const char* formula = "x > 0";
  static bool op(T x) { return x > T(0); }
};

template <typename T, typename...>
struct IsNegative : TestOp<false> {
  static constexpr const char* formula = "x < 0";
  static bool op(T x) { return x < T(0); }
};

template <typename T, typename...>
struct Any : TestOp<false> {
  static constexpr const char* formula = "any x != 0";
  static bool op(T x) { return x != T(0); }
};

template <typename T, typename...>
struct All : TestOp<true> {
  static constexpr const char* formula = "every x != 0";
  static bool op(T x) { return x != T(0); }
};

template <typename T, typename...>
struct CountNonZero : ScalarTest {
  static constexpr const char* formula = "number of x != 0";
  static bool op(T x) { return x != T(0); }
};

template <typename T, typename...>
struct CountZero : ScalarTest {
  static constexpr const char* formula = "number of x == 0";
  static bool op(T x) { return x == T(0); }
};

}  // namespace simdOps

#endif
