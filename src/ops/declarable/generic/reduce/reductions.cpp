// Reductions that are numbered operations, with results of x's type or of a real type.
// operations: reduce_sum reduce_prod reduce_max reduce_min reduce_mean reduce_norm1 reduce_norm2 reduce_sqnorm
// operations: reduce_norm_max reduce_logsumexp reduce_variance reduce_stdev
// calls: Exp IsFinite Log Max Mean Min Multiply Norm1 Norm2 NormMax Prod ReplaceNans SquaredNorm Sum
// calls: SummaryStatsStandardDeviation SummaryStatsVariance
#include <ops/declarable/headers/reduce.h>

#include "ops/declarable/generic/reduce/Reduction.h"

namespace sd::ops {
namespace {

Status reduceWith(graph::Context& block, ReduceOp op, NDArray& z) {
  const NDArray& x = *block.array(0);
  if (z.isEmpty()) return Status::OK;
  x.reduceAlongDimension(op, z, reducedAxes(block, 1, x.rankOf()), keepsDims(block));
  return Status::OK;
}

void describe(OpDescriptor* descriptor, bool real, const char* summary, const char* formula) {
  descriptor->setAllowedInputTypes({ALL_FLOATS, ALL_INTS, BOOL})->setAllowedInputTypes(1, {ALL_INTS, ALL_FLOATS});
  if (real)
    descriptor->setAllowedOutputTypes({ALL_FLOATS});
  else
    descriptor->setSameMode(true);
  descriptor->document(
      {.summary = summary,
       .formula = formula,
       .inputs = REDUCE_INPUTS,
       .outputs = real ? "y: x without the axes; x's type, FLOAT32 for integers" : "y: x without the axes, x's type",
       .integers = REDUCE_INTEGERS,
       .booleans = REDUCE_BOOLEANS,
       .notes = NDFORGE_REDUCE_NOTES});
}

}  // namespace

#define SD_REDUCTION(NAME, NUMBER, REAL, TYPE, SUMMARY, FORMULA)                                              \
  CUSTOM_OP_IMPL(NAME, -1, 1, false, 0, 0) { return reduceWith(block, reduce::NUMBER, *OUTPUT_VARIABLE(0)); } \
  DECLARE_SHAPE_FN(NAME) { return shapes(reducedShape(block, inputShape->at(0), TYPE(inputShape->at(0)))); }  \
  DECLARE_TYPES(NAME) { describe(getOpDescriptor(), REAL, SUMMARY, FORMULA); }

SD_REDUCTION(reduce_sum, Sum, false, ArrayOptions::dataType, "The sum along dimensions.", "y = sum x")
SD_REDUCTION(reduce_prod, Prod, false, ArrayOptions::dataType, "The product along dimensions.", "y = product x")
SD_REDUCTION(reduce_max, Max, false, ArrayOptions::dataType, "The largest element along dimensions.", "y = max x")
SD_REDUCTION(reduce_min, Min, false, ArrayOptions::dataType, "The smallest element along dimensions.", "y = min x")
SD_REDUCTION(reduce_mean, Mean, true, realType, "The mean along dimensions.", "y = sum x / n")
SD_REDUCTION(reduce_norm1, Norm1, true, realType, "The sum of magnitudes along dimensions.", "y = sum |x|")
SD_REDUCTION(reduce_norm2, Norm2, true, realType, "The Euclidean norm along dimensions.", "y = sqrt(sum x^2)")
SD_REDUCTION(reduce_sqnorm, SquaredNorm, true, realType, "The sum of squares along dimensions.", "y = sum x^2")
SD_REDUCTION(reduce_norm_max, NormMax, true, realType, "The largest magnitude along dimensions.", "y = max |x|")

// ---- log of the sum of exponentials

CUSTOM_OP_IMPL(reduce_logsumexp, -1, 1, false, 0, -2) {
  NDArray& z = *OUTPUT_VARIABLE(0);
  if (z.isEmpty()) return Status::OK;
  const NDArray& given = *INPUT_VARIABLE(0);
  const std::vector<int> axes = reducedAxes(block, 1, given.rankOf());
  if (given.isEmpty()) {
    z.assign(-DataTypeUtils::infOrMax<double>());
    return Status::OK;
  }
  NDArray x = given.dataType() == z.dataType() ? given.dup() : given.cast(z.dataType());
  // The largest element of each slice is subtracted to prevent overflow, unless it is infinite: that would give NaN.
  NDArray largest = x.reduceAlongDimension(reduce::Max, axes);
  NDArray finite = zeros(BOOL, largest.getShapeAsVector());
  if (largest.rankOf() == 0) finite = NDArray(BOOL);
  largest.applyTransform(transform::IsFinite, finite);
  NDArray shift = largest.dup();
  NDArray mask = finite.cast(z.dataType());
  shift.applyPairwiseTransform(pairwise::Multiply, mask, shift);
  shift.applyScalar(scalar::ReplaceNans, 0.0, shift);
  x -= stretchable(shift, x, axes);
  x.applyTransform(transform::Exp, x);
  NDArray sums = x.reduceAlongDimension(reduce::Sum, axes);
  sums.applyTransform(transform::Log, sums);
  sums += shift;
  z.assign(sums);
  return Status::OK;
}
DECLARE_SHAPE_FN(reduce_logsumexp) {
  const LongType* x = inputShape->at(0);
  std::vector<int> axes = reducedAxes(block, 1, shape::rank(x));
  return shapes(
      ShapeUtils::evalReduceShapeInfo(shape::order(x), axes, x, realType(x), number(block, 0, 0.0) != 0.0, false));
}
DECLARE_TYPES(reduce_logsumexp) {
  getOpDescriptor()
      ->setAllowedInputTypes({ALL_FLOATS, ALL_INTS})
      ->setAllowedOutputTypes({ALL_FLOATS})
      ->document({.summary = "The logarithm of the sum of exponentials along dimensions.",
                  .formula = "y = m + log(sum exp(x - m)), m = max x",
                  .inputs = REDUCE_INPUTS,
                  .outputs = "y: x without the axes",
                  .floats = "keepDims?: reduced dimensions are kept with size 1 when not 0 (default 0)",
                  .integers = REDUCE_INTEGERS,
                  .notes = NDFORGE_REDUCE_NOTES});
}

// ---- variance and standard deviation

namespace {

Status spread(graph::Context& block, variance::Ops op, NDArray& z) {
  const NDArray& x = *block.array(0);
  if (z.isEmpty()) return Status::OK;
  const std::vector<int> axes = reducedAxes(block, 1, x.rankOf());
  if (elementsPerResult(x, axes) <= 1) {
    z.nullify();
    return Status::OK;
  }
  loops::summaryStats(op, in(x), out(z), reduceFlag(block, 1), axes);
  return Status::OK;
}

void describeSpread(OpDescriptor* descriptor, const char* summary, const char* formula) {
  descriptor->setAllowedInputTypes({ALL_FLOATS, ALL_INTS})
      ->setAllowedOutputTypes({ALL_FLOATS})
      ->document(
          {.summary = summary,
           .formula = formula,
           .inputs = REDUCE_INPUTS,
           .outputs = "y: x without the axes; x's type, FLOAT32 for integers",
           .integers = REDUCE_INTEGERS,
           .booleans =
               "keepDims?: reduced dimensions are kept with size 1 (default false)\nbiasCorrected?: divide by n - 1 "
               "(default false)",
           .notes = "Without booleans, the flags are read from the floating arguments. One element gives "
                    "0. " NDFORGE_REDUCE_NOTES});
}

}  // namespace

#define SD_SPREAD(NAME, NUMBER, SUMMARY, FORMULA)                                                                \
  CUSTOM_OP_IMPL(NAME, -1, 1, false, 0, 0) { return spread(block, variance::NUMBER, *OUTPUT_VARIABLE(0)); }      \
  DECLARE_SHAPE_FN(NAME) { return shapes(reducedShape(block, inputShape->at(0), realType(inputShape->at(0)))); } \
  DECLARE_TYPES(NAME) { describeSpread(getOpDescriptor(), SUMMARY, FORMULA); }

SD_SPREAD(reduce_variance, SummaryStatsVariance, "The variance along dimensions.", "y = sum (x - mean)^2 / n")
SD_SPREAD(reduce_stdev, SummaryStatsStandardDeviation, "The standard deviation along dimensions.",
          "y = sqrt(sum (x - mean)^2 / n)")

}  // namespace sd::ops
