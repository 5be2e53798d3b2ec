#include <helpers/helper_hash.h>
#include <ops/declarable/OpDescriptor.h>
#include <ops/declarable/Schema.h>

#include <algorithm>
#include <utility>

#include "system/Error.h"

namespace sd::ops {
namespace {

constexpr int MOST_PLACES = 1 << 20;  // as many as a list of shapes holds

}  // namespace

TypeSet::TypeSet(std::initializer_list<DataType> types) {
  for (DataType type : types) add(type);
}

TypeSet::TypeSet(const std::vector<DataType>& types) {
  for (DataType type : types) add(type);
}

void TypeSet::add(DataType type) {
  if (type == ANY)
    _any = true;
  else if (static_cast<unsigned>(type) < 64)
    _bits |= UnsignedLong{1} << static_cast<unsigned>(type);
}

std::vector<DataType> TypeSet::types() const {
  std::vector<DataType> types;
  if (_any) types.push_back(ANY);
  for (unsigned i = 0; i < 64; i++)
    if ((_bits >> i & 1) != 0) types.push_back(static_cast<DataType>(i));
  return types;
}

OpDescriptor::OpDescriptor(int numInputs, int numOutputs, std::string name, bool allowsInplace, bool divergent,
                           int tArgs, int iArgs)
    : _name(std::move(name)),
      _hash(HashHelper::hashOf(_name)),
      _numInputs(numInputs),
      _numOutputs(numOutputs),
      _tArgs(tArgs),
      _iArgs(iArgs),
      _allowsInplace(allowsInplace),
      _divergent(divergent) {}

OpDescriptor::OpDescriptor(int numInputs, int numOutputs, std::string name, bool allowsInplace)
    : OpDescriptor(numInputs, numOutputs, std::move(name), allowsInplace, false, 0, 0) {}

OpDescriptor::OpDescriptor(int numInputs, int numOutputs, const char* name, bool allowsInplace)
    : OpDescriptor(numInputs, numOutputs, std::string(name), allowsInplace, false, 0, 0) {}

OpDescriptor::OpDescriptor(int numInputs, int numOutputs, std::string name, bool allowsInplace, bool divergent)
    : OpDescriptor(numInputs, numOutputs, std::move(name), allowsInplace, divergent, 0, 0) {}

OpDescriptor::OpDescriptor(int numInputs, int numOutputs, const char* name, bool allowsInplace, bool divergent)
    : OpDescriptor(numInputs, numOutputs, std::string(name), allowsInplace, divergent, 0, 0) {}

OpDescriptor::OpDescriptor(int numInputs, int numOutputs, const char* name, bool allowsInplace, int tArgs, int iArgs)
    : OpDescriptor(numInputs, numOutputs, std::string(name), allowsInplace, false, tArgs, iArgs) {}

OpDescriptor::OpDescriptor(int numInputs, int numOutputs, std::string name, bool allowsInplace, int tArgs, int iArgs)
    : OpDescriptor(numInputs, numOutputs, std::move(name), allowsInplace, false, tArgs, iArgs) {}

OpDescriptor::OpDescriptor(int numInputs, std::string name, bool isScalar)
    : OpDescriptor(numInputs, 1, std::move(name), false, false, 0, 0) {
  _scalar = isScalar;
}

OpDescriptor::OpDescriptor(const char* name, bool isLogic) : OpDescriptor(0, 1, std::string(name), false, false, 0, 0) {
  _logic = isLogic;
}

bool OpDescriptor::operator==(const OpDescriptor& other) const {
  return _hash == other._hash && _numInputs == other._numInputs && _numOutputs == other._numOutputs &&
         _tArgs == other._tArgs && _iArgs == other._iArgs && _opNum == other._opNum;
}

OpDescriptor* OpDescriptor::setAllowedInputTypes(std::initializer_list<DataType> types) {
  _inputTypes = TypeSet(types);
  return this;
}

OpDescriptor* OpDescriptor::setAllowedInputTypes(DataType type) {
  _inputTypes = TypeSet({type});
  return this;
}

OpDescriptor* OpDescriptor::setAllowedInputTypes(int index, const std::vector<DataType>& types) {
  setTypesAt(_places.edit().inputTypes, index, TypeSet(types));
  return this;
}

OpDescriptor* OpDescriptor::setAllowedInputTypes(int index, DataType type) {
  setTypesAt(_places.edit().inputTypes, index, TypeSet({type}));
  return this;
}

OpDescriptor* OpDescriptor::setAllowedOutputTypes(std::initializer_list<DataType> types) {
  _outputTypes = TypeSet(types);
  return this;
}

OpDescriptor* OpDescriptor::setAllowedOutputTypes(DataType type) {
  _outputTypes = TypeSet({type});
  return this;
}

OpDescriptor* OpDescriptor::setAllowedOutputTypes(int index, const std::vector<DataType>& types) {
  setTypesAt(_places.edit().outputTypes, index, TypeSet(types));
  return this;
}

OpDescriptor* OpDescriptor::setAllowedOutputTypes(int index, DataType type) {
  setTypesAt(_places.edit().outputTypes, index, TypeSet({type}));
  return this;
}

void OpDescriptor::setTypesAt(std::vector<std::optional<TypeSet>>& at, int index, TypeSet types) const {
  if (index < 0 || index >= MOST_PLACES)
    invalidArgument("[{}] argument 'index': {} is outside 0..{}", _name, index, MOST_PLACES - 1);
  if (static_cast<size_t>(index) >= at.size()) at.resize(static_cast<size_t>(index) + 1);
  at[static_cast<size_t>(index)] = types;
}

OpDescriptor* OpDescriptor::setSameMode(bool same) {
  _sameMode = same;
  return this;
}

OpDescriptor* OpDescriptor::allowOverride(bool allow) {
  _overrideAllowed = allow;
  return this;
}

OpDescriptor* OpDescriptor::setInputType(InputType type) {
  _inputType = type;
  return this;
}

OpDescriptor* OpDescriptor::setConvertsOutputs(bool converts) {
  _convertsOutputs = converts;
  return this;
}

OpDescriptor* OpDescriptor::setReadsOutputs(bool reads) {
  _readsOutputs = reads;
  return this;
}

OpDescriptor* OpDescriptor::setAllowsNullInputs(bool allows) {
  _nullableInputs = allows ? ~1u : 0;
  return this;
}

OpDescriptor* OpDescriptor::setNullableInputs(std::initializer_list<int> indices) {
  _nullableInputs = 0;
  for (const int index : indices) {
    if (index < 0 || index > 31) invalidArgument("[{}] argument 'indices': {} is outside 0..31", _name, index);
    _nullableInputs |= 1u << index;
  }
  return this;
}

OpDescriptor* OpDescriptor::addNullableInput(int index) {
  if (index < 0) invalidArgument("[{}] argument 'index': {} is negative", _name, index);
  _nullableInputs |= 1u << std::min(index, 31);
  return this;
}

OpDescriptor* OpDescriptor::setRandom(bool random) {
  _random = random;
  return this;
}

OpDescriptor* OpDescriptor::setView(int output, int input) {
  _places.edit().views[output] = input;
  return this;
}

Schema& OpDescriptor::schema() {
  if (_schema == nullptr) _schema = std::make_shared<Schema>(*this);
  return *_schema;
}

}  // namespace sd::ops
