#include "graph/ScopeGradient.h"

#include <algorithm>
#include <set>

#include "graph/ControlShapes.h"
#include "graph/Differentiation.h"
#include "graph/NodeCall.h"
#include "graph/passes/Rewrite.h"

namespace sd::graph {

using ops::PartialShape;

ScopeGradient::ScopeGradient(OpenGraph& outer, NodeId control, int scope, const std::vector<PartialShape>& states,
                             const std::vector<Name>& kept, ControlChanges& changes)
    : _outer(outer),
      _control(outer.node(control).node->id()),
      _changes(changes),
      _scope(graphOfScope(outer.source(), *outer.node(control).node, scope)) {
  const std::vector<Node*>& nodes = *outer.source().scopeById(scope)->nodes();
  if (!nodes.empty()) _last = nodes.back();
  std::vector<FedShape> feeds;
  for (size_t e = 0; e < states.size(); e++) feeds.push_back({{_control, static_cast<int>(e)}, nullptr, states[e]});
  std::vector<std::pair<Name, ValueId>> taken;
  for (const Name& name : _scope.inputs) {
    if (name.first == _control) continue;
    const ValueId value = outer.find(name);
    feeds.push_back({name, nullptr, value < 0 ? PartialShape() : outer.value(value).shape});
    if (value >= 0) taken.emplace_back(name, value);
  }
  std::vector<Name> results = _scope.results;
  results.insert(results.end(), kept.begin(), kept.end());
  _open = std::make_unique<OpenGraph>(*_scope.graph, feeds, results, inferControl);
  _open->skipNumbers(outer.nextNumbers());
  _first = _open->nodes();
  for (size_t e = 0; e < states.size(); e++) _states.push_back(_open->find({_control, static_cast<int>(e)}));
  for (const auto& [name, value] : taken) _outside.emplace_back(_open->find(name), value);
  const std::vector<ValueId>& found = _open->results();
  _kept.assign(found.end() - static_cast<std::ptrdiff_t>(kept.size()), found.end());
  for (size_t e = 0; e < found.size() - kept.size(); e++)
    if (!_scope.returns || _scope.targets[e].first == _control) _results[e] = found[e];
}

ValueId ScopeGradient::take(ValueId outerValue) {
  const OpenValue& value = _outer.value(outerValue);
  const ValueId known = _open->find(value.name);
  return known >= 0 ? known : _open->addPlaceholder(value.name, value.shape);
}

std::vector<char> ScopeGradient::dependents(const std::vector<ValueId>& parameters) {
  return dependentValues(*_open, parameters);
}

std::vector<char> ScopeGradient::sources(const std::vector<ValueId>& values) const {
  std::vector<char> reached(static_cast<size_t>(_open->values()), 0);
  std::vector<ValueId> left = values;
  while (!left.empty()) {
    const ValueId value = left.back();
    left.pop_back();
    if (value < 0 || reached[static_cast<size_t>(value)] != 0) continue;
    reached[static_cast<size_t>(value)] = 1;
    if (const OpenNode* writer = _open->writerOf(value))
      left.insert(left.end(), writer->inputs.begin(), writer->inputs.end());
  }
  return reached;
}

std::vector<ValueId> ScopeGradient::pullBack(std::vector<Head> heads, const std::vector<ValueId>& parameters) {
  std::vector<std::pair<ValueId, ValueId>> seeds;
  for (const Head& head : heads) {
    const DataType type = _open->value(head.value).shape.type();
    ValueId gradient = head.gradient;
    if (type != INHERIT && !DataTypeUtils::isR(type) && !DataTypeUtils::isC(type)) continue;
    // Values of loops keep their types, whatever the body computes.
    if (type != INHERIT && _open->value(gradient).shape.type() != type) {
      ops::ArgumentValue dtype;
      dtype.form = ops::ArgumentValue::Form::Types;
      dtype.integers = {static_cast<LongType>(type)};
      gradient = _open->node(_open->addCall("cast", {gradient}, {{"dtype", std::move(dtype)}})).outputs[0];
    }
    seeds.emplace_back(head.value, gradient);
  }
  return pullBackGradients(*_open, seeds, parameters, _changes);
}

ValueId ScopeGradient::zerosLike(ValueId value) { return _open->node(_open->addCall("zeros_as", {value})).outputs[0]; }

ValueId ScopeGradient::add(ValueId a, ValueId b) { return _open->node(_open->addCall("add", {a, b})).outputs[0]; }

/// Whether the new scope computes it once more: what depends on nothing of the iteration, or everything.
bool ScopeGradient::isComputedAgain(const OpenNode& node) const {
  if (!node.isPure) return false;
  return _changes.loops() == LoopValues::Recompute ||
         std::all_of(node.inputs.begin(), node.inputs.end(), [this](ValueId input) {
           return input < 0 || (_open->value(input).writer < 0 && _open->value(input).name.first != _control);
         });
}

void ScopeGradient::noteConstant(ValueId id) {
  const OpenValue& value = _open->value(id);
  if (value.source == OpenValue::Source::Constant && !_open->source().getVariableSpace()->hasVariable(value.name))
    _changes.addConstant(value.name, *value.constant);
}

void ScopeGradient::write(int scope, const std::vector<ValueId>& values, int target,
                          const std::function<Name(ValueId)>& keep) {
  std::set<NodeId> nodes;
  std::map<Name, Name> renamed;
  std::vector<ValueId> left = values;
  std::set<ValueId> seen;
  while (!left.empty()) {
    const ValueId id = left.back();
    left.pop_back();
    if (id < 0 || !seen.insert(id).second) continue;
    noteConstant(id);
    const OpenValue& value = _open->value(id);
    if (value.writer >= 0 && (value.writer >= _first || isComputedAgain(_open->node(value.writer)))) {
      if (!nodes.insert(value.writer).second) continue;
      const OpenNode& node = _open->node(value.writer);
      left.insert(left.end(), node.inputs.begin(), node.inputs.end());
      if (value.writer >= _first) continue;
      const int number = _open->takeNumber();
      for (size_t k = 0; k < node.outputs.size(); k++)
        renamed[{node.node->id(), static_cast<int>(k)}] = {number, static_cast<int>(k)};
    } else if (value.writer >= 0 || value.name.first == _control) {
      renamed[value.name] = keep(id);
    }
  }
  const auto nameOf = [&renamed](const Name& name) {
    const auto found = renamed.find(name);
    return found == renamed.end() ? name : found->second;
  };
  _changes.addScope(scope);
  for (const NodeId id : nodes) {
    const OpenNode& node = _open->node(id);
    std::unique_ptr<Node> copy(node.node->clone());
    if (id < _first) copy->setId(renamed.at({copy->id(), 0}).first);
    if (id < _first) copy->setName(std::string());
    std::vector<Name> inputs = copy->inputs();
    for (Name& input : inputs) input = nameOf(input);
    copy->setInputs(std::move(inputs));
    copy->output()->clear();
    copy->markInplace(false);
    if (id >= _first) _changes.rename(*copy, renamed);
    _changes.addNode(scope, std::move(copy));
  }
  std::vector<Name> names;
  for (const ValueId value : values) names.push_back(nameOf(_open->value(value).name));
  _changes.addReturn(scope, _open->takeNumber(), names, target);
}

}  // namespace sd::graph
