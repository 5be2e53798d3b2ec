// Loss functions and their gradients. The weights are the second input, the labels the third.
#ifndef NDFORGE_OPS_DECLARABLE_HEADERS_LOSS_H
#define NDFORGE_OPS_DECLARABLE_HEADERS_LOSS_H

#include <ops/declarable/DeclarableCustomOp.h>
#include <ops/declarable/headers/choices.h>

namespace sd::ops {

namespace args {
/// Arguments of the weighted losses without others.
struct WeightedLoss {
  LossReduction reduction = LossReduction::MeanByNonzeroWeight;
};

struct CosineLoss {
  int axis = -1;
  LossReduction reduction = LossReduction::MeanByNonzeroWeight;
};

struct CtcLoss {
  LongType blank = -1;  ///< the class that means no label; the last one when there is no such class
};

struct HuberLoss {
  double delta = 1.0;  ///< where the loss becomes linear
  LossReduction reduction = LossReduction::MeanByNonzeroWeight;
};

struct LogLoss {
  double epsilon = 1e-7;
  LossReduction reduction = LossReduction::MeanByNonzeroWeight;
};

struct PoissonLoss {
  bool full = false;  ///< the terms without predictions are added
  LossReduction reduction = LossReduction::MeanByNonzeroWeight;
};

struct SmoothedLoss {
  double labelSmoothing = 0.0;
  LossReduction reduction = LossReduction::MeanByNonzeroWeight;
};

/// Arguments of losses without weights.
struct ClassAxis {
  int axis = -1;
};
}  // namespace args

DECLARE_CUSTOM_OP(absolute_difference_loss, 3, 1, false, 0, 1)
DECLARE_CUSTOM_OP(absolute_difference_loss_grad, 3, 3, false, 0, 1)
DECLARE_CUSTOM_OP(cosine_distance_loss, 3, 1, false, 0, 2)
DECLARE_CUSTOM_OP(cosine_distance_loss_grad, 3, 3, false, 0, 2)
DECLARE_CUSTOM_OP(ctc_loss, 4, 1, false, 0, 1)
DECLARE_CUSTOM_OP(ctc_loss_grad, 4, 1, false, 0, 1)
DECLARE_CUSTOM_OP(hinge_loss, 3, 1, false, 0, 1)
DECLARE_CUSTOM_OP(hinge_loss_grad, 3, 3, false, 0, 1)
DECLARE_CUSTOM_OP(huber_loss, 3, 1, false, 1, 1)
DECLARE_CUSTOM_OP(huber_loss_grad, 3, 3, false, 1, 1)
DECLARE_CUSTOM_OP(l2_loss, 1, 1, false, 0, 0)
DECLARE_CUSTOM_OP(log_loss, 3, 1, false, 1, 1)
DECLARE_CUSTOM_OP(log_loss_grad, 3, 3, false, 1, 1)
DECLARE_CUSTOM_OP(log_poisson_loss, 3, 1, true, 0, 1)
DECLARE_CUSTOM_OP(log_poisson_loss_grad, 3, 3, false, 0, 1)
DECLARE_CUSTOM_OP(mean_pairwssqerr_loss, 3, 1, false, 0, 1)
DECLARE_CUSTOM_OP(mean_pairwssqerr_loss_grad, 3, 3, false, 0, 1)
DECLARE_CUSTOM_OP(mean_sqerr_loss, 3, 1, false, 0, 1)
DECLARE_CUSTOM_OP(mean_sqerr_loss_grad, 3, 3, false, 0, 1)
DECLARE_CUSTOM_OP(sigm_cross_entropy_loss, 3, 1, false, 1, 1)
DECLARE_CUSTOM_OP(sigm_cross_entropy_loss_grad, 3, 3, false, 1, 1)
DECLARE_CUSTOM_OP(softmax_cross_entropy_loss, 3, 1, false, 1, 1)
DECLARE_CUSTOM_OP(softmax_cross_entropy_loss_grad, 3, 3, false, 1, 1)
DECLARE_CUSTOM_OP(softmax_cross_entropy_loss_with_logits, 2, 1, false, 0, 0)
DECLARE_CUSTOM_OP(softmax_cross_entropy_loss_with_logits_grad, 2, 2, false, 0, 0)
DECLARE_CUSTOM_OP(sparse_softmax_cross_entropy_loss_with_logits, 2, 1, false, 0, 0)
DECLARE_CUSTOM_OP(sparse_softmax_cross_entropy_loss_with_logits_grad, 2, 1, false, 0, 0)

}  // namespace sd::ops

#endif
