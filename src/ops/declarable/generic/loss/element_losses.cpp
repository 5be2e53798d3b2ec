// Weighted losses of single elements, and their gradients.
// operations: absolute_difference_loss absolute_difference_loss_grad mean_sqerr_loss mean_sqerr_loss_grad huber_loss
// operations: huber_loss_grad log_loss log_loss_grad log_poisson_loss log_poisson_loss_grad hinge_loss hinge_loss_grad
// operations: sigm_cross_entropy_loss sigm_cross_entropy_loss_grad
// calls: CountNonZero Sum
#include <ops/declarable/headers/loss.h>

#include <cmath>
#include <numbers>

#include "ops/declarable/generic/loss/WeightedLoss.h"

namespace sd::ops {
namespace {

// A loss class defines the element loss E of prediction p and label y, dE/dp and dE/dy. It is constructed from the
// arguments.

template <typename T>
struct AbsoluteDifference {
  explicit AbsoluteDifference(graph::Context&) {}
  T value(T p, T y) const { return std::abs(p - y); }
  T gradP(T p, T y) const { return p > y ? T(1) : p < y ? T(-1) : p - y; }
  T gradY(T p, T y) const { return -gradP(p, y); }
};

template <typename T>
struct SquaredError {
  explicit SquaredError(graph::Context&) {}
  T value(T p, T y) const { return (p - y) * (p - y); }
  T gradP(T p, T y) const { return 2 * (p - y); }
  T gradY(T p, T y) const { return 2 * (y - p); }
};

template <typename T>
struct Huber {
  T delta;
  explicit Huber(graph::Context& block) : delta(static_cast<T>(block.floatArgument(0))) {}
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
  T eps;
  explicit Log(graph::Context& block) : eps(static_cast<T>(block.floatArgument(0))) {}
  T value(T p, T y) const { return -y * std::log(p + eps) - (1 - y) * std::log(1 - p + eps); }
  T gradP(T p, T y) const { return (1 - y) / (1 - p + eps) - y / (p + eps); }
  T gradY(T p, T) const { return std::log((1 - p + eps) / (p + eps)); }
};

template <typename T>
struct LogPoisson {
  bool full;
  explicit LogPoisson(graph::Context& block) : full(integer(block, 1, 0) != 0) {}
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
  explicit Hinge(graph::Context&) {}
  T value(T p, T y) const {
    const T e = 1 - (2 * y - 1) * p;
    return e < 0 ? T(0) : e;
  }
  T gradP(T p, T y) const { return value(p, y) > 0 ? 1 - 2 * y : T(0); }
  T gradY(T p, T y) const { return value(p, y) > 0 ? -2 * p : T(0); }
};

template <typename T>
struct SigmoidCrossEntropy {
  T smoothing;
  explicit SigmoidCrossEntropy(graph::Context& block) : smoothing(static_cast<T>(block.floatArgument(0))) {}
  T smooth(T y) const { return y * (1 - smoothing) + T(0.5) * smoothing; }
  T value(T p, T y) const { return (p > 0 ? p : T(0)) - p * smooth(y) + std::log1p(std::exp(-std::abs(p))); }
  T gradP(T p, T y) const {
    const T e = std::exp(-std::abs(p));
    return (p < 0 ? e : T(1)) / (1 + e) - smooth(y);
  }
  T gradY(T p, T) const { return -p * (1 - smoothing); }
};

/// One call: predictions and labels in the compute type.
struct Call {
  DataType type;
  Dense p, y;
  LongType n;
  Weighting weighting;
  NDArray losses;

