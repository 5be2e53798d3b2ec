// Cross entropies of softmax(logits), weighted or not. The labels are probabilities or class indices.
// operations: softmax_cross_entropy_loss softmax_cross_entropy_loss_grad softmax_cross_entropy_loss_with_logits
// operations: softmax_cross_entropy_loss_with_logits_grad sparse_softmax_cross_entropy_loss_with_logits
// operations: sparse_softmax_cross_entropy_loss_with_logits_grad
// calls: CountNonZero Dot Exp Max Multiply Subtract Sum
#include <ops/declarable/headers/nn.h>

#include "ops/declarable/generic/loss/WeightedLoss.h"
#include "ops/declarable/helpers/rules.h"
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

/// The shape of the losses, one loss for each sample.
PartialShape sampleShape(const PartialShape& logits) {
  if (!logits.hasRank()) return logits;
  return {logits.type(), logits.begin(), static_cast<size_t>(logits.rank() - 1), 'c'};
}

Dims sampleDims(const NDArray& logits) { return sampleShape(PartialShape::of(logits.shapeInfo())).sizes(); }

/// The logits, whose labels, weights and smoothing fit.
PartialShape smoothedLogits(Inference& in) {
  const PartialShape logits = labelledShape(in, "logits");
  const double smoothing = in.arguments<SmoothedLoss>().labelSmoothing;
  if (logits.rank() == 1 && smoothing != 0)
    reject("argument 'label_smoothing': {} must be 0 for logits of rank 1", smoothing);
  weightShape(in.input(1), sampleShape(logits), true);
  return logits;
}

#define SD_LOGITS R"({"logits": [[0.0, 0.0], [0.0, 0.0]], )"

const LossText SMOOTHED = {
    "The cross entropy of softmax along the last axis, weighted by sample.",
    "E = -sum(Y log(softmax(logits))), Y = (1 - label_smoothing) labels + label_smoothing / K",
    "The gradients of softmax_cross_entropy_loss.",
    "gradLogits = (softmax sum(Y) - Y) F, gradLabels = -log(softmax) (1 - label_smoothing) F, F: the weights over the "
    "divisor of the reduction",
    SD_LOGITS R"("weights": [1.0, 2.0], "labels": [[1.0, 0.0], [0.0, 1.0]], "reduction": "none"})",
    SD_LOGITS R"("weights": [1.0, 2.0], "labels": [[1.0, 0.0], [0.0, 1.0]], "reduction": "sum"})",
    {.torch = "torch.nn.functional.cross_entropy", .tensorflow = "tf.compat.v1.losses.softmax_cross_entropy"},
    "categorical cross entropy, log loss, classification",
    "softmax_cross_entropy_loss_with_logits sparse_softmax_cross_entropy_loss_with_logits"};

void smoothedInputs(Schema& schema) {
  schema.input("logits", "[..., K]").rankAtLeast(1);
  schema.input("weights", "one element, or [...] (also [N, 1] for logits [N, K])");
  schema.input("labels", "[..., K], probabilities").types({ALL_FLOATS, ALL_INTS, BOOL});
  schema.inputTypes({ALL_FLOATS}).outputTypes({ALL_FLOATS});
  lossArguments<SmoothedLoss>(schema);
}

void smoothedRule(Gradient& g) {
  const auto& a = g.arguments<SmoothedLoss>();
  const int rank = g.rank(g.input(0));
  if (!g.prefersRules()) {
    // The losses of one sample, or of [N, K], already have a dimension of size 1 in place of the classes.
    const bool keeps = a.reduction != LossReduction::None || rank == 2;
    return applyLossRule(g, a.reduction, a, rank == 1 ? g.flat(g.of()) : keeps ? g.of() : g.expandDims(g.of(), -1));
  }
  Composition composition(g);
  const Symbol logits = composition.input(0);
  Symbol labels = composition.cast(composition.input(2), logits);
  const double smoothing = a.labelSmoothing;
  if (smoothing != 0) labels = labels * (1 - smoothing) + smoothing / static_cast<double>(g.size(g.input(0), -1));
  const Symbol losses = composition.call("softmax_cross_entropy_loss_with_logits", {logits, labels}, ClassAxis{-1});
  const Symbol loss = composedLoss(composition, a.reduction, losses);
  const bool reshapes = a.reduction == LossReduction::None && rank <= 2;
  composition.differentiate({reshapes ? composition.reshapeLike(loss, composition.output(0)) : loss});
}

}  // namespace

