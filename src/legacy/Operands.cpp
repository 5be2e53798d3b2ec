// Checks of the operands that C callers pass.
#include "legacy/Operands.h"

#include <array/ArrayOptions.h>
#include <array/DataTypeUtils.h>
#include <helpers/ConstantShapeHelper.h>
#include <helpers/shape.h>

#include <limits>
#include <span>
#include <string>

#include "loops/OpInfo.h"
#include "system/Error.h"

namespace sd::legacy {

namespace {

std::span<const LongType> slots(const LongType* first, LongType n) { return {first, static_cast<size_t>(n)}; }

/// Runs shape::validate; its message then names the operation and the argument.
void validateShape(const Caller& caller, const char* argument, const LongType* info) {
  try {
    shape::validate(info, caller.function);
  } catch (const std::runtime_error& error) {
    std::string_view text = error.what();
    if (const size_t end = text.find("] "); end != std::string_view::npos) text.remove_prefix(end + 2);
    fail("[{}] argument '{}': {}", caller.name(), argument, text);
  }
}

/// Checks the least and the greatest offset of an element, also for a walk by the element-wise stride. shape::validate
/// has already excluded overflow.
void checkExtent(const Caller& caller, const char* argument, const InteropDataBuffer& buffer, const LongType* info,
                 LongType length) {
  const int rank = shape::rank(info);
  LongType low = 0, high = 0;
  for (int d = 0; d < rank; d++) {
    const LongType reach = (info[1 + d] - 1) * info[1 + rank + d];
    (reach < 0 ? low : high) += reach;
  }
  const LongType ews = shape::elementWiseStride(info);
  if (length > 1 && ews > 0 && ews > high / (length - 1))
    fail("[{}] argument '{}': the element-wise stride {} does not fit shape [{}] with strides [{}]", caller.name(),
         argument, ews, fmt::join(slots(info + 1, rank), ", "), fmt::join(slots(info + 1 + rank, rank), ", "));

  const auto size = static_cast<LongType>(DataTypeUtils::sizeOf(ArrayOptions::dataType(info)));
  const auto before = static_cast<LongType>(buffer.offset()) / size;
  const auto from = static_cast<LongType>(buffer.availableBytes()) / size;
  if (high >= from || low < -before)
    fail("[{}] argument '{}': shape [{}] with strides [{}] uses elements {}..{} of a buffer of {} elements",
         caller.name(), argument, fmt::join(slots(info + 1, rank), ", "), fmt::join(slots(info + 1 + rank, rank), ", "),
         low, high, from);
}

/// Whether the operand is certainly valid. This is true in nearly every call, and costs a fraction of the full check,
/// which also produces the messages.
bool isPlain(const InteropDataBuffer& buffer, const LongType* info) {
  constexpr LongType limit = LongType{1} << 28;  // limit of sizes and strides: nothing below can overflow
  const LongType rank = info[0];
  if (rank < 0 || rank > 4 || buffer.primary() == nullptr) return false;
  LongType length = 1, low = 0, high = 0;
  for (LongType d = 1; d <= rank; d++) {
    const LongType dim = info[d], stride = info[rank + d];
    if (dim < 1 || dim > limit || stride > limit || stride < -limit || length > limit) return false;
    length *= dim;
    const LongType reach = (dim - 1) * stride;
    (reach < 0 ? low : high) += reach;
  }
  const LongType flags = info[2 * rank + 1], ews = info[2 * rank + 2], order = info[2 * rank + 3];
  if (length > limit || ews > limit || (length > 1 && ews > 0 && ews * (length - 1) > high)) return false;
  LongType size = 0;
  switch (flags) {
    case ARRAY_FLOAT:
    case ARRAY_INT:
      size = 4;
      break;
    case ARRAY_DOUBLE:
    case ARRAY_LONG:
      size = 8;
      break;
    case ARRAY_HALF:
    case ARRAY_BHALF:
      size = 2;
      break;
    case ARRAY_BOOL:
      size = 1;
      break;
    default:
      return false;
  }
  return (order == 'c' || order == 'f') && (high + 1) * size <= static_cast<LongType>(buffer.availableBytes()) &&
         -low * size <= static_cast<LongType>(buffer.offset());
}

void* checkedData(const Caller& caller, const char* argument, const InteropDataBuffer* buffer, const LongType* info) {
  if (buffer == nullptr || buffer->buffer() == nullptr)
    fail("[{}] argument '{}': the buffer is null", caller.name(), argument);
  if (info == nullptr) fail("[{}] argument '{}': the shapeInfo is null", caller.name(), argument);
  if (isPlain(*buffer, info)) return buffer->primary();
  validateShape(caller, argument, info);
  void* data = buffer->primary();
  const LongType length = shape::length(info);
  if (length == 0) return data;
  if (data == nullptr) fail("[{}] argument '{}': the buffer has no memory", caller.name(), argument);
  checkExtent(caller, argument, *buffer, info, length);
  return data;
}

}  // namespace

std::string_view Caller::name() const {
  const loops::NumberedOp* found = loops::findOp(group, op);
  return found != nullptr ? found->name : std::string_view(function);
}

In input(const Caller& caller, const char* argument, const InteropDataBuffer* buffer, const LongType* info) {
  return {checkedData(caller, argument, buffer, info), info};
}

Out output(const Caller& caller, const char* argument, const InteropDataBuffer* buffer, const LongType* info) {
  return {checkedData(caller, argument, buffer, info), info};
}

const Axes& axes(const Caller& caller, const InteropDataBuffer* buffer, const LongType* info) {
  // Reused, so that a call does not allocate.
  static thread_local Axes result;
  const char* argument = "dimension";
  const void* data = checkedData(caller, argument, buffer, info);
  const LongType n = shape::length(info);
  if (n > SD_MAX_RANK) fail("[{}] argument '{}': {} axes are too many", caller.name(), argument, n);
  const DataType type = ArrayOptions::dataType(info);
  if (type != INT32 && type != INT64)
    fail("[{}] argument '{}' has type {}: INT32 or INT64 expected", caller.name(), argument,
         DataTypeUtils::describe(type));
  result.resize(static_cast<size_t>(n));
  const bool isVector = shape::rank(info) <= 1;
  LongType coords[SD_MAX_RANK];
  for (LongType i = 0; i < n; i++) {
    LongType at = isVector && n > 1 ? i * shape::stride(info)[0] : 0;
    if (!isVector) {
      shape::index2coords(i, info, coords);
      at = shape::getOffset(info, coords);
    }
    const LongType axis =
        type == INT32 ? static_cast<const int32_t*>(data)[at] : static_cast<const LongType*>(data)[at];
    if (axis < std::numeric_limits<int>::min() || axis > std::numeric_limits<int>::max())
      fail("[{}] argument '{}': axis {} is out of range", caller.name(), argument, axis);
    result[static_cast<size_t>(i)] = static_cast<int>(axis);
  }
  return result;
}

bool leavesOutput(const Caller& caller, const LongType* info, const LongType* other) {
  loops::opInfo(caller.group, caller.op);
  return loops::lacksElements(info) || (other != nullptr && loops::lacksElements(other));
}

const LongType* memoryOrder(const LongType* info) {
  if (info == nullptr || !shape::isContiguous(info)) return info;
  return ConstantShapeHelper::getInstance().vectorShapeInfo(shape::length(info), ArrayOptions::dataType(info));
}

}  // namespace sd::legacy
