// C functions of graphs: stored graphs, results, scopes.
#include <graph/Context.h>
#include <graph/GraphExecutioner.h>
#include <graph/GraphHolder.h>
#include <graph/GraphState.h>
#include <graph/ResultWrapper.h>
#include <graph/VariablesSet.h>
#include <helpers/ShapeUtils.h>
#include <helpers/shape.h>
#include <legacy/NativeOps.h>
#include <ops/declarable/OpRegistrator.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "cnpy/Printable.h"
#include "graph/GraphFile.h"
#include "legacy/Guard.h"
#include "legacy/Wrapped.h"

using namespace sd::legacy;
using sd::LongType;
using sd::NDArray;
using sd::Pointer;
using sd::Status;
using sd::graph::Graph;
using sd::graph::GraphHolder;
using sd::graph::GraphState;
using sd::graph::Node;
using sd::graph::ResultWrapper;
using sd::graph::Variable;
using sd::graph::VariableSpace;
using sd::graph::VariablesSet;

namespace {

/// An array on the caller's memory.
std::unique_ptr<NDArray> wrapped(const char* buffers, const char* shapes, int index, void* buffer, const void* shape) {
  const auto* info = static_cast<const LongType*>(shape);
  if (info == nullptr) sd::fail("argument '{}': the shape at [{}] is null", shapes, index);
  shape::validate(info, shapes);
  if (shape::isEmpty(info)) return std::make_unique<NDArray>(info, true, sd::LaunchContext::defaultContext());
  if (sd::DataTypeUtils::isS(sd::ArrayOptions::dataType(info)))
    sd::fail("argument '{}': there are strings at [{}], which have no plain address", shapes, index);
  if (buffer == nullptr) sd::fail("argument '{}': the buffer at [{}] is null", buffers, index);
  return std::make_unique<NDArray>(buffer, info);
}

std::vector<std::unique_ptr<NDArray>> wrapped(const char* buffersName, const char* shapesName, Pointer* buffers,
                                              Pointer* shapes, int count) {
  checkedList(buffersName, buffers, count);
  checkedList(shapesName, shapes, count);
  std::vector<std::unique_ptr<NDArray>> arrays;
  for (int i = 0; i < count; i++) arrays.push_back(wrapped(buffersName, shapesName, i, buffers[i], shapes[i]));
  return arrays;
}

std::vector<NDArray*> pointers(const std::vector<std::unique_ptr<NDArray>>& arrays) {
  std::vector<NDArray*> result;
  for (const auto& array : arrays) result.push_back(array.get());
  return result;
}

// ---- graphs

const sd::graph::FlatGraph& verified(const void* bytes, LongType size) {
  const auto* data = static_cast<const uint8_t*>(bytes);
  required("bytes", data);
  if (size < 8 || size >= std::numeric_limits<int32_t>::max()) sd::fail("argument 'size': {} bytes are no graph", size);
  if (reinterpret_cast<uintptr_t>(bytes) % alignof(LongType) != 0)
    sd::fail("argument 'bytes': the address is not a multiple of {}", alignof(LongType));
  try {
    return sd::graph::verifiedGraph(data, static_cast<size_t>(size), "");
  } catch (const std::exception& error) {
    sd::fail("argument 'bytes': they hold no valid graph: {}", error.what());
  }
}

template <typename Read>
Status registerRead(const char* function, LongType graphId, Read&& read) {
  return guardedOr(Status::BAD_INPUT, function, [&] {
    GraphHolder& holder = GraphHolder::getInstance();
    if (holder.hasGraph(graphId)) throw sd::graph_exists_exception(graphId);
    std::unique_ptr<Graph> graph = read();
    graph->buildGraph();
    holder.registerGraph(graphId, graph.get());
    graph.release();
    return Status::OK;
  });
}

// ---- executions

void checkShape(const Variable& variable, const NDArray& array) {
  const std::vector<LongType>& expected = variable.shape();
  if (!variable.isPlaceholder() || expected.empty()) return;
  bool fits = static_cast<int>(expected.size()) == array.rankOf();
  for (size_t i = 0; i < expected.size() && fits; i++)
    fits = expected[i] < 0 || expected[i] == array.sizeAt(static_cast<int>(i));
  if (!fits)
    sd::fail("the placeholder {} '{}' has shape [{}], but the array has shape {}", variable.id(), *variable.getName(),
             fmt::join(expected, ", "), sd::ShapeUtils::shapeAsString(&array));
}

/// Puts the array in place of the variable. It stays the caller's: when a node writes the variable, it gets a copy.
void feed(Graph& graph, const Variable& former, NDArray& array) {
  checkShape(former, array);
  const std::pair<int, int> place(former.id(), former.index());
  const bool isWritten = std::any_of(graph.allNodes().begin(), graph.allNodes().end(), [&](const Node* node) {
    const auto& outputs = node->outputs();
    return std::find(outputs.begin(), outputs.end(), place) != outputs.end();
  });
  auto variable = std::make_unique<Variable>(nullptr, former.getName()->c_str(), place.first, place.second);
  variable->setNDArray(isWritten ? new NDArray(array) : &array);
  variable->markRemovable(isWritten);
  variable->markReadOnly(!isWritten);
  variable->markExternal(true);
  graph.getVariableSpace()->dropVariable(place);
  graph.getVariableSpace()->putVariable(place, variable.get());
  variable.release();
}

/// Copies: the variables of the graph may share memory with each other and with the inputs.
void addResult(VariablesSet& set, const Variable& variable) { set.push_back(variable.clone()); }

VariablesSet* failedSet(const char* function, Status status) {
  auto set = std::make_unique<VariablesSet>(status);
  storeError(function, sd::graph::GraphExecutioner::failureMessage().c_str());
  return set.release();
}

/// Executes a graph once. Returns nullptr, and stores an error, for a status other than OK.
ResultWrapper* executed(const char* function, const sd::graph::FlatGraph& flat) {
  Graph graph(&flat);
  if (sd::graph::GraphExecutioner::execute(&graph) != Status::OK) {
    storeError(function, sd::graph::GraphExecutioner::failureMessage().c_str());
    return nullptr;
  }
  flatbuffers::FlatBufferBuilder builder;
  std::vector<flatbuffers::Offset<sd::graph::FlatVariable>> variables;
  const std::unique_ptr<std::vector<Variable*>> results(graph.fetchOutputs());
  for (const Variable* variable : *results) variables.push_back(variable->asFlatVariable(builder));
  std::vector<flatbuffers::Offset<sd::graph::FlatTiming>> timing;
  if (graph.getExecutorConfiguration()->_timestats)
    for (const Node* node : graph.allNodes())
      timing.push_back(
          sd::graph::CreateFlatTiming(builder, node->id(), builder.CreateString(*node->getName()),
                                      sd::graph::CreateLongPair(builder, node->innerTime(), node->outerTime())));
  builder.Finish(
      sd::graph::CreateFlatResult(builder, flat.id(), builder.CreateVector(variables), builder.CreateVector(timing)));
  auto bytes = std::make_unique<char[]>(builder.GetSize());
  std::memcpy(bytes.get(), builder.GetBufferPointer(), builder.GetSize());
  auto result = std::make_unique<ResultWrapper>(static_cast<LongType>(builder.GetSize()), bytes.get());
  bytes.release();
  return result.release();
}

std::pair<int, int> placeOf(const Graph& graph, const char* name) {
  if (required("outputNames", name) == '\0') sd::fail("argument 'outputNames': a name is empty");
  for (const Node* node : graph.allNodes())
    if (!node->isScoped() && *node->getName() == name) return {node->id(), 0};
  const std::string text = name;
  if (!graph.getVariableSpace()->hasVariable(&text))
    sd::fail("argument 'outputNames': there is no node and no variable '{}'", sd::npy::printable(text, 60));
  const Variable* variable = graph.getVariableSpace()->getVariable(&text);
  return {variable->id(), variable->index()};
}

GraphState& stateOf(Pointer state) { return required("state", static_cast<GraphState*>(state)); }

Status checked(const char* function, Status status, const std::string& message) {
  if (status != Status::OK) storeError(function, message.c_str());
  return status;
}

sd::graph::ArgumentsList places(const int* ids, const int* indices, int count) {
  checkedList("inputIds", ids, count);
  checkedList("inputIndices", indices, count);
  sd::graph::ArgumentsList places;
  for (int i = 0; i < count; i++) places.push_back({ids[i], indices[i]});
  return places;
}

void takeArguments(Node& node, sd::graph::Context& context) {
  sd::graph::ContextPrototype& prototype = *node.getContextPrototype();
  for (const double value : context.floatArguments()) prototype.appendT(value);
  for (size_t i = 0; i < context.numI(); i++) prototype.appendI(context.intArgument64(i));
  for (const bool value : *context.getBArguments()) prototype.appendB(value);
  for (const sd::DataType value : *context.getDArguments()) prototype.appendD(value);
  *prototype.getAxis() = context.axes();
  for (const auto& [name, value] : context.namedArguments()) node.setArgument(name, value);
}

}  // namespace

