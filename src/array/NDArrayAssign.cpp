// Filling, copying and converting arrays.
#include <array/ElementRows.h>
#include <array/NDArray.h>
#include <helpers/ShapeUtils.h>

#include <algorithm>
#include <cstring>

#include "array/ElementConvert.h"
#include "array/NDArrayCommon.h"
#include "shape/broadcasting.h"

namespace sd {

namespace {

// Copies of fewer bytes are done here, because a call of the executor costs more.
constexpr size_t SMALL_COPY = 1 << 14;

bool broadcastsTo(const NDArray& from, const NDArray& to) {
  return broadcasting::broadcastsTo(broadcasting::sizesOf(from.shapeInfo()), broadcasting::sizesOf(to.shapeInfo()));
}

}  // namespace

namespace arrays {

bool overlap(const NDArray& a, const NDArray& b) {
  if (a.getDataBuffer().get() != b.getDataBuffer().get()) return false;
  auto reach = [](const NDArray& array, LongType& first, LongType& last) {
    first = last = array.bufferOffset();
    for (int d = 0; d < array.rankOf(); d++) {
      const LongType span = (array.shapeInfo()[1 + d] - 1) * array.stridesOf()[d];
      (span < 0 ? first : last) += span;
    }
  };
  LongType firstA, lastA, firstB, lastB;
  reach(a, firstA, lastA);
  reach(b, firstB, lastB);
  return firstA <= lastB && firstB <= lastA;
}

void copyElements(const NDArray& from, NDArray& to) {
  const LongType *shapeFrom = from.shapeInfo(), *shapeTo = to.shapeInfo();
  if (shape::shapeEquals(shapeFrom, shapeTo)) {
    loops::assign(in(from), out(to));
  } else if (isLinear(from)) {
    loops::assign({from.buffer(), interned(from.dataType(), 'c', to.rankOf(), shapeTo + 1)}, out(to));
  } else if (isLinear(to)) {
    loops::assign(in(from), {to.buffer(), interned(to.dataType(), 'c', from.rankOf(), shapeFrom + 1)});
  } else {
    copyElements(from.dup('c'), to);
  }
}

}  // namespace arrays

// ---- assign

void NDArray::assign(const NDArray& other, bool) {
  if (this == &other) return;
  if (!hasElements() || (isS() && other.isS())) {
    // Arrays that share the buffer see the new strings, as they would see new numbers.
    if (hasElements() && _dataType == other._dataType && _offset == 0 && isSameShape(other) && _buffer.use_count() > 1)
      *_buffer = DataBuffer(*other._buffer);
    else if (hasElements() || other.hasElements() || !isSameShape(other))
      *this = NDArray(other);
    return;
  }
  if (!other.hasElements())
    fail<std::runtime_error>("[assign] an empty array cannot fill shape {}", arrays::shapeText(*this));
  arrays::requireNumbers("assign", *this);
  arrays::requireNumbers("assign", other);
  if (other._length == 1) {
    fill(other.buffer(), other._dataType);
    return;
  }
  if (other._length != _length && !broadcastsTo(other, *this))
    fail<std::runtime_error>("[assign] shape {} does not broadcast to shape {}", arrays::shapeText(other),
                             arrays::shapeText(*this));
  const bool sameLayout = shape::haveSameShapeAndStrides(_shapeInfo, other._shapeInfo);
  const bool apart =
      !arrays::overlap(*this, other) || (sameLayout && _offset == other._offset && _dataType == other._dataType);
  if (!apart)
    assign(other.dup());
  else if (other._length == _length)
    arrays::copyElements(other, *this);
  else
    loops::assign(arrays::in(other), arrays::out(*this));
}

void NDArray::assign(const NDArray* other, bool allowParallelism) {
  if (other == nullptr) fail("[assign] the array is null");
  assign(*other, allowParallelism);
}

void NDArray::fill(const void* value, DataType type) {
  if (!hasElements()) {
    if (_shapeInfo != nullptr) return;
    fail<std::runtime_error>("[assign] the array has no shape");
  }
  arrays::requireNumbers("assign", *this);
  LongType converted[2];
  elements::convert(value, type, converted, _dataType);
  if (_length == 1)
    std::memcpy(address(0), converted, _elementSize);
  else
    loops::assign({converted, ConstantShapeHelper::getInstance().scalarShapeInfo(_dataType)}, arrays::out(*this));
}

void NDArray::linspace(double start, double step) {
  if (!hasElements()) return;
  arrays::requireNumbers("linspace", *this);
  const detail::ElementRows<1> rows({_shapeInfo});
  elements::withType("linspace", _dataType, [&](auto example) {
    using T = decltype(example);
    T* data = bufferAsT<T>();
    rows.run(0, _length, [&](const auto& row) {
      for (LongType i = 0; i < row.length; i++)
        data[row.offsets[0] + i * row.steps[0]] =
            elements::fromReal<T>(start + step * static_cast<double>(row.index + i));
    });
  });
}

void NDArray::nullify() {
  if (!hasElements()) return;
  if (isS()) fail<std::runtime_error>("[nullify] string arrays cannot be filled with zeros");
  if (arrays::isCanonical(_shapeInfo))
    std::memset(buffer(), 0, static_cast<size_t>(_length) * _elementSize);
  else
    assign(0);
}

void NDArray::swapUnsafe(NDArray& other) {
  if (_dataType != other._dataType || _length != other._length)
    fail<std::runtime_error>("[swapUnsafe] {} {} and {} {} differ in type or length", arrays::typeText(_dataType),
                             arrays::shapeText(*this), arrays::typeText(other._dataType), arrays::shapeText(other));
  if (!hasElements() || this == &other) return;
  const NDArray kept = dup();
  assign(other);
  other.assign(kept);
}

void NDArray::copyBuffersContinuouslyFrom(const NDArray& other, size_t bytes, LongType offsetThis,
                                          LongType offsetOther) {
  if (_buffer == nullptr || other._buffer == nullptr)
    fail("[copyBuffersContinuouslyFrom] the buffer of {} array is null", _buffer == nullptr ? "this" : "the other");
  _buffer->copyBufferFrom(*other._buffer, bytes, offsetThis == 0 ? _offset : offsetThis,
                          offsetOther == 0 ? other._offset : offsetOther);
}

// ---- copies

NDArray NDArray::dup(char newOrder) const {
  if (newOrder != 'a' && newOrder != 'c' && newOrder != 'f')
    fail("[dup] order '{}' is none of 'a', 'c', 'f'", newOrder);
  if (_shapeInfo == nullptr) return NDArray(_context);
  if (!hasElements()) return NDArray(_dataType, _context, false);
  const char order = newOrder == 'a' || isScalar() ? ordering() : newOrder;

  if (isS()) {
    const bool asItIs = order == ordering() && arrays::isCanonical(_shapeInfo);
    if (!asItIs && (!arrays::isLinear(*this) || order != 'c'))
      fail<std::runtime_error>("[dup] string arrays are copied in c order only (shape {})", arrays::shapeText(*this));
    NDArray copy(_context);
    copy.setInterned(_shapeInfo);
    copy._buffer =
        std::make_shared<DataBuffer>(buffer(), _dataType, _buffer->getLenInBytes(), _context->getWorkspace());
    copy._isAttached = _context->getWorkspace() != nullptr;
    return copy;
  }

  NDArray copy(arrays::contiguous(_shapeInfo, _dataType, order), _context, Uninitialized{});
  const size_t bytes = static_cast<size_t>(_length) * _elementSize;
  if (copy._shapeInfo == _shapeInfo && bytes <= SMALL_COPY)
    std::memcpy(copy.buffer(), buffer(), bytes);
  else
    loops::assign(arrays::in(*this), arrays::out(copy));
  return copy;
}

NDArray NDArray::ulike() const {
  if (_shapeInfo == nullptr) return NDArray(_context);
  return NDArray(arrays::contiguous(_shapeInfo, _dataType, ordering()), _context, Uninitialized{});
}

NDArray NDArray::like() const {
  NDArray zeros = ulike();
  if (zeros.hasElements()) std::memset(zeros.buffer(), 0, static_cast<size_t>(zeros._length) * _elementSize);
  return zeros;
}

NDArray NDArray::asT(DataType dtype) const {
  if (_shapeInfo == nullptr) fail<std::runtime_error>("[cast] the array has no shape");
  if (isS() && dtype == _dataType) return NDArray(*this);
  if (isS() || DataTypeUtils::isS(dtype)) return transcoded(dtype);
  auto& shapes = ConstantShapeHelper::getInstance();
  const LongType* info =
      isScalar() && hasElements() ? shapes.scalarShapeInfo(dtype) : arrays::contiguous(_shapeInfo, dtype, ordering());
  NDArray converted(info, _context, Uninitialized{});
  if (_length == 1)
    elements::convert(buffer(), _dataType, converted.buffer(), dtype);
  else if (_length > 1)
    loops::assign(arrays::in(*this), arrays::out(converted));
  return converted;
}

NDArray NDArray::cast(DataType dtype) const {
  if (isS() != DataTypeUtils::isS(dtype))
    fail<std::runtime_error>("[cast] type {} cannot become {}", arrays::typeText(_dataType), arrays::typeText(dtype));
  return asT(dtype);
}

void NDArray::cast(NDArray& target, DataType) const { target.assign(*this); }

NDArray NDArray::quantize(const NDArray& array) {
  if (!array.isR()) fail("[quantize] type {} is not a real type", arrays::typeText(array._dataType));
  LongType info[SD_MAX_SHAPEINFOLENGTH];
  std::memcpy(info, array._shapeInfo, shape::shapeInfoByteLength(array._shapeInfo));
  ArrayOptions::setPropertyBit(info, ARRAY_QUANTIZED);
  NDArray result(array._context);
  result.setInterned(ConstantShapeHelper::getInstance().bufferForShapeInfo(info).primary());
  // The buffer reports the size of the quantized form, but has room for all elements of the array's type.
  const size_t quantized = static_cast<size_t>(array._length) + 8;
  result._buffer = DataBuffer::make(std::max(quantized, static_cast<size_t>(array._length) * array._elementSize), INT8,
                                    array._context->getWorkspace());
  result._buffer->setPrimaryBuffer(result._buffer->primary(), quantized);
  result._buffer->setDataType(array._dataType);
  result._isAttached = array._context->getWorkspace() != nullptr;
  return result;
}

void NDArray::streamline(char order) {
  if (order == 'a') order = ordering();
  if (!hasElements() || (!_isView && ordering() == order && arrays::isCanonical(_shapeInfo))) return;
  *this = dup(order);
}

std::vector<int8_t> NDArray::asByteVector() const {
  if (!hasElements()) return {};
  const auto* bytes = static_cast<const int8_t*>(buffer());
  if (isS()) return std::vector<int8_t>(bytes, bytes + _buffer->getLenInBytes());
  if (_isView || !arrays::isCanonical(_shapeInfo)) {
    NDArray copy = dup(ordering());
    return std::vector<int8_t>(static_cast<int8_t*>(copy.buffer()),
                               static_cast<int8_t*>(copy.buffer()) + _length * _elementSize);
  }
  return std::vector<int8_t>(bytes, bytes + _length * _elementSize);
}

NDArray* NDArray::detach() {
  if (!_isAttached) return this;
  auto copy = std::make_unique<NDArray>(LaunchContext::defaultContext());
  copy->setInterned(arrays::contiguous(_shapeInfo, _dataType, ordering()));
  const size_t bytes = isS() ? _buffer->getLenInBytes() : static_cast<size_t>(_length) * _elementSize;
  copy->_buffer = DataBuffer::make(bytes, _dataType, nullptr, DataBuffer::Fill::Nothing);
  copy->_ownsBuffer = true;
  if (isS() && _length > 0)
    std::memcpy(copy->buffer(), buffer(), bytes);
  else if (_length > 0)
    loops::assign(arrays::in(*this), arrays::out(*copy));
  return copy.release();
}

}  // namespace sd
