// Nodes that control an execution: branches, loops of frames, scopes.
#include <exceptions/graph_execution_exception.h>

#include <algorithm>

#include "graph/Interpreter.h"
#include "graph/LoopNode.h"
#include "graph/NodeCall.h"
#include "system/Error.h"

namespace sd::graph {

void GraphInterpreter::findLoops() {
  std::unordered_map<int, std::vector<const Node*>> readers;
  std::unordered_map<LongType, std::vector<const Node*>> starts;  // Enter and Merge nodes
  for (const Node* node : _graph.allNodes()) {
    if (node->isScoped()) continue;
    for (const auto& input : node->inputs())
      if (input.first >= 0) readers[input.first].push_back(node);
    if (node->getFrameId() >= 0 && (node->isLogic(logic::Enter) || node->isLogic(logic::Merge)))
      starts[node->getFrameId()].push_back(node);
  }
  for (const auto& [frame, nodes] : starts) {
    std::unordered_set<const Node*>& members = _loops[frame];
    std::vector<const Node*> reached;
    for (const Node* node : nodes)
      if (node->isLogic(logic::Merge)) reached.push_back(node);
    while (!reached.empty()) {
      const Node* node = reached.back();
      reached.pop_back();
      if (!members.insert(node).second) continue;
      const bool leaves = node->isLogic(logic::Exit) && node->getFrameId() == frame;
      const auto next = readers.find(node->id());
      if (!leaves && next != readers.end()) reached.insert(reached.end(), next->second.begin(), next->second.end());
      // A loop inside of this one begins anew in each of its iterations.
      const auto inner = starts.find(node->getFrameId());
      if (node->isLogic(logic::Merge) && inner != starts.end() && inner->first != frame)
        reached.insert(reached.end(), inner->second.begin(), inner->second.end());
    }
  }
}

// ---- nodes

Status GraphInterpreter::runLogic(Node& node) {
  switch (node.opNum()) {
    case logic::Scope:
    case logic::Expose:
      return Status::OK;
    case logic::Switch:
      return runSwitch(node);
    case logic::Merge:
      return runMerge(node);
    case logic::While:
      return runWhile(node);
    case UNWIND:
      return runUnwind(node);
    case logic::Conditional:
      return runConditional(node);
    case logic::Return:
      return runReturn(node, node.inputs().size());
    case logic::Exit:
    case logic::NextIteration:
    case logic::LoopCond:
    case logic::Enter:
      return passThrough(node);
    default:
      return fail(node, Status::BAD_INPUT, fmt::format("there is no logic operation {}", node.opNum()));
  }
}

Status GraphInterpreter::passThrough(Node& node) {
  for (size_t i = 0; i < node.inputs().size(); i++) {
    const auto& input = node.inputs()[i];
    if (!_variables.hasVariable(input)) continue;
    const Variable* variable = _variables.getVariable(input);
    if (!variable->hasNDArray() && !variable->hasNDArrayList()) continue;
    share(node, 0, *variable);
    return Status::OK;
  }
  if (node.inputs().empty()) return fail(node, Status::BAD_INPUT, "it has no input");
  variableOf(node, 0);  // says what is missing
  return Status::BAD_INPUT;
}

namespace {

/// The first element as an integer.
bool holdsTrue(const NDArray& value) { return value.e<int>(0) != 0; }

}  // namespace

Status GraphInterpreter::runSwitch(Node& node) {
  if (node.inputs().size() != 2) return fail(node, Status::BAD_INPUT, "it needs data and a condition");
  const int first = node.inputs()[0].first;
  bool holds = false;
  size_t data = 0;
  if (_graph.hasScope(first)) {
    data = 1;
    const Status status = condition(node, *_graph.scopeById(first), holds);
    if (status != Status::OK) return status;
  } else {
    const Variable& condition = variableOf(node, 1);
    if (!condition.hasNDArray() || condition.getNDArray()->lengthOf() < 1)
      return fail(node, Status::BAD_INPUT, "input 1, the condition, has no element");
    holds = condition.getNDArray()->e<bool>(0);
  }
  _flow->markBranch(node.id(), holds ? 1 : 0);
  share(node, holds ? 1 : 0, variableOf(node, data));
  return Status::OK;
}

Status GraphInterpreter::runMerge(Node& node) {
  if (node.inputs().size() < 2) return fail(node, Status::BAD_INPUT, "it needs two inputs");
  const int second = node.inputs()[1].first;
  Node* writer = second >= 0 && _graph.hasNode(second) ? _graph.nodeById(second) : nullptr;
  if (writer != nullptr && writer->isLogic(logic::NextIteration)) {
    // The first layer with a value of the loop is where the next iteration starts.
    const int start = writer->getRewindLayer().first;
    if (start < 0 || start > node.getLayer()) writer->setRewindLayer(node.getLayer());
    _flow->markFrameActive(node.getFrameId(), true);
    if (!_flow->wasExecuted(second)) {
      share(node, 0, variableOf(node, 0));
      return Status::OK;
    }
    // A copy: the nodes of the loop write the same memory again while this value is still read.
    _flow->markExecuted(second, false);
    const Variable& value = variableOf(node, 1);
    if (value.hasNDArrayList()) {
      share(node, 0, value);
      return Status::OK;
    }
    Variable& result = ensure(node, 0);
    if (result.hasNDArray() && result.isRemovable()) delete result.getNDArray();
    result.setNDArray(new NDArray(*value.getNDArray()));
    result.markRemovable(true);
    result.markReadOnly(false);
    return Status::OK;
  }
  for (size_t i = 0; i < node.inputs().size(); i++) {
    const auto& [id, index] = node.inputs()[i];
    if (id >= 0 && _graph.hasNode(id) && !_flow->isNodeActive(id)) continue;
    if (id >= 0 && _graph.hasNode(id) && _graph.nodeById(id)->isDivergencePoint() && _flow->branch(id) != index)
      continue;
    if (!_variables.hasVariable(id, index) || !_variables.getVariable(id, index)->hasNDArray()) continue;
    share(node, 0, *_variables.getVariable(id, index));
    return Status::OK;
  }
  return fail(node, Status::BAD_INPUT, "none of its inputs has a value");
}

// ---- scopes

Status GraphInterpreter::runNodes(const std::vector<Node*>& nodes, size_t count) {
  for (size_t i = 0; i < count; i++) {
    markActive(*nodes[i], true);
    const Status status = runNode(*nodes[i]);
    if (status != Status::OK) return status;
  }
  return Status::OK;
}

Status GraphInterpreter::condition(Node& node, const Scope& scope, bool& holds) {
  const Status status = runNodes(scope.nodes(), scope.nodes().size());
  if (status != Status::OK) return status;
  const Node* last = scope.nodes().empty() ? nullptr : scope.nodes().back();
  if (last == nullptr || !_variables.hasVariable(last->id(), 0) || !_variables.getVariable(last->id(), 0)->hasNDArray())
    return fail(node, Status::KERNEL_FAILURE, fmt::format("scope {}, the condition, has no result", scope.id()));
  const NDArray& value = *_variables.getVariable(last->id(), 0)->getNDArray();
  if (value.lengthOf() < 1 || value.isS())
    return fail(node, Status::KERNEL_FAILURE, fmt::format("the result of scope {} is no number", scope.id()));
  holds = holdsTrue(value);
  return Status::OK;
}

void GraphInterpreter::copyInputs(Node& node, size_t count) {
  for (size_t e = 0; e < count; e++) {
    const Variable& value = variableOf(node, e);
    if (value.hasNDArrayList())
      share(node, static_cast<int>(e), value);
    else
      copyTo({node.id(), static_cast<int>(e)}, *value.getNDArray());
  }
}

Status GraphInterpreter::runConditional(Node& node) {
  const size_t inputs = node.inputs().size();
  if (inputs < 3) return fail(node, Status::BAD_INPUT, "it needs values and the scopes of condition, false and true");
  for (size_t i = inputs - 3; i < inputs; i++)
    if (!_graph.hasScope(node.inputs()[i].first))
      return fail(node, Status::BAD_INPUT, fmt::format("there is no scope {}", node.inputs()[i].first));
  copyInputs(node, inputs - 3);
  bool holds = false;
  Status status = condition(node, *_graph.scopeById(node.inputs()[inputs - 3].first), holds);
  if (status != Status::OK) return status;
  const Scope& branch = *_graph.scopeById(node.inputs()[inputs - (holds ? 1 : 2)].first);
  if (branch.nodes().empty()) return Status::OK;
  Node& last = *branch.nodes().back();
  const bool returns = last.isLogic(logic::Return);
  status = runNodes(branch.nodes(), branch.nodes().size() - (returns ? 1 : 0));
  if (status != Status::OK) return status;
  if (returns) return runReturn(last, last.inputs().size());
  for (int k = 0; _variables.hasVariable(last.id(), k); k++) share(node, k, *_variables.getVariable(last.id(), k));
  return Status::OK;
}

Status GraphInterpreter::runReturn(Node& node, size_t count) {
  if (node.inputs().size() != node.outputs().size())
    return fail(node, Status::BAD_INPUT,
                fmt::format("it has {} inputs, but {} outputs", node.inputs().size(), node.outputs().size()));
  // All values are read before one is overwritten: two values of a loop may change places.
  std::vector<std::unique_ptr<NDArray>> values;
  for (size_t e = 0; e < std::min(count, node.inputs().size()); e++) {
    const Variable& value = variableOf(node, e);
    values.push_back(value.hasNDArrayList() ? nullptr : std::make_unique<NDArray>(*value.getNDArray()));
  }
  for (size_t e = 0; e < values.size(); e++)
    if (values[e] != nullptr) copyTo({node.outputs()[e].first, static_cast<int>(e)}, *values[e]);
  return Status::OK;
}

}  // namespace sd::graph
