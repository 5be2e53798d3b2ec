// Elementary functions of spans: they run on the library's kernels, which have vector forms for the best instruction
// set of the machine, whatever the program is compiled for.
#ifndef NDFORGE_TENSOR_LIBRARY_H
#define NDFORGE_TENSOR_LIBRARY_H

#include <array/DataTypeUtils.h>
#include <loops/Executor.h>
#include <loops/RunInfo.h>
#include <tensor/Numbers.h>

#include <span>

SD_TENSOR_BEGIN

namespace detail {

/// The shapeInfo of n contiguous elements.
template <typename T>
loops::RunInfo runOf(std::size_t n) {
  return {DataTypeUtils::fromT<T>(), static_cast<LongType>(n)};
}

/// Functions of float or double that are slow without a vector form.
template <template <typename...> class Op, typename T, typename... X>
constexpr bool isElementary() {
  if constexpr ((std::is_same_v<T, float> || std::is_same_v<T, double>)&&(std::is_same_v<X, T> && ...)) {
    if constexpr (requires {
                    Op<T>::cost;
                    Op<T>::maxParams;
                    Op<T>::isVectorizable;
                  })
      return Op<T>::cost >= 3 && Op<T>::maxParams == 0 && Op<T>::isVectorizable &&
             (sizeof...(X) == 1 ? transformStrictNumber<Op>() >= 0 || transformFloatNumber<Op>() >= 0
                                : pairwiseNumber<Op>() >= 0);
  }
  return false;
}

/// z[i] = Op(x[i])
template <template <typename...> class Op, typename T>
void applyElementary(const T* x, T* z, std::size_t n) {
  using loops::OpGroup;
  if (n == 0) return;
  constexpr int strict = transformStrictNumber<Op>(), real = transformFloatNumber<Op>();
  const loops::RunInfo run = runOf<T>(n);
  loops::transform(strict >= 0 ? OpGroup::TransformStrict : OpGroup::TransformFloat, strict >= 0 ? strict : real,
                   {x, run}, {z, run});
}

/// z[i] = Op(x[i], y[i]), or Op(x[i], y[0]) when y has one element.
template <template <typename...> class Op, typename T>
void applyElementary(const T* x, const T* y, std::size_t yLength, T* z, std::size_t n) {
  if (n == 0) return;
  const loops::RunInfo run = runOf<T>(n), second = runOf<T>(yLength);
  loops::pairwise(loops::OpGroup::Pairwise, pairwiseNumber<Op>(), {x, run}, {y, second}, {z, run});
}

}  // namespace detail

/// Whether apply<Op> on spans of T runs on the library's kernels.
template <template <typename...> class Op, typename T, typename... X>
inline constexpr bool applyIsLibrary = detail::isElementary<Op, T, X...>();

SD_TENSOR_END

#endif
