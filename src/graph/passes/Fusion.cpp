// Joins element-wise nodes, and a reduction that follows them, to composites, which run in one pass over memory.
#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include "graph/NodeCall.h"
#include "graph/passes/Pass.h"
#include "graph/passes/Rewrite.h"
#include "loops/Composite.h"
#include "ops/declarable/ReadArguments.h"
#include "ops/declarable/helpers/composite.h"

namespace sd::graph {
namespace {

using loops::CompositeReduction;
using loops::CompositeStep;
using loops::OpFamily;
using loops::OpGroup;

constexpr size_t MOST_STEPS = 48, MOST_OPERANDS = 24;
/// Nodes that the search for other ways between two nodes looks at. Where it ends early, nodes are not joined.
constexpr size_t MOST_VISITED = 256;

/// What a node is as a step: the numbered operation, and an operand that is not an input of the node.
struct StepForm {
  OpGroup group;
  int number;
  std::optional<double> scalar;  ///< the second operand
  bool onlyFirst = false;        ///< its operands must not be computed by other steps: a divisor is searched for 0
  std::vector<double> parameters;
};

const loops::NumberedOp* numberedOp(std::string_view name) {
  static const auto table = [] {
    std::unordered_map<std::string, const loops::NumberedOp*> result;
    for (const loops::NumberedOp& op : loops::numberedOps()) result.emplace(loops::qualifiedName(op), &op);
    return result;
  }();
  const auto found = table.find(std::string(name));
  return found == table.end() ? nullptr : found->second;
}

bool isComplete(const ops::PartialShape& shape) {
  return shape.isComplete() && !DataTypeUtils::isS(shape.type()) && !shape.isEmpty();
}

/// Whether arrays of shape `x` are stretched to `z` by NumPy's rules.
bool stretchesTo(const ops::PartialShape& x, const ops::PartialShape& z) {
  if (x.rank() > z.rank()) return false;
  for (int d = 1; d <= x.rank(); d++)
    if (x[-d] != 1 && x[-d] != z[-d]) return false;
  return true;
}

bool sameSizes(const ops::PartialShape& a, const ops::PartialShape& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end());
}

ops::ArgumentValue argumentOf(const ops::Schema& schema, Context& block, const char* name) {
  const ops::ArgumentRow* row = schema.argument(name);
  return row == nullptr ? ops::ArgumentValue() : ops::argumentValue(*row, block.argumentBlock().data());
}

std::optional<StepForm> formOfNumbered(const OpenGraph& graph, const OpenNode& node, OpGroup group, int number) {
  StepForm form{group, number, std::nullopt, false, {}};
  if (node.node->namedArguments().empty()) {
    form.parameters = *contextOf(*node.node)->getTArguments();
  } else {
    const auto block = readCall(graph, node);
    if (block == nullptr) return std::nullopt;
    const ops::Schema& schema = node.op()->schema();
    form.parameters = argumentOf(schema, *block, "parameters").numbers;
    const ops::ArgumentValue scalar = argumentOf(schema, *block, "scalar");
    if (node.inputs.size() == 1)
      form.parameters.insert(form.parameters.begin(), scalar.numbers.begin(), scalar.numbers.end());
  }
  switch (loops::traitsOf(group).family) {
    case OpFamily::Transform:
      if (node.inputs.size() != 1) return std::nullopt;
      break;
    case OpFamily::Pairwise:
      if (node.inputs.size() != 2) return std::nullopt;
      break;
    case OpFamily::Scalar:
      if (node.inputs.size() == 1) {
        if (form.parameters.empty()) return std::nullopt;
        form.scalar = form.parameters[0];
        form.parameters.erase(form.parameters.begin());
      } else if (node.inputs.size() != 2 || graph.value(node.inputs[1]).shape.length() != 1) {
        return std::nullopt;
      }
      break;
    default:
      return std::nullopt;
  }
  return form;
}

/// Of a custom operation whose schema names the numbered operation that computes each element.
std::optional<StepForm> formOfCustom(const OpenGraph& graph, const OpenNode& node) {
  const ops::Schema& schema = node.op()->schema();
  if (node.is("cast") && node.inputs.size() == 1)
    return StepForm{OpGroup::TransformAny, transform::Assign, std::nullopt, false, {}};
  if (schema.elementwise()[0] == '\0') return std::nullopt;
  const loops::NumberedOp* op = numberedOp(schema.elementwise());
  if (op == nullptr) return std::nullopt;
  StepForm form{op->group, op->number, std::nullopt, false, {}};
  const OpFamily family = loops::traitsOf(op->group).family;
  const auto& rows = schema.arguments();
  if (family == OpFamily::Transform || family == OpFamily::Pairwise) {
    if (!rows.empty()) return std::nullopt;
    const size_t inputs = family == OpFamily::Transform ? 1 : 2;
    if (node.inputs.size() != inputs) return std::nullopt;
    return form;
  }
  // An activation with a slope or a limit: its only argument is the scalar.
  if (family != OpFamily::Scalar || rows.size() != 1 || rows[0].kind() != ops::ArgumentKind::Number ||
      node.inputs.size() != 1)
    return std::nullopt;
  const auto block = readCall(graph, node);
  if (block == nullptr) return std::nullopt;
  const ops::ArgumentValue value = argumentOf(schema, *block, rows[0].name());
  if (value.numbers.size() != 1) return std::nullopt;
  form.scalar = value.numbers[0];
  return form;
}

/// Nothing when the node is not element-wise, or when a composite could not give the same bits.
std::optional<StepForm> formOf(const OpenGraph& graph, const OpenNode& node) {
  if (!node.isPure || node.removed || node.outputs.size() != 1 || node.inputs.empty()) return std::nullopt;
  const ops::PartialShape& z = graph.value(node.outputs[0]).shape;
  if (!isComplete(z) || z.order() != 'c') return std::nullopt;
  for (const ValueId input : node.inputs) {
    if (input < 0) return std::nullopt;
    const ops::PartialShape& x = graph.value(input).shape;
    if (!isComplete(x) || !stretchesTo(x, z)) return std::nullopt;
  }
  const auto group = groupOf(node.node->opType());
  // Numbered operations may also be nodes of the operation of that name, as "transform.Neg".
  const loops::NumberedOp* named = group ? nullptr : numberedOp(node.op()->getOpName()->c_str());
  std::optional<StepForm> form = group   ? formOfNumbered(graph, node, *group, static_cast<int>(node.node->opNum()))
                                 : named ? formOfNumbered(graph, node, named->group, named->number)
                                         : formOfCustom(graph, node);
  if (!form) return std::nullopt;
  const DataType x = graph.value(node.inputs[0]).shape.type();
  // Operands of different types are converted by rules of each operation.
  if (node.inputs.size() == 2 && (graph.value(node.inputs[1]).shape.type() != x || x == BOOL)) return std::nullopt;
  std::vector<DataType> types(node.inputs.size() + (form->scalar ? 1 : 0), x);
  const int operands = static_cast<int>(types.size());
  CompositeStep step{form->group, form->number, 0, operands == 2 ? 1 : -1, z.type(), form->parameters};
  if (loops::Composite::whyNot(step, types, operands) != nullptr) return std::nullopt;
  form->onlyFirst = loops::Composite::whyNot(step, types, 0) != nullptr;
  return form;
}

struct Group {
  std::vector<NodeId> members;  ///< in the order of the graph
  NodeId reduction = -1;
  bool gone = false;  ///< joined to another group
};

class Fusion {
 public:
  explicit Fusion(OpenGraph& graph) : _graph(graph), _groupOf(static_cast<size_t>(graph.nodes()), -1) {}

