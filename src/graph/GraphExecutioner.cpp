#include <graph/GraphExecutioner.h>

#include "graph/Interpreter.h"
#include "system/Error.h"

namespace sd::graph {
namespace {

thread_local std::string failure;

Status finished(Status status, const Interpreter& interpreter) {
  failure = status == Status::OK ? std::string() : interpreter.failure();
  return status;
}

}  // namespace

const std::string& GraphExecutioner::failureMessage() { return failure; }

Status GraphExecutioner::execute(Graph* graph, VariableSpace* variableSpace) {
  if (graph == nullptr) invalidArgument("[GraphExecutioner::execute] the graph is null");
  VariableSpace& variables = variableSpace == nullptr ? *graph->getVariableSpace() : *variableSpace;
  graph->buildGraph();
  auto& interpreter = graph->_interpreter;
  if (interpreter == nullptr || !interpreter->serves(*graph, variables))
    interpreter = std::make_unique<Interpreter>(*graph, variables);
  return finished(interpreter->run(), *interpreter);
}

Status GraphExecutioner::executeFlatNode(Graph* graph, Node* node, VariableSpace* variableSpace) {
  if (graph == nullptr || node == nullptr) invalidArgument("[GraphExecutioner::executeFlatNode] a null pointer");
  VariableSpace& variables = variableSpace == nullptr ? *graph->getVariableSpace() : *variableSpace;
  Interpreter interpreter(*graph, variables);
  return finished(interpreter.runAlone(*node), interpreter);
}

Graph* GraphExecutioner::importFromTensorFlow(const char*) { return nullptr; }

}  // namespace sd::graph
