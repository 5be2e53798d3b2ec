// The base of operations on lists of arrays.
#ifndef NDFORGE_OPS_DECLARABLE_DECLARABLELISTOP_H
#define NDFORGE_OPS_DECLARABLE_DECLARABLELISTOP_H

#include <array/NDArrayList.h>
#include <ops/declarable/DeclarableOp.h>

namespace sd::ops {

/// The list is the first input variable; arrays follow it.
class SD_LIB_EXPORT DeclarableListOp : public DeclarableOp {
 public:
  DeclarableListOp(int numInputs, int numOutputs, const char* name, int tArgs, int iArgs);
  ShapeList* calculateOutputShape(ShapeList* inputShapes, graph::Context& block) override;

  using DeclarableOp::execute;
  Status execute(graph::Context* block) override;
  /// If list is not null, it becomes variable -1; the inputs follow. The result owns its arrays.
  ResultSet execute(NDArrayList* list, std::initializer_list<NDArray*> inputs, std::initializer_list<double> tArgs,
                    std::initializer_list<int> iArgs);
  ResultSet execute(NDArrayList* list, std::vector<NDArray*>& inputs, std::vector<double>& tArgs,
                    std::vector<int>& iArgs);

 protected:
  /// Stores a list that the operation made as output `index`.
  void setupResultList(NDArrayList* list, graph::Context& block, int index = 0);
  void setupResult(NDArray* array, graph::Context& block);
};

}  // namespace sd::ops

#endif
