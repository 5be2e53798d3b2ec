#include <graph/ContractOperation.h>
#include <helpers/ShapeUtils.h>

#include <algorithm>

#include "graph/NodeCall.h"
#include "graph/NodeContract.h"
#include "ops/declarable/CallScope.h"
#include "ops/declarable/Failures.h"
#include "ops/declarable/ReadArguments.h"
#include "system/Error.h"

namespace sd::graph {
namespace {

/// What stays in the context of a step of a plan.
struct CallState {
  bool isKept = false;
  std::shared_ptr<const Operation> operation;
  NodeDescription node;
  Operation::Storage hidden;
};

std::vector<ops::PartialShape> shapesOf(const std::vector<NodeInput>& inputs) {
  std::vector<ops::PartialShape> shapes;
  for (const NodeInput& input : inputs) shapes.push_back(input.shape);
  return shapes;
}

NodeDescription describeCall(const Operation& operation, const std::vector<NDArray*>& inputs,
                             const std::vector<NDArray*>& outputs) {
  NodeDescription node;
  node.operation = operation.name();
  node.arguments = operation.arguments();
  for (const NDArray* array : inputs) {
    NodeInput input;
    input.shape = array == nullptr ? ops::PartialShape::absent() : ops::PartialShape::of(array->shapeInfo());
    node.inputs.push_back(std::move(input));
  }
  for (const NDArray* array : outputs) node.outputs.push_back(ops::PartialShape::of(array->shapeInfo()));
  return node;
}

/// Lets outputs begin as the inputs that they overwrite. Inputs that are not in their memory are copied.
class Destroyed {
 public:
  Destroyed(const Operation& operation, std::vector<NDArray*>& inputs, Operation::Storage& storage) {
    for (const auto& [output, list] : operation.destroyMap())
      for (const int i : list) {
        NDArray*& input = inputs.at(static_cast<size_t>(i));
        if (input == nullptr) continue;
        NDArray* target = storage.at(static_cast<size_t>(output)).array();
        const bool isFirst = i == list.front() && target != nullptr && target->dataType() == input->dataType() &&
                             target->isSameShape(*input);
        if (!isFirst) {
          _copies.push_back(std::make_unique<NDArray>(*input));
          input = _copies.back().get();
          continue;
        }
        if (target->buffer() != input->buffer() || target->shapeInfo() != input->shapeInfo()) target->assign(*input);
        input = target;
      }
  }

