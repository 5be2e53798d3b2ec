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

/// An array for a result of this shape: not initialised, or zeros when the operation reads its outputs.
std::unique_ptr<NDArray> newOutput(const OpDescriptor& descriptor, const LongType* shape);

/// Outputs that need not be prepared: in place, or the caller vouches for them.
bool outputsAreReady(graph::Context& block);

class OpOutputs {
 public:
  /// Puts arrays for every shape into the context. @throws std::runtime_error when a given one has other dimensions
  OpOutputs(const OpDescriptor& descriptor, graph::Context& block, const ShapeList& shapes);
  /// Takes the arrays that were made here out of the context.
  ~OpOutputs();
  OpOutputs(const OpOutputs&) = delete;
  OpOutputs& operator=(const OpOutputs&) = delete;

  /// After a call that succeeded: copies results that were computed apart to where the caller wants them.
  void commit();

 private:
  struct Apart {
    size_t index;
    NDArray* target;
    std::unique_ptr<NDArray> array;
  };

  graph::Context& _block;
  size_t _given;
  std::vector<Apart> _apart;
  std::vector<std::unique_ptr<NDArray>> _made;
  std::vector<NDArray*> _original;

  void prepareArray(const OpDescriptor& descriptor, size_t index, const LongType* shape);
  void prepareVariable(const OpDescriptor& descriptor, size_t index, const LongType* shape);
};

}  // namespace sd::ops

#endif
