#include <graph/ContractOperation.h>
#include <graph/Operation.h>
#include <helpers/ConstantShapeHelper.h>
#include <ops/declarable/OpRegistrator.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <typeinfo>

#include "graph/GraphSymbols.h"
#include "graph/NodeCall.h"
#include "ops/declarable/fill_arguments.h"
#include "system/Error.h"

namespace sd::graph {

using nd::Operand;
using nd::Symbol;

namespace {

/// 0 and -0 differ.
bool areSame(const ops::ArgumentValue& a, const ops::ArgumentValue& b) {
  return a == b &&
         std::equal(a.numbers.begin(), a.numbers.end(), b.numbers.begin(), b.numbers.end(),
                    [](double x, double y) { return std::bit_cast<uint64_t>(x) == std::bit_cast<uint64_t>(y); });
}

bool areSame(const NamedArguments& a, const NamedArguments& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const auto& x, const auto& y) { return x.first == y.first && areSame(x.second, y.second); });
}

bool areSame(const NDArray& a, const NDArray& b) {
  if (a.dataType() != b.dataType() || !a.isSameShape(b)) return false;
  if (a.isEmpty()) return true;
  if (a.isS()) return a.equalsTo(b);
  const NDArray x = a.dup('c'), y = b.dup('c');
  return std::memcmp(x.buffer(), y.buffer(), static_cast<size_t>(x.lengthOf()) * x.sizeOfT()) == 0;
}

void mix(size_t& hash, size_t value) { hash = (hash ^ value) * 0x9E3779B97F4A7C15u + (hash >> 29); }

ops::DeclarableOp& find(const std::string& name) {
  ops::DeclarableOp* op = ops::OpRegistrator::getInstance().find(name);
  if (op == nullptr) invalidArgument("[Operation] there is no operation '{}'", name);
  return *op;
}

NodeInput describeInput(const Operand& operand) {
  NodeInput input;
  if (operand.array() != nullptr) {
    input.constant = std::make_shared<const NDArray>(*operand.array());
    input.shape = ops::PartialShape::of(input.constant->shapeInfo());
  } else if (operand.isNumber()) {
    input.number = operand.number();
  } else if (operand.symbol()) {
    input.symbol = operand.symbol();
    input.shape = input.symbol.shape();
  } else {
    input.shape = ops::PartialShape::absent();
  }
  return input;
}

/// Makes constants of the numbers, in the type of the first input that is no number.
void typeNumbers(std::vector<NodeInput>& inputs) {
  const auto typed = std::find_if(inputs.begin(), inputs.end(),
                                  [](const NodeInput& input) { return !input.number && !input.shape.isAbsent(); });
  const DataType type = typed == inputs.end() ? DOUBLE : typed->shape.type();
  for (NodeInput& input : inputs) {
    if (!input.number) continue;
    input.shape = ops::PartialShape::scalar(type);
    if (type == INHERIT) continue;  // the graph will know it
    NDArray scalar(type);
    scalar.p<double>(0, *input.number);
    input.constant = std::make_shared<const NDArray>(std::move(scalar));
    input.number.reset();
  }
}

}  // namespace

// ---- descriptions

bool NodeInput::operator==(const NodeInput& other) const {
  const bool isSameSymbol = bool(symbol) == bool(other.symbol) &&
                            (!symbol || (&symbol.scope() == &other.symbol.scope() && symbol.id() == other.symbol.id() &&
                                         symbol.output() == other.symbol.output()));
  const bool isSameConstant = (constant == nullptr) == (other.constant == nullptr) &&
                              (constant == nullptr || areSame(*constant, *other.constant));
  const bool isSameNumber =
      number.has_value() == other.number.has_value() &&
      std::bit_cast<uint64_t>(number.value_or(0)) == std::bit_cast<uint64_t>(other.number.value_or(0));
  return isSameSymbol && isSameConstant && isSameNumber && shape == other.shape;
}

bool NodeDescription::operator==(const NodeDescription& other) const {
  return operation == other.operation && areSame(arguments, other.arguments) && inputs == other.inputs &&
         outputs == other.outputs && inPlace == other.inPlace;
}

// ---- parameters

