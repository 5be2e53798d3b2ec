#include "graph/LoopSteps.h"

#include <exceptions/graph_execution_exception.h>
#include <fmt/format.h>

#include <algorithm>

#include "graph/ControlParts.h"
#include "graph/KeptValues.h"
#include "graph/NodeCall.h"

namespace sd::graph {
namespace {

/// For each of these outputs, whether somebody reads it.
std::vector<bool> readOutputs(const OpenGraph& graph, const OpenNode& node, size_t first, size_t count) {
  std::vector<bool> needed;
  for (size_t output = first; output < first + count; output++) {
    const OpenValue* value = output < node.outputs.size() ? &graph.value(node.outputs[output]) : nullptr;
    needed.push_back(value != nullptr && (value->readers > 0 || value->isResult));
  }
  return needed;
}

/// What a While and an Unwind have in common: a body that changes values, of which some are kept in each iteration.
class LoopStep : public ControlStep {
 public:
  LoopStep(const OpenGraph& graph, const OpenNode& node, int scope, const SessionOptions& options)
      : _place(placeOf(graph.origin(), *node.node)),
        _node(*node.node),
        _listed(node.listed),
        _loop(_node, _listed),
        _kept(readOutputs(graph, node, _loop.keptOutput(0), _loop.kept.size())),
        _body(bodyOf(graph, scope), _place, _node, namesOf(graph, node), options) {}

 protected:
  const std::string _place;
  const Node& _node;
  const size_t _listed;
  const LoopNode _loop;
  KeptValues _kept;
  Part _body;
  States _states;

  void start(const std::vector<NDArray*>& inputs) {
    for (size_t i = 0; i < _listed; i++)
      if (inputs[i] == nullptr)
        throw graph_execution_exception(fmt::format("{}: input {} is not given", _place, i), -1);
    _states.start(inputs, _loop.values);
    _kept.start();
  }

  /// Runs the body. `feeds`: values of the node that it reads. Result e of its Return is the next value e of the loop
  /// where isValue(e). placeOfResult(e): where another result may be written, or nullptr. use() reads the results
  /// before the values change.
  template <typename IsValue, typename Place, typename Use>
  void runBody(const std::vector<NDArray*>& inputs, const std::vector<NDArray*>& feeds, const RunControl& control,
               IsValue&& isValue, Place&& placeOfResult, Use&& use) {
    checkCancelled(control, _place);
    const size_t returned = _body.targets().size();
    _body.prepare(inputs, feeds);
    _targets.assign(returned, nullptr);
    for (size_t e = 0; e < returned; e++)
      if (const LongType* shapeInfo = _body.directShape(e); shapeInfo != nullptr)
        _targets[e] = isValue(e) ? _states.next(e, shapeInfo) : placeOfResult(e, shapeInfo);
    for (size_t k = 0; k < _kept.columns(); k++)
      if (isOfBody(k)) {
        const LongType* shapeInfo = _body.directShape(_targets.size());
        _targets.push_back(shapeInfo == nullptr ? nullptr : _kept.place(k, shapeInfo));
      }
    _body.run(control, _targets.data(), _targets.size());
    keep(returned);
    use();
    _values.clear();
    for (size_t e = 0; e < returned; e++)
      if (isValue(e)) {
        _values.resize(e, nullptr);
        _values.push_back(&_body.result(e));
      }
    _states.set(_values);
  }

  /// The values, and whatever else there is, at the places of the outputs.
  void finish(std::vector<NDArray*>& outputs) {
    outputs = _states.arrays();
    if (_loop.outputs() > _loop.values) outputs.resize(_loop.layoutOutput(), nullptr);
    if (!_loop.kept.empty()) _kept.finish(outputs);
  }

 private:
  std::vector<NDArray*> _targets;
  std::vector<const NDArray*> _values;

  /// The body, with the values of it that are kept among its results.
  ScopeGraph bodyOf(const OpenGraph& graph, int scope) const {
    ScopeGraph body = graphOfScope(graph.source(), _node, scope);
    if (!body.returns)
      throw graph_execution_exception(fmt::format("{}: scope {}, the body, does not end with a Return", _place, scope),
                                      -1);
    for (size_t k = 0; k < _loop.kept.size(); k++)
      if (isOfBody(k)) body.results.push_back(_loop.kept[k]);
    return body;
  }
  /// Whether kept value k is a result of the body, not a value of the loop.
  bool isOfBody(size_t k) const { return _kept.isNeeded(k) && _loop.kept[k].first != _node.id(); }

