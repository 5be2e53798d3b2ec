#include <graph/Gradients.h>

#include <algorithm>
#include <memory>

#include "graph/Checkpoints.h"
#include "graph/Differentiation.h"
#include "graph/GraphSymbols.h"
#include "graph/OpenGraph.h"
#include "graph/ResultNames.h"
#include "system/Error.h"

namespace sd::graph {

std::vector<std::pair<int, int>> addGradients(Graph& graph, const std::string& value,
                                              const std::vector<std::string>& parameters) {
  return addGradients(graph, value, parameters, {});
}

std::vector<std::pair<int, int>> addGradients(Graph& graph, const std::string& value,
                                              const std::vector<std::string>& parameters,
                                              const GradientOptions& options) {
  if (parameters.empty()) invalidArgument("[gradients] there are no parameters");
  const ResultNames names(graph, "gradients");
  const auto find = [&](const std::string& text) {
    const auto [id, output] = names.find(text);
    return std::pair<int, int>(id, std::max(0, output));
  };
  std::vector<std::pair<int, int>> results{find(value)};
  for (const std::string& parameter : parameters) results.push_back(find(parameter));
  for (const std::string& checkpoint : options.checkpoints) results.push_back(find(checkpoint));

  OpenGraph open(graph, {}, results);
  const std::vector<ValueId> all = open.results();
  const NodeId first = open.nodes();
  ControlChanges changes(options.loops);
  const auto checkpoints = all.begin() + 1 + static_cast<std::ptrdiff_t>(parameters.size());
  const std::vector<ValueId> gradients = differentiate(open, all[0], {all.begin() + 1, checkpoints}, changes);
  if (!options.checkpoints.empty()) recomputeBetween(open, first, all[0], {checkpoints, all.end()}, gradients);

  // Nothing can fail from here on, so that the graph gets all nodes or none.
  const std::vector<bool> needed = neededNodes(open, first, gradients);
  VariableSpace& space = *graph.getVariableSpace();
  const auto takeConstant = [&](ValueId id) {
    const OpenValue& constant = open.value(id);
    if (constant.source != OpenValue::Source::Constant || space.hasVariable(constant.name)) return;
    auto variable = std::make_unique<Variable>(new NDArray(*constant.constant), nullptr, constant.name.first, 0);
    variable->setVariableType(CONSTANT);
    space.putVariable(constant.name.first, variable.release());
  };
  std::vector<const Node*> added;
  for (NodeId id = first; id < open.nodes(); id++)
    if (needed[static_cast<size_t>(id)]) added.push_back(open.node(id).node);
  changes.apply(graph, added);
  for (NodeId id = first; id < open.nodes(); id++) {
    if (!needed[static_cast<size_t>(id)]) continue;
    for (const ValueId input : open.node(id).inputs)
      if (input >= 0) takeConstant(input);
    std::unique_ptr<Node> node(open.node(id).node->clone());
    if (!node->isLogic()) {
      std::vector<std::pair<int, int>> inputs = node->inputs();
      for (size_t i = 0; i < inputs.size(); i++)
        if (open.node(id).inputs[i] >= 0) inputs[i] = open.value(open.node(id).inputs[i]).name;
      node->setInputs(std::move(inputs));
    }
    graph.addNode(node.release());
  }
  std::vector<std::pair<int, int>> places;
  for (const ValueId gradient : gradients) {
    takeConstant(gradient);
    places.push_back(open.value(gradient).name);
  }
  return places;
}

}  // namespace sd::graph

namespace sd::nd {

std::vector<Symbol> grad(const Symbol& value, const std::vector<Symbol>& parameters) {
  auto* symbols = value ? dynamic_cast<graph::GraphSymbols*>(&value.scope()) : nullptr;
  if (symbols == nullptr) invalidArgument("[grad] the value is not a symbol of a graph");
  std::vector<std::string> names;
  for (const Symbol& parameter : parameters) {
    if (!parameter || &parameter.scope() != symbols)
      invalidArgument("[grad] parameter {} '{}' is not a symbol of the graph of '{}'", names.size(), parameter.name(),
                      value.name());
    names.push_back(parameter.key());
  }
  std::vector<Symbol> gradients;
  for (const auto& [id, output] : graph::addGradients(symbols->graph(), value.key(), names))
    gradients.emplace_back(symbols, id, output);
  return gradients;
}

}  // namespace sd::nd
