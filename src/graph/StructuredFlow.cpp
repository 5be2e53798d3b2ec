#include "graph/StructuredFlow.h"

#include <exceptions/graph_exception.h>
#include <graph/VariableProxy.h>
#include <ops/declarable/OpRegistrator.h>

#include <algorithm>

#include "call/argument_values.h"
#include "graph/NodeCall.h"
#include "graph/OpenGraph.h"
#include "graph/StructuredFlowParts.h"

namespace sd::graph {
namespace structured {

Structure::Structure(const Graph& graph, const std::vector<Name>& results) : _graph(graph) {
  for (const auto& layer : graph.layers())
    for (const Node* each : layer) {
      if (each->isLogic(logic::Scope)) {
        _scopes[each->id()];
        _nextId = std::max(_nextId, each->id() + 1);
        continue;
      }
      _top.push_back(each->id());
      _nodes[each->id()].reset(each->clone());
    }
  for (const Node* each : graph.allNodes()) {
    _nextId = std::max(_nextId, each->id() + 1);
    if (each->isScoped()) _scopes[each->scopeId()].emplace_back(each->clone());
  }
  for (const Name& result : results) _results.insert(result.first);
}

bool Structure::isLoopMerge(const Node& merge) const {
  if (!merge.isLogic(logic::Merge) || merge.inputs().size() != 2) return false;
  const auto end = _nodes.find(merge.inputs()[1].first);
  return end != _nodes.end() && end->second->isLogic(logic::NextIteration);
}

void Structure::addReads(const Node& reader, std::vector<Name>& names, std::unordered_set<int>& made) const {
  for (const Name& input : reader.inputs()) {
    const auto scope = reader.isLogic() ? _scopes.find(input.first) : _scopes.end();
    if (scope == _scopes.end()) {
      const Name name = resolved(input);
      if (input != ABSENT_INPUT && made.count(name.first) == 0) names.push_back(name);
      continue;
    }
    for (const auto& inner : scope->second) made.insert(inner->id());
    for (const auto& inner : scope->second) addReads(*inner, names, made);
  }
}

/// Inputs, and what the nodes in its scopes read from outside.
std::vector<Name> Structure::readsOf(const Node& reader) const {
  std::vector<Name> names;
  std::unordered_set<int> made{reader.id()};
  addReads(reader, names, made);
  return names;
}

/// Whether it makes no difference how often it runs, and where.
bool Structure::isMovable(const Node& each) const {
  for (const Name& output : each.outputs())
    if (output.first < 0) return false;
  if (each.hasGraphEmbedded() || _results.count(each.id()) != 0) return false;
  if (!each.isLogic()) return isPure(each);
  if (each.isLogic(logic::Scope) || each.isLogic(logic::Expose)) return false;
  for (const Name& input : each.inputs()) {
    const auto scope = _scopes.find(input.first);
    if (scope == _scopes.end()) continue;
    for (const auto& inner : scope->second)
      if (!inner->isLogic(logic::Return) && !isMovable(*inner)) return false;
  }
  return true;
}

Name Structure::resolved(Name name) const {
  for (auto next = _renamed.find(name); next != _renamed.end(); next = _renamed.find(name)) name = next->second;
  return name;
}

// ---- making nodes

/// Takes the place of a node with the same number.
int Structure::addIdentity(const Node& like, const Name& input) {
  const int id = like.id();
  auto made = std::make_unique<Node>(ops::OpRegistrator::getInstance().find("identity"), id);
  made->setName(*like.getName());
  for (const Name& output : like.outputs()) made->pickOutput(output.first, output.second);
  made->setInputs({input});
  _nodes[id] = std::move(made);
  return id;
}

/// A scope that gives whether the first element of the condition is not 0.
void Structure::addTest(int scope, const Name& condition) {
  auto made = std::make_unique<Node>(ops::OpRegistrator::getInstance().find("cast"), _nextId++);
  made->setInputs({condition});
  made->setArgument("dtype", ops::typeArgument(BOOL));
  made->setScopeInfo(scope);
  _scopes[scope].push_back(std::move(made));
}

void Structure::addReturn(int scope, int target, const std::vector<Name>& values) {
  auto made = std::make_unique<Node>(OpType_LOGIC, static_cast<int>(logic::Return), _nextId++);
  made->setInputs(values);
  for (size_t e = 0; e < values.size(); e++) made->pickOutput(target, static_cast<int>(e));
  made->setScopeInfo(scope);
  _scopes[scope].push_back(std::move(made));
}

void Structure::addClones(int scope, const Ids& ids) {
  auto& nodes = _scopes[scope];
  for (const int id : ids) {
    nodes.emplace_back(node(id).clone());
    nodes.back()->setScopeInfo(scope);
  }
}

// ---- the whole

std::unique_ptr<Graph> Structure::build() {
  convertLoops();
  std::vector<Name> roots;
  for (const int result : _results)
    if (_nodes.count(result) != 0) roots.emplace_back(result, 0);
  convertConditions(_top, roots);
  const std::unordered_set<int> left(_top.begin(), _top.end());
  for (const int result : _results) require(result < 0 || !_graph.hasNode(result) || left.count(result) != 0);

  auto graph = std::make_unique<Graph>(nullptr, new VariableProxy(_graph.getVariableSpace()));
  graph->setOrigin(_graph.origin());
  graph->setId(_graph.id());
  const auto rename = [this](Node& each) {
    std::vector<Name> inputs = each.inputs();
    for (Name& input : inputs)
      if (input != ABSENT_INPUT) input = resolved(input);
    each.setInputs(std::move(inputs));
    each.setLayer(-1);
  };
  for (const auto& [id, nodes] : _scopes) {
    auto opened = std::make_unique<Node>(OpType_LOGIC, static_cast<int>(logic::Scope), id);
    if (_graph.hasScope(id)) opened->setName(_graph.scopeById(id)->name());
    graph->addNode(opened.release());
  }
  const auto add = [&](std::unique_ptr<Node>& each) {
    rename(*each);
    graph->addNode(each.get());
    each.release();
  };
  for (const int id : _top) add(_nodes.at(id));
  for (auto& scope : _scopes)
    for (auto& each : scope.second) add(each);
  graph->buildGraph();
  return graph;
}

}  // namespace structured

std::unique_ptr<Graph> structuredFlow(const Graph& graph, const std::vector<std::pair<int, int>>& results) {
  try {
    return structured::Structure(graph, results).build();
  } catch (const structured::NoMatch&) {
    return nullptr;
  } catch (const graph_exception&) {
    return nullptr;  // nodes of one condition need each other's results
  }
}

}  // namespace sd::graph
