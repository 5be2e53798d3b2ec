#include "ops/declarable/InPlace.h"

#include <helpers/ShapeUtils.h>
#include <helpers/shape.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "ops/declarable/OpOutputs.h"
#include "system/Error.h"

namespace sd::ops {
namespace {

bool converts(const OpDescriptor& descriptor) {
  constexpr std::string_view NAMES[] = {"cast",     "to_double", "to_float16", "to_float32",
                                        "to_int32", "to_int64",  "to_uint32",  "to_uint64"};
  return std::find(std::begin(NAMES), std::end(NAMES), descriptor.name()) != std::end(NAMES);
}

/// Writes the result into the memory of the array as far as that can have its shape.
void store(NDArray& target, NDArray& result) {
  if (target.lengthOf() != result.lengthOf() || result.isEmpty()) {
    target = std::move(result);
    return;
  }
  target.assign(result.reshape('c', target.getShapeAsVector()));
  target.reshapei(result.ordering(), result.getShapeAsVector());
}

}  // namespace

InPlaceCall::InPlaceCall(const OpDescriptor& descriptor, graph::Context& block, const ShapeList& shapes)
    : _descriptor(descriptor), _block(block), _shapes(shapes) {
  _isDirect = descriptor.allowsInplace();
  for (int k = 0; k < shapes.size(); k++) {
    const NDArray* target = targetOf(k);
    if (target != nullptr) requireFit(k, *target);
    _isDirect = _isDirect && target != nullptr && target == block.optionalArray(k) && hasShape(k, *target);
  }
}

InPlaceCall::~InPlaceCall() {
  if (!_hasBegun) return;
  auto& outputs = _block.fastpath_out();
  size_t kept = _given.size();
  for (size_t k = 0; k < outputs.size(); k++) {
    if (_block.isMadeOutput(static_cast<int>(k)))
      kept = std::max(kept, k + 1);
    else
      outputs[k] = k < _given.size() ? _given[k] : nullptr;
  }
  outputs.resize(kept, nullptr);
  _block.markInplace(true);
}

NDArray* InPlaceCall::targetOf(int index) const {
  NDArray* output = _block.isMadeOutput(index) ? nullptr : _block.optionalOutput(index);
  return output != nullptr ? output : _block.optionalArray(index);
}

bool InPlaceCall::hasShape(int index, const NDArray& target) const {
  const LongType* shape = _shapes.at(index);
  return target.isEmpty() == shape::isEmpty(shape) && shape::shapeEquals(target.shapeInfo(), shape);
}

void InPlaceCall::requireFit(int index, const NDArray& target) {
  const LongType* shape = _shapes.at(index);
  const DataType type = ArrayOptions::dataType(shape);
  if (target.dataType() != type && converts(_descriptor)) {
    _isIdle = true;
    return;
  }
  requireWritable(_descriptor, index, target);
  // Arrays of a caller get new memory. Others are memory of a fixed size, and operations that are declared to work in
  // place write to the memory that is there.
  const bool isInput = &target == _block.optionalArray(index);
  const bool mayGrow = _block.takesPushedOutputs() && !_descriptor.allowsInplace();
  const bool mayReshape = isInput && _descriptor.kind() != std::string_view("broadcastable") &&
                          (mayGrow || target.lengthOf() == shape::length(shape));
  if (target.dataType() == type && (mayReshape || hasShape(index, target))) return;
  invalidArgument("[{}] in place: output {} ({} of shape {}) does not fit into {} {} ({} of shape {})",
                  _descriptor.name(), index, DataTypeUtils::describe(type), ShapeUtils::shapeAsString(shape),
                  isInput ? "input" : "the array for output", index, DataTypeUtils::describe(target.dataType()),
                  ShapeUtils::shapeAsString(&target));
}

void InPlaceCall::begin() {
  std::vector<NDArray*> targets;
  for (int k = 0; k < _shapes.size(); k++) {
    NDArray* target = targetOf(k);
    if (target != nullptr && !hasShape(k, *target)) {
      _reshaped.push_back({target, newOutput(_descriptor, static_cast<size_t>(k), _shapes.at(k))});
      target = _reshaped.back().result.get();
    }
    targets.push_back(target);
  }
  auto& outputs = _block.fastpath_out();
  _given = outputs;
  for (size_t k = targets.size(); k < _given.size(); k++) targets.push_back(_given[k]);
  outputs = std::move(targets);
  _block.markInplace(false);
  _hasBegun = true;
}

void InPlaceCall::commit() {
  for (auto& [target, result] : _reshaped) store(*target, *result);
}

}  // namespace sd::ops