CUSTOM_OP_IMPL(softmax_cross_entropy_loss, 3, 1, false, 1, 1) {
  const NDArray& logits = *INPUT_VARIABLE(0);
  NDArray& z = *OUTPUT_VARIABLE(0);
  const DataType type = logits.dataType();
  const auto& a = arguments<SmoothedLoss>(block);
  const Weighting weighting(a.reduction, *INPUT_VARIABLE(1), computeType(type), sampleDims(logits), true);
  if (logits.isEmpty() && weighting.reduces()) {
    weighting.reduceEqual(0, z);
    return Status::OK;
  }
  Entropies entropies(logits, *INPUT_VARIABLE(2), type, a.labelSmoothing, false);
  if (!z.isEmpty()) weighting.reduce(entropies.losses, z);
  return Status::OK;
}
INFERRED_SHAPES(softmax_cross_entropy_loss)
DECLARE_SCHEMA(softmax_cross_entropy_loss) {
  documentLoss(schema, SMOOTHED);
  smoothedInputs(schema);
  schema.output("loss",
                "a scalar, or when reduction is none [...], [N, 1] for logits [N, K] and [1, 1] for logits [K]; the "
                "type of logits");
  schema.infer([](Inference& in) {
    const PartialShape logits = smoothedLogits(in);
    PartialShape losses = sampleShape(logits);
    while (losses.hasRank() && losses.rank() < 2 && logits.rank() <= 2) losses.append(1);
    in.output(lossShape(in.arguments<SmoothedLoss>().reduction, losses));
  });
  schema.gradient(smoothedRule);
}

CUSTOM_OP_IMPL(softmax_cross_entropy_loss_grad, 3, 3, false, 1, 1) {
  const NDArray& logits = *INPUT_VARIABLE(0);
  NDArray &gradX = *OUTPUT_VARIABLE(0), &gradW = *OUTPUT_VARIABLE(1), &gradY = *OUTPUT_VARIABLE(2);
  const DataType type = logits.dataType();
  const auto& a = arguments<SmoothedLoss>(block);
  const Weighting weighting(a.reduction, *INPUT_VARIABLE(1), computeType(type), sampleDims(logits), true);
  if (logits.isEmpty()) {
    weighting.gradientOfEqual(0, gradW);
    return Status::OK;
  }
  Entropies entropies(logits, *INPUT_VARIABLE(2), type, a.labelSmoothing, true);
  weighting.gradient(entropies.losses, gradW);
  NDArray factor = weighting.factor();
  Dims dims = factor.getShapeAsVector();
  dims.push_back(1);
  factor = factor.reshape('c', dims);
  entropies.gradient *= factor;
  gradX.assign(entropies.gradient);
  factor *= a.labelSmoothing - 1;
  entropies.logs *= factor;
  gradY.assign(entropies.logs);
  return Status::OK;
}
INFERRED_SHAPES(softmax_cross_entropy_loss_grad)
DECLARE_SCHEMA(softmax_cross_entropy_loss_grad) {
  documentLoss(schema, SMOOTHED, "softmax_cross_entropy_loss");
  smoothedInputs(schema);
  lossGradientOutputs(schema, "gradLogits", "the shape and type of logits");
  schema.infer([](Inference& in) { inferLossGradients(in, smoothedLogits(in)); });
}

// ---- without weights

