// Weighted losses of whole slices: cosine distance, pairwise squared error; the sum of squares.
// operations: cosine_distance_loss cosine_distance_loss_grad mean_pairwssqerr_loss mean_pairwssqerr_loss_grad l2_loss
// calls: CountNonZero OneMinus SquaredNorm Sum
#include "ops/declarable/generic/loss/WeightedLoss.h"
#include "ops/declarable/helpers/rules.h"

namespace sd::ops {
namespace {

// ---- cosine distance: one loss for each slice along the axis

/// The shape of the losses: the axis is kept with size 1.
PartialShape cosineShape(const PartialShape& predictions, int axis) {
  if (!predictions.hasRank()) return predictions;
  PartialShape losses(predictions.type(), predictions.sizes());
  return losses.set(checkedAxis(axis, predictions.rank(), "axis"), 1);
}

/// The predictions, whose labels and weights fit. `losses` receives the shape of the losses.
PartialShape cosinePredictions(Inference& in, PartialShape& losses) {
  const PartialShape predictions = labelledShape(in);
  losses = cosineShape(predictions, in.arguments<CosineLoss>().axis);
  weightShape(in.input(1), losses, false, &predictions);
  return predictions;
}

/// One call of a loss over slices: the arrays in the compute type.
struct Slices {
  DataType type;
  Dense p, y;

  explicit Slices(graph::Context& block)
      : type(computeType(lossType(block.array(0)->dataType()))), p(*block.array(0), type), y(*block.array(2), type) {}

  Weighting weighting(graph::Context& block, LossReduction reduction, const Dims& losses) const {
    const PartialShape labels = PartialShape::of(p->shapeInfo());
    return Weighting(reduction, *block.array(1), type, losses, false, &labels);
  }
};

/// 1 - sum(p y) along the axis.
NDArray cosineDistances(const Slices& call, int axis) {
  NDArray result = (*call.p * *call.y).reduceAlongDimension(reduce::Sum, {axis}, true);
  result.applyTransform(transform::OneMinus, result);
  return result;
}

// ---- pairwise squared error: one loss for each sample

/// The shape of the losses: [N, 1, ..., 1].
PartialShape pairShape(const PartialShape& predictions) {
  if (!predictions.hasRank()) return predictions;
  PartialShape losses(predictions.type(), predictions.sizes());
  for (int d = 1; d < losses.rank(); d++) losses.set(d, 1);
  return losses;
}

Dims pairDims(const NDArray& predictions) { return pairShape(PartialShape::of(predictions.shapeInfo())).sizes(); }

/// The predictions, whose labels and weights fit.
PartialShape pairPredictions(Inference& in) {
  const PartialShape predictions = labelledShape(in);
  weightShape(in.input(1), pairShape(predictions), false, &predictions);
  return predictions;
}

/// The differences d = p - y with samples as rows, and the gradient of E = 4 / (n (n - 1)) (n sum(d^2) - sum(d)^2).
struct Pairs {
  NDArray losses, gradient;

