// The outputs of one call: checks those that the caller gave, makes the others.
#ifndef NDFORGE_SRC_OPS_DECLARABLE_OPOUTPUTS_H
#define NDFORGE_SRC_OPS_DECLARABLE_OPOUTPUTS_H

#include <ops/declarable/DeclarableOp.h>

#include <memory>
#include <string>
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

/// What a shape function gave. @throws std::runtime_error, and frees the list, when it or a shape in it is null
SD_LIB_EXPORT std::unique_ptr<ShapeList> requireShapes(const std::string& op, ShapeList* list);

/// The shapes of the inputs of a call; null for null inputs and for variables that hold no array.
ShapeList inputShapes(graph::Context& block);

/// An array for result `index` of this shape: not initialised, or zeros when the operation reads its outputs.
/// @throws allocation_exception when there is no memory for it
std::unique_ptr<NDArray> newOutput(const OpDescriptor& descriptor, size_t index, const LongType* shape);

/// @throws std::runtime_error when elements of an output share memory, or strings cannot be replaced
void requireWritable(const OpDescriptor& descriptor, int index, const NDArray& output);

/// Outputs that need not be prepared: in place, or the caller vouches for them.
bool outputsAreReady(graph::Context& block);

class OpOutputs {
 public:
  OpOutputs(const OpDescriptor& descriptor, graph::Context& block)
      : _descriptor(descriptor), _block(block), _given(block.fastpath_out().size()) {}
  /// Takes the arrays that were made here out of the context, but for those that commit() left to it.
  ~OpOutputs();
  OpOutputs(const OpOutputs&) = delete;
  OpOutputs& operator=(const OpOutputs&) = delete;

  /// Puts arrays for every shape into the context, after it has checked all those that were given. @throws
  /// std::runtime_error when one of these has other dimensions or cannot be written
  void prepare(const ShapeList& shapes);
  /// After a call that succeeded: copies results that were computed apart to where the caller wants them, and leaves
  /// those that the caller gave no array for to the context.
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
  bool _committed = false;
  std::vector<Apart> _apart;  // target: what the caller gave, nullptr for nothing

  void checkArray(size_t index, const LongType* shape) const;
  void prepareArray(size_t index, const LongType* shape);
  void prepareVariable(size_t index, const LongType* shape);
};

}  // namespace sd::ops

#endif
