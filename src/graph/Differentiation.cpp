#include "graph/Differentiation.h"

#include <ops/declarable/DeclarableOp.h>
#include <ops/declarable/Gradient.h>
#include <ops/declarable/headers/tensor.h>

#include <algorithm>

#include "graph/ControlGradients.h"
#include "graph/NodeCall.h"
#include "graph/NodeText.h"
#include "graph/passes/Rewrite.h"
#include "ops/declarable/ReadArguments.h"
#include "ops/declarable/helpers/inference.h"
#include "system/Error.h"

namespace sd::graph {
namespace {

using ops::CallArguments;
using ops::PartialShape;
using ops::Symbol;

/// Whether the values of the inputs do not influence the outputs, or are not meant to.
bool isCut(const OpenNode& node) {
  const char* reason = node.op() == nullptr ? nullptr : node.op()->schema().notDifferentiable();
  return reason != nullptr && (std::string_view(reason) == ops::CONSTANT_RESULT || node.is("stop_gradient"));
}

/// Goes through the nodes from the last one to the first, with the gradients that are known so far.
class Differentiation {
 public:
  Differentiation(OpenGraph& graph, const std::vector<ValueId>& parameters, ControlChanges& changes, const char* caller)
      : _graph(graph), _changes(changes), _caller(caller), _gradients(static_cast<size_t>(graph.values()), NONE) {
    findDependent(parameters);
  }

  void run(int nodes);

  /// -1: there is none, or it is 0.
  ValueId gradientOf(ValueId value) const {
    const ValueId gradient =
        static_cast<size_t>(value) < _gradients.size() ? _gradients[static_cast<size_t>(value)] : NONE;
    return gradient == ZERO ? NONE : gradient;
  }
  bool isZero(ValueId value) const { return _gradients[static_cast<size_t>(value)] == ZERO; }
  /// Whether a parameter influences the value.
  bool isDependent(ValueId value) const {
    return static_cast<size_t>(value) < _origins.size() && _origins[static_cast<size_t>(value)] != NONE;
  }
  /// "'w' -> node 3 (matmul) -> node 4 (argmax)"
  std::string wayTo(ValueId value) const;

  void add(const Head& head) { add(head.value, head.gradient >= 0 ? head.gradient : onesLike(head.value)); }
  void add(ValueId value, ValueId gradient);
  void addZero(ValueId value) {
    if (_gradients[static_cast<size_t>(value)] == NONE) _gradients[static_cast<size_t>(value)] = ZERO;
  }

 private:
  class NodeGradient;
  static constexpr ValueId NONE = -1, PARAMETER = -2, ZERO = -2;

  OpenGraph& _graph;
  ControlChanges& _changes;
  const char* const _caller;
  ValueId _one = NONE;              // a constant, where a head is a scalar
  std::vector<ValueId> _gradients;  // or NONE, or ZERO
  std::vector<ValueId> _origins;    // the value before it on a way from a parameter

  void findDependent(const std::vector<ValueId>& parameters);
  ValueId onesLike(ValueId value);
  /// A call that returns one of its inputs is not added.
  ValueId returnedBy(const std::string& operation, const std::vector<ValueId>& inputs) const;
  /// Constants in place of the outputs of a call that gives few integers and whose inputs are known: places and shapes,
  /// which are arguments of other calls. Otherwise nothing.
  std::vector<ValueId> knownResults(NodeId id);
  void differentiate(NodeId id);
  void differentiateControl(NodeId id);
};

/// Applies the rule of one node.
class Differentiation::NodeGradient final : public ops::Gradient {
 public:
  NodeGradient(Differentiation& all, const OpenNode& node, std::unique_ptr<Context> call)
      : Gradient(*node.op()), _all(all), _call(std::move(call)), _inputs(node.inputs), _outputs(node.outputs) {}

  bool prefersRules() const override { return true; }
  bool wants(int index) const override {
    const ValueId x =
        index < 0 || static_cast<size_t>(index) >= _inputs.size() ? -1 : _inputs[static_cast<size_t>(index)];
    return x >= 0 && _all.isDependent(x) && isReal(_all._graph.value(x).shape);
  }
  Symbol input(int index) override { return valueAt(_inputs, index); }
  Symbol output(int index) override { return valueAt(_outputs, index); }
  Symbol of(int index) override {
    const Symbol result = valueAt(_outputs, index);
    return result ? symbol(_all.gradientOf(result.id())) : Symbol();
  }
  int inputs() const override { return static_cast<int>(_inputs.size()); }
  int outputs() const override { return static_cast<int>(_outputs.size()); }

