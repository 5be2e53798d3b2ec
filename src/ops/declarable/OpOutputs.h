// The outputs of one call: checks those that the caller gave, makes the others.
#ifndef NDFORGE_SRC_OPS_DECLARABLE_OPOUTPUTS_H
#define NDFORGE_SRC_OPS_DECLARABLE_OPOUTPUTS_H

#include <ops/declarable/DeclarableOp.h>

#include <memory>
#include <vector>

namespace sd::ops {

/// Owns a list of shapes and the shapes in it.
class Shapes {
 public:
  explicit Shapes(ShapeList* list) : _list(list) {}
  ~Shapes() {
    if (_list != nullptr) _list->destroy();
  }
  Shapes(const Shapes&) = delete;
  Shapes& operator=(const Shapes&) = delete;
  const ShapeList* operator->() const { return _list.get(); }

 private:
  std::unique_ptr<ShapeList> _list;
};

/// The shapes of the inputs of a call; null for null inputs and for variables that hold no array.
ShapeList inputShapes(graph::Context& block);

/// An array for result `index` of this shape: not initialised, or zeros when the operation reads its outputs.
/// @throws allocation_exception when there is no memory for it
std::unique_ptr<NDArray> newOutput(const OpDescriptor& descriptor, size_t index, const LongType* shape);

/// Outputs that need not be prepared: in place, or the caller vouches for them.
bool outputsAreReady(graph::Context& block);

class OpOutputs {
 public:
  OpOutputs(const OpDescriptor& descriptor, graph::Context& block)
      : _descriptor(descriptor), _block(block), _given(block.fastpath_out().size()) {}
  /// Takes the arrays that were made here out of the context.
  ~OpOutputs();
  OpOutputs(const OpOutputs&) = delete;
  OpOutputs& operator=(const OpOutputs&) = delete;

  /// Puts arrays for every shape into the context. @throws std::runtime_error when a given one has other dimensions
  void prepare(const ShapeList& shapes);
  /// After a call that succeeded: copies results that were computed apart to where the caller wants them.
  void commit();

 private:
  struct Apart {
    size_t index;
    NDArray* target;
    std::unique_ptr<NDArray> array;
  };

  const OpDescriptor& _descriptor;
  graph::Context& _block;
  size_t _given;
  std::vector<Apart> _apart;  // target: what the caller gave, nullptr for nothing

  void prepareArray(size_t index, const LongType* shape);
  void prepareVariable(size_t index, const LongType* shape);
};

}  // namespace sd::ops

#endif
