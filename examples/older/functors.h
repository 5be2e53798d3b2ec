// Functors in the style of the older op guide, which programs added to the lists of legacy operations.
#ifndef EXAMPLES_OLDER_FUNCTORS_H
#define EXAMPLES_OLDER_FUNCTORS_H

#include <compat/nd4j.h>

namespace simdOps {

// One operand.
template <typename T>
class OldCubePlus {
 public:
  no_op_exec_special
  no_op_exec_special_cuda

  op_def static T op(T d1, T* params) { return d1 * d1 * d1 + params[0]; }
};

// Two operands, without and with an extra parameter.
template <typename X, typename Y, typename Z>
class OldDistance {
 public:
  op_def static Z op(X d1, Y d2) { return static_cast<Z>(nd4j::math::nd4j_abs<X>(d1 - static_cast<X>(d2))); }
  op_def static Z op(X d1, Y d2, Z* params) { return op(d1, d2) * params[0]; }
};

// An accumulation.
template <typename T>
class OldSumOfCubes {
 public:
  no_op_exec_special_accumulation
  no_op_exec_special_accumulation_cuda

  op_def static T startingValue(const T* input) { return static_cast<T>(0); }
  op_def static T merge(T old, T opOutput, T* extraParams) { return opOutput + old; }
  op_def static T update(T old, T opOutput, T* extraParams) { return opOutput + old; }
  op_def static T op(T d1, T* extraParams) { return d1 * d1 * d1; }
  op_def static T postProcess(T reduction, Nd4jLong n, T* extraParams) { return reduction; }
};

}  // namespace simdOps

#endif
