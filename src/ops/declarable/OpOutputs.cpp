#include "ops/declarable/OpOutputs.h"

#include <exceptions/allocation_exception.h>
#include <exceptions/datatype_exception.h>
#include <helpers/ShapeUtils.h>
#include <helpers/shape.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "loops/Operand.h"
#include "system/Error.h"

namespace sd::ops {
namespace {

/// The range of addresses that an array covers.
std::pair<const char*, const char*> extent(const NDArray& array) {
  const auto* first = static_cast<const char*>(array.buffer());
  const auto size = static_cast<LongType>(array.sizeOfT());
  const LongType* info = array.shapeInfo();
  if (shape::elementWiseStride(info) == 1) return {first, first + array.lengthOf() * size};
  LongType low = 0, high = 0;
  for (int d = 0; d < shape::rank(info); d++) {
    const LongType reach = (shape::shapeOf(info)[d] - 1) * shape::stride(info)[d];
    (reach < 0 ? low : high) += reach;
  }
  return {first + low * size, first + (high + 1) * size};
}

bool sameView(const NDArray& a, const NDArray& b) {
  return a.buffer() == b.buffer() && a.dataType() == b.dataType() &&
         shape::haveSameShapeAndStrides(a.shapeInfo(), b.shapeInfo());
}

bool fits(const NDArray& output, const LongType* shape) {
  return output.shapeInfo() == shape ||
         (output.dataType() == ArrayOptions::dataType(shape) && output.isEmpty() == shape::isEmpty(shape) &&
          shape::shapeEquals(output.shapeInfo(), shape));
}

/// Whether writing output `index` could change inputs that are still to be read.
bool disturbsInputs(const OpDescriptor& descriptor, graph::Context& block, size_t index, const NDArray& output) {
  if (output.isEmpty() || output.isS()) return false;
  const auto [start, end] = extent(output);
  for (int i = 0, n = static_cast<int>(block.width()); i < n; i++) {
    const NDArray* input = block.optionalArray(i);
    if (input == nullptr || input->isEmpty() || input->isS()) continue;
    const auto [from, to] = extent(*input);
    if (start >= to || from >= end) continue;
    if (!overwritesSafely(descriptor, static_cast<int>(index), i) || !sameView(output, *input)) return true;
  }
  return false;
}

std::string bytesOf(const LongType* info) {
  size_t bytes;
  const size_t size = DataTypeUtils::sizeOf(ArrayOptions::dataType(info));
  if (__builtin_mul_overflow(static_cast<size_t>(shape::length(info)), size, &bytes))
    return "more bytes than can be addressed";
  return fmt::format("{} bytes", bytes);
}

std::unique_ptr<NDArray> newArray(const OpDescriptor& descriptor, const LongType* info) {
  if (descriptor.readsOutputs() || shape::isEmpty(info) || DataTypeUtils::isS(ArrayOptions::dataType(info)))
    return std::make_unique<NDArray>(info, false, LaunchContext::defaultContext(), true);
  return std::make_unique<NDArray>(NDArray::uninitialized(info, LaunchContext::defaultContext()));
}

/// @throws std::runtime_error when the caller's array cannot hold results of this shape
void requireShape(const OpDescriptor& descriptor, size_t index, const NDArray& given, const LongType* shape) {
  const LongType* info = given.shapeInfo();
  if (shape::isEmpty(info) && shape::isEmpty(shape)) return;
  if (!shape::isEmpty(info) && !shape::isEmpty(shape) && shape::shapeEquals(info, shape)) return;
  const auto text = [](const LongType* each) {
    return ShapeUtils::shapeAsString(each) + (shape::isEmpty(each) ? " (empty)" : "");
  };
  fail<std::runtime_error>("[{}] output {}: its shape is {}, but the operation returns shape {}", descriptor.name(),
                           index, text(info), text(shape));
}

}  // namespace

std::unique_ptr<NDArray> newOutput(const OpDescriptor& descriptor, size_t index, const LongType* shape) {
  const LongType* info = ConstantShapeHelper::getInstance().createShapeInfo(ArrayOptions::dataType(shape), shape);
  try {
    return newArray(descriptor, info);
  } catch (const allocation_exception& error) {
    fail<allocation_exception>("[{}] output {}: {} for shape {} of {} could not be allocated: {}", descriptor.name(),
                               index, bytesOf(info), ShapeUtils::shapeAsString(info),
                               DataTypeUtils::describe(ArrayOptions::dataType(info)), error.what());
  }
}

void requireWritable(const OpDescriptor& descriptor, int index, const NDArray& output) {
  if (output.lengthOf() < 2) return;
  const LongType* info = output.shapeInfo();
  if (shape::elementWiseStride(info) == 1 && !output.isS()) return;
  if (output.isS()) {
    if (output.bufferOffset() != 0)
      fail("[{}] output {}: strings cannot be written into a part of a buffer", descriptor.name(), index);
  } else if (loops::overlapsItself(loops::operand(descriptor.name(), "z", output.buffer(), info))) {
    fail("[{}] output {}: some of its elements share memory (shape {}, strides {})", descriptor.name(), index,
         ShapeUtils::shapeAsString(info), ShapeUtils::strideAsString(&output));
  }
}

bool overwritesSafely(const OpDescriptor& descriptor, int output, int input) {
  if (!descriptor.allowsInplace()) return false;
  if (output == input) return true;
  // Element by element, every operand is read before the result is written. Other operations may start with a copy of
  // input 0, as updates do, and then read the others.
  const Schema* schema = descriptor.statedSchema();
  const bool elements = schema != nullptr && schema->elementwise()[0] != '\0';
  return output == 0 && descriptor.getNumberOfOutputs() == 1 &&
         (elements || descriptor.kind() == std::string_view("broadcastable") ||
          descriptor.kind() == std::string_view("numbered"));
}

std::unique_ptr<ShapeList> requireShapes(const std::string& op, ShapeList* list) {
  if (list == nullptr)
    fail<std::runtime_error>("[{}] its shape function returned null instead of a list of shapes", op);
  std::unique_ptr<ShapeList> shapes(list);
  for (int i = 0; i < shapes->size(); i++) {
    if (shapes->at(i) != nullptr) continue;
    const int size = shapes->size();
    shapes->destroy();
    fail<std::runtime_error>("[{}] its shape function returned null for output {} of {}", op, i, size);
  }
  return shapes;
}

ShapeList inputShapes(graph::Context& block) {
  ShapeList shapes;
  const int n = static_cast<int>(block.width());
  for (int i = 0; i < n; i++) {
    const NDArray* input = block.optionalArray(i);
    shapes.push_back(input == nullptr ? nullptr : input->shapeInfo());
  }
  return shapes;
}

bool outputsAreReady(graph::Context& block) {
  const std::vector<NDArray*>& outputs = block.fastpath_out();
  if (outputs.empty() || !block.shapeFunctionOverride()) return false;
  // The operation replaces an array of strings; they must then be moved to the caller's buffer, whose size changes.
  return std::none_of(outputs.begin(), outputs.end(), [](const NDArray* z) { return z != nullptr && z->isS(); });
}

void storePushedOutputs(const OpDescriptor& descriptor, graph::Context& block) {
  for (int k = 0; k < block.numberOfOutputs(); k++) {
    const NDArray* pushed = block.pushedOutput(k);
    if (pushed == nullptr) continue;
    NDArray* output = block.optionalOutput(k);
    if (output == nullptr || block.isMadeOutput(k)) {
      block.keepMadeOutput(k, block.takePushedOutput(k));
    } else {
      requireShape(descriptor, static_cast<size_t>(k), *output, pushed->shapeInfo());
      if (!output->isEmpty()) output->assign(*pushed);
    }
  }
}

void OpOutputs::prepare(const ShapeList& shapes) {
  const bool direct = _block.isFastPath() || _block.givenVariableSpace() == nullptr;
  if (direct)
    for (int i = 0; i < shapes.size(); i++) checkArray(static_cast<size_t>(i), shapes.at(i));
  for (int i = 0; i < shapes.size(); i++) {
    if (direct)
      prepareArray(static_cast<size_t>(i), shapes.at(i));
    else
      prepareVariable(static_cast<size_t>(i), shapes.at(i));
  }
}

void OpOutputs::checkArray(size_t index, const LongType* shape) const {
  const auto& outputs = _block.fastpath_out();
  const NDArray* given = index < outputs.size() ? outputs[index] : nullptr;
  if (given == nullptr || fits(*given, shape) || _block.isMadeOutput(static_cast<int>(index))) {
    if (given != nullptr) requireWritable(_descriptor, static_cast<int>(index), *given);
    return;
  }
  requireShape(_descriptor, index, *given, shape);
  const DataType type = ArrayOptions::dataType(shape);
  if (given->isS() != DataTypeUtils::isS(type))
    fail<std::runtime_error>("[{}] output {}: its type is {}, but the operation returns type {}", _descriptor.name(),
                             index, DataTypeUtils::describe(given->dataType()), DataTypeUtils::describe(type));
  requireWritable(_descriptor, static_cast<int>(index), *given);
}

void OpOutputs::prepareArray(size_t index, const LongType* shape) {
  auto& outputs = _block.fastpath_out();
  if (index >= outputs.size()) outputs.resize(index + 1, nullptr);
  NDArray* given = outputs[index];
  if (given == nullptr || (_block.isMadeOutput(static_cast<int>(index)) && !fits(*given, shape))) {
    _apart.push_back({index, nullptr, newOutput(_descriptor, index, shape)});
    outputs[index] = _apart.back().array.get();
    return;
  }
  const bool converted = given->dataType() != ArrayOptions::dataType(shape) && !_descriptor.convertsOutputs();
  // Strings are written only when all of them are known, because their buffer changes its size. A view result is a
  // separate array, whose elements are then copied.
  const bool isView = _descriptor.viewMap().count(static_cast<int>(index)) != 0;
  if (converted || given->isS() || isView || disturbsInputs(_descriptor, _block, index, *given)) {
    auto apart = std::make_unique<NDArray>(
        converted || given->isS() ? NDArray(shape, false, LaunchContext::defaultContext(), false) : given->ulike());
    if (_descriptor.readsOutputs() && !given->isEmpty()) apart->assign(*given);
    outputs[index] = apart.get();
    _apart.push_back({index, given, std::move(apart)});
  }
}

void OpOutputs::prepareVariable(size_t index, const LongType* shape) {
  graph::Variable* variable = _block.ensureVariable(static_cast<int>(index));
  if (!variable->hasNDArray()) {
    _block.pushNDArrayToVariableSpace(_block.nodeId(), static_cast<int>(index),
                                      newOutput(_descriptor, index, shape).release(), true);
    return;
  }
  const NDArray* array = variable->getNDArray();
  if (array->isEmpty() != shape::isEmpty(shape) ||
      (!array->isEmpty() && !shape::shapeEquals(array->shapeInfo(), shape)))
    fail<std::runtime_error>("[{}] output {}: its shape is {}, but the operation returns shape {}", _descriptor.name(),
                             index, ShapeUtils::shapeAsString(array), ShapeUtils::shapeAsString(shape));
  if (array->dataType() != ArrayOptions::dataType(shape))
    throw datatype_exception::build(
        "[" + _descriptor.name() + "] output " + std::to_string(index) + " has the wrong type",
        ArrayOptions::dataType(shape), array->dataType());
}

void OpOutputs::commit() {
  for (auto& [index, target, array] : _apart) {
    if (target == nullptr)
      _block.keepMadeOutput(static_cast<int>(index), std::move(array));
    else if (!target->isEmpty())
      target->assign(*_block.fastpath_out()[index]);
  }
  _committed = true;
}

OpOutputs::~OpOutputs() {
  if (_apart.empty()) return;
  auto& outputs = _block.fastpath_out();
  for (const Apart& entry : _apart)
    if (entry.target != nullptr || !_committed) outputs[entry.index] = entry.target;
  if (!_committed) outputs.resize(_given);
}

}  // namespace sd::ops
