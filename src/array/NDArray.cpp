// Construction, copying and description of arrays.
#include <array/NDArray.h>
#include <exceptions/allocation_exception.h>
#include <helpers/ShapeUtils.h>

#include <cstring>
#include <utility>

#include "array/ElementConvert.h"
#include "array/NDArrayCommon.h"
#include "shape/broadcasting.h"

namespace sd {

namespace {

ConstantShapeHelper& shapes() { return ConstantShapeHelper::getInstance(); }

LaunchContext* orDefault(LaunchContext* context) {
  return context != nullptr ? context : LaunchContext::defaultContext();
}

const LongType* requireInfo(const LongType* info) {
  if (info == nullptr) fail("[NDArray] the shapeInfo is null");
  return info;
}

int checkedRank(const std::vector<LongType>& shape) {
  if (shape.size() > SD_MAX_RANK) invalidArgument("[NDArray] rank {} is outside 0..{}", shape.size(), SD_MAX_RANK);
  return static_cast<int>(shape.size());
}

const LongType* emptyOrContiguous(DataType type, char order, const std::vector<LongType>& shape) {
  if (shape.empty()) return shapes().emptyShapeInfo(type);
  return arrays::interned(type, order, checkedRank(shape), shape.data());
}

const LongType* scalarOrContiguous(DataType type, char order, const std::vector<LongType>& shape) {
  if (shape.empty()) return shapes().scalarShapeInfo(type);
  return arrays::interned(type, order, checkedRank(shape), shape.data());
}

// The interned shapeInfo that a constructor derives from a caller's shapeInfo.
const LongType* internedLike(const LongType* info, DataType type, bool copyStrides) {
  requireInfo(info);
  const LongType* own = shapes().bufferForShapeInfo(info).primary();
  if (!copyStrides) return arrays::contiguous(own, type, shape::order(own));
  return ArrayOptions::dataType(own) == type ? own : shapes().castShapeInfo(own, type);
}

struct Reach {
  LongType first = 0, last = -1;  // offsets of the outermost elements
};

Reach reachOf(const LongType* info) {
  if (shape::isEmpty(info)) return {};
  Reach reach{0, 0};
  for (int d = 0, rank = shape::rank(info); d < rank; d++) {
    LongType span, *end = shape::stride(info)[d] < 0 ? &reach.first : &reach.last;
    if (__builtin_mul_overflow(info[1 + d] - 1, shape::stride(info)[d], &span) ||
        __builtin_add_overflow(*end, span, end))
      fail("[NDArray] shape {}: the strides overflow", arrays::shapeText(rank, info + 1));
  }
  return reach;
}

}  // namespace

// ---- construction

NDArray::NDArray() : ArrayElements(LaunchContext::defaultContext()) {}
NDArray::NDArray(LaunchContext* context) : ArrayElements(orDefault(context)) {}
NDArray::~NDArray() = default;

NDArray::NDArray(const LongType* internedShapeInfo, LaunchContext* context, Uninitialized, LongType elements)
    : ArrayElements(orDefault(context)) {
  setInterned(internedShapeInfo);
  allocate(elements < 0 ? _length : elements, false);
}

NDArray::NDArray(char order, const std::vector<LongType>& shape, DataType dtype, LaunchContext* context)
    : ArrayElements(orDefault(context)) {
  setInterned(emptyOrContiguous(dtype, order, shape));
  allocate(_length, true);
}

NDArray::NDArray(char order, const std::vector<LongType>& shape, const std::vector<double>& data, DataType dtype,
                 LaunchContext* context)
    : ArrayElements(orDefault(context)) {
  setInterned(data.empty() ? emptyOrContiguous(dtype, order, shape) : scalarOrContiguous(dtype, order, shape));
  if (static_cast<LongType>(data.size()) != _length)
    fail<std::runtime_error>("[NDArray] {} values given for shape {} of length {}", data.size(),
                             arrays::shapeText(*this), _length);
  arrays::requireNumbers("NDArray", *this);
  allocate(_length, false);
  if (_length == 1)
    writeElement(0, data.data(), DOUBLE);
  else if (_length > 1)
    loops::assign({data.data(), arrays::contiguous(_shapeInfo, DOUBLE, order)}, arrays::out(*this));
}

NDArray::NDArray(DataType dtype, LaunchContext* context, bool isScalar) : ArrayElements(orDefault(context)) {
  setInterned(isScalar ? shapes().scalarShapeInfo(dtype) : shapes().emptyShapeInfo(dtype));
  allocate(_length, true);
}

NDArray::NDArray(const NDArray& other) : ArrayElements(other._context) {
  if (other._shapeInfo == nullptr) return;
  if (!other.hasElements()) {
    setInterned(other._shapeInfo);
    allocate(0, false);
  } else {
    *this = other.dup();
  }
}

NDArray::NDArray(NDArray&& other) noexcept = default;

NDArray::NDArray(const NDArray* other, bool copyStrides, LaunchContext* context) : ArrayElements(orDefault(context)) {
  if (other == nullptr) fail("[NDArray] the array to copy the shape from is null");
  if (other->_shapeInfo == nullptr) return;
  setInterned(internedLike(other->_shapeInfo, other->_dataType, copyStrides));
  allocate(reachOf(_shapeInfo).last + 1, true);
}

NDArray::NDArray(const LongType* shapeInfo, bool copyStrides, LaunchContext* context, bool nullify)
    : NDArray(shapeInfo, ArrayOptions::dataType(requireInfo(shapeInfo)), copyStrides, context, nullify) {}

NDArray::NDArray(const LongType* shapeInfo, DataType dtype, bool copyStrides, LaunchContext* context, bool nullify)
    : ArrayElements(orDefault(context)) {
  setInterned(internedLike(shapeInfo, dtype, copyStrides));
  const Reach reach = reachOf(_shapeInfo);
  if (reach.first < 0) fail("[NDArray] shape {}: a new array cannot have negative strides", arrays::shapeText(*this));
  allocate(reach.last + 1, nullify);
}

NDArray::NDArray(void* buffer, LongType* shapeInfo, LaunchContext* context, bool isBuffAlloc)
    : NDArray(buffer, static_cast<const LongType*>(shapeInfo), context, isBuffAlloc) {}

NDArray::NDArray(void* buffer, const LongType* shapeInfo, LaunchContext* context, bool isBuffAlloc)
    : ArrayElements(orDefault(context)) {
  wrap(buffer, shapes().bufferForShapeInfo(requireInfo(shapeInfo)).primary(), isBuffAlloc);
}

NDArray::NDArray(void* buffer, void*, const LongType* shapeInfo, LaunchContext* context, bool isBuffAlloc, bool)
    : NDArray(buffer, shapeInfo, context, isBuffAlloc) {}

NDArray::NDArray(void* buffer, char order, const std::vector<LongType>& shape, DataType dtype, LaunchContext* context,
                 bool isBuffAlloc)
    : ArrayElements(orDefault(context)) {
  wrap(buffer, emptyOrContiguous(dtype, order, shape), isBuffAlloc);
}

NDArray::NDArray(void* buffer, char order, const std::vector<LongType>& shape, DataType dtype, LaunchContext* context,
                 bool isBuffAlloc, bool isView, LongType offset)
    : ArrayElements(orDefault(context)) {
  if (offset < 0) fail("[NDArray] offset {} is negative", offset);
  wrap(buffer, emptyOrContiguous(dtype, order, shape), isBuffAlloc);
  _buffer =
      std::make_shared<DataBuffer>(buffer, (static_cast<size_t>(offset) + _length) * _elementSize, dtype, isBuffAlloc);
  _offset = offset;
  _isView = isView;
}

NDArray::NDArray(std::shared_ptr<DataBuffer> buffer, const ShapeDescriptor& descriptor, LaunchContext* context,
                 LongType offset)
    : ArrayElements(orDefault(context)) {
  share(std::move(buffer), shapes().createShapeInfo(descriptor), offset);
}

NDArray::NDArray(std::shared_ptr<DataBuffer> buffer, char order, const std::vector<LongType>& shape,
                 LaunchContext* context)
    : ArrayElements(orDefault(context)) {
  if (buffer == nullptr) fail("[NDArray] the buffer is null");
  const DataType type = buffer->getDataType();
  share(std::move(buffer), emptyOrContiguous(type, order, shape), 0);
}

NDArray::NDArray(std::shared_ptr<DataBuffer> buffer, char order, const std::vector<LongType>& shape, DataType dtype,
                 LaunchContext* context, bool, bool isView, LongType offset)
    : ArrayElements(orDefault(context)) {
  share(std::move(buffer), emptyOrContiguous(dtype, order, shape), offset);
  _isView = isView;
}

NDArray& NDArray::operator=(const NDArray& other) {
  if (this == &other) return *this;
  if (_shapeInfo != nullptr && other._shapeInfo != nullptr && _dataType == other._dataType && hasElements() && !isS() &&
      shape::shapeEquals(_shapeInfo, other._shapeInfo)) {
    assign(other);
    return *this;
  }
  return *this = NDArray(other);
}

NDArray& NDArray::operator=(NDArray&& other) noexcept = default;

NDArray NDArray::uninitialized(DataType dtype, char order, int rank, const LongType* dims, LaunchContext* context) {
  return NDArray(arrays::interned(dtype, order, rank, dims), context, Uninitialized{});
}

NDArray NDArray::uninitialized(const LongType* internedShapeInfo, LaunchContext* context) {
  return NDArray(internedShapeInfo, context, Uninitialized{});
}

NDArray NDArray::shapeOnly(const LongType* shapeInfo) {
  NDArray array(LaunchContext::defaultContext());
  array.setInterned(shapes().bufferForShapeInfo(requireInfo(shapeInfo)).primary());
  array._buffer = std::make_shared<DataBuffer>();
  return array;
}

NDArray NDArray::viewOf(const LongType* shapeInfo, LongType offset) const {
  NDArray view(_context);
  view.setInterned(shapes().bufferForShapeInfo(shapeInfo).primary());
  if (isS() && view.hasElements() && (offset != 0 || view._length != _length || !arrays::isLinear(view)))
    fail<std::runtime_error>("[NDArray] a part or permutation of a string array cannot be a view (shape {})",
                             arrays::shapeText(*this));
  view._buffer = _buffer;
  view._offset = _offset + offset;
  view._isView = true;
  view._isAttached = _isAttached;
  return view;
}

// ---- parts of construction

void NDArray::setInterned(const LongType* internedShapeInfo) {
  _shapeInfo = internedShapeInfo;
  _length = shape::isEmpty(internedShapeInfo) ? 0 : shape::length(internedShapeInfo);
  _dataType = ArrayOptions::dataType(internedShapeInfo);
  _elementSize = static_cast<unsigned short>(DataTypeUtils::sizeOfElement(_dataType));
}

void NDArray::allocate(LongType elements, bool zero) {
  size_t bytes;
  if (__builtin_mul_overflow(static_cast<size_t>(elements), static_cast<size_t>(_elementSize), &bytes))
    fail<allocation_exception>("[NDArray] shape {} of {} has too many bytes", arrays::shapeText(*this),
                               arrays::typeText(_dataType));
  memory::Workspace* workspace = _context->getWorkspace();
  _buffer = DataBuffer::make(bytes, _dataType, workspace, zero ? DataBuffer::Fill::Zeros : DataBuffer::Fill::Nothing);
  _offset = 0;
  _isView = false;
  _isAttached = workspace != nullptr;
  _ownsBuffer = true;
}

void NDArray::wrap(void* buffer, const LongType* internedShapeInfo, bool takeOwnership) {
  setInterned(internedShapeInfo);
  if (buffer == nullptr && _length > 0)
    fail<std::runtime_error>("[NDArray] the buffer of an array of shape {} is null", arrays::shapeText(*this));
  const Reach reach = reachOf(_shapeInfo);
  if (reach.first < 0)
    fail("[NDArray] a wrapped buffer cannot have negative strides (shape {})", arrays::shapeText(*this));
  size_t bytes = static_cast<size_t>(reach.last + 1) * _elementSize;
  if (isS() && _length > 0) {
    const auto* header = static_cast<const LongType*>(buffer);
    bytes = (static_cast<size_t>(_length) + 1) * sizeof(LongType) + static_cast<size_t>(header[_length]);
  }
  _buffer = std::make_shared<DataBuffer>(buffer, bytes, _dataType, takeOwnership);
}

void NDArray::share(std::shared_ptr<DataBuffer> buffer, const LongType* internedShapeInfo, LongType offset) {
  if (buffer == nullptr) fail("[NDArray] the buffer is null");
  setInterned(internedShapeInfo);
  const Reach reach = reachOf(_shapeInfo);
  const LongType available = static_cast<LongType>(buffer->getLenInBytes() / _elementSize);
  if (_length > 0 && !isS() && (offset + reach.first < 0 || offset > available - 1 - reach.last))
    fail("[NDArray] shape {} at offset {} does not fit a buffer of {} elements", arrays::shapeText(*this), offset,
         available);
  _isAttached = buffer->getWorkspace() != nullptr;
  _buffer = std::move(buffer);
  _offset = offset;
  _isView = offset > 0;
}

void NDArray::setShapeInfo(const LongType* shapeInfo) {
  const LongType* own = shapes().bufferForShapeInfo(requireInfo(shapeInfo)).primary();
  NDArray described(_context);
  if (_buffer == nullptr)
    described.setInterned(own);
  else
    described.share(_buffer, own, _offset);
  described._isView = _isView;
  described._ownsBuffer = _ownsBuffer;
  *this = std::move(described);
}

void NDArray::setShapeInfo(const LongType* shapeInfo, DataType dtype) {
  setShapeInfo(internedLike(shapeInfo, dtype, true));
}

void NDArray::setShapeInfo(const ShapeDescriptor& descriptor) { setShapeInfo(shapes().createShapeInfo(descriptor)); }

// ---- shared with the other sources

namespace arrays {

NDArray converted(const NDArray& array, DataType type) {
  NDArray result(contiguous(array.shapeInfo(), type, array.ordering()), false, array.getContext(), false);
  if (!array.isEmpty()) result.assign(array);
  return result;
}

const LongType* broadcastInfo(const NDArray& a, const NDArray& b, DataType type) {
  LongType dims[SD_MAX_RANK];
  if (!broadcasting::commonShape(broadcasting::sizesOf(a.shapeInfo()), broadcasting::sizesOf(b.shapeInfo()), dims))
    return nullptr;
  const int rank = a.rankOf() > b.rankOf() ? a.rankOf() : b.rankOf();
  if (rank == 0) return ConstantShapeHelper::getInstance().scalarShapeInfo(type);
  return interned(type, a.ordering(), rank, dims);
}

std::string shapeText(int rank, const LongType* dims) { return ShapeUtils::shapeAsString(rank, dims); }

std::string shapeText(const ArrayHandle& array) {
  return array.shapeInfo() == nullptr ? "none" : shapeText(array.rankOf(), array.shapeInfo() + 1);
}

void rejectStrings(const char* op, const ArrayHandle& array) {
  if (array.shapeInfo() == nullptr) fail<std::runtime_error>("[{}] the array has no shape", op);
  fail<std::runtime_error>("[{}] string arrays do not support arithmetic (type {})", op, typeText(array.dataType()));
}

}  // namespace arrays

}  // namespace sd
