#include "GraphGeneratorCalls.h"

#include <graph/Context.h>
#include <graph/Node.h>
#include <ops/declarable/OpRegistrator.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <stdexcept>

#include "ops/declarable/Example.h"

namespace sd::graphtest {

void GeneratedCall::fill(graph::Context& block) const {
  // As a node does: the scalar is the first floating argument.
  if (scalar) block.getTArguments()->push_back(*scalar);
  block.setTArguments(floats);
  block.setIArguments(integers);
  *block.getAxis() = axes;
  for (const auto& [key, value] : named) block.setArgument(key, value);
}

std::vector<ArrayPtr> GeneratedCall::evaluate(const std::vector<NDArray*>& inputs) const {
  const auto block = std::make_shared<graph::Context>(1);
  fill(*block);
  for (size_t i = 0; i < inputs.size(); i++) block->setInputArray(static_cast<int>(i), inputs[i]);
  const Status status = op->execute(block.get());
  if (status != Status::OK) throw std::runtime_error(op->failureMessage(status));
  std::vector<ArrayPtr> results;
  for (NDArray* array : block->fastpath_out()) results.emplace_back(block, array);
  return results;
}

std::vector<ops::PartialShape> GeneratedCall::infer(const std::vector<NDArray*>& inputs) const {
  graph::Context block(1);
  fill(block);
  std::vector<ops::PartialShape> shapes;
  for (NDArray* input : inputs) {
    shapes.push_back(input == nullptr ? ops::PartialShape::absent() : ops::PartialShape::of(input->shapeInfo()));
    block.fastpath_in().push_back(input);
  }
  return op->infer(shapes, block);
}

bool sameBits(const NDArray& a, const NDArray& b) {
  if (a.dataType() != b.dataType() || !a.isSameShape(b)) return false;
  if (a.isEmpty() || b.isEmpty()) return a.isEmpty() == b.isEmpty();
  // Both contiguous and in the order of indices.
  const NDArray x = a.dup('c'), y = b.dup('c');
  const size_t size = x.sizeOfT(), count = static_cast<size_t>(x.lengthOf());
  const auto *p = static_cast<const char*>(x.buffer()), *q = static_cast<const char*>(y.buffer());
  if (std::memcmp(p, q, size * count) == 0) return true;
  if (!x.isR()) return false;
  for (size_t i = 0; i < count; i++) {
    const auto at = static_cast<LongType>(i);
    if (std::memcmp(p + i * size, q + i * size, size) != 0 &&
        !(std::isnan(x.e<double>(at)) && std::isnan(y.e<double>(at))))
      return false;
  }
  return true;
}

namespace {

/// Random results that depend on the context's generator differ between these.
std::vector<ArrayPtr> evaluateWith(const GeneratedCall& call, const std::vector<NDArray*>& inputs, LongType seed) {
  const auto block = std::make_shared<graph::Context>(1);
  call.fill(*block);
  for (size_t i = 0; i < inputs.size(); i++) block->setInputArray(static_cast<int>(i), inputs[i]);
  block->setRng(graph::RandomGenerator(seed, seed + 1));
  block->setRandomSeed(static_cast<uint64_t>(seed));
  if (call.op->execute(block.get()) != Status::OK) return {};
  std::vector<ArrayPtr> results;
  for (NDArray* array : block->fastpath_out()) results.emplace_back(block, array);
  return results;
}

bool isUsable(const KnownCall& known) {
  const ops::OpDescriptor& descriptor = *known.call.op->getOpDescriptor();
  const std::string_view kind = descriptor.kind();
  if (kind == "list" || kind == "logic" || descriptor.isDivergent()) return false;
  if (known.call.op->schema().sideEffect()[0] != '\0' || known.call.op->schema().example()[0] == '\0') return false;
  if (descriptor.isRandom() && known.call.op->schema().argument("seed") == nullptr) return false;
  // Its seed is a part of the state alone: the rest is that of the context, which small seeds hardly change.
  if (descriptor.name() == "random_crop") return false;
  std::vector<NDArray*> inputs;
  std::vector<ArrayPtr> distinct;
  for (size_t i = 0; i < known.inputs.size(); i++) {
    ArrayPtr input = known.inputs[i];
    if (input != nullptr && input->isS()) return false;
    if (descriptor.isRandom() && known.isData[i]) {
      // Random places are seen only where the values differ.
      input = std::make_shared<NDArray>(input->dup());
      for (LongType k = 0; k < input->lengthOf(); k++) input->p<double>(k, 0.1 + 0.01 * static_cast<double>(k));
      distinct.push_back(input);
    }
    inputs.push_back(input.get());
  }
  try {
    const auto first = evaluateWith(known.call, inputs, 11);
    if (first.empty()) return false;
    for (const ArrayPtr& result : first)
      if (result == nullptr || result->isS()) return false;
    // Few random results of small examples may be equal by chance.
    for (uint64_t i = 1; i < (descriptor.isRandom() ? 40u : 2u); i++) {
      const auto seed = static_cast<LongType>(i * 0x9E3779B97F4A7C15u >> 1);
      const auto other = evaluateWith(known.call, inputs, seed);
      if (other.size() != first.size()) return false;
      for (size_t k = 0; k < first.size(); k++)
        if (!sameBits(*first[k], *other[k])) return false;
    }
  } catch (const std::exception&) {
    return false;
  }
  return true;
}

/// Whether the result over the first input is another one, as decode_bitmap adds to weights that it is given so.
bool addsInPlace(const KnownCall& known) {
  if (!known.call.op->getOpDescriptor()->allowsInplace() || known.inputs.empty() || known.inputs[0] == nullptr)
    return false;
  std::vector<NDArray*> inputs;
  for (const ArrayPtr& input : known.inputs) inputs.push_back(input.get());
  NDArray over = inputs[0]->dup();
  // The example's own values may be zeros.
  for (LongType i = 0; over.isR() && i < over.lengthOf(); i++) over.p<double>(i, over.e<double>(i) + 0.25);
  inputs[0] = &over;
  try {
    const std::vector<ArrayPtr> apart = known.call.evaluate(inputs);
    if (apart.size() != 1 || !apart[0]->isSameShape(over) || apart[0]->dataType() != over.dataType()) return false;
    graph::Context block(1);
    known.call.fill(block);
    for (size_t i = 0; i < inputs.size(); i++) block.setInputArray(static_cast<int>(i), inputs[i]);
    block.setOutputArray(0, &over);
    return known.call.op->execute(&block) != Status::OK || !sameBits(over, *apart[0]);
  } catch (const std::exception&) {
    return false;  // other values do not suit the operation
  }
}

KnownCall knownCall(ops::DeclarableOp& op) {
  KnownCall known;
  known.call.op = &op;
  const ops::Schema& schema = op.schema();
  ops::Example example = ops::readExample(schema);
  known.call.named = example.arguments;
  for (size_t i = 0; i < example.inputs.size(); i++) {
    const ops::InputRow* row = schema.inputRow(static_cast<int>(i));
    const bool argument = row == nullptr || row->givesShapes() || schema.argument(row->name()) != nullptr;
    const NDArray* input = example.inputs[i].get();
    known.isData.push_back(!argument && input != nullptr && input->isR());
    known.inputs.emplace_back(std::move(example.inputs[i]));
  }
  if (schema.argument("seed") != nullptr && op.getOpDescriptor()->isRandom()) {
    ops::ArgumentValue seed;
    seed.integers = {7};
    known.call.named.emplace_back("seed", seed);
  }
  return known;
}

struct Table {
  std::vector<KnownCall> calls;
  std::vector<const KnownCall*> broadcasting, activations, reductions;
  std::vector<const KnownCall*> families[loops::OP_FAMILY_COUNT];

