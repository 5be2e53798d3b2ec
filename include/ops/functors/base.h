// The properties that a functor of a numbered operation can declare, with their defaults.
//
// A functor is a class template over ONE type T with static members. T is a scalar or a SIMD batch: the same body
// serves the vector loop and its tail. The numbered kernels use batches of float and double; sd::tensor also uses
// batches of integers. `formula` is the text that documentation prints. For functors whose operands and result may
// differ in type, functors/typed.h adds a form with two or three types.
#ifndef NDFORGE_OPS_FUNCTORS_BASE_H
#define NDFORGE_OPS_FUNCTORS_BASE_H

#include <math/math.h>

namespace functions {

/// How a reduction joins two accumulators.
enum ReduceType { SUM, PRODUCT, MAX, MIN, ASUM, AMAX, AMIN };

}  // namespace functions

namespace simdOps {

namespace math = sd::math;
using math::constant;
using math::Scalar;
using math::select;

/// Parameters, the last argument of `op`. Functors that read none may omit them. Functors that programs use with one
/// type (numbered transforms and bitwise operations) ignore them.
template <typename T>
using Params = const Scalar<T>*;

/// Parameters that programs pass to reductions which read none. Kernels have `const Scalar<T>*`, which does not convert
/// to this type, so they call the form without parameters.
template <typename T>
using Unused = Scalar<T>*;

/// The operand that must not contain 0 when the operation runs on integers.
enum class Divisor { None, X, Y };

/// Members that programs may read. No functor has loops of its own, so `execSpecial` does nothing.
struct NoSpecialLoop {
  static constexpr bool requiresSpecial = false;
  static constexpr bool requiresSpecialAccumulation = false;
  template <typename... A>
  static void execSpecial(A&&...) {}
};

struct Op : NoSpecialLoop {
  static constexpr int requiredParams = 0;  ///< extra parameters that must be given
  static constexpr int maxParams = 0;       ///< extra parameters that are read; missing ones are `defaultParam`
  static constexpr double defaultParam = 0;
  static constexpr int modeParam = -1;            ///< index of the parameter that is a condition number 0..15
  static constexpr bool isVectorizable = true;    ///< false: compiled for the scalar type only, not for batches
  static constexpr bool computesInFloat = false;  ///< integers are converted to float or double and back
  static constexpr bool integersOnly = false;     ///< there is no floating-point form
  static constexpr bool boolInFloat = false;      ///< BOOL is converted, but no other integer type
  static constexpr Divisor divisor = Divisor::None;
  static constexpr bool isExact = false;        ///< reductions: `update` never rounds, any number of steps may follow
  static constexpr bool propagatesNaN = false;  ///< reductions: `update` with a NaN returns a NaN
  static constexpr bool selects = false;        ///< reductions: `update` returns one of its two operands
  static constexpr bool resultIsAccumulator = false;  ///< reductions: kernels need not call `postProcess`
  static constexpr int cost = 1;                      ///< time per element, relative to an addition
};

/// Functors whose integer form is not written for batches.
template <typename T>
struct ScalarIntegers : Op {
  static constexpr bool isVectorizable = !math::isInteger<T>;
};

/// Elementary functions: integers are computed in float; an element costs about as much as twelve additions.
struct FloatOp : Op {
  static constexpr bool computesInFloat = true;
  static constexpr int cost = 12;
};

template <int Required, typename Base = Op>
struct WithParams : Base {
  static constexpr int requiredParams = Required;
  static constexpr int maxParams = Required;
};

}  // namespace simdOps

#endif
