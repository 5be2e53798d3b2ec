// What every functor of a numbered operation may state about itself, with the defaults.
//
// A functor is a class template over ONE type T with static members. T is a scalar, or a SIMD batch: the same body
// serves the vector loop and its tail. The numbered kernels use batches of float and double, sd::tensor also batches of
// integers. `formula` is the text that documentation prints. functors/typed.h gives those with other types of operands
// and result a second form, named with two or three types.
#ifndef NDFORGE_OPS_FUNCTORS_BASE_H
#define NDFORGE_OPS_FUNCTORS_BASE_H

#include <math/math.h>

namespace simdOps {

namespace math = sd::math;
using math::constant;
using math::Scalar;
using math::select;

/// Parameters, the last argument of `op`. Functors that read none may leave them out; those that programs name with one
/// type (numbered transforms and bitwise operations) ignore them.
template <typename T>
using Params = const Scalar<T>*;

/// The operand that must not hold 0 when the operation runs on integers.
enum class Divisor { None, X, Y };

struct Op {
  static constexpr int requiredParams = 0;  ///< extra parameters that must be given
  static constexpr int maxParams = 0;       ///< extra parameters that are read; the missing ones are `defaultParam`
  static constexpr double defaultParam = 0;
  static constexpr int modeParam = -1;            ///< index of the parameter that is a condition number 0..15
  static constexpr bool isVectorizable = true;    ///< false: compiled for this scalar type only, not for batches of it
  static constexpr bool computesInFloat = false;  ///< integers are converted to float or double and back
  static constexpr bool integersOnly = false;     ///< there is no form for floating point
  static constexpr bool boolInFloat = false;      ///< of integers, only BOOL is converted
  static constexpr Divisor divisor = Divisor::None;
  static constexpr bool isExact = false;        ///< reductions: `update` never rounds, any number of steps may follow
  static constexpr bool propagatesNaN = false;  ///< reductions: `update` with a NaN gives a NaN
  static constexpr bool selects = false;        ///< reductions: `update` gives one of its two operands
  static constexpr int cost = 1;                ///< time of an element relative to an addition
};

/// Functors whose form for integers is not written for batches.
template <typename T>
struct ScalarIntegers : Op {
  static constexpr bool isVectorizable = !math::isInteger<T>;
};

/// Elementary functions: integers compute in float, an element costs some ten additions.
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
