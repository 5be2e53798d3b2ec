// The types in which elements are compared with each other.
#ifndef NDFORGE_SRC_OPS_DECLARABLE_HELPERS_COMPARED_TYPE_H
#define NDFORGE_SRC_OPS_DECLARABLE_HELPERS_COMPARED_TYPE_H

#include "ops/declarable/Common.h"

namespace sd::ops::helpers {

/// The type in which rows are compared; it holds the values of `type` exactly.
inline DataType comparedAs(DataType type) {
  switch (type) {
    case HALF:
    case BFLOAT16:
    case FLOAT32:
      return FLOAT32;
    case DOUBLE:
    case UINT64:
      return type;
    case INT64:
    case UINT32:
      return INT64;
    default:
      return INT32;
  }
}

/// Calls f with the elements of `dense`, whose type comparedAs() has given.
template <typename F>
void withCompared(const NDArray& dense, F&& f) {
  switch (dense.dataType()) {
    case FLOAT32:
      return f(dense.bufferAsT<float>());
    case DOUBLE:
      return f(dense.bufferAsT<double>());
    case INT32:
      return f(dense.bufferAsT<int32_t>());
    case INT64:
      return f(dense.bufferAsT<int64_t>());
    default:
      return f(dense.bufferAsT<uint64_t>());
  }
}

}  // namespace sd::ops::helpers

#endif
