// The three numbers of a bitwise operation on integers: as scalar, pairwise and broadcast operation.
#ifndef NDFORGE_OPS_BROADCASTINTOPSTUPLE_H
#define NDFORGE_OPS_BROADCASTINTOPSTUPLE_H

#include <system/op_enums.h>

namespace sd {

class BroadcastIntOpsTuple {
 public:
  scalar::IntOps s;
  pairwise::IntOps p;
  broadcast::IntOps b;

  constexpr BroadcastIntOpsTuple(scalar::IntOps scalarOp, pairwise::IntOps pairwiseOp, broadcast::IntOps broadcastOp)
      : s(scalarOp), p(pairwiseOp), b(broadcastOp) {}

  static constexpr BroadcastIntOpsTuple custom(scalar::IntOps scalarOp, pairwise::IntOps pairwiseOp,
                                               broadcast::IntOps broadcastOp) {
    return {scalarOp, pairwiseOp, broadcastOp};
  }
};

}  // namespace sd

#endif
