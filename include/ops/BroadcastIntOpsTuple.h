// The three numbers of one bitwise operation on integers: with a number, element by element, and broadcast.
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