  int run() {
    for (NodeId id = 0; id < static_cast<NodeId>(_groupOf.size()); id++) {
      if (_graph.node(id).removed) continue;
      if (std::optional<StepForm> form = formOf(_graph, _graph.node(id)))
        join(id, std::move(*form));
      else
        joinReduction(id);
    }
    int joined = 0;
    for (const Group& group : _groups)
      if (!group.gone) joined += build(group);
    if (joined > 0) _graph.sort();
    return joined;
  }

 private:
  OpenGraph& _graph;
  std::vector<int> _groupOf;  // by node
  std::vector<Group> _groups;
  std::map<NodeId, NodeId> _spans;  // from first to last node: groups of several nodes, joined where they overlap
  std::unordered_map<NodeId, StepForm> _forms;
  std::unordered_map<NodeId, CompositeReduction> _reductions;

  const ops::PartialShape& shapeOf(NodeId id) const { return _graph.value(_graph.node(id).outputs[0]).shape; }

  void join(NodeId id, StepForm form) {
    std::vector<int> neighbours;
    for (const ValueId input : _graph.node(id).inputs) {
      const NodeId writer = _graph.value(input).writer;
      const int group = writer < 0 ? -1 : _groupOf[static_cast<size_t>(writer)];
      if (group < 0 || _groups[static_cast<size_t>(group)].reduction >= 0) continue;
      if (!sameSizes(shapeOf(_groups[static_cast<size_t>(group)].members[0]), shapeOf(id))) continue;
      if (std::find(neighbours.begin(), neighbours.end(), group) == neighbours.end()) neighbours.push_back(group);
    }
    _forms.emplace(id, std::move(form));
    Group made;
    made.members = {id};
    for (const int neighbour : neighbours) {
      std::vector<NodeId> members = made.members;
      const auto& more = _groups[static_cast<size_t>(neighbour)].members;
      members.insert(members.end(), more.begin(), more.end());
      std::sort(members.begin(), members.end());
      if (!mayJoin(members)) continue;
      made.members = std::move(members);
      _groups[static_cast<size_t>(neighbour)].gone = true;
    }
    for (const NodeId member : made.members) _groupOf[static_cast<size_t>(member)] = static_cast<int>(_groups.size());
    if (made.members.size() > 1) addSpan(made);
    _groups.push_back(std::move(made));
  }

