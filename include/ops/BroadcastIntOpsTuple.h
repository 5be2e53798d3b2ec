// The three numbers of a bitwise operation on integers: as scalar, pairwise and broadcast operation.
#ifndef NDFORGE_OPS_BROADCASTINTOPSTUPLE_H
#define NDFORGE_OPS_BROADCASTINTOPSTUPLE_H

#include <ops/BroadcastTuple.h>
#include <system/op_enums.h>

namespace sd {

class BroadcastIntOpsTuple
    : public BroadcastTuple<BroadcastIntOpsTuple, scalar::IntOps, pairwise::IntOps, broadcast::IntOps> {
 public:
  using BroadcastTuple::BroadcastTuple;
};

}  // namespace sd

#endif
