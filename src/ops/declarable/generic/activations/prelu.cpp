// PReLU: leaky ReLU with slopes from an array. He et al., "Delving deep into rectifiers", 2015.
// operations: prelu prelu_bp
#include <ops/declarable/headers/activations.h>
#include <ops/declarable/headers/shape.h>

#include <algorithm>

#include "ops/declarable/Composition.h"
#include "ops/declarable/generic/activations/Gradient.h"
#include "ops/declarable/helpers/backward_rules.h"
#include "ops/declarable/helpers/inference.h"

namespace sd::ops {
namespace {

/// The slopes in a shape that broadcasts with x: x's shape without the batch axis, and with 1 on shared axes.
NDArray slopes(graph::Context& block, const NDArray& x, const NDArray& alpha) {
  const int rank = x.rankOf();
  Dims dims = x.getShapeAsVector();
  dims.erase(dims.begin());
  for (const int axis : arguments<SharedAxes>(block).sharedAxes) {
    const int counted = axis > 0 ? axis : axis + rank - 1;
    if (counted < 1 || counted >= rank)
      reject("argument 'shared_axes': {} is outside 1..{} (shape {})", axis, rank - 1, text(x));
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

/// The inputs and arguments of both.
/// max(x, 0) - alpha max(-x, 0)
std::vector<Symbol> composedPrelu(Gradient& g) {
  const Symbol x = g.input(0);
  const int rank = g.rank(x);
  std::vector<LongType> sizes;
  for (int d = 1; d < rank; d++) sizes.push_back(g.size(x, d));
  for (const int axis : g.arguments<SharedAxes>().sharedAxes)
    sizes.at(static_cast<size_t>(axis > 0 ? axis - 1 : axis + rank - 2)) = 1;
  const Symbol alpha = g.call("reshape", {g.input(1)}, Reshape{sizes});
  return {g.call("relu", {x}) - alpha * g.call("relu", {-x})};
}

void describe(Schema& schema) {
  schema.input("x", "[N, d1, ..., dk]").rankAtLeast(2);
  schema.input("alpha", "the slopes, [d1, ..., dk] with 1 for shared axes, in any shape of that length");
  schema
      .argument(&SharedAxes::sharedAxes, "shared_axes",
                "the axes of x that share a slope: 1..k; 0 is the last axis, -1 the axis before it")
      .atInteger(0);
  schema.inputTypes({ALL_FLOATS}).words("parametric ReLU, learned slope, activation function");
}

}  // namespace

CONFIGURABLE_OP_IMPL(prelu, 2, 1, true, 0, 0) {
  NDArray &x = *INPUT_VARIABLE(0), &z = *OUTPUT_VARIABLE(0);
  const NDArray alpha = slopes(block, x, *INPUT_VARIABLE(1));
  if (x.isEmpty()) return Status::OK;
  BUILD_SINGLE_SELECTOR(x.dataType(), forward_, (x, alpha, z), SD_FLOAT_TYPES);
  return Status::OK;
}
DECLARE_SCHEMA(prelu) {
  schema.summary("Leaky ReLU with slopes from an array.").formula("z = x for x >= 0, else alpha x");
  describe(schema);
  schema.output("z", "the shape and type of x");
  schema.infer(inferLikeFirst).gradient("prelu_bp");
  schema.example(R"({"x": [[-1.0, 2.0], [-3.0, -4.0]], "alpha": [0.5, 2.0]})")
      .elsewhere({.torch = "torch.nn.functional.prelu", .tensorflow = "tf.keras.layers.PReLU", .onnx = "PRelu"})
      .see("lrelu relu");
}

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
DECLARE_SCHEMA(prelu_bp) {
  schema.summary("The gradients of prelu.")
      .formula("gradX = gradZ for x >= 0, else alpha gradZ; gradAlpha = sum of gradZ x where x < 0");
  describe(schema);
  schema.input("gradZ", "the length of x, or one element");
  schema.output("gradX", "the shape and type of x");
  schema.output("gradAlpha", "the shape and type of alpha");
  schema.infer(inferLikeFirstTwo).gradient(backwardOf<composedRule<composedPrelu>>);
  schema.example(R"({"x": [[-1.0, 2.0], [-3.0, -4.0]], "alpha": [0.5, 2.0], "gradZ": [[1.0, 1.0], [1.0, 1.0]]})")
      .see("prelu");
}

}  // namespace sd::ops
