#include "graph/ControlSteps.h"

#include <exceptions/graph_execution_exception.h>
#include <ops/declarable/DeclarableListOp.h>

#include <algorithm>
#include <functional>

#include "graph/KeptValues.h"
#include "graph/NodeCall.h"
#include "graph/ScopeGraph.h"
#include "graph/SessionCore.h"
#include "system/Error.h"

namespace sd::graph {
namespace {

/// A graph within a graph, whose inputs are found among the inputs and the values of a node.
class Part {
 public:
  /// `place`: the node, for messages. `names`: those of the inputs of the node, in their order; values of the node
  /// itself are (node, index).
  Part(ScopeGraph scope, const std::string& place, const Node& node, const std::vector<ValueName>& names,
       const SessionOptions& options)
      : _returns(scope.returns), _targets(scope.targets), _core(std::move(scope.graph), scope.results, options) {
    for (const ValueName& input : _core.inputs()) {
      Source source;
      source.isState = input.first == node.id();
      if (source.isState) {
        source.index = static_cast<size_t>(input.second);
      } else {
        const auto found = std::find(names.begin(), names.end(), input);
        if (found == names.end())
          throw graph_execution_exception(
              fmt::format("{}: a scope reads ({}, {}), which is neither a node nor a variable", place, input.first,
                          input.second),
              -1);
        source.index = static_cast<size_t>(found - names.begin());
      }
      _sources.push_back(source);
    }
    _feeds.resize(_sources.size());
    _shapes.resize(_sources.size());
  }

  /// Makes ready for a run with these inputs.
  void prepare(const std::vector<NDArray*>& inputs, const std::vector<NDArray*>& states) {
    bool isSame = _isReady;
    for (size_t i = 0; i < _sources.size(); i++) {
      const auto& from = _sources[i].isState ? states : inputs;
      _feeds[i] = _sources[i].index < from.size() ? from[_sources[i].index] : nullptr;
      const LongType* shape = _feeds[i] == nullptr ? nullptr : _feeds[i]->shapeInfo();
      isSame = isSame && shape == _shapes[i];
      _shapes[i] = shape;
    }
    // The engine stays from one iteration to the next.
    if (isSame) return;
    _isReady = false;
    _engine.end();
    _engine = _core.engineFor(_feeds.data());
    _isReady = true;
  }
  /// `targets`: arrays into which steps may write results, or null ones.
  void run(const RunControl& control, NDArray* const* targets = nullptr, size_t count = 0) {
    const bool isPlan = _engine->plan() != nullptr;  // an interpreter knows its results when it has run
    _engine->run(_feeds.data(), isPlan ? targets : nullptr, isPlan ? count : 0, control);
  }
  void run(const std::vector<NDArray*>& inputs, const std::vector<NDArray*>& states, const RunControl& control) {
    prepare(inputs, states);
    run(control);
  }
  const LongType* directShape(size_t k) const { return _engine->directShape(k); }
  size_t results() const { return _engine->results(); }
  NDArray& result(size_t k) const { return *_engine->result(k); }
  bool returns() const { return _returns; }
  const std::vector<ValueName>& targets() const { return _targets; }

 private:
  struct Source {
    bool isState = false;
    size_t index = 0;
  };
  bool _returns;
  std::vector<ValueName> _targets;
  SessionCore _core;
  SessionCore::Lease _engine;
  std::vector<Source> _sources;
  std::vector<NDArray*> _feeds;
  std::vector<const LongType*> _shapes;  // for which the engine is
  bool _isReady = false;
};

/// Values of a loop or condition, which are copies of inputs at first. Each has a second array, into which its next
/// value is written.
class States {
 public:
  void start(const std::vector<NDArray*>& inputs, size_t count) {
    resize(count);
    for (size_t e = 0; e < count; e++) store(_now[e], *inputs[e]);
    list();
  }
  /// The array for the next value, with this layout; nullptr when the value has to be converted, because values keep
  /// their types, as in the interpreter.
  NDArray* next(size_t e, const LongType* shapeInfo) {
    resize(std::max(e + 1, _now.size()));
    if (_now[e] != nullptr && _now[e]->dataType() != ArrayOptions::dataType(shapeInfo)) return nullptr;
    if (_next[e] == nullptr || _next[e]->shapeInfo() != shapeInfo)
      _next[e] = std::make_unique<NDArray>(NDArray::uninitialized(shapeInfo, LaunchContext::defaultContext()));
    return _next[e].get();
  }
  /// The next values; null where a value stays. All are read before one is overwritten: values may change places.
  void set(const std::vector<const NDArray*>& values) {
    resize(std::max(values.size(), _now.size()));
    for (size_t e = 0; e < values.size(); e++)
      if (values[e] != nullptr && values[e] != _next[e].get() && values[e] != _now[e].get())
        store(_next[e], *values[e], _now[e].get());
    for (size_t e = 0; e < values.size(); e++)
      if (values[e] != nullptr && values[e] != _now[e].get()) std::swap(_now[e], _next[e]);
    list();
  }
  const std::vector<NDArray*>& arrays() const { return _list; }

