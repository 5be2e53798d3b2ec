#include <graph/Variable.h>

#include "system/Error.h"

namespace sd::graph {

Variable::Variable(bool placeHolder) : _type(placeHolder ? PLACEHOLDER : NDARRAY), _placeholder(placeHolder) {}

Variable::Variable(NDArray* array, const char* name, int id, int idx)
    : _array(array), _name(name == nullptr ? "" : name), _id(id), _index(idx) {}

Variable::Variable(NDArray* array, const char* name) : Variable(array, name, 0) {}

Variable::~Variable() {
  if (_removable && !_readOnly) delete _array;
  if (_ownsList) delete _list;
}

std::unique_ptr<Variable> Variable::cloneWithout() const {
  auto copy = std::make_unique<Variable>(nullptr, nullptr, _id, _index);
  copy->_name = _name;
  copy->_shape = _shape;
  copy->_type = _type;
  copy->_dataType = _dataType;
  copy->_placeholder = _placeholder;
  copy->_external = _external;
  copy->_strict = _strict;
  copy->_scalar = _scalar;
  return copy;
}

Variable* Variable::clone() const {
  auto copy = cloneWithout();
  // The constructor, unlike dup(), keeps the shape of an empty array.
  if (_array != nullptr) copy->_array = new NDArray(*_array);
  if (_list != nullptr) {
    copy->_list = _list->clone();
    copy->_ownsList = true;
  }
  return copy.release();
}

Variable* Variable::cloneAs(DataType type) const {
  if (_list != nullptr)
    fail<std::runtime_error>("[Variable::asT] variable ({}, {}) holds a list, which cannot be converted", _id, _index);
  auto copy = cloneWithout();
  if (_array != nullptr) {
    copy->_array = new NDArray(_array->cast(type));
    // cast() turns every array with one element into a scalar.
    if (copy->_array->rankOf() != _array->rankOf())
      copy->_array->reshapei(_array->ordering(), _array->getShapeAsVector());
  }
  return copy.release();
}

NDArray* Variable::getNDArray() const {
  if (_array == nullptr)
    fail<std::runtime_error>("[Variable::getNDArray] variable ({}, {}) '{}' has no array", _id, _index, _name);
  return _array;
}

void Variable::setNDArray(NDArray* array) {
  _array = array;
  _type = NDARRAY;
}

void Variable::setNDArrayList(NDArrayList* list) {
  if (list != _list) {
    if (_ownsList) delete _list;
    _ownsList = false;
  }
  _list = list;
  _type = ARRAY_LIST;
}

ops::PartialShape Variable::expected() const {
  if (_array != nullptr) return ops::PartialShape::of(_array->shapeInfo());
  // A placeholder of which only the type is stated may get another one, unless it is strict.
  const DataType type = _strict ? _dataType : INHERIT;
  return _shape.empty() && !_scalar ? ops::PartialShape(type) : ops::PartialShape(type, _shape);
}

void Variable::expect(const ops::PartialShape& shape) {
  _dataType = shape.type();
  _shape = shape.hasRank() ? shape.sizes() : std::vector<LongType>();
  _scalar = shape.rank() == 0;
  _strict = true;
}

bool Variable::isEmpty() const { return _list == nullptr && (_array == nullptr || !_array->nonNull()); }

}  // namespace sd::graph
