#include <graph/ScalarOperations.h>
#include <loops/OpGroup.h>
#include <ops/declarable/DeclarableOp.h>
#include <ops/declarable/NumberedArguments.h>
#include <ops/declarable/OpRegistrator.h>

#include <algorithm>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "ops/declarable/ReadArguments.h"
#include "ops/declarable/helpers/composite.h"
#include "system/Error.h"

namespace sd::graph {
namespace {

using loops::OpFamily;

const loops::NumberedOp* numberedOp(const std::string& name) {
  static const auto table = [] {
    std::unordered_map<std::string, const loops::NumberedOp*> result;
    for (const loops::NumberedOp& op : loops::numberedOps()) result.emplace(loops::qualifiedName(op), &op);
    return result;
  }();
  const auto found = table.find(name);
  return found == table.end() ? nullptr : found->second;
}

ops::DeclarableOp& find(const std::string& name) {
  ops::DeclarableOp* op = ops::OpRegistrator::getInstance().find(name);
  if (op == nullptr) invalidArgument("[Operation] there is no operation '{}'", name);
  return *op;
}

const std::string& requireElementwise(const std::string& name) {
  const ops::OpDescriptor& descriptor = *find(name).describedDescriptor();
  if (const loops::NumberedOp* op = numberedOp(descriptor.name())) {
    const OpFamily family = loops::traitsOf(op->group).family;
    if (family == OpFamily::Transform || family == OpFamily::Pairwise || family == OpFamily::Scalar) return name;
  } else if (!descriptor.isRandom() &&
             (std::string_view(descriptor.kind()) == "broadcastable" || find(name).schema().elementwise()[0] != '\0')) {
    return name;
  }
  invalidArgument("[Elemwise] '{}' is not element-wise", name);
}

/// What the steps of a Composite are as operations whose operands broadcast.
std::string broadcastingForm(const std::string& name) {
  static const std::unordered_map<std::string_view, const char*> forms = {
      {"pairwise.Add", "add"},
      {"pairwise.Subtract", "subtract"},
      {"pairwise.Multiply", "multiply"},
      {"pairwise.Divide", "divide"},
      {"pairwise.MaxPairwise", "maximum"},
      {"pairwise.MinPairwise", "minimum"},
      {"pairwise.Pow", "Pow"},
      {"pairwise.SquaredSubtract", "squaredsubtract"}};
  const auto found = forms.find(name);
  return found == forms.end() ? name : found->second;
}

const loops::NumberedOp& requireNumbered(const std::string& name) {
  const loops::NumberedOp* op = numberedOp(name);
  if (op == nullptr) invalidArgument("[Composite] there is no numbered operation '{}'", name);
  return *op;
}

ops::CompositeArguments argumentsOf(int inputs, const std::vector<ScalarStep>& steps,
                                    const std::optional<ScalarReduction>& reduction) {
  if (inputs < 1 || steps.empty()) invalidArgument("[Composite] it has {} inputs and {} steps", inputs, steps.size());
  std::vector<loops::CompositeStep> all;
  for (const ScalarStep& step : steps) {
    const loops::NumberedOp& op = requireNumbered(step.operation);
    const OpFamily family = loops::traitsOf(op.group).family;
    const size_t operands = family == OpFamily::Transform ? 1 : 2;
    if (family != OpFamily::Transform && family != OpFamily::Pairwise)
      invalidArgument("[Composite] '{}' is neither a transform nor an operation on pairs", step.operation);
    if (step.operands.size() != operands)
      invalidArgument("[Composite] step {}, '{}', has {} operands instead of {}", all.size(), step.operation,
                      step.operands.size(), operands);
    for (const int operand : step.operands)
      if (operand < 0 || operand >= inputs + static_cast<int>(all.size()))
        invalidArgument("[Composite] step {}, '{}', reads value {}, which is not there yet", all.size(), step.operation,
                        operand);
    all.push_back(
        {op.group, op.number, step.operands[0], operands == 2 ? step.operands[1] : -1, INHERIT, step.parameters});
  }
  if (!reduction) return ops::compositeArguments(all, {});
  const loops::NumberedOp& op = requireNumbered(reduction->operation);
  if (loops::traitsOf(op.group).family != OpFamily::Reduce)
    invalidArgument("[Composite] '{}' is no reduction", reduction->operation);
  loops::CompositeReduction last{op.group, op.number, inputs + static_cast<int>(steps.size()) - 1, {}, false,
                                 INHERIT,  {}};
  last.axes.assign(reduction->axes.begin(), reduction->axes.end());
  last.keepDims = reduction->keepDims;
  return ops::compositeArguments(all, {}, last);
}

}  // namespace

// ---- on every element

Elemwise::Elemwise(const std::string& operation, bool inPlace, const ops::CallArguments& arguments)
    : Operation(requireElementwise(operation), arguments), _inPlace(inPlace) {}

bool Elemwise::equals(const Operation& other) const {
  return Operation::equals(other) && static_cast<const Elemwise&>(other)._inPlace == _inPlace;
}

size_t Elemwise::hash() const { return Operation::hash() * 2 + (_inPlace ? 1 : 0); }

NodeDescription Elemwise::makeNode(const Operands& inputs) const {
  NodeDescription node = Operation::makeNode(inputs);
  node.inPlace = _inPlace;
  return node;
}

Operation::InputsOfOutputs Elemwise::destroyMap() const {
  return _inPlace ? InputsOfOutputs{{0, {0}}} : InputsOfOutputs{};
}

// ---- along axes

struct Reduce::Call {
  ops::DeclarableOp* op;
  ops::ArgumentBlock arguments;

