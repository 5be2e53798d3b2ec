#include "graph/Interpreter.h"

#include <exceptions/graph_execution_exception.h>
#include <system/Environment.h>

#include <algorithm>

#include "graph/GraphChecks.h"
#include "graph/InterpreterCall.h"
#include "graph/LoopNode.h"
#include "graph/NodeCall.h"
#include "system/Error.h"

namespace sd::graph {

GraphInterpreter::GraphInterpreter(Graph& graph, VariableSpace& variables)
    : _graph(graph), _variables(variables), _version(graph.version()) {
  for (const Node* node : graph.allNodes()) {
    for (const auto& input : node->inputs())
      if (input != ABSENT_INPUT) _readers[input.first]++;
    if (isLoop(*node)) try {
        for (const auto& kept : keptBy(*node)) _readers[kept.first]++;
      } catch (const std::invalid_argument&) {
        rethrowAt(placeOf(graph.origin(), *node));
      }
    _hasFrames = _hasFrames || node->isLogic(logic::NextIteration);
  }
  if (_hasFrames) findLoops();
  checkNesting(graph);
}

GraphInterpreter::~GraphInterpreter() = default;

GraphInterpreter::Call& GraphInterpreter::callFor(const Node& node) {
  if (_next != nullptr && _next->node == &node) return *_next;
  auto& call = _calls[&node];
  if (call == nullptr) {
    call = std::make_unique<Call>();
    call->node = &node;
  }
  return *call;
}

GraphInterpreter::Call& GraphInterpreter::callOf(Node& node) {
  Call& call = callFor(node);
  if (call.block == nullptr || !hasArgumentsOf(*call.block, node)) {
    call.block = contextOf(node);
    call.block->setVariableSpace(&_variables);
    call.shapes.clear();
  }
  return call;
}

void GraphInterpreter::listCalls() {
  const auto& layers = _graph.layers();
  if (std::equal(layers.begin(), layers.end(), _layerCalls.begin(), _layerCalls.end(),
                 [](const auto& nodes, const auto& calls) { return nodes.size() == calls.size(); }))
    return;
  _layerCalls.clear();
  for (const auto& layer : layers) {
    _layerCalls.emplace_back();
    for (const Node* node : layer) _layerCalls.back().push_back(&callFor(*node));
  }
}

void GraphInterpreter::markActive(const Node& node, bool isActive) {
  // Nodes are active unless something else is said.
  if (!_ownsFlow || _flow->isNodeActive(node.id()) != isActive) _flow->markNodeActive(node.id(), isActive);
}

void GraphInterpreter::checkCancelled(const Node& node) const {
  if (_limits.cancelled != nullptr && _limits.cancelled->load(std::memory_order_relaxed))
    throw graph_execution_exception(placeOf(_graph.origin(), node) + ": the execution was cancelled", _graph.id());
}

Status GraphInterpreter::fail(const Node& node, Status status, const std::string& why) {
  _failure = placeOf(_graph.origin(), node) + ": " + why;
  return status;
}

// ---- the walk through the layers

/// Gives the variable space a flow path for as long as nodes run.
class GraphInterpreter::Run {
 public:
  Run(GraphInterpreter& interpreter, const RunLimits& limits)
      : _interpreter(interpreter), _outer(interpreter._variables.flowPath()) {
    interpreter._limits = limits;
    interpreter._failure.clear();
    interpreter._timed =
        interpreter._graph.getExecutorConfiguration()->_timestats || Environment::getInstance().isProfiling();
    interpreter._flow = _outer == nullptr ? &_own : _outer;
    interpreter._ownsFlow = _outer == nullptr;
    interpreter._run++;
    interpreter._variables.setFlowPath(interpreter._flow);
  }
  Run(const Run&) = delete;
  Run& operator=(const Run&) = delete;
  ~Run() {
    _interpreter._variables.setFlowPath(_outer);
    _interpreter._flow = nullptr;
    _interpreter._next = nullptr;
  }

