#include <graph/ScalarOperations.h>
#include <loops/OpGroup.h>
#include <ops/declarable/DeclarableOp.h>
#include <ops/declarable/OpRegistrator.h>

#include <string_view>
#include <unordered_map>

#include "ops/declarable/helpers/composite.h"
#include "ops/declarable/helpers/reduction_call.h"
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

struct Reduce::Call : ops::ReductionCall {
  Call(const std::string& name, const std::vector<int>& axes, bool keepDims) : ReductionCall(name, axes, keepDims) {
    if (operation() == nullptr) {
      find(name);
      invalidArgument("[Reduce] '{}' does not reduce along axes", name);
    }
  }
};

Reduce::Reduce(const std::string& operation, const std::vector<int>& axes, bool keepDims)
    : Reduce(Call(operation, axes, keepDims)) {}

Reduce::Reduce(const Call& call) : Operation(call.operation()->getOpDescriptor()->name(), call.arguments()) {}

// ---- several steps

Composite::Composite(int inputs, const std::vector<ScalarStep>& steps, const std::optional<ScalarReduction>& reduction)
    : Operation("composite", argumentsOf(inputs, steps, reduction)) {}

}  // namespace sd::graph
