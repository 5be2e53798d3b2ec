// Contracts on arrays: storage of outputs, and calls.
#include <graph/Context.h>
#include <graph/Operation.h>
#include <ops/declarable/DeclarableOp.h>

#include <algorithm>

#include "system/Error.h"

namespace sd::graph {
namespace {

/// Whether the array has the planned type and layout.
bool fits(const NDArray* array, const ops::PartialShape& shape) {
  return array != nullptr && shape.isComplete() && !array->isS() && array->shapeInfo() == shape.shapeInfo();
}

}  // namespace

// ---- storage

NDArray& OutputStorage::require(DataType type, const std::vector<LongType>& shape) {
  const LongType* info = ops::PartialShape(type, shape).shapeInfo();
  if (_array == nullptr || _array->shapeInfo() != info)
    set(NDArray::uninitialized(info, LaunchContext::defaultContext()));
  return *_array;
}

NDArray& OutputStorage::requireLike(const NDArray& other) {
  return require(other.dataType(), other.getShapeAsVector());
}

void OutputStorage::setView(NDArray& array) {
  // Without elements there is nothing to share, and strings do not lie in the array's own memory.
  if (array.isEmpty() || array.isS())
    set(NDArray(array));
  else
    _array = std::make_shared<NDArray>(array.buffer(), array.shapeInfo());
}

// ---- calls

void Operation::perform(const NodeDescription& node, const std::vector<NDArray*>& inputs, Storage& outputs) const {
  ops::DeclarableOp& op = registered();
  Context block(1);
  block.fastpath_in() = inputs;
  const ops::CallArguments arguments = callArguments();
  if (arguments.data() != nullptr) block.setArguments(*arguments.type(), arguments.data());
  const bool reuses = !node.outputs.empty() && outputs.size() == node.outputs.size() &&
                      std::equal(node.outputs.begin(), node.outputs.end(), outputs.begin(),
                                 [](const ops::PartialShape& shape, const OutputStorage& storage) {
                                   return fits(storage.array(), shape);
                                 });
  if (reuses)
    for (size_t k = 0; k < outputs.size(); k++) block.setOutputArray(static_cast<int>(k), outputs[k].array());
  const Status status = op.execute(&block);
  if (status != Status::OK) invalidArgument("[{}] {}", name(), op.failureMessage(status));
  if (reuses) return;
  outputs.resize(static_cast<size_t>(block.numberOfOutputs()));
  for (size_t k = 0; k < outputs.size(); k++) outputs[k].set(std::move(*block.optionalOutput(static_cast<int>(k))));
}

std::vector<NDArray> Operation::evaluate(const std::vector<const NDArray*>& inputs) const {
  Operands operands;
  for (const NDArray* input : inputs)
    if (input == nullptr)
      operands.emplace_back();
    else
      operands.emplace_back(*input);
  const NodeDescription node = makeNode(operands);
  std::vector<NDArray*> arrays;
  for (const NDArray* input : inputs) arrays.push_back(const_cast<NDArray*>(input));
  Storage storage(node.outputs.size() + static_cast<size_t>(hiddenOutputs()));
  std::vector<std::shared_ptr<NDArray>> copies;
  for (const auto& [output, destroyed] : destroyMap())
    for (const int i : destroyed) {
      NDArray*& array = arrays.at(static_cast<size_t>(i));
      if (array == nullptr) continue;
      copies.push_back(std::make_shared<NDArray>(*array));
      array = copies.back().get();
      if (i == destroyed.front()) storage.at(static_cast<size_t>(output)) = OutputStorage(copies.back());
    }
  perform(node, arrays, storage);
  std::vector<NDArray> results;
  const size_t count = storage.size() - static_cast<size_t>(hiddenOutputs());
  for (size_t k = 0; k < count; k++) {
    if (storage[k].array() == nullptr) invalidArgument("[{}] it has not made output {}", name(), k);
    results.emplace_back(*storage[k].array());
  }
  return results;
}

}  // namespace sd::graph
