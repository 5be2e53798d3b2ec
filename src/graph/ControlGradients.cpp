#include "graph/ControlGradients.h"

#include <algorithm>

#include "graph/KeptValues.h"
#include "graph/ScopeGradient.h"
#include "system/Error.h"

namespace sd::graph {
namespace {

using ops::PartialShape;
using Name = std::pair<int, int>;
using Pairs = std::vector<std::pair<ValueId, ValueId>>;

bool isReal(const PartialShape& shape) { return shape.type() == INHERIT || DataTypeUtils::isR(shape.type()); }

std::vector<int> scopesOf(const Graph& graph, const Node& node) {
  std::vector<int> scopes;
  for (const Name& input : node.inputs())
    if (graph.hasScope(input.first)) scopes.push_back(input.first);
  return scopes;
}

/// What is known of a value that has one shape or the other.
PartialShape either(const PartialShape& a, const PartialShape& b) {
  const DataType type = a.type() == b.type() ? a.type() : INHERIT;
  if (!a.hasRank() || a.rank() != b.rank() || a.isEmptyScalar() != b.isEmptyScalar()) return PartialShape(type);
  PartialShape shape = a.withType(type);
  for (int axis = 0; axis < a.rank(); axis++)
    if (a[axis] != b[axis]) shape.set(axis, PartialShape::UNKNOWN);
  return shape;
}

/// The values of the graph that new scopes read.
std::vector<ValueId> readValues(const OpenGraph& graph, const ControlChanges& changes, const std::vector<int>& scopes,
                                int owner) {
  std::vector<ValueId> values;
  for (const Name& name : changes.readsOf(scopes, owner)) {
    const ValueId value = graph.find(name);
    if (value >= 0) values.push_back(value);
  }
  return values;
}

// ---- loops

class LoopGradient {
 public:
  LoopGradient(OpenGraph& graph, NodeId id, const std::vector<ValueId>& gradients,
               const std::function<bool(ValueId)>& isDependent, ControlChanges& changes)
      : _graph(graph),
        _id(id),
        _loop(*graph.node(id).node),
        _inputs(graph.node(id).inputs.begin(),
                graph.node(id).inputs.begin() + static_cast<std::ptrdiff_t>(graph.node(id).listed)),
        _gradients(gradients),
        _isDependent(isDependent),
        _changes(changes) {}

  Pairs add();

 private:
  OpenGraph& _graph;
  NodeId _id;
  const Node& _loop;
  const std::vector<ValueId> _inputs;  // the first values
  const std::vector<ValueId>& _gradients;
  const std::function<bool(ValueId)>& _isDependent;
  ControlChanges& _changes;
  std::unique_ptr<ScopeGradient> _body;
  std::vector<PartialShape> _shapes;                     // of the values, in all iterations
  std::vector<ValueId> _next;                            // in the body
  std::vector<size_t> _states;                           // with gradients
  std::vector<std::pair<ValueId, ValueId>> _parameters;  // from outside, with gradients

