// PReLU: leaky ReLU with slopes from an array. He et al., "Delving deep into rectifiers", 2015.
// operations: prelu prelu_bp
#include <ops/declarable/headers/activations.h>

#include <algorithm>

#include "ops/declarable/generic/activations/Gradient.h"

namespace sd::ops {
namespace {

/// The slopes in a shape that broadcasts with x: x's shape without the batch axis, and with 1 on shared axes.
NDArray slopes(graph::Context& block, const NDArray& x, const NDArray& alpha) {
  const int rank = x.rankOf();
  if (rank < 2) reject("input 0 'x': its rank is {}, but at least 2 is needed (shape {})", rank, text(x));
  Dims dims = x.getShapeAsVector();
  dims.erase(dims.begin());
  for (int axis : *block.getIArguments()) {
    const int counted = axis > 0 ? axis : axis + rank - 1;
    if (counted < 1 || counted >= rank) reject("shared axis {} is outside 1..{} (shape {})", axis, rank - 1, text(x));
    dims[static_cast<size_t>(counted - 1)] = 1;
  }
  if (alpha.lengthOf() != shape::prodLong(dims.data(), static_cast<int>(dims.size())))
    reject("input 1 'alpha': its shape {} does not match {}", text(alpha), text(dims));
  NDArray reshaped = alpha.reshape('c', dims);
  return reshaped.dataType() == x.dataType() ? reshaped : reshaped.cast(x.dataType());
}

template <typename T>
void forward_(NDArray& x, const NDArray& alpha, NDArray& z) {
  NDArray scaled = x * alpha;
  x.applyPairwiseLambda<T>(
      scaled, [](T a, T b) -> T { return a < T(0) ? b : a; }, z);
}

template <typename T>
void backward_(NDArray& x, const NDArray& alpha, const NDArray& g, NDArray& gradX, NDArray& gradAlpha) {
  NDArray full = g.lengthOf() == x.lengthOf() ? g.dup('c') : x.ulike();
  if (g.lengthOf() != x.lengthOf()) full.assign(g);
  NDArray scaled = full * alpha, products = x.ulike();
  x.applyPairwiseLambda<T>(
      full, [](T a, T b) -> T { return a < T(0) ? T(a * b) : T(0); }, products);
  x.applyTriplewiseLambda<T>(
      scaled, full, [](T a, T b, T c) -> T { return a < T(0) ? b : c; }, gradX);
  NDArray sums = zeros(x.dataType(), alpha.getShapeAsVector());
  sumTo(products, sums);
  gradAlpha.assign(sums.reshape('c', gradAlpha.getShapeAsVector()));
}

void describe(OpDescriptor* descriptor, bool gradient) {
  descriptor->setAllowedInputTypes({ALL_FLOATS})
      ->document(
          {.summary = gradient ? "The gradients of prelu." : "Leaky ReLU with slopes from an array.",
           .formula = gradient ? "gradX = g for x >= 0, else alpha g; gradAlpha = sum of g x where x < 0"
                               : "z = x for x >= 0, else alpha x",
           .inputs =
               gradient
                   ? "x: [N, d1, ..., dk]\nalpha: the slopes\ng: the incoming gradient, the length of x or one element"
                   : "x: [N, d1, ..., dk]\nalpha: [d1, ..., dk], 1 for shared axes, in any shape of that length",
           .outputs = gradient ? "gradX: the shape of x\ngradAlpha: the shape of alpha" : "z: the shape and type of x",
           .integers = "sharedAxes?: 1..k; 0 is the last axis, -1 the axis before it"});
}

}  // namespace

CONFIGURABLE_OP_IMPL(prelu, 2, 1, true, 0, 0) {
  NDArray &x = *INPUT_VARIABLE(0), &z = *OUTPUT_VARIABLE(0);
  const NDArray alpha = slopes(block, x, *INPUT_VARIABLE(1));
  if (x.isEmpty()) return Status::OK;
  BUILD_SINGLE_SELECTOR(x.dataType(), forward_, (x, alpha, z), SD_FLOAT_TYPES);
  return Status::OK;
}
DECLARE_TYPES(prelu) { describe(getOpDescriptor(), false); }

CONFIGURABLE_OP_IMPL(prelu_bp, 3, 2, true, 0, 0) {
  NDArray& x = *INPUT_VARIABLE(0);
  const NDArray alpha = slopes(block, x, *INPUT_VARIABLE(1));
  const NDArray& given = *INPUT_VARIABLE(2);
  const NDArray g = gradientLike(x, given.dataType() == x.dataType() ? given : given.cast(x.dataType()));
  if (x.isEmpty()) {
    OUTPUT_VARIABLE(1)->nullify();
    return Status::OK;
  }
  BUILD_SINGLE_SELECTOR(x.dataType(), backward_, (x, alpha, g, *OUTPUT_VARIABLE(0), *OUTPUT_VARIABLE(1)),
                        SD_FLOAT_TYPES);
  return Status::OK;
}
DECLARE_TYPES(prelu_bp) { describe(getOpDescriptor(), true); }

}  // namespace sd::ops
