// Gradient operations of which an optional input stands before the gradient: x, option, gradZ. Calls may leave the
// optional input out, so that gradZ moves up, or give null at its place.
#ifndef NDFORGE_SRC_OPS_DECLARABLE_HELPERS_OMITTED_INPUT_H
#define NDFORGE_SRC_OPS_DECLARABLE_HELPERS_OMITTED_INPUT_H

#include "ops/declarable/helpers/inference.h"

namespace sd::ops {

/// The index of gradZ.
inline int gradientIndex(const graph::Context& block) { return block.width() > 2 ? 2 : 1; }
inline int gradientIndex(const Inference& in) { return in.inputs() > 2 ? 2 : 1; }

/// The optional input; nullptr when it is not given.
inline const NDArray* optionOf(const graph::Context& block) {
  return block.width() > 2 ? block.optionalArray(1) : nullptr;
}

inline const NDArray& gradientOf(const graph::Context& block) {
  const NDArray* gradient = block.optionalArray(gradientIndex(block));
  if (gradient == nullptr) reject("input {} 'gradZ' is missing", gradientIndex(block));
  return *gradient;
}

/// Reads integers from the optional input, else from the positional lists at the row's place.
bool readOption(const ArgumentRow& row, const graph::Context& block, void* arguments);

}  // namespace sd::ops

#endif
