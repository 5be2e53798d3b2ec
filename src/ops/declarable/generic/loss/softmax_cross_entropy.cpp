// Cross entropies of softmax(logits), weighted or not. The labels are probabilities or class indices.
// operations: softmax_cross_entropy_loss softmax_cross_entropy_loss_grad softmax_cross_entropy_loss_with_logits
// operations: softmax_cross_entropy_loss_with_logits_grad sparse_softmax_cross_entropy_loss_with_logits
// operations: sparse_softmax_cross_entropy_loss_with_logits_grad
// calls: CountNonZero Exp Max Multiply Subtract Sum
#include <ops/declarable/headers/loss.h>

#include "ops/declarable/generic/loss/WeightedLoss.h"
#include "ops/declarable/helpers/softmax.h"

namespace sd::ops {
namespace {

/// losses[r] = -sum(y log softmax(x)) over rows of n classes, with y = scale * labels + shift. gradX, if given,
/// receives softmax * sum(y) - y; logs receives log softmax.
template <typename T>
void crossEntropies(const T* x, const T* labels, LongType rows, LongType n, T scale, T shift, T* losses, T* gradX,
                    T* logs) {
  softmaxRows(x, logs, rows, n, true);
  if (gradX != nullptr) softmaxRows(x, gradX, rows, n, false);
  execution::parallelFor(rows, execution::threadsFor(2.0 * static_cast<double>(rows * n)),
                         [=](LongType first, LongType last) {
                           for (LongType r = first; r < last; r++) {
                             T loss = 0, total = 0;
                             for (LongType i = r * n; i < (r + 1) * n; i++) {
                               const T y = scale * labels[i] + shift;
                               // A class with label 0 contributes nothing, even if its logit is -inf.
                               loss -= y == 0 ? T(0) : y * logs[i];
                               total += y;
                             }
                             losses[r] = loss;
                             if (gradX == nullptr) continue;
                             for (LongType i = r * n; i < (r + 1) * n; i++)
                               gradX[i] = gradX[i] * total - (scale * labels[i] + shift);
                           }
                         });
}

/// The cross entropies of one call, with the classes last.
struct Entropies {
  DataType type;
  Dims dims;  ///< of the logits
  LongType classes;
  NDArray losses, logs, gradient;

