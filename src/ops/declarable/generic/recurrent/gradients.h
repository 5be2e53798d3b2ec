// Gradient rules of recurrent operations: the steps are composed of simpler operations, whose rules are applied. The
// number of steps has to be known.
#ifndef NDFORGE_SRC_OPS_DECLARABLE_GENERIC_RECURRENT_GRADIENTS_H
#define NDFORGE_SRC_OPS_DECLARABLE_GENERIC_RECURRENT_GRADIENTS_H

#include <ops/declarable/Gradient.h>

namespace sd::ops::recurrent {

void gruCellRule(Gradient& g);
void gruRule(Gradient& g);
void lstmCellRule(Gradient& g);
void lstmRule(Gradient& g);
void lstmBlockCellRule(Gradient& g);
void lstmBlockRule(Gradient& g);
/// Of calls in which every input has a place of its own and all outputs are made. The gradient of an output may be a
/// scalar.
void lstmLayerCellRule(Gradient& g);
void lstmLayerRule(Gradient& g);
void sruCellRule(Gradient& g);
void sruRule(Gradient& g);
void sruBothRule(Gradient& g);
/// Of one direction; `dynamic`: the arguments have a layout.
void rnnRule(Gradient& g, bool dynamic);
/// Of both directions.
void rnnBothRule(Gradient& g, bool dynamic);

}  // namespace sd::ops::recurrent

#endif
