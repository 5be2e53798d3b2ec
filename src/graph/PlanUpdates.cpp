// Variables that get new values at the end of a run: which steps write over them, and what runs before these.
//
// A step that writes over a variable runs after everything else has been computed ("last"), so that a run that fails
// has changed nothing. Such steps cannot fail: they are element-wise, on real numbers, and updaters. Before the first
// of them the results are handed out. New values that other steps compute have memory of their own and are copied at
// the end.
#include <exceptions/graph_execution_exception.h>
#include <helpers/ShapeUtils.h>
#include <helpers/shape.h>
#include <ops/declarable/headers/transforms.h>

#include <algorithm>
#include <string_view>

#include "graph/GraphFile.h"
#include "graph/NodeCall.h"
#include "graph/NodeText.h"
#include "graph/PlanCompiler.h"
#include "ops/declarable/helpers/composite.h"
#include "system/Error.h"

namespace sd::graph {
namespace {

bool isUpdater(std::string_view name) {
  constexpr std::string_view END = "_updater";
  return name.size() > END.size() && name.substr(name.size() - END.size()) == END;
}

/// Whether the operation computes elements from the elements at the same place, without conditions on their values.
bool isElementwise(ops::DeclarableOp& op, Context& block) {
  const ops::OpDescriptor& descriptor = *op.describedDescriptor();
  if (descriptor.name() == "composite") {
    const bool known = block.argumentBlock().holds(ops::argumentStruct<ops::CompositeArguments>);
    return known && !ops::readComposite(ops::arguments<ops::CompositeArguments>(block)).reduction;
  }
  if (!mayOverwriteInput(op)) return false;
  const std::string_view kind = descriptor.kind();
  const ops::Schema* schema = descriptor.statedSchema();
  return isUpdater(descriptor.name()) || kind == "broadcastable" || kind == "numbered" ||
         (schema != nullptr && schema->elementwise()[0] != '\0');
}

bool mayOverwrite(ops::DeclarableOp& op, size_t output, size_t input) {
  // Of a composite that does not reduce, every output may be an input.
  return op.getOpDescriptor()->name() == "composite" ||
         mayOverwriteInput(op, static_cast<int>(output), static_cast<int>(input));
}

}  // namespace

void requireFit(const Graph& graph, const std::pair<int, int>& variable, const LongType* present,
                const LongType* fresh) {
  if (ArrayOptions::dataType(present) == ArrayOptions::dataType(fresh) && shape::equalsSoft(present, fresh)) return;
  const auto text = [](const LongType* info) {
    return fmt::format("shape {} of {}", ShapeUtils::shapeAsString(info),
                       DataTypeUtils::describe(ArrayOptions::dataType(info)));
  };
  invalidArgument("{}'{}' has {}, but its new value has {}", fileText(graph.origin()), valueText(graph, variable),
                  text(present), text(fresh));
}

// ---- before the first run

constexpr size_t NONE = static_cast<size_t>(-1);

/// The step that may write the new value over the variable; NONE when there is none.
size_t Plan::Compiler::updaterOf(const Result& result) const {
  const auto planned = _planned.find(result.value);
  if (!result.direct || planned == _planned.end()) return NONE;
  const Step& step = _segment.steps[planned->second];
  const LongType* info = shapeOf(result.value);
  if (step.kind != Step::Kind::Prepared || step.zeroOutputs || info != shapeOf(result.variable) ||
      !DataTypeUtils::isR(ArrayOptions::dataType(info)) || shape::isEmpty(info) ||
      shape::elementWiseStride(info) != 1 || !isElementwise(*step.op, *step.block))
    return NONE;
  const OpenNode& node = _graph.node(step.node);
  if (!node.isPure || readsCalls(node)) return NONE;
  const auto output = static_cast<size_t>(_graph.value(result.value).output);
  for (size_t i = 0; i < node.inputs.size(); i++) {
    if (node.inputs[i] < 0) continue;
    const ValueId root = rootOf(node.inputs[i]).of;
    if (root == result.variable && (node.inputs[i] != root || !mayOverwrite(*step.op, output, i))) return NONE;
  }
  return planned->second;
}

/// What calls and control steps return may lie in the memory of a variable.
bool Plan::Compiler::readsCalls(const OpenNode& node) const {
  return std::any_of(node.inputs.begin(), node.inputs.end(), [this](ValueId input) {
    if (input < 0) return false;
    const ValueId root = rootOf(input).of;
    const auto writer = _planned.find(root);
    const bool isOfStep = writer != _planned.end() && _segment.steps[writer->second].kind != Step::Kind::Call;
    return _graph.value(root).source == OpenValue::Source::Node && !isOfStep;
  });
}

/// Adds the steps between two of the last ones: they can be last as well when they cannot fail.
void Plan::Compiler::addBetween(std::vector<char>& isLast) const {
  std::vector<char> isBetween(isLast.size(), 0);
  const auto isLate = [&](size_t s) { return isLast[s] != 0 || isBetween[s] != 0; };
  const auto mayBe = [&](const Step& step) {
    if (step.kind != Step::Kind::Prepared || step.zeroOutputs || !isElementwise(*step.op, *step.block)) return false;
    const OpenNode& node = _graph.node(step.node);
    if (!node.isPure || readsCalls(node)) return false;
    return std::all_of(node.outputs.begin(), node.outputs.end(), [this](ValueId output) {
      return _plan._resultOf[static_cast<size_t>(output)] < 0 &&
             DataTypeUtils::isR(ArrayOptions::dataType(shapeOf(output)));
    });
  };
  for (size_t s = isLast.size(); s-- > 0;) {
    if (isLast[s] != 0 || !mayBe(_segment.steps[s])) continue;
    bool isRead = false, onlyLate = true;
    for (const ValueId output : _graph.node(_segment.steps[s].node).outputs)
      for (const NodeId reader : _graph.readersOf(output)) {
        if (_graph.node(reader).removed) continue;
        const auto at = _stepOf.find(reader);
        isRead = true;
        onlyLate = onlyLate && at != _stepOf.end() && isLate(at->second);
      }
    isBetween[s] = isRead && onlyLate ? 1 : 0;
  }
  for (size_t s = 0; s < isLast.size(); s++) {
    if (isBetween[s] == 0) continue;
    for (const ValueId input : _graph.node(_segment.steps[s].node).inputs) {
      const auto writer = input < 0 ? _planned.end() : _planned.find(rootOf(input).of);
      if (writer != _planned.end() && isLast[writer->second] != 0) isLast[s] = 1;
    }
    if (isLast[s] == 0) isBetween[s] = 0;
  }
}

/// Whether nothing but the last steps reads what a step computes.
bool Plan::Compiler::mayBeLast(const Step& step, const std::vector<char>& isLast) const {
  for (const ValueId output : _graph.node(step.node).outputs) {
    const int result = _plan._resultOf[static_cast<size_t>(output)];
    if (result >= 0 && static_cast<size_t>(result) < _plan._asked) return false;
    for (const NodeId reader : _graph.readersOf(output)) {
      if (_graph.node(reader).removed) continue;
      const auto at = _stepOf.find(reader);  // nodes that are views have no step
      if (at == _stepOf.end() || isLast[at->second] == 0) return false;
    }
  }
  return true;
}

void Plan::Compiler::requireUpdatesFit() const {
  for (size_t k = _plan._asked; k < _plan._results.size(); k++) {
    const Result& result = _plan._results[k];
    const LongType* fresh = shapeOf(result.value);
    if (fresh != nullptr)
      requireFit(_graph.source(), _graph.value(result.variable).name, shapeOf(result.variable), fresh);
  }
}

/// The steps that may write over variables, as far as each step alone decides it.
Plan::Compiler::LastSteps Plan::Compiler::updatingSteps() const {
  LastSteps last{std::vector<char>(_segment.steps.size(), 0), {}};
  for (size_t k = _plan._asked; k < _plan._results.size(); k++) {
    const size_t step = updaterOf(_plan._results[k]);
    if (step == NONE) continue;
    last.updaters[_plan._results[k].variable] = step;
    last.isLast[step] = 1;
  }
  return last;
}

/// Takes away the steps whose results others read, until there are none.
void Plan::Compiler::removeRead(std::vector<char>& isLast) const {
  for (bool isSettled = false; !isSettled;) {
    isSettled = true;
    for (size_t s = 0; s < isLast.size(); s++)
      if (isLast[s] != 0 && !mayBeLast(_segment.steps[s], isLast)) isLast[s] = isSettled = false;
  }
}

/// Calls see(step, value) for what each of the last steps reads: a variable, or the whole value of which it reads a
/// part.
template <typename F>
void Plan::Compiler::eachRead(const std::vector<char>& isLast, F&& see) const {
  for (size_t s = 0; s < isLast.size(); s++) {
    if (isLast[s] == 0) continue;
    for (const ValueId input : _graph.node(_segment.steps[s].node).inputs)
      if (input >= 0) see(s, rootOf(input).of);
  }
}

/// A step that reads a variable comes before the one that writes over it.
std::vector<StepEdge> Plan::Compiler::readersFirst(const LastSteps& last) const {
  std::vector<StepEdge> order;
  eachRead(last.isLast, [&](size_t step, ValueId read) {
    const auto updater = last.updaters.find(read);
    if (updater != last.updaters.end() && updater->second != step && last.isLast[updater->second] != 0)
      order.push_back({static_cast<int>(step), static_cast<int>(updater->second)});
  });
  return order;
}

/// Where updates wait for each other in a circle, one of them; NONE when all can run one after the other.
size_t Plan::Compiler::stepInCircle(const LastSteps& last, const std::vector<StepEdge>& order) const {
  std::vector<StepEdge> edges = order;
  eachRead(last.isLast, [&](size_t step, ValueId read) {
    const auto writer = _planned.find(read);
    if (writer != _planned.end() && last.isLast[writer->second] != 0)
      edges.push_back({static_cast<int>(writer->second), static_cast<int>(step)});
  });
  std::vector<int> waiting(last.isLast.size(), 0), ready;
  for (const StepEdge& edge : edges) waiting[static_cast<size_t>(edge.after)]++;
  for (size_t s = 0; s < waiting.size(); s++)
    if (waiting[s] == 0) ready.push_back(static_cast<int>(s));
  const NumberLists successors(static_cast<int>(waiting.size()), edges);
  while (!ready.empty()) {
    const int step = ready.back();
    ready.pop_back();
    for (const int after : successors[step])
      if (--waiting[static_cast<size_t>(after)] == 0) ready.push_back(after);
  }
  const auto stuck = std::find_if(order.begin(), order.end(), [&waiting](const StepEdge& edge) {
    return waiting[static_cast<size_t>(edge.before)] > 0 && waiting[static_cast<size_t>(edge.after)] > 0;
  });
  return stuck == order.end() ? NONE : static_cast<size_t>(stuck->after);
}

void Plan::Compiler::chooseUpdates() {
  if (_plan._settings.updates == 0 || _segment.before != nullptr) return;
  requireUpdatesFit();
  // What comes after this segment may fail.
  if (!_segment.rest.empty() || !_plan._settings.inPlace) return;

  for (size_t s = 0; s < _segment.steps.size(); s++) _stepOf[_segment.steps[s].node] = s;
  LastSteps last = updatingSteps();
  addBetween(last.isLast);
  removeRead(last.isLast);
  std::vector<StepEdge> order = readersFirst(last);
  for (size_t apart = stepInCircle(last, order); apart != NONE; apart = stepInCircle(last, order)) {
    last.isLast[apart] = 0;
    removeRead(last.isLast);
    order = readersFirst(last);
  }
  if (std::find(last.isLast.begin(), last.isLast.end(), 1) != last.isLast.end()) setUpdates(last, order);
}

void Plan::Compiler::setUpdates(const LastSteps& last, const std::vector<StepEdge>& order) {
  for (size_t k = _plan._asked; k < _plan._results.size(); k++) {
    Result& result = _plan._results[k];
    const auto updater = last.updaters.find(result.variable);
    result.inPlace = updater != last.updaters.end() && last.isLast[updater->second] != 0;
  }
  for (size_t s = 0; s < last.isLast.size(); s++) _segment.steps[s].updates = last.isLast[s] != 0;
  for (const StepEdge& edge : order)
    _updateOrder.emplace_back(_segment.steps[static_cast<size_t>(edge.before)].node,
                              _segment.steps[static_cast<size_t>(edge.after)].node);
  _segment.steps.emplace_back().kind = Step::Kind::Publish;
}

void Plan::Compiler::orderUpdates(Steps& steps) const {
  const auto& all = _segment.steps;
  const auto publish =
      std::find_if(all.begin(), all.end(), [](const Step& step) { return step.kind == Step::Kind::Publish; });
  if (publish == all.end()) return;
  const auto middle = static_cast<int>(publish - all.begin());
  std::unordered_map<NodeId, int> numberOf;
  for (size_t s = 0; s < all.size(); s++) {
    const int number = static_cast<int>(s);
    if (number == middle) continue;
    numberOf[all[s].node] = number;
    if (all[s].updates)
      steps.addControl(middle, number);
    else
      steps.addControl(number, middle);
  }
  for (const auto& [before, after] : _updateOrder) steps.addControl(numberOf.at(before), numberOf.at(after));
}

// ---- in a run

/// A variable that is updated shares memory with no other array of the run.
void Plan::requireApart(NDArray* const* results) {
  size_t seen = 0;
  bool isSame = true;
  const auto look = [&](const void* address) {
    if (seen == _apartBefore.size()) _apartBefore.push_back(nullptr);
    if (_apartBefore[seen] != address) {
      isSame = false;
      _apartBefore[seen] = address;
    }
    seen++;
  };
  for (const ValueId input : _inputValues) look(_bound[static_cast<size_t>(input)]->buffer());
  for (size_t k = 0; k < _asked; k++) {
    const NDArray* array = results == nullptr ? nullptr : results[k];
    look(array == nullptr ? nullptr : array->buffer());
    look(array == nullptr ? nullptr : array->shapeInfo());
  }
  if (isSame) return;
  struct Memory {
    const char *first, *end;
    ValueId input;  // or -1
    size_t result;
    bool isUpdated;
  };
  std::vector<Memory> all;
  for (size_t i = 0; i < _inputValues.size(); i++) {
    const NDArray& array = *_bound[static_cast<size_t>(_inputValues[i])];
    if (array.isEmpty() || array.isS()) continue;
    const auto [first, end] = extent(array);
    all.push_back({first, end, _inputValues[i], 0, _isUpdated[i] != 0});
  }
  for (size_t k = 0; k < _asked && results != nullptr; k++) {
    if (results[k] == nullptr || results[k]->isEmpty() || results[k]->isS()) continue;
    const auto [first, end] = extent(*results[k]);
    all.push_back({first, end, -1, k, false});
  }
  std::sort(all.begin(), all.end(), [](const Memory& a, const Memory& b) { return a.first < b.first; });
  const Memory* last = nullptr;
  for (const Memory& each : all) {
    if (last != nullptr && each.first < last->end && (last->isUpdated || each.isUpdated)) {
      _apartBefore.clear();
      const auto text = [this](const Memory& memory) {
        return memory.input < 0 ? fmt::format("the array of result {}", memory.result)
                                : "'" + valueText(_graph->source(), _graph->value(memory.input).name) + "'";
      };
      invalidArgument("[graph] {}{} is updated, but shares memory with {}", fileText(_graph->origin()),
                      text(last->isUpdated ? *last : each), text(last->isUpdated ? each : *last));
    }
    if (last == nullptr || each.end > last->end) last = &each;
  }
}

NDArray& Plan::keepCopy(Result& result, const NDArray& array) {
  if (result.own == nullptr) result.own = std::make_unique<NDArray>();
  if (!result.own->isSameShape(array) || result.own->dataType() != array.dataType())
    *result.own = array.dup();
  else if (!array.isEmpty())
    result.own->assign(array);
  return *result.own;
}

/// Hands out results, and checks and keeps what becomes the value of a variable.
void Plan::publish(const Segment& segment) {
  copyResults(_given, segment);
  for (size_t k = _asked; k < _results.size(); k++) {
    Result& result = _results[k];
    if (result.inPlace) continue;
    NDArray* array = arrayOf(result.value, segment);
    const auto& name = _graph->value(result.variable).name;
    if (array == nullptr)
      throw graph_execution_exception(fmt::format("{}the new value of '{}' has no value", fileText(_graph->origin()),
                                                  valueText(_graph->source(), name)),
                                      -1);
    requireFit(_graph->source(), name, _bound[static_cast<size_t>(result.variable)]->shapeInfo(), array->shapeInfo());
    // Another variable, or what a call has returned, may change before it is copied.
    const Known* known = segment.find(result.value);
    const bool isWritten = _results[static_cast<size_t>(_resultOf[static_cast<size_t>(result.value)])].direct;
    const bool isBound = !isWritten && (known == nullptr || known->array == nullptr);
    _resultArrays[k] = isBound ? &keepCopy(result, *array) : array;
  }
  _arePublished = true;
}

void Plan::update() {
  for (size_t k = _asked; k < _results.size(); k++) {
    const Result& result = _results[k];
    NDArray* variable = _bound[static_cast<size_t>(result.variable)];
    if (!result.inPlace && !variable->isEmpty()) variable->assign(*_resultArrays[k]);
  }
  // Arrays that share memory with inputs, which updates may have read.
  for (size_t k = 0; k < _asked; k++) {
    if (!waitsForUpdates(k)) continue;
    if (!_given[k]->isEmpty() && _given[k] != _resultArrays[k]) _given[k]->assign(*_resultArrays[k]);
    _resultArrays[k] = _given[k];
  }
}

}  // namespace sd::graph
