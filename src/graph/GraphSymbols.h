// The symbols of a graph: what is known of its values, and calls that add nodes.
#ifndef NDFORGE_SRC_GRAPH_GRAPHSYMBOLS_H
#define NDFORGE_SRC_GRAPH_GRAPHSYMBOLS_H

#include <graph/Graph.h>
#include <symbol/Symbol.h>

#include <memory>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace sd::graph {

class GraphSymbols final : public nd::SymbolScope {
 public:
  explicit GraphSymbols(Graph& graph) : _graph(graph) {}

  Graph& graph() const { return _graph; }

  using nd::SymbolScope::callAll;
  std::vector<nd::Symbol> callAll(const std::string& operation, const std::vector<nd::Symbol>& inputs,
                                  const ops::CallArguments& arguments) override;
  ops::PartialShape shape(nd::Symbol value) const override;
  nd::Symbol constant(double value, nd::Symbol like) override;
  nd::Symbol constant(const NDArray& array) override;
  nd::Symbol cast(nd::Symbol x, DataType type) override;
  std::string name(nd::Symbol value) const override;
  void setName(nd::Symbol value, const std::string& name) override;
  std::string text(nd::Symbol value) const override;

  /// A variable from outside the graph, of which the graph takes ownership; the name may be empty.
  /// @throws std::invalid_argument when the name is taken
  nd::Symbol add(std::unique_ptr<Variable> variable, nd::Place place);
  /// Adds a node.
  std::vector<nd::Symbol> add(std::unique_ptr<Node> node);
  void comeFrom(nd::Place place) override { _place = place; }
  nd::Symbol callWithNumber(const char* numbered, nd::Symbol x, double number) override;

  /// The keys of marked values.
  const std::vector<std::string>& checkpoints() const { return _checkpoints; }
  void addCheckpoint(const nd::Symbol& value);

 private:
  using Name = std::pair<int, int>;

  Graph& _graph;
  nd::Place _place{nullptr, 0};  // of the next call
  int _nextNode = 1;
  size_t _nodesSeen = 0;
  mutable std::unordered_map<int, std::vector<ops::PartialShape>> _shapes;  // of the outputs of nodes
  std::unordered_map<int, nd::Place> _places;                               // of nodes and variables
  std::unordered_map<std::string, int> _numbers;                            // constants, by type and value

  std::vector<std::string> _checkpoints;

  int nextNode();
  Variable* variable(const Name& name) const;
  void know(int node) const;
  ops::PartialShape shapeOf(const Name& name) const;
  std::vector<ops::PartialShape> infer(const Node& node) const;
  void checkName(const std::string& name) const;
  std::string describe(const Name& name) const;
  std::string placeText(int id) const;
  std::string callText(const Node& node) const;
};

/// The value of this name or number, its first output if none is named. `caller` is who looks for it, for errors.
/// @throws std::invalid_argument when there is none
nd::Symbol findSymbol(Graph& graph, const std::string& name, const char* caller);

/// The expression of a value: "relu(matmul(x, w) + b)". Values with names are not taken apart, the value itself apart.
/// What occurs more than once has a line of its own before it.
std::string expressionText(const Graph& graph, const std::pair<int, int>& value);

}  // namespace sd::graph

#endif
