#include "graph/NodeCall.h"

#include <exceptions/allocation_exception.h>
#include <exceptions/datatype_exception.h>
#include <exceptions/graph_exception.h>
#include <ops/simple/SimpleOp.h>

#include <algorithm>
#include <bit>
#include <iterator>
#include <stdexcept>
#include <typeinfo>

#include "graph/GraphFile.h"
#include "ops/declarable/OpOutputs.h"
#include "ops/declarable/ReadArguments.h"
#include "system/Error.h"

namespace sd::graph {
namespace {

/// The scalar operand is the first floating argument of operations that have no input for it.
bool passesScalar(const Node& node) {
  const auto group = groupOf(node.opType());
  for (const auto& named : node.namedArguments())
    if (named.first == "scalar") return false;
  return node.scalarOperand().has_value() && node.inputs().size() < 2 &&
         (group == loops::OpGroup::Scalar || group == loops::OpGroup::ScalarBool);
}

std::vector<ops::PartialShape> inferKnown(const Node& node, Context& block,
                                          const std::vector<ops::PartialShape>& inputs,
                                          const std::vector<const NDArray*>& constants) {
  const KnownInputs known(block, inputs, constants);
  try {
    return node.getCustomOp()->infer(inputs, block);
  } catch (const array_without_memory&) {
    return {};  // it depends on a value that is not known
  }
}

template <typename E>
void rethrowAs(const std::exception& error, const std::string& message) {
  if (typeid(error) == typeid(E)) throw E(message);
}

}  // namespace

NamedArguments namedArguments(const ops::Schema& schema, const ops::CallArguments& arguments) {
  NamedArguments named;
  if (arguments.data() == nullptr) return named;
  if (schema.structure() == nullptr || *schema.structure() != *arguments.type())
    invalidArgument("[{}] these are the arguments of another operation", schema.descriptor().name());
  for (const ops::ArgumentRow& row : schema.arguments()) {
    ops::ArgumentValue value = ops::argumentValue(row, arguments.data());
    const bool isAbsent = value.integers.empty() && value.numbers.empty() && value.name.empty();
    if (!isAbsent || !row.access().optional) named.emplace_back(row.name(), std::move(value));
  }
  return named;
}

std::unique_ptr<Context> contextOf(const Node& node) {
  auto block = std::make_unique<Context>(node.getContextPrototype(), nullptr);
  block->inputs()->clear();
  block->markInplace(false);
  block->setNodeId(node.id());
  if (passesScalar(node)) block->getTArguments()->insert(block->getTArguments()->begin(), *node.scalarOperand());
  // A node without any arguments takes the defaults, however many positional ones the operation demands.
  const bool bare = block->numT() + block->numI() + block->numB() + block->numD() + block->axes().size() == 0;
  if (bare && node.hasCustomOp() && node.getCustomOp()->schema().structure() != nullptr) block->callByName();
  for (const auto& [name, value] : node.namedArguments()) block->setArgument(name, value);
  return block;
}

bool hasArgumentsOf(const Context& block, const Node& node) {
  const ContextPrototype& prototype = *node.getContextPrototype();
  if (!passesScalar(node)) return block.sameArguments(prototype) && block.namedArguments() == node.namedArguments();
  const auto& floats = block.floatArguments();
  const auto same = [](double a, double b) { return std::bit_cast<uint64_t>(a) == std::bit_cast<uint64_t>(b); };
  return floats.size() == prototype.numT() + 1 && same(floats[0], *node.scalarOperand()) &&
         std::equal(floats.begin() + 1, floats.end(), prototype.floatArguments().begin(), same) &&
         block.axes() == prototype.axes() && block.namedArguments() == node.namedArguments();
}

KnownInputs::KnownInputs(Context& block, const std::vector<ops::PartialShape>& shapes,
                         const std::vector<const NDArray*>& constants)
    : _block(block) {
  auto& inputs = block.fastpath_in();
  inputs.assign(shapes.size(), nullptr);
  _shapes.reserve(shapes.size());
  for (size_t i = 0; i < shapes.size(); i++) {
    if (i < constants.size() && constants[i] != nullptr) {
      inputs[i] = const_cast<NDArray*>(constants[i]);
    } else if (shapes[i].isComplete() && !shapes[i].isAbsent()) {
      _shapes.push_back(NDArray::shapeOnly(shapes[i].shapeInfo()));
      inputs[i] = &_shapes.back();
    }
  }
}

KnownInputs::~KnownInputs() {
  if (_shapes.empty()) return;
  for (NDArray*& input : _block.fastpath_in())
    if (input >= _shapes.data() && input < _shapes.data() + _shapes.size()) input = nullptr;
}

std::vector<ops::PartialShape> inferOutputs(const Node& node, Context& block,
                                            const std::vector<ops::PartialShape>& inputs,
                                            const std::vector<const NDArray*>& constants, const std::string& origin) {
  if (node.getCustomOp() == nullptr) return {};
  try {
    return inferKnown(node, block, inputs, constants);
  } catch (...) {
    rethrowAt(placeOf(origin, node));
  }
}

std::vector<ops::PartialShape> inferOutputs(const Node& node, const std::vector<ops::PartialShape>& inputs,
                                            const std::vector<const NDArray*>& constants) {
  if (node.getCustomOp() == nullptr) return {};
  const auto block = contextOf(node);
  return inferKnown(node, *block, inputs, constants);
}

bool mayOverwriteInput(ops::DeclarableOp& op, int output, int input) {
  const ops::OpDescriptor& descriptor = *op.getOpDescriptor();
  return ops::overwritesSafely(descriptor, output, input) && !descriptor.readsOutputs() &&
         !op.schema().isDifferentInPlace();
}

bool mayLieOver(ops::DeclarableOp& op, int output, int input) {
  const auto* simple = dynamic_cast<const ops::SimpleOperation*>(&op);
  return simple != nullptr ? simple->overwrites(output, input) : mayOverwriteInput(op, output, input);
}

bool mayLieOverInputs(ops::DeclarableOp& op) { return mayAddToSums(op) || mayOverwriteInput(op); }

bool mayAddToSums(const ops::DeclarableOp& op) { return dynamic_cast<const ops::SimpleOperation*>(&op) != nullptr; }

bool mayOmitOutputs(ops::DeclarableOp& op) {
  return dynamic_cast<const ops::SimpleBackward*>(&op) != nullptr || op.schema().isSkippingUnreadOutputs();
}

void recordCall(GraphProfile& profile, const Node& node, const CallTimes& times,
                const std::vector<const NDArray*>& inputs, const std::vector<const NDArray*>& outputs) {
  const bool first = !profile.nodeExists(node.id());
  NodeProfile& entry = *profile.nodeById(node.id(), first ? node.getName()->c_str() : nullptr);
  if (first) entry.setOperation(node.operationName());
  entry.addCall(times.preparation, times.execution, times.total);
  entry.clearShapes();
  for (const NDArray* input : inputs)
    if (input != nullptr) entry.addInputShape(input->shapeInfo());
  LongType bytes = 0;
  for (const NDArray* output : outputs) {
    if (output == nullptr) continue;
    entry.addOutputShape(output->shapeInfo());
    bytes += output->isS() ? output->memoryFootprint() : output->lengthOf() * static_cast<LongType>(output->sizeOfT());
  }
  profile.addToActivations(bytes - entry.getActivationsSize());
  profile.addToTotal(bytes - entry.getTotalSize());
  entry.setActivationsSize(bytes);
  entry.setTotalSize(bytes);
  profile.addStep(node.id(), times.start, times.total);
}

void rethrowAt(const std::string& where) { rethrowWith(where + ": ", ""); }

void rethrowWith(const std::string& before, const std::string& after) {
  try {
    throw;
  } catch (const graph_exception&) {
    throw;  // it names the place already
  } catch (const std::exception& error) {
    const std::string message = before + error.what() + after;
    rethrowAs<std::invalid_argument>(error, message);
    rethrowAs<std::out_of_range>(error, message);
    rethrowAs<std::runtime_error>(error, message);
    rethrowAs<std::logic_error>(error, message);
    rethrowAs<datatype_exception>(error, message);
    rethrowAs<allocation_exception>(error, message);
    throw;
  }
}

std::string placeOf(const std::string& origin, const Node& node) { return fileText(origin) + node.describe(); }

unresolved_input_exception unresolvedInput(const std::string& origin, LongType graphId, const Node& node,
                                           size_t input) {
  const auto& [id, index] = node.inputs().at(input);
  return {fmt::format("{}: input {} is ({}, {}), which is neither a node nor a variable", placeOf(origin, node), input,
                      id, index),
          graphId};
}

}  // namespace sd::graph
