// Code that the LSTM operations share: arguments, and arrays in the form that the kernels need.
#ifndef NDFORGE_SRC_OPS_DECLARABLE_HELPERS_LSTM_ARGUMENTS_H
#define NDFORGE_SRC_OPS_DECLARABLE_HELPERS_LSTM_ARGUMENTS_H

#include <optional>

#include "ops/declarable/helpers/lstm.h"
#include "ops/declarable/helpers/windows.h"

namespace sd::ops::helpers {

/// Integer arguments first..first + 2 are the gate, cell and output activations. T arguments are cellClip, followed by
/// the alphas and betas of the activations that take them (gate alpha, gate beta, cell alpha, ...).
LstmActivations readActivations(graph::Context& block, size_t first);

/// Input `index`. @throws std::invalid_argument when it is missing, or so large that multiples of its size do not fit
/// 64 bits
inline NDArray& requiredInput(graph::Context& block, int index, const char* name) {
  NDArray* array = block.optionalArray(index);
  if (array == nullptr) reject("input {} '{}' is missing", index, name);
  for (int d = 0; d < array->rankOf(); d++)
    if (array->sizeAt(d) > LongType{1} << 58) reject("input {} '{}': shape {} is too large", index, name, text(*array));
  return *array;
}

inline void requireShape(const NDArray& array, int index, const char* name, const Dims& expected) {
  if (array.isSameShape(expected) || (expected.empty() && array.rankOf() == 0)) return;
  reject("input {} '{}': its shape is {}, {} is needed", index, name, text(array), text(expected));
}

/// The type of results computed from x.
inline DataType floatTypeOf(const NDArray& x) { return x.isR() ? x.dataType() : FLOAT32; }

/// A modifiable contiguous copy in c order, in a compute type; zeros when there is no array.
inline NDArray working(const NDArray* array, const Dims& dims, DataType type) {
  NDArray copy = zeros(type, dims);
  if (array != nullptr && !array->isEmpty()) copy.assign(*array);
  return copy;
}

}  // namespace sd::ops::helpers

#endif