  const void* argumentData(const ops::ArgumentStruct& type) const override {
    const ops::ArgumentBlock& held = _call->argumentBlock();
    if (!held.holds(type)) invalidArgument("[{}] its gradient reads arguments of another type", *op().getOpName());
    return held.data();
  }

  std::vector<Symbol> callAll(const std::string& operation, const std::vector<Symbol>& inputs,
                              const CallArguments& arguments) override {
    std::vector<ValueId> values;
    for (const Symbol& input : inputs) values.push_back(input ? input.id() : -1);
    if (const ValueId value = _all.returnedBy(operation, values); value >= 0) return {symbol(value)};
    ops::DeclarableOp* called = ops::OpRegistrator::getInstance().find(operation);
    if (called == nullptr) invalidArgument("its gradient calls '{}', which is not in this build", operation);
    NamedArguments named = namedArguments(called->schema(), arguments);
    const NodeId added = _all._graph.addCall(operation.c_str(), std::move(values), std::move(named));
    std::vector<Symbol> results;
    const std::vector<ValueId> known = _all.knownResults(added);
    for (const ValueId result : known.empty() ? _all._graph.node(added).outputs : known)
      results.push_back(symbol(result));
    return results;
  }

  PartialShape shape(Symbol value) const override { return _all._graph.value(value.id()).shape; }

  Symbol constant(double value, Symbol like) override {
    const DataType type = shape(like).type();
    if (type == INHERIT) return call("fill_as", {like}, ops::Fill{value});
    auto scalar = std::make_unique<NDArray>(type);
    scalar->p<double>(0, value);
    return symbol(_all._graph.addConstant(std::move(scalar)));
  }

  Symbol constant(const NDArray& array) override {
    return symbol(_all._graph.addConstant(std::make_unique<NDArray>(array)));
  }

  void set(int index, Symbol value) override {
    if (!value || !wants(index)) return;
    const Symbol x = input(index);
    const PartialShape known = shape(x);
    if (known.type() != INHERIT && shape(value).type() != known.type()) value = cast(value, known.type());
    _all.add(x.id(), value.id());
  }

  void none(int index, const char* reason) override {
    if (wants(index)) invalidArgument("[{}] there is no gradient of input {}: {}", *op().getOpName(), index, reason);
  }

 private:
  Differentiation& _all;
  std::unique_ptr<Context> _call;
  const std::vector<ValueId> _inputs, _outputs;  // copies: nodes are added

