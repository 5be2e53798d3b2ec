// Access to single elements.
#include <array/NDArray.h>

#include <cstring>

#include "array/ElementConvert.h"
#include "array/NDArrayCommon.h"

namespace sd {

void ArrayElements::typeMismatch(DataType type) const {
  invalidArgument("[NDArray] an element of type {} was requested as {}", arrays::typeText(_dataType),
                  arrays::typeText(type));
}

void ArrayElements::elementOutside(LongType i) const {
  invalidArgument("[NDArray] index {} is outside an array of length {} (shape {})", i, _length,
                  arrays::shapeText(*this));
}

void ArrayElements::elementOutside(const LongType* indices, int count) const {
  if (count != rankOf())
    invalidArgument("[NDArray] {} indices given for rank {} (shape {})", count, rankOf(), arrays::shapeText(*this));
  invalidArgument("[NDArray] indices {} are outside shape {}", arrays::shapeText(count, indices),
                  arrays::shapeText(*this));
}

LongType ArrayElements::linearIndex(const LongType* indices, int count) const {
  elementOffset(indices, count);
  return shape::coords2index(_shapeInfo, indices);
}

void ArrayElements::readElement(LongType offset, void* value, DataType type) const {
  arrays::requireNumbers("NDArray", *this);
  elements::convert(address(offset), _dataType, value, type);
}

void ArrayElements::writeElement(LongType offset, const void* value, DataType type) {
  arrays::requireNumbers("NDArray", *this);
  elements::convert(value, type, address(offset), _dataType);
}

NDArray ArrayElements::e(LongType i) const {
  if (isS()) return NDArray(readUtf8(i), _dataType, _context);
  const LongType offset = elementOffset(i);
  NDArray element = NDArray::uninitialized(ConstantShapeHelper::getInstance().scalarShapeInfo(_dataType), _context);
  std::memcpy(element.buffer(), address(offset), _elementSize);
  return element;
}

void ArrayElements::p(LongType i, const NDArray& scalar) {
  const LongType offset = elementOffset(i);
  if (scalar.lengthOf() != 1) fail("[p] the value has shape {}, not one element", arrays::shapeText(scalar));
  arrays::requireNumbers("p", scalar);
  writeElement(offset, scalar.buffer(), scalar.dataType());
}

void ArrayElements::p(LongType i, LongType j, LongType k, LongType l, const NDArray& scalar) {
  const LongType indices[] = {i, j, k, l};
  p(linearIndex(indices, 4), scalar);
}

void ArrayElements::copyTo(void* values, DataType type) const {
  if (!hasElements()) return;
  arrays::requireNumbers("getBufferAsVector", *this);
  loops::assign(arrays::in(*this), {values, arrays::interned(type, 'c', rankOf(), _shapeInfo + 1)});
}

void ArrayElements::requireDense(DataType type) const {
  if (_dataType != type) typeMismatch(type);
  if (_length > 1 && ews() != 1) fail("[asSpan] the array of shape {} is not contiguous", arrays::shapeText(*this));
}

void ArrayElements::requireView(DataType type, int rank) const {
  if (_dataType != type) typeMismatch(type);
  if (rankOf() != rank)
    fail("[asView] a view of rank {} was requested of an array of shape {}", rank, arrays::shapeText(*this));
}

void detail::viewIndexOutside(LongType index, int dimension, const LongType* sizes, int rank) {
  fail("[ArrayView] index {} of dimension {} is outside 0..{} (shape [{}])", index, dimension, sizes[dimension] - 1,
       fmt::join(sizes, sizes + rank, ", "));
}

}  // namespace sd