std::unique_ptr<Operation> Operation::of(const std::string& name, const ops::CallArguments& arguments) {
  if (const auto* entry = dynamic_cast<const OperationEntry*>(&find(name))) {
    // Another struct is an error there, too.
    const Operation given(name, arguments);
    return entry->contract(given.callArguments());
  }
  return std::unique_ptr<Operation>(new Operation(name, arguments));
}

Operation::Operation(std::string name, const ops::CallArguments& arguments) : _name(std::move(name)) {
  const ops::DeclarableOp& op = registered();
  _name = op.getOpDescriptor()->name();
  const ops::ArgumentStruct* structure = registered().schema().structure();
  if (arguments.data() != nullptr && (structure == nullptr || !(*structure == *arguments.type())))
    invalidArgument("[{}] these are the arguments of another operation", _name);
  if (structure == nullptr) return;
  const auto block = std::make_shared<ops::ArgumentBlock>();
  void* place = block->prepare(*structure);
  if (arguments.data() != nullptr) structure->copy(place, arguments.data());
  _block = block;
}

Operation::~Operation() = default;

ops::DeclarableOp& Operation::registered() const { return find(_name); }

ops::CallArguments Operation::callArguments() const {
  return _block == nullptr ? ops::CallArguments()
                           : ops::CallArguments(registered().schema().structure(), _block->data());
}

NamedArguments Operation::arguments() const { return namedArguments(registered().schema(), callArguments()); }

bool Operation::equals(const Operation& other) const {
  return typeid(*this) == typeid(other) && _name == other._name && areSame(arguments(), other.arguments());
}

size_t Operation::hash() const {
  size_t hash = std::hash<std::string>()(_name);
  for (const auto& [name, value] : arguments()) {
    mix(hash, std::hash<std::string>()(name));
    mix(hash, std::hash<std::string>()(value.name));
    for (const LongType integer : value.integers) mix(hash, static_cast<size_t>(integer));
    for (const double number : value.numbers) mix(hash, std::bit_cast<uint64_t>(number));
  }
  return hash;
}

// ---- in graphs

NodeDescription Operation::makeNode(const Operands& inputs) const {
  NodeDescription result;
  result.operation = _name;
  result.arguments = arguments();
  for (const Operand& operand : inputs) result.inputs.push_back(describeInput(operand));
  typeNumbers(result.inputs);
  std::vector<ops::PartialShape> shapes;
  std::vector<const NDArray*> constants;
  for (const NodeInput& input : result.inputs) {
    shapes.push_back(input.shape);
    constants.push_back(input.constant.get());
  }
  ops::DeclarableOp& op = registered();
  Node node(&op);
  for (const auto& [name, value] : result.arguments) node.setArgument(name, value);
  result.outputs = inferOutputs(node, shapes, constants);
  if (result.outputs.empty())
    result.outputs.resize(static_cast<size_t>(std::max(1, op.getOpDescriptor()->getNumberOfOutputs())));
  return result;
}

Operation::Symbols Operation::operator()(const Operands& inputs, nd::Place place) const {
  const NodeDescription node = makeNode(inputs);
  for (const NodeInput& input : node.inputs)
    if (input.symbol) return add(input.symbol.scope(), node, place);
  invalidArgument("[{}] none of the inputs is a symbol of a graph", _name);
}

Operation::Symbols Operation::in(Graph& graph, const Operands& inputs, nd::Place place) const {
  return add(graph.symbols(), makeNode(inputs), place);
}

Symbol Operation::call(const Operands& inputs, nd::Place place) const {
  return (*this)(inputs, place).at(static_cast<size_t>(defaultOutput()));
}

Operation::Symbols Operation::add(nd::SymbolScope& scope, const NodeDescription& node, nd::Place place) const {
  Operands operands;
  for (const NodeInput& input : node.inputs) {
    if (input.constant != nullptr)
      operands.emplace_back(*input.constant, place);
    else if (input.number)
      operands.emplace_back(*input.number, place);
    else
      operands.emplace_back(input.symbol, place);
  }
  ops::ArgumentBlock block;
  const ops::CallArguments arguments = ops::fillArguments(find(node.operation).schema(), node.arguments, block);
  const Symbols outputs = scope.callAll(node.operation, operands, arguments, place);
  if (node.inPlace && !outputs.empty())
    if (const auto* symbols = dynamic_cast<const GraphSymbols*>(&scope))
      symbols->graph().nodeById(outputs[0].id())->markInplace(true);
  return outputs;
}

}  // namespace sd::graph
