// Mean 0 and standard deviation 1 over dimensions, and the gradient.
#include <ops/declarable/headers/transforms.h>

#include "ops/declarable/Common.h"

#if NOT_EXCLUDED(OP_standardize) || NOT_EXCLUDED(OP_standardize_bp)

namespace sd::ops {
namespace {

constexpr double EPSILON = 1e-12;

using loops::OpGroup;

DataType widened(DataType type) { return type == HALF || type == BFLOAT16 ? FLOAT32 : type; }

/// From input 1 where there are more inputs than `others`, else from the arguments.
std::vector<int> axesOf(graph::Context& block, unsigned long others) {
  const auto axes = block.width() > others ? block.array(1)->getBufferAsVector<int>() : *block.getIArguments();
  if (axes.empty()) reject("the axes are missing");
  return checkedAxes(axes, block.array(0)->rankOf());
}

/// x less its mean, and the standard deviations in x's shape with sizes of 1 at the axes.
struct Centred {
  NDArray values, deviations;

  Centred(const NDArray& x, const std::vector<int>& axes)
      : values(x), deviations(x.reduceAlongDimension(reduce::Mean, axes, true)) {
    broadcastTo(OpGroup::Pairwise, pairwise::Subtract, x, deviations, values);
    NDArray squares = values * values;
    deviations.assign(squares.reduceAlongDimension(reduce::Mean, axes, true));
    deviations.applyTransform(transform::Sqrt, deviations);
  }
};

/// target = values with 0 for NaN.
void assignNumbers(NDArray& values, NDArray& target) {
  values.applyScalar(scalar::ReplaceNans, 0, values);
  target.assign(values);
}

}  // namespace

CONFIGURABLE_OP_IMPL(standardize, 1, 1, true, 0, -2) {
  const auto axes = axesOf(block, 1);
  NDArray& z = *OUTPUT_VARIABLE(0);
  if (z.isEmpty()) return Status::OK;
  Centred x(*Dense(*INPUT_VARIABLE(0), widened(z.dataType())), axes);
  x.deviations += EPSILON;
  broadcastTo(OpGroup::Pairwise, pairwise::Divide, x.values, x.deviations, x.values);
  assignNumbers(x.values, z);
  return Status::OK;
}
DECLARE_TYPES(standardize) {
  getOpDescriptor()
      ->setAllowedInputTypes({ALL_FLOATS})
      ->setAllowedInputTypes(1, {ALL_INDICES})
      ->setSameMode(true)
      ->document({.summary = "Mean 0 and standard deviation 1 over dimensions.",
                  .formula = "z = (x - mean(x)) / (std(x) + 1e-12), std divided by n; 0 instead of NaN",
                  .inputs = "x: rank 1 or more\naxes?: INT32 or INT64; goes before the arguments",
                  .outputs = "z: x's shape and type",
                  .integers = "axes?: the dimensions over which the mean is taken"});
}

CUSTOM_OP_IMPL(standardize_bp, 2, 1, false, 0, -2) {
  const int last = block.width() > 2 ? 2 : 1;
  const NDArray &input = *INPUT_VARIABLE(0), &eps = *INPUT_VARIABLE(last);
  const auto axes = axesOf(block, 2);
  requireSameShape(eps, last, "eps", input, 0, "x");
  NDArray& gradient = *OUTPUT_VARIABLE(0);
  if (gradient.isEmpty()) return Status::OK;
  const Dense x(input, widened(input.dataType())), above(eps, x->dataType());
  Centred centred(*x, axes);
  NDArray &d = centred.values, &s = centred.deviations;
  // eps / s - mean(eps) / s - d * mean(eps * d) / s^3
  const NDArray products = *above * d;
  NDArray slopes = products.reduceAlongDimension(reduce::Mean, axes, true);
  slopes.applyPairwiseTransform(pairwise::Divide, s);
  slopes.applyPairwiseTransform(pairwise::Divide, s);
  NDArray result = *above;
  broadcastTo(OpGroup::Pairwise, pairwise::Subtract, result, above->reduceAlongDimension(reduce::Mean, axes, true),
              result);
  broadcastTo(OpGroup::Pairwise, pairwise::Multiply, d, slopes, d);
  result.applyPairwiseTransform(pairwise::Subtract, d);
  broadcastTo(OpGroup::Pairwise, pairwise::Divide, result, s, result);
  assignNumbers(result, gradient);
  return Status::OK;
}
DECLARE_SHAPE_FN(standardize_bp) { return shapes(like(inputShape->at(0))); }
DECLARE_TYPES(standardize_bp) {
  getOpDescriptor()
      ->setAllowedInputTypes({ALL_FLOATS})
      ->setAllowedInputTypes(1, {ALL_FLOATS, ALL_INDICES})
      ->setAllowedOutputTypes({ALL_FLOATS})
      ->document({.summary = "The gradient of standardize; 0 where the standard deviation is 0.",
                  .inputs = "x: rank 1 or more\naxes?: as of standardize\neps: the gradient of z, x's shape",
                  .outputs = "gradX: x's shape and type",
                  .integers = "axes?: as of standardize"});
}

}  // namespace sd::ops

#endif
