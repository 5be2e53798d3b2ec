#include "graph/LoopNode.h"

#include <graph/Graph.h>

#include <memory>

#include "system/Error.h"

namespace sd::graph {
namespace {

using ops::PartialShape;
using Name = LoopNode::Name;

constexpr LongType MARK = -1, UNKNOWN_RANK = -1, EMPTY_SCALAR = -2;

std::vector<LongType> integersOf(const Node& node) {
  std::vector<LongType> integers;
  const ContextPrototype* prototype = node.getContextPrototype();
  for (size_t i = 0; prototype != nullptr && i < prototype->numI(); i++)
    integers.push_back(prototype->intArgument64(i));
  return integers;
}

void setIntegers(Node& node, const std::vector<LongType>& integers) {
  auto prototype = std::make_unique<ContextPrototype>(nullptr, node.id(), false);
  prototype->appendI(integers);
  node.setContextPrototype(prototype.release());
}

/// Reads integer arguments one after another.
class Arguments {
 public:
  explicit Arguments(const Node& node) : _integers(integersOf(node)) {}

  size_t left() const { return _integers.size() - _at; }
  bool begins(LongType mark) const { return left() > 0 && _integers[_at] == mark; }
  void require(bool holds) const {
    if (!holds) invalidArgument("its {} integer arguments do not say what it reads and keeps", _integers.size());
  }
  LongType next() {
    require(left() > 0);
    return _integers[_at++];
  }
  /// A number from 0 to `end` - 1.
  size_t below(size_t end) {
    const LongType value = next();
    require(value >= 0 && static_cast<size_t>(value) < end);
    return static_cast<size_t>(value);
  }
  /// How many things follow, each of which takes at least one argument.
  size_t count() { return below(_integers.size()); }

  PartialShape shape() {
    const LongType type = next(), rank = next();
    require(type >= INHERIT && type < ANY);
    const auto known = static_cast<DataType>(type);
    require(known == INHERIT || DataTypeUtils::isElementType(known));
    if (rank == UNKNOWN_RANK) return PartialShape(known);
    if (rank == EMPTY_SCALAR) return PartialShape::empty(known);
    require(rank >= 0 && rank <= SD_MAX_RANK);
    std::vector<LongType> sizes;
    for (LongType axis = 0; axis < rank; axis++) {
      sizes.push_back(next());
      require(sizes.back() >= PartialShape::UNKNOWN);
    }
    return {known, sizes};
  }

  std::vector<Name> names() {
    std::vector<Name> names;
    while (left() >= 2) {
      const LongType node = next(), output = next();
      names.emplace_back(static_cast<int>(node), static_cast<int>(output));
    }
    return names;
  }

 private:
  std::vector<LongType> _integers;
  size_t _at = 0;
};

void append(std::vector<LongType>& integers, const PartialShape& shape) {
  integers.push_back(static_cast<LongType>(shape.type()));
  integers.push_back(shape.isEmptyScalar() ? EMPTY_SCALAR : shape.hasRank() ? shape.rank() : UNKNOWN_RANK);
  if (shape.hasRank()) integers.insert(integers.end(), shape.begin(), shape.end());
}

/// All but the number of values, which follows from the inputs.
LoopNode readArguments(const Node& node) {
  LoopNode loop;
  Arguments arguments(node);
  if (node.isLogic(logic::While)) {
    loop.kept = arguments.names();
    return loop;
  }
  if (!arguments.begins(MARK)) {
    loop.groups = {LoopNode::Order::ToFirst};
    while (arguments.left() > 0) {
      const LongType number = arguments.next();
      arguments.require(number >= 0);
      loop.columns.push_back({0, number, {}});
    }
    return loop;
  }
  arguments.next();
  const size_t groups = arguments.count(), columns = arguments.count(), gradients = arguments.count(),
               shapes = arguments.count();
  arguments.require(groups > 0);
  for (size_t g = 0; g < groups; g++)
    loop.groups.push_back(arguments.below(2) == 1 ? LoopNode::Order::ToLast : LoopNode::Order::ToFirst);
  for (size_t k = 0; k < columns; k++) {
    const size_t group = arguments.below(groups);
    const LongType number = arguments.next();
    arguments.require(number >= 0);
    loop.columns.push_back({group, number, arguments.shape()});
  }
  for (size_t j = 0; j < gradients; j++) loop.columnGradients.push_back(arguments.below(columns));
  for (size_t e = 0; e < shapes; e++) loop.shapes.push_back(arguments.shape());
  loop.kept = arguments.names();
  return loop;
}

}  // namespace

std::vector<int> scopesOf(const Graph& graph, const Node& node) {
  std::vector<int> scopes;
  for (const Name& input : node.inputs())
    if (graph.hasScope(input.first)) scopes.push_back(input.first);
  return scopes;
}

LoopNode::LoopNode(const Node& node, size_t inputs) : LoopNode(readArguments(node)) {
  const size_t others = groups.size() + columns.size();
  if (inputs < others || (!shapes.empty() && shapes.size() != inputs - others))
    invalidArgument("its integer arguments name {} layouts and columns and {} values, but it has {} inputs", others,
                    shapes.size(), inputs);
  values = inputs - others;
}

void LoopNode::writeTo(Node& node) const {
  std::vector<LongType> integers;
  const auto number = [&integers](size_t value) { integers.push_back(static_cast<LongType>(value)); };
  if (node.isLogic(UNWIND)) {
    integers.push_back(MARK);
    for (const size_t count : {groups.size(), columns.size(), columnGradients.size(), shapes.size()}) number(count);
    for (const Order order : groups) integers.push_back(order == Order::ToLast ? 1 : 0);
    for (const Column& column : columns) {
      number(column.group);
      integers.push_back(column.number);
      append(integers, column.shape);
    }
    for (const size_t column : columnGradients) number(column);
    for (const PartialShape& shape : shapes) append(integers, shape);
  }
  for (const auto& [id, output] : kept) integers.insert(integers.end(), {id, output});
  setIntegers(node, integers);
}

size_t LoopNode::outputs() const {
  if (!kept.empty()) return keptOutput(kept.size());
  return columnGradients.empty() ? values : layoutOutput();
}

std::vector<Name> keptBy(const Node& loop) { return readArguments(loop).kept; }

void setKept(Node& loop, const std::vector<Name>& values) {
  LoopNode changed = readArguments(loop);
  changed.kept = values;
  changed.writeTo(loop);
}

}  // namespace sd::graph
