// Graphs as tables.
#include <algorithm>

#include "graph/Draw.h"
#include "graph/NodeCall.h"
#include "graph/NodeText.h"
#include "system/Error.h"

namespace sd::graph {
namespace {

constexpr size_t LONGEST_NAME = 40, LONGEST_CELL = 60;

using Row = std::vector<std::string>;

/// Rows with columns as wide as their longest cell. A heading stands above them.
std::string tableText(const std::string& heading, const std::vector<Row>& rows) {
  if (rows.empty()) return "";
  std::vector<size_t> widths;
  for (const Row& row : rows)
    for (size_t i = 0; i < row.size(); i++) {
      widths.resize(std::max(widths.size(), i + 1), 0);
      widths[i] = std::max(widths[i], columnsOf(row[i]));
    }
  std::string text = heading + "\n";
  for (const Row& row : rows) {
    std::string line = "";
    for (size_t i = 0; i < row.size(); i++) {
      line += "  " + row[i];
      line.append(widths[i] - columnsOf(row[i]), ' ');
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  return text;
}

class TableMaker {
 public:
  TableMaker(const Graph& graph, const ValueShapes& shapes) : _graph(graph), _shapes(shapes) {}

  std::string text() {
    std::string result =
        fmt::format("{}: {}, {}, {}\n", _graph.origin().empty() ? "graph" : abridged(_graph.origin(), LONGEST_CELL),
                    counted(_graph.allNodes().size(), "node"), counted(_graph.getPlaceholders().size(), "input"),
                    counted(results().size(), "result"));
    result += tableText("inputs", variables(true));
    result += tableText("variables", variables(false));
    result += tableText("results", results());
    std::vector<Row> rows;
    for (const auto& layer : _graph.layers())
      for (const Node* node : layer)
        if (!node->isLogic(logic::Scope)) rows.push_back(nodeRow(*node));
    result += tableText("nodes", rows);
    for (const auto& layer : _graph.layers())
      for (const Node* node : layer) {
        if (!node->isLogic(logic::Scope)) continue;
        rows.clear();
        for (const Node* inner : *_graph.scopeById(node->id())->nodes()) rows.push_back(nodeRow(*inner));
        result += tableText("scope " + valueText(_graph, {node->id(), 0}), rows);
      }
    return result;
  }

 private:
  const Graph& _graph;
  const ValueShapes& _shapes;

  std::string shapeOf(const std::pair<int, int>& name) const {
    const auto found = _shapes.find(name);
    const std::string text = found == _shapes.end() ? "" : shapeText(found->second);
    return text.empty() ? "?" : text;
  }
  std::string shapesOfNode(int id) const {
    std::vector<std::string> texts;
    for (int k = 0; _shapes.count({id, k}) != 0; k++) texts.push_back(shapeOf({id, k}));
    return texts.empty() ? "?" : fmt::format("{}", fmt::join(texts, ", "));
  }
  std::vector<Row> variables(bool placeholders) const {
    std::vector<Row> rows;
    for (const Variable* variable : _graph.getVariableSpace()->getVariables()) {
      if (variable->isPlaceholder() != placeholders) continue;
      if (variable->id() >= 0 && _graph.hasNode(variable->id())) continue;  // a value of a former execution
      const std::pair<int, int> name(variable->id(), variable->id() < 0 ? 0 : variable->index());
      Row row = {abridged(valueText(_graph, name), LONGEST_NAME), shapeOf(name)};
      if (!placeholders) row.push_back(variable->variableType() == CONSTANT ? "constant" : "");
      rows.push_back(std::move(row));
    }
    return rows;
  }
  std::vector<Row> results() const {
    std::vector<Row> rows;
    for (const int id : _graph.resultIds())
      rows.push_back({abridged(valueText(_graph, {id, 0}), LONGEST_NAME),
                      id >= 0 && _graph.hasNode(id) ? shapesOfNode(id) : shapeOf({id, 0})});
    return rows;
  }
  Row nodeRow(const Node& node) const {
    std::vector<std::string> inputs;
    for (const auto& input : node.inputs())
      inputs.push_back(input == ABSENT_INPUT ? "-" : abridged(valueText(_graph, input), LONGEST_NAME));
    const std::string call = fmt::format("{}({})", node.operationName(), fmt::join(inputs, ", "));
    return {std::to_string(node.id()), abridged(*node.getName(), LONGEST_NAME), abridged(call, LONGEST_CELL),
            abridged(fmt::format("{}", fmt::join(argumentTexts(node), ", ")), LONGEST_CELL),
            node.isScoped() ? "" : shapesOfNode(node.id())};
  }
};

}  // namespace

std::string tableOf(const Graph& graph, const DrawingOptions& options) {
  const_cast<Graph&>(graph).buildGraph();
  const ValueShapes shapes = shapesOf(graph, options);
  return TableMaker(graph, shapes).text();
}

}  // namespace sd::graph
