#include "graph/SessionCore.h"

#include <exceptions/graph_execution_exception.h>

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "graph/ControlSteps.h"
#include "graph/GraphChecks.h"
#include "graph/GraphFile.h"
#include "graph/NodeCall.h"
#include "graph/NodeText.h"
#include "graph/StructuredFlow.h"
#include "graph/passes/Pass.h"
#include "system/Error.h"

namespace sd::graph {
namespace {

const Variable* variableOf(const Graph& graph, const ValueName& name) {
  const VariableSpace& space = *graph.getVariableSpace();
  return space.hasVariable(name) ? space.getVariable(name) : nullptr;
}

NDArray* arrayOf(const Variable* variable) {
  return variable != nullptr && variable->hasNDArray() ? variable->getNDArray() : nullptr;
}

NDArray* variableArray(const Graph& graph, const ValueName& name) { return arrayOf(variableOf(graph, name)); }

class PlanEngine final : public SessionCore::Engine {
 public:
  PlanEngine(const SessionCore& core, std::unique_ptr<Plan> plan) : _plan(std::move(plan)) {
    std::unordered_map<ValueName, int> places;
    for (const ValueName& name : core.inputs()) places.emplace(name, static_cast<int>(places.size()));
    for (const ValueName& name : _plan->inputs()) {
      const auto found = places.find(name);
      _feeds.push_back(found == places.end() ? -1 : found->second);
      _variables.push_back(found == places.end() ? variableOf(core.graph(), name) : nullptr);
    }
    _arrays.resize(_feeds.size());
  }

  void run(NDArray* const* feeds, NDArray* const* results, size_t, const RunControl& control) override {
    for (size_t i = 0; i < _feeds.size(); i++) _arrays[i] = _feeds[i] >= 0 ? feeds[_feeds[i]] : arrayOf(_variables[i]);
    _plan->run(_arrays.data(), results, control);
  }
  size_t results() const override { return _plan->results(); }
  NDArray* result(size_t k) const override { return _plan->result(k); }
  std::vector<NDArray> takeResults() override { return _plan->takeResults(); }
  const Plan* plan() const override { return _plan.get(); }
  const LongType* directShape(size_t k) const override { return _plan->directShape(k); }

 private:
  std::unique_ptr<Plan> _plan;
  std::vector<int> _feeds;  // for each input of the plan: which feed; -1: a variable
  std::vector<const Variable*> _variables;
  std::vector<NDArray*> _arrays;
};

/// For graphs that plans do not run.
class InterpreterEngine final : public SessionCore::Engine {
 public:
  InterpreterEngine(const SessionCore& core, const std::vector<ValueName>& results)
      : _core(core), _names(results), _graph(core.graph().cloneWithProxy()) {
    for (Node* node : *_graph->getAllNodes()) node->markInplace(false);
    _interpreter = std::make_unique<GraphInterpreter>(*_graph, *_graph->getVariableSpace());
  }

  void run(NDArray* const* feeds, NDArray* const* results, size_t count, const RunControl& control) override {
    VariableSpace& space = *_graph->getVariableSpace();
    _old.clear();
    for (size_t i = 0; i < _core.inputs().size(); i++) {
      if (feeds[i] == nullptr) continue;
      auto* variable = new Variable(true);
      variable->setNDArray(sharedArray(*feeds[i]).release());
      const ValueName& name = _core.inputs()[i];
      space.VariableSpace::dropVariable(name);
      space.putVariable(name.first, name.second, variable);
    }
    RunLimits limits;
    limits.iterations = control.iterations;
    limits.cancelled = control.cancelled;
    const Status status = _interpreter->run(limits);
    if (status != Status::OK) throw graph_execution_exception(_interpreter->failure(), _graph->id());
    _results.clear();
    for (const ValueName& name : _names)
      for (int k = std::max(0, name.second); space.hasVariable(name.first, k); k++) {
        const Variable& value = *space.getVariable(name.first, k);
        // Results of branches that are not taken are left out, unless they were asked for.
        if (!value.hasNDArray() && !value.hasNDArrayList() && _core.options().results.empty()) break;
        if (!value.hasNDArray())
          throw graph_execution_exception(
              fmt::format("{}the result ({}, {}) '{}' {}", fileText(_graph->origin()), name.first, k, *value.getName(),
                          value.hasNDArrayList() ? "is a list of arrays" : "has no value"),
              _graph->id());
        _results.push_back(value.getNDArray());
        if (name.second >= 0 || name.first < 0) break;
      }
    const std::vector<NDArray> fresh = newValues();
    keepOldValues();
    copyResults(results, count);
    for (size_t u = 0; u < fresh.size(); u++)
      if (!fresh[u].isEmpty()) variableArray(_core.graph(), _core.updates()[u].variable)->assign(fresh[u]);
  }
  size_t results() const override { return _results.size(); }
  NDArray* result(size_t k) const override { return _results[k]; }

