#include "training/GraphBuilder.h"

#include <ops/declarable/OpRegistrator.h>

#include <algorithm>

#include "call/argument_values.h"
#include "graph/ResultNames.h"
#include "system/Error.h"

namespace sd::training {

GraphBuilder::GraphBuilder(graph::Graph& graph) : _graph(graph) {
  for (const graph::Node* node : graph.allNodes()) _last = std::max(_last, node->id());
}

Value GraphBuilder::find(const std::string& name) const {
  const auto [id, output] = graph::ResultNames(_graph, "training").find(name);
  return {id, std::max(0, output)};
}

Value GraphBuilder::add(graph::Node* node, std::vector<Value> inputs, const std::string& name) {
  if (!name.empty()) node->setName(name);
  node->setInputs(std::move(inputs));
  _graph.addNode(node);
  return {node->id(), 0};
}

namespace {

ops::DeclarableOp* operationOf(const char* name) {
  ops::DeclarableOp* op = ops::OpRegistrator::getInstance().find(name);
  if (op == nullptr) invalidArgument("[training] the operation '{}' is not in this build", name);
  return op;
}

}  // namespace

Value GraphBuilder::call(const char* operation, std::vector<Value> inputs, const std::string& name,
                         std::initializer_list<std::pair<const char*, ops::ArgumentValue>> arguments) {
  auto* node = new graph::Node(operationOf(operation), ++_last);
  for (const auto& [argument, value] : arguments) node->setArgument(argument, value);
  return add(node, std::move(inputs), name);
}

Value GraphBuilder::call(const char* operation, std::vector<Value> inputs, const std::string& name,
                         const std::vector<std::pair<std::string, double>>& arguments) {
  auto* node = new graph::Node(operationOf(operation), ++_last);
  for (const auto& [argument, value] : arguments) node->setArgument(argument, ops::numberArgument(value));
  return add(node, std::move(inputs), name);
}

Value GraphBuilder::scalar(int operation, Value input, double operand) {
  auto* node = new graph::Node(graph::OpType_SCALAR, operation, ++_last);
  node->setScalar(operand);
  return add(node, {input}, "");
}

Value GraphBuilder::transform(graph::OpType group, int operation, Value input) {
  return add(new graph::Node(group, operation, ++_last), {input}, "");
}

Value GraphBuilder::variable(NDArray* array, const std::string& name) {
  const int id = _graph.getVariableSpace()->nextExternalId();
  _graph.getVariableSpace()->putVariable(id, new graph::Variable(array, name.c_str(), id));
  return {id, 0};
}

Value GraphBuilder::constant(NDArray* array) {
  const Value value = variable(array, "");
  _graph.getVariableSpace()->getVariable(value)->setVariableType(graph::CONSTANT);
  return value;
}

}  // namespace sd::training
