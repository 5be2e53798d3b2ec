// The three numbers of a comparison or logical operation: as scalar, pairwise and broadcast operation.
#ifndef NDFORGE_OPS_BROADCASTBOOLOPSTUPLE_H
#define NDFORGE_OPS_BROADCASTBOOLOPSTUPLE_H

#include <system/op_enums.h>

namespace sd {

class BroadcastBoolOpsTuple {
 public:
  scalar::BoolOps s;
  pairwise::BoolOps p;
  broadcast::BoolOps b;

  constexpr BroadcastBoolOpsTuple(scalar::BoolOps scalarOp, pairwise::BoolOps pairwiseOp,
                                  broadcast::BoolOps broadcastOp)
      : s(scalarOp), p(pairwiseOp), b(broadcastOp) {}

  static constexpr BroadcastBoolOpsTuple custom(scalar::BoolOps scalarOp, pairwise::BoolOps pairwiseOp,
                                                broadcast::BoolOps broadcastOp) {
    return {scalarOp, pairwiseOp, broadcastOp};
  }
};

}  // namespace sd

#endif
