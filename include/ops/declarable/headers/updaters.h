// Steps of optimisers: they return the update to subtract from the parameters, and the new state.
#ifndef NDFORGE_OPS_DECLARABLE_HEADERS_UPDATERS_H
#define NDFORGE_OPS_DECLARABLE_HEADERS_UPDATERS_H

#include <ops/declarable/DeclarableCustomOp.h>

namespace sd::ops {

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
