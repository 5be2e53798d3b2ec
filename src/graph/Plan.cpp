#include "graph/Plan.h"

#include <exceptions/graph_execution_exception.h>
#include <execution/Parallel.h>
#include <graph/profiling/GraphProfile.h>
#include <helpers/shape.h>

#include <algorithm>
#include <numeric>

#include "graph/GraphFile.h"
#include "graph/NodeCall.h"
#include "graph/PlanCompiler.h"
#include "graph/PlanParts.h"
#include "graph/StepGraph.h"
#include "system/Error.h"

namespace sd::graph {
namespace {

/// The bytes from the first to behind the last element.
std::pair<const char*, const char*> extent(const NDArray& array) {
  const LongType* info = array.shapeInfo();
  LongType low = 0, high = 0;
  for (int d = 0; d < shape::rank(info); d++) {
    const LongType reach = (shape::shapeOf(info)[d] - 1) * shape::stride(info)[d];
    (reach < 0 ? low : high) += reach;
  }
  const auto* first = static_cast<const char*>(array.buffer());
  const auto size = static_cast<LongType>(array.sizeOfT());
  return {first + low * size, first + (high + 1) * size};
}

/// Segments that may follow one: for so many combinations of shapes that were found in it.
constexpr size_t MOST_CONTINUATIONS = 16;

/// Steps that take longer are taken to have split their loops over all threads.
constexpr double SPLIT_NANOSECONDS = 100000;

/// "(-1, 0) 'x'"
std::string describe(const OpenGraph& graph, const std::pair<int, int>& name) {
  const VariableSpace& space = *graph.source().getVariableSpace();
  const std::string text = space.hasVariable(name) ? *space.getVariable(name)->getName() : "";
  return fmt::format("({}, {}){}", name.first, name.second, text.empty() ? "" : " '" + text + "'");
}

}  // namespace

Plan::Plan(std::unique_ptr<OpenGraph> graph, const PlanSettings& settings)
    : _graph(std::move(graph)), _settings(settings) {
  const auto count = static_cast<size_t>(_graph->values());
  _slots.resize(count);
  _bound.resize(count, nullptr);
  _resultOf.resize(count, -1);
  for (const ValueId value : _graph->results()) {
    int& first = _resultOf[static_cast<size_t>(value)];
    if (first < 0) first = static_cast<int>(_results.size());
    Result result;
    result.value = value;
    _results.push_back(std::move(result));
  }
  _resultArrays.resize(_results.size(), nullptr);
  _first = std::make_unique<Segment>();
  for (ValueId id = 0; id < _graph->values(); id++) {
    const OpenValue& value = _graph->value(id);
    if (value.source == OpenValue::Source::Node) continue;
    if (value.source == OpenValue::Source::Constant) {
      _first->known[id] = {value.shapeInfo, const_cast<NDArray*>(value.constant)};
      continue;
    }
    if (value.readers == 0 && !value.isResult) continue;
    if (value.shapeInfo == nullptr)
      throw graph_execution_exception(
          fmt::format("{}the placeholder {} is not fed", fileText(_graph->origin()), describe(*_graph, value.name)),
          -1);
    _first->known[id] = {value.shapeInfo, nullptr};
    _inputs.push_back(value.name);
    _inputValues.push_back(id);
  }
  std::vector<NodeId> nodes;
  for (NodeId id = 0; id < _graph->nodes(); id++)
    if (!_graph->node(id).removed) nodes.push_back(id);
  Compiler(*this, *_first).compile(nodes);
}

Plan::~Plan() = default;

void Plan::bind(ValueId value, NDArray* array) {
  NDArray*& bound = _bound[static_cast<size_t>(value)];
  if (bound == array) return;
  bound = array;
  for (NDArray** slot : _slots[static_cast<size_t>(value)]) *slot = array;
}

NDArray* Plan::arrayOf(ValueId value, const Segment& segment) const {
  const Known* known = segment.find(value);
  return known != nullptr && known->array != nullptr ? known->array : _bound[static_cast<size_t>(value)];
}

/// Finds the results whose arrays share memory with an input or with another result.
void Plan::findShared(NDArray* const* results) {
  _extents.clear();
  _isShared.assign(_results.size(), 0);
  const auto add = [this](const NDArray* array, int result) {
    if (array == nullptr || array->isEmpty() || array->isS()) return;
    const auto [first, end] = extent(*array);
    _extents.push_back({first, end, result});
  };
  for (const ValueId input : _inputValues) add(_bound[static_cast<size_t>(input)], -1);
  for (size_t k = 0; k < _results.size(); k++) add(results[k], static_cast<int>(k));
  std::sort(_extents.begin(), _extents.end(), [](const Extent& a, const Extent& b) { return a.first < b.first; });
  // If an array overlaps several that begin before it, they overlap each other and are known already, so that it is
  // enough to look at the one that ends last.
  const Extent* last = nullptr;
  for (const Extent& each : _extents) {
    if (last != nullptr && each.first < last->end)
      for (const int result : {each.result, last->result})
        if (result >= 0) _isShared[static_cast<size_t>(result)] = 1;
    if (last == nullptr || each.end > last->end) last = &each;
  }
}

void Plan::bindResults(NDArray* const* results) {
  if (results != nullptr) findShared(results);
  for (size_t k = 0; k < _results.size(); k++) {
    Result& result = _results[k];
    if (!result.direct) continue;
    NDArray* array = results == nullptr ? nullptr : results[k];
    // Steps write arrays of the planned layout that no input shares.
    const bool usable = array != nullptr && array->shapeInfo() == result.shapeInfo && _isShared[k] == 0;
    if (!usable) {
      if (result.own == nullptr) result.own = std::make_unique<NDArray>();
      // A new one, or one that was handed over.
      if (result.own->shapeInfo() != result.shapeInfo)
        *result.own = NDArray::uninitialized(result.shapeInfo, LaunchContext::defaultContext());
      array = result.own.get();
    }
    bind(result.value, array);
  }
}

/// Moves arrays in the memory of bound values to where these are now.
void Plan::bindViews(Segment& segment) {
  for (const Segment::BoundView& view : segment.boundViews) {
    void* place = static_cast<char*>(_bound[static_cast<size_t>(view.of)]->buffer()) + view.offset;
    if (view.buffer->primary() != place) view.buffer->setPrimaryBuffer(place, view.length);
  }
}

void Plan::run(NDArray* const* inputs, NDArray* const* results, const RunControl& control) {
  for (size_t i = 0; i < _inputValues.size(); i++) bind(_inputValues[i], inputs[i]);
  bindResults(results);
  Segment* segment = _first.get();
  runSteps(*segment, control);
  while (!segment->rest.empty()) {
    segment = &next(*segment);
    runSteps(*segment, control);
  }
  copyResults(results, *segment);
}

void Plan::runStep(Step& step, const RunControl& control) {
  if (step.kind == Step::Kind::Nothing) return;
  const auto place = [&] { return placeOf(_graph->origin(), *_graph->node(step.node).node); };
  const auto require = [&](Status status) {
    if (status != Status::OK) throw graph_execution_exception(place() + ": " + step.op->failureMessage(status), -1);
  };
  try {
    if (control.cancelled != nullptr && control.cancelled->load(std::memory_order_relaxed))
      throw graph_execution_exception(place() + ": the execution was cancelled", -1);
    if (step.kind == Step::Kind::Prepared) {
      if (step.zeroOutputs)
        for (NDArray* output : step.block->fastpath_out()) output->nullify();
      require(step.op->runPrepared(*step.block));
      return;
    }
    if (step.kind == Step::Kind::Call) {
      require(step.op->execute(step.block.get()));
    } else {
      step.control->run(step.block->fastpath_in(), step.block->fastpath_out(), control);
    }
    const OpenNode& node = _graph->node(step.node);
    const auto& outputs = step.block->fastpath_out();
    for (size_t k = 0; k < node.outputs.size(); k++) bind(node.outputs[k], k < outputs.size() ? outputs[k] : nullptr);
  } catch (...) {
    rethrowAt(place());
  }
}

void Plan::runSteps(Segment& segment, const RunControl& control) {
  bindViews(segment);
  if (control.profile != nullptr || segment.layout != nullptr) return runTimed(segment, control);
  if (segment.scheduler != nullptr) {
    segment.scheduler->run([&](int step) { runStep(segment.steps[static_cast<size_t>(step)], control); },
                           segment.threads);
    return;
  }
  for (Step& step : segment.steps) runStep(step, control);
}

void Plan::runTimed(Segment& segment, const RunControl& control) {
  for (size_t s = 0; s < segment.steps.size(); s++) {
    Step& step = segment.steps[s];
    const LongType start = GraphProfile::currentTime();
    runStep(step, control);
    const LongType time = GraphProfile::relativeTime(start);
    if (s < segment.nanoseconds.size()) segment.nanoseconds[s] = static_cast<double>(time);
    if (control.profile == nullptr || step.kind == Step::Kind::Nothing) continue;
    const auto& inputs = step.block->fastpath_in();
    const auto& outputs = step.block->fastpath_out();
    recordCall(*control.profile, *_graph->node(step.node).node, {start, 0, time, time}, {inputs.begin(), inputs.end()},
               {outputs.begin(), outputs.end()});
  }
  if (segment.layout == nullptr) return;
  schedule(segment);
  const std::lock_guard lock(_mutex);
  if (segment.scheduler == nullptr) segment.dropPlaces();
}

/// Decides after the first run whether steps run side by side, from the times that they took.
void Plan::schedule(Segment& segment) {
  const std::unique_ptr<Segment::Layout> layout = std::move(segment.layout);
  const int most = execution::defaultThreads();
  const auto total = std::accumulate(segment.nanoseconds.begin(), segment.nanoseconds.end(), 0.);
  if (most < 2 || execution::threadsFor(total) < 2) return;
  // Positions in the order are the numbers of the steps here.
  std::vector<int> position(layout->order.size());
  for (size_t at = 0; at < layout->order.size(); at++)
    position[static_cast<size_t>(layout->order[at])] = static_cast<int>(at);
  const StepGraph graph(layout->steps);
  std::vector<StepEdge> edges;
  for (int step = 0; step < graph.steps(); step++)
    for (const int before : graph.predecessors(step))
      edges.push_back({position[static_cast<size_t>(before)], position[static_cast<size_t>(step)]});
  for (const StepEdge& edge : sharingEdges(layout->steps, layout->order, layout->memory))
    edges.push_back({position[static_cast<size_t>(edge.before)], position[static_cast<size_t>(edge.after)]});
  std::vector<int> order(segment.steps.size());
  std::iota(order.begin(), order.end(), 0);
  // What took long has probably used all threads; short loops are not split.
  std::vector<double> single = segment.nanoseconds;
  for (double& time : single)
    if (time > SPLIT_NANOSECONDS) time *= 0.8 * most;
  auto scheduler = std::make_unique<StepScheduler>(order, edges, single, segment.nanoseconds);
  segment.threads = scheduler->usefulThreads(most);
  if (segment.threads > 1) segment.scheduler = std::move(scheduler);
}

Plan::Segment& Plan::next(Segment& segment) {
  const auto fits = [&](const Segment::Next& candidate) {
    for (size_t i = 0; i < segment.found.size(); i++) {
      const NDArray* array = _bound[static_cast<size_t>(segment.found[i])];
      if (candidate.shapes[i] != (array == nullptr ? nullptr : array->shapeInfo())) return false;
    }
    return true;
  };
  const auto found = std::find_if(segment.next.rbegin(), segment.next.rend(), fits);
  if (found != segment.next.rend()) {
    if (found == segment.next.rbegin()) return *found->segment;
    const std::lock_guard lock(_mutex);
    std::rotate(found.base() - 1, found.base(), segment.next.end());  // the last one was used last
    return *segment.next.back().segment;
  }
  Segment::Next made;
  made.segment = std::make_unique<Segment>();
  made.segment->before = &segment;
  for (const ValueId value : segment.found) {
    const NDArray* array = _bound[static_cast<size_t>(value)];
    made.shapes.push_back(array == nullptr ? nullptr : array->shapeInfo());
    if (array != nullptr) made.segment->known[value] = {array->shapeInfo(), nullptr};
  }
  Compiler(*this, *made.segment).compile(segment.rest);
  if (made.segment->steps.empty() && made.segment->rest.size() == segment.rest.size()) {
    const OpenNode& node = _graph->node(segment.rest.front());
    throw graph_execution_exception(placeOf(_graph->origin(), *node.node) + ": an input has no value", -1);
  }
  const std::lock_guard lock(_mutex);
  if (segment.next.size() >= MOST_CONTINUATIONS) {
    disconnect(*segment.next.front().segment);
    segment.next.erase(segment.next.begin());
  }
  segment.next.push_back(std::move(made));
  return *segment.next.back().segment;
}

/// Forgets where the steps of a segment, and of those after it, have addresses of values.
void Plan::disconnect(Segment& segment) {
  for (const Segment::Next& after : segment.next) disconnect(*after.segment);
  std::sort(segment.slots.begin(), segment.slots.end());
  for (size_t i = 0; i < segment.slots.size(); i++) {
    const ValueId value = segment.slots[i].first;
    if (i > 0 && segment.slots[i - 1].first == value) continue;
    std::erase_if(_slots[static_cast<size_t>(value)], [&](NDArray** slot) {
      return std::binary_search(segment.slots.begin(), segment.slots.end(), std::pair(value, slot));
    });
  }
  for (const ValueId value : segment.found) bind(value, nullptr);
}

void Plan::copyResults(NDArray* const* results, const Segment& last) {
  for (size_t k = 0; k < _results.size(); k++) {
    const Result& result = _results[k];
    NDArray* array = arrayOf(result.value, last);
    if (array == nullptr) {
      const auto& [id, index] = _graph->value(result.value).name;
      throw graph_execution_exception(
          fmt::format("{}the result ({}, {}) has no value", fileText(_graph->origin()), id, index), -1);
    }
    _resultArrays[k] = array;
    NDArray* target = results == nullptr ? nullptr : results[k];
    if (target == nullptr || target == array) continue;
    if (!target->isSameShape(*array) || target->dataType() != array->dataType())
      fail("[graph] result {}: its array has shape {} of {}, but the value has shape {} of {}", k,
           ShapeUtils::shapeAsString(target), DataTypeUtils::describe(target->dataType()),
           ShapeUtils::shapeAsString(array), DataTypeUtils::describe(array->dataType()));
    if (!target->isEmpty()) target->assign(*array);
    _resultArrays[k] = target;
  }
}

std::vector<NDArray> Plan::takeResults() {
  std::vector<NDArray> arrays(_results.size());
  // An array that is several results is handed over as the first of them, after the copies were made.
  for (size_t k = _results.size(); k-- > 0;) {
    Result& result = _results[k];
    if (result.direct && result.own.get() == _resultArrays[k])
      arrays[k] = std::move(*result.own);
    else
      arrays[k] = NDArray(*_resultArrays[k]);
  }
  return arrays;
}

// ---- what it consists of

namespace {

template <typename S, typename F>
void eachSegment(const S& segment, F&& f) {
  f(segment);
  for (const auto& next : segment.next) eachSegment(*next.segment, f);
}

}  // namespace

int64_t Plan::arenaBytes() const {
  const std::lock_guard lock(_mutex);
  int64_t bytes = 0;
  eachSegment(*_first, [&bytes](const Segment& segment) {
    if (segment.arena != nullptr) bytes += segment.arena->lengthOf();
  });
  return bytes;
}

int64_t Plan::totalBytes() const {
  const std::lock_guard lock(_mutex);
  int64_t bytes = 0;
  eachSegment(*_first, [&bytes](const Segment& segment) { bytes += segment.totalBytes; });
  return bytes;
}

size_t Plan::steps() const {
  const std::lock_guard lock(_mutex);
  size_t count = 0;
  eachSegment(*_first, [&count](const Segment& segment) { count += segment.countSteps(); });
  return count;
}

std::string Plan::text() const {
  const std::lock_guard lock(_mutex);
  std::string text;
  eachSegment(*_first, [&](const Segment& segment) {
    text += fmt::format("{} steps, {} bytes of memory for {} bytes of results\n", segment.countSteps(),
                        segment.arena == nullptr ? 0 : segment.arena->lengthOf(), segment.totalBytes);
    for (const Step& step : segment.steps) {
      if (step.kind == Step::Kind::Nothing) continue;
      const OpenNode& node = _graph->node(step.node);
      text += "  " + node.node->describe();
      for (const ValueId output : node.outputs) {
        const Known* known = segment.find(output);
        text += known == nullptr || known->shapeInfo == nullptr
                    ? " -> shape found when it runs"
                    : fmt::format(" -> {} {}", DataTypeUtils::describe(ArrayOptions::dataType(known->shapeInfo)),
                                  ShapeUtils::shapeAsString(known->shapeInfo));
      }
      text += "\n";
    }
  });
  return text;
}

}  // namespace sd::graph