 private:
  std::vector<std::unique_ptr<NDArray>> _copies;
};

}  // namespace

// ---- the entry

OperationEntry::Counts OperationEntry::countsOf(const char* name, DescribeFunction describe) {
  ops::OpDescriptor descriptor(0, 0, name, false);
  ops::Schema& schema = descriptor.schema();
  describe(schema);
  Counts counts{0, 0, 0, 0};
  bool takesAny = false, makesAny = false;
  for (const ops::InputRow& input : schema.inputs()) {
    takesAny = takesAny || input.isAny();
    if (!input.isOptional() && !input.isAny()) counts.inputs++;
  }
  for (const ops::OutputRow& output : schema.outputs()) {
    makesAny = makesAny || output.isAny;
    counts.outputs++;
  }
  constexpr int ANY_NUMBER = -2;
  for (const ops::ArgumentRow& row : schema.arguments()) {
    if (row.list() == ops::ArgumentList::Floats) counts.floats = ANY_NUMBER;
    if (row.list() == ops::ArgumentList::Integers) counts.integers = ANY_NUMBER;
  }
  if (takesAny) counts.inputs = -1;
  if (makesAny) counts.outputs = -1;
  return counts;
}

OperationEntry::OperationEntry(const char* name, DescribeFunction describe, ops::GradientFunction gradient)
    : OperationEntry(name, describe, gradient, countsOf(name, describe)) {}

OperationEntry::OperationEntry(const char* name, DescribeFunction describe, ops::GradientFunction gradient,
                               Counts counts)
    // It is the compiler of graphs that lets outputs lie over inputs, by the contract of each node.
    : DeclarableOp(counts.inputs, counts.outputs, name, false, counts.floats, counts.integers),
      _describe(describe),
      _gradient(gradient) {}

void OperationEntry::registerTypes() {
  ops::Schema& schema = getOpDescriptor()->schema();
  _describe(schema);
  if (_gradient != nullptr)
    schema.gradient(_gradient);
  else if (schema.gradientRule() == nullptr && schema.gradientOperation() == nullptr &&
           schema.notDifferentiable() == nullptr)
    schema.notDifferentiable("its class has no grad()");
  for (const auto& [output, inputs] : contract({})->viewMap())
    if (!inputs.empty()) schema.view(output, inputs.front());
}

ShapeList* OperationEntry::calculateOutputShape(ShapeList* inputShapes, Context& block) {
  return inferredShapes(inputShapes, block);
}

std::unique_ptr<Operation> OperationEntry::contractOf(Context& block, int inputs) {
  const ops::ArgumentStruct* structure = schema().structure();
  if (structure == nullptr) return contract({});
  if (!block.argumentBlock().holds(*structure)) {
    try {
      ops::readArguments(schema(), block, inputs);
    } catch (const std::logic_error&) {  // an argument that is wrong or missing
      return nullptr;
    }
  }
  if (block.argumentBlock().unread() != 0) return nullptr;
  return contract(ops::CallArguments(structure, block.argumentBlock().data()));
}

void OperationEntry::keepState(Context& block) { block.keptPlace<CallState>(true).isKept = true; }

void OperationEntry::run(Context& block, bool givesViews) {
  CallState& place = block.keptPlace<CallState>(true);
  CallState fresh;
  CallState& state = place.isKept ? place : fresh;
  std::vector<NDArray*> inputs, outputs;
  for (int i = 0; i < static_cast<int>(block.width()); i++) inputs.push_back(block.optionalArray(i));
  const auto& rows = schema().inputs();
  for (size_t i = 0; i < rows.size(); i++)
    if (!rows[i].isOptional() && !rows[i].isAny() && (i >= inputs.size() || inputs[i] == nullptr))
      invalidArgument("[{}] input {}, '{}', is not given", getOpDescriptor()->name(), i, rows[i].name());
  if (!givesViews) {
    const int declared = getOpDescriptor()->getNumberOfOutputs();
    for (int k = 0; k < std::max(declared, block.numberOfOutputs()); k++) outputs.push_back(getZ(block, k));
  }
  // A step of a plan makes the same call again and again.
  const bool isKnown = state.operation != nullptr && !givesViews && !block.argumentBlock().readsInputs();
  if (!isKnown) {
    state.operation = contractOf(block, static_cast<int>(inputs.size()));
    state.node = describeCall(*state.operation, inputs, outputs);
    if (givesViews) state.node.outputs = infer(shapesOf(state.node.inputs), block);
  }
  const Operation& operation = *state.operation;
  const NodeDescription& node = state.node;
  const auto hidden = static_cast<size_t>(operation.hiddenOutputs());
  const size_t visible = node.outputs.size();
  Operation::Storage storage(visible + hidden);
  for (size_t k = 0; k < outputs.size(); k++) storage[k] = OutputStorage(*outputs[k]);
  std::copy_n(state.hidden.begin(), std::min(hidden, state.hidden.size()),
              storage.begin() + static_cast<std::ptrdiff_t>(visible));
  {
    const Destroyed destroyed(operation, inputs, storage);
    operation.perform(node, inputs, storage);
  }
  if (storage.size() != visible + hidden)
    fail("[{}] perform() has made {} outputs instead of {}", operation.name(), storage.size(), visible + hidden);
  state.hidden.assign(storage.begin() + static_cast<std::ptrdiff_t>(visible), storage.end());
  for (size_t k = 0; k < visible; k++) {
    NDArray* made = storage[k].array();
    if (made == nullptr) fail("[{}] perform() has not made output {}", operation.name(), k);
    if (givesViews) {
      // An array of its own, or one on the memory of an input; the input itself stays where it is.
      if (std::find(inputs.begin(), inputs.end(), made) != inputs.end()) storage[k].setView(*made);
      block.keepMadeOutput(static_cast<int>(k), std::make_unique<NDArray>(std::move(*storage[k].array())));
      continue;
    }
    if (made == outputs[k]) continue;
    if (made->dataType() != outputs[k]->dataType() || !made->isSameShape(*outputs[k]))
      fail("[{}] output {} has shape {} of {} instead of {} of {}", operation.name(), k,
           ShapeUtils::shapeAsString(made), DataTypeUtils::describe(made->dataType()),
           ShapeUtils::shapeAsString(outputs[k]), DataTypeUtils::describe(outputs[k]->dataType()));
    if (!made->isEmpty()) outputs[k]->assign(*made);
  }
}

Status OperationEntry::execute(Context* block) {
  if (block == nullptr || !block->keptPlace<CallState>(true).isKept) return DeclarableOp::execute(block);
  const ops::RunningOp running(getOpDescriptor()->name());
  const ops::CallScope scope(*block, this);
  try {
    if (validate(*block) != Status::OK) return Status::VALIDATION;
    run(*block, true);
    return Status::OK;
  } catch (...) {
    ops::rethrowNamed(getOpDescriptor()->name(), *block);
  }
}

Status OperationEntry::validateAndExecute(Context& block) {
  run(block, false);
  return Status::OK;
}

std::unique_ptr<Operation> classContractOf(const Node& node) {
  auto* entry = dynamic_cast<OperationEntry*>(node.getCustomOp());
  return entry == nullptr ? nullptr : entry->contractOf(*contextOf(node), static_cast<int>(node.inputs().size()));
}

// ---- gradients

void applyGradient(const Operation& operation, ops::Gradient& gradient) {
  Operation::Symbols inputs, outputs, gradients;
  for (int i = 0; i < gradient.inputs(); i++) inputs.push_back(gradient.input(i));
  for (int k = 0; k < gradient.outputs(); k++) outputs.push_back(gradient.output(k));
  for (int k = 0; k < gradient.outputs(); k++) gradients.push_back(gradient.of(k));
  const Operation::Symbols results = operation.grad(inputs, outputs, gradients);
  if (results.empty()) invalidArgument("[{}] it is not differentiable: grad() returns nothing", operation.name());
  if (results.size() != inputs.size())
    invalidArgument("[{}] grad() returns {} gradients for {} inputs", operation.name(), results.size(), inputs.size());
  for (size_t i = 0; i < results.size(); i++)
    if (results[i])
      gradient.set(static_cast<int>(i), results[i]);
    else if (inputs[i])
      gradient.none(static_cast<int>(i), "grad() returns none");
}

}  // namespace sd::graph
