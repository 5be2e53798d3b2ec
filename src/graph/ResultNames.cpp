#include "graph/ResultNames.h"

#include <algorithm>
#include <charconv>

#include "system/Error.h"
#include "system/suggestions.h"

namespace sd::graph {

bool readNumbers(const std::string& text, int& id, int& index) {
  const char* end = text.data() + text.size();
  auto [at, error] = std::from_chars(text.data(), end, id);
  if (error != std::errc() || at == text.data()) return false;
  if (at == end) return true;
  if (*at != ':') return false;
  const auto rest = std::from_chars(at + 1, end, index);
  return rest.ec == std::errc() && rest.ptr == end && index >= 0;
}

std::string nearestText(const std::string& name, const std::vector<std::string_view>& names) {
  // To a name of one or two characters every short one is near.
  const std::string near = name.size() < 3 ? "" : suggestions(name, names);
  return near.empty() ? "" : "; did you mean " + near + "?";
}

ResultNames::ResultNames(const Graph& graph, const char* caller)
    : _graph(graph), _space(*graph.getVariableSpace()), _caller(caller) {
  for (const Node* node : graph.allNodes())
    if (!node->isScoped() && !node->getName()->empty()) _nodes.emplace(*node->getName(), node->id());
}

std::pair<int, int> ResultNames::find(const std::string& text) const {
  const auto node = _nodes.find(text);
  if (node != _nodes.end()) return {node->second, -1};
  if (_space.hasVariable(&text)) {
    const Variable* variable = _space.getVariable(&text);
    return {variable->id(), variable->index()};
  }
  int id = 0, index = -1;
  const size_t colon = text.rfind(':');
  const auto writer = colon == std::string::npos ? _nodes.end() : _nodes.find(std::string_view(text).substr(0, colon));
  if (writer != _nodes.end() && readNumbers("0" + text.substr(colon), id, index)) return {writer->second, index};
  id = 0;
  index = -1;
  if (!readNumbers(text, id, index) || (!_graph.hasNode(id) && !_space.hasVariable(id, std::max(0, index))))
    invalidArgument("[{}] there is no node or variable '{}'{}", _caller, text, nearestText(text, names()));
  return {id, id < 0 ? 0 : index};
}

std::vector<std::string_view> ResultNames::names() const {
  std::vector<std::string_view> names;
  for (const auto& [name, id] : _nodes) names.push_back(name);
  for (const Variable* variable : _space.getVariables())
    if (!variable->getName()->empty() && _nodes.count(*variable->getName()) == 0)
      names.emplace_back(*variable->getName());
  return names;
}

}  // namespace sd::graph
