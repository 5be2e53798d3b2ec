// While and Unwind, node by node.
#include "graph/Interpreter.h"
#include "graph/KeptValues.h"
#include "graph/NodeCall.h"
#include "system/Error.h"

namespace sd::graph {

Status GraphInterpreter::runWhile(Node& node) {
  const size_t inputs = node.inputs().size();
  if (inputs < 3) return fail(node, Status::BAD_INPUT, "it needs values, a condition scope and a body scope");
  const int conditionId = node.inputs()[inputs - 2].first, bodyId = node.inputs()[inputs - 1].first;
  for (const int id : {conditionId, bodyId})
    if (!_graph.hasScope(id)) return fail(node, Status::BAD_INPUT, fmt::format("there is no scope {}", id));
  const Scope &test = *_graph.scopeById(conditionId), &body = *_graph.scopeById(bodyId);
  if (body.nodes().empty() || !body.nodes().back()->isLogic(logic::Return))
    return fail(node, Status::BAD_INPUT, fmt::format("scope {}, the body, does not end with a Return", bodyId));
  const LoopNode loop(node, inputs - 2);
  copyInputs(node, loop.values);
  KeptValues kept(std::vector<bool>(loop.kept.size(), true));
  kept.start();
  for (LongType iteration = 0; iteration < _limits.iterations; iteration++) {
    checkCancelled(node);
    bool holds = false;
    Status status = condition(node, test, holds);
    if (status == Status::OK && !holds && !loop.kept.empty()) publishKept(node, kept, loop.layoutOutput());
    if (status != Status::OK || !holds) return status;
    Node& end = *body.nodes().back();
    status = runNodes(body.nodes(), body.nodes().size() - 1);
    if (status == Status::OK) status = keepValues(node, loop.kept, kept);
    if (status == Status::OK) status = runReturn(end, end.inputs().size());
    if (status != Status::OK) return status;
  }
  return fail(node, Status::KERNEL_FAILURE,
              fmt::format("the loop has not ended after {} iterations", _limits.iterations));
}

Status GraphInterpreter::runUnwind(Node& node) {
  const size_t inputs = node.inputs().size();
  if (inputs < 2 || !_graph.hasScope(node.inputs()[inputs - 1].first))
    return fail(node, Status::BAD_INPUT, "it needs values, what a loop has kept, and a scope");
  const LoopNode loop(node, inputs - 1);
  const Scope& body = *_graph.scopeById(node.inputs()[inputs - 1].first);
  if (body.nodes().empty() || !body.nodes().back()->isLogic(logic::Return))
    return fail(node, Status::BAD_INPUT, fmt::format("scope {} does not end with a Return", body.id()));
  Node& end = *body.nodes().back();
  if (end.inputs().size() < loop.values + loop.columnGradients.size())
    return fail(node, Status::BAD_INPUT, fmt::format("scope {} does not return enough values", body.id()));
  std::vector<NDArray*> arrays;
  for (size_t i = 0; i + 1 < inputs; i++) {
    const Variable& variable = variableOf(node, i);
    if (!variable.hasNDArray()) invalidArgument("input {} has no value", i);
    arrays.push_back(variable.getNDArray());
  }
  LoopColumns columns(loop);
  columns.start(arrays);
  copyInputs(node, loop.values);
  KeptValues kept(std::vector<bool>(loop.kept.size(), true));
  kept.start();
  for (LongType iteration = 0; iteration < columns.iterations(); iteration++) {
    checkCancelled(node);
    for (size_t k = 0; k < loop.columns.size(); k++)
      copyTo({node.id(), static_cast<int>(loop.values + k)}, columns.value(iteration, k));
    Status status = runNodes(body.nodes(), body.nodes().size() - 1);
    if (status == Status::OK) status = keepValues(node, loop.kept, kept);
    if (status != Status::OK) return status;
    for (size_t j = 0; j < loop.columnGradients.size(); j++)
      columns.setGradient(iteration, j, *variableOf(end, loop.values + j).getNDArray());
    status = runReturn(end, loop.values);
    if (status != Status::OK) return status;
  }
  for (size_t j = 0; j < loop.columnGradients.size(); j++)
    copyTo({node.id(), static_cast<int>(loop.columnGradientOutput(j))}, columns.gradient(j));
  if (!loop.kept.empty()) publishKept(node, kept, loop.layoutOutput());
  return Status::OK;
}

/// Keeps the values of an iteration, before those of the loop change.
Status GraphInterpreter::keepValues(Node& node, const std::vector<std::pair<int, int>>& names, KeptValues& kept) {
  for (const auto& name : names) {
    const Variable* value = _variables.hasVariable(name) ? _variables.getVariable(name) : nullptr;
    if (value == nullptr || !value->hasNDArray())
      return fail(node, Status::BAD_INPUT,
                  fmt::format("it keeps ({}, {}), which has no value", name.first, name.second));
    kept.add(*value->getNDArray());
  }
  return Status::OK;
}

void GraphInterpreter::publishKept(const Node& node, KeptValues& kept, size_t first) {
  std::vector<NDArray*> arrays;
  kept.finish(arrays);
  for (size_t k = 0; k < arrays.size(); k++) copyTo({node.id(), static_cast<int>(first + k)}, *arrays[k]);
}

}  // namespace sd::graph
