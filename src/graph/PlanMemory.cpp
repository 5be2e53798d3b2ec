// Where the values of a segment lie: in its arena, in parts of other values, or in arrays that are bound in each run.
#include <graph/ContractOperation.h>
#include <helpers/ConstantShapeHelper.h>
#include <helpers/shape.h>

#include <algorithm>
#include <unordered_set>
#include <utility>

#include "graph/NodeCall.h"
#include "graph/PlanCompiler.h"
#include "graph/ValueViews.h"
#include "system/Error.h"

namespace sd::graph {
namespace {

/// Larger plans run one step after another.
constexpr size_t MOST_SCHEDULED = 20000;
/// A slice that is a view keeps all of its source in memory; a smaller part of it is copied.
constexpr int64_t SMALLEST_PART = 4;
/// Values that are made in parts live longer than the parts would: they may take a quarter more memory.
constexpr int64_t COPIED_BYTES = 4, JOINED_BYTES = 5;

int64_t bytesOf(const LongType* shapeInfo) {
  if (shape::isEmpty(shapeInfo)) return 0;
  int64_t bytes;
  const auto size = static_cast<int64_t>(DataTypeUtils::sizeOf(ArrayOptions::dataType(shapeInfo)));
  if (__builtin_mul_overflow(static_cast<int64_t>(shape::length(shapeInfo)), size, &bytes))
    fail("[graph] a value of shape {} is too large", ShapeUtils::shapeAsString(shapeInfo));
  return bytes;
}

}  // namespace

// ---- views

/// Makes the outputs parts of an input, if they are; then the node needs no step.
bool Plan::Compiler::addViews(const OpenNode& node, Context& block, const ShapeList& results) {
  if (!_plan._settings.views || !node.isPure) return false;
  // Results have memory of their own.
  for (const ValueId output : node.outputs)
    if (_graph.value(output).isResult) return false;
  if (node.is("identity_n")) return addLateViews(node, results);
  std::vector<const LongType*> outputs;
  for (int k = 0; k < results.size(); k++) outputs.push_back(results.at(k));
  const auto parts = partsOfInput(node, block, inputShapes(node), outputs);
  if (!parts) return false;
  const ValueId source = node.inputs[parts->input];
  if (!parts->whole && !isWorthViewing(node, source, results)) return false;
  const auto size = static_cast<int64_t>(DataTypeUtils::sizeOf(ArrayOptions::dataType(outputs[0])));
  // A view of a view is one of what that shows: chains of views stay short.
  const auto between = _views.find(source);
  const View shown = between == _views.end() ? View{source, 0, true} : between->second;
  const auto waits = _waits.find(source);
  for (size_t k = 0; k < node.outputs.size(); k++) {
    if (waits != _waits.end()) _waits.emplace(node.outputs[k], waits->second);
    _segment.known[node.outputs[k]] = {outputs[k]};
    _views[node.outputs[k]] = {shown.of, shown.offset + parts->offsets[k] * size, shown.whole && parts->whole};
  }
  return true;
}

/// Outputs that are the inputs, but read only when all of these are there.
bool Plan::Compiler::addLateViews(const OpenNode& node, const ShapeList& results) {
  for (size_t k = 0; k < node.outputs.size(); k++)
    if (shapeOf(node.inputs[k]) != results.at(static_cast<int>(k)) || !isDense(results.at(static_cast<int>(k))))
      return false;
  for (size_t k = 0; k < node.outputs.size(); k++) {
    const auto between = _views.find(node.inputs[k]);
    _views[node.outputs[k]] = between == _views.end() ? View{node.inputs[k], 0, true} : between->second;
    _waits[node.outputs[k]] = node.inputs;
    _segment.known[node.outputs[k]] = {results.at(static_cast<int>(k))};
  }
  return true;
}

bool Plan::Compiler::isWorthViewing(const OpenNode& node, ValueId source, const ShapeList& results) const {
  const ValueId root = rootOf(source).of;
  if (_planned.count(root) == 0 || _graph.value(root).isResult) return true;  // it stays in memory anyway
  int64_t viewed = 0;
  for (size_t k = 0; k < node.outputs.size(); k++) viewed += bytesOf(results.at(static_cast<int>(k)));
  return viewed >= bytesOf(shapeOf(root)) / SMALLEST_PART;
}

/// Lets the steps that compute the inputs of a concat or stack write into parts of its result, if all of them can.
bool Plan::Compiler::joinParts(const OpenNode& node, Context& block, const LongType* result) {
  if (!_plan._settings.views || !node.isPure || node.inputs.size() < 2 || node.outputs.size() != 1) return false;
  std::unordered_set<ValueId> seen;
  for (const ValueId input : node.inputs)
    if (input < 0 || _planned.count(input) == 0 || _graph.value(input).isResult || _parts.count(input) != 0 ||
        _segment.steps[_planned.at(input)].kind != Step::Kind::Prepared || !seen.insert(input).second)
      return false;
  const auto offsets = partsOfOutput(node, block, inputShapes(node), result);
  if (!offsets) return false;
  const auto size = static_cast<int64_t>(DataTypeUtils::sizeOf(ArrayOptions::dataType(result)));
  Joined joined{node.outputs[0], _segment.steps.size()};
  for (size_t i = 0; i < node.inputs.size(); i++) {
    _parts[node.inputs[i]] = {joined.value, (*offsets)[i] * size, false};
    joined.first = std::min(joined.first, _planned.at(node.inputs[i]));
  }
  _joined.push_back(joined);
  return true;
}

/// The value in whose memory this one lies, and where.
Plan::Compiler::View Plan::Compiler::rootOf(ValueId value) const {
  View root{value, 0, true};
  for (;;) {
    auto next = _views.find(root.of);
    if (next == _views.end()) {
      next = _parts.find(root.of);
      if (next == _parts.end()) return root;
    }
    root = {next->second.of, root.offset + next->second.offset, root.whole && next->second.whole};
  }
}

/// The memory of a value that is made in parts begins to be used before the first of them.
void Plan::Compiler::insertOpenings() {
  std::stable_sort(_joined.begin(), _joined.end(), [](const Joined& a, const Joined& b) { return a.first < b.first; });
  std::vector<Step> steps;
  steps.reserve(_segment.steps.size() + _joined.size());
  auto next = _joined.begin();
  for (size_t s = 0; s < _segment.steps.size(); s++) {
    for (; next != _joined.end() && next->first == s; ++next) {
      next->first = steps.size();
      steps.emplace_back().kind = Step::Kind::Nothing;
    }
    steps.push_back(std::move(_segment.steps[s]));
  }
  _segment.steps = std::move(steps);
}

void Plan::Compiler::removeOpenings() {
  std::erase_if(_segment.steps, [](const Step& step) { return step.node < 0 && step.kind == Step::Kind::Nothing; });
}

/// Says whether the steps that join parts find them in place, or copy them.
void Plan::Compiler::setJoining(bool isJoining) {
  std::unordered_set<NodeId> writers;
  for (const Joined& joined : _joined) writers.insert(_graph.value(joined.value).writer);
  for (Step& step : _segment.steps)
    if (writers.count(step.node) != 0) step.kind = isJoining ? Step::Kind::Nothing : Step::Kind::Prepared;
}

// ---- buffers

/// The input whose memory an output of a call is; -1: none.
ValueId Plan::Compiler::viewedInput(const Step& step, ValueId output) const {
  if (step.kind != Step::Kind::Call) return -1;
  const OpenNode& node = _graph.node(step.node);
  const auto& views = step.op->getOpDescriptor()->viewMap();
  const auto view = views.find(_graph.value(output).output);
  const auto input = view == views.end() ? node.inputs.size() : static_cast<size_t>(view->second);
  return input < node.inputs.size() ? node.inputs[input] : -1;
}

/// Views are made when what they show exists, so they are looked up through their sources.
int Plan::Compiler::bufferOf(Buffers& buffers, ValueId value) {
  const auto found = buffers.of.find(value);
  if (found != buffers.of.end()) return found->second;
  const auto view = _views.find(value);
  if (view == _views.end()) return buffers.of[value] = buffers.steps.addBuffer(0, Steps::OUTSIDE);
  const int source = bufferOf(buffers, view->second.of);
  const bool isNeeded = buffers.needed[static_cast<size_t>(value)] != 0;
  return buffers.of[value] = buffers.steps.addView(source, view->second.whole, isNeeded ? Steps::KEPT : 0u);
}

/// Buffers of values, in the order of steps.
void Plan::Compiler::addBuffers(Buffers& buffers) {
  Steps& steps = buffers.steps;
  buffers.needed.assign(static_cast<size_t>(_graph.values()), 0);
  for (const NodeId id : _segment.rest)
    for (const ValueId input : _graph.node(id).inputs)
      if (input >= 0) buffers.needed[static_cast<size_t>(input)] = 1;
  keepViewed(buffers.needed);
  const auto flagsOf = [&](ValueId value) {
    const bool isKept =
        buffers.needed[static_cast<size_t>(value)] != 0 || _graph.value(value).isResult || !_plan._settings.reuseMemory;
    return isKept ? Steps::KEPT : Steps::PLAIN;
  };
  const auto isUnread = [&](ValueId value) {
    return _graph.value(value).readers == 0 && !_graph.value(value).isResult;
  };
  std::unordered_map<ValueId, int> joined;
  for (Joined& each : _joined) {
    each.buffer = isDirectResult(each.value)
                      ? steps.addBuffer(0, Steps::OUTSIDE)
                      : steps.addBuffer(bytesOf(_segment.known.at(each.value).shapeInfo), flagsOf(each.value));
    joined[each.value] = each.buffer;
  }
  for (const Step& step : _segment.steps) {
    if (step.node < 0) continue;
    for (const ValueId output : _graph.node(step.node).outputs) {
      int& buffer = buffers.of[output];
      const auto part = _parts.find(output);
      const int viewed = viewedInput(step, output);
      if (part != _parts.end())
        buffer = steps.addView(joined.at(part->second.of), false, flagsOf(output));
      else if (step.kind == Step::Kind::Nothing)
        buffer = steps.addView(joined.at(output), true, flagsOf(output));
      else if (viewed >= 0)
        buffers.of[output] = steps.addView(bufferOf(buffers, viewed), false, Steps::KEPT);
      else if (step.kind != Step::Kind::Prepared || isDirectResult(output) ||
               (mayOmitOutputs(*step.op) && isUnread(output)))
        buffer = steps.addBuffer(0, Steps::OUTSIDE);
      else
        buffer = steps.addBuffer(bytesOf(_segment.known.at(output).shapeInfo), flagsOf(output));
    }
  }
}

/// A step that reads the result of an identity_n comes after the writers of all its inputs.
void Plan::Compiler::addWaits(Buffers& buffers, int step, ValueId input) {
  const auto waits = _waits.find(input);
  if (waits == _waits.end()) return;
  for (const ValueId value : waits->second) {
    const Steps::Buffer& buffer = buffers.steps.buffer(bufferOf(buffers, value));
    const int writer = buffer.writer >= 0 ? buffer.writer : buffers.steps.buffer(buffer.storage).writer;
    if (writer >= 0) buffers.steps.addControl(writer, step);
    addWaits(buffers, step, value);
  }
}

void Plan::Compiler::addSteps(Buffers& buffers) {
  Steps& steps = buffers.steps;
  std::vector<int> reads, writes;
  auto opening = _joined.begin();
  for (size_t s = 0; s < _segment.steps.size(); s++) {
    const Step& step = _segment.steps[s];
    reads.clear();
    writes.clear();
    if (step.node < 0) {
      if (step.kind == Step::Kind::Nothing) writes.push_back((opening++)->buffer);
      steps.addStep(reads, writes);
      continue;
    }
    const OpenNode& node = _graph.node(step.node);
    for (const ValueId input : node.inputs) reads.push_back(bufferOf(buffers, input));  // also of -1: nobody writes it
    for (const ValueId output : node.outputs) writes.push_back(bufferOf(buffers, output));
    const int number = steps.addStep(reads, writes);
    for (const ValueId input : node.inputs) addWaits(buffers, number, input);
    if (step.kind != Step::Kind::Prepared || !_plan._settings.inPlace || !mayLieOverInputs(*step.op)) continue;
    // Over a sum, a result is added while it is computed; elsewhere the sum would be copied or added later.
    const bool sumsFirst = mayAddToSums(*step.op);
    for (size_t k = 0; k < node.outputs.size(); k++)
      for (size_t j = 0; j < node.inputs.size(); j++) {
        const size_t i = sumsFirst ? node.inputs.size() - 1 - j : j;
        if (node.inputs[i] < 0 || steps.buffer(writes[k]).flags != 0u) continue;
        const LongType *in = shapeOf(node.inputs[i]), *out = shapeOf(node.outputs[k]);
        if (in == out && isDense(in) && mayLieOver(*step.op, static_cast<int>(k), static_cast<int>(i)))
          steps.allowInPlace(number, static_cast<int>(k), static_cast<int>(i));
      }
  }
  for (const auto& view : _views) bufferOf(buffers, view.first);  // views that only later segments read, too
  // Nodes with side effects stay in their order.
  int last = -1;
  for (size_t s = 0; s < _segment.steps.size(); s++) {
    const Step& step = _segment.steps[s];
    if (!step.computes() || step.kind == Step::Kind::Control || _graph.node(step.node).isPure) continue;
    if (last >= 0) steps.addControl(last, static_cast<int>(s));
    last = static_cast<int>(s);
  }
  orderUpdates(steps);
  orderDestroyers(steps);
}

// ---- places

Plan::Compiler::Arrangement Plan::Compiler::arrange() {
  Buffers buffers;
  addBuffers(buffers);
  addSteps(buffers);
  StepOrder order = _plan._settings.reorder ? orderSteps(buffers.steps) : givenOrder(buffers.steps);
  MemoryPlan memory(buffers.steps, order.order);
  return {std::move(buffers), std::move(order), std::move(memory)};
}

/// With parts in the memory of what they are joined to, unless that takes much more memory than copies.
Plan::Compiler::Arrangement Plan::Compiler::arrangeBest() {
  if (_joined.empty()) return arrange();
  setJoining(false);
  const auto parts = std::exchange(_parts, {});
  const auto joined = std::exchange(_joined, {});
  Arrangement copied = arrange();
  _parts = parts;
  _joined = joined;
  setJoining(true);
  insertOpenings();
  Arrangement best = arrange();
  if (best.memory.arenaBytes() * COPIED_BYTES <= copied.memory.arenaBytes() * JOINED_BYTES) return best;
  setJoining(false);
  removeOpenings();
  _parts.clear();
  _joined.clear();
  return copied;
}

void Plan::Compiler::placeValues() {
  auto [buffers, order, memory] = arrangeBest();
  _segment.totalBytes = memory.totalBytes();
  if (memory.arenaBytes() > 0)
    _segment.arena = std::make_unique<NDArray>(
        NDArray::uninitialized(ConstantShapeHelper::getInstance().vectorShapeInfo(memory.arenaBytes(), INT8),
                               LaunchContext::defaultContext()));
  placeArrays(buffers, memory);
  std::vector<Step> sorted;
  sorted.reserve(_segment.steps.size());
  for (const int step : order.order) sorted.push_back(std::move(_segment.steps[static_cast<size_t>(step)]));
  _segment.steps = std::move(sorted);
  if (!_plan._settings.sideBySide || _segment.steps.size() < 2 || _segment.steps.size() > MOST_SCHEDULED) {
    _segment.dropPlaces();
    return;
  }
  _segment.nanoseconds.resize(_segment.steps.size());
  _segment.layout = std::make_unique<Segment::Layout>(
      Segment::Layout{std::move(buffers.steps), std::move(order.order), std::move(memory)});
}

void Plan::Compiler::placeArrays(const Buffers& buffers, const MemoryPlan& memory) {
  for (auto& [value, known] : _segment.known)
    if (known.array == nullptr && known.shapeInfo != nullptr && buffers.of.count(value) != 0)
      placeArray(value, known, buffers, memory);
}

void Plan::Compiler::placeArray(ValueId value, Known& known, const Buffers& buffers, const MemoryPlan& memory) {
  const auto make = [&](void* place) {
    _segment.arrays.push_back(place == nullptr ? std::make_unique<NDArray>(known.shapeInfo, false)
                                               : std::make_unique<NDArray>(place, known.shapeInfo));
    known.array = _segment.arrays.back().get();
  };
  const View root = rootOf(value);
  const auto planned = _planned.find(root.of);
  const int64_t offset = planned == _planned.end() ? -1 : memory.offset(buffers.of.at(root.of));
  if (shape::isEmpty(known.shapeInfo)) return make(nullptr);
  if (offset >= 0) return make(static_cast<char*>(_segment.arena->buffer()) + offset + root.offset);
  if (root.of == value) return;  // bound before each run
  const Known* source = _segment.find(root.of);
  if (source->array != nullptr && source->boundTo < 0)
    return make(static_cast<char*>(source->array->buffer()) + root.offset);
  // The address follows the array that is bound; any other one will do until then.
  known.boundTo = source->boundTo >= 0 ? source->boundTo : root.of;
  known.boundOffset = source->boundOffset + root.offset;
  make(&known);
  _segment.boundViews.push_back({known.boundTo, known.boundOffset, known.array->dataBuffer().get(),
                                 static_cast<size_t>(shape::length(known.shapeInfo))});
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
  _segment.slots.emplace_back(value, &list[index]);
}

void Plan::Compiler::connect(Step& step) {
  if (!step.computes()) return;
  if (dynamic_cast<const OperationEntry*>(step.op) != nullptr) OperationEntry::keepState(*step.block);
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
