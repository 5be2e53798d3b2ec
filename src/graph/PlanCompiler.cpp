#include "graph/PlanCompiler.h"

#include <array/ShapeList.h>
#include <helpers/ConstantShapeHelper.h>
#include <helpers/shape.h>
#include <ops/declarable/BooleanOp.h>

#include <algorithm>

#include "graph/ControlSteps.h"
#include "graph/NodeCall.h"
#include "graph/StepOrder.h"
#include "system/Error.h"

namespace sd::graph {
namespace {

int64_t bytesOf(const LongType* shapeInfo) {
  if (shape::isEmpty(shapeInfo)) return 0;
  int64_t bytes;
  const auto size = static_cast<int64_t>(DataTypeUtils::sizeOf(ArrayOptions::dataType(shapeInfo)));
  if (__builtin_mul_overflow(static_cast<int64_t>(shape::length(shapeInfo)), size, &bytes))
    fail("[graph] a value of shape {} is too large", ShapeUtils::shapeAsString(shapeInfo));
  return bytes;
}

/// Larger plans run one step after another.
constexpr size_t MOST_SCHEDULED = 20000;

bool isText(const LongType* shapeInfo) { return DataTypeUtils::isS(ArrayOptions::dataType(shapeInfo)); }

/// Whether the elements lie in c order without gaps.
bool isDense(const LongType* shapeInfo) {
  if (shape::isEmpty(shapeInfo)) return false;
  LongType stride = 1;
  for (int d = shape::rank(shapeInfo) - 1; d >= 0; d--) {
    const LongType size = shape::shapeOf(shapeInfo)[d];
    if (size != 1 && shape::stride(shapeInfo)[d] != stride) return false;
    stride *= size;
  }
  return true;
}

/// Operations whose result has the elements of input 0, in the same order.
bool keepsElements(const OpenNode& node) {
  static constexpr const char* NAMES[] = {"reshape",    "reshapeas", "expand_dims",  "squeeze",
                                          "flatten_2d", "identity",  "stop_gradient"};
  if (node.op() == nullptr) return false;
  const std::string& name = *node.op()->getOpName();
  return std::any_of(std::begin(NAMES), std::end(NAMES), [&name](const char* known) { return name == known; });
}

bool hasLegacyScalar(const OpenNode& node) {
  const auto group = groupOf(node.node->opType());
  return (group == loops::OpGroup::Scalar || group == loops::OpGroup::ScalarBool) && node.inputs.size() == 1;
}

}  // namespace

const LongType* Plan::Compiler::shapeOf(ValueId value) const {
  const Known* known = _segment.find(value);
  return known == nullptr ? nullptr : known->shapeInfo;
}

bool Plan::Compiler::isReady(const OpenNode& node) const {
  return std::all_of(node.inputs.begin(), node.inputs.end(),
                     [this](ValueId input) { return input < 0 || shapeOf(input) != nullptr; });
}

bool Plan::Compiler::isDirectResult(ValueId value) const {
  return std::any_of(_plan._results.begin(), _plan._results.end(),
                     [value](const Result& result) { return result.value == value && result.direct; });
}

void Plan::Compiler::compile(const std::vector<NodeId>& nodes) {
  for (const NodeId id : nodes) {
    const OpenNode& node = _graph.node(id);
    if (!isReady(node))
      _segment.rest.push_back(id);
    else if (!addView(node))
      addStep(id);
  }
  for (const Step& step : _segment.steps)
    _segment.found.insert(_segment.found.end(), step.found.begin(), step.found.end());
  placeValues();
  for (Step& step : _segment.steps) connect(step);
}

/// Steps of the first segment write results straight into the arrays of the caller.
void Plan::Compiler::noteResult(ValueId value, const LongType* shapeInfo) {
  if (_segment.before != nullptr || !_graph.value(value).isResult) return;
  for (Result& result : _plan._results) {
    if (result.value != value) continue;
    result.direct = true;
    result.shapeInfo = shapeInfo;
    return;  // the same value once more is a copy
  }
}

// ---- steps

bool Plan::Compiler::addView(const OpenNode& node) {
  if (!_plan._settings.views || !keepsElements(node) || node.outputs.size() != 1 || node.inputs.empty() ||
      node.inputs[0] < 0)
    return false;
  const ValueId output = node.outputs[0], input = node.inputs[0];
  const ops::PartialShape& shape = _graph.value(output).shape;
  const OpenValue& source = _graph.value(input);
  // The memory of values from outside is another one in each run, and results have memory of their own.
  const bool inside = source.source == OpenValue::Source::Node || source.source == OpenValue::Source::Constant;
  if (!inside || !shape.isComplete() || shape.order() != 'c' || isDirectResult(input) ||
      _graph.value(output).isResult || _graph.value(input).isResult)
    return false;
  const LongType *from = shapeOf(input), *to = shape.shapeInfo();
  if (isText(from) || !isDense(from) || shape::isEmpty(to) || shape::length(from) != shape::length(to) ||
      ArrayOptions::dataType(from) != ArrayOptions::dataType(to))
    return false;
  // What it shows has a place of its own: in the arena of this segment or an earlier one, or as a constant.
  ValueId root = input;
  for (auto view = _views.find(root); view != _views.end(); view = _views.find(root)) root = view->second;
  const Known* known = _segment.find(root);
  if (known->array == nullptr && (_planned.count(root) == 0 || isDirectResult(root))) return false;
  _segment.known[output] = {to, nullptr};
  _views[output] = input;
  return true;
}

void Plan::Compiler::addStep(NodeId id) {
  const OpenNode& node = _graph.node(id);
  Step step;
  step.node = id;
  step.op = node.op();
  if (step.op == nullptr) {
    step.kind = Step::Kind::Control;
    step.control = controlStep(_graph, node);
    if (step.control == nullptr)
      fail<std::invalid_argument>("{}: there is no such operation", placeOf(_graph.origin(), *node.node));
    step.block = std::make_unique<Context>(node.node->id());
    step.found = node.outputs;
  } else if (!prepare(node, step)) {
    call(node, step);
  }
  _segment.steps.push_back(std::move(step));
}

/// Tries to make everything ready for calls of the node. What its results' shapes need may not be known before it runs.
bool Plan::Compiler::prepare(const OpenNode& node, Step& step) {
  const ops::OpDescriptor& descriptor = *step.op->describedDescriptor();
  const std::string kind = descriptor.kind();
  if (step.op->schema().inference() == nullptr || kind == "boolean" || kind == "list" || kind == "logic" ||
      descriptor.isDivergent() || !descriptor.viewMap().empty())
    return false;
  step.block = contextOf(*node.node);
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
  ShapeList results;
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
  if (static_cast<size_t>(results.size()) < node.outputs.size()) return false;
  for (int k = 0; k < results.size(); k++) {
    const auto at = static_cast<size_t>(k);
    if (at < node.outputs.size()) {
      _segment.known[node.outputs[at]] = {results.at(k), nullptr};
      _planned.insert(node.outputs[at]);
      noteResult(node.outputs[at], results.at(k));
    } else
      // An output that nobody knows of by name still has to be written.
      block.setOutputArray(k, std::make_unique<NDArray>(results.at(k), false).release(), true);
  }
  step.zeroOutputs = descriptor.readsOutputs();
  return true;
}

void Plan::Compiler::call(const OpenNode& node, Step& step) {
  step.kind = Step::Kind::Call;
  step.block = contextOf(*node.node);
  step.found = node.outputs;
}

/// The input whose memory an output of a call is; -1: none.
ValueId Plan::Compiler::viewedInput(const Step& step, ValueId output) const {
  if (step.kind != Step::Kind::Call) return -1;
  const OpenNode& node = _graph.node(step.node);
  const auto& views = step.op->getOpDescriptor()->viewMap();
  const auto view = views.find(_graph.value(output).output);
  const auto input = view == views.end() ? node.inputs.size() : static_cast<size_t>(view->second);
  return input < node.inputs.size() ? node.inputs[input] : -1;
}

// ---- memory

void Plan::Compiler::placeValues() {
  // Buffers of values, in the order of steps.
  Steps steps;
  std::unordered_map<ValueId, int> buffers;
  std::vector<char> needed;  // by value: whether nodes after this segment read it
  needed.assign(static_cast<size_t>(_graph.values()), 0);
  for (const NodeId id : _segment.rest)
    for (const ValueId input : _graph.node(id).inputs)
      if (input >= 0) needed[static_cast<size_t>(input)] = 1;
  const auto outside = [&](ValueId value) {
    const auto found = buffers.find(value);
    if (found != buffers.end()) return found->second;
    return buffers[value] = steps.addBuffer(0, Steps::OUTSIDE);
  };
  // Views are made when what they show exists, so they are looked up through their sources.
  const std::function<int(ValueId)> bufferOf = [&](ValueId value) -> int {
    const auto found = buffers.find(value);
    if (found != buffers.end()) return found->second;
    const auto view = _views.find(value);
    if (view == _views.end()) return outside(value);
    const int source = bufferOf(view->second);
    return buffers[value] = steps.addView(source, true, needed[static_cast<size_t>(value)] != 0 ? Steps::KEPT : 0u);
  };
  for (const Step& step : _segment.steps)
    for (const ValueId output : _graph.node(step.node).outputs) {
      const Known* known = step.kind == Step::Kind::Prepared ? &_segment.known.at(output) : nullptr;
      if (known == nullptr || isDirectResult(output)) {
        const int viewed = viewedInput(step, output);
        if (viewed < 0)
          outside(output);
        else
          buffers[output] = steps.addView(bufferOf(viewed), false, Steps::KEPT);
        continue;
      }
      const bool kept =
          needed[static_cast<size_t>(output)] != 0 || _graph.value(output).isResult || !_plan._settings.reuseMemory;
      buffers[output] = steps.addBuffer(bytesOf(known->shapeInfo), kept ? Steps::KEPT : 0u);
    }
  std::vector<int> reads, writes;
  for (size_t s = 0; s < _segment.steps.size(); s++) {
    const Step& step = _segment.steps[s];
    const OpenNode& node = _graph.node(step.node);
    reads.clear();
    writes.clear();
    for (const ValueId input : node.inputs) reads.push_back(bufferOf(input));  // also of -1, which nobody writes
    for (const ValueId output : node.outputs) writes.push_back(bufferOf(output));
    const int number = steps.addStep(reads, writes);
    if (step.kind != Step::Kind::Prepared || !_plan._settings.inPlace || !mayOverwriteInput(*step.op)) continue;
    for (size_t k = 0; k < node.outputs.size(); k++)
      for (size_t i = 0; i < node.inputs.size(); i++) {
        if (node.inputs[i] < 0 || steps.buffer(writes[k]).flags != 0u) continue;
        const LongType *in = shapeOf(node.inputs[i]), *out = shapeOf(node.outputs[k]);
        if (in == out && isDense(in) && mayOverwriteInput(*step.op, static_cast<int>(k), static_cast<int>(i)))
          steps.allowInPlace(number, static_cast<int>(k), static_cast<int>(i));
      }
  }
  for (const auto& view : _views) bufferOf(view.first);  // views that only later segments read, too
  // Nodes with side effects stay in their order.
  int last = -1;
  for (size_t s = 0; s < _segment.steps.size(); s++) {
    const OpenNode& node = _graph.node(_segment.steps[s].node);
    if (node.isPure || _segment.steps[s].kind == Step::Kind::Control) continue;
    if (last >= 0) steps.addControl(last, static_cast<int>(s));
    last = static_cast<int>(s);
  }
  StepOrder order = _plan._settings.reorder ? orderSteps(steps) : givenOrder(steps);
  MemoryPlan memory(steps, order.order);
  _segment.totalBytes = memory.totalBytes();
  if (memory.arenaBytes() > 0)
    _segment.arena = std::make_unique<NDArray>(
        NDArray::uninitialized(ConstantShapeHelper::getInstance().vectorShapeInfo(memory.arenaBytes(), INT8),
                               LaunchContext::defaultContext()));
  for (auto& [value, known] : _segment.known) {
    const auto buffer = buffers.find(value);
    if (buffer == buffers.end() || known.shapeInfo == nullptr) continue;
    ValueId root = value;
    for (auto view = _views.find(root); view != _views.end(); view = _views.find(root)) root = view->second;
    void* place = nullptr;
    if (known.array != nullptr) continue;
    if (root != value && _segment.known.count(root) == 0) {
      place = _segment.find(root)->array->buffer();
    } else {
      const int64_t offset = memory.offset(buffers.at(root));
      if (offset >= 0 && _segment.arena != nullptr)
        place = static_cast<char*>(_segment.arena->buffer()) + offset;
      else if (root != value)
        place = _segment.find(root)->array->buffer();  // of a constant
      else if (!shape::isEmpty(known.shapeInfo))
        continue;  // bound before each run
    }
    _segment.arrays.push_back(shape::isEmpty(known.shapeInfo) ? std::make_unique<NDArray>(known.shapeInfo, false)
                                                              : std::make_unique<NDArray>(place, known.shapeInfo));
    known.array = _segment.arrays.back().get();
  }
  std::vector<Step> sorted;
  sorted.reserve(_segment.steps.size());
  for (const int step : order.order) sorted.push_back(std::move(_segment.steps[static_cast<size_t>(step)]));
  _segment.steps = std::move(sorted);
  if (!_plan._settings.sideBySide || _segment.steps.size() < 2 || _segment.steps.size() > MOST_SCHEDULED) return;
  _segment.nanoseconds.resize(_segment.steps.size());
  _segment.layout =
      std::make_unique<Segment::Layout>(Segment::Layout{std::move(steps), std::move(order.order), std::move(memory)});
}

// ---- contexts

void Plan::Compiler::setArray(std::vector<NDArray*>& list, size_t index, ValueId value) {
  const Known* known = _segment.find(value);
  if (known != nullptr && known->array != nullptr) {
    list[index] = known->array;
    return;
  }
  list[index] = _plan._bound[static_cast<size_t>(value)];
  _plan._slots[static_cast<size_t>(value)].push_back(&list[index]);
}

void Plan::Compiler::connect(Step& step) {
  const OpenNode& node = _graph.node(step.node);
  auto& inputs = step.block->fastpath_in();
  inputs.assign(node.inputs.size() + (step.scalar != nullptr ? 1 : 0), nullptr);
  if (step.scalar != nullptr) inputs.back() = step.scalar.get();
  for (size_t i = 0; i < node.inputs.size(); i++)
    if (node.inputs[i] >= 0) setArray(inputs, i, node.inputs[i]);
  if (step.kind != Step::Kind::Prepared) return;
  auto& outputs = step.block->fastpath_out();
  outputs.resize(std::max(outputs.size(), node.outputs.size()), nullptr);
  for (size_t k = 0; k < node.outputs.size(); k++) setArray(outputs, k, node.outputs[k]);
}

}  // namespace sd::graph
