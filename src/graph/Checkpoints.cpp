#include "graph/Checkpoints.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <utility>

namespace sd::graph {
namespace {

class Recomputation {
 public:
  Recomputation(OpenGraph& graph, NodeId first, ValueId value, const std::vector<ValueId>& checkpoints);
  void run(const std::vector<ValueId>& gradients);

 private:
  OpenGraph& _graph;
  const NodeId _first;
  std::vector<char> _isKept;                             // by value of the forward pass
  std::vector<NodeId> _parts;                            // of nodes between the same checkpoints; see find()
  std::vector<NodeId> _copies;                           // by node, -1: none
  std::map<NodeId, ValueId> _signals;                    // by part: what was computed when its first value was needed
  std::map<std::pair<NodeId, ValueId>, ValueId> _later;  // by part and kept value: the output of its identity_n

  bool isKept(ValueId value) const { return _isKept[static_cast<size_t>(value)] != 0; }
  bool isConstant(const OpenNode& node) const;
  NodeId partOf(NodeId node);
  void keepPart(ValueId value);
  ValueId copyOf(ValueId value, ValueId signal);
  ValueId later(NodeId part, ValueId value);
  void addCopy(NodeId id);
};

Recomputation::Recomputation(OpenGraph& graph, NodeId first, ValueId value, const std::vector<ValueId>& checkpoints)
    : _graph(graph),
      _first(first),
      _isKept(static_cast<size_t>(graph.values()), 1),
      _copies(static_cast<size_t>(first), -1) {
  _parts.resize(static_cast<size_t>(first));
  std::iota(_parts.begin(), _parts.end(), 0);
  for (NodeId id = 0; id < first; id++) {
    const OpenNode& node = graph.node(id);
    if (!node.isPure || isConstant(node)) continue;
    for (const ValueId output : node.outputs) _isKept[static_cast<size_t>(output)] = 0;
  }
  for (const ValueId checkpoint : checkpoints) _isKept[static_cast<size_t>(checkpoint)] = 1;
  for (NodeId id = 0; id < first; id++)
    for (const ValueId input : graph.node(id).inputs)
      if (input >= 0 && !isKept(input)) _parts[static_cast<size_t>(partOf(graph.value(input).writer))] = partOf(id);
  keepPart(value);
}

/// Of constants alone: its results take no part in the passes.
bool Recomputation::isConstant(const OpenNode& node) const {
  return std::all_of(node.inputs.begin(), node.inputs.end(), [this](ValueId input) {
    return input < 0 || _graph.value(input).source == OpenValue::Source::Constant;
  });
}

NodeId Recomputation::partOf(NodeId node) {
  NodeId root = node;
  while (_parts[static_cast<size_t>(root)] != root) root = _parts[static_cast<size_t>(root)];
  while (node != root) node = std::exchange(_parts[static_cast<size_t>(node)], root);
  return root;
}

/// The backward pass begins with what was computed last: to compute that again would save nothing.
void Recomputation::keepPart(ValueId value) {
  const NodeId writer = _graph.value(value).writer;
  if (writer < 0 || isKept(value)) return;
  const NodeId part = partOf(writer);
  for (NodeId id = 0; id < _first; id++)
    if (partOf(id) == part)
      for (const ValueId output : _graph.node(id).outputs) _isKept[static_cast<size_t>(output)] = 1;
}

/// The value as a part reads it when the gradient has arrived there.
ValueId Recomputation::later(NodeId part, ValueId value) {
  const auto [place, isNew] = _later.emplace(std::pair(part, value), -1);
  if (isNew) place->second = _graph.node(_graph.addCall("identity_n", {value, _signals.at(part)})).outputs[0];
  return place->second;
}

void Recomputation::addCopy(NodeId id) {
  const NodeId part = partOf(id);
  std::vector<ValueId> inputs = _graph.node(id).inputs;
  bool isLate = false;
  for (ValueId& input : inputs) {
    if (input < 0) continue;
    const NodeId writer = _graph.value(input).writer;
    if (writer < 0 || isConstant(_graph.node(writer))) continue;
    const auto output = static_cast<size_t>(_graph.value(input).output);
    input = isKept(input) ? later(part, input) : _graph.node(_copies[static_cast<size_t>(writer)]).outputs[output];
    isLate = true;
  }
  // What reads variables alone has to be another node, too.
  for (ValueId& input : inputs)
    if (!isLate && input >= 0 && _graph.value(input).source != OpenValue::Source::Constant) {
      input = later(part, input);
      isLate = true;
    }
  std::unique_ptr<Node> copy(_graph.node(id).node->clone());
  copy->setId(0);
  copy->setName(std::string());
  copy->output()->clear();
  copy->setLayer(-1);
  copy->markInplace(false);
  _copies[static_cast<size_t>(id)] = _graph.addNode(std::move(copy), std::move(inputs));
}

ValueId Recomputation::copyOf(ValueId value, ValueId signal) {
  const NodeId writer = _graph.value(value).writer;
  std::vector<NodeId> wanted{writer}, missing;
  while (!wanted.empty()) {
    const NodeId id = wanted.back();
    wanted.pop_back();
    if (_copies[static_cast<size_t>(id)] >= 0) continue;
    _copies[static_cast<size_t>(id)] = 0;  // it will be there
    missing.push_back(id);
    for (const ValueId input : _graph.node(id).inputs)
      if (input >= 0 && !isKept(input)) wanted.push_back(_graph.value(input).writer);
  }
  _signals.emplace(partOf(writer), signal);
  std::sort(missing.begin(), missing.end());
  for (const NodeId id : missing) addCopy(id);
  return _graph.node(_copies[static_cast<size_t>(writer)]).outputs[static_cast<size_t>(_graph.value(value).output)];
}

void Recomputation::run(const std::vector<ValueId>& gradients) {
  const std::vector<bool> needed = neededNodes(_graph, _first, gradients);
  const NodeId end = _graph.nodes();
  // A node that was added later than the first one of a part is no input of those before it, so that nothing waits for
  // itself.
  ValueId signal = -1;
  for (NodeId id = _first; id < end; id++) {
    if (!needed[static_cast<size_t>(id)]) continue;
    for (size_t i = 0; signal >= 0 && i < _graph.node(id).listed; i++) {
      const ValueId input = _graph.node(id).inputs[i];
      const bool isForward = input >= 0 && static_cast<size_t>(input) < _isKept.size() && !isKept(input);
      if (isForward) _graph.setInput(id, i, copyOf(input, signal));
    }
    signal = _graph.node(id).outputs[0];
  }
}

}  // namespace

void recomputeBetween(OpenGraph& graph, NodeId first, ValueId value, const std::vector<ValueId>& checkpoints,
                      const std::vector<ValueId>& gradients) {
  Recomputation(graph, first, value, checkpoints).run(gradients);
}

std::vector<bool> neededNodes(const OpenGraph& graph, NodeId first, const std::vector<ValueId>& values) {
  std::vector<bool> needed(static_cast<size_t>(graph.nodes()), false);
  std::vector<ValueId> left = values;
  while (!left.empty()) {
    const ValueId value = left.back();
    left.pop_back();
    const NodeId writer = value < 0 ? -1 : graph.value(value).writer;
    if (writer < first || needed[static_cast<size_t>(writer)]) continue;
    needed[static_cast<size_t>(writer)] = true;
    left.insert(left.end(), graph.node(writer).inputs.begin(), graph.node(writer).inputs.end());
  }
  return needed;
}

}  // namespace sd::graph