  Table() {
    auto& registry = ops::OpRegistrator::getInstance();
    for (ops::DeclarableOp* op : registry.operations()) {
      KnownCall known = knownCall(*op);
      if (!isUsable(known)) continue;
      known.call.addsInPlace = addsInPlace(known);
      calls.push_back(std::move(known));
    }
    const size_t custom = calls.size();
    std::vector<const loops::NumberedOp*> numbered;
    for (const loops::NumberedOp& op : loops::numberedOps()) {
      KnownCall known = knownCall(*registry.find(loops::qualifiedName(op)));
      // Groups without a type of nodes are called by name.
      known.call.type = graph::opTypeOf(op.group);
      known.call.number = op.number;
      if (!isUsable(known)) continue;
      calls.push_back(std::move(known));
      numbered.push_back(&op);
    }
    for (size_t i = 0; i < calls.size(); i++) {
      const KnownCall& known = calls[i];
      if (i >= custom) {
        families[static_cast<int>(loops::traitsOf(numbered[i - custom]->group).family)].push_back(&known);
        continue;
      }
      const ops::Schema& schema = known.call.op->schema();
      const std::string_view kind = known.call.op->getOpDescriptor()->kind();
      if (kind == "broadcastable" && known.inputs.size() == 2) broadcasting.push_back(&known);
      if (schema.reduction()[0] != '\0' && schema.argument("axis") != nullptr) reductions.push_back(&known);
      if (isActivation(known)) activations.push_back(&known);
    }
  }

  static bool isActivation(const KnownCall& known) {
    if (known.inputs.size() != 1 || known.inputs[0] == nullptr || !known.inputs[0]->isR()) return false;
    // Of one element after another, or along the last axis: it takes other shapes as well.
    NDArray other('c', {2, 3, 2}, FLOAT32);
    other.linspace(0.05, 0.05);
    try {
      const std::vector<ops::PartialShape> shapes = known.call.infer({&other});
      return shapes.size() == 1 && shapes[0].isComplete() && shapes[0].sizes() == std::vector<LongType>{2, 3, 2} &&
             known.call.evaluate({&other}).size() == 1;
    } catch (const std::exception&) {
      return false;
    }
  }
};

const Table& table() {
  static const Table instance;
  return instance;
}

}  // namespace

const std::vector<KnownCall>& knownCalls() { return table().calls; }
const std::vector<const KnownCall*>& broadcastingCalls() { return table().broadcasting; }
const std::vector<const KnownCall*>& activationCalls() { return table().activations; }
const std::vector<const KnownCall*>& reductionCalls() { return table().reductions; }
const std::vector<const KnownCall*>& callsOf(loops::OpFamily family) {
  return table().families[static_cast<int>(family)];
}

}  // namespace sd::graphtest