// ---- stored graphs

Status registerGraph(Pointer*, LongType graphId, Pointer flatBufferPointer) {
  return registerRead(__func__, graphId, [&] {
    required("flatBufferPointer", static_cast<const char*>(flatBufferPointer));
    return std::make_unique<Graph>(sd::graph::GetFlatGraph(flatBufferPointer));
  });
}

Status registerGraphFromBytes(Pointer*, LongType graphId, Pointer bytes, LongType size) {
  return registerRead(__func__, graphId, [&] { return std::make_unique<Graph>(&verified(bytes, size)); });
}

Status registerGraphFromFile(Pointer*, LongType graphId, const char* path) {
  return registerRead(__func__, graphId, [&] { return Graph::load(&required("path", path)); });
}

Status unregisterGraph(Pointer*, LongType graphId) {
  return guardedOr(Status::KERNEL_FAILURE, __func__, [&] {
    GraphHolder::getInstance().dropGraphAny(graphId);
    return Status::OK;
  });
}

OpaqueVariablesSet* executeStoredGraph(Pointer*, LongType graphId, Pointer* inputBuffers, Pointer* inputShapes,
                                       int* inputIndices, int numInputs) {
  const char* function = __func__;
  return guarded(function, [&]() -> VariablesSet* {
    checkedList("inputIndices", inputIndices, numInputs);
    const auto arrays = wrapped("inputBuffers", "inputShapes", inputBuffers, inputShapes, numInputs);
    const std::unique_ptr<Graph> graph(GraphHolder::getInstance().cloneGraph(graphId));
    VariableSpace& variables = *graph->getVariableSpace();
    for (int i = 0; i < numInputs; i++) {
      if (!variables.hasVariable(inputIndices[i], 0) || graph->hasNode(inputIndices[i]))
        sd::fail("argument 'inputIndices': {} at [{}] is no variable of graph {}", inputIndices[i], i, graphId);
      feed(*graph, *variables.getVariable(inputIndices[i], 0), *arrays[static_cast<size_t>(i)]);
    }
    const Status status = sd::graph::GraphExecutioner::execute(graph.get());
    if (status != Status::OK) return failedSet(function, status);
    auto set = std::make_unique<VariablesSet>(status);
    const std::unique_ptr<std::vector<Variable*>> results(graph->fetchOutputs());
    for (const Variable* variable : *results) addResult(*set, *variable);
    return set.release();
  });
}