  Call(const std::string& name, const std::vector<int>& axes, bool keepDims) : op(&find(name)) {
    // The custom operation of the same reduction has the gradient, and shapes as NumPy's.
    if (numberedOp(op->getOpDescriptor()->name()) != nullptr)
      for (ops::DeclarableOp* other : ops::OpRegistrator::getInstance().operations())
        if (op->getOpDescriptor()->name() == other->schema().reduction() && takesAxes(*other)) op = other;
    if (!takesAxes(*op)) invalidArgument("[Reduce] '{}' does not reduce along axes", name);
    const ops::Schema& schema = op->schema();
    void* place = arguments.prepare(*schema.structure());
    ops::ArgumentValue axis, keep;
    axis.integers.assign(axes.begin(), axes.end());
    keep.form = ops::ArgumentValue::Form::Flags;
    keep.integers = {keepDims ? 1 : 0};
    ops::assignArgument(schema, place, "axis", axis);
    ops::assignArgument(schema, place, "keep_dims", keep);
  }
  static bool takesAxes(ops::DeclarableOp& op) {
    const ops::Schema& schema = op.schema();
    return schema.argument("axis") != nullptr && schema.argument("keep_dims") != nullptr &&
           schema.reduction()[0] != '\0';
  }
};

Reduce::Reduce(const std::string& operation, const std::vector<int>& axes, bool keepDims)
    : Reduce(Call(operation, axes, keepDims)) {}

Reduce::Reduce(const Call& call)
    : Operation(call.op->getOpDescriptor()->name(),
                ops::CallArguments(call.op->schema().structure(), call.arguments.data())) {}

// ---- several steps

Composite::Composite(int inputs, std::vector<ScalarStep> steps, std::optional<ScalarReduction> reduction)
    : Operation("composite", argumentsOf(inputs, steps, reduction)),
      _inputs(inputs),
      _steps(std::move(steps)),
      _reduction(std::move(reduction)) {}

Operation::Symbols Composite::grad(const Symbols& inputs, const Symbols&, const Symbols& outputGradients) const {
  const auto count = static_cast<size_t>(_inputs);
  if (inputs.size() != count || outputGradients.empty())
    invalidArgument("[Composite] its gradient needs {} inputs and the gradient of the result", _inputs);
  Symbols values = inputs;
  std::vector<std::unique_ptr<Operation>> steps;
  const auto operandsOf = [&values](const ScalarStep& step) {
    Symbols operands;
    for (const int operand : step.operands) operands.push_back(values[static_cast<size_t>(operand)]);
    return operands;
  };
  for (const ScalarStep& step : _steps) {
    ops::NumberedElements parameters{step.parameters};
    const std::string name = broadcastingForm(step.operation);
    const bool isNumbered = !step.parameters.empty() && name == step.operation;
    steps.push_back(isNumbered ? Operation::of(name, parameters) : Operation::of(name));
    const Symbols operands = operandsOf(step);
    values.push_back(steps.back()->call(Operands(operands.begin(), operands.end())));
  }
  Symbols gradients(values.size());
  gradients.back() = outputGradients[0];
  if (_reduction) {
    const Reduce reduce(_reduction->operation, _reduction->axes, _reduction->keepDims);
    const Symbols reduced = reduce.grad({values.back()}, {reduce.call({values.back()})}, {outputGradients[0]});
    if (reduced.empty()) return {};
    gradients.back() = reduced[0];
  }
  for (size_t s = _steps.size(); s-- > 0;) {
    const nd::Symbol gradient = gradients[count + s];
    if (!gradient) continue;
    const Symbols parts = steps[s]->grad(operandsOf(_steps[s]), {values[count + s]}, {gradient});
    if (parts.empty()) return {};
    for (size_t i = 0; i < parts.size(); i++) {
      if (!parts[i]) continue;
      nd::Symbol& sum = gradients[static_cast<size_t>(_steps[s].operands[i])];
      sum = sum ? sum + parts[i] : parts[i];
    }
  }
  gradients.resize(count);
  return gradients;
}

}  // namespace sd::graph
