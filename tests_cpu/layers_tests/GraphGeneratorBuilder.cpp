#include "GraphGeneratorBuilder.h"

#include <graph/Node.h>
#include <ops/declarable/OpRegistrator.h>

#include <algorithm>
#include <cmath>

namespace sd::graphtest {

// ---- random choices

uint64_t GraphBuilder::next() {
  // SplitMix64.
  uint64_t z = _state += 0x9E3779B97F4A7C15u;
  z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
  z = (z ^ z >> 27) * 0x94D049BB133111EBu;
  return z ^ z >> 31;
}

double GraphBuilder::uniform(double least, double most) {
  return least + (most - least) * (static_cast<double>(next() >> 11) * 0x1p-53);
}

ArrayPtr GraphBuilder::randomArray(DataType type, const std::vector<LongType>& shape, double least, double most) {
  const char order = chance(15) ? 'f' : 'c';
  auto array = shape.empty() ? std::make_shared<NDArray>(type) : std::make_shared<NDArray>(order, shape, type);
  for (LongType i = 0; i < array->lengthOf(); i++) {
    if (type == BOOL)
      array->p<bool>(i, chance(50));
    else if (DataTypeUtils::isR(type))
      array->p<double>(i, uniform(least, most));
    else
      array->p<LongType>(i, static_cast<LongType>(below(9)) - (DataTypeUtils::isU(type) ? 0 : 4));
  }
  return array;
}

std::vector<LongType> GraphBuilder::randomShape(int mostRank) {
  std::vector<LongType> shape(static_cast<size_t>(chance(5) ? 0 : 1 + below(mostRank)));
  for (LongType& size : shape) size = chance(12) ? 1 : 2 + below(shape.size() > 2 ? 3 : 7);
  if (shape.size() == 1 && chance(20)) shape[0] = 17 + below(80);  // longer than a vector
  return shape;
}

DataType GraphBuilder::randomFloatType() {
  return chance(70) ? FLOAT32 : oneOf(std::vector<DataType>{DOUBLE, DOUBLE, HALF, BFLOAT16});
}

// ---- variables and nodes

GraphBuilder::Value GraphBuilder::external(ArrayPtr array, Kind kind) {
  if (kind == Kind::Placeholder && array->rankOf() == 2 && chance(20)) {
    // Not contiguous, as arrays of callers may be.
    std::vector<LongType> reversed = array->getShapeAsVector();
    std::reverse(reversed.begin(), reversed.end());
    auto view = std::make_shared<NDArray>(NDArray('c', reversed, array->dataType()).permute({1, 0}));
    view->assign(*array);
    array = view;
  }
  if (_special && array->isR() && array->lengthOf() > 0 && chance(40))
    array->p<double>(below(static_cast<int>(array->lengthOf())),
                     oneOf(std::vector<double>{std::nan(""), INFINITY, -INFINITY}));
  const Value value{{-1 - static_cast<int>(_variables.size()), 0}, array};
  _variables.push_back({value.place.first, kind, array});
  _values.push_back(value);
  return value;
}

GraphBuilder::Value GraphBuilder::variable(ArrayPtr array) {
  const int kind = below(3);
  return external(std::move(array), kind == 0 ? Kind::Plain : kind == 1 ? Kind::Constant : Kind::Placeholder);
}

GraphBuilder::Value GraphBuilder::plainVariable(ArrayPtr array) { return external(std::move(array), Kind::Plain); }

void GraphBuilder::addValue(const Value& value) { _values.push_back(value); }

bool GraphBuilder::isInRange(const NDArray& array) const {
  if (array.isS() || array.isC()) return false;
  if (array.lengthOf() > 4096) return false;
  for (LongType i = 0; i < array.lengthOf(); i++) {
    const double value = array.e<double>(i);
    if (array.isR() && !std::isfinite(value)) {
      if (!_special) return false;
    } else if (std::fabs(value) > 1e4) {
      return false;
    }
  }
  return true;
}

GraphBuilder::Values GraphBuilder::add(const GeneratedCall& call, const Values& inputs) {
  Record record;
  std::vector<NDArray*> arrays;
  for (const Value& input : inputs) {
    record.node.inputs.push_back(input.place);
    record.node.values.push_back(input.array);
    arrays.push_back(input.array.get());
  }
  try {
    const std::vector<ops::PartialShape> shapes = call.infer(arrays);
    for (const ops::PartialShape& shape : shapes)
      if (shape.length() > 4096) return {};
    record.outputs = call.evaluate(arrays);
  } catch (const std::exception&) {
    return {};
  }
  bool isSpecial = false;
  for (const NDArray* array : arrays)
    if (_special && array != nullptr && array->isR() && !array->isEmpty())
      isSpecial = isSpecial || array->hasNaNs() || array->hasInfs();
  for (const ArrayPtr& output : record.outputs)
    // What a NaN becomes as an integer depends on the instructions that convert it.
    if (output == nullptr || !isInRange(*output) || (isSpecial && output->isZ())) return {};
  record.node.id = newId();
  record.node.call = call;
  Values results;
  for (size_t k = 0; k < record.outputs.size(); k++)
    results.push_back({{record.node.id, static_cast<int>(k)}, record.outputs[k]});
  _values.insert(_values.end(), results.begin(), results.end());
  // A variable that is overwritten would be another one in the next execution.
  const bool external = !inputs.empty() && inputs[0].place.first < 0;
  record.keepsInput = external || call.addsInPlace || chance(15);
  if (chance(2)) {
    const auto zeros = std::make_shared<NDArray>(record.outputs[0]->ulike());
    zeros->nullify();
    record.target = -1 - static_cast<int>(_variables.size());
    _variables.push_back({record.target, Kind::Plain, zeros});
  }
  _nodes.push_back(std::move(record));
  return results;
}

GraphBuilder::Values GraphBuilder::add(const char* op, const Values& inputs, const Arguments& arguments) {
  GeneratedCall call;
  call.op = ops::OpRegistrator::getInstance().find(op);
  if (call.op == nullptr) return {};
  call.named = arguments;
  return add(call, inputs);
}

GraphBuilder::Value GraphBuilder::anyValue(bool isReal) {
  const int count = static_cast<int>(_values.size());
  for (int attempt = 0; attempt < 8 && count > 0; attempt++) {
    const Value& value = _values[static_cast<size_t>(attempt == 0 && chance(60) ? count - 1 : below(count))];
    if ((!isReal || value.array->isR()) && value.array->lengthOf() > 0) return value;
  }
  return variable(isReal || chance(50) ? randomFloatType() : oneOf(std::vector<DataType>{INT32, INT64, BOOL, UINT8}),
                  randomShape());
}

// ---- the graph

std::unique_ptr<graph::Node> GraphBuilder::makeNode(const GeneratedCall& call, int id,
                                                    const std::vector<Place>& inputs) const {
  auto node = call.type == graph::OpType_CUSTOM ? std::make_unique<graph::Node>(call.op, id)
                                                : std::make_unique<graph::Node>(call.type, call.number, id);
  for (const auto& [from, index] : inputs) node->pickInput(from, index);
  graph::ContextPrototype& prototype = *node->getContextPrototype();
  for (const double value : call.floats) prototype.appendT(value);
  for (const LongType value : call.integers) prototype.appendI(value);
  *prototype.getAxis() = call.axes;
  *node->getDimensions() = call.axes;
  if (call.scalar) node->setScalar(*call.scalar);
  for (const auto& [name, value] : call.named) node->setArgument(name, value);
  return node;
}

void GraphBuilder::addNodes(GeneratedGraph& generated) {
  std::map<int, std::set<int>> readers;
  for (const Record& record : _nodes)
    for (const Place& input : record.node.inputs)
      if (input != ABSENT) readers[input.first].insert(record.node.id);
  const bool listsReaders = chance(50), names = chance(30), marks = chance(30);
  for (const Record& record : _nodes) {
    auto node = makeNode(record.node.call, record.node.id, record.node.inputs);
    if (listsReaders)
      for (const int reader : readers[record.node.id]) node->pickOutput(reader);
    if (record.target != 0) {
      node->pickOutput(record.target);
      _expected[{record.target, 0}] = record.outputs[0];
    }
    if (names) node->setName("node" + std::to_string(record.node.id));
    if (marks && chance(50)) node->markInplace(true);
    if (record.keepsInput) node->markInplace(false);
    for (size_t k = 0; k < record.outputs.size(); k++)
      _expected[{record.node.id, static_cast<int>(k)}] = record.outputs[k];
    _made.push_back(std::move(node));
  }
  // A node in place may overwrite its input, which is nobody's result.
  for (const auto& node : _made)
    if (node->isInplace() && !node->inputs().empty()) _expected.erase(node->inputs()[0]);
  if (chance(30))
    for (size_t i = _made.size(); i > 1; i--) {
      // Nodes of scopes run in the order of addition, and their scopes come first.
      auto& other = _made[static_cast<size_t>(below(static_cast<int>(i)))];
      const auto movable = [](const graph::Node& node) { return !node.isScoped() && !node.isLogic(); };
      if (movable(*_made[i - 1]) && movable(*other)) std::swap(_made[i - 1], other);
    }
  for (auto& node : _made) {
    generated.graph->addNode(node.get());
    node.release();
  }
}

std::vector<int> GraphBuilder::chooseResults(graph::Graph& graph) {
  auto& mode = graph.getExecutorConfiguration()->_outputMode;
  const int choice = below(10);
  mode = choice < 5   ? graph::OutputMode_IMPLICIT
         : choice < 8 ? graph::OutputMode_EXPLICIT
         : choice < 9 ? graph::OutputMode_EXPLICIT_AND_IMPLICIT
                      : graph::OutputMode_VARIABLE_SPACE;
  // Of the nodes that are always executed, the last one and some others.
  for (size_t i = _values.size(), named = 0; i-- > 0 && named < 3;) {
    const int id = _values[i].place.first;
    if (id < 0 || (named > 0 && !chance(15))) continue;
    graph.addOutput(id);
    named++;
  }
  return graph.resultIds();
}

GeneratedGraph GraphBuilder::finish(std::string_view kind) {
  GeneratedGraph generated;
  generated.seed = _seed;
  generated.graph = std::make_unique<graph::Graph>();
  graph::VariableSpace& space = *generated.graph->getVariableSpace();
  for (const External& external : _variables) {
    const std::string name = "x" + std::to_string(-external.id);
    graph::Variable* variable = nullptr;
    if (external.kind == Kind::Placeholder) {
      variable = new graph::Variable(true);
      variable->setName(&name);
      variable->setId(external.id);
      variable->shape() = external.array->getShapeAsVector();
      generated.feeds[name] = external.array;
    } else {
      variable = new graph::Variable(new NDArray(external.array->dup()), name.c_str(), external.id);
      if (external.kind == Kind::Constant) variable->setVariableType(graph::CONSTANT);
    }
    space.putVariable(external.id, variable);
  }
  addNodes(generated);
  generated.results = chooseResults(*generated.graph);
  // Results keep their values, whatever is marked in place.
  for (const Record& record : _nodes)
    if (std::find(generated.results.begin(), generated.results.end(), record.node.id) != generated.results.end())
      for (size_t k = 0; k < record.outputs.size(); k++)
        _expected[{record.node.id, static_cast<int>(k)}] = record.outputs[k];
  generated.expected = std::move(_expected);
  generated.description = std::string(kind) + " graph " + std::to_string(_seed) + ":";
  for (Record& record : _nodes) {
    generated.description += " " + std::to_string(record.node.id) + "=" + record.node.call.name();
    for (size_t i = 0; i < record.node.inputs.size(); i++) {
      const auto& [id, index] = record.node.inputs[i];
      generated.description += (i == 0 ? "(" : ",") + std::to_string(id);
      if (index > 0) generated.description += ":" + std::to_string(index);
    }
    generated.description += ")";
    generated.nodes.push_back(std::move(record.node));
  }
  return generated;
}

// ---- what tests need

void GeneratedGraph::feed(graph::VariableSpace& variables) const {
  for (const auto& [name, array] : feeds) {
    graph::Variable* variable = variables.getVariable(const_cast<std::string*>(&name));
    if (variable->hasNDArray() && variable->isRemovable()) delete variable->getNDArray();
    variable->setNDArray(array.get());
    variable->markRemovable(false);
  }
}

std::string differences(const GeneratedGraph& generated, const graph::VariableSpace& variables) {
  std::string text;
  for (const auto& [place, array] : generated.expected) {
    const std::string name = " (" + std::to_string(place.first) + ", " + std::to_string(place.second) + ")";
    if (!variables.hasVariable(place) || !variables.getVariable(place)->hasNDArray()) {
      text += name + " has no value;";
      continue;
    }
    const NDArray& value = *variables.getVariable(place)->getNDArray();
    if (!sameBits(*array, value))
      text += name + " is " + value.asIndexedString(8) + " of " + ShapeUtils::shapeAsString(&value) + ", not " +
              array->asIndexedString(8) + " of " + ShapeUtils::shapeAsString(array.get()) + ";";
  }
  return text;
}

}  // namespace sd::graphtest
