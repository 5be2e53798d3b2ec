// The base of operations that return true or false.
#ifndef NDFORGE_OPS_DECLARABLE_BOOLEANOP_H
#define NDFORGE_OPS_DECLARABLE_BOOLEANOP_H

#include <ops/declarable/DeclarableOp.h>

namespace sd::ops {

/// The body returns EQ_TRUE or EQ_FALSE; output 0 is the same result as a BOOL scalar.
class SD_LIB_EXPORT BooleanOp : public DeclarableOp {
 public:
  BooleanOp(const char* name, int numInputs, bool scalar);
  ShapeList* calculateOutputShape(ShapeList* inputShapes, graph::Context& block) override;

  /// The result. @throws std::runtime_error when the body returns neither status
  bool verify(const std::vector<NDArray*>& args);
  bool verify(graph::Context& block);

  using DeclarableOp::execute;
  Status execute(graph::Context* block) override;
};

}  // namespace sd::ops

#endif
