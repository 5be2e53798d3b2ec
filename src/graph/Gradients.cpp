#include <graph/Gradients.h>

#include <algorithm>
#include <memory>

#include "graph/Checkpoints.h"
#include "graph/ControlShapes.h"
#include "graph/Differentiation.h"
#include "graph/GraphChecks.h"
#include "graph/GraphSymbols.h"
#include "graph/NodeText.h"
#include "graph/OpenGraph.h"
#include "graph/ResultNames.h"
#include "system/Error.h"

namespace sd::graph {
namespace {

using Place = std::pair<int, int>;

std::vector<const Node*> nodesOf(const OpenGraph& open, NodeId first, const std::vector<bool>& needed) {
  std::vector<const Node*> nodes;
  for (NodeId id = first; id < open.nodes(); id++)
    if (needed[static_cast<size_t>(id)]) nodes.push_back(open.node(id).node);
  return nodes;
}

/// The nodes from `first` on that compute these values become nodes of the graph. Nothing can fail here, so that the
/// graph gets all of them or none. `changes`: in the order in which they were collected.
std::vector<Place> addToGraph(Graph& graph, const OpenGraph& open, NodeId first, const std::vector<ValueId>& values,
                              const std::vector<const ControlChanges*>& changes) {
  const std::vector<bool> needed = neededNodes(open, first, values);
  VariableSpace& space = *graph.getVariableSpace();
  const auto takeConstant = [&](ValueId id) {
    const OpenValue& constant = open.value(id);
    if (constant.source != OpenValue::Source::Constant || space.hasVariable(constant.name)) return;
    auto variable = std::make_unique<Variable>(new NDArray(*constant.constant), nullptr, constant.name.first, 0);
    variable->setVariableType(CONSTANT);
    space.putVariable(constant.name.first, variable.release());
  };
  const std::vector<const Node*> added = nodesOf(open, first, needed);
  for (const ControlChanges* each : changes) each->addScopes(graph, added);
  for (NodeId id = first; id < open.nodes(); id++) {
    if (!needed[static_cast<size_t>(id)]) continue;
    for (const ValueId input : open.node(id).inputs)
      if (input >= 0) takeConstant(input);
    std::unique_ptr<Node> node(open.node(id).node->clone());
    if (!node->isLogic()) {
      std::vector<Place> inputs = node->inputs();
      for (size_t i = 0; i < inputs.size(); i++)
        if (open.node(id).inputs[i] >= 0) inputs[i] = open.value(open.node(id).inputs[i]).name;
      node->setInputs(std::move(inputs));
    }
    graph.addNode(node.release());
  }
  for (const ControlChanges* each : changes) each->changeNodes(graph);
  std::vector<Place> places;
  for (const ValueId value : values) {
    takeConstant(value);
    places.push_back(open.value(value).name);
  }
  return places;
}

/// The places of values that are given by their names.
class Names {
 public:
  Names(const Graph& graph, const char* caller) : _names(graph, caller) {}
  void add(const std::string& text) {
    const auto [id, output] = _names.find(text);
    _places.emplace_back(id, std::max(0, output));
  }
  const std::vector<Place>& places() const { return _places; }

