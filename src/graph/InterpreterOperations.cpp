// Runs the operations of nodes: their inputs, where their results go, and what is known of a call from the last one.
#include <exceptions/graph_execution_exception.h>
#include <ops/declarable/BooleanOp.h>
#include <ops/declarable/DeclarableListOp.h>

#include <algorithm>
#include <limits>

#include "graph/InterpreterCall.h"
#include "graph/NodeCall.h"
#include "system/Error.h"

namespace sd::graph {
namespace {

/// Arrays that were fed are someone else's, and constants stay what they are.
bool mayOverwrite(const Variable& variable) {
  return !variable.isReadOnly() && !variable.isPlaceholder() && variable.variableType() != CONSTANT;
}

}  // namespace

Status GraphInterpreter::runOperation(Node& node) {
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
bool GraphInterpreter::fitsInput(const Node& node, Call& call) const {
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

std::vector<ops::PartialShape> GraphInterpreter::resultsOf(const Node& node, Context& block) const {
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

bool GraphInterpreter::takeGivenOutputs(const Node& node, Call& call) {
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

bool GraphInterpreter::mayWorkInPlace(const Node& node) const {
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

Status GraphInterpreter::runThroughVariables(Node& node, Call& call) {
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

void GraphInterpreter::publish(Node& node, Call& call) {
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

void GraphInterpreter::checkNumbers(const Node& node) const {
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

}  // namespace sd::graph
