#include <graph/Graph.h>
#include <graph/VariableProxy.h>
#include <graph/exceptions/unresolved_input_exception.h>

#include <algorithm>
#include <unordered_set>

#include "graph/GraphFile.h"
#include "graph/GraphReader.h"
#include "graph/Interpreter.h"
#include "graph/NodeCall.h"
#include "graph/ScopeGraph.h"
#include "system/Error.h"

namespace sd::graph {
namespace {

/// The input of a Merge that comes from the end of a loop: no node waits for it.
bool closesLoop(const Node& reader, const Node* writer) {
  return reader.isLogic(logic::Merge) && writer != nullptr && writer->isLogic(logic::NextIteration);
}

/// Whether the node runs scopes, whose nodes may be added after it.
bool runsScopes(const Graph& graph, const Node& node) {
  return node.isLogic() && std::any_of(node.inputs().begin(), node.inputs().end(),
                                       [&graph](const auto& input) { return graph.hasScope(input.first); });
}

/// The values for which a node waits: its inputs, and what the scopes that it runs read of other nodes.
std::vector<std::pair<int, int>> neededBy(const Graph& graph, const Node& node) {
  std::vector<std::pair<int, int>> names = node.inputs();
  if (!runsScopes(graph, node)) return names;
  std::vector<int> scopes;
  for (const auto& input : node.inputs())
    if (graph.hasScope(input.first)) scopes.push_back(input.first);
  for (const auto& name : readsOfScopes(graph, node, scopes))
    if (graph.hasNode(name.first)) names.push_back(name);  // others are variables, or errors of the scope
  return names;
}

/// Logic nodes that have no results of their own.
bool hasResults(const Node& node) {
  if (!node.isLogic()) return true;
  switch (node.opNum()) {
    case logic::Scope:
    case logic::Return:
    case logic::Expose:
    case logic::NextIteration:
    case logic::LoopCond:
      return false;
    default:
      return true;
  }
}

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

bool Graph::tryLayer(Node& node) {
  int layer = 0;
  for (const auto& [id, index] : neededBy(*this, node)) {
    if (id < 0 || index < 0) continue;
    const Node* writer = find(id);
    if (closesLoop(node, writer)) continue;
    if (writer == nullptr) {
      if (_variables->hasVariable(id, index)) continue;
      return false;
    }
    if (writer->getLayer() < 0 || _mapped.count(id) == 0) return false;
    layer = std::max(layer, writer->getLayer() + 1);
  }
  // A loop goes back to its start when its Exit is reached, so everything else in it comes first.
  if (node.isLogic(logic::Exit)) {
    const LoopEnds& ends = _loopEnds[node.getFrameId()];
    if (ends.missing > 0) return false;
    layer = std::max(layer, ends.layer + 1);
  }
  place(node, layer);
  return true;
}

std::unordered_set<const Node*> Graph::findFrames() {
  const auto writerOf = [this](const Node* node, size_t input) -> Node* {
    return node == nullptr || input >= node->inputs().size() ? nullptr : find(node->inputs()[input].first);
  };
  std::unordered_set<const Node*> ends;
  for (Node* merge : _all) {
    Node* end = merge->isLogic(logic::Merge) ? writerOf(merge, 1) : nullptr;
    if (end == nullptr || !end->isLogic(logic::NextIteration)) continue;
    const Node* enter = writerOf(merge, 0);
    if (enter != nullptr && enter->isLogic(logic::Enter)) merge->setFrameId(enter->getFrameId());
    end->setFrameId(merge->getFrameId());
    ends.insert(end);
  }
  for (Node* exit : _all) {
    if (!exit->isLogic(logic::Exit)) continue;
    const Node* merge = writerOf(writerOf(exit, 0), 0);
    if (merge != nullptr && merge->isLogic(logic::Merge)) exit->setFrameId(merge->getFrameId());
  }
  _loopEnds.clear();
  for (const Node* end : ends) {
    LoopEnds& loop = _loopEnds[end->getFrameId()];
    if (_mapped.count(end->id()) == 0)
      loop.missing++;
    else
      loop.layer = std::max(loop.layer, end->getLayer());
  }
  return ends;
}

void Graph::place(Node& node, int layer) {
  node.setLayer(layer);
  while (_layers.size() <= static_cast<size_t>(layer)) {
    _layers.emplace_back();
    _onion[static_cast<int>(_layers.size()) - 1] = &_layers.back();
  }
  _layers[static_cast<size_t>(layer)].push_back(&node);
  _mapped[node.id()] = &node;
  _ids.push_back(node.id());
}

void Graph::placeWaiting() {
  if (_waiting.empty()) return;
  const auto isTooEarly = [this](const Node* node) {
    if (_mapped.count(node->id()) == 0) return false;
    for (const auto& [id, index] : neededBy(*this, *node)) {
      const Node* writer = id < 0 || index < 0 ? nullptr : find(id);
      if (writer == nullptr || closesLoop(*node, writer)) continue;
      if (_mapped.count(id) == 0 || writer->getLayer() >= node->getLayer()) return true;
    }
    return false;
  };
  if (std::any_of(_waiting.begin(), _waiting.end(), isTooEarly)) {
    // Nodes that read its results are too early as well: all get new layers.
    _layers.clear();
    _onion.clear();
    _mapped.clear();
    _ids.clear();
    _waiting.clear();
    for (Node* node : _all) {
      if (node->isScoped()) continue;
      node->setLayer(-1);
      _waiting.push_back(node);
    }
  }
  std::erase_if(_waiting, [this](const Node* node) { return _mapped.count(node->id()) != 0; });
  if (_waiting.empty()) return;
  const std::unordered_set<const Node*> ends = findFrames();
  // A waiting node gets its layer when nothing that it waits for is missing any more.
  std::unordered_map<int, std::vector<Node*>> readers;
  std::unordered_map<LongType, std::vector<Node*>> exits;
  std::unordered_map<const Node*, size_t> missing;
  std::vector<Node*> ready;
  for (Node* node : _waiting) {
    size_t& count = missing[node];
    for (const auto& [id, index] : neededBy(*this, *node)) {
      const Node* writer = find(id);
      if (id < 0 || index < 0 || closesLoop(*node, writer) || _mapped.count(id) != 0) continue;
      if (writer == nullptr && _variables->hasVariable(id, index)) continue;
      count++;
      readers[id].push_back(node);
    }
    if (node->isLogic(logic::Exit) && _loopEnds[node->getFrameId()].missing > 0) {
      count++;
      exits[node->getFrameId()].push_back(node);
    }
    if (count == 0) ready.push_back(node);
  }
  const auto release = [&](const std::vector<Node*>& nodes) {
    for (Node* node : nodes)
      if (--missing[node] == 0) ready.push_back(node);
  };
  while (!ready.empty()) {
    Node* node = ready.back();
    ready.pop_back();
    if (!tryLayer(*node)) continue;
    release(readers[node->id()]);
    if (ends.count(node) == 0) continue;
    LoopEnds& loop = _loopEnds[node->getFrameId()];
    loop.layer = std::max(loop.layer, node->getLayer());
    if (--loop.missing == 0) release(exits[node->getFrameId()]);
  }
  std::erase_if(_waiting, [this](const Node* node) { return _mapped.count(node->id()) != 0; });
  // Nodes of a layer are in the order of addition, whenever they got their layers.
  std::unordered_map<const Node*, size_t> position;
  for (size_t i = 0; i < _all.size(); i++) position[_all[i]] = i;
  for (auto& layer : _layers)
    std::sort(layer.begin(), layer.end(),
              [&position](const Node* a, const Node* b) { return position[a] < position[b]; });
  std::sort(_ids.begin(), _ids.end(), [&](int a, int b) { return position[_mapped[a]] < position[_mapped[b]]; });
}

Status Graph::buildGraph() {
  placeWaiting();
  if (!_waiting.empty()) reportUnplaced();
  return Status::OK;
}

void Graph::reportUnplaced() {
  for (const Node* node : _waiting)
    for (size_t i = 0; i < node->inputs().size(); i++) {
      const auto& [id, index] = node->inputs()[i];
      if (id < 0 || find(id) != nullptr || _variables->hasVariable(id, index)) continue;
      throw unresolvedInput(_origin, _id, *node, i);
    }
  // Every waiting node waits for another one: following these leads into a cycle.
  std::vector<const Node*> path;
  std::unordered_set<const Node*> visited;
  const Node* at = _waiting.front();
  while (visited.insert(at).second) {
    path.push_back(at);
    for (const auto& input : neededBy(*this, *at)) {
      const Node* writer = input.first < 0 ? nullptr : find(input.first);
      if (writer == nullptr || _mapped.count(input.first) != 0 || closesLoop(*at, writer)) continue;
      at = writer;
      break;
    }
  }
  path.erase(path.begin(), std::find(path.begin(), path.end(), at));
  std::reverse(path.begin(), path.end());
  constexpr size_t MOST_NAMED = 20;
  const size_t left = path.size() - std::min(path.size(), MOST_NAMED);
  std::string text = at->describe();
  for (size_t i = 0; i < path.size(); i++) {
    text += " -> ";
    if (left == 0 || i != MOST_NAMED / 2) {
      text += path[i]->describe();
      continue;
    }
    text += fmt::format("({} more)", left);
    i += left - 1;
  }
  throw graph_exception(fmt::format("{}there is a cycle: {}", fileText(_origin), text), _id);
}

Status Graph::validate() {
  if (buildGraph() != Status::OK) return Status::VALIDATION;
  for (const Node* node : _all)
    if (!node->hasCustomOp() && !node->isLogic() && !node->hasGraphEmbedded()) return Status::VALIDATION;
  return Status::OK;
}

int Graph::totalNodes() {
  placeWaiting();
  return static_cast<int>(_mapped.size());
}

int Graph::rootNodes() {
  placeWaiting();
  return _layers.empty() ? 0 : static_cast<int>(_layers.front().size());
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

// ---- results

void Graph::addOutput(int id) {
  if (std::find(_output.begin(), _output.end(), id) == _output.end()) _output.push_back(id);
}

std::vector<int>* Graph::autos() {
  _autos.clear();
  std::unordered_set<int> read;
  for (const Node* node : _all)
    for (const auto& input : node->inputs()) {
      if (input == ABSENT_INPUT) continue;
      // The scopes of a loop read its values, which are results all the same.
      const Node* writer = node->isScoped() ? find(input.first) : nullptr;
      if (writer == nullptr || !writer->isLogic()) read.insert(input.first);
    }
  for (const Node* node : _all)
    if (!node->isScoped() && hasResults(*node) && read.count(node->id()) == 0) _autos.push_back(node->id());
  return &_autos;
}

std::vector<int> Graph::resultIds() const {
  std::vector<int> ids;
  std::unordered_set<int> taken;
  const auto add = [&](int id) {
    if (taken.insert(id).second) ids.push_back(id);
  };
  const OutputMode mode = _configuration->_outputMode;
  if (mode == OutputMode_VARIABLE_SPACE) {
    for (const Variable* variable : *_variables->getExternalVariables()) add(variable->id());
    for (const Node* node : _all)
      if (!node->isScoped() && hasResults(*node)) add(node->id());
    return ids;
  }
  if (mode == OutputMode_EXPLICIT || mode == OutputMode_EXPLICIT_AND_IMPLICIT)
    for (const int id : _output) add(id);
  if (mode == OutputMode_EXPLICIT) return ids;
  for (const int id : *const_cast<Graph*>(this)->autos()) add(id);
  for (const Node* node : _all)
    for (const auto& output : node->outputs())
      if (output.first < 0) add(output.first);
  return ids;
}

std::vector<Variable*>* Graph::fetchOutputs() const {
  auto results = std::make_unique<std::vector<Variable*>>();
  const bool all = _configuration->_outputMode == OutputMode_VARIABLE_SPACE;
  for (const int id : resultIds()) {
    if (!_variables->hasVariable(id, 0) && !all) fail("{}the result {} has no value", fileText(_origin), id);
    for (int index = 0; _variables->hasVariable(id, index); index++) {
      results->push_back(_variables->getVariable(id, index));
      if (id < 0) break;
    }
  }
  return results.release();
}

// ---- the whole

void Graph::copyNodes(const Graph& other) {
  _id = other._id;
  _origin = other._origin;
  _configuration.reset(other._configuration->clone());
  _output = other._output;
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
