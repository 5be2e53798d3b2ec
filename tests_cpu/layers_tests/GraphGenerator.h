// Random graphs made from the registry of operations, with the values that their nodes must have.
#ifndef NDFORGE_TESTS_GRAPHGENERATOR_H
#define NDFORGE_TESTS_GRAPHGENERATOR_H

#include <array/NDArray.h>
#include <graph/Graph.h>
#include <ops/declarable/DeclarableOp.h>

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace sd::graphtest {

using ArrayPtr = std::shared_ptr<NDArray>;
/// A value of a graph: the number of a node or variable, and the index of the output.
using Place = std::pair<int, int>;
/// Stands for an optional input that is left out.
inline constexpr Place ABSENT{0, -1};

/// An operation with its arguments.
struct GeneratedCall {
  ops::DeclarableOp* op = nullptr;
  graph::OpType type = graph::OpType_CUSTOM;
  int number = 0;  ///< of a numbered operation
  std::vector<std::pair<std::string, ops::ArgumentValue>> named{};
  std::vector<double> floats{};
  std::vector<LongType> integers{};
  std::vector<int> axes{};         ///< of numbered operations: the node's dimensions
  std::optional<double> scalar{};  ///< of numbered operations: the node's scalar

  bool addsInPlace = false;  ///< in place, the operation computes something else

  const std::string& name() const { return op->getOpDescriptor()->name(); }
  /// Sets the arguments of a call.
  void fill(graph::Context& block) const;
  /// The results of a call of its own. @throws what the operation throws, std::runtime_error for a status
  std::vector<ArrayPtr> evaluate(const std::vector<NDArray*>& inputs) const;
  /// Types and shapes of the results by inference alone; empty when nothing is known.
  std::vector<ops::PartialShape> infer(const std::vector<NDArray*>& inputs) const;
};

struct GeneratedNode {
  int id = 0;
  GeneratedCall call;
  std::vector<Place> inputs;
  std::vector<ArrayPtr> values;  ///< of inputs; null where one is left out
};

struct GeneratedGraph {
  uint64_t seed = 0;
  std::string description;                ///< one line for messages
  std::map<std::string, ArrayPtr> feeds;  ///< of the placeholders, by name
  std::map<Place, ArrayPtr> expected;     ///< the values of nodes and written variables that stay after an execution
  std::vector<int> results;               ///< numbers of the results
  std::vector<GeneratedNode> nodes;       ///< the calls, in an order in which they can run; not those of scopes
  std::unique_ptr<graph::Graph> graph;    ///< destroyed first: its placeholders refer to the feeds

  /// Sets the placeholders. The arrays stay here.
  void feed(graph::VariableSpace& variables) const;
};

/// A valid graph of 1 to about 40 nodes. Equal seeds give equal graphs.
GeneratedGraph generateGraph(uint64_t seed);
/// A graph with a While, a Conditional, a Switch and its Merge, or a loop of frames among other nodes.
GeneratedGraph generateControlGraph(uint64_t seed);

/// Whether types, shapes and bits of all elements are equal; a NaN equals every other NaN.
bool sameBits(const NDArray& a, const NDArray& b);
/// Where values of the graph differ from those expected; empty when all are equal.
std::string differences(const GeneratedGraph& generated, const graph::VariableSpace& variables);

}  // namespace sd::graphtest

#endif
