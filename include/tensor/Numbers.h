// The numbers of operators that are numbered operations: the library has kernels for these.
#ifndef NDFORGE_TENSOR_NUMBERS_H
#define NDFORGE_TENSOR_NUMBERS_H

#include <loops/OpList.h>
#include <ops/ops.h>
#include <tensor/Operator.h>

SD_TENSOR_BEGIN

namespace detail {

#define SD_TENSOR_NUMBER(NUMBER, FUNCTOR) \
  if (std::is_same_v<Op<float>, FUNCTOR<float>>) return NUMBER;
#define SD_TENSOR_NUMBER_IN(NAME, LIST)      \
  template <template <typename...> class Op> \
  constexpr int NAME() {                     \
    SD_FOR_EACH_OP(SD_TENSOR_NUMBER, LIST)   \
    return -1;                               \
  }                                          \
  static_assert(true)

/// The number of an operator in a group of numbered operations, or -1.
SD_TENSOR_NUMBER_IN(transformSameNumber, TRANSFORM_SAME_OPS);
SD_TENSOR_NUMBER_IN(transformStrictNumber, TRANSFORM_STRICT_OPS);
SD_TENSOR_NUMBER_IN(transformFloatNumber, TRANSFORM_FLOAT_OPS);
SD_TENSOR_NUMBER_IN(transformBoolNumber, TRANSFORM_BOOL_OPS);
SD_TENSOR_NUMBER_IN(pairwiseNumber, PAIRWISE_TRANSFORM_OPS);
SD_TENSOR_NUMBER_IN(pairwiseBoolNumber, PAIRWISE_BOOL_OPS);
SD_TENSOR_NUMBER_IN(pairwiseIntNumber, PAIRWISE_INT_OPS);
SD_TENSOR_NUMBER_IN(reduceSameNumber, REDUCE_SAME_OPS);
SD_TENSOR_NUMBER_IN(reduceFloatNumber, REDUCE_FLOAT_OPS);
SD_TENSOR_NUMBER_IN(reduceBoolNumber, REDUCE_BOOL_OPS);
SD_TENSOR_NUMBER_IN(reduceLongNumber, REDUCE_LONG_OPS);

#undef SD_TENSOR_NUMBER_IN
#undef SD_TENSOR_NUMBER

/// Whether an operator exists for integers only.
template <template <typename...> class Op>
constexpr bool integersOnly() {
  if constexpr (requires { Op<int32_t>::integersOnly; })
    return Op<int32_t>::integersOnly;
  else
    return false;
}

/// Whether an operator exists for floating point only.
template <template <typename...> class Op>
constexpr bool floatsOnly() {
  if constexpr (integersOnly<Op>())
    return false;
  else
    return computesInFloat<Op<float>>() || transformStrictNumber<Op>() >= 0;
}

}  // namespace detail

SD_TENSOR_END

#endif
