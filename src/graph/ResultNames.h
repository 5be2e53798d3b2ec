// What results and inputs of graphs are called.
#ifndef NDFORGE_SRC_GRAPH_RESULTNAMES_H
#define NDFORGE_SRC_GRAPH_RESULTNAMES_H

#include <graph/Graph.h>

#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace sd::graph {

/// "7" and "7:1" as numbers. False for other texts.
bool readNumbers(const std::string& text, int& id, int& index);

/// "; did you mean 'logits'?", or nothing when no name is near.
std::string nearestText(const std::string& name, const std::vector<std::string_view>& names);

/// Finds what results are called: nodes that are in no scope, variables, and numbers.
class ResultNames {
 public:
  /// `caller` is who looks for them, for errors. The graph must outlive this and keep its nodes.
  ResultNames(const Graph& graph, const char* caller);

  /// The node and the output, -1 for all of them; or the variable.
  /// @throws std::invalid_argument when there is none
  std::pair<int, int> find(const std::string& text) const;

 private:
  const Graph& _graph;
  VariableSpace& _space;
  const char* _caller;
  std::unordered_map<std::string_view, int> _nodes;  // of equal names the first

  std::vector<std::string_view> names() const;
};

}  // namespace sd::graph

#endif