  /// `smoothing` is the part of the labels that is spread evenly over all classes.
  Entropies(const NDArray& logits, const NDArray& labels, DataType of, double smoothing, bool withGradient)
      : type(computeType(of)),
        dims(logits.getShapeAsVector()),
        classes(dims.back()),
        losses(unset(type, Dims(dims.begin(), dims.end() - 1))),
        logs(unset(type, dims)) {
    if (withGradient) gradient = unset(type, dims);
    if (logits.isEmpty()) {
      losses.nullify();
      return;
    }
    const Dense x(logits, type), y(labels, type);
    withReal(type, [&]<typename T>() {
      crossEntropies<T>(x.as<T>(), y.as<T>(), losses.lengthOf(), classes, static_cast<T>(1 - smoothing),
                        static_cast<T>(smoothing / static_cast<double>(classes)), losses.bufferAsT<T>(),
                        withGradient ? gradient.bufferAsT<T>() : nullptr, logs.bufferAsT<T>());
    });
  }
};

/// The dimensions of the losses, one loss per sample. sampleShape() returns them as a shapeInfo.
Dims sampleDims(const LongType* logits) {
  Dims dims = dimsOf(logits);
  dims.pop_back();
  return dims;
}

const LongType* sampleShape(graph::Context& block, const LongType* logits) {
  Dims dims = sampleDims(logits);
  while (dims.size() < 2 && shape::rank(logits) <= 2) dims.push_back(1);
  return lossShape(block, ArrayOptions::dataType(logits), 'c', dims);
}

void requireSmoothable(ShapeList* in, graph::Context& block) {
  const LongType* logits = in->at(0);
  if (shape::rank(logits) < 1) reject("input 0 'logits': a scalar has no class axis");
  if (shape::rank(logits) == 1 && block.floatArgument(0) != 0)
    reject("argument 'smoothing': {} must be 0 for logits of rank 1", block.floatArgument(0));
  requireLabels(logits, in->at(2));
  weightDims(in->at(1), sampleDims(logits), true);
  reductionOf(block);
}

}  // namespace

CUSTOM_OP_IMPL(softmax_cross_entropy_loss, 3, 1, false, 1, 1) {
  const NDArray& logits = *INPUT_VARIABLE(0);
  NDArray& z = *OUTPUT_VARIABLE(0);
  const DataType type = logits.dataType();
  const Weighting weighting(block, *INPUT_VARIABLE(1), computeType(type), sampleDims(logits.shapeInfo()), true);
  if (logits.isEmpty() && weighting.reduces()) {
    weighting.reduceEqual(0, z);
    return Status::OK;
  }
  Entropies entropies(logits, *INPUT_VARIABLE(2), type, T_ARG(0), false);
  if (!z.isEmpty()) weighting.reduce(entropies.losses, z);
  return Status::OK;
}
DECLARE_SHAPE_FN(softmax_cross_entropy_loss) {
  requireSmoothable(inputShape, block);
  return shapes(sampleShape(block, inputShape->at(0)));
}
DECLARE_TYPES(softmax_cross_entropy_loss) {
  getOpDescriptor()
      ->setAllowedInputTypes({ALL_FLOATS})
      ->setAllowedInputTypes(2, {ALL_FLOATS, ALL_INTS, BOOL})
      ->setAllowedOutputTypes({ALL_FLOATS})
      ->document({.summary = "The cross entropy of softmax along the last axis, weighted by sample.",
                  .formula = "E = -sum(Y log(softmax(logits))), Y = (1 - smoothing) labels + smoothing / K",
                  .inputs = "logits: [..., K]\nweights: one element, or [...] (also [N, 1] for logits [N, "
                            "K])\nlabels: [..., K], probabilities",
                  .outputs = "loss: a scalar; in mode 0 [...], or [N, 1] for logits [N, K]",
                  .floats = "smoothing: label smoothing",
                  .integers = LOSS_MODE});
}

CUSTOM_OP_IMPL(softmax_cross_entropy_loss_grad, 3, 3, false, 1, 1) {
  const NDArray& logits = *INPUT_VARIABLE(0);
  NDArray &gradX = *OUTPUT_VARIABLE(0), &gradW = *OUTPUT_VARIABLE(1), &gradY = *OUTPUT_VARIABLE(2);
  const DataType type = logits.dataType();
  const Weighting weighting(block, *INPUT_VARIABLE(1), computeType(type), sampleDims(logits.shapeInfo()), true);
  if (logits.isEmpty()) {
    weighting.gradientOfEqual(0, gradW);
    return Status::OK;
  }
  Entropies entropies(logits, *INPUT_VARIABLE(2), type, T_ARG(0), true);
  weighting.gradient(entropies.losses, gradW);
  NDArray factor = weighting.factor();
  Dims dims = factor.getShapeAsVector();
  dims.push_back(1);
  factor = factor.reshape('c', dims);
  entropies.gradient *= factor;
  gradX.assign(entropies.gradient);
  factor *= T_ARG(0) - 1;
  entropies.logs *= factor;
  gradY.assign(entropies.logs);
  return Status::OK;
}
DECLARE_SHAPE_FN(softmax_cross_entropy_loss_grad) {
  requireSmoothable(inputShape, block);
  const DataType type = ArrayOptions::dataType(inputShape->at(0));
  return shapes(like(inputShape->at(0)), like(inputShape->at(1), type), like(inputShape->at(2), type));
}
DECLARE_TYPES(softmax_cross_entropy_loss_grad) {
  getOpDescriptor()
      ->setAllowedInputTypes({ALL_FLOATS})
      ->setAllowedInputTypes(2, {ALL_FLOATS, ALL_INTS, BOOL})
      ->setAllowedOutputTypes({ALL_FLOATS})
      ->document({.summary = "The gradients of softmax_cross_entropy_loss.",
                  .formula = "gradLogits = (softmax sum(Y) - Y) F, gradLabels = -log(softmax) (1 - smoothing) F, F: "
                             "the weights over the divisor of the mode",
                  .inputs = "logits: [..., K]\nweights: one element, or [...]\nlabels: [..., K], probabilities",
                  .outputs = LOSS_GRADIENT_OUTPUTS,
                  .floats = "smoothing: label smoothing",
                  .integers = LOSS_MODE});
}

// ---- without weights

namespace {

int classAxis(ShapeList* in, graph::Context& block) {
  const LongType *logits = in->at(0), *labels = in->at(1);
  if (shape::rank(logits) < 1) reject("input 0 'logits': a scalar has no class axis");
  if (dimsOf(logits) != dimsOf(labels))
    reject("input 1 'labels': its shape is {}, but input 0 'logits' has shape {}", text(labels), text(logits));
  return checkedAxis(integer(block, 0, -1), shape::rank(logits), "axis");
}

void describeWithLogits(OpDescriptor* descriptor, const char* summary, const char* formula, const char* outputs) {
  descriptor->setAllowedInputTypes({ALL_FLOATS, ALL_INTS})
      ->setAllowedOutputTypes({ALL_FLOATS})
      ->document({.summary = summary,
                  .formula = formula,
                  .inputs = "logits: any shape\nlabels: probabilities, the shape of logits",
                  .outputs = outputs,
                  .integers = "axis?: the axis of the classes (default -1)"});
}

}  // namespace

CUSTOM_OP_IMPL(softmax_cross_entropy_loss_with_logits, 2, 1, false, 0, 0) {
  const NDArray& logits = *INPUT_VARIABLE(0);
  NDArray& z = *OUTPUT_VARIABLE(0);
  if (z.isEmpty()) return Status::OK;
  const int axis = checkedAxis(integer(block, 0, -1), logits.rankOf(), "axis");
  const Entropies entropies(axisLast(logits, axis), axisLast(*INPUT_VARIABLE(1), axis), z.dataType(), 0, false);
  z.assign(entropies.losses);
  return Status::OK;
}
DECLARE_SHAPE_FN(softmax_cross_entropy_loss_with_logits) {
  const int axis = classAxis(inputShape, block);
  Dims dims = dimsOf(inputShape->at(0));
  dims.erase(dims.begin() + axis);
  const DataType type = lossType(inputShape->at(0));
  return shapes(dims.empty() ? scalarOf(type) : shapeOf(type, shape::order(inputShape->at(0)), dims));
}
DECLARE_TYPES(softmax_cross_entropy_loss_with_logits) {
  describeWithLogits(getOpDescriptor(), "The cross entropy of softmax along an axis.",
                     "z = -sum(labels log(softmax(logits)))", "z: the shape of logits without the axis");
}

CUSTOM_OP_IMPL(softmax_cross_entropy_loss_with_logits_grad, 2, 2, false, 0, 0) {
  const NDArray& logits = *INPUT_VARIABLE(0);
  NDArray &gradX = *OUTPUT_VARIABLE(0), &gradY = *OUTPUT_VARIABLE(1);
  if (gradX.isEmpty()) return Status::OK;
  const int axis = checkedAxis(integer(block, 0, -1), logits.rankOf(), "axis");
  Entropies entropies(axisLast(logits, axis), axisLast(*INPUT_VARIABLE(1), axis), gradX.dataType(), 0, true);
  axisLast(gradX, axis).assign(entropies.gradient);
  entropies.logs *= -1.0;
  axisLast(gradY, axis).assign(entropies.logs);
  return Status::OK;
}
DECLARE_SHAPE_FN(softmax_cross_entropy_loss_with_logits_grad) {
  classAxis(inputShape, block);
  const DataType type = lossType(inputShape->at(0));
  return shapes(like(inputShape->at(0), type), like(inputShape->at(1), type));
}
DECLARE_TYPES(softmax_cross_entropy_loss_with_logits_grad) {
  describeWithLogits(getOpDescriptor(), "The gradients of softmax_cross_entropy_loss_with_logits.",
                     "gradLogits = softmax sum(labels) - labels, gradLabels = -log(softmax)",
                     "gradLogits: the shape of logits\ngradLabels: the shape of labels");
}

// ---- class indices as labels

namespace {

void requireClasses(ShapeList* in) {
  const LongType *labels = in->at(0), *logits = in->at(1);
  if (shape::rank(labels) != shape::rank(logits) - 1)
    reject("input 0 'labels': its rank is {}, but input 1 'logits' has rank {}: one less is needed",
           shape::rank(labels), shape::rank(logits));
  if (dimsOf(labels) != sampleDims(logits))
    reject("input 0 'labels': its shape {} is not the shape of input 1 'logits', {}, without the last axis",
           text(labels), text(logits));
}

void describeSparse(OpDescriptor* descriptor, const char* summary, const char* formula, const char* outputs) {
  descriptor->setAllowedInputTypes(0, {ALL_INTS, ALL_FLOATS})
      ->setAllowedInputTypes(1, {ALL_FLOATS})
      ->setAllowedOutputTypes({ALL_FLOATS})
      ->document({.summary = summary,
                  .formula = formula,
                  .inputs = "labels: class numbers, [...]\nlogits: [..., K]",
                  .outputs = outputs});
}

}  // namespace

CUSTOM_OP_IMPL(sparse_softmax_cross_entropy_loss_with_logits, 2, 1, false, 0, 0) {
  const NDArray &labels = *INPUT_VARIABLE(0), &logits = *INPUT_VARIABLE(1);
  NDArray& z = *OUTPUT_VARIABLE(0);
  if (labels.isEmpty()) return Status::OK;
  const LongType n = logits.sizeAt(-1);
  const Dense classes = checkedIndices(labels, n, 0, "labels");
  const DataType type = computeType(logits);
  const Dense x(logits, type);
  NDArray logs = unset(type, logits.getShapeAsVector());
  DenseOut losses(z, type);
  withReal(type, [&]<typename T>() {
    softmaxRows(x.as<T>(), logs.bufferAsT<T>(), labels.lengthOf(), n, true);
    for (LongType r = 0; r < labels.lengthOf(); r++)
      losses.as<T>()[r] = -logs.bufferAsT<T>()[r * n + classes.as<LongType>()[r]];
  });
  losses.commit();
  return Status::OK;
}
DECLARE_SHAPE_FN(sparse_softmax_cross_entropy_loss_with_logits) {
  requireClasses(inputShape);
  return shapes(like(inputShape->at(0), ArrayOptions::dataType(inputShape->at(1))));
}
DECLARE_TYPES(sparse_softmax_cross_entropy_loss_with_logits) {
  describeSparse(getOpDescriptor(), "The cross entropy of softmax along the last axis, for class numbers.",
                 "z = -log(softmax(logits))[label]", "z: the shape of labels, the type of logits");
}

CUSTOM_OP_IMPL(sparse_softmax_cross_entropy_loss_with_logits_grad, 2, 1, false, 0, 0) {
  const NDArray &labels = *INPUT_VARIABLE(0), &logits = *INPUT_VARIABLE(1);
  NDArray& z = *OUTPUT_VARIABLE(0);
  if (z.isEmpty()) return Status::OK;
  const LongType n = logits.sizeAt(-1);
  const Dense classes = checkedIndices(labels, n, 0, "labels");
  const DataType type = computeType(logits);
  const Dense x(logits, type);
  DenseOut gradient(z, type);
  withReal(type, [&]<typename T>() {
    softmaxRows(x.as<T>(), gradient.as<T>(), labels.lengthOf(), n, false);
    for (LongType r = 0; r < labels.lengthOf(); r++) gradient.as<T>()[r * n + classes.as<LongType>()[r]] -= 1;
  });
  gradient.commit();
  return Status::OK;
}
DECLARE_SHAPE_FN(sparse_softmax_cross_entropy_loss_with_logits_grad) {
  requireClasses(inputShape);
  return shapes(like(inputShape->at(1)));
}
DECLARE_TYPES(sparse_softmax_cross_entropy_loss_with_logits_grad) {
  describeSparse(getOpDescriptor(), "The gradient of sparse_softmax_cross_entropy_loss_with_logits.",
                 "gradLogits = softmax(logits) - onehot(label)", "gradLogits: the shape and type of logits");
}

}  // namespace sd::ops
