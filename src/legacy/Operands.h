// Converts the operands that C callers pass to numbered operations into checked operands of the executor.
#ifndef NDFORGE_SRC_LEGACY_OPERANDS_H
#define NDFORGE_SRC_LEGACY_OPERANDS_H

#include <array/InteropDataBuffer.h>
#include <loops/Executor.h>

#include <string_view>

namespace sd::legacy {

using loops::Axes;
using loops::In;
using loops::OpGroup;
using loops::Out;

/// The caller, for messages.
struct Caller {
  const char* function;
  OpGroup group;
  int op;

  /// The name of the operation, or of the C function when there is no such operation.
  std::string_view name() const;
};

/// Checks a buffer with its shapeInfo: neither is null, the shape is valid, and all elements are inside the buffer.
/// @throws std::invalid_argument, whose message names the operation and the argument
In input(const Caller& caller, const char* argument, const InteropDataBuffer* buffer, const LongType* info);
Out output(const Caller& caller, const char* argument, const InteropDataBuffer* buffer, const LongType* info);

/// The shape of a contiguous array's memory, a vector with as many elements; the shape itself when it is not
/// contiguous.
const LongType* memoryOrder(const LongType* info);

/// The axes in a `dimension` operand, unchanged; INT32 or INT64. The result is valid until the next call in this
/// thread.
const Axes& axes(const Caller& caller, const InteropDataBuffer* buffer, const LongType* info);

/// Whether an element-wise operation leaves its output as it is, because `info` or `other` has no elements.
/// @throws std::invalid_argument when there is no such operation
bool leavesOutput(const Caller& caller, const LongType* info, const LongType* other = nullptr);

}  // namespace sd::legacy

// Parameters that the C functions use for each operand; their names are derived from X.
#define SD_OPERATION sd::Pointer*, int opNum
#define SD_BUFFER(X) OpaqueDataBuffer *db##X, sd::LongType const *h##X##ShapeInfo, sd::LongType const *

#endif
