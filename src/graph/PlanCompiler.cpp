#include "graph/PlanCompiler.h"

#include <helpers/shape.h>
#include <ops/declarable/BooleanOp.h>

#include <algorithm>

#include "graph/ControlSteps.h"
#include "graph/NodeCall.h"
#include "system/Error.h"

namespace sd::graph {
namespace {

bool isText(const LongType* shapeInfo) { return DataTypeUtils::isS(ArrayOptions::dataType(shapeInfo)); }

bool hasLegacyScalar(const OpenNode& node) {
  const auto group = groupOf(node.node->opType());
  return (group == loops::OpGroup::Scalar || group == loops::OpGroup::ScalarBool) && node.inputs.size() == 1;
}

}  // namespace

const LongType* Plan::Compiler::shapeOf(ValueId value) const {
  const Known* known = _segment.find(value);
  return known == nullptr ? nullptr : known->shapeInfo;
}

std::vector<const LongType*> Plan::Compiler::inputShapes(const OpenNode& node) const {
  std::vector<const LongType*> shapes;
  for (const ValueId input : node.inputs) shapes.push_back(input < 0 ? nullptr : shapeOf(input));
  return shapes;
}

bool Plan::Compiler::isReady(const OpenNode& node) const {
  return std::all_of(node.inputs.begin(), node.inputs.end(),
                     [this](ValueId input) { return input < 0 || shapeOf(input) != nullptr; });
}

bool Plan::Compiler::isDirectResult(ValueId value) const {
  const int result = _plan._resultOf[static_cast<size_t>(value)];
  return result >= 0 && _plan._results[static_cast<size_t>(result)].direct;
}

void Plan::Compiler::compile(const std::vector<NodeId>& nodes) {
  for (const NodeId id : nodes) {
    const OpenNode& node = _graph.node(id);
    if (!isReady(node))
      _segment.rest.push_back(id);
    else
      addStep(id);
  }
  for (const Step& step : _segment.steps)
    _segment.found.insert(_segment.found.end(), step.found.begin(), step.found.end());
  chooseUpdates();
  placeValues();
  for (Step& step : _segment.steps) connect(step);
}

/// Steps of the first segment write results straight into the arrays of the caller.
void Plan::Compiler::noteResult(ValueId value, const LongType* shapeInfo) {
  const int first = _plan._resultOf[static_cast<size_t>(value)];
  if (_segment.before != nullptr || first < 0) return;
  Result& result = _plan._results[static_cast<size_t>(first)];
  result.direct = true;
  result.shapeInfo = shapeInfo;
}

// ---- steps

void Plan::Compiler::addStep(NodeId id) {
  const OpenNode& node = _graph.node(id);
  Step step;
  step.node = id;
  step.op = node.op();
  step.isRandom = step.op != nullptr && step.op->describedDescriptor()->isRandom();
  if (step.op == nullptr) {
    step.kind = Step::Kind::Control;
    step.control = controlStep(_graph, node, _plan._settings);
    if (step.control == nullptr)
      fail<std::invalid_argument>("{}: there is no such operation", placeOf(_graph.origin(), *node.node));
    step.block = std::make_unique<Context>(node.node->id());
    step.found = node.outputs;
  } else if (ShapeList results; !prepare(node, step, results)) {
    call(node, step);
  } else if (addViews(node, *step.block, results)) {
    return;
  } else {
    if (joinParts(node, *step.block, results.at(0))) step.kind = Step::Kind::Nothing;
    publish(node, step, results);
  }
  _segment.steps.push_back(std::move(step));
}

/// Tries to make everything ready for calls of the node. What its results' shapes need may not be known before it runs.
bool Plan::Compiler::prepare(const OpenNode& node, Step& step, ShapeList& results) {
  const ops::OpDescriptor& descriptor = *step.op->describedDescriptor();
  const std::string kind = descriptor.kind();
  if (step.op->schema().inference() == nullptr || kind == "boolean" || kind == "list" || kind == "logic" ||
      descriptor.isDivergent() || !descriptor.viewMap().empty())
    return false;
  step.block = contextOf(*node.node);
  if (givesViews(step)) return false;
  Context& block = *step.block;
  std::vector<ops::PartialShape> inputs;
  std::vector<const NDArray*> constants;
  ShapeList shapes;
  for (const ValueId input : node.inputs) {
    const LongType* info = input < 0 ? nullptr : shapeOf(input);
    if (info != nullptr && isText(info)) return false;
    inputs.push_back(info == nullptr ? ops::PartialShape::absent() : ops::PartialShape::of(info));
    constants.push_back(input < 0 ? nullptr : _graph.value(input).constant);
    shapes.push_back(info);
  }
  const bool scalar = hasLegacyScalar(node) && block.numT() > 0;
  const std::vector<ops::PartialShape> outputs = inferOutputs(*node.node, block, inputs, constants, _graph.origin());
  if (outputs.size() < node.outputs.size() || outputs.empty() || block.argumentBlock().unread() != 0) return false;
  for (const ops::PartialShape& output : outputs)
    if (!output.isComplete() || DataTypeUtils::isS(output.type())) return false;
  const KnownInputs known(block, inputs, constants);
  try {
    if (scalar) {
      // The operand becomes an array once, not in each call.
      step.scalar = std::make_unique<NDArray>(inputs[0].type());
      step.scalar->p(0, block.floatArguments()[0]);
      block.getTArguments()->erase(block.getTArguments()->begin());
      block.fastpath_in().push_back(step.scalar.get());
      shapes.push_back(step.scalar->shapeInfo());
    }
    results = step.op->prepare(block, shapes);
  } catch (...) {
    rethrowAt(placeOf(_graph.origin(), *node.node));
  }
  step.zeroOutputs = descriptor.readsOutputs();
  if (const ops::ArgumentRow* row = step.op->schema().maskSeed()) {
    step.maskSeed = static_cast<LongType*>(row->memberOf(block.argumentBlock().data()));
    step.givenSeed = *step.maskSeed;
  }
  return static_cast<size_t>(results.size()) >= node.outputs.size();
}

void Plan::Compiler::publish(const OpenNode& node, Step& step, const ShapeList& results) {
  for (int k = 0; k < results.size(); k++) {
    const auto at = static_cast<size_t>(k);
    if (at < node.outputs.size()) {
      _segment.known[node.outputs[at]] = {results.at(k)};
      _planned[node.outputs[at]] = _segment.steps.size();
      noteResult(node.outputs[at], results.at(k));
    } else
      // An output that nobody knows of by name still has to be written.
      step.block->setOutputArray(k, std::make_unique<NDArray>(results.at(k), false).release(), true);
  }
}

void Plan::Compiler::call(const OpenNode& node, Step& step) {
  step.kind = Step::Kind::Call;
  step.block = contextOf(*node.node);
  step.found = node.outputs;
}

}  // namespace sd::graph