namespace {

/// The axis of the classes of logits of this rank.
int classAxis(const ClassAxis& a, int rank) { return checkedAxis(a.axis, rank, "axis"); }

/// The logits, whose labels and axis fit, with the type of the loss.
PartialShape labelledLogits(Inference& in) {
  const PartialShape logits = labelledShape(in, "logits", 1);
  if (logits.hasRank()) classAxis(in.arguments<ClassAxis>(), logits.rank());
  return logits.withType(lossType(logits.type()));
}

const LossText WITH_LOGITS = {
    "The cross entropy of softmax along an axis.",
    "loss = -sum(labels log(softmax(logits)))",
    "The gradients of softmax_cross_entropy_loss_with_logits.",
    "gradLogits = softmax sum(labels) - labels, gradLabels = -log(softmax)",
    SD_LOGITS R"("labels": [[1.0, 0.0], [2.0, 1.0]]})",
    SD_LOGITS R"("labels": [[1.0, 0.0], [2.0, 1.0]]})",
    {.torch = "torch.nn.functional.cross_entropy", .tensorflow = "tf.nn.softmax_cross_entropy_with_logits"},
    SMOOTHED.words,
    "softmax_cross_entropy_loss sparse_softmax_cross_entropy_loss_with_logits"};

void withLogitsInputs(Schema& schema) {
  schema.input("logits", "any shape").rankAtLeast(1);
  schema.input("labels", "probabilities, the shape of logits");
  schema.inputTypes({ALL_FLOATS, ALL_INTS}).outputTypes({ALL_FLOATS});
  schema.argument(&ClassAxis::axis, "axis", "the axis of the classes; negative ones count from the end").atInteger(0);
}

/// softmax sum(labels) - labels, -log(softmax)
std::vector<Symbol> composedGradients(Gradient& g) {
  const int axis = g.arguments<ClassAxis>().axis;
  const Symbol logits = g.input(0), labels = g.input(1);
  const Symbol probabilities = g.call("softmax", {logits}, SoftmaxAxis{axis});
  return {probabilities * g.sum(labels, {axis}, true) - labels, -g.call("log_softmax", {logits}, SoftmaxAxis{axis})};
}

}  // namespace

CUSTOM_OP_IMPL(softmax_cross_entropy_loss_with_logits, 2, 1, false, 0, 0) {
  const NDArray& logits = *INPUT_VARIABLE(0);
  NDArray& z = *OUTPUT_VARIABLE(0);
  if (z.isEmpty()) return Status::OK;
  const int axis = classAxis(arguments<ClassAxis>(block), logits.rankOf());
  const Entropies entropies(axisLast(logits, axis), axisLast(*INPUT_VARIABLE(1), axis), z.dataType(), 0, false);
  z.assign(entropies.losses);
  return Status::OK;
}
INFERRED_SHAPES(softmax_cross_entropy_loss_with_logits)
DECLARE_SCHEMA(softmax_cross_entropy_loss_with_logits) {
  documentLoss(schema, WITH_LOGITS);
  withLogitsInputs(schema);
  schema.output("loss",
                "the shape of logits without the axis; the type of logits, the default float type for integers");
  schema.infer([](Inference& in) {
    const PartialShape logits = labelledLogits(in);
    if (logits.rank() == 1) return in.output(PartialShape::scalar(logits.type()));
    const std::vector<int> axis{in.arguments<ClassAxis>().axis};
    in.output(reduced(logits, axis, false, logits.type()));
  });
  schema.gradient([](Gradient& g) {
    const auto& a = g.arguments<ClassAxis>();
    const auto results = g.callAll("softmax_cross_entropy_loss_with_logits_grad", {g.input(0), g.input(1)}, a);
    const Symbol stretched = g.expandDims(g.of(), a.axis);
    g.set(0, results[0] * stretched);
    g.set(1, results[1] * stretched);
  });
}

CUSTOM_OP_IMPL(softmax_cross_entropy_loss_with_logits_grad, 2, 2, false, 0, 0) {
  const NDArray& logits = *INPUT_VARIABLE(0);
  NDArray &gradX = *OUTPUT_VARIABLE(0), &gradY = *OUTPUT_VARIABLE(1);
  if (gradX.isEmpty()) return Status::OK;
  const int axis = classAxis(arguments<ClassAxis>(block), logits.rankOf());
  Entropies entropies(axisLast(logits, axis), axisLast(*INPUT_VARIABLE(1), axis), gradX.dataType(), 0, true);
  axisLast(gradX, axis).assign(entropies.gradient);
  entropies.logs *= -1.0;
  axisLast(gradY, axis).assign(entropies.logs);
  return Status::OK;
}
INFERRED_SHAPES(softmax_cross_entropy_loss_with_logits_grad)
DECLARE_SCHEMA(softmax_cross_entropy_loss_with_logits_grad) {
  documentLoss(schema, WITH_LOGITS, "softmax_cross_entropy_loss_with_logits", composedRule<composedGradients>);
  withLogitsInputs(schema);
  schema.output("gradLogits", "the shape of logits, the type of the loss");
  schema.output("gradLabels", "the shape of labels, the type of the loss");
  schema.infer([](Inference& in) {
    const PartialShape logits = labelledLogits(in);
    in.output(logits);
    in.output(merged(in.input(1), logits).withType(logits.type()));
  });
}

