#include "graph/ControlChanges.h"

#include <algorithm>

#include "graph/LoopNode.h"
#include "graph/NodeCall.h"

namespace sd::graph {

void ControlChanges::addScope(int id) {
  _scopes.push_back(id);
  _nodes[id];
}

void ControlChanges::addNode(int scope, std::unique_ptr<Node> node) {
  node->setScopeInfo(scope);
  node->setLayer(-1);
  _nodes[scope].push_back(std::move(node));
}

void ControlChanges::addReturn(int scope, int number, const std::vector<Name>& values, int target) {
  auto node = std::make_unique<Node>(OpType_LOGIC, static_cast<int>(logic::Return), number);
  node->setInputs(values);
  for (size_t e = 0; e < values.size(); e++) node->pickOutput(target, static_cast<int>(e));
  addNode(scope, std::move(node));
}

void ControlChanges::findScopes(const Node& node, std::unordered_set<int>& scopes) const {
  if (!node.isLogic()) return;
  for (const Name& input : node.inputs()) {
    const auto found = _nodes.find(input.first);
    if (found == _nodes.end() || !scopes.insert(input.first).second) continue;
    for (const auto& inner : found->second) findScopes(*inner, scopes);
  }
}

std::vector<ControlChanges::Name> ControlChanges::readsOf(const std::vector<int>& scopes, int owner) const {
  std::unordered_set<int> all, made{owner};
  for (const int scope : scopes) {
    all.insert(scope);
    for (const auto& node : _nodes.at(scope)) findScopes(*node, all);
  }
  for (const int scope : all)
    for (const auto& node : _nodes.at(scope)) made.insert(node->id());
  std::vector<Name> names;
  for (const int scope : _scopes) {
    if (all.count(scope) == 0) continue;
    for (const auto& node : _nodes.at(scope))
      for (const Name& input : node->inputs()) {
        const bool isScope = node->isLogic() && _nodes.count(input.first) != 0;
        if (input == ABSENT_INPUT || isScope || made.count(input.first) != 0) continue;
        if (std::find(names.begin(), names.end(), input) == names.end()) names.push_back(input);
      }
  }
  return names;
}

void ControlChanges::rename(const Node& node, const std::map<Name, Name>& names) {
  std::unordered_set<int> scopes;
  findScopes(node, scopes);
  for (const int scope : scopes)
    for (const auto& inner : _nodes.at(scope)) {
      std::vector<Name> inputs = inner->inputs();
      for (Name& input : inputs)
        if (const auto found = names.find(input); found != names.end()) input = found->second;
      inner->setInputs(std::move(inputs));
    }
}

size_t ControlChanges::keep(const Node& loop, const Name& value) {
  std::vector<Name>& kept = _kept.try_emplace(loop.id(), keptBy(loop)).first->second;
  const auto found = std::find(kept.begin(), kept.end(), value);
  const auto column = static_cast<size_t>(found - kept.begin());
  if (found == kept.end()) kept.push_back(value);
  return column;
}

void ControlChanges::addScopes(Graph& graph, const std::vector<const Node*>& added) const {
  for (const auto& [name, array] : _constants) {
    auto variable = std::make_unique<Variable>(new NDArray(*array), nullptr, name.first, 0);
    variable->setVariableType(CONSTANT);
    graph.getVariableSpace()->putVariable(name.first, variable.release());
  }
  std::unordered_set<int> needed;
  for (const Node* node : added) findScopes(*node, needed);
  for (const int scope : _scopes)
    if (needed.count(scope) != 0) graph.addNode(new Node(OpType_LOGIC, static_cast<int>(logic::Scope), scope));
  for (const int scope : _scopes)
    if (needed.count(scope) != 0)
      for (const auto& node : _nodes.at(scope)) graph.addNode(node->clone());
}

void ControlChanges::changeNodes(Graph& graph) const {
  for (Node* node : *graph.getAllNodes())
    if (const auto kept = _kept.find(node->id()); kept != _kept.end()) setKept(*node, kept->second);
  for (const auto& [scope, node] : _returns) {
    if (!graph.hasScope(scope)) continue;
    std::vector<Node*>& nodes = *graph.scopeById(scope)->nodes();
    if (nodes.empty() || !nodes.back()->isLogic(logic::Return)) {
      std::unique_ptr<Node> added(node->clone());
      added->setScopeInfo(scope);
      graph.addNode(added.release());
      continue;
    }
    nodes.back()->setInputs(node->inputs());
    *nodes.back()->output() = node->outputs();
  }
}

}  // namespace sd::graph