 private:
  using Arrays = std::vector<std::unique_ptr<NDArray>>;
  Arrays _now, _next;
  std::vector<NDArray*> _list;

  void resize(size_t count) {
    _now.resize(count);
    _next.resize(count);
  }
  void list() {
    _list.clear();
    for (const auto& array : _now) _list.push_back(array.get());
  }
  /// `like`: what the value replaces.
  static void store(std::unique_ptr<NDArray>& array, const NDArray& value, const NDArray* like = nullptr) {
    const bool keepsType = like != nullptr && like->isSameShape(value) && like->isS() == value.isS();
    const DataType type = keepsType ? like->dataType() : value.dataType();
    if (array != nullptr && array->isSameShape(value) && array->dataType() == type) {
      if (!array->isEmpty()) array->assign(value);
    } else {
      array = std::make_unique<NDArray>(value.dataType() == type ? value : value.cast(type));
    }
  }
};

/// The results of an engine, without memory of the inputs, which may be used for something else afterwards.
class Outputs {
 public:
  void collect(size_t count, const std::function<NDArray*(size_t)>& result, const std::vector<NDArray*>& inputs,
               std::vector<NDArray*>& outputs) {
    outputs.clear();
    _copies.resize(std::max(count, _copies.size()));
    for (size_t k = 0; k < count; k++) {
      NDArray* array = result(k);
      const bool isInput = std::any_of(inputs.begin(), inputs.end(), [array](const NDArray* input) {
        return input != nullptr &&
               (input == array || (array->dataBuffer() != nullptr && input->dataBuffer() == array->dataBuffer()));
      });
      if (isInput) {
        _copies[k] = std::make_unique<NDArray>(*array);
        array = _copies[k].get();
      }
      outputs.push_back(array);
    }
  }

 private:
  std::vector<std::unique_ptr<NDArray>> _copies;
};

bool holds(const Part& condition, const std::string& place) {
  if (condition.results() == 0 || condition.result(0).lengthOf() < 1 || condition.result(0).isS())
    throw graph_execution_exception(place + ": the condition has no result", -1);
  return condition.result(0).e<int>(0) != 0;
}

/// The scopes that a logic node lists.
std::vector<int> scopesOf(const Graph& graph, const Node& node) {
  std::vector<int> scopes;
  for (const auto& input : node.inputs())
    if (graph.hasScope(input.first)) scopes.push_back(input.first);
  return scopes;
}

std::vector<ValueName> namesOf(const OpenGraph& graph, const OpenNode& node) {
  std::vector<ValueName> names;
  for (size_t i = 0; i < node.listed; i++)
    names.push_back(node.inputs[i] < 0 ? ABSENT_INPUT : graph.value(node.inputs[i]).name);
  names.insert(names.end(), node.scopeNames.begin(), node.scopeNames.end());
  return names;
}

/// The kept values of a loop that somebody reads.
std::vector<bool> readKept(const OpenGraph& graph, const OpenNode& node) {
  std::vector<bool> needed;
  for (size_t k = 0; k < keptBy(*node.node).size(); k++) {
    const size_t output = node.listed + 1 + k;
    const OpenValue* value = output < node.outputs.size() ? &graph.value(node.outputs[output]) : nullptr;
    needed.push_back(value != nullptr && (value->readers > 0 || value->isResult));
  }
  return needed;
}

/// The body of a loop, with the values of it that are kept among its results.
ScopeGraph keepingBody(const OpenGraph& graph, const OpenNode& node, int scope, const std::vector<bool>& needed) {
  ScopeGraph body = graphOfScope(graph.source(), *node.node, scope);
  const std::vector<ValueName> kept = keptBy(*node.node);
  for (size_t k = 0; k < kept.size(); k++)
    if (needed[k] && kept[k].first != node.node->id()) body.results.push_back(kept[k]);
  return body;
}

class WhileStep final : public ControlStep {
 public:
  WhileStep(const OpenGraph& graph, const OpenNode& node, const std::vector<int>& scopes, const SessionOptions& options)
      : _place(placeOf(graph.origin(), *node.node)),
        _node(*node.node),
        _count(node.listed),
        _kept(readKept(graph, node)),
        _keptNames(keptBy(_node)),
        _condition(graphOfScope(graph.source(), _node, scopes[0]), _place, _node, namesOf(graph, node), options),
        _body(keepingBody(graph, node, scopes[1], readKept(graph, node)), _place, _node, namesOf(graph, node),
              options) {
    if (!_body.returns())
      throw graph_execution_exception(
          fmt::format("{}: scope {}, the body, does not end with a Return", _place, scopes[1]), -1);
  }

