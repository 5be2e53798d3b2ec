// What passes change in an open graph.
#include <ops/declarable/OpRegistrator.h>

#include <algorithm>
#include <limits>

#include "graph/LoopNode.h"
#include "graph/NodeCall.h"
#include "graph/OpenGraph.h"
#include "system/Error.h"

namespace sd::graph {

ValueId OpenGraph::addConstant(std::unique_ptr<NDArray> array) {
  OpenValue value;
  value.source = OpenValue::Source::Constant;
  value.name = {_nextVariable--, 0};
  value.constant = array.get();
  value.shapeInfo = array->shapeInfo();
  value.shape = ops::PartialShape::of(array->shapeInfo());
  _constants.push_back(std::move(array));
  _readers.emplace_back();
  return addValue(value);
}

int OpenGraph::takeNumber() {
  if (_nextNode == std::numeric_limits<int>::max()) fail("[graph] all node numbers are in use");
  return _nextNode++;
}

void OpenGraph::skipNumbers(const std::pair<int, int>& next) {
  _nextNode = std::max(_nextNode, next.first);
  _nextVariable = std::min(_nextVariable, next.second);
}

ValueId OpenGraph::addPlaceholder(const std::pair<int, int>& name, const ops::PartialShape& shape) {
  OpenValue value;
  value.source = OpenValue::Source::Placeholder;
  value.name = name;
  value.shape = shape;
  _readers.emplace_back();
  return addValue(std::move(value));
}

ValueId OpenGraph::outputOf(NodeId id, size_t index, const ops::PartialShape& shape) {
  OpenNode& open = _nodes[static_cast<size_t>(id)];
  while (open.outputs.size() <= index) {
    addOutput(open, id, open.outputs.size() == index ? shape : ops::PartialShape());
    _readers.emplace_back();
  }
  return open.outputs[index];
}

NodeId OpenGraph::addControl(std::unique_ptr<Node> node, std::vector<ValueId> listed, const std::vector<int>& scopes,
                             const std::vector<ValueId>& read, const std::vector<ops::PartialShape>& outputs) {
  const NodeId id = addNode(std::move(node), std::move(listed));
  OpenNode& open = _nodes[static_cast<size_t>(id)];
  for (const int scope : scopes) open.node->pickInput(scope, 0);
  for (const ValueId value : read) {
    open.inputs.push_back(value);
    open.scopeNames.push_back(this->value(value).name);
    _values[static_cast<size_t>(value)].readers++;
    _readers[static_cast<size_t>(value)].push_back(id);
  }
  for (size_t k = 0; k < outputs.size(); k++) _values[static_cast<size_t>(outputOf(id, k))].shape = outputs[k];
  return id;
}

NodeId OpenGraph::addNode(std::unique_ptr<Node> node, std::vector<ValueId> inputs) {
  if (node->id() <= 0 || _names.count({node->id(), 0}) != 0) node->setId(takeNumber());
  _nextNode = std::max(_nextNode, node->id() + 1);
  OpenNode open;
  open.node = node.get();
  open.isPure = isPure(*node);
  open.inputs = std::move(inputs);
  open.listed = open.inputs.size();
  std::vector<std::pair<int, int>> names;
  for (const ValueId input : open.inputs) {
    names.push_back(input < 0 ? ABSENT_INPUT : value(input).name);
    if (input >= 0) _values[static_cast<size_t>(input)].readers++;
  }
  node->setInputs(std::move(names));
  _owned.push_back(std::move(node));
  _nodes.push_back(std::move(open));
  inferNode(_nodes.back());
  _readers.resize(_values.size());
  for (const ValueId input : _nodes.back().inputs)
    if (input >= 0) _readers[static_cast<size_t>(input)].push_back(nodes() - 1);
  return nodes() - 1;
}

NodeId OpenGraph::addCall(const char* operation, std::vector<ValueId> inputs,
                          std::vector<std::pair<std::string, ops::ArgumentValue>> arguments) {
  ops::DeclarableOp* op = ops::OpRegistrator::getInstance().find(operation);
  if (op == nullptr) invalidArgument("[graph] there is no operation '{}'", operation);
  auto node = std::make_unique<Node>(op);
  for (auto& [name, value] : arguments) node->setArgument(name, std::move(value));
  return addNode(std::move(node), std::move(inputs));
}

void OpenGraph::replace(ValueId old, ValueId replacement) {
  if (old == replacement) return;
  OpenValue &from = _values[static_cast<size_t>(old)], &to = _values[static_cast<size_t>(replacement)];
  NodeId last = -1;
  for (const NodeId reader : _readers[static_cast<size_t>(old)]) {
    if (reader == last) continue;  // it stands once for each input
    last = reader;
    for (ValueId& input : _nodes[static_cast<size_t>(reader)].inputs)
      if (input == old) {
        input = replacement;
        _readers[static_cast<size_t>(replacement)].push_back(reader);
        to.readers++;
      }
  }
  _readers[static_cast<size_t>(old)].clear();
  from.readers = 0;
  if (!from.isResult) return;
  const auto places = _resultPlaces.extract(old);
  for (const size_t place : places.mapped()) {
    _results[place] = replacement;
    _resultPlaces[replacement].push_back(place);
  }
  from.isResult = false;
  to.isResult = true;
}

void OpenGraph::setInput(NodeId id, size_t input, ValueId value) {
  ValueId& place = _nodes[static_cast<size_t>(id)].inputs[input];
  if (place == value) return;
  if (place >= 0) {
    auto& readers = _readers[static_cast<size_t>(place)];
    readers.erase(std::find(readers.begin(), readers.end(), id));
    _values[static_cast<size_t>(place)].readers--;
  }
  place = value;
  if (value < 0) return;
  _readers[static_cast<size_t>(value)].push_back(id);
  _values[static_cast<size_t>(value)].readers++;
}

void OpenGraph::giveInput(NodeId id, size_t input, ValueId value) {
  OpenNode& open = _nodes[static_cast<size_t>(id)];
  if (open.inputs.size() <= input) {
    open.inputs.resize(input + 1, -1);
    open.listed = open.inputs.size();
  }
  setInput(id, input, value);
}

void OpenGraph::remove(NodeId id) {
  OpenNode& open = _nodes[static_cast<size_t>(id)];
  if (open.removed) return;
  // The lists of readers keep it until they are built anew: to search them would make removing many nodes quadratic.
  for (ValueId& input : open.inputs) {
    if (input >= 0) _values[static_cast<size_t>(input)].readers--;
    input = -1;
  }
  open.removed = true;
}

int OpenGraph::removeUnread() {
  int removed = 0;
  for (NodeId id = nodes() - 1; id >= 0; id--) {
    const OpenNode& open = node(id);
    if (open.removed) continue;
    const bool random = open.op() != nullptr && open.op()->getOpDescriptor()->isRandom();
    // Loops that compute gradients do nothing else.
    if (!open.isPure && !random && !open.node->isLogic(UNWIND)) continue;
    const bool read = std::any_of(open.outputs.begin(), open.outputs.end(), [this](ValueId output) {
      return value(output).readers > 0 || value(output).isResult;
    });
    if (read) continue;
    remove(id);
    removed++;
  }
  return removed;
}

void OpenGraph::sort() {
  std::vector<int> waits(_nodes.size(), 0), order;
  std::vector<NodeId> ready;
  order.reserve(_nodes.size());
  for (NodeId id = nodes() - 1; id >= 0; id--) {
    if (node(id).removed) continue;
    for (const ValueId input : node(id).inputs)
      if (input >= 0 && value(input).writer >= 0) waits[static_cast<size_t>(id)]++;
  }
  // Depth first: a node follows the last of its writers as soon as it can, which keeps values short-lived.
  const auto finish = [&](NodeId first) {
    ready.push_back(first);
    while (!ready.empty()) {
      const NodeId id = ready.back();
      ready.pop_back();
      order.push_back(id);
      for (const ValueId output : node(id).outputs)
        for (const NodeId reader : readersOf(output))
          if (!node(reader).removed && --waits[static_cast<size_t>(reader)] == 0) ready.push_back(reader);
    }
  };
  std::vector<NodeId> roots;
  for (NodeId id = 0; id < nodes(); id++)
    if (!node(id).removed && waits[static_cast<size_t>(id)] == 0) roots.push_back(id);
  for (const NodeId root : roots) finish(root);
  if (static_cast<int>(order.size()) != liveNodes()) fail<std::logic_error>("[graph] a pass has made a cycle");

  std::vector<OpenNode> sorted;
  sorted.reserve(order.size());
  for (const NodeId id : order) {
    sorted.push_back(std::move(_nodes[static_cast<size_t>(id)]));
    for (const ValueId output : sorted.back().outputs)
      _values[static_cast<size_t>(output)].writer = static_cast<NodeId>(sorted.size()) - 1;
  }
  _nodes = std::move(sorted);
  reindex();
}

}  // namespace sd::graph
