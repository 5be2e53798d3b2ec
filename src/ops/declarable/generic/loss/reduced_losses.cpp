// Weighted losses of whole slices: cosine distance, pairwise squared error; the sum of squares.
// operations: cosine_distance_loss cosine_distance_loss_grad mean_pairwssqerr_loss mean_pairwssqerr_loss_grad l2_loss
// calls: CountNonZero OneMinus SquaredNorm Sum
#include <ops/declarable/headers/loss.h>

#include "ops/declarable/generic/loss/WeightedLoss.h"

namespace sd::ops {
namespace {

// ---- cosine distance: one loss for each slice along the axis

int cosineAxis(graph::Context& block, const LongType* predictions) {
  return checkedAxis(block.intArgument64(1), shape::rank(predictions), "axis");
}

/// The dimensions of the losses: the axis is kept with size 1.
Dims cosineDims(graph::Context& block, const LongType* predictions) {
  Dims dims = dimsOf(predictions);
  dims[static_cast<size_t>(cosineAxis(block, predictions))] = 1;
  return dims;
}

Dims checkedCosineDims(graph::Context& block, ShapeList* in) {
  requireLabels(in->at(0), in->at(2));
  const Dims dims = cosineDims(block, in->at(0));
  weightDims(in->at(1), dims);
  reductionOf(block);
  return dims;
}

/// One call of a loss over slices: the arrays in the compute type.
struct Slices {
  DataType type;
  Dense p, y;

  explicit Slices(graph::Context& block)
      : type(computeType(lossType(block.array(0)->shapeInfo()))), p(*block.array(0), type), y(*block.array(2), type) {}
};

/// 1 - sum(p y) along the axis.
NDArray cosineDistances(const Slices& call, int axis) {
  NDArray result = (*call.p * *call.y).reduceAlongDimension(reduce::Sum, {axis}, true);
  result.applyTransform(transform::OneMinus, result);
  return result;
}

// ---- pairwise squared error: one loss for each sample

/// The dimensions of the losses: [N, 1, ..., 1].
Dims pairDims(const LongType* predictions) {
  Dims dims = dimsOf(predictions);
  for (size_t d = 1; d < dims.size(); d++) dims[d] = 1;
  return dims;
}

Dims checkedPairDims(ShapeList* in) {
  requireLabels(in->at(0), in->at(2));
  Dims dims = pairDims(in->at(0));
  weightDims(in->at(1), dims);
  return dims;
}

/// The differences d = p - y with samples as rows, and the gradient of E = 4 / (n (n - 1)) (n sum(d^2) - sum(d)^2).
struct Pairs {
  NDArray losses, gradient;