// ---- class indices as labels

namespace {

/// The logits, whose labels fit.
PartialShape classifiedLogits(Inference& in) {
  const PartialShape labels = in.input(0);
  PartialShape logits = in.input(1);
  if (!labels.hasRank() || !logits.hasRank()) {
    if (!labels.hasRank()) return logits;
    logits = PartialShape(logits.type(), labels.sizes());
    return logits.append(PartialShape::UNKNOWN);
  }
  if (labels.rank() != logits.rank() - 1)
    reject("input 0 'labels': its rank is {}, but input 1 'logits' has rank {}: one less is needed", labels.rank(),
           logits.rank());
  if (!compatible(labels, sampleShape(logits)))
    reject("input 0 'labels': its shape {} is not the shape of input 1 'logits', {}, without the last axis",
           labels.text(), logits.text());
  for (int d = 0; d < labels.rank(); d++)
    if (logits[d] == PartialShape::UNKNOWN) logits.set(d, labels[d]);
  return logits;
}

const LossText SPARSE = {"The cross entropy of softmax along the last axis, for class numbers.",
                         "loss = -log(softmax(logits))[label]",
                         "The gradient of sparse_softmax_cross_entropy_loss_with_logits.",
                         "gradLogits = softmax(logits) - onehot(label)",
                         SD_LOGITS R"("labels": [0, 1]})",
                         SD_LOGITS R"("labels": [0, 1]})",
                         {.torch = "torch.nn.functional.cross_entropy",
                          .tensorflow = "tf.nn.sparse_softmax_cross_entropy_with_logits",
                          .onnx = "SoftmaxCrossEntropyLoss"},
                         "categorical cross entropy, class indices, classification, negative log likelihood",
                         "softmax_cross_entropy_loss_with_logits"};

void sparseInputs(Schema& schema) {
  schema.input("labels", "[...], class numbers").types({ALL_INTS, ALL_FLOATS});
  schema.input("logits", "[..., K]").types({ALL_FLOATS}).rankAtLeast(1);
  schema.outputTypes({ALL_FLOATS});
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
INFERRED_SHAPES(sparse_softmax_cross_entropy_loss_with_logits)
DECLARE_SCHEMA(sparse_softmax_cross_entropy_loss_with_logits) {
  documentLoss(schema, SPARSE);
  sparseInputs(schema);
  schema.output("loss", "the shape of labels, the type of logits");
  schema.infer([](Inference& in) {
    const PartialShape logits = classifiedLogits(in);
    in.output(merged(in.input(0), sampleShape(logits)).withType(logits.type()));
  });
  schema.gradient([](Gradient& g) {
    const Symbol result = g.call("sparse_softmax_cross_entropy_loss_with_logits_grad", {g.input(0), g.input(1)});
    g.set(1, result * g.expandDims(g.of(), -1));
  });
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
INFERRED_SHAPES(sparse_softmax_cross_entropy_loss_with_logits_grad)
DECLARE_SCHEMA(sparse_softmax_cross_entropy_loss_with_logits_grad) {
  documentLoss(schema, SPARSE, "sparse_softmax_cross_entropy_loss_with_logits", [](Gradient& g) {
    // The gradient of the sum of softmax with weights: the labels are only subtracted.
    const Symbol z = g.call("softmax", {g.input(1)}, SoftmaxAxis{-1}), weighted = z * g.of();
    g.set(1, weighted - z * g.sum(weighted, {-1}, true));
  });
  sparseInputs(schema);
  schema.output("gradLogits", "the shape and type of logits");
  schema.infer([](Inference& in) { in.output(classifiedLogits(in)); });
}

}  // namespace sd::ops
