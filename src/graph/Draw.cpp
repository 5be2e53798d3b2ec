#include "graph/Draw.h"

#include <algorithm>
#include <unordered_set>

#include "graph/NodeCall.h"
#include "graph/NodeText.h"
#include "graph/OpenGraph.h"
#include "graph/ScopeGraph.h"
#include "system/Error.h"
#include "system/suggestions.h"

namespace sd::graph {
namespace {

using ValueName = std::pair<int, int>;

constexpr size_t LONGEST_TEXT = 44, MOST_DETAILS = 8;

ops::PartialShape shapeOf(const Variable& variable) {
  if (variable.hasNDArray()) return ops::PartialShape::of(variable.getNDArray()->shapeInfo());
  if (variable.shape().empty()) return ops::PartialShape(variable.dataType());
  std::vector<LongType> sizes = variable.shape();
  for (LongType& size : sizes) size = std::max(size, ops::PartialShape::UNKNOWN);
  if (sizes.size() > SD_MAX_RANK) return ops::PartialShape(variable.dataType());
  return {variable.dataType(), sizes};
}

ValueName nameOf(const Variable& variable) { return {variable.id(), variable.id() < 0 ? 0 : variable.index()}; }

/// The placeholders, with the shapes that are given or those of the graph.
std::vector<FedShape> feedsOf(const Graph& graph, const DrawingOptions& options) {
  std::vector<FedShape> feeds;
  std::vector<std::string> names;
  for (const Variable* placeholder : graph.getPlaceholders()) {
    feeds.push_back({nameOf(*placeholder), nullptr, shapeOf(*placeholder)});
    names.push_back(valueText(graph, feeds.back().name));
  }
  for (const auto& [name, shape] : options.inputs) {
    size_t place = std::find(names.begin(), names.end(), name) - names.begin();
    for (size_t i = 0; i < feeds.size() && place == names.size(); i++)
      if (std::to_string(feeds[i].name.first) == name) place = i;
    if (place == names.size()) {
      const std::string near = suggestions(name, {names.begin(), names.end()});
      invalidArgument(
          "[graph] there is no input '{}'; {}", name,
          near.empty() ? fmt::format("the inputs are {}", fmt::join(names, ", ")) : "did you mean " + near + "?");
    }
    const ops::PartialShape stated = feeds[place].shape;
    feeds[place].shape = shape.hasType() ? shape : shape.withType(stated.type());
  }
  return feeds;
}

class PictureMaker {
 public:
  PictureMaker(const Graph& graph, const ValueShapes& shapes) : _graph(graph), _shapes(shapes) {}

  Picture whole();
  Picture scope(const Scope& scope);

 private:
  const Graph& _graph;
  const ValueShapes& _shapes;
  Picture _picture;
  std::map<int, int> _nodes;            // boxes of nodes
  std::map<ValueName, int> _variables;  // boxes of variables and values from outside