  explicit Pairs(const Slices& call)
      : losses(unset(call.type, pairDims(call.p->shapeInfo()))),
        gradient(unset(call.type, call.p->getShapeAsVector())) {
    const LongType n = losses.lengthOf() == 0 ? 0 : call.p->lengthOf() / losses.lengthOf();
    losses.nullify();
    gradient.nullify();
    if (n < 2) return;
    withReal(call.type, [&]<typename T>() {
      const T *p = call.p.as<T>(), *y = call.y.as<T>();
      T *e = losses.bufferAsT<T>(), *g = gradient.bufferAsT<T>();
      const double pairs = static_cast<double>(n) * static_cast<double>(n - 1);
      overElements(losses.lengthOf(), 3.0 * static_cast<double>(n), [=](LongType first, LongType last) {
        for (LongType r = first; r < last; r++) {
          double sum = 0, squares = 0;
          for (LongType i = r * n; i < (r + 1) * n; i++) sum += static_cast<double>(p[i] - y[i]);
          const double mean = sum / static_cast<double>(n);
          for (LongType i = r * n; i < (r + 1) * n; i++) {
            const double d = static_cast<double>(p[i] - y[i]) - mean;
            squares += d * d;
            g[i] = static_cast<T>(8 * static_cast<double>(n) / pairs * d);
          }
          // n sum(d^2) - sum(d)^2 = n sum((d - mean)^2)
          e[r] = static_cast<T>(4 * static_cast<double>(n) / pairs * squares);
        }
      });
    });
  }
};

void describe(OpDescriptor* descriptor, const char* summary, const char* formula, const char* inputs,
              const char* outputs, const char* integers) {
  descriptor->setAllowedInputTypes({ALL_FLOATS, ALL_INTS, BOOL})
      ->setAllowedOutputTypes({ALL_FLOATS})
      ->document({.summary = summary, .formula = formula, .inputs = inputs, .outputs = outputs, .integers = integers});
}

ShapeList* gradientShapes(ShapeList* in) {
  const DataType type = lossType(in->at(0));
  return shapes(like(in->at(0), type), like(in->at(1), type), like(in->at(2), type));
}

constexpr const char* COSINE_INPUTS =
    "predictions: any shape, of norm 1 along the axis\nweights: one element, or broadcastable to predictions with 1 on "
    "the axis\nlabels: the shape of predictions";
#define SD_MODE \
  "mode: 0 no reduction, 1 the weighted sum, 2 the weighted mean, 3 the weighted sum / the number of nonzero weights"
constexpr const char* COSINE_INTEGERS = SD_MODE "\naxis: the axis of the vectors; negative ones count from the end";
constexpr const char* PAIR_INPUTS =
    "predictions: [N, ...]\nweights: one element, or broadcastable to [N, 1, ..., 1]\nlabels: the shape of predictions";

}  // namespace

CUSTOM_OP_IMPL(cosine_distance_loss, 3, 1, false, 0, 2) {
  const Slices call(block);
  NDArray& z = *OUTPUT_VARIABLE(0);
  const LongType* predictions = call.p->shapeInfo();
  const Weighting weighting(block, *INPUT_VARIABLE(1), call.type, cosineDims(block, predictions));
  if (call.p->isEmpty() && weighting.reduces()) {
    weighting.reduceEqual(1, z);
    return Status::OK;
  }
  NDArray losses = cosineDistances(call, cosineAxis(block, predictions));
  if (!z.isEmpty()) weighting.reduce(losses, z);
  return Status::OK;
}
DECLARE_SHAPE_FN(cosine_distance_loss) {
  const Dims dims = checkedCosineDims(block, inputShape);
  return shapes(lossShape(block, lossType(inputShape->at(0)), shape::order(inputShape->at(2)), dims));
}
DECLARE_TYPES(cosine_distance_loss) {
  describe(getOpDescriptor(), "The cosine distance.", "E = 1 - sum(p y) along the axis", COSINE_INPUTS,
           "loss: a scalar, in mode 0 the shape of predictions with 1 on the axis", COSINE_INTEGERS);
}

CUSTOM_OP_IMPL(cosine_distance_loss_grad, 3, 3, false, 0, 2) {
  const Slices call(block);
  NDArray &gradP = *OUTPUT_VARIABLE(0), &gradW = *OUTPUT_VARIABLE(1), &gradY = *OUTPUT_VARIABLE(2);
  const LongType* predictions = call.p->shapeInfo();
  const Weighting weighting(block, *INPUT_VARIABLE(1), call.type, cosineDims(block, predictions));
  if (call.p->isEmpty()) {
    weighting.gradientOfEqual(1, gradW);
    return Status::OK;
  }
  NDArray losses = cosineDistances(call, cosineAxis(block, predictions));
  weighting.gradient(losses, gradW);
  const NDArray factor = -weighting.factor();
  gradP.assign(*call.y * factor);
  gradY.assign(*call.p * factor);
  return Status::OK;
}
DECLARE_SHAPE_FN(cosine_distance_loss_grad) {
  checkedCosineDims(block, inputShape);
  return gradientShapes(inputShape);
}
DECLARE_TYPES(cosine_distance_loss_grad) {
  describe(getOpDescriptor(), "The gradients of cosine_distance_loss.", "of E = 1 - sum(p y)", COSINE_INPUTS,
           LOSS_GRADIENT_OUTPUTS, COSINE_INTEGERS);
}

CUSTOM_OP_IMPL(mean_pairwssqerr_loss, 3, 1, false, 0, 1) {
  NDArray& z = *OUTPUT_VARIABLE(0);
  const Slices call(block);
  if (call.p->rankOf() == 1) {
    if (!z.isEmpty()) z.nullify();
    return Status::OK;
  }
  const Weighting weighting(block, *INPUT_VARIABLE(1), call.type, pairDims(call.p->shapeInfo()));
  if (call.p->isEmpty() && weighting.reduces()) {
    weighting.reduceEqual(0, z);
    return Status::OK;
  }
  Pairs pairs(call);
  if (!z.isEmpty()) weighting.reduce(pairs.losses, z);
  return Status::OK;
}
DECLARE_SHAPE_FN(mean_pairwssqerr_loss) {
  Dims dims = checkedPairDims(inputShape);
  if (dims.size() == 1) dims = {1, 1};
  return shapes(lossShape(block, lossType(inputShape->at(0)), 'c', dims));
}
DECLARE_TYPES(mean_pairwssqerr_loss) {
  describe(getOpDescriptor(), "The mean of the squared differences between all pairs of errors in a sample.",
           "E = 4 / (n (n - 1)) (n sum(d^2) - sum(d)^2), d = p - y, n elements in a sample; 0 for n = 1 and rank 1",
           PAIR_INPUTS, "loss: a scalar, in mode 0 [N, 1, ..., 1]", SD_MODE);
}

CUSTOM_OP_IMPL(mean_pairwssqerr_loss_grad, 3, 3, false, 0, 1) {
  NDArray &gradP = *OUTPUT_VARIABLE(0), &gradW = *OUTPUT_VARIABLE(1), &gradY = *OUTPUT_VARIABLE(2);
  const Slices call(block);
  const Weighting weighting(block, *INPUT_VARIABLE(1), call.type, pairDims(call.p->shapeInfo()));
  if (call.p->isEmpty()) {
    weighting.gradientOfEqual(0, gradW);
    return Status::OK;
  }
  Pairs pairs(call);
  weighting.gradient(pairs.losses, gradW);
  pairs.gradient *= weighting.factor();
  gradP.assign(pairs.gradient);
  pairs.gradient *= -1.0;
  gradY.assign(pairs.gradient);
  return Status::OK;
}
DECLARE_SHAPE_FN(mean_pairwssqerr_loss_grad) {
  checkedPairDims(inputShape);
  reductionOf(block);
  return gradientShapes(inputShape);
}
DECLARE_TYPES(mean_pairwssqerr_loss_grad) {
  describe(getOpDescriptor(), "The gradients of mean_pairwssqerr_loss.", "dE/dp = 8 / (n (n - 1)) (n d - sum(d))",
           PAIR_INPUTS, LOSS_GRADIENT_OUTPUTS, SD_MODE);
}

CUSTOM_OP_IMPL(l2_loss, 1, 1, false, 0, 0) {
  const NDArray& x = *INPUT_VARIABLE(0);
  NDArray& z = *OUTPUT_VARIABLE(0);
  if (x.isEmpty()) {
    z.nullify();
    return Status::OK;
  }
  const DataType type = computeType(x);
  const Dense dense(x, type);
  z.assign(dense->reduceNumber(reduce::SquaredNorm).e<double>(0) / 2);
  return Status::OK;
}
DECLARE_SHAPE_FN(l2_loss) { return shapes(scalarOf(ArrayOptions::dataType(inputShape->at(0)))); }
DECLARE_TYPES(l2_loss) {
  getOpDescriptor()
      ->setAllowedInputTypes({ALL_FLOATS})
      ->setAllowedOutputTypes({ALL_FLOATS})
      ->document({.summary = "Half the sum of squares.",
                  .formula = "z = sum(x^2) / 2",
                  .inputs = "x: any shape",
                  .outputs = "z: a scalar of the type of x"});
}

}  // namespace sd::ops
