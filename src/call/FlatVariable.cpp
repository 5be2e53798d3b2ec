// Variables in FlatBuffers.
#include <graph/FlatUtils.h>
#include <graph/Variable.h>
#include <graph/generated/variable_generated.h>

#include <algorithm>
#include <tuple>

#include "array/NDArrayCommon.h"
#include "call/FlatTypes.h"

namespace sd::graph {

Variable::Variable(const FlatVariable* flatVariable) : _external(true) {
  if (flatVariable == nullptr) fail("[Variable] the variable of the file is null");
  if (flatVariable->name() != nullptr) _name = flatVariable->name()->str();
  if (flatVariable->id() == nullptr) fail("[Variable] variable '{}' of the file has no number", _name);
  std::tie(_id, _index) = FlatUtils::fromIntPair(flatVariable->id());
  try {
    readFlat(*flatVariable);
    if (flatVariable->ndarray() != nullptr) _array = FlatUtils::fromFlatArray(flatVariable->ndarray());
  } catch (const std::runtime_error& error) {
    fail("[Variable] variable ({}, {}) '{}' of the file: {}", _id, _index, _name, error.what());
  }
}

void Variable::readFlat(const FlatVariable& flat) {
  const bool hasArray = flat.ndarray() != nullptr;
  switch (flat.variabletype()) {
    case VarType_VARIABLE:
    case VarType_ARRAY:
      break;
    case VarType_CONSTANT:
      if (!hasArray) fail("a constant needs an array");
      _type = CONSTANT;
      break;
    case VarType_PLACEHOLDER:
      if (!hasArray && flat.shape() == nullptr) fail("a placeholder needs a shape or an array");
      _placeholder = true;
      if (!hasArray) _type = PLACEHOLDER;
      break;
    default:
      fail("there is no type of variables {}", static_cast<int>(flat.variabletype()));
  }
  if (flat.shape() != nullptr) {
    if (flat.shape()->size() > SD_MAX_RANK) fail("rank {} is outside 0..{}", flat.shape()->size(), SD_MAX_RANK);
    const std::vector<int64_t> shape = valuesOf(flat.shape());
    _shape.assign(shape.begin(), shape.end());
    // Files write -1 for a dimension of any size.
    if (std::any_of(_shape.begin(), _shape.end(), [](LongType dim) { return dim < -1; }))
      fail("the shape {} has a dimension below -1", arrays::shapeText(static_cast<int>(_shape.size()), _shape.data()));
  }
  _dataType = flat.dtype() == DType_INHERIT ? INHERIT : storableType(flat.dtype());
}

flatbuffers::Offset<FlatVariable> Variable::asFlatVariable(flatbuffers::FlatBufferBuilder& builder) const {
  if (_list != nullptr || _type == ARRAY_LIST)
    fail("[Variable::asFlatVariable] variable ({}, {}) '{}' holds a list, which cannot be written", _id, _index, _name);
  if (_type == CONSTANT && _array == nullptr)
    fail("[Variable::asFlatVariable] constant ({}, {}) '{}' has no array", _id, _index, _name);
  VarType type = _type == CONSTANT ? VarType_CONSTANT : VarType_VARIABLE;
  if (_placeholder || _type == PLACEHOLDER) type = VarType_PLACEHOLDER;
  const auto id = CreateIntPair(builder, _id, _index);
  flatbuffers::Offset<flatbuffers::String> name;
  if (!_name.empty()) name = builder.CreateString(_name);
  flatbuffers::Offset<flatbuffers::Vector<int64_t>> shape;
  if (type == VarType_PLACEHOLDER || !_shape.empty())
    shape = builder.CreateVector(std::vector<int64_t>(_shape.begin(), _shape.end()));
  flatbuffers::Offset<FlatArray> array;
  if (_array != nullptr) array = FlatUtils::toFlatArray(builder, *_array);
  return CreateFlatVariable(builder, id, name, static_cast<DType>(dataType()), shape, array, 0, type);
}

}  // namespace sd::graph
