// The outputs of one call: checks the arrays that the caller gave and creates the others.
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

/// Checks the result of a shape function. @throws std::runtime_error, and frees the list, when it or a shape in it is
/// null
SD_LIB_EXPORT std::unique_ptr<ShapeList> requireShapes(const std::string& op, ShapeList* list);

/// The shapes of the inputs of a call; null for a null input and for a variable without an array.
ShapeList inputShapes(graph::Context& block);

/// A new array of this shape for result `index`: uninitialised, or zeros when the operation reads its outputs. @throws
/// allocation_exception when there is not enough memory
std::unique_ptr<NDArray> newOutput(const OpDescriptor& descriptor, size_t index, const LongType* shape);

/// @throws std::runtime_error when elements of an output share memory, or when its strings cannot be replaced
void requireWritable(const OpDescriptor& descriptor, int index, const NDArray& output);

/// Whether output `output` may have the memory of input `input` while the operation runs.
bool overwritesSafely(const OpDescriptor& descriptor, int output, int input);

/// Whether the outputs need no preparation: the call is in place, or the caller has declared them ready.
bool outputsAreReady(graph::Context& block);

/// After a call whose caller does not take pushed outputs: writes what the operation has put into variables of the
/// call's own space to the outputs in whose places it stands. @throws std::runtime_error when it does not fit
void storePushedOutputs(const OpDescriptor& descriptor, graph::Context& block);

class OpOutputs {
 public:
  OpOutputs(const OpDescriptor& descriptor, graph::Context& block)
      : _descriptor(descriptor), _block(block), _given(block.fastpath_out().size()) {}
  /// Removes the arrays that were created here from the context, except those that commit() left in it.
  ~OpOutputs();
  OpOutputs(const OpOutputs&) = delete;
  OpOutputs& operator=(const OpOutputs&) = delete;

  /// Checks all arrays that were given, then puts an array for every shape into the context. @throws std::runtime_error
  /// when a given array has other dimensions or cannot be written
  void prepare(const ShapeList& shapes);
  /// Call it after the operation has succeeded: it copies results that were computed in separate arrays to the caller's
  /// arrays, and leaves results for which the caller gave no array in the context.
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
  std::vector<Apart> _apart;  // target: the caller's array, nullptr when there is none

  void checkArray(size_t index, const LongType* shape) const;
  void prepareArray(size_t index, const LongType* shape);
  void prepareVariable(size_t index, const LongType* shape);
};

}  // namespace sd::ops

#endif
