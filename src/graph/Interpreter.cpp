#include "graph/Interpreter.h"

#include <exceptions/graph_execution_exception.h>
#include <ops/declarable/BooleanOp.h>
#include <ops/declarable/DeclarableListOp.h>
#include <system/Environment.h>

#include <algorithm>
#include <limits>

#include "graph/GraphChecks.h"
#include "graph/GraphFile.h"
#include "graph/KeptValues.h"
#include "graph/NodeCall.h"
#include "system/Error.h"

namespace sd::graph {
namespace {

bool sameArray(const NDArray& a, const NDArray& b) {
  return a.dataBuffer() == b.dataBuffer() && a.bufferOffset() == b.bufferOffset() && a.shapeInfo() == b.shapeInfo();
}

/// Arrays that were fed are someone else's, and constants stay what they are.
bool mayOverwrite(const Variable& variable) {
  return !variable.isReadOnly() && !variable.isPlaceholder() && variable.variableType() != CONSTANT;
}

}  // namespace

std::unique_ptr<NDArray> sharedArray(const NDArray& array) {
  if (array.dataBuffer() == nullptr) return std::make_unique<NDArray>(array);
  return std::make_unique<NDArray>(array.dataBuffer(), ShapeDescriptor(array.shapeInfo()),
                                   LaunchContext::defaultContext(), array.bufferOffset());
}

/// What is kept of a node between executions.
struct Interpreter::Call {
  const Node* node = nullptr;
  std::unique_ptr<Context> block;
  /// The arrays that earlier executions put into the variables of its outputs.
  std::vector<const NDArray*> published;
  /// The variables of its outputs, as of execution number `run`.
  std::vector<Variable*> outputs;
  size_t run = 0;
  struct Input {
    std::pair<int, int> name;
    Call* writer;  ///< of the node that writes it, or nullptr
  };
  std::vector<Input> inputs;
  /// Of the inputs, when it was last found out whether the result fits the first one.
  std::vector<const LongType*> shapes;
  bool fitsInput = false;
  std::unique_ptr<Interpreter> embedded;
};

Interpreter::Interpreter(Graph& graph, VariableSpace& variables)
    : _graph(graph), _variables(variables), _version(graph.version()) {
  for (const Node* node : graph.allNodes()) {
    for (const auto& input : node->inputs())
      if (input != ABSENT_INPUT) _readers[input.first]++;
    if (node->isLogic(logic::While))
      for (const auto& kept : keptBy(*node)) _readers[kept.first]++;
    _hasFrames = _hasFrames || node->isLogic(logic::NextIteration);
  }
  if (_hasFrames) findLoops();
  checkNesting(graph);
}

Interpreter::~Interpreter() = default;

Interpreter::Call& Interpreter::callFor(const Node& node) {
  if (_next != nullptr && _next->node == &node) return *_next;
  auto& call = _calls[&node];
  if (call == nullptr) {
    call = std::make_unique<Call>();
    call->node = &node;
  }
  return *call;
}

Interpreter::Call& Interpreter::callOf(Node& node) {
  Call& call = callFor(node);
  if (call.block == nullptr || !hasArgumentsOf(*call.block, node)) {
    call.block = contextOf(node);
    call.block->setVariableSpace(&_variables);
    call.shapes.clear();
  }
  return call;
}

void Interpreter::listCalls() {
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

void Interpreter::markActive(const Node& node, bool isActive) {
  // Nodes are active unless something else is said.
  if (!_ownsFlow || _flow->isNodeActive(node.id()) != isActive) _flow->markNodeActive(node.id(), isActive);
}

void Interpreter::checkCancelled(const Node& node) const {
  if (_limits.cancelled != nullptr && _limits.cancelled->load(std::memory_order_relaxed))
    throw graph_execution_exception(placeOf(_graph.origin(), node) + ": the execution was cancelled", _graph.id());
}

Status Interpreter::fail(const Node& node, Status status, const std::string& why) {
  _failure = placeOf(_graph.origin(), node) + ": " + why;
  return status;
}

// ---- the walk through the layers

/// Gives the variable space a flow path for as long as nodes run.
class Interpreter::Run {
 public:
  Run(Interpreter& interpreter, const RunLimits& limits)
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
  Interpreter& _interpreter;
  FlowPath* _outer;
  FlowPath _own;
};

Status Interpreter::run(const RunLimits& limits) {
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

Status Interpreter::runAlone(Node& node, const RunLimits& limits) {
  const Run run(*this, limits);
  return runNode(node);
}

Status Interpreter::runLayers() {
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

bool Interpreter::isSkipped(const Node& node) const {
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

Status Interpreter::step(Node& node, int& rewindTo) {
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

Status Interpreter::runNode(Node& node) {
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

void Interpreter::record(Node& node, LongType start) {
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

Status Interpreter::runOperation(Node& node) {
  ops::DeclarableOp* op = node.getCustomOp();
  if (op == nullptr) return fail(node, Status::VALIDATION, "there is no such operation");
  const LongType begin = _timed ? GraphProfile::currentTime() : 0;
  Call& call = callOf(node);
  Context& block = *call.block;
  auto& inputs = block.fastpath_in();
  inputs.assign(node.inputs().size(), nullptr);
  bool lists = dynamic_cast<ops::DeclarableListOp*>(op) != nullptr;
  for (size_t i = 0; i < inputs.size() && !lists; i++) {
    if (node.inputs()[i] == ABSENT_INPUT) continue;
    Variable* written = writtenVariable(call, node, i);
    Variable& variable = written != nullptr ? *written : variableOf(node, i);
    lists = variable.hasNDArrayList();
    if (!lists) inputs[i] = variable.getNDArray();
  }
  if (lists) return runThroughVariables(node, call);

  auto& outputs = block.fastpath_out();
  for (size_t k = 0; k < outputs.size(); k++) {
    if (!block.isMadeOutput(static_cast<int>(k)))
      outputs[k] = nullptr;
    else if (op->getOpDescriptor()->readsOutputs() && !outputs[k]->isS())
      outputs[k]->nullify();  // as a new one would be
  }
  const bool given = takeGivenOutputs(node, call);
  // Boolean operations answer with a status alone when nothing is there to write to.
  if (!given && outputs.empty() && dynamic_cast<ops::BooleanOp*>(op) != nullptr)
    block.keepMadeOutput(0, std::make_unique<NDArray>(BOOL));
  if (!given && mayWorkInPlace(node) && fitsInput(node, call)) block.setOutputArray(0, inputs[0]);

  const LongType start = _timed ? GraphProfile::currentTime() : 0;
  const Status status = op->execute(&block);
  if (_timed) {
    _preparation = start - begin;
    _execution = GraphProfile::relativeTime(start);
  }
  if (status != Status::OK) return fail(node, status, op->failureMessage(status));
  publish(node, call);
  checkNumbers(node);
  return Status::OK;
}

/// Whether the result has the type and layout of the first input: sums over it do not depend on where it is.
bool Interpreter::fitsInput(const Node& node, Call& call) const {
  const auto& inputs = call.block->fastpath_in();
  // Shapes of numbered operations do not depend on values.
  const bool isKnown = node.opType() != OpType_CUSTOM && call.shapes.size() == inputs.size() &&
                       std::equal(inputs.begin(), inputs.end(), call.shapes.begin(),
                                  [](const NDArray* input, const LongType* shapeInfo) {
                                    return input != nullptr && input->shapeInfo() == shapeInfo;
                                  });
  if (isKnown) return call.fitsInput;
  const std::vector<ops::PartialShape> results = resultsOf(node, *call.block);
  call.fitsInput = results.size() == 1 && results[0].isComplete() && results[0].type() == inputs[0]->dataType() &&
                   shape::haveSameShapeAndStrides(results[0].shapeInfo(), inputs[0]->shapeInfo());
  call.shapes.clear();
  for (const NDArray* input : inputs) call.shapes.push_back(input == nullptr ? nullptr : input->shapeInfo());
  return call.fitsInput;
}

std::vector<ops::PartialShape> Interpreter::resultsOf(const Node& node, Context& block) const {
  const std::vector<const NDArray*> inputs(block.fastpath_in().begin(), block.fastpath_in().end());
  std::vector<ops::PartialShape> shapes;
  for (const NDArray* input : inputs)
    shapes.push_back(input == nullptr ? ops::PartialShape::absent() : ops::PartialShape::of(input->shapeInfo()));
  try {
    return inferOutputs(node, block, shapes, inputs, _graph.origin());
  } catch (const std::exception&) {
    return {};  // the call itself says what is wrong
  }
}

bool Interpreter::takeGivenOutputs(const Node& node, Call& call) {
  // Arrays that the caller put into the variables of the outputs are written; others are the context's.
  bool given = false;
  std::vector<ops::PartialShape> shapes;
  call.outputs.clear();
  // Once it has run, the number of its outputs is known.
  const int most = call.published.empty() ? std::numeric_limits<int>::max() : static_cast<int>(call.published.size());
  for (int k = 0; k < most && owns(node.id(), k); k++) {
    Variable* variable = _variables.getVariable(node.id(), k);
    // Where the node got its name after it was added, the variable has yet to get it.
    const bool isNamed = k > 0 || node.getName()->empty() || !variable->getName()->empty();
    call.outputs.push_back(isNamed ? variable : nullptr);
    if (!variable->hasNDArray()) continue;
    const auto at = static_cast<size_t>(k);
    NDArray* array = variable->getNDArray();
    if (at < call.published.size() && call.published[at] == array) continue;
    // What an earlier execution left there may have another shape, or be memory of an input: it is replaced.
    if (variable->isRemovable() && !variable->isReadOnly()) {
      const auto& inputs = call.block->fastpath_in();
      if (std::any_of(inputs.begin(), inputs.end(), [array](const NDArray* input) {
            return input != nullptr && input->dataBuffer() != nullptr && input->dataBuffer() == array->dataBuffer();
          }))
        continue;
      if (shapes.empty()) shapes = resultsOf(node, *call.block);
      if (at < shapes.size() && shapes[at].isComplete() &&
          !shape::shapeEquals(shapes[at].shapeInfo(), array->shapeInfo()))
        continue;
    }
    call.block->setOutputArray(k, array);
    given = true;
  }
  return given;
}

bool Interpreter::mayWorkInPlace(const Node& node) const {
  // A node that runs several times needs its input again.
  if (!node.isInplace() || !mayOverwriteInput(*node.getCustomOp()) || node.inputs().empty() ||
      node.inputs()[0] == ABSENT_INPUT || node.isScoped() || _hasFrames)
    return false;
  const auto& [id, index] = node.inputs()[0];
  const auto readers = _readers.find(id);
  if (readers == _readers.end() || readers->second != 1 || !owns(id, index) ||
      !mayOverwrite(*_variables.getVariable(id, index)))
    return false;
  const OutputMode mode = _graph.getExecutorConfiguration()->_outputMode;
  if (mode == OutputMode_VARIABLE_SPACE) return false;
  const bool named = mode == OutputMode_EXPLICIT || mode == OutputMode_EXPLICIT_AND_IMPLICIT;
  const std::vector<int>& outputs = _graph.outputs();
  if (named && std::find(outputs.begin(), outputs.end(), id) != outputs.end()) return false;
  if (id < 0) return true;
  // Results of logic nodes, of embedded graphs and of views are memory of other values.
  const auto writer = _graph.getMapped()->find(id);
  if (writer == _graph.getMapped()->end() || !writer->second->hasCustomOp()) return false;
  return writer->second->getCustomOp()->getOpDescriptor()->viewMap().empty();
}

Status Interpreter::runThroughVariables(Node& node, Call& call) {
  // The context finds arrays and lists in the variables itself.
  call.block->clearArrays();
  *call.block->inputs() = node.inputs();
  const LongType start = _timed ? GraphProfile::currentTime() : 0;
  const Status status = node.getCustomOp()->execute(call.block.get());
  if (_timed) {
    _preparation = 0;
    _execution = GraphProfile::relativeTime(start);
  }
  if (status != Status::OK) return fail(node, status, node.getCustomOp()->failureMessage(status));
  return Status::OK;
}

void Interpreter::publish(Node& node, Call& call) {
  const auto& outputs = call.block->fastpath_out();
  call.published.resize(outputs.size(), nullptr);
  call.run = _run;
  for (size_t k = 0; k < outputs.size(); k++) {
    if (outputs[k] == nullptr) continue;
    if (k >= call.outputs.size()) call.outputs.resize(k + 1, nullptr);
    if (call.outputs[k] == nullptr) call.outputs[k] = &ensure(node, static_cast<int>(k));
    Variable& variable = *call.outputs[k];
    if (variable.hasNDArray() && sameArray(*variable.getNDArray(), *outputs[k])) continue;
    std::unique_ptr<NDArray> shared = sharedArray(*outputs[k]);
    if (variable.hasNDArray() && variable.isRemovable() && !variable.isReadOnly()) delete variable.getNDArray();
    call.published[k] = shared.get();
    variable.setNDArray(shared.release());
    variable.markRemovable(true);
    variable.markReadOnly(false);
  }
}

void Interpreter::copyToTargets(Node& node) {
  for (const auto& [id, index] : node.outputs()) {
    if (id >= 0 || !_variables.hasVariable(node.id(), 0)) continue;
    const Variable* value = _variables.getVariable(node.id(), 0);
    if (value->hasNDArray()) copyTo({id, index}, *value->getNDArray());
  }
}

void Interpreter::checkNumbers(const Node& node) const {
  const ProfilingMode mode = _graph.getExecutorConfiguration()->_profilingMode;
  if (mode == ProfilingMode_NONE) return;
  for (int k = 0; _variables.hasVariable(node.id(), k); k++) {
    const Variable* variable = _variables.getVariable(node.id(), k);
    if (!variable->hasNDArray() || !variable->getNDArray()->isR()) continue;
    const bool nan = mode != ProfilingMode_INF_PANIC && variable->getNDArray()->hasNaNs();
    const bool infinite = mode != ProfilingMode_NAN_PANIC && variable->getNDArray()->hasInfs();
    if (nan || infinite)
      throw graph_execution_exception(
          fmt::format("{}: output {} has {} values", placeOf(_graph.origin(), node), k, nan ? "NaN" : "infinite"),
          _graph.id());
  }
}

Status Interpreter::runEmbedded(Node& node) {
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
    call.embedded = std::make_unique<Interpreter>(inner, space);
  const Status status = call.embedded->run(_limits);
  if (status != Status::OK) return fail(node, status, call.embedded->failure());
  const std::unique_ptr<std::vector<Variable*>> results(inner.fetchOutputs());
  for (size_t k = 0; k < results->size(); k++) share(node, static_cast<int>(k), *(*results)[k]);
  return Status::OK;
}

// ---- variables

Variable& Interpreter::variableOf(const Node& node, size_t input) const {
  const auto& [id, index] = node.inputs().at(input);
  if (!_variables.hasVariable(id, index)) throw unresolvedInput(_graph.origin(), _graph.id(), node, input);
  Variable& variable = *_variables.getVariable(id, index);
  if (!variable.hasNDArray() && !variable.hasNDArrayList()) {
    const char* why = variable.isPlaceholder() ? "a placeholder that is not fed" : "a variable without a value";
    throw graph_execution_exception(
        fmt::format("{}: input {} is ({}, {}){}, {}", placeOf(_graph.origin(), node), input, id, index,
                    variable.getName()->empty() ? "" : " '" + *variable.getName() + "'", why),
        _graph.id());
  }
  return variable;
}

/// The variable of an input that a node has written in this execution; nullptr for others. Nothing takes variables away
/// while nodes run.
Variable* Interpreter::writtenVariable(Call& call, const Node& node, size_t input) {
  const auto& name = node.inputs()[input];
  if (name.first < 0) return nullptr;
  if (call.inputs.size() != node.inputs().size()) call.inputs.assign(node.inputs().size(), {{0, -1}, nullptr});
  Call::Input& known = call.inputs[input];
  if (known.name != name) {
    const auto writer = _graph.getMapped()->find(name.first);
    known = {name, writer == _graph.getMapped()->end() ? nullptr : &callFor(*writer->second)};
  }
  const Call* writer = known.writer;
  const auto index = static_cast<size_t>(name.second);
  if (writer == nullptr || writer->run != _run || index >= writer->outputs.size()) return nullptr;
  Variable* variable = writer->outputs[index];
  return variable != nullptr && (variable->hasNDArray() || variable->hasNDArrayList()) ? variable : nullptr;
}

Variable& Interpreter::ensure(const Node& node, int index) {
  if (!owns(node.id(), index)) {
    std::string name =
        node.getName()->empty() || index == 0 ? *node.getName() : *node.getName() + ":" + std::to_string(index);
    if (_variables.hasVariable(node.id(), index)) name = *_variables.getVariable(node.id(), index)->getName();
    _variables.putVariable(node.id(), index, new Variable(nullptr, name.c_str(), node.id(), index));
  } else if (index == 0 && !node.getName()->empty() && _variables.getVariable(node.id(), 0)->getName()->empty()) {
    // The node got its name after it was added.
    _variables.putVariable(node.id(), 0, new Variable(nullptr, node.getName()->c_str(), node.id(), 0));
  }
  return *_variables.getVariable(node.id(), index);
}

void Interpreter::share(const Node& node, int index, const Variable& source) {
  Variable& variable = ensure(node, index);
  if (source.hasNDArrayList()) {
    variable.setNDArrayList(source.getNDArrayList());
    return;
  }
  const NDArray& array = *source.getNDArray();
  if (variable.hasNDArray()) {
    if (sameArray(*variable.getNDArray(), array)) return;
    if (variable.isRemovable() && !variable.isReadOnly()) delete variable.getNDArray();
  }
  variable.setNDArray(sharedArray(array).release());
  variable.markRemovable(true);
  variable.markReadOnly(false);
}

void Interpreter::copyTo(const std::pair<int, int>& place, const NDArray& array) {
  if (!_variables.hasVariable(place)) {
    _targets[place] = _variables.putVariable(place, new NDArray(array))->getNDArray();
    return;
  }
  if (!owns(place.first, place.second))
    _variables.putVariable(place, std::unique_ptr<Variable>(_variables.getVariable(place)->clone()).release());
  Variable* variable = _variables.getVariable(place);
  if (variable->hasNDArray()) {
    NDArray& target = *variable->getNDArray();
    // The variable keeps its type.
    if (target.isSameShape(array) && target.isS() == array.isS()) {
      if (!sameArray(target, array) && !target.isEmpty()) target.assign(array);
      return;
    }
    // The program has chosen this shape for the same elements.
    if (place.first < 0 && _targets[place] != &target && target.lengthOf() == array.lengthOf() &&
        target.isS() == array.isS()) {
      if (!target.isEmpty()) target.assign(array.reshape('c', target.getShapeAsVector()));
      return;
    }
    if (variable->isExternal() || variable->isPlaceholder() || !variable->isRemovable()) {
      sd::fail("{}variable ({}, {}): its shape is {}, but the value has shape {}", fileText(_graph.origin()),
               place.first, place.second, ShapeUtils::shapeAsString(&target), ShapeUtils::shapeAsString(&array));
    }
    delete variable->getNDArray();
  }
  variable->setNDArray(new NDArray(array));
  variable->markRemovable(true);
  _targets[place] = variable->getNDArray();
}

}  // namespace sd::graph
