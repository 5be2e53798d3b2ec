// Code that the weighted losses share: the weights, the reductions, their gradients, and the schemas.
#ifndef NDFORGE_SRC_OPS_DECLARABLE_GENERIC_LOSS_WEIGHTEDLOSS_H
#define NDFORGE_SRC_OPS_DECLARABLE_GENERIC_LOSS_WEIGHTEDLOSS_H

#include <ops/declarable/Gradient.h>
#include <ops/declarable/headers/loss.h>

#include "ops/declarable/Composition.h"
#include "ops/declarable/helpers/inference.h"
#include "ops/declarable/helpers/real.h"

namespace sd::ops {

/// The type of a loss: that of the predictions if it is a float type, else the default float type.
DataType lossType(DataType predictions);

/// What is known of the predictions (input 0), from their shape and that of the labels (input `labels`). `name`: that
/// of input 0. @throws std::invalid_argument unless the labels have the shape of the predictions
PartialShape labelledShape(const Inference& in, const char* name = "predictions", int labels = 2);

/// The shape in which weights broadcast with element losses; a scalar for a single weight. `squeezed` also accepts
/// shapes that differ in unit dimensions only, as in [N, 1] for [N]. `labels`, for losses of slices: weights of this
/// shape are accepted too. The first weight of each slice is its weight then, as in libnd4j.
/// @throws std::invalid_argument when they do not fit
PartialShape weightShape(const PartialShape& weights, const PartialShape& losses, bool squeezed = false,
                         const PartialShape* labels = nullptr);

/// The shape of a loss: `losses` for LossReduction::None, otherwise a scalar.
PartialShape lossShape(LossReduction reduction, const PartialShape& losses);

/// The gradients of predictions, weights and labels, of the type of the loss.
void inferLossGradients(Inference& in, const PartialShape& predictions);

/// The weights of a call, for element losses of type FLOAT32 or DOUBLE.
class Weighting {
 public:
  Weighting(LossReduction reduction, const NDArray& weights, DataType type, const Dims& losses, bool squeezed = false,
            const PartialShape* labels = nullptr);

  /// z = the loss; `losses`, the element losses, are overwritten.
  void reduce(NDArray& losses, NDArray& z) const;
  bool reduces() const { return _reduction != LossReduction::None; }
  /// As reduce(), when all element losses are `loss`, as those of empty slices are. They need no memory then, although
  /// there may be as many as a dimension allows. Requires reduces().
  void reduceEqual(double loss, NDArray& z) const;
  /// The factor of dE/dp in the gradient; it broadcasts with the element losses.
  NDArray factor() const;
  /// gradient = dL/dw; `losses` are overwritten.
  void gradient(NDArray& losses, NDArray& gradient) const;
  /// As gradient() when all element losses are `loss`.
  void gradientOfEqual(double loss, NDArray& gradient) const;

 private:
  LossReduction _reduction;
  double _count = 1;  ///< of the element losses; as a number of this type it does not overflow
  NDArray _weights;
  double _divisor = 1;  ///< of the sum; 0 means that the loss is 0

  bool isSingle() const { return _weights.lengthOf() == 1; }
  /// The number of element losses for each weight.
  double repeats() const;
  /// Sets the gradient of the weights that count; the others have none.
  void assignGradient(const NDArray& values, NDArray& gradient) const;
};

// ---- gradients

/// The rule of a weighted loss, whose gradient operation is NAME_grad and does not take the gradient of the loss.
/// `stretched`: the gradient of the loss in a shape that broadcasts with predictions.
void applyLossRule(Gradient& g, LossReduction reduction, const CallArguments& arguments, Symbol stretched);

template <typename S>
void weightedLossRule(Gradient& g) {
  const auto& a = g.arguments<S>();
  applyLossRule(g, a.reduction, a, g.of(0));
}

/// The loss from element losses and input 1, the weights, as a composition.
Symbol composedLoss(Gradient& g, LossReduction reduction, Symbol losses);

/// The rule of a loss of single elements. Graphs take the composition, of which they need a part and which has
/// gradients of its own. ELEMENT: the loss of predictions and labels.
template <typename S, Symbol (*ELEMENT)(Gradient& g, Symbol p, Symbol y)>
void elementLossRule(Gradient& g) {
  if (!g.prefersRules()) return weightedLossRule<S>(g);
  Composition composition(g);
  const Symbol p = composition.input(0), y = composition.cast(composition.input(2), p);
  composition.differentiate({composedLoss(composition, g.arguments<S>().reduction, ELEMENT(composition, p, y))});
}

// ---- schemas

inline constexpr const char* LOSS_GRADIENT_NOTE =
    "These are the gradients of the sum of the losses; the gradient of the loss is not an input and multiplies them.";

/// The texts of a weighted loss and of its gradient.
struct LossText {
  const char *summary, *formula, *gradientSummary, *gradientFormula, *example, *gradientExample;
  NamesElsewhere elsewhere;
  const char *words, *see;
};

/// Summary, formula, example and names of a loss, or of its gradients when `forward` names the loss. `rule`: of the
/// gradients of those gradients.
void documentLoss(Schema& schema, const LossText& text, const char* forward = nullptr, GradientFunction rule = nullptr);

/// Inputs predictions, weights and labels.
void lossInputs(Schema& schema, const char* predictions, const char* weights);

/// Outputs gradPredictions (or another name), gradWeights and gradLabels.
void lossGradientOutputs(Schema& schema, const char* first = "gradPredictions",
                         const char* firstText = "the shape of predictions, the type of the loss");

/// The arguments that S has besides an axis.
template <typename S>
void lossArguments(Schema& schema) {
  if constexpr (requires { &S::delta; })
    schema.argument(&S::delta, "delta", "where the loss becomes linear").atFloat(0);
  if constexpr (requires { &S::epsilon; })
    schema.argument(&S::epsilon, "epsilon", "a number added to the probabilities").atFloat(0);
  if constexpr (requires { &S::labelSmoothing; })
    schema.argument(&S::labelSmoothing, "label_smoothing", "the part of the labels that is spread evenly").atFloat(0);
  schema.argument(&S::reduction, "reduction", "how the weighted losses are combined").atInteger(0);
  if constexpr (requires { &S::full; })
    schema.argument(&S::full, "full", "whether the terms without p are added").atInteger(1);
}

}  // namespace sd::ops

#endif
