// What the steps of loops, conditions and embedded graphs are made of.
#ifndef NDFORGE_SRC_GRAPH_CONTROLPARTS_H
#define NDFORGE_SRC_GRAPH_CONTROLPARTS_H

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "graph/OpenGraph.h"
#include "graph/Plan.h"
#include "graph/ScopeGraph.h"
#include "graph/SessionCore.h"

namespace sd::graph {

/// A graph within a graph, whose inputs are found among the inputs and the values of a node.
class Part {
 public:
  /// `place`: the node, for messages. `names`: those of the inputs of the node, in their order; values of the node
  /// itself are (node, index).
  Part(ScopeGraph scope, const std::string& place, const Node& node, const std::vector<ValueName>& names,
       const SessionOptions& options);

  /// Makes ready for a run with these inputs.
  void prepare(const std::vector<NDArray*>& inputs, const std::vector<NDArray*>& states);
  /// `targets`: arrays into which steps may write results, or null ones.
  void run(const RunControl& control, NDArray* const* targets = nullptr, size_t count = 0);
  void run(const std::vector<NDArray*>& inputs, const std::vector<NDArray*>& states, const RunControl& control) {
    prepare(inputs, states);
    run(control);
  }
  const LongType* directShape(size_t k) const { return _engine->directShape(k); }
  size_t results() const { return _engine->results(); }
  NDArray& result(size_t k) const { return *_engine->result(k); }
  bool returns() const { return _returns; }
  const std::vector<ValueName>& targets() const { return _targets; }

 private:
  struct Source {
    bool isState = false;
    size_t index = 0;
  };
  bool _returns;
  std::vector<ValueName> _targets;
  SessionCore _core;
  SessionCore::Lease _engine;
  std::vector<Source> _sources;
  std::vector<NDArray*> _feeds;
  std::vector<const LongType*> _shapes;  // for which the engine is
  bool _isReady = false;
};

/// Values of a loop or condition, which are copies of inputs at first. Each has a second array, into which its next
/// value is written.
class States {
 public:
  void start(const std::vector<NDArray*>& inputs, size_t count);
  /// The array for the next value, with this layout; nullptr when the value has to be converted, because values keep
  /// their types, as in the interpreter.
  NDArray* next(size_t e, const LongType* shapeInfo);
  /// The next values; null where a value stays. All are read before one is overwritten: values may change places.
  void set(const std::vector<const NDArray*>& values);
  const std::vector<NDArray*>& arrays() const { return _list; }

 private:
  using Arrays = std::vector<std::unique_ptr<NDArray>>;
  Arrays _now, _next;
  std::vector<NDArray*> _list;

  void resize(size_t count);
  void list();
  /// `like`: what the value replaces.
  static void store(std::unique_ptr<NDArray>& array, const NDArray& value, const NDArray* like = nullptr);
};

/// The results of an engine, without memory of the inputs, which may be used for something else afterwards.
class Outputs {
 public:
  void collect(size_t count, const std::function<NDArray*(size_t)>& result, const std::vector<NDArray*>& inputs,
               std::vector<NDArray*>& outputs);

 private:
  std::vector<std::unique_ptr<NDArray>> _copies;
};

/// Whether the result of a condition holds.
bool holds(const Part& condition, const std::string& place);
/// The names of the inputs of a control node, with those that its scopes read.
std::vector<ValueName> namesOf(const OpenGraph& graph, const OpenNode& node);
/// @throws sd::graph_execution_exception when the execution was cancelled
void checkCancelled(const RunControl& control, const std::string& place);

}  // namespace sd::graph

#endif