 private:
  const SessionCore& _core;
  std::vector<ValueName> _names;
  std::unique_ptr<Graph> _graph;
  std::unique_ptr<GraphInterpreter> _interpreter;
  std::vector<NDArray*> _results;
  std::vector<std::unique_ptr<NDArray>> _old;  // results that are variables which the run updates

  void copyResults(NDArray* const* results, size_t count) {
    if (results == nullptr) return;
    if (count != _results.size())
      fail<std::invalid_argument>("[graph] {} arrays for {} results", count, _results.size());
    for (size_t k = 0; k < count; k++) {
      if (results[k] == nullptr) continue;
      if (!results[k]->isEmpty()) results[k]->assign(*_results[k]);
      _results[k] = results[k];
    }
  }

  std::vector<NDArray> newValues() const {
    const VariableSpace& space = *_graph->getVariableSpace();
    std::vector<NDArray> fresh;
    for (const auto& [variable, value] : _core.updates()) {
      const Variable* computed = space.hasVariable(value) ? space.getVariable(value) : nullptr;
      if (computed == nullptr || !computed->hasNDArray())
        throw graph_execution_exception(
            fmt::format("{}the new value ({}, {}) of variable {} has no array", fileText(_graph->origin()), value.first,
                        value.second, variable.first),
            _graph->id());
      requireFit(_core.graph(), variable, variableArray(_core.graph(), variable)->shapeInfo(),
                 computed->getNDArray()->shapeInfo());
      fresh.push_back(computed->getNDArray()->dup());
    }
    return fresh;
  }