  /// Notes that a group has several nodes, or one more.
  void addSpan(const Group& group) {
    NodeId first = group.members.front(), last = std::max(group.members.back(), group.reduction);
    auto at = _spans.lower_bound(first);
    if (at != _spans.begin() && std::prev(at)->second > first) --at;
    while (at != _spans.end() && at->first < last) {
      first = std::min(first, at->first);
      last = std::max(last, at->second);
      at = _spans.erase(at);
    }
    _spans.emplace(first, last);
  }

  /// No way leads from a node before this one to `first` or a later one: groups of several nodes become one node, so
  /// that ways through them may lead to nodes with higher numbers.
  NodeId lowestBefore(NodeId first) const {
    const auto after = _spans.lower_bound(first);
    if (after == _spans.begin()) return first;
    const auto [start, end] = *std::prev(after);
    return end > first ? start : first;
  }

  /// Whether the members fit into one composite, and no way leads from one to another through a node outside.
  bool mayJoin(const std::vector<NodeId>& members) {
    if (members.size() > MOST_STEPS) return false;
    const std::unordered_set<NodeId> inside(members.begin(), members.end());
    std::unordered_set<ValueId> operands;
    size_t scalars = 0, outputs = 0;
    std::vector<NodeId> open;
    const NodeId lowest = lowestBefore(members.front());
    for (const NodeId member : members) {
      const StepForm& form = _forms.at(member);
      scalars += form.scalar ? 1 : 0;
      for (const ValueId input : _graph.node(member).inputs) {
        const NodeId writer = _graph.value(input).writer;
        if (writer >= 0 && inside.count(writer) != 0) {
          if (form.onlyFirst) return false;
          continue;
        }
        operands.insert(input);
        if (writer >= lowest) open.push_back(writer);
      }
      outputs += isReadOutside(member, inside) ? 1 : 0;
    }
    if (operands.size() + scalars + outputs > MOST_OPERANDS) return false;
    std::unordered_set<NodeId> visited;
    while (!open.empty()) {
      const NodeId at = open.back();
      open.pop_back();
      if (!visited.insert(at).second) continue;
      if (visited.size() > MOST_VISITED) return false;
      // The members of another group will be one node.
      const int group = _groupOf[static_cast<size_t>(at)];
      const auto visit = [&](NodeId id) {
        for (const ValueId input : _graph.node(id).inputs) {
          const NodeId writer = input < 0 ? -1 : _graph.value(input).writer;
          if (writer >= 0 && inside.count(writer) != 0) return false;
          if (writer >= 0) open.push_back(writer);
        }
        return true;
      };
      if (group < 0) {
        if (at < lowest) continue;
        if (!visit(at)) return false;
        continue;
      }
      const Group& other = _groups[static_cast<size_t>(group)];
      if (other.members.back() < lowest && other.reduction < lowest) continue;
      for (const NodeId member : other.members) {
        visited.insert(member);
        if (!visit(member)) return false;
      }
    }
    return true;
  }

