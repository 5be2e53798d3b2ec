#include <array/NDArrayFactory.h>
#include <array/NDArrayFile.h>

#include <cstring>

#include "array/ElementConvert.h"
#include "array/NDArrayCommon.h"

namespace sd {

namespace {

const LongType* infoOf(DataType dtype, char order, const std::vector<LongType>& shape) {
  if (shape.empty()) return ConstantShapeHelper::getInstance().scalarShapeInfo(dtype);
  return arrays::interned(dtype, order, static_cast<int>(shape.size()), shape.data());
}

}  // namespace

NDArray NDArrayFactory::withValues(char order, const Shape& shape, const void* values, size_t count, DataType dtype,
                                   LaunchContext* context) {
  if (shape.empty() && count == 0) return empty(dtype, context);
  const LongType* info = infoOf(dtype, order, shape);
  if (shape::length(info) != static_cast<LongType>(count))
    fail<std::runtime_error>("[NDArrayFactory] {} values given for shape {} of length {}", count,
                             arrays::shapeText(shape::rank(info), info + 1), shape::length(info));
  NDArray array = NDArray::uninitialized(info, context);
  if (count > 0) std::memcpy(array.buffer(), values, count * array.sizeOfT());
  return array;
}

NDArray NDArrayFactory::scalar(DataType dtype, const void* value, DataType valueType, LaunchContext* context) {
  NDArray array = create(dtype, context);
  elements::convert(value, valueType, array.buffer(), dtype);
  return array;
}

NDArray NDArrayFactory::create(char order, const Shape& shape, DataType dtype, LaunchContext* context) {
  if (order != 'c' && order != 'f') fail("[NDArrayFactory] order '{}' is neither 'c' nor 'f'", order);
  if (shape.empty()) return NDArray(dtype, context);
  return NDArray(order, shape, dtype, context);
}

NDArray NDArrayFactory::create(DataType dtype, LaunchContext* context) { return NDArray(dtype, context); }

NDArray NDArrayFactory::create(const ShapeDescriptor& descriptor, LaunchContext* context) {
  const LongType bytes = descriptor.allocLength() * static_cast<LongType>(DataTypeUtils::sizeOf(descriptor.dataType()));
  if (context == nullptr) context = LaunchContext::defaultContext();
  auto buffer = DataBuffer::make(static_cast<size_t>(bytes), descriptor.dataType(), context->getWorkspace());
  return NDArray(std::move(buffer), descriptor, context);
}

NDArray NDArrayFactory::create(char order, const Shape& shape, DataType dtype, const Shape& paddings,
                               const Shape& paddingOffsets, LaunchContext* context) {
  if (paddings.size() != shape.size() || paddingOffsets.size() != shape.size())
    invalidArgument("[NDArrayFactory] {} paddings and {} offsets given for rank {}", paddings.size(),
                    paddingOffsets.size(), shape.size());
  for (size_t d = 0; d < shape.size(); d++)
    if (paddingOffsets[d] < 0 || paddingOffsets[d] > paddings[d])
      invalidArgument("[NDArrayFactory] padding offset {} of dimension {} is outside 0..{}", paddingOffsets[d], d,
                      paddings[d]);
  const ShapeDescriptor descriptor = ShapeDescriptor::paddedBufferDescriptor(dtype, order, shape, paddings);
  LongType bytes, offset = 0;
  if (__builtin_mul_overflow(descriptor.allocLength(), static_cast<LongType>(DataTypeUtils::sizeOf(dtype)), &bytes))
    fail("[NDArrayFactory] a padded array of shape {} is too large",
         arrays::shapeText(static_cast<int>(shape.size()), shape.data()));
  for (size_t d = 0; d < shape.size(); d++) offset += paddingOffsets[d] * descriptor.stridesPtr()[d];
  if (context == nullptr) context = LaunchContext::defaultContext();
  auto buffer = DataBuffer::make(static_cast<size_t>(bytes), dtype, context->getWorkspace());
  return NDArray(std::move(buffer), descriptor, context, offset);
}

NDArray NDArrayFactory::empty(DataType dtype, LaunchContext* context) { return NDArray(dtype, context, false); }

NDArray* NDArrayFactory::create_(char order, const Shape& shape, DataType dtype, LaunchContext* context) {
  return new NDArray(order, shape, dtype, context);
}

NDArray* NDArrayFactory::empty_(DataType dtype, LaunchContext* context) { return new NDArray(dtype, context, false); }

NDArray* NDArrayFactory::filled(const Shape& shape, const void* value, DataType dtype, char order,
                                LaunchContext* context) {
  std::unique_ptr<NDArray> array(new NDArray(NDArray::uninitialized(infoOf(dtype, order, shape), context)));
  NDArray scalar = NDArray::uninitialized(ConstantShapeHelper::getInstance().scalarShapeInfo(dtype), context);
  std::memcpy(scalar.buffer(), value, scalar.sizeOfT());
  if (array->hasElements()) array->assign(scalar);
  return array.release();
}

NDArray* NDArrayFactory::valueOf(const Shape& shape, const NDArray& value, char order, LaunchContext* context) {
  if (value.lengthOf() != 1) fail("[valueOf] the value has shape {}, not one element", arrays::shapeText(value));
  arrays::requireNumbers("valueOf", value);
  return filled(shape, value.buffer(), value.dataType(), order, context);
}

NDArray NDArrayFactory::fromNpyFile(const char* fileName) {
  if (fileName == nullptr) fail<std::runtime_error>("[fromNpyFile] the file name is null");
  return loadNpy(fileName);
}

ResultSet NDArrayFactory::createSetOfArrs(LongType n, const void* buffer, const LongType* shapeInfo,
                                          const LongType* offsets, LaunchContext* context) {
  if (n < 0 || (n > 0 && (buffer == nullptr || shapeInfo == nullptr || offsets == nullptr)))
    fail("[createSetOfArrs] {} arrays cannot be made: a count is negative or a pointer null", n);
  ResultSet set;
  for (LongType i = 0; i < n; i++) {
    const size_t size = DataTypeUtils::sizeOf(ArrayOptions::dataType(shapeInfo));
    char* first = static_cast<char*>(const_cast<void*>(buffer)) + offsets[i] * static_cast<LongType>(size);
    set.pushOwned(std::make_unique<NDArray>(static_cast<void*>(first), shapeInfo, context));
  }
  return set;
}

}  // namespace sd
