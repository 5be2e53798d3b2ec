#include <exceptions/graph_execution_exception.h>
#include <graph/Graph.h>
#include <graph/Session.h>

#include <algorithm>
#include <string_view>

#include "graph/NodeText.h"
#include "graph/ResultNames.h"
#include "graph/SessionCore.h"
#include "graph/passes/Pass.h"
#include "system/Error.h"

namespace sd::graph {
namespace {

/// Why the variable cannot be updated; empty when it can.
std::string whyNoUpdate(const Graph& graph, const ValueName& name) {
  if (graph.hasNode(name.first) || !graph.getVariableSpace()->hasVariable(name)) return "it is the result of a node";
  const Variable& variable = *graph.getVariableSpace()->getVariable(name);
  if (variable.isPlaceholder()) return "it is a placeholder";
  if (variable.hasNDArrayList()) return "it holds a list of arrays";
  if (!variable.hasNDArray()) return "it has no array";
  if (variable.variableType() == CONSTANT) return "it is a constant";
  if (variable.getNDArray()->isS()) return "it holds strings";
  for (const Node* node : graph.allNodes())
    for (const auto& output : node->outputs())
      if (output.first == name.first) return node->describe() + " writes it";
  return "";
}

std::vector<Update> updatesOf(const Graph& graph, const SessionOptions& options) {
  std::vector<Update> updates;
  if (options.updates.empty()) return updates;
  const ResultNames known(graph, "Session");
  for (const auto& [variable, value] : options.updates) {
    // A variable, and not a node of the same name.
    const VariableSpace& space = *graph.getVariableSpace();
    Update update{known.find(variable), known.find(value)};
    if (space.hasVariable(&variable) && space.getVariable(&variable)->id() < 0)
      update.variable = {space.getVariable(&variable)->id(), 0};
    update.variable.second = update.variable.first < 0 ? 0 : std::max(0, update.variable.second);
    update.value.second = std::max(0, update.value.second);
    const std::string why = whyNoUpdate(graph, update.variable);
    if (!why.empty()) invalidArgument("[Session] '{}' cannot be updated: {}", variable, why);
    for (const Update& other : updates)
      if (other.variable == update.variable) invalidArgument("[Session] '{}' is updated twice", variable);
    updates.push_back(update);
  }
  return updates;
}

std::vector<ValueName> resultsOf(const Graph& graph, const SessionOptions& options,
                                 const std::vector<Update>& updates) {
  std::vector<ValueName> names;
  const auto isNewValue = [&updates](int id) {
    return std::any_of(updates.begin(), updates.end(), [id](const Update& each) { return each.value.first == id; });
  };
  if (!options.results.empty()) {
    const ResultNames known(graph, "Session");
    for (const std::string& text : options.results) names.push_back(known.find(text));
  }
  if (options.results.empty())
    for (const int id : graph.resultIds())
      if (!isNewValue(id)) names.emplace_back(id, id < 0 || !graph.hasNode(id) ? 0 : -1);
  if (names.empty() && updates.empty())
    invalidArgument("[Session] {}the graph has no results", graph.origin().empty() ? "" : graph.origin() + ": ");
  return names;
}

std::vector<std::string> texts(const Graph& graph, const std::vector<ValueName>& names) {
  std::vector<std::string> result;
  for (const ValueName& name : names) result.push_back(valueText(graph, name));
  return result;
}

}  // namespace

Session::Session(const Graph& graph, const SessionOptions& options) {
  std::vector<Update> updates = updatesOf(graph, options);
  const std::vector<ValueName> results = resultsOf(graph, options, updates);
  _core = std::make_unique<SessionCore>(graph, results, options, std::move(updates));
  _inputs = texts(graph, _core->inputs());
  _results = texts(graph, results);
}

Session::Session(std::unique_ptr<Graph> graph, const SessionOptions& options) {
  if (graph == nullptr) invalidArgument("[Session] the graph is null");
  const Graph& source = *graph;
  std::vector<Update> updates = updatesOf(source, options);
  const std::vector<ValueName> results = resultsOf(source, options, updates);
  _core = std::make_unique<SessionCore>(std::move(graph), results, options, std::move(updates));
  _inputs = texts(source, _core->inputs());
  _results = texts(source, results);
}

Session::~Session() = default;
Session::Session(Session&&) noexcept = default;
Session& Session::operator=(Session&&) noexcept = default;

namespace {

RunControl controlOf(const SessionCore& core, const RunOptions& options) {
  RunControl control;
  control.cancelled = options.cancelled;
  control.iterations = core.options().mostIterations;
  control.profile = options.profile;
  control.seed = control.maskSeed = options.seed;
  return control;
}

std::string inputsText(const std::vector<std::string>& inputs) {
  constexpr size_t MOST = 20;
  const auto begin = inputs.begin(), end = begin + static_cast<std::ptrdiff_t>(std::min(MOST, inputs.size()));
  return fmt::format("{}{}", fmt::join(begin, end, ", "),
                     inputs.size() > MOST ? fmt::format(" and {} more", inputs.size() - MOST) : "");
}

/// The arrays of named feeds in the order of the inputs.
std::vector<NDArray*> ordered(const SessionCore& core, const std::vector<std::string>& inputs,
                              const std::vector<Feed>& feeds) {
  std::vector<NDArray*> arrays(inputs.size(), nullptr);
  // Callers with many inputs usually give them in their order.
  size_t next = 0;
  const auto placeOf = [&](const Feed& feed) {
    if (next < inputs.size() && inputs[next] == feed.name) return next++;
    const auto place = static_cast<size_t>(std::find(inputs.begin(), inputs.end(), feed.name) - inputs.begin());
    next = place + 1;
    int id = 0, index = -1;
    if (place < inputs.size() || !readNumbers(feed.name, id, index)) return place;
    return static_cast<size_t>(
        std::find(core.inputs().begin(), core.inputs().end(), ValueName(id, std::max(0, index))) -
        core.inputs().begin());
  };
  for (const Feed& feed : feeds) {
    const size_t place = placeOf(feed);
    if (place == inputs.size()) {
      const std::string nearest = nearestText(feed.name, {inputs.begin(), inputs.end()});
      invalidArgument("[Session] there is no input '{}'{}", feed.name,
                      nearest.empty() ? "; the inputs are " + inputsText(inputs) : nearest);
    }
    if (arrays[place] != nullptr) invalidArgument("[Session] input '{}' is given twice", feed.name);
    arrays[place] = const_cast<NDArray*>(feed.array);
  }
  return arrays;
}

}  // namespace

std::vector<NDArray> Session::run(const std::vector<Feed>& feeds, const RunOptions& options) {
  const std::vector<NDArray*> arrays = ordered(*_core, _inputs, feeds);
  const auto lock = _core->lockUpdates();
  const SessionCore::Lease engine = _core->engineFor(arrays.data());
  engine->run(arrays.data(), nullptr, 0, controlOf(*_core, options));
  return engine->takeResults();
}

void Session::run(const std::vector<const NDArray*>& inputs, const std::vector<NDArray*>& results,
                  const RunOptions& options) {
  if (inputs.size() != _inputs.size())
    invalidArgument("[Session] {} inputs are given, {} needed: {}", inputs.size(), _inputs.size(), inputsText(_inputs));
  auto* const feeds = const_cast<NDArray* const*>(inputs.data());
  const auto lock = _core->lockUpdates();
  const SessionCore::Lease engine = _core->engineFor(feeds);
  if (engine->plan() != nullptr && results.size() != engine->results())
    invalidArgument("[Session] {} arrays are given for {} results", results.size(), engine->results());
  engine->run(feeds, results.data(), results.size(), controlOf(*_core, options));
}

std::vector<const NDArray*> Session::inOrder(const std::vector<Feed>& feeds) const {
  const std::vector<NDArray*> arrays = ordered(*_core, _inputs, feeds);
  return {arrays.begin(), arrays.end()};
}

void Session::compile(const std::vector<Feed>& feeds) {
  const std::vector<NDArray*> arrays = ordered(*_core, _inputs, feeds);
  _core->engineFor(arrays.data());
}

std::vector<PassReport> Session::passReports() const {
  const std::lock_guard lock(_core->mutex());
  return _core->passReports();
}

std::string Session::text() const {
  const std::lock_guard lock(_core->mutex());
  return _core->lastPlan() == nullptr ? std::string() : _core->lastPlan()->text();
}

std::unique_ptr<Graph> Session::optimised() const {
  const std::lock_guard lock(_core->mutex());
  return _core->lastPlan() == nullptr ? nullptr : _core->lastPlan()->graph().toGraph();
}

LongType Session::peakBytes() const {
  const std::lock_guard lock(_core->mutex());
  return _core->lastPlan() == nullptr ? 0 : _core->lastPlan()->arenaBytes();
}

LongType Session::totalBytes() const {
  const std::lock_guard lock(_core->mutex());
  return _core->lastPlan() == nullptr ? 0 : _core->lastPlan()->totalBytes();
}

std::vector<std::string> Session::passes() {
  std::vector<std::string> names;
  for (const Pass& pass : allPasses()) names.emplace_back(pass.name);
  return names;
}

}  // namespace sd::graph