 private:
  const ResultNames _names;
  std::vector<Place> _places;
};

/// A gradient that is given has to fit the value that it belongs to.
void requireLike(const OpenGraph& open, ValueId given, ValueId value, const char* caller) {
  const ops::PartialShape &a = open.value(given).shape, &b = open.value(value).shape;
  const bool sameType = !a.hasType() || !b.hasType() || a.type() == b.type();
  const bool sameSizes =
      !a.hasRank() || !b.hasRank() || std::equal(a.begin(), a.end(), b.begin(), b.end(), [](LongType x, LongType y) {
        return x == y || x == ops::PartialShape::UNKNOWN || y == ops::PartialShape::UNKNOWN;
      });
  if (sameType && sameSizes) return;
  const auto text = [&](ValueId id) {
    const ops::PartialShape& shape = open.value(id).shape;
    return "'" + valueText(open.source(), open.value(id).name) + "' is " + DataTypeUtils::asString(shape.type()) + " " +
           shape.text();
  };
  invalidArgument("{}{}, but {}", placeText(open, caller), text(given), text(value));
}

}  // namespace

std::vector<Place> addGradients(Graph& graph, const std::string& value, const std::vector<std::string>& parameters,
                                const GradientOptions& options) {
  constexpr const char* CALLER = "gradients";
  if (parameters.empty()) invalidArgument("[gradients] there are no parameters");
  checkNesting(graph);
  Names names(graph, CALLER);
  names.add(value);
  for (const std::string& parameter : parameters) names.add(parameter);
  for (const std::string& checkpoint : options.checkpoints) names.add(checkpoint);
  if (!options.headGradient.empty()) names.add(options.headGradient);

  OpenGraph open(graph, {}, names.places(), inferControl);
  const std::vector<ValueId> all = open.results();
  const NodeId first = open.nodes();
  const auto checkpoints = all.begin() + 1 + static_cast<std::ptrdiff_t>(parameters.size());
  const std::vector<ValueId> sources(all.begin() + 1, checkpoints);
  const std::vector<ValueId> kept(checkpoints, checkpoints + static_cast<std::ptrdiff_t>(options.checkpoints.size()));
  Head head{all[0], -1};
  if (!options.headGradient.empty()) {
    head.gradient = all.back();
    requireLike(open, head.gradient, head.value, CALLER);
  }
  ControlChanges changes(options.loops);
  std::vector<ValueId> gradients = differentiate(open, {head}, sources, changes, CALLER);
  for (size_t i = 0; i < gradients.size(); i++) {
    if (gradients[i] >= 0) continue;
    if (!options.allowUnused)
      invalidArgument("{}'{}' does not depend on '{}'{}", placeText(open, CALLER),
                      valueText(graph, open.value(head.value).name), valueText(graph, open.value(sources[i]).name),
                      gradients[i] == BY_INTEGERS ? ", or only by way of integers" : "");
    gradients[i] = open.node(open.addCall("zeros_as", {sources[i]})).outputs[0];
  }
  if (!kept.empty()) recomputeBetween(open, first, head.value, kept, gradients);
  return addToGraph(graph, open, first, gradients, {&changes});
}

Place addTangents(Graph& graph, const std::vector<std::pair<std::string, std::string>>& tangents,
                  const std::string& value) {
  constexpr const char* CALLER = "tangents";
  if (tangents.empty()) invalidArgument("[tangents] there are no parameters");
  checkNesting(graph);
  Names names(graph, CALLER);
  names.add(value);
  for (const auto& [parameter, change] : tangents) {
    names.add(parameter);
    names.add(change);
  }
  // The second pass differentiates what the first one adds, scopes among it, which are scopes of this copy first.
  const std::unique_ptr<Graph> copy(graph.cloneWithProxy());
  OpenGraph open(*copy, {}, names.places(), inferControl);
  const std::vector<ValueId> all = open.results();
  const NodeId first = open.nodes();
  std::vector<ValueId> parameters;
  for (size_t i = 1; i < all.size(); i += 2) {
    parameters.push_back(all[i]);
    requireLike(open, all[i + 1], all[i], CALLER);
  }
  // The gradients g of the parameters are linear in the gradient u that comes in, whatever it is: g = J^T u. What is
  // looked for, J dx, is the gradient of their products with dx with respect to u.
  const ValueId incoming = open.node(open.addCall("ones_as", {all[0]})).outputs[0];
  ControlChanges changes, further;
  const std::vector<ValueId> gradients = differentiate(open, {{all[0], incoming}}, parameters, changes, CALLER);
  changes.addScopes(*copy, nodesOf(open, first, std::vector<bool>(static_cast<size_t>(open.nodes()), true)));
  changes.changeNodes(*copy);
  std::vector<Head> heads;
  for (size_t i = 0; i < gradients.size(); i++)
    if (gradients[i] >= 0) heads.push_back({gradients[i], all[2 * i + 2]});
  if (heads.empty())
    invalidArgument("{}'{}' does not depend on the parameters", placeText(open, CALLER),
                    valueText(graph, open.value(all[0]).name));
  ValueId result = differentiate(open, heads, {incoming}, further, CALLER)[0];
  if (result < 0) result = open.node(open.addCall("zeros_as", {all[0]})).outputs[0];
  return addToGraph(graph, open, first, {result}, {&changes, &further})[0];
}

}  // namespace sd::graph

namespace sd::nd {
namespace {

graph::GraphSymbols& graphOf(const Symbol& value, const char* caller) {
  auto* symbols = value ? dynamic_cast<graph::GraphSymbols*>(&value.scope()) : nullptr;
  if (symbols == nullptr) invalidArgument("[{}] the value is not a symbol of a graph", caller);
  return *symbols;
}

std::string keyIn(const graph::GraphSymbols& symbols, const Symbol& symbol, const char* caller, size_t index) {
  if (!symbol || &symbol.scope() != &symbols)
    invalidArgument("[{}] parameter {} '{}' is not a symbol of the graph of the value", caller, index, symbol.name());
  return symbol.key();
}

}  // namespace

std::vector<Symbol> grad(const Symbol& value, const std::vector<Symbol>& parameters,
                         const graph::GradientOptions& options) {
  graph::GraphSymbols& symbols = graphOf(value, "grad");
  std::vector<std::string> names;
  for (const Symbol& parameter : parameters) names.push_back(keyIn(symbols, parameter, "grad", names.size()));
  graph::GradientOptions all = options;
  all.checkpoints.insert(all.checkpoints.end(), symbols.checkpoints().begin(), symbols.checkpoints().end());
  std::vector<Symbol> gradients;
  for (const auto& [id, output] : graph::addGradients(symbols.graph(), value.key(), names, all))
    gradients.emplace_back(&symbols, id, output);
  return gradients;
}

Symbol checkpoint(const Symbol& value) {
  graphOf(value, "checkpoint").addCheckpoint(value);
  return value;
}

Symbol jvp(const Symbol& value, const std::vector<std::pair<Symbol, Symbol>>& tangents) {
  graph::GraphSymbols& symbols = graphOf(value, "jvp");
  std::vector<std::pair<std::string, std::string>> names;
  for (const auto& [parameter, change] : tangents)
    names.emplace_back(keyIn(symbols, parameter, "jvp", names.size()), keyIn(symbols, change, "jvp", names.size()));
  const auto [id, output] = graph::addTangents(symbols.graph(), names, value.key());
  return {&symbols, id, output};
}

}  // namespace sd::nd