  /// Keeps the values of an iteration, before those of the loop change. `result`: the first that is kept.
  void keep(size_t result) {
    for (size_t k = 0; k < _kept.columns(); k++) {
      if (isOfBody(k)) {
        _kept.add(_body.result(result++));
        continue;
      }
      const size_t state = _kept.isNeeded(k) ? static_cast<size_t>(_loop.kept[k].second) : 0;
      if (state >= _states.arrays().size())
        throw graph_execution_exception(fmt::format("{}: it keeps value {}, but has {}", _place, state, _loop.values),
                                        -1);
      _kept.add(*_states.arrays()[state]);
    }
  }
};

class WhileStep final : public LoopStep {
 public:
  WhileStep(const OpenGraph& graph, const OpenNode& node, const std::vector<int>& scopes, const SessionOptions& options)
      : LoopStep(graph, node, scopes[1], options),
        _condition(graphOfScope(graph.source(), _node, scopes[0]), _place, _node, namesOf(graph, node), options) {}

  void run(const std::vector<NDArray*>& inputs, std::vector<NDArray*>& outputs, const RunControl& given) override {
    start(inputs);
    RunControl control = given;
    for (LongType iteration = 0;; iteration++) {
      if (given.seed != 0) control.seed = mixedSeed(given.seed, iteration);
      checkCancelled(control, _place);
      _condition.run(inputs, _states.arrays(), control);
      if (!holds(_condition, _place)) break;
      if (iteration >= control.iterations)
        throw graph_execution_exception(
            fmt::format("{}: the loop has not ended after {} iterations", _place, iteration), -1);
      runBody(
          inputs, _states.arrays(), control, [this](size_t e) { return _body.targets()[e].first == _node.id(); },
          [](size_t, const LongType*) -> NDArray* { return nullptr; }, [] {});
    }
    finish(outputs);
  }

 private:
  Part _condition;
};

class UnwindStep final : public LoopStep {
 public:
  UnwindStep(const OpenGraph& graph, const OpenNode& node, int scope, const SessionOptions& options)
      : LoopStep(graph, node, scope, options), _columns(_loop), _views(_loop.columns.size()) {
    if (_body.targets().size() < _loop.values + _loop.columnGradients.size())
      throw graph_execution_exception(fmt::format("{}: scope {} does not return enough values", _place, scope), -1);
  }

  void run(const std::vector<NDArray*>& inputs, std::vector<NDArray*>& outputs, const RunControl& control) override {
    start(inputs);
    _columns.start(inputs);
    const size_t gradients = _loop.columnGradients.size();
    for (LongType iteration = 0; iteration < _columns.iterations(); iteration++) {
      _feeds = _states.arrays();
      for (size_t k = 0; k < _views.size(); k++) {
        _views[k] = _columns.value(iteration, k);
        _feeds.push_back(&_views[k]);
      }
      runBody(
          inputs, _feeds, control, [this](size_t e) { return e < _loop.values; },
          [&](size_t e, const LongType* shapeInfo) {
            const size_t j = e - _loop.values;
            return j < gradients ? _columns.place(iteration, j, shapeInfo) : nullptr;
          },
          [&] {
            for (size_t j = 0; j < gradients; j++) _columns.setGradient(iteration, j, _body.result(_loop.values + j));
          });
    }
    finish(outputs);
    for (size_t j = 0; j < gradients; j++) outputs[_loop.columnGradientOutput(j)] = &_columns.gradient(j);
  }

 private:
  LoopColumns _columns;
  std::vector<NDArray> _views;
  std::vector<NDArray*> _feeds;
};

}  // namespace

std::unique_ptr<ControlStep> loopStep(const OpenGraph& graph, const OpenNode& node, const SessionOptions& options) {
  const bool unwinds = node.node->isLogic(UNWIND);
  const std::vector<int> scopes = scopesOf(graph.source(), *node.node);
  if (scopes.size() != (unwinds ? 1 : 2))
    throw graph_execution_exception(
        placeOf(graph.origin(), *node.node) +
            (unwinds ? ": it needs a scope" : ": it needs a condition scope and a body scope"),
        -1);
  if (unwinds) return std::make_unique<UnwindStep>(graph, node, scopes[0], options);
  return std::make_unique<WhileStep>(graph, node, scopes, options);
}

}  // namespace sd::graph
