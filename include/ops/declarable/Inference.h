// One inference of an operation: types and shapes of the outputs from those of the inputs and the arguments.
#ifndef NDFORGE_OPS_DECLARABLE_INFERENCE_H
#define NDFORGE_OPS_DECLARABLE_INFERENCE_H

#include <array/ShapeList.h>
#include <graph/Context.h>
#include <ops/declarable/Arguments.h>
#include <ops/declarable/PartialShape.h>

#include <cstdint>
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
  /// What is known of a node of a graph.
  struct Node {
    std::vector<PartialShape> inputs;
    const void* arguments = nullptr;
    std::vector<const NDArray*> values;  ///< the inputs that are constant, null where they are not; may be shorter
    std::uint64_t unread = 0;            ///< ArgumentBlock::unread()
    std::vector<PartialShape> outputs;   ///< the result
  };

  /// Of a call: the shapes of its inputs, whose values are in `block` if they are known. The shapes of the outputs are
  /// appended to `results`.
  Inference(const Schema& schema, const ShapeList& inputs, graph::Context& block, ShapeList& results);
  Inference(const Schema& schema, Node& node);
  Inference(const Inference&) = delete;
  Inference& operator=(const Inference&) = delete;

  // ---- inputs

  int inputs() const { return _node == nullptr ? _shapes->size() : static_cast<int>(_node->inputs.size()); }
  /// Whether input `index` is given.
  bool has(int index) const;
  /// @throws std::runtime_error when the input is not given
  PartialShape input(int index) const;
  /// Its name in the schema; empty when it has none.
  const char* inputName(int index) const;
  /// The array of input `index`, when its values are known: in every call, and for constants of graphs. Operations
  /// whose shapes depend on values read it.
  const NDArray* values(int index) const;

  // ---- arguments

  template <typename S>
  const S& arguments() const {
    if (_structure == nullptr || !(*_structure == argumentStruct<S>)) detail::otherArguments(typeid(S));
    return *static_cast<const S*>(_arguments);
  }
  /// Whether the value of an argument is known: false when an input gives it whose values are unknown.
  template <typename S, typename M>
  bool knows(M S::*member) const {
    return isKnown(reinterpret_cast<const char*>(&(arguments<S>().*member)) - static_cast<const char*>(_arguments));
  }
  /// The context of a call; nullptr in graphs. For what is neither an input nor an argument.
  graph::Context* block() const {
    _readsMore = true;
    return _block;
  }
  /// Whether outputs may be unknown: true in graphs, false in calls.
  bool isPartial() const { return _node != nullptr; }

  // ---- outputs

  void output(const PartialShape& shape);
  void output(DataType type, std::initializer_list<LongType> sizes, char order = 'c') {
    output(PartialShape(type, sizes, order));
  }
  /// Called after the inference function: a call has outputs. @throws std::runtime_error when their number depends on
  /// values that are not known
  void finish() const {
    if (_node == nullptr && _missed >= 0 && _results->size() == 0) rejectMissed();
  }
  /// Whether nothing was asked for but shapes and arguments.
  bool readsNoValues() const { return !_readsMore; }
  int outputs() const { return _node == nullptr ? _results->size() : static_cast<int>(_node->outputs.size()); }

  /// Keeps what was computed for the body, which gets it by kept<T>(block, ...).
  template <typename T>
  void keep(T value) {
    if (_block != nullptr) _block->keep(std::move(value), true);
  }
  /// In calls, as keep(): a T to be filled, which holds what the last call of its kind left there.
  template <typename T>
  T& keptPlace() {
    return _block->template keptPlace<T>(true);
  }

 private:
  const Schema& _schema;
  Node* _node = nullptr;  // of a graph; else the following three are of a call
  const ShapeList* _shapes = nullptr;
  graph::Context* _block = nullptr;
  ShapeList* _results = nullptr;
  const ArgumentStruct* _structure;
  const void* _arguments;
  mutable bool _readsMore = false;  // values, or the context
  mutable int _missed = -1;         // an input whose values were asked for and are not known

  [[noreturn]] void rejectMissing(int index) const;
  bool isKnown(std::ptrdiff_t offset) const;
  [[noreturn]] void rejectMissed() const;
  [[noreturn]] void rejectIncomplete(const PartialShape& shape) const;
};

}  // namespace sd::ops

#endif
