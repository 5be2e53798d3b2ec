#include <graph/Graph.h>
#include <graph/VariableProxy.h>

#include <algorithm>
#include <unordered_map>

#include "graph/GraphReader.h"
#include "graph/Interpreter.h"
#include "graph/NodeCall.h"
#include "graph/ScopeGraph.h"
#include "system/Error.h"

namespace sd::graph {
namespace {

/// Programs find the variable of a node under its number and name before it has run; it has no array until then.
void declareResult(VariableSpace& space, const Node& node) {
  if (node.id() < 0 || node.isLogic(logic::Scope) || node.isLogic(logic::Return) || node.isLogic(logic::Expose)) return;
  const bool own = space.VariableSpace::hasVariable(node.id(), 0);
  // Nothing behind a proxy is hidden, and a variable that has a name keeps it.
  if (own ? node.getName()->empty() || !space.getVariable(node.id(), 0)->getName()->empty()
          : space.hasVariable(node.id(), 0))
    return;
  space.putVariable(node.id(), 0, new Variable(nullptr, node.getName()->c_str(), node.id(), 0));
}

/// The variables that are not results of nodes.
LongType givenVariables(const Graph& graph) {
  const std::vector<Variable*> all = graph.getVariableSpace()->getVariables();
  return std::count_if(all.begin(), all.end(), [&graph](const Variable* variable) {
    return variable->id() < 0 || !graph.hasNode(variable->id());
  });
}

}  // namespace

Graph::Graph(const FlatGraph* flatGraph, VariableSpace* variableSpace)
    : _variables(variableSpace == nullptr ? new VariableSpace() : variableSpace),
      _configuration(std::make_unique<ExecutorConfiguration>()) {
  if (flatGraph == nullptr) return;
  try {
    readGraph(*flatGraph, *this);
  } catch (...) {
    if (variableSpace == nullptr)
      delete _variables;  // otherwise it is the caller's until the constructor has succeeded
    throw;
  }
}

Graph::~Graph() {
  if (_ownsVariables) delete _variables;
}

// ---- nodes

Node* Graph::find(int id) const {
  const auto found = _known.find(id);
  return found == _known.end() ? nullptr : found->second;
}

void Graph::addNode(Node* node) {
  if (node == nullptr) invalidArgument("[Graph::addNode] the node is null");
  if (node->isScoped()) {
    Scope* scope = hasScope(node->scopeId()) ? scopeById(node->scopeId()) : nullptr;
    if (scope == nullptr)
      invalidArgument("[Graph::addNode] {}: there is no scope {}{}", node->describe(), node->scopeId(),
                      node->scopeName()->empty() ? "" : " '" + *node->scopeName() + "'");
    scope->push_back(node);
    _all.push_back(node);
    _version++;
    return;
  }
  if (find(node->id()) != nullptr)
    invalidArgument("[Graph::addNode] {}: the number is taken by {}", node->describe(), find(node->id())->describe());
  _owned.emplace_back(node);
  _all.push_back(node);
  _known[node->id()] = node;
  _version++;
  declareResult(*_variables, *node);
  if (node->isLogic(logic::Scope)) {
    auto& scope = _mappedScopes[node->id()];
    scope = std::make_unique<Scope>(node->id(), node->getName()->c_str());
    _scopes.push_back(scope.get());
  }
  // The place of an Exit depends on the whole loop. A number without a node may be that of one which is added later,
  // even if there is a variable for its output.
  const bool known = std::all_of(node->inputs().begin(), node->inputs().end(), [this](const auto& input) {
    return input.first < 0 || input.second < 0 || find(input.first) != nullptr;
  });
  // What the nodes of scopes read is known when the graph is built.
  if (node->isLogic(logic::Exit) || !known || !tryLayer(*node) || runsScopes(*this, *node)) _waiting.push_back(node);
}

Status Graph::validate() {
  if (buildGraph() != Status::OK) return Status::VALIDATION;
  for (const Node* node : _all)
    if (!node->hasCustomOp() && !node->isLogic() && !node->hasGraphEmbedded()) return Status::VALIDATION;
  return Status::OK;
}

Node* Graph::nodeById(int id) const {
  Node* node = find(id);
  if (node == nullptr) fail<std::out_of_range>("[Graph::nodeById] there is no node {}", id);
  return node;
}

Scope* Graph::scopeById(int id) const {
  const auto found = _mappedScopes.find(id);
  if (found == _mappedScopes.end()) fail("[Graph::scopeById] there is no scope {}", id);
  return found->second.get();
}

// ---- variables

void Graph::replaceState(VariableSpace* variables, ExecutorConfiguration* configuration) {
  if (variables != nullptr && variables != _variables) {
    if (_ownsVariables) delete _variables;
    _variables = variables;
    _ownsVariables = true;
    _interpreter.reset();
  }
  if (configuration != nullptr && configuration != _configuration.get()) _configuration.reset(configuration);
}

void Graph::pullState(Graph* other) {
  if (other == nullptr || other == this) return;
  for (const Node* node : other->_all)
    if (!node->isScoped() && find(node->id()) != nullptr)
      invalidArgument("[Graph::pullState] {}: the number is taken by {}", node->describe(),
                      find(node->id())->describe());
  addCopies(*other);
  for (const int id : other->_output) addOutput(id);
}

void Graph::clearNodes() {
  _interpreter.reset();
  _all.clear();
  _waiting.clear();
  _ids.clear();
  _mapped.clear();
  _known.clear();
  _onion.clear();
  _layers.clear();
  _scopes.clear();
  _mappedScopes.clear();
  _owned.clear();
  _version++;
}

// ---- the whole

void Graph::copyNodes(const Graph& other) {
  _id = other._id;
  _origin = other._origin;
  _configuration.reset(other._configuration->clone());
  _output = other._output;
  _outputSet.insert(_output.begin(), _output.end());
  addCopies(other);
  if (other.built()) buildGraph();
}

void Graph::addCopies(const Graph& other) {
  for (const Node* node : other._all) {
    std::unique_ptr<Node> copy(node->clone());
    copy->setLayer(-1);
    addNode(copy.get());
    copy.release();
  }
}

Graph* Graph::clone() const {
  auto copy = std::make_unique<Graph>(nullptr, _variables->clone());
  copy->copyNodes(*this);
  return copy.release();
}

Graph* Graph::cloneWithProxy() const {
  auto copy = std::make_unique<Graph>(nullptr, new VariableProxy(_variables));
  copy->copyNodes(*this);
  return copy.release();
}

std::vector<ops::OpDescriptor> Graph::getOperations() const {
  std::vector<ops::OpDescriptor> descriptors;
  for (const Node* node : _all) {
    if (node->hasGraphEmbedded())
      for (ops::OpDescriptor& inner : node->getGraph()->getOperations()) descriptors.push_back(std::move(inner));
    if (node->hasCustomOp()) descriptors.push_back(*node->getCustomOp()->getOpDescriptor());
  }
  return descriptors;
}

void Graph::tagInplaceNodes() {
  buildGraph();
  std::unordered_map<int, int> readers;
  for (const Node* node : _all)
    for (const auto& input : node->inputs())
      if (input != ABSENT_INPUT) readers[input.first]++;
  for (Node* node : _all) {
    if (!node->hasCustomOp() || node->inputs().empty()) continue;
    const int source = node->inputs()[0].first;
    const bool only = source >= 0 && find(source) != nullptr && readers[source] == 1;
    node->markInplace(only && node->getCustomOp()->getOpDescriptor()->allowsInplace());
  }
}

LongType Graph::hashCode() const {
  uint64_t hash = 0x9E3779B97F4A7C15u;
  const auto mix = [&hash](uint64_t value) { hash = (hash ^ value) * 0x9E3779B97F4A7C15u + (hash >> 29); };
  std::vector<const Node*> nodes(_all.begin(), _all.end());
  std::sort(nodes.begin(), nodes.end(), [](const Node* a, const Node* b) { return a->id() < b->id(); });
  for (const Node* node : nodes) {
    mix(static_cast<uint64_t>(node->id()));
    mix(static_cast<uint64_t>(node->opType()));
    mix(static_cast<uint64_t>(node->opNum()));
    for (const auto& [id, index] : node->inputs()) {
      mix(static_cast<uint64_t>(id));
      mix(static_cast<uint64_t>(index));
    }
    if (node->hasBlockAttached()) mix(node->getContextPrototype()->argumentsHash());
    if (node->hasGraphEmbedded()) mix(static_cast<uint64_t>(node->getGraph()->hashCode()));
  }
  return static_cast<LongType>(hash);
}

std::string Graph::text() const {
  std::string text = fmt::format("graph{}: {} nodes, {} variables\n", _origin.empty() ? "" : " " + _origin, _all.size(),
                                 givenVariables(*this));
  const auto list = [&text](const Node& node) {
    text += "  " + node.describe() + " <-";
    for (const auto& [id, index] : node.inputs())
      text += index == 0 || id < 0 ? fmt::format(" {}", id) : fmt::format(" {}:{}", id, index);
    text += "\n";
  };
  for (size_t i = 0; i < _layers.size(); i++) {
    text += fmt::format("layer {}\n", i);
    for (const Node* node : _layers[i]) list(*node);
  }
  if (!_waiting.empty()) text += "without a layer\n";
  for (const Node* node : _waiting) list(*node);
  for (const Scope* scope : _scopes) {
    text += fmt::format("scope {}{}\n", scope->id(), scope->name().empty() ? "" : " '" + scope->name() + "'");
    for (const Node* node : scope->nodes()) list(*node);
  }
  return text;
}

void Graph::printOut() const { fmt::print("{}", text()); }

}  // namespace sd::graph