  bool isReadOutside(NodeId id, const std::unordered_set<NodeId>& inside) const {
    const ValueId output = _graph.node(id).outputs[0];
    if (_graph.value(output).isResult) return true;
    const auto& readers = _graph.readersOf(output);
    return std::any_of(readers.begin(), readers.end(), [&](NodeId reader) { return inside.count(reader) == 0; });
  }

  /// Adds a reduction of a group's value to the group.
  void joinReduction(NodeId id) {
    const OpenNode& node = _graph.node(id);
    if (!node.isPure || node.outputs.size() != 1 || node.inputs.empty() || node.inputs[0] < 0) return;
    const NodeId writer = _graph.value(node.inputs[0]).writer;
    const int group = writer < 0 ? -1 : _groupOf[static_cast<size_t>(writer)];
    if (group < 0 || _groups[static_cast<size_t>(group)].reduction >= 0) return;
    // A value that is stored anyway is as well read by the reduction alone.
    if (_graph.value(node.inputs[0]).readers != 1 || _graph.value(node.inputs[0]).isResult) return;
    const ops::PartialShape& z = shapeOf(id);
    if (!isComplete(z) || z.order() != 'c') return;
    const ops::Schema& schema = node.op()->schema();
    const auto numbered = groupOf(node.node->opType());
    const loops::NumberedOp* op =
        numbered ? loops::findOp(*numbered, static_cast<int>(node.node->opNum())) : numberedOp(schema.reduction());
    if (op == nullptr || loops::traitsOf(op->group).family != OpFamily::Reduce) return;
    const auto block = readCall(_graph, node);
    if (block == nullptr) return;
    CompositeReduction reduction{op->group, op->number, 0, {}, false, z.type(), {}};
    const ops::ArgumentValue axes = argumentOf(schema, *block, "axis");
    const int rank = shapeOf(writer).rank();
    if (!(axes.integers.size() == 1 && axes.integers[0] == SD_MAX_DIMENSION))
      for (const LongType axis : axes.integers)
        reduction.axes.push_back(static_cast<int>(axis < 0 ? axis + rank : axis));
    const ops::ArgumentValue keep = argumentOf(schema, *block, "keep_dims");
    reduction.keepDims = !keep.integers.empty() && keep.integers[0] != 0;
    reduction.params = argumentOf(schema, *block, "parameters").numbers;
    if (loops::Composite::whyNot(reduction, {shapeOf(writer).type()}) != nullptr) return;
    _groups[static_cast<size_t>(group)].reduction = id;
    addSpan(_groups[static_cast<size_t>(group)]);
    _groupOf[static_cast<size_t>(id)] = group;
    _reductions.emplace(id, std::move(reduction));
  }

