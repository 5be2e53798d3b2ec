#include <array/DataTypeUtils.h>
#include <graph/GraphState.h>
#include <graph/VariableProxy.h>
#include <helpers/ShapeUtils.h>

#include <memory>

#include "graph/Interpreter.h"
#include "system/Error.h"

namespace sd::graph {
namespace {

/// The number of the logic node, whose values the scopes read and return.
constexpr int VALUES = 0;

void add(Graph& graph, std::unique_ptr<Node> node) {
  graph.addNode(node.get());
  node.release();
}

}  // namespace

GraphState::GraphState(LongType id) : _id(id) { _graph->setId(id); }

GraphState::~GraphState() = default;

// ---- scopes

Status GraphState::registerScope(int scopeId) {
  if (scopeId == VALUES || _graph->hasNode(scopeId)) return Status::KERNEL_FAILURE;
  add(*_graph, std::make_unique<Node>(OpType_LOGIC, static_cast<int>(logic::Scope), scopeId));
  return Status::OK;
}

Status GraphState::forgetScope(int scopeId) {
  if (!hasScope(scopeId)) return Status::KERNEL_FAILURE;
  // A graph does not lose single nodes, so all are removed and copies of the others are added.
  std::vector<std::unique_ptr<Node>> others;
  for (const Node* node : _graph->allNodes())
    if (node->isScoped() ? node->scopeId() != scopeId : node->id() != scopeId) others.emplace_back(node->clone());
  _graph->clearNodes();
  for (auto& node : others) add(*_graph, std::move(node));
  return Status::OK;
}

Status GraphState::attachOpToScope(int scopeId, int nodeId, ops::DeclarableOp* op, ArgumentsList inputs) {
  if (!hasScope(scopeId)) return Status::KERNEL_FAILURE;
  if (op == nullptr) return Status::BAD_INPUT;
  auto node = std::make_unique<Node>(op, nodeId);
  for (int e = 0; e < inputs.size(); e++) node->pickInput(inputs.at(e).first(), inputs.at(e).second());
  node->setScopeInfo(scopeId);
  add(*_graph, std::move(node));
  return Status::OK;
}

Status GraphState::attachOpToScope(int, LongType, int, ArgumentsList) { return Status::OK; }

Status GraphState::defineReturn(int scopeId, int nodeId, ArgumentsList inputs) {
  if (!hasScope(scopeId)) return Status::KERNEL_FAILURE;
  auto node = std::make_unique<Node>(OpType_LOGIC, static_cast<int>(logic::Return), nodeId);
  for (int e = 0; e < inputs.size(); e++) {
    node->pickInput(inputs.at(e).first(), inputs.at(e).second());
    node->pickOutput(VALUES, e);
  }
  node->setScopeInfo(scopeId);
  add(*_graph, std::move(node));
  return Status::OK;
}

// ---- execution

Status GraphState::failed(Status status, const std::string& message) {
  _failure = message;
  return status;
}

Status GraphState::execute(LongType logicOp, const std::vector<NDArray*>& inputs, const std::vector<int>& scopes,
                           const std::vector<NDArray*>& outputs) {
  _failure.clear();
  if (logicOp != static_cast<int>(logicOp))
    return failed(Status::BAD_INPUT, fmt::format("[GraphState] there is no logic operation {}", logicOp));
  for (const int scope : scopes)
    if (!hasScope(scope))
      return failed(Status::KERNEL_FAILURE, fmt::format("[GraphState] there is no scope {}", scope));
  for (const auto* arrays : {&inputs, &outputs})
    for (const NDArray* array : *arrays)
      if (array == nullptr) return failed(Status::BAD_INPUT, "[GraphState] an array is null");

  // Everything that the nodes compute goes into the proxy, so that the next execution starts from the same state.
  VariableProxy variables(_graph->getVariableSpace());
  FlowPath flow;
  variables.setFlowPath(&flow);
  Node node(OpType_LOGIC, static_cast<int>(logicOp), VALUES);
  const bool scopeFirst = logicOp == logic::Switch;
  if (scopeFirst)
    for (const int scope : scopes) node.pickInput(scope, 0);
  for (size_t e = 0; e < inputs.size(); e++) {
    const int index = static_cast<int>(e);
    variables.putVariable(VALUES, index, new NDArray(*inputs[e]));
    node.pickInput(VALUES, index);
    if (logicOp == logic::Return) node.pickOutput(VALUES, index);
  }
  if (!scopeFirst)
    for (const int scope : scopes) node.pickInput(scope, 0);

  GraphInterpreter interpreter(*_graph, variables);
  const Status status = interpreter.runAlone(node);
  if (status != Status::OK) return failed(status, interpreter.failure());
  return copyOutputs(variables, outputs, logicOp == logic::Switch ? flow.branch(VALUES) : -1);
}

Status GraphState::copyOutputs(const VariableSpace& variables, const std::vector<NDArray*>& outputs, int onlyOutput) {
  std::vector<std::pair<NDArray*, const NDArray*>> copies;
  for (size_t e = 0; e < outputs.size(); e++) {
    const int index = static_cast<int>(e);
    if (onlyOutput >= 0 && index != onlyOutput) continue;
    if (!variables.hasVariable(VALUES, index) || !variables.getVariable(VALUES, index)->hasNDArray())
      return failed(Status::BAD_INPUT, fmt::format("[GraphState] there is no value for output {}", e));
    const NDArray& value = *variables.getVariable(VALUES, index)->getNDArray();
    if (!outputs[e]->isSameShape(value) || outputs[e]->dataType() != value.dataType())
      return failed(Status::BAD_INPUT,
                    fmt::format("[GraphState] output {} is {} {}, but the value is {} {}", e,
                                DataTypeUtils::describe(outputs[e]->dataType()), ShapeUtils::shapeAsString(outputs[e]),
                                DataTypeUtils::describe(value.dataType()), ShapeUtils::shapeAsString(&value)));
    copies.emplace_back(outputs[e], &value);
  }
  for (const auto& [output, value] : copies)
    if (!value->isEmpty()) output->assign(*value);
  return Status::OK;
}

}  // namespace sd::graph
