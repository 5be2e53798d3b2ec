#include "graph/ControlSteps.h"

#include <exceptions/graph_execution_exception.h>
#include <fmt/format.h>
#include <ops/declarable/DeclarableListOp.h>

#include <algorithm>

#include "graph/ControlParts.h"
#include "graph/LoopNode.h"
#include "graph/LoopSteps.h"
#include "graph/NodeCall.h"

namespace sd::graph {
namespace {

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
      const bool runs = isLoop(*node) || number == logic::Conditional || number == logic::Scope ||
                        number == logic::Return || number == logic::Expose;
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
  if (isLoop(source)) return loopStep(graph, node, options);
  if (source.isLogic(logic::Conditional)) {
    const std::vector<int> scopes = scopesOf(graph.source(), source);
    if (scopes.size() != 3)
      throw graph_execution_exception(
          placeOf(graph.origin(), source) + ": it needs the scopes of condition, false and true", -1);
    return std::make_unique<ConditionalStep>(graph, node, scopes, options);
  }
  return nullptr;
}

}  // namespace sd::graph
