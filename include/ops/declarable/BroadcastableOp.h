// The base of element-wise operations on two arrays that broadcast.
#ifndef NDFORGE_OPS_DECLARABLE_BROADCASTABLEOP_H
#define NDFORGE_OPS_DECLARABLE_BROADCASTABLEOP_H

#include <ops/declarable/DeclarableOp.h>

namespace sd::ops {

/// NumPy's broadcasting. The output has the type of x; BOOL when the operation allows only BOOL outputs or the context
/// requests it; in an experimental build the common type. An empty rank-0 operand gives an empty scalar.
class SD_LIB_EXPORT BroadcastableOp : public DeclarableOp {
 public:
  BroadcastableOp(const char* name, int tArgs, int iArgs);
  ShapeList* calculateOutputShape(ShapeList* inputShapes, graph::Context& block) override;

 protected:
  /// The shape of x op y, with the given type.
  static const LongType* broadcastShape(const LongType* x, const LongType* y, DataType type);
  virtual DataType resultType(const LongType* x, const LongType* y, graph::Context& block);
};

}  // namespace sd::ops

#endif