  explicit Call(graph::Context& block)
      : type(computeType(lossType(block.array(0)->shapeInfo()))),
        p(*block.array(0), type),
        y(*block.array(2), type),
        n(block.array(0)->lengthOf()),
        weighting(block, *block.array(1), type, block.array(0)->getShapeAsVector()),
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
Status forward(graph::Context& block, NDArray& z) {
  Call call(block);
  withReal(call.type, [&]<typename T>() {
    const Loss<T> loss(block);
    call.each<T>([loss](T p, T y) { return loss.value(p, y); }, call.losses);
  });
  if (!z.isEmpty()) call.weighting.reduce(call.losses, z);
  return Status::OK;
}

template <template <typename> class Loss>
Status backward(graph::Context& block, NDArray& gradP, NDArray& gradW, NDArray& gradY) {
  Call call(block);
  if (call.n == 0) {
    gradW.nullify();
    return Status::OK;
  }
  const NDArray factor = call.weighting.factor();
  withReal(call.type, [&]<typename T>() {
    const Loss<T> loss(block);
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

void requireShapes(ShapeList* in) {
  requireLabels(in->at(0), in->at(2));
  weightDims(in->at(1), dimsOf(in->at(0)));
}

ShapeList* forwardShape(ShapeList* in, graph::Context& block) {
  requireShapes(in);
  return shapes(lossShape(block, lossType(in->at(0)), shape::order(in->at(2)), dimsOf(in->at(0))));
}

ShapeList* backwardShape(ShapeList* in, graph::Context& block) {
  requireShapes(in);
  reductionOf(block);
  const DataType type = lossType(in->at(0));
  return shapes(like(in->at(0), type), like(in->at(1), type), like(in->at(2), type));
}

void describe(OpDescriptor* descriptor, const char* summary, const char* formula, const char* floats,
              const char* integers, bool gradient) {
  descriptor->setAllowedInputTypes({ALL_FLOATS, ALL_INTS, BOOL})
      ->setAllowedOutputTypes({ALL_FLOATS})
      ->document({.summary = summary,
                  .formula = formula,
                  .inputs = LOSS_INPUTS,
                  .outputs = gradient ? LOSS_GRADIENT_OUTPUTS : LOSS_OUTPUTS,
                  .floats = floats,
                  .integers = integers});
}

}  // namespace

#define SD_MODE_TEXT                                                                                                   \
  "mode: 0 no reduction, 1 the weighted sum, 2 the weighted mean (divided by the sum of the weights), 3 the weighted " \
  "sum divided by the number of weights that are not 0"

// name, loss, number of floating arguments, in place, summary, element loss, floating arguments, further integers
#define SD_ELEMENT_LOSS(NAME, LOSS, TARGS, INPLACE, SUMMARY, FORMULA, FLOATS, INTEGERS)                          \
  CUSTOM_OP_IMPL(NAME, 3, 1, INPLACE, TARGS, 1) { return forward<LOSS>(block, *OUTPUT_VARIABLE(0)); }            \
  DECLARE_SHAPE_FN(NAME) { return forwardShape(inputShape, block); }                                             \
  DECLARE_TYPES(NAME) { describe(getOpDescriptor(), SUMMARY, FORMULA, FLOATS, SD_MODE_TEXT INTEGERS, false); }   \
  CUSTOM_OP_IMPL(NAME##_grad, 3, 3, false, TARGS, 1) {                                                           \
    return backward<LOSS>(block, *OUTPUT_VARIABLE(0), *OUTPUT_VARIABLE(1), *OUTPUT_VARIABLE(2));                 \
  }                                                                                                              \
  DECLARE_SHAPE_FN(NAME##_grad) { return backwardShape(inputShape, block); }                                     \
  DECLARE_TYPES(NAME##_grad) {                                                                                   \
    describe(getOpDescriptor(), "The gradients of " #NAME ".", "of E = " FORMULA, FLOATS, SD_MODE_TEXT INTEGERS, \
             true);                                                                                              \
  }

SD_ELEMENT_LOSS(absolute_difference_loss, AbsoluteDifference, 0, false, "The absolute difference.", "|p - y|", "", "")
SD_ELEMENT_LOSS(mean_sqerr_loss, SquaredError, 0, false, "The squared error.", "(p - y)^2", "", "")
SD_ELEMENT_LOSS(huber_loss, Huber, 1, false, "Huber's loss: squared near 0, linear beyond delta.",
                "q^2 / 2 + delta (|p - y| - q), q = min(|p - y|, delta)", "delta: where the loss becomes linear", "")
SD_ELEMENT_LOSS(log_loss, Log, 1, false, "The logarithmic loss of probabilities.",
                "-y log(p + eps) - (1 - y) log(1 - p + eps)", "eps: added to the probabilities", "")
SD_ELEMENT_LOSS(log_poisson_loss, LogPoisson, 0, true, "The Poisson loss; p is the logarithm of the prediction.",
                "exp(p) - y p, and with `full`, where y is not 0, + y log(y) - y + log(2 pi y) / 2", "",
                "\nfull?: 1 adds the terms without p (default 0)")
SD_ELEMENT_LOSS(hinge_loss, Hinge, 0, false, "The hinge loss of labels 0 and 1.", "max(0, 1 - (2 y - 1) p)", "", "")
SD_ELEMENT_LOSS(sigm_cross_entropy_loss, SigmoidCrossEntropy, 1, false, "The cross entropy of sigmoid(p).",
                "max(p, 0) - p Y + log(1 + exp(-|p|)), Y = y (1 - smoothing) + smoothing / 2",
                "smoothing: label smoothing", "")

}  // namespace sd::ops
