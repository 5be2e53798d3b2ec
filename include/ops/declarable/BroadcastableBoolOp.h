// The base of element-wise comparisons of two arrays that broadcast.
#ifndef NDFORGE_OPS_DECLARABLE_BROADCASTABLEBOOLOP_H
#define NDFORGE_OPS_DECLARABLE_BROADCASTABLEBOOLOP_H

#include <ops/declarable/BroadcastableOp.h>

namespace sd::ops {

/// As BroadcastableOp, with an output of type BOOL.
class SD_LIB_EXPORT BroadcastableBoolOp : public BroadcastableOp {
 public:
  BroadcastableBoolOp(const char* name, int tArgs, int iArgs);

 protected:
  DataType resultType(const LongType* x, const LongType* y, graph::Context& block) override;
};

}  // namespace sd::ops

#endif
