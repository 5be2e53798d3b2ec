#include "graph/ConditionGradient.h"

#include <algorithm>

#include "graph/ControlShapes.h"
#include "graph/LoopNode.h"
#include "graph/NodeCall.h"
#include "system/Error.h"

namespace sd::graph {

using ops::PartialShape;

void ConditionGradient::pullBack(Branch& branch, const std::vector<ValueId>& gradients) {
  std::vector<PartialShape> shapes;
  for (const ValueId input : _inputs) shapes.push_back(_graph.value(input).shape);
  branch.gradient = std::make_unique<ScopeGradient>(_graph, _id, branch.scope, shapes, std::vector<Name>(), _changes);
  ScopeGradient& body = *branch.gradient;
  std::vector<ScopeGradient::Head> heads;
  for (size_t k = 0; k < gradients.size(); k++) {
    if (gradients[k] < 0) continue;
    const auto result = body.results().find(k);
    if (result != body.results().end())
      heads.push_back({result->second, body.take(gradients[k])});
    else if (k < _inputs.size())  // it stays what it was
      heads.push_back({body.state(k), body.take(gradients[k])});
  }
  std::vector<ValueId> parameters, outer;
  const auto want = [&](ValueId inner, ValueId value) {
    if (!wants(value)) return;
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

ControlGradient::Name ConditionGradient::constant(NDArray array) {
  const ValueId value = _graph.addConstant(std::make_unique<NDArray>(std::move(array)));
  _changes.addConstant(_graph.value(value).name, *_graph.value(value).constant);
  return _graph.value(value).name;
}

ControlGradient::Name ConditionGradient::decision(int test) const {
  const std::vector<Node*>& nodes = *_graph.source().scopeById(test)->nodes();
  const bool isOne = nodes.size() == 1 && nodes[0]->hasCustomOp() && nodes[0]->inputs().size() == 1 &&
                     *nodes[0]->getCustomOp()->getOpName() == "identity";
  return isOne && nodes[0]->inputs()[0].first != _node.id() ? nodes[0]->inputs()[0] : ABSENT_INPUT;
}

ControlGradient::Pairs ConditionGradient::add(const std::vector<ValueId>& gradients) {
  const std::vector<int> scopes = scopesOf(_graph.source(), _node);
  if (scopes.size() != 3) invalidArgument("it needs the scopes of condition, false and true");
  std::vector<ValueId> targets;
  for (int b = 0; b < 2; b++) {
    _branches[b].scope = scopes[static_cast<size_t>(b) + 1];
    pullBack(_branches[b], gradients);
    for (const auto& [value, gradient] : _branches[b].found)
      if (std::find(targets.begin(), targets.end(), value) == targets.end()) targets.push_back(value);
  }
  if (targets.empty()) return {};

  // Behind the results that are there come which branch was taken, unless that is known otherwise, and what the
  // branches keep.
  const Name decided = decision(scopes[0]);
  size_t first = std::max(_inputs.size(), _graph.node(_id).outputs.size());
  for (Branch& branch : _branches) {
    listReturned(branch);
    first = std::max(first, branch.returned.size());
  }
  const Name empty = constant(nothing());
  const auto number = [this] { return _graph.takeNumber(); };
  const int conditional = number(), test = number();
  int written[2];
  size_t next = decided == ABSENT_INPUT ? first + 1 : first;  // output
  if (decided == ABSENT_INPUT) _graph.outputOf(_id, first, PartialShape::scalar(BOOL));
  for (int b = 0; b < 2; b++) {
    Branch& branch = _branches[b];
    ScopeGradient& body = *branch.gradient;
    for (size_t k = branch.returned.size(); k < first; k++)
      branch.returned.push_back(k < _inputs.size() ? Name(_node.id(), static_cast<int>(k)) : empty);
    if (decided == ABSENT_INPUT) {
      NDArray taken(BOOL);
      taken.p<bool>(0, b == 1);
      branch.returned.push_back(constant(std::move(taken)));
    }
    branch.returned.resize(next, empty);
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
      _graph.outputOf(_id, next, value.shape);
      return Name(_node.id(), static_cast<int>(next++));
    });
    body.end();
  }
  for (Branch& branch : _branches) {
    branch.returned.resize(next, empty);
    const Node* last = branch.gradient->last();
    auto node = std::make_unique<Node>(OpType_LOGIC, static_cast<int>(logic::Return),
                                       branch.gradient->returns() ? last->id() : number());
    node->setInputs(branch.returned);
    for (size_t e = 0; e < next; e++) node->pickOutput(_node.id(), static_cast<int>(e));
    _changes.setReturn(branch.scope, std::move(node));
  }
  _changes.addScope(test);
  auto asked = std::make_unique<Node>(ops::OpRegistrator::getInstance().find("identity"), number());
  asked->setInputs({decided == ABSENT_INPUT ? Name(_node.id(), static_cast<int>(first)) : decided});
  _changes.addNode(test, std::move(asked));

  const std::vector<int> own{test, written[0], written[1]};
  std::vector<PartialShape> shapes;
  for (const ValueId target : targets) shapes.push_back(_graph.value(target).shape);
  const NodeId added =
      _graph.addControl(std::make_unique<Node>(OpType_LOGIC, static_cast<int>(logic::Conditional), conditional), {},
                        own, readValues(own, conditional), shapes);
  Pairs pairs;
  for (size_t i = 0; i < targets.size(); i++) pairs.emplace_back(targets[i], _graph.outputOf(added, i));
  return pairs;
}

}  // namespace sd::graph
