// A graph opened for passes and plans: nodes and values by dense numbers, who reads them, and what is known of them.
#ifndef NDFORGE_SRC_GRAPH_OPENGRAPH_H
#define NDFORGE_SRC_GRAPH_OPENGRAPH_H

#include <graph/Graph.h>
#include <ops/declarable/PartialShape.h>

#include <memory>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace sd::graph {

/// The number of a value or a node in an OpenGraph.
using ValueId = int;
using NodeId = int;

/// A variable or an output of a node.
struct OpenValue {
  enum class Source { Node, Constant, Variable, Placeholder };
  Source source = Source::Node;
  std::pair<int, int> name;  ///< in the graph: (node, output), or (variable, 0)
  NodeId writer = -1;        ///< of Source::Node
  int output = 0;
  ops::PartialShape shape;
  const NDArray* constant = nullptr;    ///< the elements, of Source::Constant
  const LongType* shapeInfo = nullptr;  ///< with the strides that arrays from outside have; of other sources than Node
  int readers = 0;                      ///< how many inputs of nodes are this value
  bool isResult = false;
};

struct OpenNode {
  Node* node = nullptr;
  std::vector<ValueId> inputs;   ///< -1: an optional input that is not given
  std::vector<ValueId> outputs;  ///< consecutive numbers
  /// How many of the inputs the node lists; the others are read by the scopes that it runs.
  size_t listed = 0;
  /// The names by which scopes read those others, which passes may have replaced by other values.
  std::vector<std::pair<int, int>> scopeNames;
  bool removed = false;
  /// Whether equal calls give equal results and do nothing else: no random numbers, no side effects.
  bool isPure = false;

  ops::DeclarableOp* op() const { return node->getCustomOp(); }
  bool is(const char* operation) const;
};

/// Whether equal calls give equal results and do nothing else; not of control flow and embedded graphs.
bool isPure(const Node& node);

/// An array that a run gets from its caller, or what is known of it.
struct FedShape {
  std::pair<int, int> name;
  const LongType* shapeInfo;  ///< nullptr when only `shape` is known
  ops::PartialShape shape;
};

class OpenGraph;
/// What is known of the outputs of a control node; nothing or some of them.
using ControlInference = std::vector<ops::PartialShape> (*)(OpenGraph& graph, NodeId id);

/// Takes the structure of a graph; arrays are not copied. Marks of work in place are ignored: passes and plans decide
/// themselves what overwrites what.
class OpenGraph {
 public:
  /// `feeds`: the placeholders that are fed, and variables whose arrays are replaced. `results`: their names; a number
  /// alone means every output. `inferControl`: nullptr when nothing needs to be known of the outputs of control nodes.
  /// @throws sd::unresolved_input_exception, sd::graph_exception
  OpenGraph(const Graph& graph, const std::vector<FedShape>& feeds, const std::vector<std::pair<int, int>>& results,
            ControlInference inferControl = nullptr);
  OpenGraph(const OpenGraph&) = delete;
  OpenGraph& operator=(const OpenGraph&) = delete;

  const std::string& origin() const { return _origin; }
  const Graph& source() const { return _graph; }

  // ---- reading. Nodes are in an order in which each comes after the writers of its inputs.

  int nodes() const { return static_cast<int>(_nodes.size()); }
  int values() const { return static_cast<int>(_values.size()); }
  const OpenNode& node(NodeId id) const { return _nodes[static_cast<size_t>(id)]; }
  const OpenValue& value(ValueId id) const { return _values[static_cast<size_t>(id)]; }
  /// nullptr when no node writes the value.
  const OpenNode* writerOf(ValueId id) const {
    return id < 0 || value(id).writer < 0 ? nullptr : &node(value(id).writer);
  }
  /// The value of this name; -1 when there is none.
  ValueId find(const std::pair<int, int>& name) const;
  /// In the order in which they were asked for.
  const std::vector<ValueId>& results() const { return _results; }
  /// The nodes that read a value, in ascending order, once for each input. Built anew by reindex(): until then nodes
  /// that were removed stay in it, and new ones stand at its end.
  const std::vector<NodeId>& readersOf(ValueId id) const { return _readers[static_cast<size_t>(id)]; }
  void reindex();
  /// The number of nodes that are not removed.
  int liveNodes() const;

  // ---- changing: OpenGraphChanges.cpp

  /// A constant of the graph's own.
  ValueId addConstant(std::unique_ptr<NDArray> array);
  /// Adds a node; infers its outputs. It is put into order by sort(). @returns its number
  /// @throws std::invalid_argument when the inputs do not fit
  NodeId addNode(std::unique_ptr<Node> node, std::vector<ValueId> inputs);
  /// A node of the operation of this name, with arguments by name. @throws std::invalid_argument when there is none
  NodeId addCall(const char* operation, std::vector<ValueId> inputs,
                 std::vector<std::pair<std::string, ops::ArgumentValue>> arguments = {});
  /// A control node that lists these inputs and scopes. `read`: what the scopes read of other values. `outputs`: what
  /// is known of them.
  NodeId addControl(std::unique_ptr<Node> node, std::vector<ValueId> listed, const std::vector<int>& scopes,
                    const std::vector<ValueId>& read, const std::vector<ops::PartialShape>& outputs);
  /// A value that a run gets from outside.
  ValueId addPlaceholder(const std::pair<int, int>& name, const ops::PartialShape& shape);
  /// Output `index` of a node of which inference does not say how many it has. `shape`: what is known of it if it is
  /// new.
  ValueId outputOf(NodeId node, size_t index, const ops::PartialShape& shape = {});
  /// The numbers of the next new node and the next new variable. Graphs that are parts of one graph take turns.
  std::pair<int, int> nextNumbers() const { return {_nextNode, _nextVariable}; }
  void skipNumbers(const std::pair<int, int>& next);
  /// A number for a node or a scope.
  int takeNumber();
  /// Everything that reads `old`, results among it, reads `replacement` from then on.
  void replace(ValueId old, ValueId replacement);
  void setInput(NodeId node, size_t input, ValueId value);
  /// Sets an optional input, which may come after those that the node has.
  void giveInput(NodeId node, size_t input, ValueId value);
  /// Nobody may read its outputs any more.
  void remove(NodeId node);
  /// Removes the nodes whose outputs nobody reads, if they are free of side effects, and those that only they read.
  /// @returns how many
  int removeUnread();
  /// Brings nodes into order after some were added.
  void sort();

  /// A graph of what is here now. Its variables are on top of those of the source, which must outlive it.
  std::unique_ptr<Graph> toGraph() const;

 private:
  const Graph& _graph;
  const ControlInference _inferControl;
  std::string _origin;
  std::vector<OpenNode> _nodes;
  std::vector<OpenValue> _values;
  std::vector<std::unique_ptr<Node>> _owned;
  std::vector<std::unique_ptr<NDArray>> _constants;
  std::unordered_map<std::pair<int, int>, ValueId> _names;
  std::vector<ValueId> _results;
  std::unordered_map<ValueId, std::vector<size_t>> _resultPlaces;  // by value: where it is in _results
  std::vector<std::vector<NodeId>> _readers;
  int _nextNode = 1, _nextVariable = -1;

  void connect(OpenNode& open);
  ValueId variable(const std::pair<int, int>& name);
  ValueId addValue(OpenValue value);
  void addOutput(OpenNode& node, NodeId id, const ops::PartialShape& shape);
  void inferNode(OpenNode& node);
};

}  // namespace sd::graph

#endif