  void openBody();
  std::vector<char> dependentStates() const;
  void findStates();
};

/// Opens the body with what is known of the values in every iteration.
void LoopGradient::openBody() {
  const std::vector<int> scopes = scopesOf(_graph.source(), _loop);
  if (scopes.size() != 2) invalidArgument("it needs a condition scope and a body scope");
  for (const ValueId input : _inputs) _shapes.push_back(_graph.value(input).shape);
  for (bool isChanged = true; isChanged;) {
    _body = std::make_unique<ScopeGradient>(_graph, _id, scopes[1], _shapes, _changes);
    if (!_body->returns()) invalidArgument("scope {}, the body, does not end with a Return", scopes[1]);
    _next.clear();
    for (size_t e = 0; e < _shapes.size(); e++) {
      const auto result = _body->results().find(e);
      _next.push_back(result == _body->results().end() ? _body->state(e) : result->second);
    }
    isChanged = false;
    for (size_t e = 0; e < _shapes.size(); e++) {
      PartialShape next = _body->open().value(_next[e]).shape;
      // A value keeps its type as long as it keeps its shape.
      if (_shapes[e].hasKnownSizes() && next.hasKnownSizes() && _shapes[e].sizes() == next.sizes())
        next = next.withType(_shapes[e].type());
      const PartialShape known = either(_shapes[e], next);
      if (known == _shapes[e]) continue;
      _shapes[e] = known;
      isChanged = true;
    }
  }
  if (!_body->results().empty() && _body->results().rbegin()->first >= _shapes.size())
    invalidArgument("scope {}, the body, returns more values than the loop has", scopes[1]);
}

/// The values of the loop that depend on parameters in some iteration.
std::vector<char> LoopGradient::dependentStates() const {
  std::vector<char> states(_shapes.size(), 0);
  for (size_t e = 0; e < states.size(); e++) states[e] = isReal(_shapes[e]) && _isDependent(_inputs[e]);
  for (bool isChanged = true; isChanged;) {
    std::vector<ValueId> parameters;
    for (size_t e = 0; e < states.size(); e++)
      if (states[e] != 0) parameters.push_back(_body->state(e));
    for (const auto& [inner, outer] : _body->outside())
      if (_isDependent(outer)) parameters.push_back(inner);
    const std::vector<char> dependent = _body->dependents(parameters);
    isChanged = false;
    for (size_t e = 0; e < states.size(); e++) {
      if (states[e] != 0 || !isReal(_shapes[e]) || dependent[static_cast<size_t>(_next[e])] == 0) continue;
      states[e] = 1;
      isChanged = true;
    }
  }
  return states;
}

/// Finds the values between parameters and gradients.
void LoopGradient::findStates() {
  const std::vector<char> dependent = dependentStates();
  std::vector<char> counts(_shapes.size(), 0);
  for (size_t e = 0; e < counts.size(); e++) counts[e] = dependent[e] != 0 && _gradients[e] >= 0;
  std::vector<char> sources;
  for (bool isChanged = true; isChanged;) {
    std::vector<ValueId> next;
    for (size_t e = 0; e < counts.size(); e++)
      if (counts[e] != 0) next.push_back(_next[e]);
    sources = _body->sources(next);
    isChanged = false;
    for (size_t e = 0; e < counts.size(); e++) {
      if (counts[e] != 0 || dependent[e] == 0 || sources[static_cast<size_t>(_body->state(e))] == 0) continue;
      counts[e] = 1;
      isChanged = true;
    }
  }
  for (size_t e = 0; e < counts.size(); e++)
    if (counts[e] != 0) _states.push_back(e);
  for (const auto& pair : _body->outside())
    if (_isDependent(pair.second) && isReal(_graph.value(pair.second).shape) &&
        sources[static_cast<size_t>(pair.first)] != 0)
      _parameters.push_back(pair);
}

Pairs LoopGradient::add() {
  openBody();
  findStates();
  if (_states.empty()) return {};
  const int unwind = _body->open().takeNumber(), scope = _body->open().takeNumber();
  const auto placeOf = [unwind](size_t index) { return Name(unwind, static_cast<int>(index)); };

  std::vector<ScopeGradient::Head> heads;
  std::vector<ValueId> parameters;
  for (size_t i = 0; i < _states.size(); i++) {
    const size_t e = _states[i];
    heads.push_back({_next[e], _body->open().addPlaceholder(placeOf(i), _shapes[e])});
    parameters.push_back(_body->state(e));
  }
  for (const auto& [inner, outer] : _parameters) parameters.push_back(inner);
  const std::vector<ValueId> found = _body->pullBack(std::move(heads), parameters);

  const auto zerosLike = [this](ValueId value) { return _graph.node(_graph.addCall("zeros_as", {value})).outputs[0]; };
  // Node numbers are taken in turns.
  _body->end();
  std::vector<ValueId> results, listed, targets;
  for (size_t i = 0; i < _states.size(); i++) {
    const size_t e = _states[i];
    results.push_back(found[i] >= 0 ? found[i] : _body->zerosLike(_body->state(e)));
    targets.push_back(_inputs[e]);
  }
  for (size_t j = 0; j < _parameters.size(); j++) {
    const ValueId gradient = found[_states.size() + j];
    if (gradient < 0) continue;
    const auto& [inner, outer] = _parameters[j];
    const ValueId sum = _body->open().addPlaceholder(placeOf(results.size()), _graph.value(outer).shape);
    results.push_back(_body->add(sum, gradient));
    targets.push_back(outer);
  }
  std::vector<LongType> columns;
  _body->write(scope, results, unwind, [&](ValueId value) {
    columns.push_back(static_cast<LongType>(_changes.keep(_loop, _body->open().value(value).name)));
    return placeOf(results.size() + columns.size() - 1);
  });
  _body->end();

  const size_t first = _inputs.size();
  for (size_t i = 0; i < targets.size(); i++)
    listed.push_back(i >= _states.size()           ? zerosLike(targets[i])
                     : _gradients[_states[i]] >= 0 ? _gradients[_states[i]]
                                                   : zerosLike(_graph.outputOf(_id, _states[i])));
  // A loop that keeps nothing at all would not say how often it ran.
  if (columns.empty()) _changes.keep(_loop, {_loop.id(), static_cast<int>(_states[0])});
  listed.push_back(_graph.outputOf(_id, first));
  for (const LongType column : columns) listed.push_back(_graph.outputOf(_id, first + 1 + static_cast<size_t>(column)));
  auto node = std::make_unique<Node>(OpType_LOGIC, static_cast<int>(UNWIND), unwind);
  for (const LongType column : columns) node->getContextPrototype()->appendI(column);
  const NodeId added = _graph.addControl(std::move(node), std::move(listed), {scope},
                                         readValues(_graph, _changes, {scope}, unwind), targets.size());
  Pairs gradients;
  for (size_t i = 0; i < targets.size(); i++)
    if (_isDependent(targets[i])) gradients.emplace_back(targets[i], _graph.outputOf(added, i));
  return gradients;
}

// ---- conditions

class ConditionGradient {
 public:
  ConditionGradient(OpenGraph& graph, NodeId id, const std::vector<ValueId>& gradients,
                    const std::function<bool(ValueId)>& isDependent, ControlChanges& changes)
      : _graph(graph),
        _id(id),
        _node(*graph.node(id).node),
        _inputs(graph.node(id).inputs.begin(),
                graph.node(id).inputs.begin() + static_cast<std::ptrdiff_t>(graph.node(id).listed)),
        _gradients(gradients),
        _isDependent(isDependent),
        _changes(changes) {}

