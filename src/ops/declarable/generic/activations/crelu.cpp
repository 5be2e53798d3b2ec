// Concatenated ReLU: the positive parts of x and of -x side by side. Shang et al., "Understanding and improving
// convolutional neural networks via concatenated rectified linear units", 2016.
// operations: crelu crelu_bp
// calls: Neg RELU RELUDerivative SafeDivide Subtract
#include <ops/declarable/headers/activations.h>
#include <ops/declarable/headers/transforms.h>

#include "ops/declarable/Composition.h"
#include "ops/declarable/helpers/backward_rules.h"
#include "ops/declarable/helpers/checked_size.h"
#include "ops/declarable/helpers/constant_gradient.h"
#include "ops/declarable/helpers/inference.h"

namespace sd::ops {
namespace {

/// The first or second half of the last axis.
NDArray half(const NDArray& array, int which) {
  const int rank = array.rankOf();
  const LongType size = array.sizeAt(-1) / 2;
  std::vector<LongType> intervals(static_cast<size_t>(2 * rank), 0);
  intervals[static_cast<size_t>(2 * rank - 2)] = which * size;
  intervals[static_cast<size_t>(2 * rank - 1)] = (which + 1) * size;
  return array(intervals, true);
}

/// x with twice as many elements along the last axis.
PartialShape doubled(const PartialShape& x) {
  PartialShape z = x;
  if (x.hasRank() && x[-1] != PartialShape::UNKNOWN)
    z.set(x.rank() - 1, helpers::checkedProduct(x[-1], 2, "the last axis of z"));
  return z;
}

void requireDoubled(const PartialShape& gradZ, const PartialShape& x) {
  const PartialShape z = doubled(x);
  if (!isConstantGradient(gradZ, z)) requireCompatible(gradZ, 1, "gradZ", z, "z");
}

std::vector<Symbol> composedCrelu(Gradient& g) {
  const Symbol x = g.input(0), both = g.call("concat", {x, -x}, Concat{g.rank(x) - 1});
  return {g.call("relu", {both})};
}

}  // namespace

CUSTOM_OP_IMPL(crelu, 1, 1, false, 0, 0) {
  NDArray &x = *INPUT_VARIABLE(0), &z = *OUTPUT_VARIABLE(0);
  if (!x.isR()) reject("input 0 'x': type {} is not a real type", DataTypeUtils::describe(x.dataType()));
  if (z.isEmpty()) return Status::OK;
  NDArray positive = half(z, 0), negative = half(z, 1);
  x.applyTransform(transform::Neg, negative);
  negative.applyScalar(scalar::RELU, 0.0, negative);
  x.applyScalar(scalar::RELU, 0.0, positive);
  return Status::OK;
}
INFERRED_SHAPES(crelu)
DECLARE_SCHEMA(crelu) {
  schema.summary("Concatenated ReLU.").formula("z = max(0, concat(x, -x)) along the last axis");
  schema.input("x", "[..., d], a float type").rankAtLeast(1);
  schema.output("z", "[..., 2 d], the type of x");
  schema.inputTypes({ANY}).sameTypes().infer([](Inference& in) { in.output(doubled(in.input(0))); });
  schema.gradient("crelu_bp");
  schema.example(R"({"x": [-1.0, 2.0]})")
      .elsewhere({.tensorflow = "tf.nn.crelu"})
      .words("concatenated ReLU, activation function")
      .see("relu");
}

CUSTOM_OP_IMPL(crelu_bp, 2, 1, false, 0, 0) {
  NDArray &x = *INPUT_VARIABLE(0), &z = *OUTPUT_VARIABLE(0);
  const NDArray& g = *INPUT_VARIABLE(1);
  requireDoubled(PartialShape::of(g.shapeInfo()), PartialShape::of(x.shapeInfo()));
  if (z.isEmpty()) return Status::OK;
  Dims dims = dimsOf(x.shapeInfo());
  dims.back() *= 2;
  const NDArray whole = wholeGradient(g, dims);
  const NDArray converted = g.dataType() == x.dataType() ? whole : whole.cast(x.dataType());
  NDArray negated = -x, above = x.ulike(), below = x.ulike();
  x.applyScalar(scalar::RELUDerivative, 0.0, above);
  negated.applyScalar(scalar::RELUDerivative, 0.0, below);
  // Products with 0 would keep NaN and infinity; these quotients are 0 where the derivatives are.
  half(converted, 0).applyPairwiseTransform(pairwise::SafeDivide, above, above);
  half(converted, 1).applyPairwiseTransform(pairwise::SafeDivide, below, below);
  above.applyPairwiseTransform(pairwise::Subtract, below, z);
  return Status::OK;
}
INFERRED_SHAPES(crelu_bp)
DECLARE_SCHEMA(crelu_bp) {
  schema.summary("The gradient of crelu.")
      .formula("gradX = g1 where x > 0, minus g2 where x < 0, gradZ = concat(g1, g2)");
  schema.input("x", "[..., d]").rankAtLeast(1);
  schema.input("gradZ", "[..., 2 d]; or [] or [1], a constant");
  schema.output("gradX", "[..., d], the type of x");
  schema.inputTypes({ALL_FLOATS})
      .sameTypes()
      .gradient(backwardOf<composedRule<composedCrelu>>)
      .infer([](Inference& in) {
        requireDoubled(in.input(1), in.input(0));
        in.output(in.input(0));
      });
  schema.example(R"({"x": [-1.0, 2.0], "gradZ": [1.0, 2.0, 3.0, 4.0]})")
      .words("concatenated ReLU, activation function")
      .see("crelu");
}

}  // namespace sd::ops
