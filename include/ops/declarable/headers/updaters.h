// Steps of optimisers: they return the update to subtract from the parameters, and the new state.
#ifndef NDFORGE_OPS_DECLARABLE_HEADERS_UPDATERS_H
#define NDFORGE_OPS_DECLARABLE_HEADERS_UPDATERS_H

#include <ops/declarable/DeclarableCustomOp.h>

namespace sd::ops {

namespace args {
struct SgdRates {
  double learningRate{};
};

struct RmsPropRates {
  double learningRate{};
  double decay = 0.9;  ///< of the mean of squared gradients
  double epsilon = 1e-8;
};

struct AdaGradRates {
  double learningRate{};
  double epsilon = 1e-8;
};

/// Rates of Nesterov's momentum.
struct MomentumRates {
  double learningRate{};
  double momentum = 0.9;
};

struct AdaDeltaRates {
  double decay = 0.95;
  double epsilon = 1e-6;
};

/// Rates of Adam and its variants.
struct AdamRates {
  double learningRate{};
  double beta1 = 0.9, beta2 = 0.999;  ///< decays of the first and second moments
  double epsilon = 1e-8;
  LongType iteration = 0;  ///< from 0
};
}  // namespace args

DECLARE_CONFIGURABLE_OP(ada_delta_updater, 3, 3, true, 0, 0)
DECLARE_CONFIGURABLE_OP(ada_grad_updater, 2, 2, true, 0, 0)
DECLARE_CONFIGURABLE_OP(ada_max_updater, 3, 3, true, 0, 0)
DECLARE_CONFIGURABLE_OP(adabelief_updater, 3, 3, true, 0, 0)
DECLARE_CONFIGURABLE_OP(adam_updater, 3, 3, true, 0, 0)
DECLARE_CONFIGURABLE_OP(ams_grad_updater, 4, 4, true, 0, 0)
DECLARE_CONFIGURABLE_OP(nadam_updater, 3, 3, true, 0, 0)
DECLARE_CONFIGURABLE_OP(nesterovs_updater, 2, 2, true, 0, 0)
DECLARE_CONFIGURABLE_OP(rms_prop_updater, 2, 2, true, 0, 0)
DECLARE_CONFIGURABLE_OP(sgd_updater, 1, 1, true, 0, 0)

}  // namespace sd::ops

#endif
