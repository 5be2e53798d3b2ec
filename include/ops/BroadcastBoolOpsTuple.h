// The three numbers of a comparison or logical operation: as scalar, pairwise and broadcast operation.
#ifndef NDFORGE_OPS_BROADCASTBOOLOPSTUPLE_H
#define NDFORGE_OPS_BROADCASTBOOLOPSTUPLE_H

#include <ops/BroadcastTuple.h>
#include <system/op_enums.h>

namespace sd {

class BroadcastBoolOpsTuple
    : public BroadcastTuple<BroadcastBoolOpsTuple, scalar::BoolOps, pairwise::BoolOps, broadcast::BoolOps> {
 public:
  using BroadcastTuple::BroadcastTuple;
};

}  // namespace sd

#endif
