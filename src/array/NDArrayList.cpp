#include <array/NDArrayList.h>
#include <array/ShapeList.h>
#include <helpers/ShapeUtils.h>

#include <algorithm>
#include <limits>
#include <span>

#include "array/NDArrayCommon.h"
#include "system/Error.h"

namespace sd {

namespace {

std::string shapeText(const std::vector<LongType>& shape) { return ShapeUtils::shapeAsString(shape); }

/// Maps an element of a slice along an axis to its position in the whole array, both in c order.
class SliceIndex {
 public:
  SliceIndex(const std::vector<LongType>& shape, int axis) : _slices(shape[axis]) {
    for (size_t d = axis + 1; d < shape.size(); d++) _inner *= shape[d];
  }
  LongType operator()(LongType slice, LongType element) const {
    return (element / _inner * _slices + slice) * _inner + element % _inner;
  }

 private:
  LongType _slices;
  LongType _inner = 1;
};

/// An array in which slice k along `axis` is slices[k]. String arrays have no strides, so one is built from all of its
/// strings at once.
NDArray join(char order, const std::vector<LongType>& shape, int axis, DataType type,
             const std::vector<const NDArray*>& slices) {
  NDArray result(LaunchContext::defaultContext());
  if (DataTypeUtils::isS(type)) {
    const SliceIndex position(shape, axis);
    std::vector<std::string> texts(slices.empty() ? 0 : slices.size() * slices[0]->lengthOf());
    for (size_t k = 0; k < slices.size(); k++)
      for (LongType i = 0; i < slices[k]->lengthOf(); i++)
        texts[position(static_cast<LongType>(k), i)] = slices[k]->e<std::string>(i);
    result = NDArray(shape, texts, type);
    return result;
  }
  result = NDArray::uninitialized(type, order, static_cast<int>(shape.size()), shape.data(), result.getContext());
  if (result.isEmpty()) return result;
  for (size_t k = 0; k < slices.size(); k++) {
    NDArray slice = result(static_cast<LongType>(k), std::vector<int>{axis});
    slice.assign(*slices[k]);
  }
  return result;
}

/// A copy of slice k along `axis`; `shape` is the slice's shape.
std::unique_ptr<NDArray> copyOfSlice(const NDArray& array, int axis, LongType k, const std::vector<LongType>& shape) {
  if (array.isEmpty()) return std::make_unique<NDArray>(arrays::zeros(array.dataType(), shape, array.ordering()));
  if (!array.isS()) return std::make_unique<NDArray>(array(k, std::vector<int>{axis}).dup());
  const SliceIndex position(array.getShapeAsVector(), axis);
  std::vector<std::string> texts(static_cast<size_t>(array.lengthOf() / array.sizeAt(axis)));
  for (size_t i = 0; i < texts.size(); i++) texts[i] = array.e<std::string>(position(k, static_cast<LongType>(i)));
  return std::make_unique<NDArray>(shape, texts, array.dataType());
}

}  // namespace

NDArrayList::NDArrayList(int height, bool expandable) : _height(height), _expandable(expandable) {}

NDArrayList::~NDArrayList() = default;

bool NDArrayList::fits(DataType type, int rank, const LongType* dims) const {
  if (_dataType != INHERIT && type != _dataType) return false;
  if (_shape.empty()) return true;
  const std::span<const LongType> inner(_shape.data() + 1, _shape.size() - 1);
  if (rank == static_cast<int>(_shape.size())) {
    dims++;
    rank--;
  }
  return std::equal(inner.begin(), inner.end(), dims, dims + rank);
}

Status NDArrayList::write(int idx, NDArray* array) {
  if (array == nullptr || !array->nonNull() || !fits(array->dataType(), array->rankOf(), array->shapeOf()))
    return Status::BAD_INPUT;
  auto& place = _chunks[idx];
  if (place.get() == array) return Status::OK;
  place.reset(array);
  _dataType = array->dataType();
  if (_shape.empty()) {
    _shape = array->getShapeAsVector();
    _shape.insert(_shape.begin(), 1);
  }
  return Status::OK;
}

NDArray& NDArrayList::entry(const char* method, int idx) const {
  const auto found = _chunks.find(idx);
  if (found == _chunks.end())
    invalidArgument("[NDArrayList::{}] entry {} was not written; the list has {} entries", method, idx, elements());
  return *found->second;
}

NDArray* NDArrayList::read(int idx) const { return new NDArray(entry("read", idx)); }

NDArray* NDArrayList::readRaw(int idx) const { return &entry("readRaw", idx); }

NDArray* NDArrayList::remove(int idx) {
  entry("remove", idx);
  return _chunks.extract(idx).mapped().release();
}

NDArray* NDArrayList::pick(std::initializer_list<int> indices) const { return pick(std::vector<int>(indices)); }

NDArray* NDArrayList::pick(const std::vector<int>& indices) const {
  if (_chunks.empty()) fail("[NDArrayList::pick] the list is empty");
  std::vector<LongType> shape(_shape.begin() + 1, _shape.end());
  if (_axis > static_cast<int>(shape.size()))
    fail("[NDArrayList::pick] entries of shape {} cannot be joined along axis {}", shapeText(shape), _axis);
  LongType length = 1;
  for (const LongType dim : shape) length *= dim;
  std::vector<const NDArray*> slices;
  for (size_t k = 0; k < indices.size(); k++) {
    const NDArray& chunk = entry("pick", indices[k]);
    if (chunk.lengthOf() != length)
      fail("[NDArrayList::pick] argument 0 'indices': entry {} at [{}] has shape {}, but a slice has shape {}",
           indices[k], k, arrays::shapeText(chunk), shapeText(shape));
    slices.push_back(&chunk);
  }
  shape.insert(shape.begin() + _axis, static_cast<LongType>(indices.size()));
  return std::make_unique<NDArray>(join('c', shape, _axis, _dataType, slices)).release();
}

NDArray* NDArrayList::stack() const {
  if (_chunks.empty()) fail("[NDArrayList::stack] the list is empty");
  const NDArray& first = entry("stack", 0);
  std::vector<const NDArray*> slices;
  for (int i = 0; i < elements(); i++) {
    const NDArray& chunk = entry("stack", i);
    if (chunk.getShapeAsVector() != first.getShapeAsVector() || chunk.isEmpty() != first.isEmpty())
      fail("[NDArrayList::stack] entry {} has shape {}, but entry 0 has shape {}", i, arrays::shapeText(chunk),
           arrays::shapeText(first));
    slices.push_back(&chunk);
  }
  std::vector<LongType> shape = first.getShapeAsVector();
  shape.insert(shape.begin(), elements());
  if (first.isEmpty() && first.rankOf() == 0) {
    if (elements() == 1)
      shape = {0};
    else
      shape.push_back(0);
  }
  return std::make_unique<NDArray>(join(first.ordering(), shape, 0, _dataType, slices)).release();
}

void NDArrayList::unstack(const NDArray* array, int axis) {
  if (array == nullptr || !array->nonNull()) fail("[NDArrayList::unstack] argument 0 'array' has no shape");
  const int rank = array->rankOf(), dimension = axis < 0 ? axis + rank : axis;
  if (dimension < 0 || dimension >= rank)
    fail("[NDArrayList::unstack] argument 1 'axis': {} is not a dimension of shape {}", axis,
         arrays::shapeText(*array));
  std::vector<LongType> shape = array->getShapeAsVector();
  shape.erase(shape.begin() + dimension);
  const LongType count = array->sizeAt(dimension);
  if (count > std::numeric_limits<int>::max())
    fail("[NDArrayList::unstack] shape {} has more slices along {} than a list can hold", arrays::shapeText(*array),
         axis);
  if (array->isEmpty() && count > ShapeList::MOST)
    fail("[NDArrayList::unstack] {} empty slices exceed the {} that a list may have (shape {})", count, ShapeList::MOST,
         arrays::shapeText(*array));
  if (!fits(array->dataType(), rank - 1, shape.data()))
    fail("[NDArrayList::unstack] slices of shape {} and type {} do not match a list of shape {} and type {}",
         shapeText(shape), arrays::typeText(array->dataType()), shapeText(_shape), arrays::typeText(_dataType));
  std::vector<std::unique_ptr<NDArray>> slices;
  for (LongType k = 0; k < count; k++) slices.push_back(copyOfSlice(*array, dimension, k, shape));
  for (size_t k = 0; k < slices.size(); k++) write(static_cast<int>(k), slices[k].release());
  _axis = dimension;
}

NDArrayList* NDArrayList::clone() const {
  auto copy = std::make_unique<NDArrayList>(_height, _expandable);
  for (const auto& [idx, chunk] : _chunks) copy->_chunks.emplace(idx, std::make_unique<NDArray>(*chunk));
  copy->_shape = _shape;
  copy->_dataType = _dataType;
  copy->_id = _id;
  copy->_name = _name;
  copy->_axis = _axis;
  copy->_counter = _counter;
  return copy.release();
}

bool NDArrayList::equals(const NDArrayList& other) const {
  const auto same = [](const auto& a, const auto& b) {
    if (a.first != b.first) return false;
    const NDArray &x = *a.second, &y = *b.second;
    // equalsTo compares lengths and elements, so empty arrays need this comparison of shapes and types.
    return x.isEmpty() || y.isEmpty() ? x.areSameShapeAndType(y) && x.isEmpty() == y.isEmpty() : x.equalsTo(y);
  };
  return _axis == other._axis &&
         std::equal(_chunks.begin(), _chunks.end(), other._chunks.begin(), other._chunks.end(), same);
}

}  // namespace sd