OpaqueVariablesSet* executeStoredGraphByNames(Pointer*, LongType graphId, const char* const* inputNames,
                                              OpaqueDataBuffer** inputs, LongType const* const* inputShapes,
                                              int numInputs, const char* const* outputNames, int numOutputs) {
  const char* function = __func__;
  return guarded(function, [&]() -> VariablesSet* {
    checkedList("inputNames", inputNames, numInputs);
    checkedList("outputNames", outputNames, numOutputs);
    const auto arrays = sharedArrays(function, "inputs", "inputShapes", inputs, inputShapes, numInputs);
    const std::unique_ptr<Graph> graph(GraphHolder::getInstance().cloneGraph(graphId));
    VariableSpace& variables = *graph->getVariableSpace();
    for (int i = 0; i < numInputs; i++) {
      const std::string name = &required("inputNames", inputNames[i]);
      if (!variables.hasVariable(&name))
        sd::fail("argument 'inputNames': graph {} has no variable '{}'", graphId, sd::npy::printable(name, 60));
      if (graph->hasNode(variables.getVariable(&name)->id()))
        sd::fail("argument 'inputNames': a node of graph {} computes '{}'", graphId, sd::npy::printable(name, 60));
      feed(*graph, *variables.getVariable(&name), *arrays[static_cast<size_t>(i)]);
    }
    std::vector<std::pair<int, int>> places;
    for (int i = 0; i < numOutputs; i++) places.push_back(placeOf(*graph, outputNames[i]));
    const Status status = sd::graph::GraphExecutioner::execute(graph.get());
    if (status != Status::OK) return failedSet(function, status);
    auto set = std::make_unique<VariablesSet>(status);
    if (numOutputs == 0) {
      const std::unique_ptr<std::vector<Variable*>> results(graph->fetchOutputs());
      for (const Variable* variable : *results) addResult(*set, *variable);
    }
    for (size_t i = 0; i < places.size(); i++) {
      if (!variables.hasVariable(places[i]) || !variables.getVariable(places[i])->hasNDArray())
        sd::fail("the result '{}' has no value", outputNames[i]);
      addResult(*set, *variables.getVariable(places[i]));
    }
    return set.release();
  });
}