  void keepOldValues() {
    for (const Update& update : _core.updates()) {
      const NDArray* array = variableArray(_core.graph(), update.variable);
      for (NDArray*& result : _results)
        if (result == array) {
          _old.push_back(std::make_unique<NDArray>(array->dup()));
          result = _old.back().get();
        }
    }
  }
};

}  // namespace

std::vector<NDArray> SessionCore::Engine::takeResults() {
  std::vector<NDArray> arrays;
  arrays.reserve(results());
  for (size_t k = 0; k < results(); k++) arrays.push_back(*result(k));
  return arrays;
}

SessionCore::SessionCore(const Graph& graph, std::vector<ValueName> results, const SessionOptions& options,
                         std::vector<Update> updates)
    : _graph(graph), _options(options), _results(std::move(results)), _updates(std::move(updates)) {
  prepare();
}

SessionCore::SessionCore(std::unique_ptr<Graph> graph, std::vector<ValueName> results, const SessionOptions& options,
                         std::vector<Update> updates)
    : _own(std::move(graph)),
      _graph(*_own),
      _options(options),
      _results(std::move(results)),
      _updates(std::move(updates)) {
  prepare();
}

SessionCore::~SessionCore() = default;

void SessionCore::prepare() {
  const_cast<Graph&>(_graph).buildGraph();
  checkNesting(_graph);
  for (const std::string& name : _options.withoutPasses) {
    const auto passes = allPasses();
    if (name != "all" &&
        std::none_of(passes.begin(), passes.end(), [&](const Pass& pass) { return name == pass.name; }))
      invalidArgument("[Session] there is no pass '{}'", name);
  }
  for (const Variable* placeholder : _graph.getPlaceholders())
    _inputs.emplace_back(placeholder->id(), placeholder->id() < 0 ? 0 : placeholder->index());
  // The variables on whose shapes plans depend.
  std::unordered_set<ValueName> seen(_inputs.begin(), _inputs.end());
  const auto note = [&](const ValueName& name) {
    const ValueName key(name.first, name.first < 0 ? 0 : name.second);
    if (name.second < 0 || (name.first >= 0 && _graph.hasNode(name.first)) || !seen.insert(key).second) return;
    const Variable* variable = variableOf(_graph, key);
    if (arrayOf(variable) != nullptr) _variables.push_back(variable);
  };
  for (const Node* node : _graph.allNodes())
    for (const auto& input : node->inputs()) note(input);
  const std::vector<ValueName> values = plannedValues();
  for (const ValueName& value : values) note({value.first, std::max(0, value.second)});
  if (isPlannable(_graph)) {
    _plannable = &_graph;
  } else {
    _structured = structuredFlow(_graph, values);
    if (_structured != nullptr && isPlannable(*_structured)) _plannable = _structured.get();
  }
}

/// The results, the new values of variables, and these variables.
std::vector<ValueName> SessionCore::plannedValues() const {
  std::vector<ValueName> values = _results;
  for (const Update& update : _updates) values.push_back(update.value);
  for (const Update& update : _updates) values.push_back(update.variable);
  return values;
}

SessionCore::Lease SessionCore::engineFor(NDArray* const* feeds) {
  const std::lock_guard lock(_mutex);
  const size_t count = _inputs.size() + _variables.size();
  const auto shapeOf = [&](size_t i) -> const LongType* {
    const NDArray* array = i < _inputs.size() ? feeds[i] : arrayOf(_variables[i - _inputs.size()]);
    return array == nullptr ? nullptr : array->shapeInfo();
  };
  const auto fits = [&](const Entry& entry) {
    for (size_t i = 0; i < entry.shapes.size(); i++)
      if (entry.shapes[i] != shapeOf(i)) return false;
    return true;
  };
  auto entry = std::find_if(_entries.begin(), _entries.end(), fits);
  if (entry == _entries.end()) {
    if (_entries.size() >= std::max<size_t>(1, _options.plans)) {
      const auto oldest = std::min_element(_entries.begin(), _entries.end(),
                                           [](const Entry& a, const Entry& b) { return a.used < b.used; });
      for (const auto& engine : oldest->idle)
        if (engine->plan() == _lastPlan) _lastPlan = nullptr;
      _entries.erase(oldest);
    }
    Entry made;
    made.id = _nextEntry++;
    // Interpreters take all shapes.
    for (size_t i = 0; _plannable != nullptr && i < count; i++) made.shapes.push_back(shapeOf(i));
    made.idle.push_back(makeEngine(feeds));
    _entries.push_back(std::move(made));
    entry = _entries.end() - 1;
  }
  entry->used = ++_clock;
  if (entry->idle.empty()) entry->idle.push_back(makeEngine(feeds));
  std::unique_ptr<Engine> engine = std::move(entry->idle.back());
  entry->idle.pop_back();
  return {*this, entry->id, std::move(engine)};
}

void SessionCore::giveBack(size_t id, std::unique_ptr<Engine> engine) {
  const std::lock_guard lock(_mutex);
  const auto entry = std::find_if(_entries.begin(), _entries.end(), [id](const Entry& each) { return each.id == id; });
  if (entry != _entries.end())
    entry->idle.push_back(std::move(engine));
  else if (engine->plan() == _lastPlan)
    _lastPlan = nullptr;
}

void SessionCore::checkFeeds(NDArray* const* feeds) const {
  for (size_t i = 0; i < _inputs.size(); i++) {
    const Variable& placeholder = *_graph.getVariableSpace()->getVariable(_inputs[i]);
    if (feeds[i] == nullptr || !placeholder.isStrict()) continue;
    const ops::PartialShape expected = placeholder.expected(), given = ops::PartialShape::of(feeds[i]->shapeInfo());
    const auto fits = [](LongType wanted, LongType size) {
      return wanted == ops::PartialShape::UNKNOWN || wanted == size;
    };
    const bool isType = !expected.hasType() || expected.type() == given.type();
    const bool isShape =
        !expected.hasRank() || std::equal(expected.begin(), expected.end(), given.begin(), given.end(), fits);
    if (!isType || !isShape)
      invalidArgument("{}input '{}' is {}, expected {}", fileText(_graph.origin()), valueText(_graph, _inputs[i]),
                      shapeText(given), shapeText(expected));
  }
}

std::unique_ptr<SessionCore::Engine> SessionCore::makeEngine(NDArray* const* feeds) {
  checkFeeds(feeds);
  // A branch that is not taken needs no inputs, which only the interpreter finds out.
  const bool isFed = std::all_of(feeds, feeds + _inputs.size(), [](const NDArray* feed) { return feed != nullptr; });
  if (_plannable == nullptr || (_structured != nullptr && !isFed))
    return std::make_unique<InterpreterEngine>(*this, _results);
  std::vector<FedShape> shapes;
  for (size_t i = 0; i < _inputs.size(); i++)
    if (feeds[i] != nullptr) shapes.push_back({_inputs[i], feeds[i]->shapeInfo(), {}});
  auto open = std::make_unique<OpenGraph>(*_plannable, shapes, plannedValues());
  std::vector<PassReport> reports;
  const auto isOff = [this](const char* name) {
    return std::any_of(_options.withoutPasses.begin(), _options.withoutPasses.end(),
                       [name](const std::string& without) { return without == "all" || without == name; });
  };
  for (const Pass& pass : allPasses()) {
    if (isOff(pass.name)) continue;
    PassReport report{pass.name, pass.text, 0, open->liveNodes(), 0};
    report.changes = pass.run(*open);
    report.nodesAfter = open->liveNodes();
    reports.push_back(std::move(report));
  }
  PlanSettings settings;
  settings.reuseMemory = _options.reuseMemory;
  settings.inPlace = _options.inPlace && _options.reuseMemory;
  settings.sideBySide = _options.sideBySide;
  settings.withoutPasses = _options.withoutPasses;
  settings.updates = _updates.size();
  auto engine = std::make_unique<PlanEngine>(*this, std::make_unique<Plan>(std::move(open), settings));
  _reports = std::move(reports);
  _lastPlan = engine->plan();
  return engine;
}

}  // namespace sd::graph