  void run(const std::vector<NDArray*>& inputs, std::vector<NDArray*>& outputs, const RunControl& given) override {
    _states.start(inputs, _count);
    _kept.start();
    RunControl control = given;
    for (LongType iteration = 0;; iteration++) {
      if (given.seed != 0) control.seed = mixedSeed(given.seed, iteration);
      if (control.cancelled != nullptr && control.cancelled->load(std::memory_order_relaxed))
        throw graph_execution_exception(_place + ": the execution was cancelled", -1);
      _condition.run(inputs, _states.arrays(), control);
      if (!holds(_condition, _place)) break;
      if (iteration >= control.iterations)
        throw graph_execution_exception(
            fmt::format("{}: the loop has not ended after {} iterations", _place, iteration), -1);
      const size_t states = _body.targets().size();
      _body.prepare(inputs, _states.arrays());
      _targets.assign(states, nullptr);
      for (size_t e = 0; e < states; e++)
        if (const LongType* shapeInfo = _body.directShape(e); shapeInfo != nullptr && isState(e))
          _targets[e] = _states.next(e, shapeInfo);
      for (size_t k = 0; k < _kept.columns(); k++)
        if (isOfBody(k)) {
          const LongType* shapeInfo = _body.directShape(_targets.size());
          _targets.push_back(shapeInfo == nullptr ? nullptr : _kept.place(k, shapeInfo));
        }
      _body.run(control, _targets.data(), _targets.size());
      keep(states);
      _values.assign(states, nullptr);
      for (size_t e = 0; e < states; e++)
        if (isState(e)) _values[e] = &_body.result(e);
      _states.set(_values);
    }
    outputs = _states.arrays();
    if (_kept.columns() == 0) return;
    outputs.resize(_count);
    _kept.finish(outputs);
  }

 private:
  const std::string _place;
  const Node& _node;
  size_t _count;
  KeptValues _kept;
  std::vector<ValueName> _keptNames;
  Part _condition, _body;
  States _states;
  std::vector<NDArray*> _targets;
  std::vector<const NDArray*> _values;

  /// Whether the Return gives result e to the loop.
  bool isState(size_t e) const { return _body.targets()[e].first == _node.id(); }
  /// Whether kept value k is a result of the body, not a value of the loop.
  bool isOfBody(size_t k) const { return _kept.isNeeded(k) && _keptNames[k].first != _node.id(); }

  /// Keeps the values of an iteration, before those of the loop change. `result`: the first that is kept.
  void keep(size_t result) {
    for (size_t k = 0; k < _kept.columns(); k++) {
      if (isOfBody(k)) {
        _kept.add(_body.result(result++));
        continue;
      }
      const size_t state = _kept.isNeeded(k) ? static_cast<size_t>(_keptNames[k].second) : 0;
      if (state >= _states.arrays().size())
        throw graph_execution_exception(fmt::format("{}: it keeps value {}, but has {}", _place, state, _count), -1);
      _kept.add(*_states.arrays()[state]);
    }
  }
};

/// The iterations of a While once more, from the last to the first: see KeptValues.h.
class UnwindStep final : public ControlStep {
 public:
  UnwindStep(const OpenGraph& graph, const OpenNode& node, int scope, const SessionOptions& options)
      : _place(placeOf(graph.origin(), *node.node)),
        _node(*node.node),
        _columns(columnsOf(_node)),
        _body(graphOfScope(graph.source(), _node, scope), _place, _node, namesOf(graph, node), options) {
    if (!_body.returns() || node.listed < _columns.size() + 1)
      throw graph_execution_exception(_place + ": it needs values, what a While has kept, and a scope with a Return",
                                      -1);
    _count = node.listed - _columns.size() - 1;
  }