 private:
  GraphInterpreter& _interpreter;
  FlowPath* _outer;
  FlowPath _own;
};

Status GraphInterpreter::run(const RunLimits& limits) {
  const LongType start = GraphProfile::currentTime();
  _graph.buildGraph();
  const LongType built = GraphProfile::currentTime();
  const Run run(*this, limits);
  const Status status = runLayers();
  if (_timed) {
    _flow->profile()->setBuildTime(built - start);
    _flow->profile()->setExecutionTime(GraphProfile::relativeTime(built));
  }
  return status;
}

Status GraphInterpreter::runAlone(Node& node, const RunLimits& limits) {
  const Run run(*this, limits);
  return runNode(node);
}

Status GraphInterpreter::runLayers() {
  // The loops that go on with an earlier layer, each with the Exit that sends it there: nodes outside of the innermost
  // one have run and do not run again.
  std::vector<const Node*> exits;
  LongType steps = 0;
  const LongType most = _limits.steps + _graph.totalNodes();
  const auto& layers = _graph.layers();
  listCalls();
  for (size_t layer = 0; layer < layers.size();) {
    int rewindTo = -1;
    for (size_t i = 0; i < layers[layer].size(); i++) {
      Node* node = layers[layer][i];
      _next = _layerCalls[layer][i];
      if (!exits.empty() && _loops[exits.back()->getFrameId()].count(node) == 0) continue;
      if (++steps > most)
        return fail(*node, Status::KERNEL_FAILURE,
                    fmt::format("the graph has taken {} steps; a loop that does not end?", steps - 1));
      checkCancelled(*node);
      const Status status = step(*node, rewindTo);
      if (status != Status::OK) return status;
      const bool isAgain = !exits.empty() && exits.back() == node;
      if (rewindTo < 0) {
        if (isAgain) exits.pop_back();
        continue;
      }
      if (!isAgain) exits.push_back(node);
      break;
    }
    layer = rewindTo >= 0 ? static_cast<size_t>(rewindTo) : layer + 1;
  }
  return Status::OK;
}

bool GraphInterpreter::isSkipped(const Node& node) const {
  if (node.isLogic(logic::Merge)) {
    // A loop in a branch that is not taken does not begin, whatever its end has done before.
    if (node.inputs().size() == 2 && node.inputs()[0].first >= 0) {
      const auto end = _graph.getMapped()->find(node.inputs()[1].first);
      if (end != _graph.getMapped()->end() && end->second->isLogic(logic::NextIteration))
        return !_flow->isNodeActive(node.inputs()[0].first);
    }
    for (const auto& [id, index] : node.inputs())
      if (_flow->isNodeActive(id)) return false;
    return true;
  }
  for (const auto& [id, index] : node.inputs()) {
    if (id < 0 || index < 0) continue;
    const auto writer = _graph.getMapped()->find(id);
    if (writer == _graph.getMapped()->end()) continue;
    if (!_flow->isNodeActive(id)) return true;
    if (writer->second->isDivergencePoint() && _flow->branch(id) != index) return true;
  }
  return false;
}

Status GraphInterpreter::step(Node& node, int& rewindTo) {
  const LongType frame = node.getFrameId();
  if (node.isLogic(logic::Exit) && _flow->isRewindPlanned(frame)) {
    rewindTo = _flow->getRewindPosition(frame);
    _flow->setRewindPosition(frame, -1);
    _flow->planRewind(frame, false);
    _flow->incrementNumberOfCycles(frame);
    return Status::OK;
  }
  const bool skipped = isSkipped(node);
  markActive(node, !skipped);
  if (skipped) return Status::OK;
  if (node.isLogic(logic::Enter)) _flow->registerFrame(frame);
  const Status status = runNode(node);
  if (status == Status::OK && node.isLogic(logic::NextIteration)) {
    // Values of the loop may enter it in different layers.
    const int start = node.getRewindLayer().first, planned = _flow->getRewindPosition(frame);
    if (!_flow->isRewindPlanned(frame) || planned < 0 || start < planned) _flow->setRewindPosition(frame, start);
    _flow->planRewind(frame, true);
  }
  return status;
}

// ---- one node

Status GraphInterpreter::runNode(Node& node) {
  const LongType start = _timed ? GraphProfile::currentTime() : 0;
  Status status = Status::OK;
  try {
    if (node.isLogic())
      status = runLogic(node);
    else if (node.hasGraphEmbedded())
      status = runEmbedded(node);
    else
      status = runOperation(node);
  } catch (...) {
    rethrowAt(placeOf(_graph.origin(), node));
  }
  if (status != Status::OK) return status;
  copyToTargets(node);
  if (_timed) record(node, start);
  if (!_ownsFlow || node.isLogic(logic::NextIteration)) _flow->markExecuted(node.id(), true);
  return Status::OK;
}

void GraphInterpreter::record(Node& node, LongType start) {
  const LongType total = GraphProfile::relativeTime(start);
  const bool operates = node.hasCustomOp() && !node.isLogic() && !node.hasGraphEmbedded();
  _flow->setOuterTime(node.id(), total);
  node.setOuterTime(total);
  if (operates) {
    _flow->setInnerTime(node.id(), _execution);
    node.setInnerTime(_execution);
  }
  const auto arrayOf = [this](const std::pair<int, int>& place) -> const NDArray* {
    if (place == ABSENT_INPUT || !_variables.hasVariable(place)) return nullptr;
    const Variable* variable = _variables.getVariable(place);
    return variable->hasNDArray() ? variable->getNDArray() : nullptr;
  };
  std::vector<const NDArray*> inputs, outputs;
  for (const auto& place : node.inputs()) inputs.push_back(arrayOf(place));
  // A Switch has output 1 without output 0.
  for (int k = 0; k < 2 || _variables.hasVariable(node.id(), k); k++) outputs.push_back(arrayOf({node.id(), k}));
  recordCall(*_flow->profile(), node, {start, operates ? _preparation : 0, operates ? _execution : total, total},
             inputs, outputs);
}

Status GraphInterpreter::runEmbedded(Node& node) {
  Graph& inner = *node.getGraph();
  VariableSpace& space = *inner.getVariableSpace();
  size_t position = 0;
  for (Variable* placeholder : space.getPlaceholders()) {
    const Variable* source = nullptr;
    if (!placeholder->getName()->empty() && _variables.hasVariable(placeholder->getName()))
      source = _variables.getVariable(placeholder->getName());
    else if (position < node.inputs().size())
      source = &variableOf(node, position);
    position++;
    if (source == nullptr || !source->hasNDArray())
      return fail(node, Status::BAD_INPUT,
                  fmt::format("the placeholder {} '{}' of the embedded graph is not fed", placeholder->id(),
                              *placeholder->getName()));
    if (placeholder->hasNDArray() && placeholder->isRemovable()) delete placeholder->getNDArray();
    placeholder->setNDArray(sharedArray(*source->getNDArray()).release());
    placeholder->markRemovable(true);
  }
  Call& call = callFor(node);
  inner.buildGraph();
  if (call.embedded == nullptr || !call.embedded->serves(inner, space))
    call.embedded = std::make_unique<GraphInterpreter>(inner, space);
  const Status status = call.embedded->run(_limits);
  if (status != Status::OK) return fail(node, status, call.embedded->failure());
  const std::unique_ptr<std::vector<Variable*>> results(inner.fetchOutputs());
  for (size_t k = 0; k < results->size(); k++) share(node, static_cast<int>(k), *(*results)[k]);
  return Status::OK;
}

}  // namespace sd::graph