  Pairs add();

 private:
  struct Branch {
    int scope = 0;
    std::unique_ptr<ScopeGradient> gradient;
    std::map<ValueId, ValueId> found;  // by value of the graph: its gradient in the branch
    std::vector<Name> returned;        // what the branch gives in the end
    size_t kept = 0;                   // the last so many of them
  };

  OpenGraph& _graph;
  NodeId _id;
  const Node& _node;
  const std::vector<ValueId> _inputs;
  const std::vector<ValueId>& _gradients;
  const std::function<bool(ValueId)>& _isDependent;
  ControlChanges& _changes;
  Branch _branches[2];

  void pullBack(Branch& branch);
  void listReturned(Branch& branch) const;
  Name constant(NDArray array);
};

void ConditionGradient::pullBack(Branch& branch) {
  std::vector<PartialShape> shapes;
  for (const ValueId input : _inputs) shapes.push_back(_graph.value(input).shape);
  branch.gradient = std::make_unique<ScopeGradient>(_graph, _id, branch.scope, shapes, _changes);
  ScopeGradient& body = *branch.gradient;
  std::vector<ScopeGradient::Head> heads;
  for (size_t k = 0; k < _gradients.size(); k++) {
    if (_gradients[k] < 0) continue;
    const auto result = body.results().find(k);
    if (result != body.results().end())
      heads.push_back({result->second, body.take(_gradients[k])});
    else if (k < _inputs.size())  // it stays what it was
      heads.push_back({body.state(k), body.take(_gradients[k])});
  }
  std::vector<ValueId> parameters, outer;
  const auto want = [&](ValueId inner, ValueId value) {
    if (!_isDependent(value) || !isReal(_graph.value(value).shape)) return;
    parameters.push_back(inner);
    outer.push_back(value);
  };
  for (size_t e = 0; e < _inputs.size(); e++) want(body.state(e), _inputs[e]);
  for (const auto& [inner, value] : body.outside()) want(inner, value);
  const std::vector<ValueId> found = body.pullBack(std::move(heads), parameters);
  for (size_t i = 0; i < found.size(); i++) {
    if (found[i] < 0) continue;
    // An input may be listed twice.
    const auto [place, isNew] = branch.found.emplace(outer[i], found[i]);
    if (!isNew) place->second = body.add(place->second, found[i]);
  }
  body.end();
}

/// What the branch returns now, whatever it returns it with.
void ConditionGradient::listReturned(Branch& branch) const {
  const Node* last = branch.gradient->last();
  if (branch.gradient->returns()) {
    for (size_t e = 0; e < last->inputs().size(); e++) {
      if (last->outputs()[e].first != _node.id())
        invalidArgument("scope {} returns a value to node {}", branch.scope, last->outputs()[e].first);
      branch.returned.push_back(last->inputs()[e]);
    }
    return;
  }
  for (const auto& [k, value] : branch.gradient->results()) {
    const OpenValue& result = branch.gradient->open().value(value);
    if (k < _inputs.size() && result.shape.type() != _graph.value(_inputs[k]).shape.type())
      invalidArgument("scope {} needs a Return, because its result {} may have another type than the value",
                      branch.scope, k);
    branch.returned.push_back(result.name);
  }
}

Name ConditionGradient::constant(NDArray array) {
  const ValueId value = _graph.addConstant(std::make_unique<NDArray>(std::move(array)));
  _changes.addConstant(_graph.value(value).name, *_graph.value(value).constant);
  return _graph.value(value).name;
}

Pairs ConditionGradient::add() {
  const std::vector<int> scopes = scopesOf(_graph.source(), _node);
  if (scopes.size() != 3) invalidArgument("it needs the scopes of condition, false and true");
  std::vector<ValueId> targets;
  for (int b = 0; b < 2; b++) {
    _branches[b].scope = scopes[static_cast<size_t>(b) + 1];
    pullBack(_branches[b]);
    for (const auto& [value, gradient] : _branches[b].found)
      if (std::find(targets.begin(), targets.end(), value) == targets.end()) targets.push_back(value);
  }
  if (targets.empty()) return {};

  // Behind the results that are there come which branch was taken, and what the branches keep.
  size_t first = std::max(_inputs.size(), _graph.node(_id).outputs.size());
  for (Branch& branch : _branches) {
    listReturned(branch);
    first = std::max(first, branch.returned.size());
  }
  const Name nothing = constant(NDArray('c', std::vector<LongType>{0}, FLOAT32));
  const auto number = [this] { return _graph.takeNumber(); };
  const int conditional = number(), test = number();
  int written[2];
  size_t next = first + 1;  // output
  for (int b = 0; b < 2; b++) {
    Branch& branch = _branches[b];
    ScopeGradient& body = *branch.gradient;
    for (size_t k = branch.returned.size(); k < first; k++)
      branch.returned.push_back(k < _inputs.size() ? Name(_node.id(), static_cast<int>(k)) : nothing);
    NDArray taken(BOOL);
    taken.p<bool>(0, b == 1);
    branch.returned.push_back(constant(std::move(taken)));
    branch.returned.resize(next, nothing);
    body.open().skipNumbers(_graph.nextNumbers());
    std::vector<ValueId> results;
    for (const ValueId target : targets) {
      const auto found = branch.found.find(target);
      results.push_back(found != branch.found.end() ? found->second : body.zerosLike(body.take(target)));
    }
    written[b] = body.open().takeNumber();
    body.write(written[b], results, conditional, [&](ValueId id) {
      const OpenValue& value = body.open().value(id);
      if (value.name.first == _node.id()) return _graph.value(_inputs[static_cast<size_t>(value.name.second)]).name;
      branch.returned.push_back(value.name);
      return Name(_node.id(), static_cast<int>(next++));
    });
    body.end();
  }
  for (Branch& branch : _branches) {
    branch.returned.resize(next, nothing);
    const Node* last = branch.gradient->last();
    auto node = std::make_unique<Node>(OpType_LOGIC, static_cast<int>(logic::Return),
                                       branch.gradient->returns() ? last->id() : number());
    node->setInputs(branch.returned);
    for (size_t e = 0; e < next; e++) node->pickOutput(_node.id(), static_cast<int>(e));
    _changes.setReturn(branch.scope, std::move(node));
  }
  _graph.outputOf(_id, next - 1);
  _changes.addScope(test);
  auto asked = std::make_unique<Node>(ops::OpRegistrator::getInstance().find("identity"), number());
  asked->setInputs({{_node.id(), static_cast<int>(first)}});
  _changes.addNode(test, std::move(asked));

  const std::vector<int> own{test, written[0], written[1]};
  const NodeId added =
      _graph.addControl(std::make_unique<Node>(OpType_LOGIC, static_cast<int>(logic::Conditional), conditional), {},
                        own, readValues(_graph, _changes, own, conditional), targets.size());
  Pairs gradients;
  for (size_t i = 0; i < targets.size(); i++) gradients.emplace_back(targets[i], _graph.outputOf(added, i));
  return gradients;
}

}  // namespace

Pairs controlGradients(OpenGraph& graph, NodeId id, const std::vector<ValueId>& gradients,
                       const std::function<bool(ValueId)>& isDependent, ControlChanges& changes) {
  const Node& node = *graph.node(id).node;
  if (node.isLogic(logic::While)) return LoopGradient(graph, id, gradients, isDependent, changes).add();
  if (node.isLogic(logic::Conditional)) return ConditionGradient(graph, id, gradients, isDependent, changes).add();
  if (node.isLogic(UNWIND)) invalidArgument("there are no second derivatives through loops");
  if (node.isLogic()) invalidArgument("of the nodes that control a graph, only While and Conditional have gradients");
  invalidArgument("there are no gradients through embedded graphs");
}

}  // namespace sd::graph
