#include "graph/GraphSymbols.h"

#include <ops/declarable/NumberedArguments.h>
#include <ops/declarable/OpRegistrator.h>
#include <ops/declarable/headers/datatypes.h>

#include <algorithm>
#include <bit>
#include <limits>
#include <unordered_set>

#include "call/argument_values.h"
#include "graph/NodeCall.h"
#include "graph/NodeText.h"
#include "graph/ResultNames.h"
#include "system/Error.h"

namespace sd::graph {

using nd::Place;
using nd::Symbol;

namespace {

Symbol add(Graph& graph, std::unique_ptr<Variable> variable, const nd::Label& label) {
  variable->setName(&label.name);
  return static_cast<GraphSymbols&>(graph.symbols()).add(std::move(variable), label.place);
}

}  // namespace

// ---- calls

std::vector<Symbol> GraphSymbols::callAll(const std::string& operation, const std::vector<Symbol>& inputs,
                                          const ops::CallArguments& arguments) {
  ops::DeclarableOp* op = ops::OpRegistrator::getInstance().find(operation);
  if (op == nullptr) invalidArgument("[graph] there is no operation '{}'", operation);
  const ops::OpDescriptor& descriptor = *op->describedDescriptor();
  if (descriptor.isDivergent() || descriptor.isLogic() || std::string_view(descriptor.kind()) == "boolean")
    invalidArgument("[{}] it decides which nodes of a graph run, and has no value there", operation);
  auto node = std::make_unique<Node>(op);
  for (auto& [name, value] : namedArguments(op->schema(), arguments)) node->setArgument(name, std::move(value));
  std::vector<Name> names;
  for (const Symbol& input : inputs) {
    if (input && &input.scope() != this) invalidArgument("[{}] '{}' belongs to another graph", operation, input.name());
    names.push_back(input ? Name(input.id(), input.output()) : ABSENT_INPUT);
  }
  while (!names.empty() && names.back() == ABSENT_INPUT) names.pop_back();
  node->setInputs(std::move(names));
  return add(std::move(node));
}

std::vector<Symbol> GraphSymbols::add(std::unique_ptr<Node> node) {
  const Place place = std::exchange(_place, Place(nullptr, 0));
  std::vector<ops::PartialShape> shapes;
  for (const Name& input : node->inputs()) know(input.first);
  try {
    shapes = infer(*node);
  } catch (...) {
    std::string where = "\n  in " + callText(*node);
    if (place.file != nullptr) where += fmt::format(", {}:{}", place.file, place.line);
    std::vector<Name> told;
    for (const Name& input : node->inputs()) {
      if (input == ABSENT_INPUT || std::find(told.begin(), told.end(), input) != told.end()) continue;
      told.push_back(input);
      where += "\n  " + describe(input);
    }
    rethrowWith("", where);
  }
  node->setId(nextNode());
  const int id = node->id();
  _graph.addNode(node.get());
  node.release();
  _nodesSeen++;
  _nextNode = id + 1;
  std::vector<Symbol> results;
  for (size_t k = 0; k < shapes.size(); k++) results.emplace_back(this, id, static_cast<int>(k));
  _shapes[id] = std::move(shapes);
  if (place.file != nullptr) _places.emplace(id, place);
  return results;
}

int GraphSymbols::nextNode() {
  // Nodes may have been added in other ways.
  if (_graph.allNodes().size() != _nodesSeen) {
    for (const Node* node : _graph.allNodes()) {
      if (node->id() == std::numeric_limits<int>::max()) fail("[graph] all node numbers are in use");
      _nextNode = std::max(_nextNode, node->id() + 1);
    }
    _nodesSeen = _graph.allNodes().size();
  }
  return _nextNode;
}

// ---- variables

void GraphSymbols::checkName(const std::string& name) const {
  if (!name.empty() && _graph.getVariableSpace()->hasVariable(&name))
    invalidArgument("[graph] the name '{}' is taken", name);
}

Symbol GraphSymbols::add(std::unique_ptr<Variable> variable, Place place) {
  VariableSpace& space = *_graph.getVariableSpace();
  checkName(*variable->getName());
  const int id = space.nextExternalId();
  space.putVariable(id, variable.release());
  if (place.file != nullptr) _places.emplace(id, place);
  return {this, id};
}

Symbol GraphSymbols::constant(const NDArray& array) {
  // The constructor, unlike dup(), keeps the shape of an empty array.
  auto variable = std::make_unique<Variable>(new NDArray(array));
  variable->setVariableType(CONSTANT);
  return add(std::move(variable), Place(nullptr, 0));
}

Symbol GraphSymbols::constant(double value, Symbol like) {
  const DataType type = shape(like).type();
  // The node takes the place of the number when the type is known.
  if (type == INHERIT) {
    auto node = std::make_unique<Node>(ops::OpRegistrator::getInstance().find("fill_as"));
    node->setInputs({{like.id(), like.output()}});
    node->setArgument("value", ops::numberArgument(value));
    const Place place = _place;
    const Symbol filled = add(std::move(node))[0];
    _place = place;
    return filled;
  }
  const std::string key = fmt::format("{}:{}", static_cast<int>(type), std::bit_cast<uint64_t>(value));
  const auto known = _numbers.find(key);
  if (known != _numbers.end()) return {this, known->second};
  NDArray scalar(type);
  scalar.p<double>(0, value);
  const Symbol added = constant(scalar);
  _numbers.emplace(key, added.id());
  return added;
}

Symbol GraphSymbols::cast(Symbol x, DataType type) {
  const Place place = _place;
  const Symbol result = call("cast", {x}, ops::CastTo{type});
  _place = place;
  return result;
}

Symbol GraphSymbols::callWithNumber(const char* numbered, Symbol x, double number) {
  // A number of an unknown type is an argument.
  if (shape(x).hasType()) return {};
  return call(std::string("scalar.") + numbered, {x}, ops::NumberedScalar{number});
}

void GraphSymbols::addCheckpoint(const Symbol& value) {
  const std::string key = value.key();
  if (std::find(_checkpoints.begin(), _checkpoints.end(), key) == _checkpoints.end()) _checkpoints.push_back(key);
}

Variable* GraphSymbols::variable(const Name& name) const {
  VariableSpace& space = *_graph.getVariableSpace();
  return space.hasVariable(name) ? space.getVariable(name) : nullptr;
}

// ---- what is known

ops::PartialShape GraphSymbols::shape(Symbol value) const {
  know(value.id());
  return shapeOf({value.id(), value.output()});
}

/// Infers the outputs of a node that was added in another way, after those of the nodes that it reads.
void GraphSymbols::know(int last) const {
  std::vector<int> waiting{last};
  std::unordered_set<int> begun;  // loops lead back to nodes that are not known
  while (!waiting.empty()) {
    const int id = waiting.back();
    const bool isKnown = id < 0 || !_graph.hasNode(id) || _shapes.count(id) != 0;
    if (!isKnown && begun.insert(id).second) {
      for (const Name& input : _graph.nodeById(id)->inputs())
        if (begun.count(input.first) == 0) waiting.push_back(input.first);
      continue;
    }
    waiting.pop_back();
    if (isKnown) continue;
    try {
      _shapes[id] = infer(*_graph.nodeById(id));
    } catch (const std::exception&) {
      _shapes[id];  // running the node will report the error
    }
  }
}

ops::PartialShape GraphSymbols::shapeOf(const Name& name) const {
  if (name.first >= 0 && _graph.hasNode(name.first)) {
    const auto known = _shapes.find(name.first);
    const auto output = static_cast<size_t>(name.second);
    return known != _shapes.end() && output < known->second.size() ? known->second[output] : ops::PartialShape();
  }
  const Variable* given = variable(name);
  return given == nullptr ? ops::PartialShape() : given->expected();
}

std::vector<ops::PartialShape> GraphSymbols::infer(const Node& node) const {
  std::vector<ops::PartialShape> inputs, outputs;
  std::vector<const NDArray*> constants;
  for (const Name& input : node.inputs()) {
    const bool absent = input == ABSENT_INPUT;
    inputs.push_back(absent ? ops::PartialShape::absent() : shapeOf(input));
    const bool computed = absent || (input.first >= 0 && _graph.hasNode(input.first));
    const Variable* given = computed ? nullptr : variable(input);
    const bool constant = given != nullptr && given->variableType() == CONSTANT && given->hasNDArray();
    constants.push_back(constant ? given->getNDArray() : nullptr);
  }
  if (node.hasCustomOp()) outputs = inferOutputs(node, inputs, constants);
  const int declared = node.hasCustomOp() ? node.getCustomOp()->getOpDescriptor()->getNumberOfOutputs() : 1;
  if (outputs.empty()) outputs.resize(static_cast<size_t>(std::max(1, declared)));
  return outputs;
}

// ---- names and texts

std::string GraphSymbols::name(Symbol value) const { return valueText(_graph, {value.id(), value.output()}); }

void GraphSymbols::setName(Symbol value, const std::string& name) {
  if (name.empty()) invalidArgument("[Symbol::named] the name is empty");
  if (!_graph.hasNode(value.id()))
    invalidArgument("[Symbol::named] '{}' is a variable, which got its name when it was made", this->name(value));
  Node& node = *_graph.nodeById(value.id());
  if (*node.getName() == name) return;
  if (!node.getName()->empty()) invalidArgument("[Symbol::named] the node has a name already, '{}'", *node.getName());
  checkName(name);
  node.setName(name);
  // The variable of the node's result gets the name that it did not have.
  _graph.getVariableSpace()->putVariable(node.id(), 0, new Variable(nullptr, name.c_str(), node.id(), 0));
}

std::string GraphSymbols::text(Symbol value) const { return expressionText(_graph, {value.id(), value.output()}); }

std::string GraphSymbols::placeText(int id) const {
  const auto place = _places.find(id);
  return place == _places.end() ? "" : fmt::format(", {}:{}", place->second.file, place->second.line);
}

std::string GraphSymbols::describe(const Name& name) const {
  constexpr size_t LONGEST = 100;
  std::string text = valueText(_graph, name), kind;
  if (name.first >= 0 && _graph.hasNode(name.first)) {
    const std::string expression = expressionText(_graph, name);
    if (expression != text) kind = " = " + abridged(expression.substr(expression.rfind('\n') + 1), LONGEST);
  } else if (const Variable* given = variable(name); given != nullptr) {
    kind = given->isPlaceholder()              ? ", a placeholder"
           : given->variableType() == CONSTANT ? ", a constant"
                                               : ", a variable";
  }
  const std::string shape = shapeText(shapeOf(name));
  return fmt::format("{}{}: {}{}", text, kind, shape.empty() ? "of unknown type and shape" : shape,
                     placeText(name.first));
}

std::string GraphSymbols::callText(const Node& node) const {
  std::vector<std::string> operands;
  for (const Name& input : node.inputs()) operands.push_back(input == ABSENT_INPUT ? "none" : valueText(_graph, input));
  for (std::string& argument : argumentTexts(node)) operands.push_back(std::move(argument));
  return fmt::format("{}({})", node.operationName(), fmt::join(operands, ", "));
}

Symbol findSymbol(Graph& graph, const std::string& name, const char* caller) {
  const auto [id, output] = ResultNames(graph, caller).find(name);
  return {&graph.symbols(), id, std::max(0, output)};
}

// ---- the graph's interface

nd::SymbolScope& Graph::symbols() {
  if (_symbols == nullptr) _symbols = std::make_unique<GraphSymbols>(*this);
  return *_symbols;
}

Symbol Graph::placeholder(const nd::Label& name, DataType type, const std::vector<LongType>& shape) {
  auto variable = std::make_unique<Variable>(true);
  variable->expect(ops::PartialShape(type, shape));
  return add(*this, std::move(variable), name);
}

Symbol Graph::placeholder(const nd::Label& name, DataType type) {
  auto variable = std::make_unique<Variable>(true);
  variable->expect(ops::PartialShape(type));
  return add(*this, std::move(variable), name);
}

Symbol Graph::variable(const nd::Label& name, const NDArray& initial) { return variable(name, NDArray(initial)); }

Symbol Graph::variable(const nd::Label& name, NDArray&& initial) {
  return add(*this, std::make_unique<Variable>(new NDArray(std::move(initial))), name);
}

Symbol Graph::constant(const NDArray& value, const nd::Label& name) {
  auto variable = std::make_unique<Variable>(new NDArray(value));
  variable->setVariableType(CONSTANT);
  return add(*this, std::move(variable), name);
}

Symbol Graph::symbol(const std::string& name) {
  buildGraph();
  return findSymbol(*this, name, "Graph::symbol");
}

NDArray& Graph::array(const Symbol& variable) const {
  VariableSpace& space = *_variables;
  const std::pair<int, int> name(variable.id(), variable.output());
  if (!variable || _symbols.get() != &variable.scope())
    invalidArgument("[Graph::array] the symbol is not of this graph");
  if (hasNode(variable.id()) || !space.hasVariable(name) || !space.getVariable(name)->hasNDArray())
    invalidArgument("[Graph::array] '{}' is not a variable with an array", variable.name());
  return *space.getVariable(name)->getNDArray();
}

}  // namespace sd::graph
