#include "graph/ScopeGraph.h"

#include <algorithm>
#include <unordered_set>

#include "graph/NodeCall.h"

namespace sd::graph {
namespace {

using Name = std::pair<int, int>;

/// The scopes that the nodes of a scope run, and those within them.
void addScopes(const Graph& graph, int id, std::vector<int>& scopes) {
  if (!graph.hasScope(id) || std::find(scopes.begin(), scopes.end(), id) != scopes.end()) return;
  scopes.push_back(id);
  for (const Node* node : *graph.scopeById(id)->nodes()) {
    if (!node->isLogic()) continue;
    for (const auto& input : node->inputs()) addScopes(graph, input.first, scopes);
  }
}

}  // namespace

bool runsScopes(const Graph& graph, const Node& node) {
  return node.isLogic() && std::any_of(node.inputs().begin(), node.inputs().end(),
                                       [&graph](const auto& input) { return graph.hasScope(input.first); });
}

std::vector<Name> readsOfScopes(const Graph& graph, const Node& node, const std::vector<int>& scopes) {
  std::vector<int> all;
  for (const int id : scopes) addScopes(graph, id, all);
  std::unordered_set<int> made{node.id()};
  for (const int id : all)
    for (const Node* inner : *graph.scopeById(id)->nodes()) made.insert(inner->id());
  std::vector<Name> names;
  std::unordered_set<Name> seen;
  for (const int id : all)
    for (const Node* inner : *graph.scopeById(id)->nodes())
      for (const Name& input : inner->inputs()) {
        if (input == ABSENT_INPUT || made.count(input.first) != 0) continue;
        if (inner->isLogic() && graph.hasScope(input.first)) continue;
        if (seen.insert(input).second) names.push_back(input);
      }
  return names;
}

ScopeGraph graphOfScope(const Graph& graph, const Node& node, int scope) {
  ScopeGraph result;
  result.graph = std::make_unique<Graph>();
  Graph& inner = *result.graph;
  inner.setOrigin(graph.origin());
  inner.setId(graph.id());
  const std::vector<Node*>& nodes = *graph.scopeById(scope)->nodes();
  result.returns = !nodes.empty() && nodes.back()->isLogic(logic::Return);

  std::vector<int> scopes;
  addScopes(graph, scope, scopes);
  std::unordered_set<int> made;
  for (const Node* each : nodes) made.insert(each->id());
  std::unordered_set<Name> taken;
  const auto feed = [&](const Name& name) {
    if (!taken.insert(name).second) return;
    const VariableSpace& outer = *graph.getVariableSpace();
    const bool computed = name.first >= 0 && (graph.hasNode(name.first) || name.first == node.id());
    auto variable = std::make_unique<Variable>(true);
    if (!computed && outer.hasVariable(name)) {
      const Variable& source = *outer.getVariable(name);
      variable->setName(source.getName());
      if (source.variableType() == CONSTANT && source.hasNDArray()) {
        // Constants of the outer graph are constants here.
        variable = std::make_unique<Variable>(source.getNDArray(), source.getName()->c_str(), name.first, name.second);
        variable->markRemovable(false);
        variable->setVariableType(CONSTANT);
        inner.getVariableSpace()->putVariable(name, variable.release());
        return;
      }
    }
    inner.getVariableSpace()->putVariable(name, variable.release());
    result.inputs.push_back(name);
  };
  for (const Name& name : readsOfScopes(graph, node, {scope})) feed(name);
  for (const int id : scopes)
    for (const Node* each : *graph.scopeById(id)->nodes())
      for (const Name& input : each->inputs())
        if (input.first == node.id()) feed(input);

  for (const int id : scopes) {
    if (id == scope) continue;
    auto opened = std::make_unique<Node>(OpType_LOGIC, static_cast<int>(logic::Scope), id);
    opened->setName(graph.scopeById(id)->name());
    inner.addNode(opened.release());
    for (const Node* each : *graph.scopeById(id)->nodes()) inner.addNode(each->clone());
  }
  for (const Node* each : nodes) {
    if (each == nodes.back() && result.returns) {
      for (size_t e = 0; e < each->inputs().size(); e++) {
        result.results.push_back(each->inputs()[e]);
        result.targets.emplace_back(e < each->outputs().size() ? each->outputs()[e].first : 0, static_cast<int>(e));
      }
      break;
    }
    // The clone is in the scope too; it is added as a node of the graph.
    std::unique_ptr<Node> copy(each->clone());
    copy->leaveScope();
    copy->setLayer(-1);
    inner.addNode(copy.release());
  }
  if (!result.returns && !nodes.empty()) result.results.emplace_back(nodes.back()->id(), -1);
  inner.buildGraph();
  return result;
}

}  // namespace sd::graph
