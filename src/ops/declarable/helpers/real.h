// Floating-point computation in float or double, whatever the arrays' float types are.
#ifndef NDFORGE_SRC_OPS_DECLARABLE_HELPERS_REAL_H
#define NDFORGE_SRC_OPS_DECLARABLE_HELPERS_REAL_H

#include <execution/Parallel.h>

#include "ops/declarable/Common.h"

namespace sd::ops {

/// DOUBLE for DOUBLE, else FLOAT32.
inline DataType computeType(DataType type) { return type == DOUBLE ? DOUBLE : FLOAT32; }
inline DataType computeType(const NDArray& array) { return computeType(array.dataType()); }

/// Calls f.operator()<T>() with the C++ type T of computeType(type).
template <typename F>
void withReal(DataType type, F&& f) {
  if (type == DOUBLE)
    f.template operator()<double>();
  else
    f.template operator()<float>();
}

/// Calls f(start, stop) on pieces of 0..n-1, in several threads when n elements at `cost` nanoseconds each are enough
/// work.
template <typename F>
void overElements(LongType n, double cost, F&& f) {
  execution::parallelFor(n, execution::threadsFor(cost * static_cast<double>(n)), f);
}

/// An uninitialised contiguous array in c order.
inline NDArray unset(DataType type, const Dims& dims) {
  return NDArray::uninitialized(type, 'c', static_cast<int>(dims.size()), dims.data(), LaunchContext::defaultContext());
}

}  // namespace sd::ops

#endif
