#include "graph/Plan.h"

#include <exceptions/graph_execution_exception.h>
#include <execution/Parallel.h>
#include <graph/profiling/GraphProfile.h>
#include <helpers/shape.h>
#include <ops/declarable/OpRegistrator.h>

#include <algorithm>
#include <numeric>

#include "graph/GraphFile.h"
#include "graph/NodeCall.h"
#include "graph/PlanCompiler.h"
#include "graph/PlanParts.h"
#include "graph/StepGraph.h"
#include "system/Error.h"

namespace sd::graph {

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

uint64_t mixedSeed(uint64_t seed, LongType number) {
  // The finaliser of SplitMix64.
  uint64_t z = seed + 0x9E3779B97F4A7C15u * (static_cast<uint64_t>(number) + 1);
  z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
  z = (z ^ z >> 27) * 0x94D049BB133111EBu;
  z ^= z >> 31;
  return z == 0 ? 1 : z;
}

namespace {

/// Segments that may follow one: for so many combinations of shapes that were found in it.
constexpr size_t MOST_CONTINUATIONS = 16;

/// Steps that take longer are taken to have split their loops over all threads.
constexpr double SPLIT_NANOSECONDS = 100000;

RandomGenerator generatorFor(uint64_t seed, int node) {
  const uint64_t root = mixedSeed(seed, node);
  return {static_cast<LongType>(root), static_cast<LongType>(mixedSeed(root, node))};
}

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
  const size_t wanted = _graph->results().size() - _settings.updates;
  _asked = wanted - _settings.updates;
  for (size_t k = 0; k < wanted; k++) {
    Result result;
    result.value = _graph->results()[k];
    if (k >= _asked) result.variable = _graph->results()[k + _settings.updates];
    int& first = _resultOf[static_cast<size_t>(result.value)];
    if (first < 0) first = static_cast<int>(k);
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
    _isUpdated.push_back(
        std::any_of(_results.begin(), _results.end(), [id](const Result& result) { return result.variable == id; })
            ? 1
            : 0);
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
  for (size_t k = 0; k < _asked; k++) add(results[k], static_cast<int>(k));
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
    if (result.inPlace) {
      bind(result.value, _bound[static_cast<size_t>(result.variable)]);
      continue;
    }
    NDArray* array = results == nullptr || k >= _asked ? nullptr : results[k];
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
  if (_settings.updates > 0) requireApart(results);
  bindResults(results);
  _given = results;
  _arePublished = false;
  Segment* segment = _first.get();
  runSteps(*segment, control);
  while (!segment->rest.empty()) {
    segment = &next(*segment);
    runSteps(*segment, control);
  }
  if (!_arePublished) publish(*segment);
  if (_settings.updates > 0) update();
}

void Plan::runStep(Step& step, const RunControl& control) {
  if (step.kind == Step::Kind::Nothing) return;
  if (step.kind == Step::Kind::Publish) {
    if (control.cancelled != nullptr && control.cancelled->load(std::memory_order_relaxed))
      throw graph_execution_exception(fileText(_graph->origin()) + "the execution was cancelled", -1);
    publish(*_first);
    return;
  }
  const auto place = [&] { return placeOf(_graph->origin(), *_graph->node(step.node).node); };
  const auto require = [&](Status status) {
    if (status != Status::OK) throw graph_execution_exception(place() + ": " + step.op->failureMessage(status), -1);
  };
  try {
    if (!step.updates && control.cancelled != nullptr && control.cancelled->load(std::memory_order_relaxed))
      throw graph_execution_exception(place() + ": the execution was cancelled", -1);
    if (step.kind == Step::Kind::Prepared) {
      if (step.zeroOutputs)
        for (NDArray* output : step.block->fastpath_out()) output->nullify();
      if (step.isRandom && control.seed != 0) step.block->setRng(generatorFor(control.seed, step.block->nodeId()));
      if (step.maskSeed != nullptr)
        *step.maskSeed =
            control.maskSeed == 0 ? step.givenSeed : static_cast<LongType>(mixedSeed(control.maskSeed, step.givenSeed));
      require(step.op->runPrepared(*step.block));
      return;
    }
    if (step.kind == Step::Kind::Call) {
      if (step.isRandom && control.seed != 0) step.block->setRng(generatorFor(control.seed, step.block->nodeId()));
      require(step.op->execute(step.block.get()));
    } else {
      RunControl inner = control;
      if (control.seed != 0) inner.seed = mixedSeed(control.seed, step.block->nodeId());
      step.control->run(step.block->fastpath_in(), step.block->fastpath_out(), inner);
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
    if (control.profile == nullptr || !step.computes()) continue;
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
/// Helpers on oneDNN divide sums by the number of threads that they get. Beside other steps they would get one, and
/// whether steps run beside each other depends on times: results would differ from process to process.
bool Plan::dependsOnThreads(const Segment& segment) {
  auto& registry = ops::OpRegistrator::getInstance();
  return std::any_of(segment.steps.begin(), segment.steps.end(), [&registry](const Step& step) {
    return step.op != nullptr && registry.hasHelper(step.op->getOpHash(), samediff::ENGINE_CPU);
  });
}

void Plan::schedule(Segment& segment) {
  const std::unique_ptr<Segment::Layout> layout = std::move(segment.layout);
  const int most = execution::defaultThreads();
  const auto total = std::accumulate(segment.nanoseconds.begin(), segment.nanoseconds.end(), 0.);
  if (most < 2 || execution::steadyThreadsFor(total) < 2 || dependsOnThreads(segment)) return;
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
  for (size_t k = 0; k < _asked; k++) {
    Result& result = _results[k];
    NDArray* array = arrayOf(result.value, last);
    if (array == nullptr) {
      const auto& [id, index] = _graph->value(result.value).name;
      throw graph_execution_exception(
          fmt::format("{}the result ({}, {}) has no value", fileText(_graph->origin()), id, index), -1);
    }
    _resultArrays[k] = array;
    NDArray* target = results == nullptr ? nullptr : results[k];
    // It may be a variable that gets a new value, or share its memory.
    const bool waits = _settings.updates > 0 && (target == nullptr || waitsForUpdates(k));
    if (waits && !result.direct) _resultArrays[k] = &keepCopy(result, *array);
    if (target == nullptr || target == array) continue;
    if (!target->isSameShape(*array) || target->dataType() != array->dataType())
      fail("[graph] result {}: its array has shape {} of {}, but the value has shape {} of {}", k,
           ShapeUtils::shapeAsString(target), DataTypeUtils::describe(target->dataType()),
           ShapeUtils::shapeAsString(array), DataTypeUtils::describe(array->dataType()));
    if (waits) continue;
    if (!target->isEmpty()) target->assign(*array);
    _resultArrays[k] = target;
  }
}

std::vector<NDArray> Plan::takeResults() {
  std::vector<NDArray> arrays(_asked);
  // An array that is several results is handed over as the first of them, after the copies were made.
  for (size_t k = _asked; k-- > 0;) {
    Result& result = _results[k];
    if (result.own != nullptr && result.own.get() == _resultArrays[k])
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
      if (!step.computes()) continue;
      const OpenNode& node = _graph->node(step.node);
      text += "  " + node.node->describe();
      for (const ValueId output : node.outputs) {
        const Known* known = segment.find(output);
        text += known == nullptr || known->shapeInfo == nullptr
                    ? " -> shape found when it runs"
                    : fmt::format(" -> {} {}", DataTypeUtils::describe(ArrayOptions::dataType(known->shapeInfo)),
                                  ShapeUtils::shapeAsString(known->shapeInfo));
        const int result = _resultOf[static_cast<size_t>(output)];
        if (result >= 0 && _results[static_cast<size_t>(result)].inPlace)
          text += " over " + describe(*_graph, _graph->value(_results[static_cast<size_t>(result)].variable).name);
      }
      text += "\n";
    }
  });
  return text;
}

}  // namespace sd::graph