  /// Replaces the members by a composite. @returns how many nodes were joined
  int build(const Group& group) {
    if (group.members.size() + (group.reduction >= 0 ? 1 : 0) < 2) return 0;
    std::vector<ValueId> inputs;
    std::unordered_map<ValueId, int> numberOf;
    const std::unordered_set<NodeId> inside(group.members.begin(), group.members.end());
    const auto input = [&](ValueId value) {
      const auto [place, isNew] = numberOf.emplace(value, static_cast<int>(inputs.size()));
      if (isNew) inputs.push_back(value);
      return place->second;
    };
    // Inputs have the first numbers.
    std::unordered_map<NodeId, ValueId> scalars;
    for (const NodeId member : group.members) {
      const StepForm& form = _forms.at(member);
      // Other groups may have become composites, which write these values now.
      for (const ValueId value : _graph.node(member).inputs) {
        const NodeId writer = _graph.value(value).writer;
        if (writer < 0 || inside.count(writer) == 0) input(value);
      }
      if (!form.scalar) continue;
      auto scalar = std::make_unique<NDArray>(_graph.value(_graph.node(member).inputs[0]).shape.type());
      scalar->p(0, *form.scalar);
      scalars[member] = _graph.addConstant(std::move(scalar));
      input(scalars[member]);
    }
    std::vector<CompositeStep> steps;
    std::vector<int> outputs;
    std::vector<ValueId> replaced;
    std::unordered_set<NodeId> internal = inside;
    if (group.reduction >= 0) internal.insert(group.reduction);
    for (const NodeId member : group.members) {
      const StepForm& form = _forms.at(member);
      const ValueId output = _graph.node(member).outputs[0];
      const std::vector<ValueId>& operands = _graph.node(member).inputs;
      CompositeStep step{form.group,     form.number, numberOf.at(operands[0]), -1, _graph.value(output).shape.type(),
                         form.parameters};
      if (form.scalar)
        step.y = numberOf.at(scalars.at(member));
      else if (operands.size() == 2)
        step.y = numberOf.at(operands[1]);
      numberOf[output] = static_cast<int>(inputs.size() + steps.size());
      steps.push_back(std::move(step));
      if (!isReadOutside(member, internal)) continue;
      outputs.push_back(numberOf[output]);
      replaced.push_back(output);
    }
    std::optional<CompositeReduction> reduction;
    if (group.reduction >= 0) {
      reduction = _reductions.at(group.reduction);
      reduction->value = numberOf.at(_graph.node(group.reduction).inputs[0]);
      replaced.push_back(_graph.node(group.reduction).outputs[0]);
    }
    const ops::CompositeArguments arguments = ops::compositeArguments(steps, outputs, reduction);
    const NodeId made = _graph.addCall("composite", inputs,
                                       {{"program", ops::integersArgument(arguments.program)},
                                        {"parameters", ops::numbersArgument(arguments.parameters)}});
    const std::vector<ValueId> results = _graph.node(made).outputs;
    for (size_t k = 0; k < replaced.size(); k++) {
      const ops::PartialShape &wanted = _graph.value(replaced[k]).shape, &got = _graph.value(results[k]).shape;
      if (!(wanted == got)) {
        _graph.remove(made);
        return 0;
      }
    }
    for (size_t k = 0; k < replaced.size(); k++) _graph.replace(replaced[k], results[k]);
    if (group.reduction >= 0) _graph.remove(group.reduction);
    for (auto member = group.members.rbegin(); member != group.members.rend(); ++member) _graph.remove(*member);
    return static_cast<int>(group.members.size()) + (group.reduction >= 0 ? 1 : 0);
  }
};

}  // namespace

int fuseElements(OpenGraph& graph) { return Fusion(graph).run(); }

}  // namespace sd::graph