// ---- results

OpaqueResultWrapper* executeFlatGraph(Pointer*, Pointer flatBufferPointer) {
  const char* function = __func__;
  return guarded(function, [&] {
    required("flatBufferPointer", static_cast<const char*>(flatBufferPointer));
    return executed(function, *sd::graph::GetFlatGraph(flatBufferPointer));
  });
}

OpaqueResultWrapper* executeFlatGraphBytes(Pointer*, Pointer bytes, LongType size) {
  const char* function = __func__;
  return guarded(function, [&] { return executed(function, verified(bytes, size)); });
}

LongType getResultWrapperSize(OpaqueResultWrapper* ptr) {
  return guarded(__func__, [&] { return required("ptr", ptr).size(); });
}

Pointer getResultWrapperPointer(OpaqueResultWrapper* ptr) {
  return guarded(__func__, [&] { return required("ptr", ptr).pointer(); });
}

void deleteResultWrapper(Pointer ptr) { delete static_cast<OpaqueResultWrapper*>(ptr); }

LongType getVariablesSetSize(OpaqueVariablesSet* set) {
  return guarded(__func__, [&]() -> LongType { return required("set", set).size(); });
}

Status getVariablesSetStatus(OpaqueVariablesSet* set) {
  return guardedOr(Status::BAD_INPUT, __func__, [&] { return required("set", set).status(); });
}

OpaqueVariable* getVariable(OpaqueVariablesSet* set, LongType i) {
  return guarded(__func__, [&] {
    const VariablesSet& variables = required("set", set);
    if (i < 0 || i >= variables.size()) sd::fail("argument 'i': {} is outside 0..{}", i, variables.size() - 1);
    return variables.at(static_cast<int>(i));
  });
}

int getVariableId(OpaqueVariable* variable) {
  return guarded(__func__, [&] { return required("variable", variable).id(); });
}

