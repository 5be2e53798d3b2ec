#include "graph/OpenGraph.h"

#include <graph/VariableProxy.h>

#include <algorithm>
#include <limits>
#include <map>
#include <unordered_set>

#include "graph/GraphFile.h"
#include "graph/LoopNode.h"
#include "graph/NodeCall.h"
#include "graph/ScopeGraph.h"
#include "system/Error.h"

namespace sd::graph {
namespace {

int outputsOf(const Node& node) {
  return node.hasCustomOp() ? std::max(1, node.getCustomOp()->getOpDescriptor()->getNumberOfOutputs()) : 1;
}

/// How many outputs a node has of which inference does not say it.
int declaredOutputs(const Graph& graph, const OpenNode& open) try {
  const Node& node = *open.node;
  const int values = static_cast<int>(open.listed);
  if (isLoop(node)) return static_cast<int>(LoopNode(node, open.listed).outputs());
  if (!node.isLogic(logic::Conditional)) return outputsOf(node);
  // Its values, or more if the last nodes of both branches have more outputs.
  int outputs = std::numeric_limits<int>::max();
  for (size_t i = node.inputs().size() - std::min<size_t>(2, node.inputs().size()); i < node.inputs().size(); i++) {
    const int scope = node.inputs()[i].first;
    const bool isEmpty = !graph.hasScope(scope) || graph.scopeById(scope)->nodes()->empty();
    outputs = std::min(outputs, isEmpty ? 0 : outputsOf(*graph.scopeById(scope)->nodes()->back()));
  }
  return std::max({1, values, node.inputs().empty() ? 0 : outputs});
} catch (const std::invalid_argument&) {
  rethrowAt(placeOf(graph.origin(), *open.node));
}

/// The scopes that these nodes run, and those that the nodes in them run.
std::unordered_set<int> scopesBelow(const Graph& graph, std::vector<const Node*> nodes) {
  std::unordered_set<int> scopes;
  while (!nodes.empty()) {
    const Node* node = nodes.back();
    nodes.pop_back();
    for (const int scope : scopesOf(graph, *node))
      if (scopes.insert(scope).second)
        for (const Node* inner : *graph.scopeById(scope)->nodes()) nodes.push_back(inner);
  }
  return scopes;
}

/// The scopes that nobody runs any more, because the nodes that ran them were removed.
std::unordered_set<int> unusedScopes(const Graph& graph, const std::vector<OpenNode>& nodes) {
  std::unordered_set<int> ids;
  for (const OpenNode& open : nodes)
    if (!open.removed) ids.insert(open.node->id());
  std::vector<const Node*> live, removed;
  for (const Node* node : graph.allNodes())
    if (node->isLogic() && !node->isScoped()) (ids.count(node->id()) != 0 ? live : removed).push_back(node);
  std::unordered_set<int> unused = scopesBelow(graph, std::move(removed));
  if (!unused.empty())
    for (const int used : scopesBelow(graph, std::move(live))) unused.erase(used);
  return unused;
}

}  // namespace

bool isPure(const Node& node) {
  if (!node.hasCustomOp()) return false;
  const ops::OpDescriptor& descriptor = *node.getCustomOp()->describedDescriptor();
  const ops::Schema* schema = descriptor.statedSchema();
  const bool effects = schema != nullptr && schema->sideEffect()[0] != '\0';
  return !descriptor.isRandom() && !effects && !descriptor.isDivergent() && !descriptor.isLogic();
}

bool OpenNode::is(const char* operation) const { return op() != nullptr && *op()->getOpName() == operation; }

OpenGraph::OpenGraph(const Graph& graph, const std::vector<FedShape>& feeds,
                     const std::vector<std::pair<int, int>>& results, ControlInference inferControl)
    : _graph(graph), _inferControl(inferControl), _origin(graph.origin()) {
  const_cast<Graph&>(graph).buildGraph();
  _nextVariable = graph.getVariableSpace()->nextExternalId();
  for (const FedShape& feed : feeds) {
    OpenValue value;
    value.source = OpenValue::Source::Placeholder;
    value.name = feed.name;
    value.shape = feed.shapeInfo != nullptr ? ops::PartialShape::of(feed.shapeInfo) : feed.shape;
    value.shapeInfo = feed.shapeInfo;
    addValue(value);
  }
  size_t count = 0;
  for (const auto& layer : graph.layers()) count += layer.size();
  _nodes.reserve(count);
  _values.reserve(count + feeds.size());
  // An output that is read by number may be one that inference does not announce.
  std::unordered_map<int, int> named;
  const auto note = [&named](const std::pair<int, int>& place) {
    if (place.first < 0 || place.second < 1) return;
    int& most = named[place.first];
    most = std::max(most, place.second + 1);
  };
  for (const Node* node : graph.allNodes()) {
    for (const auto& input : node->inputs()) note(input);
    _nextNode = std::max(_nextNode, node->id() + 1);  // also of those in scopes
  }
  for (const auto& result : results) note(result);

  for (const auto& layer : graph.layers())
    for (Node* node : layer) {
      if (node->isLogic(logic::Scope) || node->isLogic(logic::Expose)) continue;
      OpenNode open;
      open.node = node;
      open.isPure = isPure(*node);
      connect(open);
      _nodes.push_back(std::move(open));
      inferNode(_nodes.back());
      const auto more = named.find(node->id());
      while (more != named.end() && static_cast<int>(_nodes.back().outputs.size()) < more->second)
        addOutput(_nodes.back(), nodes() - 1, {});
    }
  // A variable that nodes write has, in the end, the value of the last one.
  std::unordered_map<int, int> written;
  for (const OpenNode& open : _nodes)
    for (const auto& output : open.node->outputs())
      if (output.first < 0) written[output.first] = open.node->id();
  for (auto result : results) {
    const auto writer = written.find(result.first);
    if (writer != written.end()) result = {writer->second, 0};
    const bool computed = result.first >= 0 && graph.hasNode(result.first);
    for (int k = std::max(0, result.second);; k++) {
      const ValueId value = computed ? find({result.first, k}) : variable({result.first, k});
      if (value < 0 && result.second < 0 && k > 0) break;
      if (value < 0)
        fail<std::invalid_argument>("{}result ({}, {}): there is no such node or variable", fileText(_origin),
                                    result.first, k);
      _resultPlaces[value].push_back(_results.size());
      _results.push_back(value);
      _values[static_cast<size_t>(value)].isResult = true;
      if (result.second >= 0 || !computed) break;
    }
  }
  reindex();
}

void OpenGraph::connect(OpenNode& open) {
  const Node& node = *open.node;
  const auto add = [this, &open](const std::pair<int, int>& name) {
    const bool computed = name.first >= 0 && _graph.hasNode(name.first);
    const ValueId value = computed ? find(name) : variable(name);
    if (value < 0) return false;
    open.inputs.push_back(value);
    _values[static_cast<size_t>(value)].readers++;
    return true;
  };
  std::vector<int> scopes;
  for (size_t i = 0; i < node.inputs().size(); i++) {
    const auto& input = node.inputs()[i];
    if (input == ABSENT_INPUT)
      open.inputs.push_back(-1);
    else if (node.isLogic() && _graph.hasScope(input.first))
      scopes.push_back(input.first);
    else if (!add(input))
      throw unresolvedInput(_origin, _graph.id(), node, i);
  }
  open.listed = open.inputs.size();
  // Values that do not exist are an error of the scope that reads them.
  for (const auto& name : readsOfScopes(_graph, node, scopes))
    if (add(name)) open.scopeNames.push_back(name);
}

ValueId OpenGraph::find(const std::pair<int, int>& name) const {
  const auto found = _names.find(name.first < 0 ? std::pair<int, int>(name.first, 0) : name);
  return found == _names.end() ? -1 : found->second;
}

ValueId OpenGraph::addValue(OpenValue value) {
  const ValueId id = values();
  if (value.name.first < 0) value.name.second = 0;
  _names[value.name] = id;
  _values.push_back(std::move(value));
  return id;
}

ValueId OpenGraph::variable(const std::pair<int, int>& name) {
  const ValueId present = find(name);
  if (present >= 0) return present;
  VariableSpace& space = *_graph.getVariableSpace();
  if (!space.hasVariable(name)) return -1;
  const Variable& variable = *space.getVariable(name);
  OpenValue value;
  value.name = name;
  if (variable.hasNDArray()) {
    const NDArray& array = *variable.getNDArray();
    value.source = variable.variableType() == CONSTANT ? OpenValue::Source::Constant : OpenValue::Source::Variable;
    if (value.source == OpenValue::Source::Constant) value.constant = &array;
    value.shapeInfo = array.shapeInfo();
    value.shape = ops::PartialShape::of(array.shapeInfo());
  } else {
    value.source = OpenValue::Source::Placeholder;
    value.shape = variable.expected();
  }
  return addValue(value);
}

void OpenGraph::inferNode(OpenNode& open) {
  const NodeId id = static_cast<NodeId>(&open - _nodes.data());
  std::vector<ops::PartialShape> outputs;
  if (open.op() != nullptr) {
    std::vector<ops::PartialShape> inputs;
    std::vector<const NDArray*> constants;
    for (const ValueId input : open.inputs) {
      inputs.push_back(input < 0 ? ops::PartialShape::absent() : value(input).shape);
      constants.push_back(input < 0 ? nullptr : value(input).constant);
    }
    const auto block = contextOf(*open.node);
    outputs = inferOutputs(*open.node, *block, inputs, constants, origin());
  } else if (_inferControl != nullptr) {
    outputs = _inferControl(*this, id);
  }
  if (outputs.empty() || open.op() == nullptr)
    outputs.resize(std::max(outputs.size(), static_cast<size_t>(declaredOutputs(_graph, open))));
  for (const ops::PartialShape& output : outputs) addOutput(open, id, output);
}

void OpenGraph::addOutput(OpenNode& open, NodeId id, const ops::PartialShape& shape) {
  OpenValue value;
  value.output = static_cast<int>(open.outputs.size());
  value.name = {open.node->id(), value.output};
  value.writer = id;
  value.shape = shape;
  open.outputs.push_back(addValue(std::move(value)));
}

void OpenGraph::reindex() {
  _readers.assign(_values.size(), {});
  for (NodeId id = 0; id < nodes(); id++) {
    if (node(id).removed) continue;
    for (const ValueId input : node(id).inputs)
      if (input >= 0) _readers[static_cast<size_t>(input)].push_back(id);
  }
}

int OpenGraph::liveNodes() const {
  return static_cast<int>(std::count_if(_nodes.begin(), _nodes.end(), [](const OpenNode& n) { return !n.removed; }));
}

std::unique_ptr<Graph> OpenGraph::toGraph() const {
  auto graph = std::make_unique<Graph>(nullptr, new VariableProxy(_graph.getVariableSpace()));
  graph->setOrigin(_origin);
  graph->setId(_graph.id());
  VariableSpace& space = *graph->getVariableSpace();
  for (const OpenValue& value : _values) {
    if (value.source == OpenValue::Source::Node || space.hasVariable(value.name)) continue;
    if (value.constant == nullptr) continue;
    auto variable =
        std::make_unique<Variable>(new NDArray(*value.constant), nullptr, value.name.first, value.name.second);
    variable->setVariableType(CONSTANT);
    space.putVariable(value.name, variable.release());
  }
  // Scopes read what passes have put in the place of values.
  std::map<std::pair<int, int>, std::pair<int, int>> renamed;
  for (const OpenNode& open : _nodes)
    for (size_t i = 0; i < open.scopeNames.size() && !open.removed; i++)
      renamed[open.scopeNames[i]] = value(open.inputs[open.listed + i]).name;
  const std::unordered_set<int> unused = unusedScopes(_graph, _nodes);
  for (const Node* node : _graph.allNodes()) {
    if (!node->isLogic(logic::Scope) && !node->isScoped()) continue;
    if (unused.count(node->isScoped() ? node->scopeId() : node->id()) != 0) continue;
    std::unique_ptr<Node> copy(node->clone());
    std::vector<std::pair<int, int>> inputs = copy->inputs();
    for (auto& input : inputs)
      if (const auto found = renamed.find(input); found != renamed.end()) input = found->second;
    copy->setInputs(std::move(inputs));
    graph->addNode(copy.release());
  }
  for (const OpenNode& open : _nodes) {
    if (open.removed) continue;
    std::unique_ptr<Node> copy(open.node->clone());
    std::vector<std::pair<int, int>> inputs;
    for (size_t i = 0; i < open.listed; i++)
      inputs.push_back(open.inputs[i] < 0 ? ABSENT_INPUT : value(open.inputs[i]).name);
    for (const auto& input : open.node->inputs())
      if (open.node->isLogic() && _graph.hasScope(input.first)) inputs.push_back(input);
    copy->setInputs(std::move(inputs));
    copy->output()->clear();
    graph->addNode(copy.release());
  }
  for (const ValueId result : _results) graph->addOutput(value(result).name.first);
  graph->getExecutorConfiguration()->_outputMode = OutputMode_EXPLICIT;
  graph->buildGraph();
  return graph;
}

}  // namespace sd::graph
