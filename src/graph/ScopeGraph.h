// Scopes as graphs of their own, which plans can run.
#ifndef NDFORGE_SRC_GRAPH_SCOPEGRAPH_H
#define NDFORGE_SRC_GRAPH_SCOPEGRAPH_H

#include <graph/Graph.h>

#include <memory>
#include <utility>
#include <vector>

namespace sd::graph {

/// Whether the node runs scopes, whose nodes may be added after it.
bool runsScopes(const Graph& graph, const Node& node);

/// The names that the nodes of these scopes, which `node` runs, read from outside: neither values of `node` nor of
/// other nodes in the scopes. Scopes within the scopes count too.
std::vector<std::pair<int, int>> readsOfScopes(const Graph& graph, const Node& node, const std::vector<int>& scopes);

/// A scope as a graph. Names are kept: what comes from outside is a placeholder with the same name.
struct ScopeGraph {
  std::unique_ptr<Graph> graph;
  std::vector<std::pair<int, int>> inputs;   ///< the placeholders
  std::vector<std::pair<int, int>> results;  ///< what the Return at its end gives, else every output of the last node
  std::vector<std::pair<int, int>> targets;  ///< of a Return: where the results go, one for each
  bool returns = false;
};
ScopeGraph graphOfScope(const Graph& graph, const Node& node, int scope);

}  // namespace sd::graph

#endif
