#include "graph/LoopGradient.h"

#include <algorithm>

#include "graph/Differentiation.h"
#include "system/Error.h"

namespace sd::graph {

using ops::PartialShape;
using Order = LoopNode::Order;

LoopGradient::LoopGradient(OpenGraph& graph, NodeId id, const IsDependent& isDependent, ControlChanges& changes)
    : ControlGradient(graph, id, isDependent, changes),
      _body(graph, id, changes),
      _loop(_body.loop()),
      _scope(_body.scope()),
      _shapes(_body.shapes()) {}

/// The values of the loop that depend on parameters in some iteration; sets _dependent.
std::vector<char> LoopGradient::findDependent(bool realOnly) {
  const auto counts = [&](size_t e) { return !realOnly || isReal(_shapes[e]); };
  std::vector<char> states(_loop.values, 0);
  for (size_t e = 0; e < states.size(); e++) states[e] = counts(e) && _isDependent(_inputs[e]);
  for (bool isChanged = true; isChanged;) {
    std::vector<ValueId> parameters;
    for (size_t e = 0; e < states.size(); e++)
      if (states[e] != 0) parameters.push_back(_scope.state(e));
    for (size_t k = 0; k < _loop.columns.size(); k++)
      if (counts(_loop.values + k) && _isDependent(_inputs[_loop.columnInput(k)]))
        parameters.push_back(_scope.state(_loop.values + k));
    for (const auto& [inner, outer] : _scope.outside())
      if (_isDependent(outer)) parameters.push_back(inner);
    _dependent = _scope.dependents(parameters);
    isChanged = false;
    for (size_t e = 0; e < states.size(); e++) {
      if (states[e] != 0 || !counts(e) || _dependent[static_cast<size_t>(_body.next(e))] == 0) continue;
      states[e] = 1;
      isChanged = true;
    }
  }
  return states;
}

std::vector<char> LoopGradient::dependentOutputs() {
  std::vector<char> outputs(_graph.node(_id).outputs.size(), 1);
  findDependent(false);
  for (size_t k = _loop.values; k < outputs.size(); k++) outputs[k] = 0;
  const auto note = [&](size_t output, ValueId value) {
    if (output < outputs.size()) outputs[output] = _dependent[static_cast<size_t>(value)];
  };
  for (size_t j = 0; j < _loop.columnGradients.size(); j++)
    note(_loop.columnGradientOutput(j), _body.columnGradient(j));
  for (size_t k = 0; k < _loop.kept.size(); k++) note(_loop.keptOutput(k), _scope.kept(k));
  _scope.end();
  return outputs;
}

/// The gradients of outputs that are columns.
void LoopGradient::findColumnHeads(const std::vector<ValueId>& gradients) {
  const auto note = [&](size_t output, ValueId value, size_t group, LongType number) {
    if (output >= gradients.size() || gradients[output] < 0 || _dependent[static_cast<size_t>(value)] == 0) return;
    // Its name is that of a value of the loop which nobody else has.
    const size_t index = _shapes.size() + _columnHeads.size();
    const ValueId placeholder =
        _scope.open().addPlaceholder({_node.id(), static_cast<int>(index)}, _scope.open().value(value).shape);
    _columnHeads.push_back({value, placeholder, gradients[output], group, number});
  };
  for (size_t j = 0; j < _loop.columnGradients.size(); j++) {
    const LoopNode::Column& column = _loop.columns[_loop.columnGradients[j]];
    note(_loop.columnGradientOutput(j), _body.columnGradient(j), column.group, column.number);
  }
  for (size_t k = 0; k < _loop.kept.size(); k++)
    note(_loop.keptOutput(k), _scope.kept(k), _loop.groups.size(), static_cast<LongType>(k));
}

/// Finds the values between parameters and gradients.
void LoopGradient::findStates(const std::vector<ValueId>& gradients) {
  const std::vector<char> dependent = findDependent(true);
  findColumnHeads(gradients);
  std::vector<char> counts(_loop.values, 0);
  for (size_t e = 0; e < counts.size(); e++) counts[e] = dependent[e] != 0 && gradients[e] >= 0;
  std::vector<char> sources;
  for (bool isChanged = true; isChanged;) {
    std::vector<ValueId> given;
    for (size_t e = 0; e < counts.size(); e++)
      if (counts[e] != 0) given.push_back(_body.next(e));
    for (const ColumnHead& head : _columnHeads) given.push_back(head.value);
    sources = _scope.sources(given);
    isChanged = false;
    for (size_t e = 0; e < counts.size(); e++) {
      if (counts[e] != 0 || dependent[e] == 0 || sources[static_cast<size_t>(_scope.state(e))] == 0) continue;
      counts[e] = 1;
      isChanged = true;
    }
  }
  for (size_t e = 0; e < counts.size(); e++)
    if (counts[e] != 0) _states.push_back(e);
  for (const auto& pair : _scope.outside())
    if (wants(pair.second) && sources[static_cast<size_t>(pair.first)] != 0) _parameters.push_back(pair);
  for (size_t k = 0; k < _loop.columns.size(); k++)
    if (isReal(_shapes[_loop.values + k]) && _isDependent(_inputs[_loop.columnInput(k)]) &&
        sources[static_cast<size_t>(_scope.state(_loop.values + k))] != 0)
      _gradedColumns.push_back(k);
}

/// The gradients of the states, of what comes from outside, and of columns.
std::vector<ValueId> LoopGradient::pullBack(int unwind) {
  std::vector<ScopeGradient::Head> heads;
  std::vector<ValueId> parameters;
  for (size_t i = 0; i < _states.size(); i++) {
    const size_t e = _states[i];
    heads.push_back({_body.next(e), _scope.open().addPlaceholder({unwind, static_cast<int>(i)}, _shapes[e])});
    parameters.push_back(_scope.state(e));
  }
  for (const ColumnHead& head : _columnHeads) heads.push_back({head.value, head.placeholder});
  for (const auto& [inner, outer] : _parameters) parameters.push_back(inner);
  for (const size_t k : _gradedColumns) parameters.push_back(_scope.state(_loop.values + k));
  return _scope.pullBack(std::move(heads), parameters);
}

/// The group of the new node that has the layout of a group of the loop, or of what the loop keeps.
size_t LoopGradient::groupOf(size_t group) {
  const auto found = std::find(_groups.begin(), _groups.end(), group);
  if (found != _groups.end()) return static_cast<size_t>(found - _groups.begin());
  const bool isKept = group == _loop.groups.size();
  _groups.push_back(group);
  _layouts.push_back(isKept ? _graph.outputOf(_id, _loop.layoutOutput(), vectorOf(INT64))
                            : _inputs[_loop.layoutInput(group)]);
  _made.groups.push_back(isKept || _loop.groups[group] == Order::ToLast ? Order::ToFirst : Order::ToLast);
  return _groups.size() - 1;
}

/// A column of the new node with a value that the new scope reads of the body.
ControlGradient::Name LoopGradient::addColumn(int unwind, ValueId id) {
  const OpenValue& value = _scope.open().value(id);
  const auto column = [&](size_t group, LongType number, ValueId elements) {
    _made.columns.push_back({groupOf(group), number, value.shape});
    _columns.push_back(elements);
    return Name(unwind, static_cast<int>(_made.values + _made.columns.size() - 1));
  };
  for (const ColumnHead& head : _columnHeads)
    if (head.placeholder == id) return column(head.group, head.number, head.elements);
  const auto index = static_cast<size_t>(value.name.second);
  if (value.name.first == _node.id() && index >= _loop.values) {
    const size_t k = index - _loop.values;
    return column(_loop.columns[k].group, _loop.columns[k].number, _inputs[_loop.columnInput(k)]);
  }
  const size_t k = _changes.keep(_node, value.name);
  groupOf(_loop.groups.size());  // its output comes first
  return column(_loop.groups.size(), static_cast<LongType>(k),
                _graph.outputOf(_id, _loop.keptOutput(k), vectorOf(value.shape.type())));
}

ControlGradient::Pairs LoopGradient::add(const std::vector<ValueId>& gradients) {
  findStates(gradients);
  if (_states.empty() && _columnHeads.empty()) return {};
  const int unwind = _scope.open().takeNumber(), scope = _scope.open().takeNumber();
  const std::vector<ValueId> found = pullBack(unwind);
  // Node numbers are taken in turns.
  _scope.end();

  std::vector<ValueId> results, targets;
  for (size_t i = 0; i < _states.size(); i++) {
    const size_t e = _states[i];
    results.push_back(found[i] >= 0 ? found[i] : _scope.zerosLike(_scope.state(e)));
    targets.push_back(_inputs[e]);
    _made.shapes.push_back(_shapes[e]);
  }
  for (size_t j = 0; j < _parameters.size(); j++) {
    const ValueId gradient = found[_states.size() + j];
    if (gradient < 0) continue;
    const auto& [inner, outer] = _parameters[j];
    const Name name(unwind, static_cast<int>(results.size()));
    _made.shapes.push_back(_graph.value(outer).shape);
    results.push_back(_scope.add(_scope.open().addPlaceholder(name, _made.shapes.back()), gradient));
    targets.push_back(outer);
  }
  _made.values = results.size();
  std::vector<size_t> graded;
  for (size_t j = 0; j < _gradedColumns.size(); j++) {
    const ValueId gradient = found[_states.size() + _parameters.size() + j];
    if (gradient < 0) continue;
    graded.push_back(_gradedColumns[j]);
    results.push_back(gradient);
  }
  if (results.empty()) return {};
  _scope.write(scope, results, unwind, [&](ValueId id) { return addColumn(unwind, id); });
  // Gradients of columns lie where the columns do.
  for (const size_t k : graded) {
    const Name name(_node.id(), static_cast<int>(_loop.values + k));
    const ValueId input = _inputs[_loop.columnInput(k)];
    auto column = std::find(_columns.begin(), _columns.end(), input);
    if (column == _columns.end()) {
      addColumn(unwind, _scope.open().find(name));
      column = _columns.end() - 1;
    }
    _made.columnGradients.push_back(static_cast<size_t>(column - _columns.begin()));
  }
  _scope.end();
  if (_made.groups.empty()) {
    // A While that keeps nothing at all would not say how often it ran.
    if (_loop.groups.empty() && _loop.kept.empty()) _changes.keep(_node, {_node.id(), static_cast<int>(_states[0])});
    groupOf(0);
  }

  std::vector<ValueId> listed;
  for (size_t i = 0; i < targets.size(); i++) {
    const bool isState = i < _states.size();
    if (isState && gradients[_states[i]] >= 0)
      listed.push_back(gradients[_states[i]]);
    else if (isState && !_shapes[_states[i]].hasKnownSizes())  // in the end it may have another shape
      listed.push_back(zerosLike(_graph.outputOf(_id, _states[i])));
    else
      listed.push_back(zerosLike(targets[i]));
  }
  listed.insert(listed.end(), _layouts.begin(), _layouts.end());
  listed.insert(listed.end(), _columns.begin(), _columns.end());
  auto node = std::make_unique<Node>(OpType_LOGIC, static_cast<int>(UNWIND), unwind);
  _made.writeTo(*node);
  std::vector<PartialShape> outputs = _made.shapes;
  if (!graded.empty()) outputs.resize(_made.layoutOutput());
  for (size_t j = 0; j < graded.size(); j++)
    outputs[_made.columnGradientOutput(j)] = _graph.value(_inputs[_loop.columnInput(graded[j])]).shape;
  const NodeId added =
      _graph.addControl(std::move(node), std::move(listed), {scope}, readValues({scope}, unwind), outputs);
  Pairs pairs;
  for (size_t i = 0; i < targets.size(); i++)
    if (_isDependent(targets[i])) pairs.emplace_back(targets[i], _graph.outputOf(added, i));
  for (size_t j = 0; j < graded.size(); j++)
    pairs.emplace_back(_inputs[_loop.columnInput(graded[j])], _graph.outputOf(added, _made.columnGradientOutput(j)));
  return pairs;
}

}  // namespace sd::graph
