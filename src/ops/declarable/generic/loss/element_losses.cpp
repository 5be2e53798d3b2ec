// Weighted losses of single elements, and their gradients.
// operations: absolute_difference_loss absolute_difference_loss_grad mean_sqerr_loss mean_sqerr_loss_grad huber_loss
// operations: huber_loss_grad log_loss log_loss_grad log_poisson_loss log_poisson_loss_grad hinge_loss hinge_loss_grad
// operations: sigm_cross_entropy_loss sigm_cross_entropy_loss_grad
// calls: CountNonZero Sum
#include <ops/declarable/NumberedArguments.h>

#include <cmath>
#include <numbers>
#include <string>

#include "ops/declarable/generic/loss/WeightedLoss.h"

namespace sd::ops {
namespace {

// A loss class defines the element loss E of prediction p and label y, dE/dp and dE/dy. It is constructed from the
// arguments.

template <typename T>
struct AbsoluteDifference {
  using Arguments = WeightedLoss;
  explicit AbsoluteDifference(const Arguments&) {}
  T value(T p, T y) const { return std::abs(p - y); }
  T gradP(T p, T y) const { return p > y ? T(1) : p < y ? T(-1) : p - y; }
  T gradY(T p, T y) const { return -gradP(p, y); }
};

template <typename T>
struct SquaredError {
  using Arguments = WeightedLoss;
  explicit SquaredError(const Arguments&) {}
  T value(T p, T y) const { return (p - y) * (p - y); }
  T gradP(T p, T y) const { return 2 * (p - y); }
  T gradY(T p, T y) const { return 2 * (y - p); }
};

template <typename T>
struct Huber {
  using Arguments = HuberLoss;
  T delta;
  explicit Huber(const Arguments& a) : delta(static_cast<T>(a.delta)) {}
  T value(T p, T y) const {
    const T a = std::abs(p - y), q = a > delta ? delta : a;
    return T(0.5) * q * q + delta * (a - q);
  }
  T gradP(T p, T y) const {
    const T d = p - y;
    return d > delta ? delta : d < -delta ? -delta : d;
  }
  T gradY(T p, T y) const { return -gradP(p, y); }
};

template <typename T>
struct Log {
  using Arguments = LogLoss;
  T eps;
  explicit Log(const Arguments& a) : eps(static_cast<T>(a.epsilon)) {}
  T value(T p, T y) const { return -y * std::log(p + eps) - (1 - y) * std::log(1 - p + eps); }
  T gradP(T p, T y) const { return (1 - y) / (1 - p + eps) - y / (p + eps); }
  T gradY(T p, T) const { return std::log((1 - p + eps) / (p + eps)); }
};

template <typename T>
struct LogPoisson {
  using Arguments = PoissonLoss;
  bool full;
  explicit LogPoisson(const Arguments& a) : full(a.full) {}
  T value(T p, T y) const {
    const T base = std::exp(p) - y * p;
    if (!full || y == 0) return base;
    return base + y * std::log(y) - y + T(0.5) * std::log(2 * std::numbers::pi_v<T> * y);
  }
  T gradP(T p, T y) const { return std::exp(p) - y; }
  T gradY(T p, T y) const { return full && y != 0 ? T(0.5) / y + std::log(y) - p : -p; }
};

template <typename T>
struct Hinge {
  using Arguments = WeightedLoss;
  explicit Hinge(const Arguments&) {}
  T value(T p, T y) const {
    const T e = 1 - (2 * y - 1) * p;
    return e < 0 ? T(0) : e;
  }
  T gradP(T p, T y) const { return value(p, y) > 0 ? 1 - 2 * y : T(0); }
  T gradY(T p, T y) const { return value(p, y) > 0 ? -2 * p : T(0); }
};

template <typename T>
struct SigmoidCrossEntropy {
  using Arguments = SmoothedLoss;
  T smoothing;
  explicit SigmoidCrossEntropy(const Arguments& a) : smoothing(static_cast<T>(a.labelSmoothing)) {}
  T smooth(T y) const { return y * (1 - smoothing) + T(0.5) * smoothing; }
  T value(T p, T y) const { return (p > 0 ? p : T(0)) - p * smooth(y) + std::log1p(std::exp(-std::abs(p))); }
  T gradP(T p, T y) const {
    const T e = std::exp(-std::abs(p));
    return (p < 0 ? e : T(1)) / (1 + e) - smooth(y);
  }
  T gradY(T p, T) const { return -p * (1 - smoothing); }
};

// The same as compositions, for graphs.

Symbol transform(const char* name, Symbol x) { return ruleOf(x).call(std::string("transform.") + name, {x}); }

Symbol composedAbsoluteDifference(Gradient&, Symbol p, Symbol y) { return transform("Abs", p - y); }
Symbol composedSquaredError(Gradient& g, Symbol p, Symbol y) { return g.call("squaredsubtract", {p, y}); }
Symbol composedHuber(Gradient& g, Symbol p, Symbol y) {
  const double delta = g.arguments<HuberLoss>().delta;
  const Symbol a = transform("Abs", p - y), q = a - g.call("scalar.RELU", {a - delta}, NumberedScalar{0.0});
  return q * q * 0.5 + (a - q) * delta;
}
Symbol composedLog(Gradient& g, Symbol p, Symbol y) {
  const double epsilon = g.arguments<LogLoss>().epsilon;
  return -(y * transform("Log", p + epsilon) +
           transform("OneMinus", y) * transform("Log", g.constant(1 + epsilon, p) - p));
}
Symbol composedLogPoisson(Gradient& g, Symbol p, Symbol y) {
  const Symbol base = transform("Exp", p) - y * p;
  if (!g.arguments<PoissonLoss>().full) return base;
  const Symbol positive = g.call("not_equals", {y, g.constant(0, y)}),
               safe = g.call("select", {positive, y, g.onesLike(y)});
  const Symbol logarithm = transform("Log", safe);
  return base + g.keepWhere(positive, y * logarithm - y + (logarithm + std::log(2 * std::numbers::pi)) * 0.5);
}
Symbol composedHinge(Gradient& g, Symbol p, Symbol y) {
  return g.call("scalar.RELU", {1.0 - (y * 2.0 - 1.0) * p}, NumberedScalar{0.0});
}
Symbol composedSigmoidCrossEntropy(Gradient& g, Symbol p, Symbol y) {
  const double smoothing = g.arguments<SmoothedLoss>().labelSmoothing;
  return transform("SoftPlus", p) - p * (smoothing == 0 ? y : y * (1 - smoothing) + 0.5 * smoothing);
}

/// One call: predictions and labels in the compute type.
struct Call {
  DataType type;
  Dense p, y;
  LongType n;
  Weighting weighting;
  NDArray losses;

