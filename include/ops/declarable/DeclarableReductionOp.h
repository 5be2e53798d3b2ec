// The base of operations that reduce along dimensions.
#ifndef NDFORGE_OPS_DECLARABLE_DECLARABLEREDUCTIONOP_H
#define NDFORGE_OPS_DECLARABLE_DECLARABLEREDUCTIONOP_H

#include <ops/declarable/DeclarableOp.h>

namespace sd::ops {

/// The dimensions come from input 1, else from the integer arguments, else from the context's axes; no dimensions or
/// INT_MAX mean all of them. The output has the remaining dimensions in 'c' order, and the type of the context, or of
/// the input when the context has none.
class SD_LIB_EXPORT DeclarableReductionOp : public DeclarableOp {
 public:
  DeclarableReductionOp(int numInputs, int numOutputs, const char* name, bool allowsInplace, int tArgs, int iArgs);
  ShapeList* calculateOutputShape(ShapeList* inputShapes, graph::Context& block) override;

 protected:
  /// The dimensions of the call, not yet normalised.
  static std::vector<int> dimensions(graph::Context& block);
};

}  // namespace sd::ops

#endif
