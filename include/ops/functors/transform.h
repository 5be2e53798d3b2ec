// Functors of one operand that keep the type of x (TRANSFORM_SAME), and roots (TRANSFORM_FLOAT).
#ifndef NDFORGE_OPS_FUNCTORS_TRANSFORM_H
#define NDFORGE_OPS_FUNCTORS_TRANSFORM_H

#include <ops/functors/arithmetic.h>

namespace simdOps {

template <typename T>
struct Abs : Op {
  static constexpr const char* formula = "|x|; the most negative integer wraps to itself";
  static T op(T x, Params<T> = nullptr) { return math::abs(x); }
};

template <typename T>
struct Sign : Op {
  static constexpr const char* formula = "x > 0 ? 1 : x < 0 ? -1 : 0";
  static T op(T x, Params<T> = nullptr) {
    const T zero = constant<T>(0), one = constant<T>(1);
    return select<T>(x > zero, one, select<T>(x < zero, math::negate(one), zero));
  }
};

template <typename T>
struct Ones : Op {
  static constexpr const char* formula = "1";
  static T op(T, Params<T> = nullptr) { return constant<T>(1); }
};

template <typename T>
struct Neg : Op {
  static constexpr const char* formula = "-x; unsigned wraps modulo 2^bits";
  static T op(T x, Params<T> = nullptr) { return math::negate(x); }
};

template <typename T>
struct Round : Op {
  static constexpr const char* formula = "x rounded to an integer, halves away from 0";
  static T op(T x, Params<T> = nullptr) { return math::round(x); }
};

template <typename T>
struct TimesOneMinus : Op {
  static constexpr const char* formula = "x * (1 - x)";
  static T op(T x, Params<T> = nullptr) { return math::multiply(x, math::subtract(constant<T>(1), x)); }
};

template <typename T>
struct Cube : Op {
  static constexpr const char* formula = "x * x * x";
  static T op(T x, Params<T> = nullptr) { return math::multiply(math::multiply(x, x), x); }
};

template <typename T>
struct OneMinus : Op {
  static constexpr const char* formula = "1 - x";
  static T op(T x, Params<T> = nullptr) { return math::subtract(constant<T>(1), x); }
};

template <typename T>
struct Reciprocal : ScalarIntegers<T> {
  static constexpr const char* formula = "1 / x; integers truncate toward 0";
  static constexpr Divisor divisor = Divisor::X;
  static constexpr int cost = 2;
  static T op(T x, Params<T> = nullptr) { return quotient(constant<T>(1), x); }
};

template <typename T>
struct Square : Op {
  static constexpr const char* formula = "x * x";
  static T op(T x, Params<T> = nullptr) { return math::multiply(x, x); }
};

template <typename T>
struct CompareAndSetTransform : WithParams<4> {
  static constexpr const char* formula = "condition(x) ? set : x; extra: compare, set, eps, mode";
  static constexpr int modeParam = 3;
  static constexpr bool isVectorizable = false;
  static constexpr int cost = 4;
  static T op(T x, const T* params) {
    return math::condition(static_cast<int>(params[3]), x, params[0], params[2]) ? params[1] : x;
  }
};

template <typename T>
struct Identity : Op {
  static constexpr const char* formula = "x";
  static T op(T x, Params<T> = nullptr) { return x; }
};

template <typename T>
struct Copy : Identity<T> {};

template <typename T>
struct Ceiling : Op {
  static constexpr const char* formula = "ceil(x)";
  static T op(T x, Params<T> = nullptr) { return math::ceil(x); }
};

template <typename T>
struct Floor : Op {
  static constexpr const char* formula = "floor(x)";
  static T op(T x, Params<T> = nullptr) { return math::floor(x); }
};

template <typename T>
struct ClipByValue : WithParams<2> {
  static constexpr const char* formula = "x > max ? max : x < min ? min : x; extra: min, max";
  static T op(T x, const Scalar<T>* params) {
    const T low = math::splat<T>(params[0]), high = math::splat<T>(params[1]);
    return select<T>(x > high, high, select<T>(x < low, low, x));
  }
};

/// Conversion to the type of z. The executor converts, so this functor has no kernel.
template <typename T, typename...>
struct Assign : Identity<T> {
  static constexpr const char* formula = "x converted to the type of z; to integers toward 0, to BOOL x != 0";
};

template <typename T, typename...>
struct Sqrt : FloatOp {
  static constexpr const char* formula = "sqrt(x)";
  static constexpr int cost = 3;
  static T op(T x) { return math::sqrt(x); }
};

template <typename T, typename...>
struct RSqrt : FloatOp {
  static constexpr const char* formula = "1 / sqrt(x)";
  static constexpr int cost = 6;
  static T op(T x) { return constant<T>(1) / math::sqrt(x); }
};

}  // namespace simdOps

#endif