  explicit Pairs(const Slices& call)
      : losses(unset(call.type, pairDims(*call.p))), gradient(unset(call.type, call.p->getShapeAsVector())) {
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

const LossText COSINE = {
    "The cosine distance of predictions p and labels y.",
    "1 - sum(p y) along the axis",
    "The gradients of cosine_distance_loss.",
    "of E = 1 - sum(p y)",
    R"({"predictions": [[1.0, 0.0], [0.0, 1.0]], "weights": [[1.0], [1.0]], "labels": [[1.0, 0.0], [1.0, 0.0]], "axis": 1, "reduction": "none"})",
    R"({"predictions": [[1.0, 0.0], [0.0, 1.0]], "weights": [[1.0], [1.0]], "labels": [[1.0, 0.0], [1.0, 0.0]], "axis": 1, "reduction": "sum"})",
    {.tensorflow = "tf.compat.v1.losses.cosine_distance"},
    "cosine similarity, angle, embedding loss",
    "mean_sqerr_loss"};

void cosineInputs(Schema& schema) {
  lossInputs(schema, "any shape, of norm 1 along the axis",
             "one element, or broadcastable to predictions with 1 on the axis; or the shape of labels, and the "
             "first weight along the axis counts");
  schema.argument(&CosineLoss::axis, "axis", "the axis of the vectors; negative ones count from the end").atInteger(1);
  lossArguments<CosineLoss>(schema);
}

const LossText PAIRS = {
    "The mean of the squared differences between all pairs of errors in a sample; predictions p, labels y.",
    "4 / (n (n - 1)) (n sum(d^2) - sum(d)^2), d = p - y, n elements in a sample; 0 for n = 1 and rank 1",
    "The gradients of mean_pairwssqerr_loss.",
    "dE/dp = 8 / (n (n - 1)) (n d - sum(d))",
    R"({"predictions": [[1.0, 2.0]], "weights": [1.0], "labels": [[1.0, 1.0]], "reduction": "sum"})",
    R"({"predictions": [[1.0, 2.0]], "weights": [1.0], "labels": [[1.0, 1.0]], "reduction": "sum"})",
    {.tensorflow = "tf.compat.v1.losses.mean_pairwise_squared_error"},
    "pairwise squared error, ranking",
    "mean_sqerr_loss"};

void pairInputs(Schema& schema) {
  lossInputs(schema, "[N, ...]",
             "one element, or broadcastable to [N, 1, ..., 1]; or the shape of labels, and the first weight of "
             "each sample counts");
  lossArguments<WeightedLoss>(schema);
}

// The losses as compositions, for graphs.

Symbol composedCosine(Gradient& g, Symbol p, Symbol y) {
  return 1.0 - g.sum(p * y, {g.arguments<CosineLoss>().axis}, true);
}

Symbol composedPairs(Gradient& g, Symbol p, Symbol y) {
  std::vector<int> axes;
  double n = 1;
  for (int d = 1; d < g.rank(p); d++) {
    axes.push_back(d);
    n *= static_cast<double>(g.size(p, d));
  }
  const Symbol d = p - y, sum = g.sum(d, axes, true);
  return (g.sum(d * d, axes, true) * n - sum * sum) * (n > 1 ? 4 / (n * (n - 1)) : 0);
}

}  // namespace

CUSTOM_OP_IMPL(cosine_distance_loss, 3, 1, false, 0, 2) {
  const Slices call(block);
  NDArray& z = *OUTPUT_VARIABLE(0);
  const auto& a = arguments<CosineLoss>(block);
  const Dims dims = cosineShape(PartialShape::of(call.p->shapeInfo()), a.axis).sizes();
  const Weighting weighting = call.weighting(block, a.reduction, dims);
  if (call.p->isEmpty() && weighting.reduces()) {
    weighting.reduceEqual(1, z);
    return Status::OK;
  }
  NDArray losses = cosineDistances(call, checkedAxis(a.axis, call.p->rankOf()));
  if (!z.isEmpty()) weighting.reduce(losses, z);
  return Status::OK;
}
INFERRED_SHAPES(cosine_distance_loss)
DECLARE_SCHEMA(cosine_distance_loss) {
  documentLoss(schema, COSINE);
  cosineInputs(schema);
  schema.output("loss",
                "a scalar, or the shape of predictions with 1 on the axis when reduction is none; the type of "
                "predictions, the default float type for integers and booleans");
  schema.gradient(elementLossRule<CosineLoss, composedCosine>).infer([](Inference& in) {
    PartialShape losses;
    const DataType type = lossType(cosinePredictions(in, losses).type());
    losses = losses.withType(type).withOrder(in.input(2).order());
    in.output(lossShape(in.arguments<CosineLoss>().reduction, losses));
  });
}

CUSTOM_OP_IMPL(cosine_distance_loss_grad, 3, 3, false, 0, 2) {
  const Slices call(block);
  NDArray &gradP = *OUTPUT_VARIABLE(0), &gradW = *OUTPUT_VARIABLE(1), &gradY = *OUTPUT_VARIABLE(2);
  const auto& a = arguments<CosineLoss>(block);
  const Dims dims = cosineShape(PartialShape::of(call.p->shapeInfo()), a.axis).sizes();
  const Weighting weighting = call.weighting(block, a.reduction, dims);
  if (call.p->isEmpty()) {
    weighting.gradientOfEqual(1, gradW);
    return Status::OK;
  }
  NDArray losses = cosineDistances(call, checkedAxis(a.axis, call.p->rankOf()));
  weighting.gradient(losses, gradW);
  const NDArray factor = -weighting.factor();
  gradP.assign(*call.y * factor);
  gradY.assign(*call.p * factor);
  return Status::OK;
}
INFERRED_SHAPES(cosine_distance_loss_grad)
DECLARE_SCHEMA(cosine_distance_loss_grad) {
  documentLoss(schema, COSINE, "cosine_distance_loss");
  cosineInputs(schema);
  lossGradientOutputs(schema);
  schema.infer([](Inference& in) {
    PartialShape losses;
    inferLossGradients(in, cosinePredictions(in, losses));
  });
}

CUSTOM_OP_IMPL(mean_pairwssqerr_loss, 3, 1, false, 0, 1) {
  NDArray& z = *OUTPUT_VARIABLE(0);
  const Slices call(block);
  if (call.p->rankOf() == 1) {
    if (!z.isEmpty()) z.nullify();
    return Status::OK;
  }
  const Weighting weighting = call.weighting(block, arguments<WeightedLoss>(block).reduction, pairDims(*call.p));
  if (call.p->isEmpty() && weighting.reduces()) {
    weighting.reduceEqual(0, z);
    return Status::OK;
  }
  Pairs pairs(call);
  if (!z.isEmpty()) weighting.reduce(pairs.losses, z);
  return Status::OK;
}
INFERRED_SHAPES(mean_pairwssqerr_loss)
DECLARE_SCHEMA(mean_pairwssqerr_loss) {
  documentLoss(schema, PAIRS);
  pairInputs(schema);
  schema.output("loss",
                "a scalar, or [N, 1, ..., 1] when reduction is none; the type of predictions, the default float type "
                "for integers and booleans");
  schema.infer([](Inference& in) {
    const PartialShape predictions = pairPredictions(in);
    PartialShape losses = pairShape(predictions).withType(lossType(predictions.type()));
    if (losses.rank() == 1) losses = PartialShape(losses.type(), {1, 1});
    in.output(lossShape(in.arguments<WeightedLoss>().reduction, losses));
  });
  schema.gradient([](Gradient& g) {
    if (g.rank(g.input(0)) == 1) return;  // the loss is 0
    elementLossRule<WeightedLoss, composedPairs>(g);
  });
}

CUSTOM_OP_IMPL(mean_pairwssqerr_loss_grad, 3, 3, false, 0, 1) {
  NDArray &gradP = *OUTPUT_VARIABLE(0), &gradW = *OUTPUT_VARIABLE(1), &gradY = *OUTPUT_VARIABLE(2);
  const Slices call(block);
  const Weighting weighting = call.weighting(block, arguments<WeightedLoss>(block).reduction, pairDims(*call.p));
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
INFERRED_SHAPES(mean_pairwssqerr_loss_grad)
DECLARE_SCHEMA(mean_pairwssqerr_loss_grad) {
  documentLoss(schema, PAIRS, "mean_pairwssqerr_loss");
  pairInputs(schema);
  lossGradientOutputs(schema);
  schema.infer([](Inference& in) { inferLossGradients(in, pairPredictions(in)); });
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
INFERRED_SHAPES(l2_loss)
DECLARE_SCHEMA(l2_loss) {
  schema.summary("Half the sum of squares.").formula("loss = sum(x^2) / 2");
  schema.input("x", "any shape");
  schema.output("loss", "a scalar of the type of x");
  schema.inputTypes({ALL_FLOATS}).outputTypes({ALL_FLOATS}).infer([](Inference& in) {
    in.output(PartialShape::scalar(in.input(0).type()));
  });
  schema.example(R"({"x": [3.0, 4.0]})")
      .elsewhere({.tensorflow = "tf.nn.l2_loss"})
      .words("weight decay, L2 regularization, sum of squares")
      .see("reduce_sqnorm mean_sqerr_loss");
  schema.gradient([](Gradient& g) { g.set(0, g.input(0) * g.of()); });
}

}  // namespace sd::ops
