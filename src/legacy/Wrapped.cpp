#include "legacy/Wrapped.h"

#include <array/ShapeDescriptor.h>
#include <helpers/shape.h>

#include <cstring>

#include "legacy/Guard.h"
#include "legacy/Operands.h"

namespace sd::legacy {

std::unique_ptr<NDArray> sharedArray(const char* function, const char* argument, InteropDataBuffer* buffer,
                                     const LongType* info) {
  if (info == nullptr) fail("the shape of argument '{}' is null", argument);
  shape::validate(info, function);
  if (shape::isEmpty(info)) return std::make_unique<NDArray>(info, true, LaunchContext::defaultContext());
  input({function, OpGroup::TransformAny, -1}, argument, buffer, info);
  const auto size = static_cast<LongType>(DataTypeUtils::sizeOf(ArrayOptions::dataType(info)));
  const auto offset = static_cast<LongType>(buffer->offset());
  if (offset % size != 0)
    fail("argument '{}': the offset of {} bytes is not a multiple of the element size of {} bytes", argument, offset,
         size);
  return std::make_unique<NDArray>(buffer->getDataBuffer(), ShapeDescriptor(info), LaunchContext::defaultContext(),
                                   offset / size);
}

std::vector<std::unique_ptr<NDArray>> sharedArrays(const char* function, const char* buffersName,
                                                   const char* shapesName, InteropDataBuffer* const* buffers,
                                                   const LongType* const* shapes, int count) {
  checkedList(buffersName, buffers, count);
  checkedList(shapesName, shapes, count);
  std::vector<std::unique_ptr<NDArray>> arrays;
  for (int i = 0; i < count; i++) {
    if (shapes[i] == nullptr) fail("argument '{}': the shape at [{}] is null", shapesName, i);
    arrays.push_back(sharedArray(function, buffersName, buffers[i], shapes[i]));
  }
  return arrays;
}

InteropDataBuffer* sharedBuffer(const NDArray& array) {
  auto buffer = std::make_unique<InteropDataBuffer>(array.dataBuffer());
  if (array.dataBuffer() != nullptr)
    buffer->setOffset(static_cast<uint64_t>(array.bufferOffset()) * DataTypeUtils::sizeOf(array.dataType()));
  return buffer.release();
}

std::vector<std::string> names(const char* argument, const char* const* list, int count) {
  checkedList(argument, list, count);
  std::vector<std::string> result;
  for (int i = 0; i < count; i++) {
    if (list[i] == nullptr) fail("argument '{}': the name at [{}] is null", argument, i);
    result.emplace_back(list[i]);
  }
  return result;
}

char* copyOf(std::string_view text) {
  auto copy = std::make_unique<char[]>(text.size() + 1);
  std::memcpy(copy.get(), text.data(), text.size());
  return copy.release();
}

}  // namespace sd::legacy