int getVariableIndex(OpaqueVariable* variable) {
  return guarded(__func__, [&] { return required("variable", variable).index(); });
}

const char* getVariableName(OpaqueVariable* variable) {
  return guarded(__func__, [&] { return required("variable", variable).getName()->c_str(); });
}

LongType const* getVariableShape(OpaqueVariable* variable) {
  return guarded(__func__, [&] { return required("variable", variable).getNDArray()->shapeInfo(); });
}

void* getVariableBuffer(OpaqueVariable* variable) {
  return guarded(__func__, [&] { return required("variable", variable).getNDArray()->buffer(); });
}

void deleteVariablesSet(OpaqueVariablesSet* pointer) { delete pointer; }

// ---- scopes

Pointer getGraphState(LongType id) {
  return guarded(__func__, [&]() -> Pointer { return new GraphState(id); });
}

void deleteGraphState(Pointer state) { delete static_cast<GraphState*>(state); }

Status registerScopeOfGraphState(Pointer state, int scopeId) {
  const char* function = __func__;
  return guardedOr(Status::BAD_INPUT, function, [&] {
    return checked(function, stateOf(state).registerScope(scopeId),
                   fmt::format("argument 'scopeId': the number {} is in use", scopeId));
  });
}

Status attachOpToScopeOfGraphState(Pointer state, int scopeId, int nodeId, LongType opHash, OpaqueContext* arguments,
                                   const int* inputIds, const int* inputIndices, int numInputs) {
  const char* function = __func__;
  return guardedOr(Status::BAD_INPUT, function, [&] {
    GraphState& target = stateOf(state);
    sd::ops::DeclarableOp* op = sd::ops::OpRegistrator::getInstance().getOperation(opHash);
    if (op == nullptr) sd::fail("argument 'opHash': there is no operation with hash {}", opHash);
    const Status status = target.attachOpToScope(scopeId, nodeId, op, places(inputIds, inputIndices, numInputs));
    if (status == Status::OK && arguments != nullptr)
      takeArguments(*target.getScope(scopeId)->nodes()->back(), *arguments);
    return checked(function, status, fmt::format("argument 'scopeId': there is no scope {}", scopeId));
  });
}

Status defineReturnOfGraphState(Pointer state, int scopeId, int nodeId, const int* inputIds, const int* inputIndices,
                                int numInputs) {
  const char* function = __func__;
  return guardedOr(Status::BAD_INPUT, function, [&] {
    return checked(function, stateOf(state).defineReturn(scopeId, nodeId, places(inputIds, inputIndices, numInputs)),
                   fmt::format("argument 'scopeId': there is no scope {}", scopeId));
  });
}

Status execCustomOpWithScope(Pointer*, Pointer state, LongType opHash, LongType* scopes, int numScopes,
                             Pointer* inputBuffers, Pointer* inputShapes, int numInputs, Pointer* outputBuffers,
                             Pointer* outputShapes, int numOutputs) {
  const char* function = __func__;
  return guardedOr(Status::BAD_INPUT, function, [&] {
    GraphState& target = stateOf(state);
    checkedList("scopes", scopes, numScopes);
    std::vector<int> ids;
    for (int i = 0; i < numScopes; i++) {
      const int id = static_cast<int>(scopes[i]);
      if (id != scopes[i] || !target.hasScope(id))
        return checked(function, Status::KERNEL_FAILURE, fmt::format("there is no scope {}", scopes[i]));
      ids.push_back(id);
    }
    const auto inputs = wrapped("inputBuffers", "inputShapes", inputBuffers, inputShapes, numInputs);
    const auto outputs = wrapped("outputBuffers", "outputShapes", outputBuffers, outputShapes, numOutputs);
    const Status status = target.execute(opHash, pointers(inputs), ids, pointers(outputs));
    return checked(function, status, target.failureMessage());
  });
}
