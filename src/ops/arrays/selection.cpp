// Selections by masks and positions, and comparisons, for nd/array.h.
#include <array/TypePromotion.h>
#include <nd/array.h>
#include <ops/declarable/OpRegistrator.h>

#include <algorithm>

#include "array/NDArrayCommon.h"
#include "ops/declarable/Common.h"

namespace sd {

namespace {

NDArray call(const char* operation, std::vector<NDArray*> inputs) {
  auto results = ops::OpRegistrator::getInstance().find(operation)->evaluate(inputs);
  return std::move(*results.at(0));
}

NDArray viewOf(const NDArray& array) { return array.viewOf(array.shapeInfo(), 0); }

/// The coordinates of the true elements of a mask, [n, rank].
NDArray coordinatesOf(const NDArray& array, const NDArray& mask) {
  const int rank = mask.rankOf();
  bool fits = rank > 0 && rank <= array.rankOf();
  for (int d = 0; fits && d < rank; d++) fits = mask.sizeAt(d) == array.sizeAt(d);
  if (!fits)
    invalidArgument("[index] a mask of shape {} does not fit to shape {}", arrays::shapeText(mask),
                    arrays::shapeText(array));
  NDArray copy = viewOf(mask);
  if (!mask.hasElements()) return NDArray('c', {0, rank}, INT64);
  NDArray places = call("Where", {&copy});
  return places.hasElements() ? places.cast(INT64) : NDArray('c', {0, rank}, INT64);
}

/// Positions in the first dimension as coordinates, [..., 1], none of them negative.
NDArray coordinatesOfPositions(const NDArray& array, const NDArray& positions) {
  if (array.rankOf() == 0) invalidArgument("[index] a scalar has no positions");
  std::vector<LongType> shape = positions.getShapeAsVector();
  shape.push_back(1);
  if (!positions.hasElements()) return NDArray('c', shape, INT64);
  NDArray wanted = positions.dup('c').cast(INT64).reshape('c', shape);
  const LongType size = array.sizeAt(0);
  auto* values = wanted.bufferAsT<LongType>();
  for (LongType i = 0; i < wanted.lengthOf(); i++) {
    if (values[i] < -size || values[i] >= size)
      fail<std::out_of_range>("[index] position {} is outside {}..{} of dimension 0 (shape {})", values[i], -size,
                              size - 1, arrays::shapeText(array));
    if (values[i] < 0) values[i] += size;
  }
  return wanted;
}

NDArray coordinates(const NDArray& array, const NDArray& which) {
  if (array.isS()) invalidArgument("[index] masks and positions do not select strings");
  if (which.isB()) return coordinatesOf(array, which);
  if (!which.isZ())
    invalidArgument("[index] an array of type {} does not select elements: it must have BOOL or integers",
                    arrays::typeText(which.dataType()));
  return coordinatesOfPositions(array, which);
}

/// [places..., rest...]
std::vector<LongType> selectedShape(const NDArray& array, const NDArray& indices) {
  std::vector<LongType> shape = indices.getShapeAsVector();
  const auto k = static_cast<int>(shape.back());
  shape.pop_back();
  for (int d = k; d < array.rankOf(); d++) shape.push_back(array.sizeAt(d));
  return shape;
}

}  // namespace

namespace indexing {

Selection::Selection(const NDArray& array, const NDArray& which)
    : _array(viewOf(array)), _indices(coordinates(array, which)) {}

NDArray Selection::values() const {
  const std::vector<LongType> shape = selectedShape(_array, _indices);
  if (std::find(shape.begin(), shape.end(), 0) != shape.end()) return NDArray('c', shape, _array.dataType());
  NDArray x = viewOf(_array), indices = viewOf(_indices);
  return call("gather_nd", {&x, &indices}).reshape('c', shape);
}

Selection& Selection::operator=(const NDArray& values) {
  const std::vector<LongType> shape = selectedShape(_array, _indices);
  if (std::find(shape.begin(), shape.end(), 0) != shape.end()) return *this;
  // The operation computes with numbers.
  const DataType type = _array.isB() ? UINT8 : _array.dataType();
  NDArray updates('c', shape, type), x = _array.isB() ? _array.cast(type) : viewOf(_array), indices = viewOf(_indices);
  updates.assign(_array.isB() ? values.cast(BOOL) : values);
  _array.assign(call("scatter_nd_update", {&x, &indices, &updates}));
  return *this;
}

}  // namespace indexing

namespace detail {

NDArray compared(const char* operation, const NDArray& x, const NDArray& y) {
  const DataType type = promotedType(x.dataType(), y.dataType());
  if (type == INHERIT)
    fail<datatype_exception>("[{}] elements of types {} and {} cannot be compared", operation,
                             arrays::typeText(x.dataType()), arrays::typeText(y.dataType()));
  NDArray a = x.dataType() == type ? viewOf(x) : x.cast(type), b = y.dataType() == type ? viewOf(y) : y.cast(type);
  return call(operation, {&a, &b});
}

}  // namespace detail

}  // namespace sd
