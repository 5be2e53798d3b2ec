#include <exceptions/graph_execution_exception.h>
#include <graph/GraphExecutioner.h>
#include <graph/ResultWrapper.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <limits>
#include <memory>

#include "graph/GraphFile.h"
#include "graph/Interpreter.h"
#include "graph/NodeCall.h"
#include "system/Error.h"

namespace sd::graph {
namespace {

thread_local std::string failure;

Status finished(Status status, const GraphInterpreter& interpreter) {
  failure = status == Status::OK ? std::string() : interpreter.failure();
  return status;
}

/// A graph of the same nodes on variables of its own, which are found before those of `graph`: an execution changes
/// nothing there, neither values of nodes nor variables to which nodes write.
std::unique_ptr<Graph> graphForRequest(Graph& graph) {
  graph.buildGraph();
  std::unique_ptr<Graph> copy(graph.cloneWithProxy());
  VariableSpace &outer = *graph.getVariableSpace(), &own = *copy->getVariableSpace();
  for (Node* node : *copy->getAllNodes()) {
    node->markInplace(false);
    for (int k = 0; outer.hasVariable(node->id(), k); k++)
      own.putVariable(node->id(), k,
                      new Variable(nullptr, outer.getVariable(node->id(), k)->getName()->c_str(), node->id(), k));
    for (const auto& [id, index] : node->outputs())
      if (id < 0 && outer.hasVariable(id)) own.putVariable(id, outer.getVariable(id)->clone());
  }
  return copy;
}

/// Puts a value of the request where the graph has a variable of its name or, without a name, of its number.
void feed(Graph& graph, std::unique_ptr<Variable> value) {
  VariableSpace& space = *graph.getVariableSpace();
  const std::string& name = *value->getName();
  const std::pair<int, int> number(value->id(), value->index());
  if (!space.hasVariable(&name) && (!name.empty() || !space.hasVariable(number)))
    fail("{}the request has a value for ({}, {}) '{}', but there is no such variable", fileText(graph.origin()),
         number.first, number.second, name);
  const Variable& target = name.empty() ? *space.getVariable(number) : *space.getVariable(&name);
  if (target.id() >= 0 && graph.hasNode(target.id()))
    fail("{}the request has a value for ({}, {}) '{}', which a node computes", fileText(graph.origin()), target.id(),
         target.index(), *target.getName());
  if (!value->hasNDArray())
    fail("{}the request has no array for variable ({}, {}) '{}'", fileText(graph.origin()), target.id(), target.index(),
         *target.getName());
  value->setId(target.id(), target.index());
  value->setName(target.getName());
  space.VariableSpace::replaceVariable(value.release());
}

flatbuffers::Offset<FlatResult> writeResults(const Graph& graph, flatbuffers::FlatBufferBuilder& builder) {
  const std::unique_ptr<std::vector<Variable*>> results(graph.fetchOutputs());
  std::vector<flatbuffers::Offset<FlatVariable>> variables;
  for (const Variable* variable : *results) variables.push_back(variable->asFlatVariable(builder));
  const auto variableVector = builder.CreateVector(variables);
  std::vector<flatbuffers::Offset<FlatTiming>> times;
  if (graph.getExecutorConfiguration()->_timestats)
    for (const Node* node : graph.allNodes()) {
      const auto name = builder.CreateString(*node->getName());
      times.push_back(
          CreateFlatTiming(builder, node->id(), name, CreateLongPair(builder, node->outerTime(), node->innerTime())));
    }
  const auto timeVector = builder.CreateVector(times);
  return CreateFlatResult(builder, graph.id(), variableVector, timeVector,
                          graph.getExecutorConfiguration()->_footprintForward,
                          graph.getExecutorConfiguration()->_footprintBackward);
}

}  // namespace

const std::string& GraphExecutioner::failureMessage() { return failure; }

Status GraphExecutioner::execute(Graph* graph, VariableSpace* variableSpace) {
  if (graph == nullptr) invalidArgument("[GraphExecutioner::execute] the graph is null");
  VariableSpace& variables = variableSpace == nullptr ? *graph->getVariableSpace() : *variableSpace;
  graph->buildGraph();
  auto& interpreter = graph->_interpreter;
  if (interpreter == nullptr || !interpreter->serves(*graph, variables))
    interpreter = std::make_unique<GraphInterpreter>(*graph, variables);
  return finished(interpreter->run(), *interpreter);
}

Status GraphExecutioner::executeFlatNode(Graph* graph, Node* node, VariableSpace* variableSpace) {
  if (graph == nullptr || node == nullptr) invalidArgument("[GraphExecutioner::executeFlatNode] a null pointer");
  VariableSpace& variables = variableSpace == nullptr ? *graph->getVariableSpace() : *variableSpace;
  GraphInterpreter interpreter(*graph, variables);
  return finished(interpreter.runAlone(*node), interpreter);
}

flatbuffers::Offset<FlatResult> GraphExecutioner::execute(Graph* graph, flatbuffers::FlatBufferBuilder& builder,
                                                          const FlatInferenceRequest* request) {
  if (graph == nullptr) invalidArgument("[GraphExecutioner::execute] the graph is null");
  const std::unique_ptr<Graph> copy = graphForRequest(*graph);
  if (request != nullptr && request->configuration() != nullptr)
    copy->replaceState(nullptr, std::make_unique<ExecutorConfiguration>(request->configuration()).release());
  if (request != nullptr && request->variables() != nullptr)
    for (const FlatVariable* value : *request->variables()) feed(*copy, std::make_unique<Variable>(value));
  GraphInterpreter interpreter(*copy, *copy->getVariableSpace());
  if (finished(interpreter.run(), interpreter) != Status::OK) throw graph_execution_exception(failure, graph->id());
  return writeResults(*copy, builder);
}

ResultWrapper* GraphExecutioner::executeFlatBuffer(Pointer pointer) {
  const std::unique_ptr<Graph> graph(importFromFlatPointer(pointer));
  try {
    flatbuffers::FlatBufferBuilder builder;
    if (execute(graph.get()) != Status::OK) return nullptr;
    builder.Finish(writeResults(*graph, builder));
    auto bytes = std::make_unique<char[]>(builder.GetSize());
    std::memcpy(bytes.get(), builder.GetBufferPointer(), builder.GetSize());
    auto wrapper = std::make_unique<ResultWrapper>(static_cast<LongType>(builder.GetSize()), bytes.get());
    bytes.release();
    return wrapper.release();
  } catch (const std::exception& error) {
    failure = error.what();
    return nullptr;
  }
}

Graph* GraphExecutioner::importFromFlatBuffers(const char* filename) {
  if (filename == nullptr) invalidArgument("[GraphExecutioner::importFromFlatBuffers] the file name is null");
  return Graph::load(filename).release();
}

Graph* GraphExecutioner::importFromFlatPointer(Pointer pointer) {
  if (pointer == nullptr) invalidArgument("[GraphExecutioner::importFromFlatPointer] the address is null");
  return std::make_unique<Graph>(GetFlatGraph(pointer)).release();
}

long getFileSize(const char* filename) {
  if (filename == nullptr) return -1;
  std::ifstream stream(filename, std::ios::binary | std::ios::ate);
  return stream ? static_cast<long>(stream.tellg()) : -1;
}

uint8_t* readFlatBuffers(const char* filename) {
  if (filename == nullptr) invalidArgument("[readFlatBuffers] the file name is null");
  return readFile(filename, std::numeric_limits<size_t>::max()).data.release();
}

Graph* GraphExecutioner::importFromTensorFlow(const char*) { return nullptr; }

}  // namespace sd::graph
