#include <graph/ContextPrototype.h>
#include <ops/declarable/RunningOp.h>

#include <algorithm>
#include <bit>
#include <iterator>
#include <limits>

#include "system/Error.h"

namespace sd::graph {

ContextPrototype::ContextPrototype(ops::OpDescriptor* opDescriptor, int nodeId, bool inPlace)
    : _nodeId(nodeId), _inplace(inPlace), _opDescriptor(opDescriptor) {}

void ContextPrototype::clearPrototype() {
  _inputs.clear();
  _nodeId = 1;
  _tArgs.clear();
  _iArgs.clear();
  _bArgs.clear();
  _axis.clear();
  _dArgs.clear();
  _opNum = -1;
  _inplace = false;
  _opDescriptor = nullptr;
  _randomSeed = 119;
  _randomGenerator = RandomGenerator(RandomGenerator::UNSEEDED);
  _dataTypes.clear();
  _engine = samediff::ENGINE_CPU;
  _useOneDnn = true;
  if (!_longArgs.isInitial()) _longArgs.edit().clear();
}

void ContextPrototype::fillInputs(std::initializer_list<int> ids) {
  for (int id : ids) pickInput(id);
}

void ContextPrototype::fillInputs(std::vector<int>& ids) {
  for (int id : ids) pickInput(id);
}

void ContextPrototype::missingArgument(const char* kind, size_t index, size_t given) const {
  const std::string* op = ops::RunningOp::current();
  fail<std::out_of_range>("[{}] {} argument {} is missing: {} given", op == nullptr ? "context" : *op, kind, index,
                          given);
}

int ContextPrototype::intArgument(size_t index) const {
  if (index >= _iArgs.size()) missingArgument("integer", index, _iArgs.size());
  return _iArgs[index];
}

LongType ContextPrototype::intArgument64(size_t index) const {
  if (index >= _iArgs.size()) missingArgument("integer", index, _iArgs.size());
  // Callers may change the list of 32-bit values, so a 64-bit value is used only if it still matches its 32-bit one.
  const auto& longs = longArguments();
  const bool whole = index < longs.size() && std::clamp<LongType>(longs[index], std::numeric_limits<int>::min(),
                                                                  std::numeric_limits<int>::max()) == _iArgs[index];
  return whole ? longs[index] : _iArgs[index];
}

double ContextPrototype::floatArgument(size_t index) const {
  if (index >= _tArgs.size()) missingArgument("floating", index, _tArgs.size());
  return _tArgs[index];
}

bool ContextPrototype::boolArgument(size_t index) const {
  if (index >= _bArgs.size()) missingArgument("boolean", index, _bArgs.size());
  return _bArgs[index];
}

DataType ContextPrototype::typeArgument(size_t index) const {
  if (index >= _dArgs.size()) missingArgument("type", index, _dArgs.size());
  return _dArgs[index];
}

void ContextPrototype::appendInts(const LongType* values, size_t count) {
  const auto clipped = [](LongType value) {
    return static_cast<int>(
        std::clamp<LongType>(value, std::numeric_limits<int>::min(), std::numeric_limits<int>::max()));
  };
  if (!longArguments().empty() || std::any_of(values, values + count, [&](LongType x) { return clipped(x) != x; })) {
    std::vector<LongType>& longs = _longArgs.edit();
    longs.resize(std::min(longs.size(), _iArgs.size()));
    longs.insert(longs.end(), _iArgs.begin() + static_cast<ptrdiff_t>(longs.size()), _iArgs.end());
    longs.insert(longs.end(), values, values + count);
  }
  std::transform(values, values + count, std::back_inserter(_iArgs), clipped);
}

bool ContextPrototype::sameArguments(const ContextPrototype& other) const {
  if (numI() != other.numI()) return false;
  for (size_t i = 0; i < numI(); i++)
    if (intArgument64(i) != other.intArgument64(i)) return false;
  // Compares bits, so that NaN equals itself.
  const auto sameBits = [](double a, double b) { return std::bit_cast<uint64_t>(a) == std::bit_cast<uint64_t>(b); };
  return std::equal(_tArgs.begin(), _tArgs.end(), other._tArgs.begin(), other._tArgs.end(), sameBits) &&
         _bArgs == other._bArgs && _dArgs == other._dArgs && _axis == other._axis;
}

size_t ContextPrototype::argumentsHash() const {
  uint64_t hash = 0;
  const auto mix = [&hash](uint64_t value) { hash = (hash ^ value) * 0x9E3779B97F4A7C15u + (hash >> 29); };
  for (size_t i = 0; i < numI(); i++) mix(static_cast<uint64_t>(intArgument64(i)));
  mix(numI());
  for (double value : _tArgs) mix(std::bit_cast<uint64_t>(value));
  mix(_tArgs.size());
  for (bool value : _bArgs) mix(value ? 1 : 2);
  mix(_bArgs.size());
  for (DataType value : _dArgs) mix(static_cast<uint64_t>(value));
  for (int value : _axis) mix(static_cast<uint64_t>(value));
  return hash;
}

DataType ContextPrototype::dataType(int index) const {
  return hasDataType(index) ? _dataTypes[static_cast<size_t>(index)] : FLOAT32;
}

void ContextPrototype::setDataType(int index, DataType type) {
  if (index < 0) fail("[setDataType] index {} is negative", index);
  if (static_cast<size_t>(index) >= _dataTypes.size()) _dataTypes.resize(static_cast<size_t>(index) + 1, INHERIT);
  _dataTypes[static_cast<size_t>(index)] = type;
}

}  // namespace sd::graph
