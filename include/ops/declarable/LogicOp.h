// The base of operations that control the execution of a graph.
#ifndef NDFORGE_OPS_DECLARABLE_LOGICOP_H
#define NDFORGE_OPS_DECLARABLE_LOGICOP_H

#include <ops/declarable/DeclarableOp.h>

namespace sd::ops {

/// Runs only in a graph; a direct call returns BAD_INPUT.
class SD_LIB_EXPORT LogicOp : public DeclarableOp {
 public:
  explicit LogicOp(const char* name);
  ShapeList* calculateOutputShape(ShapeList* inputShapes, graph::Context& block) override;
  using DeclarableOp::execute;
  Status execute(graph::Context* block) override;

 protected:
  Status validateAndExecute(graph::Context& block) override;
};

}  // namespace sd::ops

#endif
