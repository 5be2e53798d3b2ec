// Arrays on the buffers of C callers, and what the library hands back to them.
#ifndef NDFORGE_SRC_LEGACY_WRAPPED_H
#define NDFORGE_SRC_LEGACY_WRAPPED_H

#include <array/InteropDataBuffer.h>
#include <array/NDArray.h>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "system/Error.h"

namespace sd::legacy {

/// A list of the caller, which may be null when it is empty.
template <typename T>
T* checkedList(const char* argument, T* values, int count) {
  if (count < 0) fail("argument '{}': its length {} is negative", argument, count);
  if (count > 0 && values == nullptr) fail("argument '{}' is null", argument);
  return values;
}

/// An array that shares the memory of a buffer. @throws std::invalid_argument, with the names of the function and of
/// the argument, for shapes that do not fit into the buffer
std::unique_ptr<NDArray> sharedArray(const char* function, const char* argument, InteropDataBuffer* buffer,
                                     const LongType* info);
/// The same for a list of them.
std::vector<std::unique_ptr<NDArray>> sharedArrays(const char* function, const char* buffersName,
                                                   const char* shapesName, InteropDataBuffer* const* buffers,
                                                   const LongType* const* shapes, int count);

/// A buffer that shares the memory of an array.
InteropDataBuffer* sharedBuffer(const NDArray& array);

/// The names in a list of the caller. @throws std::invalid_argument for null
std::vector<std::string> names(const char* argument, const char* const* list, int count);

/// A copy that the caller frees with deleteCharArray, with a terminating zero.
char* copyOf(std::string_view text);

}  // namespace sd::legacy

#endif