  Call(graph::Context& block, LossReduction reduction)
      : type(computeType(lossType(block.array(0)->dataType()))),
        p(*block.array(0), type),
        y(*block.array(2), type),
        n(block.array(0)->lengthOf()),
        weighting(reduction, *block.array(1), type, block.array(0)->getShapeAsVector()),
        losses(unset(type, block.array(0)->getShapeAsVector())) {}

  /// z[i] = f(p[i], y[i])
  template <typename T, typename F>
  void each(F&& f, NDArray& z) {
    const T *ps = p.as<T>(), *ys = y.as<T>();
    T* zs = z.bufferAsT<T>();
    overElements(n, 2, [=](LongType start, LongType stop) {
      for (LongType i = start; i < stop; i++) zs[i] = f(ps[i], ys[i]);
    });
  }
};

template <template <typename> class Loss>
using ArgumentsOf = typename Loss<float>::Arguments;

template <template <typename> class Loss>
Status forward(graph::Context& block, NDArray& z) {
  const auto& a = arguments<ArgumentsOf<Loss>>(block);
  Call call(block, a.reduction);
  withReal(call.type, [&]<typename T>() {
    const Loss<T> loss(a);
    call.each<T>([loss](T p, T y) { return loss.value(p, y); }, call.losses);
  });
  if (!z.isEmpty()) call.weighting.reduce(call.losses, z);
  return Status::OK;
}

template <template <typename> class Loss>
Status backward(graph::Context& block, NDArray& gradP, NDArray& gradW, NDArray& gradY) {
  const auto& a = arguments<ArgumentsOf<Loss>>(block);
  Call call(block, a.reduction);
  if (call.n == 0) {
    gradW.nullify();
    return Status::OK;
  }
  const NDArray factor = call.weighting.factor();
  withReal(call.type, [&]<typename T>() {
    const Loss<T> loss(a);
    call.each<T>([loss](T p, T y) { return loss.value(p, y); }, call.losses);
    call.weighting.gradient(call.losses, gradW);
    call.each<T>([loss](T p, T y) { return loss.gradP(p, y); }, call.losses);
    call.losses *= factor;
    gradP.assign(call.losses);
    call.each<T>([loss](T p, T y) { return loss.gradY(p, y); }, call.losses);
    call.losses *= factor;
    gradY.assign(call.losses);
  });
  return Status::OK;
}

/// The predictions, whose labels and weights fit.
PartialShape weightedShape(Inference& in) {
  const PartialShape predictions = labelledShape(in);
  weightShape(in.input(1), predictions);
  return predictions;
}

template <template <typename> class Loss>
void describe(Schema& schema, const LossText& text, GradientFunction rule) {
  documentLoss(schema, text);
  lossInputs(schema, "any shape", "one element, or the rank of predictions and broadcastable to them");
  lossArguments<ArgumentsOf<Loss>>(schema);
  schema.output("loss",
                "a scalar, or the shape of predictions when reduction is none; the type of predictions, the default "
                "float type for integers and booleans");
  schema.gradient(rule).infer([](Inference& in) {
    const PartialShape predictions = weightedShape(in);
    const PartialShape losses =
        predictions.hasRank() ? PartialShape(INHERIT, predictions.sizes(), in.input(2).order()) : PartialShape();
    in.output(lossShape(in.arguments<ArgumentsOf<Loss>>().reduction, losses.withType(lossType(predictions.type()))));
  });
}

template <template <typename> class Loss>
void describeGradient(Schema& schema, const LossText& text, const char* forward) {
  documentLoss(schema, text, forward);
  lossInputs(schema, "any shape", "one element, or the rank of predictions and broadcastable to them");
  lossArguments<ArgumentsOf<Loss>>(schema);
  lossGradientOutputs(schema);
  schema.infer([](Inference& in) { inferLossGradients(in, weightedShape(in)); });
}

}  // namespace

// name, loss, number of floating arguments, in place; then texts: summary, element loss, inputs of the example, names
// elsewhere, words, related operations
#define SD_ELEMENT_LOSS(NAME, LOSS, TARGS, INPLACE, SUMMARY, FORMULA, EXAMPLE, WORDS, SEE, ...)                        \
  static const LossText SD_text_##NAME = {SUMMARY,                                                                     \
                                          FORMULA,                                                                     \
                                          "The gradients of " #NAME ".",                                               \
                                          "of E = " FORMULA,                                                           \
                                          "{" EXAMPLE ", \"reduction\": \"none\"}",                                    \
                                          "{" EXAMPLE ", \"reduction\": \"sum\"}",                                     \
                                          __VA_ARGS__,                                                                 \
                                          WORDS,                                                                       \
                                          SEE};                                                                        \
  CUSTOM_OP_IMPL(NAME, 3, 1, INPLACE, TARGS, 1) { return forward<LOSS>(block, *OUTPUT_VARIABLE(0)); }                  \
  INFERRED_SHAPES(NAME)                                                                                                \
  DECLARE_SCHEMA(NAME) { describe<LOSS>(schema, SD_text_##NAME, elementLossRule<ArgumentsOf<LOSS>, composed##LOSS>); } \
  CUSTOM_OP_IMPL(NAME##_grad, 3, 3, false, TARGS, 1) {                                                                 \
    return backward<LOSS>(block, *OUTPUT_VARIABLE(0), *OUTPUT_VARIABLE(1), *OUTPUT_VARIABLE(2));                       \
  }                                                                                                                    \
  INFERRED_SHAPES(NAME##_grad)                                                                                         \
  DECLARE_SCHEMA(NAME##_grad) { describeGradient<LOSS>(schema, SD_text_##NAME, #NAME); }

#define SD_EXAMPLE R"("predictions": [1.0, 2.0, 4.0], "weights": [1.0], "labels": [1.0, 0.0, 1.0])"

SD_ELEMENT_LOSS(absolute_difference_loss, AbsoluteDifference, 0, false,
                "The absolute difference of predictions p and labels y.", "|p - y|", SD_EXAMPLE,
                "L1 loss, mean absolute error, MAE", "mean_sqerr_loss huber_loss",
                {.torch = "torch.nn.functional.l1_loss", .tensorflow = "tf.compat.v1.losses.absolute_difference"})
SD_ELEMENT_LOSS(mean_sqerr_loss, SquaredError, 0, false, "The squared error of predictions p and labels y.",
                "(p - y)^2", SD_EXAMPLE, "L2 loss, mean squared error, MSE",
                "absolute_difference_loss l2_loss huber_loss",
                {.torch = "torch.nn.functional.mse_loss", .tensorflow = "tf.compat.v1.losses.mean_squared_error"})
SD_ELEMENT_LOSS(huber_loss, Huber, 1, false,
                "Huber's loss of predictions p and labels y: squared near 0, linear beyond delta.",
                "q^2 / 2 + delta (|p - y| - q), q = min(|p - y|, delta)", SD_EXAMPLE R"(, "delta": 1.0)",
                "smooth L1 loss, robust regression", "mean_sqerr_loss absolute_difference_loss",
                {.torch = "torch.nn.functional.huber_loss", .tensorflow = "tf.compat.v1.losses.huber_loss"})
SD_ELEMENT_LOSS(log_loss, Log, 1, false, "The logarithmic loss of probabilities p and labels y.",
                "-y log(p + epsilon) - (1 - y) log(1 - p + epsilon)",
                R"("predictions": [0.5, 0.25], "weights": [1.0], "labels": [1.0, 0.0], "epsilon": 0.0)",
                "binary cross entropy, BCE", "sigm_cross_entropy_loss",
                {.torch = "torch.nn.functional.binary_cross_entropy", .tensorflow = "tf.compat.v1.losses.log_loss"})
SD_ELEMENT_LOSS(log_poisson_loss, LogPoisson, 0, true,
                "The Poisson loss of labels y; p is the logarithm of the predicted mean.",
                "exp(p) - y p, and with full, where y is not 0, + y log(y) - y + log(2 pi y) / 2",
                R"("predictions": [0.0, 0.0], "weights": [1.0], "labels": [1.0, 2.0])",
                "Poisson negative log likelihood, counts", "mean_sqerr_loss",
                {.torch = "torch.nn.functional.poisson_nll_loss", .tensorflow = "tf.nn.log_poisson_loss"})
SD_ELEMENT_LOSS(hinge_loss, Hinge, 0, false, "The hinge loss of predictions p and labels y of 0 and 1.",
                "max(0, 1 - (2 y - 1) p)",
                R"("predictions": [0.5, 0.5, 3.0], "weights": [1.0], "labels": [1.0, 0.0, 1.0])",
                "support vector machine, SVM, max margin", "log_loss", {.tensorflow = "tf.compat.v1.losses.hinge_loss"})
SD_ELEMENT_LOSS(sigm_cross_entropy_loss, SigmoidCrossEntropy, 1, false,
                "The cross entropy of sigmoid(p) and labels y; p are logits.",
                "max(p, 0) - p Y + log(1 + exp(-|p|)), Y = y (1 - label_smoothing) + label_smoothing / 2",
                R"("predictions": [0.0, 0.0], "weights": [1.0], "labels": [1.0, 0.0])",
                "binary cross entropy with logits, BCE, logistic loss", "log_loss softmax_cross_entropy_loss",
                {.torch = "torch.nn.functional.binary_cross_entropy_with_logits",
                 .tensorflow = "tf.compat.v1.losses.sigmoid_cross_entropy"})

}  // namespace sd::ops