  std::string shapeTextOf(const ValueName& name) const {
    const auto found = _shapes.find(name);
    return found == _shapes.end() ? "" : shapeText(found->second);
  }
  int add(Box box) {
    for (std::string* text : {&box.title, &box.subtitle}) *text = abridged(*text, LONGEST_TEXT);
    if (box.details.size() > MOST_DETAILS) {
      const size_t left = box.details.size() - MOST_DETAILS + 1;
      box.details.resize(MOST_DETAILS - 1);
      box.details.push_back(fmt::format("… {} more", left));
    }
    for (std::string& text : box.details) text = abridged(text, LONGEST_TEXT);
    for (std::string& text : box.outputs) text = abridged(text, LONGEST_TEXT);
    _picture.boxes.push_back(std::move(box));
    return static_cast<int>(_picture.boxes.size()) - 1;
  }
  void addNode(const Node& node);
  int variableBox(const ValueName& name);
  int outsideBox(const ValueName& name);
  void addLines(const Node& node, bool inScope);
};

void PictureMaker::addNode(const Node& node) {
  Box box;
  box.kind = node.isLogic() ? BoxKind::Logic : BoxKind::Operation;
  box.title = node.operationName();
  box.subtitle = std::to_string(node.id()) + (node.getName()->empty() ? "" : "  " + *node.getName());
  if (node.isLogic(logic::Scope) && !node.isScoped()) {  // in a scope it opens none
    box.kind = BoxKind::Frame;
    box.title = "scope " + box.subtitle;
    box.inner = std::make_shared<Picture>(PictureMaker(_graph, _shapes).scope(*_graph.scopeById(node.id())));
  } else if (node.hasGraphEmbedded()) {
    box.kind = BoxKind::Frame;
    box.title = "graph " + box.subtitle;
    const ValueShapes inner = shapesOf(*node.getGraph(), {});
    box.inner = std::make_shared<Picture>(pictureOf(*node.getGraph(), inner));
  } else {
    box.details = argumentTexts(node);
  }
  for (int k = 0; _shapes.count({node.id(), k}) != 0; k++) {
    box.outputs.resize(static_cast<size_t>(k) + 1);
    box.outputs.back() = shapeTextOf({node.id(), k});
  }
  _nodes[node.id()] = add(std::move(box));
}

int PictureMaker::variableBox(const ValueName& name) {
  const auto known = _variables.find(name);
  if (known != _variables.end()) return known->second;
  const VariableSpace& space = *_graph.getVariableSpace();
  Box box;
  box.kind = BoxKind::Variable;
  box.title = valueText(_graph, name);
  box.subtitle = "variable";
  box.outputs[0] = shapeTextOf(name);
  if (space.hasVariable(name)) {
    const Variable& variable = *space.getVariable(name);
    if (variable.isPlaceholder()) {
      box.kind = BoxKind::Placeholder;
      box.subtitle = "input";
    } else if (variable.variableType() == CONSTANT) {
      box.kind = BoxKind::Constant;
      box.subtitle = "constant";
    }
    const bool isNumber =
        variable.hasNDArray() && variable.getNDArray()->lengthOf() == 1 && !variable.getNDArray()->isS();
    if (isNumber) box.details.push_back(fmt::format("{:.6g}", variable.getNDArray()->e<double>(0)));
  }
  return _variables[name] = add(std::move(box));
}

int PictureMaker::outsideBox(const ValueName& name) {
  const auto known = _variables.find(name);
  if (known != _variables.end()) return known->second;
  Box box;
  box.kind = BoxKind::Outside;
  box.title = valueText(_graph, name);
  const bool isNode = name.first >= 0 && _graph.hasNode(name.first);
  if (isNode && _graph.nodeById(name.first)->getName()->empty())
    box.title = _graph.nodeById(name.first)->operationName() + " " + box.title;
  box.outputs[0] = shapeTextOf(name);
  return _variables[name] = add(std::move(box));
}

void PictureMaker::addLines(const Node& node, bool inScope) {
  const int to = _nodes.at(node.id());
  for (const auto& input : node.inputs()) {
    if (input == ABSENT_INPUT) continue;
    const ValueName name(input.first, input.first < 0 ? 0 : input.second);
    const auto writer = input.first < 0 ? _nodes.end() : _nodes.find(input.first);
    if (writer == _nodes.end()) {
      _picture.lines.push_back({inScope ? outsideBox(name) : variableBox(name), 0, to});
      continue;
    }
    Box& box = _picture.boxes[static_cast<size_t>(writer->second)];
    const bool runs = box.kind == BoxKind::Frame && _graph.hasScope(input.first);
    const int output = runs ? 0 : std::max(0, name.second);
    if (static_cast<size_t>(output) >= box.outputs.size()) box.outputs.resize(static_cast<size_t>(output) + 1);
    _picture.lines.push_back({writer->second, output, to, runs});
  }
}

Picture PictureMaker::whole() {
  for (const auto& layer : _graph.layers())
    for (const Node* node : layer) addNode(*node);
  for (const Variable* placeholder : _graph.getPlaceholders()) variableBox(nameOf(*placeholder));
  for (const auto& layer : _graph.layers())
    for (const Node* node : layer) {
      addLines(*node, false);
      for (const auto& output : node->outputs())
        if (output.first < 0)
          _picture.lines.push_back({_nodes.at(node->id()), 0, variableBox({output.first, 0}), false});
    }
  for (const int id : _graph.resultIds()) {
    const auto node = _nodes.find(id);
    if (node != _nodes.end())
      _picture.boxes[static_cast<size_t>(node->second)].isResult = true;
    else
      _picture.boxes[static_cast<size_t>(variableBox({id, 0}))].isResult = true;
  }
  return std::move(_picture);
}

Picture PictureMaker::scope(const Scope& scope) {
  for (const Node* node : scope.nodes()) addNode(*node);
  for (const Node* node : scope.nodes()) addLines(*node, true);
  return std::move(_picture);
}

}  // namespace

ValueShapes shapesOf(const Graph& graph, const DrawingOptions& options) {
  ValueShapes shapes;
  for (const Variable* variable : graph.getVariableSpace()->getVariables())
    if (variable->id() < 0 || !graph.hasNode(variable->id())) shapes[nameOf(*variable)] = shapeOf(*variable);
  const std::vector<FedShape> feeds = feedsOf(graph, options);
  for (const FedShape& feed : feeds) shapes[feed.name] = feed.shape;
  try {
    const OpenGraph open(graph, feeds, {});
    for (ValueId id = 0; id < open.values(); id++) shapes[open.value(id).name] = open.value(id).shape;
  } catch (const std::exception&) {
    // A graph that cannot be inferred, a loop of frames for example, is drawn without shapes.
    if (!options.inputs.empty()) throw;
  }
  return shapes;
}

Picture pictureOf(const Graph& graph, const ValueShapes& shapes) {
  const_cast<Graph&>(graph).buildGraph();
  return PictureMaker(graph, shapes).whole();
}

}  // namespace sd::graph
