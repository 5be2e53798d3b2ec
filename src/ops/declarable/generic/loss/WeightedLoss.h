// Code that the weighted losses share: the weights, the reduction modes and their gradients.
#ifndef NDFORGE_SRC_OPS_DECLARABLE_GENERIC_LOSS_WEIGHTEDLOSS_H
#define NDFORGE_SRC_OPS_DECLARABLE_GENERIC_LOSS_WEIGHTEDLOSS_H

#include "ops/declarable/helpers/real.h"

namespace sd::ops {

/// How element losses E and weights W are combined.
enum class Reduction : int {
  None = 0,          ///< W E
  Sum = 1,           ///< sum(W E)
  WeightedMean = 2,  ///< sum(W E) / sum(W); 0 when sum(W) is 0
  NonZeroMean = 3    ///< sum(W E) / the number of weights that are not 0; 0 when there are none
};

/// Integer argument 0. @throws std::invalid_argument when it is not 0..3
Reduction reductionOf(graph::Context& block);

/// The type of a loss: that of the predictions if it is a float type, else the default float type.
DataType lossType(const LongType* predictions);

/// Throws std::invalid_argument unless labels (input 2) have the shape of the predictions (input 0).
void requireLabels(const LongType* predictions, const LongType* labels);

/// The dimensions in which weights of the shape `weights` broadcast with element losses of dimensions `losses`; empty
/// for a single weight. `squeezed` also accepts dimensions that differ in unit dimensions only, as in [N, 1] for [N].
/// @throws std::invalid_argument when they do not fit
Dims weightDims(const LongType* weights, const Dims& losses, bool squeezed = false);

/// The shape of a loss: `losses` for Reduction::None, otherwise a scalar.
const LongType* lossShape(graph::Context& block, DataType type, char order, const Dims& losses);

/// The weights of a call, for element losses of type FLOAT32 or DOUBLE.
class Weighting {
 public:
  Weighting(graph::Context& block, const NDArray& weights, DataType type, const Dims& losses, bool squeezed = false);

  /// z = the loss; `losses`, the element losses, are overwritten.
  void reduce(NDArray& losses, NDArray& z) const;
  bool reduces() const { return _mode != Reduction::None; }
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
  Reduction _mode;
  double _count = 1;  ///< of the element losses; as a number of this type it does not overflow
  NDArray _weights;
  double _divisor = 1;  ///< of the sum; 0 means that the loss is 0

  bool isSingle() const { return _weights.lengthOf() == 1; }
  /// The number of element losses for each weight.
  double repeats() const;
};

inline constexpr const char* LOSS_INPUTS =
    "predictions: any shape\nweights: one element, or the rank of predictions and broadcastable to them\nlabels: the "
    "shape of predictions";
inline constexpr const char* LOSS_MODE =
    "mode: 0 no reduction, 1 the weighted sum, 2 the weighted mean (divided by the sum of the weights), 3 the weighted "
    "sum divided by the number of weights that are not 0";
inline constexpr const char* LOSS_OUTPUTS =
    "loss: a scalar, in mode 0 the shape of labels; of the type of predictions, or the default float type";
inline constexpr const char* LOSS_GRADIENT_OUTPUTS =
    "gradPredictions: the shape of predictions\ngradWeights: the shape of weights\ngradLabels: the shape of labels; "
    "all "
    "of the type of the loss";

}  // namespace sd::ops

#endif