  void run(const std::vector<NDArray*>& inputs, std::vector<NDArray*>& outputs, const RunControl& control) override {
    const auto first = inputs.begin() + static_cast<std::ptrdiff_t>(_count);
    const KeptReader kept(**first, {first + 1, first + 1 + static_cast<std::ptrdiff_t>(_columns.size())}, _columns,
                          _place);
    _states.start(inputs, _count);
    _views.resize(_columns.size());
    for (LongType iteration = kept.iterations() - 1; iteration >= 0; iteration--) {
      if (control.cancelled != nullptr && control.cancelled->load(std::memory_order_relaxed))
        throw graph_execution_exception(_place + ": the execution was cancelled", -1);
      _feeds = _states.arrays();
      for (size_t k = 0; k < _views.size(); k++) {
        _views[k] = kept.value(iteration, k);
        _feeds.push_back(&_views[k]);
      }
      _body.prepare(inputs, _feeds);
      _targets.assign(_body.targets().size(), nullptr);
      for (size_t e = 0; e < _targets.size(); e++)
        if (const LongType* shapeInfo = _body.directShape(e); shapeInfo != nullptr && e < _count)
          _targets[e] = _states.next(e, shapeInfo);
      _body.run(control, _targets.data(), _targets.size());
      _values.assign(_count, nullptr);
      for (size_t e = 0; e < std::min(_count, _targets.size()); e++) _values[e] = &_body.result(e);
      _states.set(_values);
    }
    outputs = _states.arrays();
  }

 private:
  const std::string _place;
  const Node& _node;
  std::vector<LongType> _columns;
  size_t _count = 0;
  Part _body;
  States _states;
  std::vector<NDArray> _views;
  std::vector<NDArray*> _feeds, _targets;
  std::vector<const NDArray*> _values;
};

class ConditionalStep final : public ControlStep {
 public:
  ConditionalStep(const OpenGraph& graph, const OpenNode& node, const std::vector<int>& scopes,
                  const SessionOptions& options)
      : _place(placeOf(graph.origin(), *node.node)),
        _node(*node.node),
        _count(node.listed),
        _condition(graphOfScope(graph.source(), _node, scopes[0]), _place, _node, namesOf(graph, node), options),
        _no(graphOfScope(graph.source(), _node, scopes[1]), _place, _node, namesOf(graph, node), options),
        _yes(graphOfScope(graph.source(), _node, scopes[2]), _place, _node, namesOf(graph, node), options) {}

  void run(const std::vector<NDArray*>& inputs, std::vector<NDArray*>& outputs, const RunControl& control) override {
    _states.start(inputs, _count);
    _condition.run(inputs, _states.arrays(), control);
    Part& branch = holds(_condition, _place) ? _yes : _no;
    branch.run(inputs, _states.arrays(), control);
    const size_t results = branch.results();
    const auto result = [&branch](size_t k) { return &branch.result(k); };
    const bool isAll = std::all_of(branch.targets().begin(), branch.targets().end(),
                                   [this](const ValueName& target) { return target.first == _node.id(); });
    if (!branch.returns() || (_count == 0 && isAll)) {
      _outputs.collect(results, result, inputs, outputs);
      for (size_t k = outputs.size(); k < _states.arrays().size(); k++) outputs.push_back(_states.arrays()[k]);
      return;
    }
    std::vector<const NDArray*> values(results, nullptr);
    for (size_t e = 0; e < results; e++)
      if (branch.targets()[e].first == _node.id()) values[e] = &branch.result(e);
    _states.set(values);
    outputs = _states.arrays();
  }

