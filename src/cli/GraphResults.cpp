#include "cli/GraphResults.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "cli/Errors.h"
#include "cli/GraphFile.h"
#include "cli/Text.h"

namespace sd::cli {
namespace {

/// How many outputs a node has; 1 when it does not say.
int outputsOf(const graph::Node& node, const graph::Graph& graph) {
  if (node.isLogic(logic::While))
    return static_cast<int>(std::count_if(node.inputs().begin(), node.inputs().end(),
                                          [&](const auto& input) { return !graph.hasScope(input.first); }));
  return node.hasCustomOp() ? std::max(1, node.getCustomOp()->describedDescriptor()->getNumberOfOutputs()) : 1;
}

/// Everything that -o may name.
std::vector<std::string> namesIn(const graph::Graph& graph) {
  std::vector<std::string> names;
  for (const graph::Node* node : graph.allNodes()) {
    if (node->isScoped() || node->isLogic(logic::Scope)) continue;
    names.push_back(node->getName()->empty() ? std::to_string(node->id()) : *node->getName());
  }
  for (const graph::Variable* variable : graph.getVariableSpace()->getVariables())
    if (!variable->getName()->empty() && (variable->id() < 0 || !graph.hasNode(variable->id())))
      names.push_back(*variable->getName());
  return names;
}

/// The node of this name or number; nullptr when there is none.
const graph::Node* nodeNamed(const graph::Graph& graph, const std::string& name) {
  for (const graph::Node* node : graph.allNodes())
    if (!node->isScoped() && *node->getName() == name && !name.empty()) return node;
  for (const graph::Node* node : graph.allNodes())
    if (!node->isScoped() && std::to_string(node->id()) == name) return node;
  return nullptr;
}

bool isVariable(const graph::Graph& graph, const std::string& name) {
  const auto variables = graph.getVariableSpace()->getVariables();
  return std::any_of(variables.begin(), variables.end(), [&](const graph::Variable* variable) {
    return *variable->getName() == name || std::to_string(variable->id()) == name;
  });
}

/// @throws UsageError when -o may not name this
void checkName(const graph::Graph& graph, const std::string& file, const std::string& name) {
  if (nodeNamed(graph, name) != nullptr || isVariable(graph, name)) return;
  const size_t colon = name.rfind(':');
  const bool indexed = colon != std::string::npos && colon + 1 < name.size() && name.size() - colon < 8 &&
                       name.find_first_not_of("0123456789", colon + 1) == std::string::npos;
  const graph::Node* node = indexed ? nodeNamed(graph, name.substr(0, colon)) : nullptr;
  if (node == nullptr)
    throw UsageError(fmt::format("-o: '{}' has no node or variable '{}'{}", file, shortened(name),
                                 nearNames(name, namesIn(graph), "nodes and variables")));
  // Operations with any number of outputs declare a number below 0.
  const int declared = node->hasCustomOp() ? node->getCustomOp()->describedDescriptor()->getNumberOfOutputs() : -1;
  if (declared > 0 && std::stoi(name.substr(colon + 1)) >= declared)
    throw UsageError(
        fmt::format("-o: '{}' has no output {}", shortened(name.substr(0, colon)), name.substr(colon + 1)));
}

}  // namespace

Target::Target(const std::string& text) {
  const size_t equals = text.rfind('=');
  if (equals != std::string::npos) name = text.substr(0, equals);
  file = equals == std::string::npos ? text : text.substr(equals + 1);
}

std::vector<std::string> resultsOf(const graph::Graph& graph) {
  std::vector<std::string> names;
  for (const int id : graph.resultIds()) {
    const bool isNode = id >= 0 && graph.hasNode(id);
    std::string name = isNode ? *graph.nodeById(id)->getName()
                       : graph.getVariableSpace()->hasVariable(id, 0)
                           ? *graph.getVariableSpace()->getVariable(id, 0)->getName()
                           : "";
    if (name.empty()) name = std::to_string(id);
    const int count = isNode ? outputsOf(*graph.nodeById(id), graph) : 1;
    names.push_back(name);
    for (int k = 1; k < count; ++k) names.push_back(fmt::format("{}:{}", name, k));
  }
  return names;
}

std::vector<std::string> resultsFor(const std::vector<Target>& targets, const graph::Graph& graph,
                                    const std::string& file) {
  const std::vector<std::string> all = resultsOf(graph);
  std::vector<std::string> left;
  for (const Target& target : targets)
    if (!target.name.empty()) checkName(graph, file, target.name);
  for (const std::string& name : all)
    if (std::none_of(targets.begin(), targets.end(), [&](const Target& target) { return target.name == name; }))
      left.push_back(name);
  size_t next = 0;
  std::vector<std::string> names;
  for (const Target& target : targets) {
    if (target.name.empty() && next == left.size())
      throw UsageError(fmt::format("'{}' has {} results ({}); none is left for '{}'", file, all.size(),
                                   fmt::join(all, ", "), target.file));
    names.push_back(target.name.empty() ? left[next++] : target.name);
  }
  return names;
}

std::vector<std::string> firstOutputs(const graph::Graph& graph, std::vector<std::string> names) {
  for (std::string& name : names)
    if (const graph::Node* node = nodeNamed(graph, name)) name = fmt::format("{}:0", node->id());
  return names;
}

}  // namespace sd::cli
