// One inference of an operation: types and shapes of the outputs from those of the inputs and the arguments.
#ifndef NDFORGE_OPS_DECLARABLE_INFERENCE_H
#define NDFORGE_OPS_DECLARABLE_INFERENCE_H

#include <array/ShapeList.h>
#include <graph/Context.h>
#include <ops/declarable/Arguments.h>
#include <ops/declarable/PartialShape.h>

#include <initializer_list>
#include <utility>
#include <vector>

namespace sd::ops {

class Schema;

/// Given to the inference function of an operation, which reads inputs and arguments and calls output() for each
/// output. The same function serves calls with arrays, where all is known, and graphs, where dimensions, ranks and
/// types may be unknown. It throws std::invalid_argument for inputs and arguments that do not fit; what is unknown
/// fits.
class SD_LIB_EXPORT Inference {
 public:
  /// Of a call: the shapes of its inputs, whose values are in `block` if they are known.
  Inference(const Schema& schema, const ShapeList& inputs, graph::Context& block);
  /// Of a node of a graph. `values`: the inputs that are constant, null where they are not; may be shorter than inputs.
  Inference(const Schema& schema, std::vector<PartialShape> inputs, const void* arguments,
            std::vector<const NDArray*> values);

  // ---- inputs

  int inputs() const { return _shapes != nullptr ? _shapes->size() : static_cast<int>(_partial.size()); }
  /// Whether input `index` is given.
  bool has(int index) const;
  /// @throws std::invalid_argument when the input is not given
  PartialShape input(int index) const;
  /// The array of input `index`, when its values are known: in every call, and for constants of graphs. Operations
  /// whose shapes depend on values read it.
  const NDArray* values(int index) const;

  // ---- arguments

  template <typename S>
  const S& arguments() const {
    if (!_structure->operator==(argumentStruct<S>)) detail::otherArguments(typeid(S));
    return *static_cast<const S*>(_arguments);
  }
  /// Whether the value of an argument is known: false when an input gives it whose values are unknown.
  template <typename S, typename M>
  bool knows(M S::*member) const {
    return isKnown(reinterpret_cast<const char*>(&(arguments<S>().*member)) - static_cast<const char*>(_arguments));
  }
  /// The context of a call; nullptr in graphs. For what is neither an input nor an argument.
  graph::Context* block() const { return _block; }
  /// Whether outputs may be unknown: true in graphs, false in calls.
  bool isPartial() const { return _shapes == nullptr; }

  // ---- outputs

  void output(const PartialShape& shape);
  void output(DataType type, std::initializer_list<LongType> sizes, char order = 'c') {
    output(PartialShape(type, sizes, order));
  }
  int outputs() const { return _shapes != nullptr ? _infos.size() : static_cast<int>(_outputs.size()); }
  /// Of a call.
  const ShapeList& infos() const { return _infos; }
  const std::vector<PartialShape>& results() const { return _outputs; }

  /// Keeps what was computed for the body, which gets it by kept<T>(block, …).
  template <typename T>
  void keep(T value) {
    if (_block != nullptr) _block->keep(std::move(value));
  }

 private:
  const Schema& _schema;
  const ShapeList* _shapes = nullptr;
  graph::Context* _block = nullptr;
  std::vector<PartialShape> _partial, _outputs;
  std::vector<const NDArray*> _values;
  const ArgumentStruct* _structure;
  const void* _arguments;
  ShapeList _infos;

  bool isKnown(std::ptrdiff_t offset) const;
  [[noreturn]] void rejectIncomplete(const PartialShape& shape) const;
};

using InferenceFunction = void (*)(Inference& in);

}  // namespace sd::ops

#endif