 private:
  const std::string _place;
  const Node& _node;
  size_t _count;
  Part _condition, _no, _yes;
  States _states;
  Outputs _outputs;
};

/// A graph that stands for a node: its placeholders are filled by name, else by the position of the input.
class EmbeddedStep final : public ControlStep {
 public:
  EmbeddedStep(const OpenGraph& graph, const OpenNode& node, const SessionOptions& options)
      : _place(placeOf(graph.origin(), *node.node)), _node(*node.node) {
    const Graph& inner = *_node.getGraph();
    std::vector<ValueName> results;
    for (const int id : inner.resultIds()) results.emplace_back(id, id < 0 || !inner.hasNode(id) ? 0 : -1);
    _core = std::make_unique<SessionCore>(inner, results, options);
    size_t position = 0;
    for (const Variable* placeholder : inner.getPlaceholders()) {
      size_t source = position++;
      // Variables of the outer graph that have the placeholder's name come before positions.
      for (size_t i = 0; i < node.inputs.size(); i++) {
        const ValueName name = node.inputs[i] < 0 ? ABSENT_INPUT : graph.value(node.inputs[i]).name;
        VariableSpace& space = *graph.source().getVariableSpace();
        if (!placeholder->getName()->empty() && space.hasVariable(name) &&
            *space.getVariable(name)->getName() == *placeholder->getName())
          source = i;
      }
      _sources.push_back(source);
    }
    _feeds.resize(_sources.size());
  }

  void run(const std::vector<NDArray*>& inputs, std::vector<NDArray*>& outputs, const RunControl& control) override {
    for (size_t i = 0; i < _sources.size(); i++) {
      if (_sources[i] >= inputs.size())
        throw graph_execution_exception(fmt::format("{}: placeholder {} of the embedded graph is not fed", _place, i),
                                        -1);
      _feeds[i] = inputs[_sources[i]];
    }
    _engine.end();
    _engine = _core->engineFor(_feeds.data());
    _engine->run(_feeds.data(), nullptr, 0, control);
    _outputs.collect(
        _engine->results(), [this](size_t k) { return _engine->result(k); }, inputs, outputs);
  }

 private:
  const std::string _place;
  const Node& _node;
  std::unique_ptr<SessionCore> _core;
  SessionCore::Lease _engine;
  std::vector<size_t> _sources;
  std::vector<NDArray*> _feeds;
  Outputs _outputs;
};

}  // namespace

bool isPlannable(const Graph& graph) {
  for (const Node* node : graph.allNodes()) {
    if (node->isLogic()) {
      const LongType number = node->opNum();
      const bool runs = number == logic::While || number == logic::Conditional || number == logic::Scope ||
                        number == logic::Return || number == logic::Expose || number == UNWIND;
      if (!runs) return false;
      continue;
    }
    if (node->hasGraphEmbedded()) continue;
    ops::DeclarableOp* op = node->getCustomOp();
    if (op == nullptr) continue;
    if (op->getOpDescriptor()->isDivergent() || dynamic_cast<ops::DeclarableListOp*>(op) != nullptr) return false;
  }
  for (const Variable* variable : graph.getVariableSpace()->getVariables())
    if (variable->hasNDArrayList()) return false;
  return true;
}

std::unique_ptr<ControlStep> controlStep(const OpenGraph& graph, const OpenNode& node, const PlanSettings& settings) {
  SessionOptions options;
  options.withoutPasses = settings.withoutPasses;
  options.reuseMemory = settings.reuseMemory;
  options.inPlace = settings.inPlace;
  options.sideBySide = settings.sideBySide;
  const Node& source = *node.node;
  if (source.hasGraphEmbedded()) return std::make_unique<EmbeddedStep>(graph, node, options);
  const std::vector<int> scopes = scopesOf(graph.source(), source);
  if (source.isLogic(logic::While)) {
    if (scopes.size() != 2)
      throw graph_execution_exception(placeOf(graph.origin(), source) + ": it needs a condition scope and a body scope",
                                      -1);
    return std::make_unique<WhileStep>(graph, node, scopes, options);
  }
  if (source.isLogic(UNWIND)) {
    if (scopes.size() != 1) throw graph_execution_exception(placeOf(graph.origin(), source) + ": it needs a scope", -1);
    return std::make_unique<UnwindStep>(graph, node, scopes[0], options);
  }
  if (source.isLogic(logic::Conditional)) {
    if (scopes.size() != 3)
      throw graph_execution_exception(
          placeOf(graph.origin(), source) + ": it needs the scopes of condition, false and true", -1);
    return std::make_unique<ConditionalStep>(graph, node, scopes, options);
  }
  return nullptr;
}

}  // namespace sd::graph
