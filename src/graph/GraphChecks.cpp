#include "graph/GraphChecks.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "graph/GraphFile.h"
#include "graph/NodeCall.h"
#include "system/Error.h"

namespace sd::graph {
namespace {

// Executions and compilations descend into scopes by recursion.
constexpr int DEEPEST_SCOPE = 32;
// Nodes of scopes, counted once for each chain of nodes that runs them.
constexpr LongType MOST_SCOPED_NODES = 1000000;

class ScopeCheck {
 public:
  explicit ScopeCheck(const Graph& graph) : _graph(graph) {}

  void run() {
    for (const Node* node : _graph.allNodes())
      if (node->isLogic() && !node->isScoped()) under(*node, 0);
  }

 private:
  /// What a node or a scope runs.
  struct Contents {
    LongType nodes = 0;
    int levels = 0;
  };
  const Graph& _graph;
  std::unordered_map<int, Contents> _known;
  std::unordered_set<int> _open;

  /// `depth`: how many scopes are around the node.
  Contents under(const Node& node, int depth) {
    Contents contents{1, 0};
    if (!node.isLogic()) return contents;
    for (const auto& input : node.inputs()) {
      if (!_graph.hasScope(input.first)) continue;
      const Contents inner = in(input.first, depth + 1);
      contents.nodes += inner.nodes;
      contents.levels = std::max(contents.levels, inner.levels);
    }
    if (contents.nodes > MOST_SCOPED_NODES)
      reject(node, "the scopes under it run more than {} nodes", MOST_SCOPED_NODES);
    return contents;
  }

  Contents in(int scope, int depth) {
    const std::vector<Node*>& nodes = *_graph.scopeById(scope)->nodes();
    if (nodes.empty()) return {0, 1};
    const auto known = _known.find(scope);
    const int deepest = depth + (known == _known.end() ? 0 : known->second.levels - 1);
    if (deepest > DEEPEST_SCOPE) reject(*nodes[0], "scopes run each other more than {} levels deep", DEEPEST_SCOPE);
    if (known != _known.end()) return known->second;
    if (!_open.insert(scope).second) reject(*nodes[0], "scope {} runs itself", scope);
    Contents contents{0, 1};
    for (const Node* node : nodes) {
      const Contents inner = under(*node, depth);
      contents.nodes += inner.nodes;
      contents.levels = std::max(contents.levels, inner.levels + 1);
      if (contents.nodes > MOST_SCOPED_NODES)
        reject(*node, "scope {} runs more than {} nodes", scope, MOST_SCOPED_NODES);
    }
    _open.erase(scope);
    return _known[scope] = contents;
  }
  template <typename... Args>
  [[noreturn]] void reject(const Node& node, fmt::format_string<Args...> text, Args&&... args) const {
    throw graph_exception(placeOf(_graph.origin(), node) + ": " + fmt::format(text, std::forward<Args>(args)...),
                          _graph.id());
  }
};

}  // namespace

void checkNumbers(const std::vector<std::unique_ptr<Node>>& nodes, const std::string& origin) {
  std::unordered_map<int, const Node*> known;
  size_t inputs = 0;
  for (const auto& node : nodes) {
    if (node->id() < 0 || node->id() > LARGEST_NUMBER)
      fail("{}: its number is outside 0..{}", placeOf(origin, *node), LARGEST_NUMBER);
    const auto [taken, isNew] = known.emplace(node->id(), node.get());
    if (!isNew) fail("{}: the number is taken by {}", placeOf(origin, *node), taken->second->describe());
    inputs += node->inputs().size();
  }
  // Whoever compiles the graph makes values for all outputs up to the highest that is read.
  std::unordered_map<int, int> highest;
  size_t outputs = 0;
  const size_t most = 4096 + 16 * inputs;
  for (const auto& node : nodes) {
    for (const auto& [id, index] : node->inputs()) {
      if (id < 0 || (id == ABSENT_INPUT.first && index == ABSENT_INPUT.second)) continue;
      if (index < 0) fail("{}: it reads output {} of node {}", placeOf(origin, *node), index, id);
      int& last = highest[id];
      if (index <= last) continue;
      outputs += static_cast<size_t>(index - last);
      last = index;
      if (outputs > most)
        fail("{}: it reads output {} of node {}, more than a graph of {} inputs can need", placeOf(origin, *node),
             index, id, inputs);
    }
    for (const auto& output : node->outputs())
      if (output.first < -LARGEST_NUMBER)
        fail("{}: its output {} is below -{}", placeOf(origin, *node), output.first, LARGEST_NUMBER);
  }
}

void checkNesting(const Graph& graph) { ScopeCheck(graph).run(); }

void checkScopes(const Graph& graph) {
  std::unordered_set<int> ids;
  for (const Node* node : graph.allNodes()) ids.insert(node->id());
  for (const Node* node : graph.allNodes())
    for (size_t i = 0; i < node->inputs().size(); i++) {
      const auto& input = node->inputs()[i];
      if (input == ABSENT_INPUT || graph.getVariableSpace()->hasVariable(input)) continue;
      if (input.first < 0 || ids.count(input.first) == 0) throw unresolvedInput(graph.origin(), graph.id(), *node, i);
    }
  checkNesting(graph);
}

}  // namespace sd::graph
