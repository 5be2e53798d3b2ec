// Code that the LSTM operations share: arguments, and arrays in the form that the kernels need.
#ifndef NDFORGE_SRC_OPS_DECLARABLE_HELPERS_LSTM_ARGUMENTS_H
#define NDFORGE_SRC_OPS_DECLARABLE_HELPERS_LSTM_ARGUMENTS_H

#include <ops/declarable/headers/recurrent.h>

#include <array>
#include <optional>
#include <vector>

#include "ops/declarable/helpers/lstm.h"
#include "ops/declarable/helpers/windows.h"

namespace sd::ops::helpers {

/// The gate, cell and output activations. `parameters` are the alphas and betas of those that take them: gate alpha,
/// gate beta, cell alpha …
LstmActivations activationsOf(const std::array<LstmActivation, 3>& kinds, double clip,
                              const std::vector<double>& parameters);
/// Of LstmLayer or LstmLayerCell.
template <typename S>
LstmActivations activationsOf(const S& a) {
  return activationsOf({a.gateActivation, a.cellActivation, a.outputActivation}, a.clip, a.activationParameters);
}

/// States the arguments that LstmLayer and LstmLayerCell have in common; the integers begin with `first`.
template <typename S>
void describeActivations(Schema& schema, int first) {
  schema.argument(&S::gateActivation, "gate_activation", "of the gates i, f and o").atInteger(first);
  schema.argument(&S::cellActivation, "cell_activation", "of the new values").atInteger(first + 1);
  schema.argument(&S::outputActivation, "output_activation", "of the state, for the output").atInteger(first + 2);
  schema.argument(&S::clip, "clip", "the state is limited to -clip..clip; 0: no limit").atFloat(0).atLeast(0);
  schema
      .argument(&S::activationParameters, "activation_parameters",
                "alpha and beta of the gate, cell and output activation, each where the activation takes it")
      .atFloat(1);
}

template <typename S>
void describeFlag(Schema& schema, std::optional<bool> S::*flag, int index, const char* name, const char* text) {
  schema.argument(flag, name, text).atFlag(index);
}

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