  Symbol symbol(ValueId value) { return value < 0 ? Symbol() : Symbol(this, value); }
  Symbol valueAt(const std::vector<ValueId>& values, int index) {
    return index < 0 || static_cast<size_t>(index) >= values.size() ? Symbol()
                                                                    : symbol(values[static_cast<size_t>(index)]);
  }
};

void Differentiation::findDependent(const std::vector<ValueId>& parameters) {
  _origins.assign(static_cast<size_t>(_graph.values()), NONE);
  for (const ValueId parameter : parameters) _origins[static_cast<size_t>(parameter)] = PARAMETER;
  for (NodeId id = 0; id < _graph.nodes(); id++) {
    const OpenNode& node = _graph.node(id);
    const auto first = std::find_if(node.inputs.begin(), node.inputs.end(),
                                    [this](ValueId input) { return input >= 0 && isDependent(input); });
    if (node.removed || first == node.inputs.end() || isCut(node)) continue;
    const ValueId origin = *first;
    const std::vector<char> outputs =
        dependentOutputs(_graph, id, [this](ValueId value) { return isDependent(value); });
    for (size_t k = 0; k < outputs.size(); k++) {
      const ValueId output = _graph.node(id).outputs[k];
      if (outputs[k] != 0 && !isDependent(output)) _origins[static_cast<size_t>(output)] = origin;
    }
  }
}

std::string Differentiation::wayTo(ValueId value) const {
  std::vector<ValueId> way{value};
  while (_origins[static_cast<size_t>(way.back())] >= 0) way.push_back(_origins[static_cast<size_t>(way.back())]);
  std::string text;
  for (auto at = way.rbegin(); at != way.rend(); ++at) {
    const OpenNode* writer = _graph.writerOf(*at);
    if (!text.empty()) text += " -> ";
    text +=
        writer != nullptr ? writer->node->describe() : "'" + valueText(_graph.source(), _graph.value(*at).name) + "'";
  }
  return text;
}

ValueId Differentiation::onesLike(ValueId value) {
  const PartialShape& shape = _graph.value(value).shape;
  if (shape.rank() != 0 || !shape.isComplete()) return _graph.node(_graph.addCall("ones_as", {value})).outputs[0];
  auto one = std::make_unique<NDArray>(shape.type());
  one->p<double>(0, 1);
  return _one = _graph.addConstant(std::move(one));
}

ValueId Differentiation::returnedBy(const std::string& operation, const std::vector<ValueId>& inputs) const {
  if (_one < 0 || operation != "multiply") return -1;
  const auto type = [this](ValueId value) { return _graph.value(value).shape.type(); };
  if (inputs[0] == _one && type(inputs[1]) == type(_one)) return inputs[1];
  return inputs[1] == _one && type(inputs[0]) == type(_one) ? inputs[0] : -1;
}

std::vector<ValueId> Differentiation::knownResults(NodeId id) {
  constexpr LongType MOST_INTEGERS = 4 * SD_MAX_RANK;
  const OpenNode& node = _graph.node(id);
  const bool isSmall = std::all_of(node.outputs.begin(), node.outputs.end(), [this](ValueId output) {
    const PartialShape& shape = _graph.value(output).shape;
    return shape.isComplete() && DataTypeUtils::isZ(shape.type()) && shape.length() <= MOST_INTEGERS;
  });
  if (!isSmall || !node.isPure || node.inputs.empty() || node.inputs[0] < 0) return {};
  std::vector<std::unique_ptr<NDArray>> results;
  if (node.is("shape_of")) {
    const PartialShape& shape = _graph.value(node.inputs[0]).shape;
    if (!shape.hasKnownSizes()) return {};
    results.push_back(std::make_unique<NDArray>('c', std::vector<LongType>{shape.rank()},
                                                _graph.value(node.outputs[0]).shape.type()));
    for (int d = 0; d < shape.rank(); d++) results[0]->p<LongType>(d, shape[d]);
  } else {
    const auto block = contextOf(*node.node);
    for (const ValueId input : node.inputs) {
      const NDArray* constant = input < 0 ? nullptr : _graph.value(input).constant;
      if (constant == nullptr) return {};
      block->fastpath_in().push_back(const_cast<NDArray*>(constant));
    }
    if (node.op()->execute(block.get()) != Status::OK) return {};
    for (const NDArray* result : block->fastpath_out()) results.push_back(std::make_unique<NDArray>(*result));
  }
  std::vector<ValueId> constants;
  for (auto& result : results) constants.push_back(_graph.addConstant(std::move(result)));
  return constants;
}

void Differentiation::add(ValueId value, ValueId gradient) {
  const OpenNode* writer = _graph.writerOf(gradient);
  if (writer != nullptr && writer->is("zeros_as")) return addZero(value);
  ValueId& sum = _gradients[static_cast<size_t>(value)];
  if (sum >= 0) gradient = _graph.node(_graph.addCall("add", {sum, gradient})).outputs[0];
  sum = gradient;
}

void Differentiation::differentiate(NodeId id) {
  const OpenNode& node = _graph.node(id);
  const bool hasGradient =
      std::any_of(node.outputs.begin(), node.outputs.end(), [this](ValueId output) { return gradientOf(output) >= 0; });
  const bool counts = !isCut(node) && std::any_of(node.inputs.begin(), node.inputs.end(), [this](ValueId input) {
    return input >= 0 && isDependent(input) && isReal(_graph.value(input).shape);
  });
  if (node.removed || !counts) return;
  if (!hasGradient) {
    // Zeros go on, so that they are known from values without influence.
    if (std::none_of(node.outputs.begin(), node.outputs.end(), [this](ValueId output) { return isZero(output); }))
      return;
    for (const ValueId input : node.inputs)
      if (input >= 0 && isDependent(input)) addZero(input);
    return;
  }
  const ValueId output = node.outputs[0];
  try {
    if (node.op() == nullptr || node.node->isLogic() || node.node->hasGraphEmbedded()) return differentiateControl(id);
    auto call = readCall(_graph, node);
    if (call == nullptr) invalidArgument("its arguments are values that the graph computes, which its gradient needs");
    NodeGradient gradient(*this, node, std::move(call));
    gradient.apply();
    // What the rule does not set is 0.
    for (int i = 0; i < gradient.inputs(); i++)
      if (const Symbol x = gradient.wants(i) ? gradient.input(i) : Symbol(); x) addZero(x.id());
  } catch (const std::invalid_argument& error) {
    // The way within a scope follows the way to it.
    const std::string place = placeText(_graph, _caller), message = error.what();
    invalidArgument("{}{}: {}", place, wayTo(output),
                    message.starts_with(place) ? message.substr(place.size()) : message);
  }
}

void Differentiation::differentiateControl(NodeId id) {
  std::vector<ValueId> gradients;
  for (const ValueId output : _graph.node(id).outputs) gradients.push_back(gradientOf(output));
  for (const auto& [value, gradient] : controlGradients(
           _graph, id, gradients, [this](ValueId value) { return isDependent(value); }, _changes))
    add(value, gradient);
}

void Differentiation::run(int nodes) {
  for (NodeId id = nodes - 1; id >= 0; id--) differentiate(id);
}

}  // namespace

bool isReal(const PartialShape& shape) {
  return shape.type() == INHERIT || DataTypeUtils::isR(shape.type()) || DataTypeUtils::isC(shape.type());
}

std::string placeText(const OpenGraph& graph, const char* caller) {
  return "[" + std::string(caller) + "] " + (graph.origin().empty() ? "" : graph.origin() + ": ");
}

void requireReal(const OpenGraph& graph, ValueId value, const char* caller) {
  const OpenValue& known = graph.value(value);
  if (!isReal(known.shape))
    invalidArgument("{}'{}' has type {}, which has no gradients", placeText(graph, caller),
                    valueText(graph.source(), known.name), DataTypeUtils::asString(known.shape.type()));
}

std::vector<ValueId> pullBackGradients(OpenGraph& graph, const std::vector<std::pair<ValueId, ValueId>>& heads,
                                       const std::vector<ValueId>& parameters, ControlChanges& changes) {
  const int nodes = graph.nodes();
  Differentiation all(graph, parameters, changes, "gradients");
  for (const auto& [value, gradient] : heads) all.add(value, gradient);
  all.run(nodes);
  std::vector<ValueId> gradients;
  for (const ValueId parameter : parameters) gradients.push_back(all.gradientOf(parameter));
  return gradients;
}

std::vector<char> dependentValues(OpenGraph& graph, const std::vector<ValueId>& parameters) {
  ControlChanges none;
  const Differentiation all(graph, parameters, none, "gradients");
  std::vector<char> dependent;
  for (ValueId value = 0; value < graph.values(); value++) dependent.push_back(all.isDependent(value));
  return dependent;
}

std::vector<ValueId> differentiate(OpenGraph& graph, const std::vector<Head>& heads,
                                   const std::vector<ValueId>& parameters, ControlChanges& changes,
                                   const char* caller) {
  const int nodes = graph.nodes();
  for (const ValueId parameter : parameters) requireReal(graph, parameter, caller);
  for (const Head& head : heads) requireReal(graph, head.value, caller);
  Differentiation all(graph, parameters, changes, caller);
  for (const Head& head : heads) all.add(head);
  all.run(nodes);
  std::vector<ValueId> gradients;
  for (const ValueId parameter : parameters) {
    ValueId gradient = all.gradientOf(parameter);
    if (all.isZero(parameter)) gradient = graph.node(graph.addCall("zeros_as", {parameter})).outputs[0];
    const bool depends =
        std::any_of(heads.begin(), heads.end(), [&all](const Head& head) { return all.isDependent(head.value); });
    gradients.push_back(gradient < 0 && depends ? BY_INTEGERS : gradient);
  }
  return gradients;
}

}  // namespace sd::graph
