#include <array/InteropDataBuffer.h>
#include <array/ShapeList.h>
#include <graph/Context.h>
#include <helpers/ConstantShapeHelper.h>
#include <helpers/shape.h>
#include <ops/declarable/RunningOp.h>

#include <algorithm>

#include "call/OwnSpace.h"
#include "system/Error.h"

namespace sd::graph {
namespace {

using Arrays = std::vector<NDArray*>;
using Owned = std::vector<std::unique_ptr<NDArray>>;

constexpr int MOST_ARRAYS = ShapeList::MOST;  // rejects values that cannot be indices

void put(Arrays& arrays, Owned& owned, int index, NDArray* array, bool own, const char* call) {
  if (index < 0 || index >= MOST_ARRAYS)
    fail("[{}] argument 0 'index': {} is outside 0..{}", call, index, MOST_ARRAYS - 1);
  const auto at = static_cast<size_t>(index);
  if (at >= arrays.size()) arrays.resize(at + 1, nullptr);
  if (own && at >= owned.size()) owned.resize(at + 1);
  // The context may already own this array at this index.
  if (at < owned.size() && owned[at].get() != array) owned[at].reset();
  if (own && owned[at] == nullptr) owned[at].reset(array);
  arrays[at] = array;
}

/// Stores an array that the context owns; it is deleted when the index is rejected.
void put(Arrays& arrays, Owned& owned, int index, std::unique_ptr<NDArray> array, const char* call) {
  put(arrays, owned, index, array.get(), true, call);
  array.release();
}

/// Rejects string arrays: their size is not fixed, so they need a buffer that can be replaced.
void requireNoStrings(const void* shapeInfo, const char* call) {
  const auto* info = static_cast<const LongType*>(shapeInfo);
  if (info == nullptr || shape::isEmpty(info)) return;
  shape::validate(info, call);
  if (DataTypeUtils::isS(ArrayOptions::dataType(info)))
    fail<std::runtime_error>("[{}] strings cannot be written to a plain address: use a data buffer", call);
}

std::unique_ptr<NDArray> wrap(void* buffer, const void* shapeInfo, const char* call) {
  const auto* info = static_cast<const LongType*>(shapeInfo);
  if (info == nullptr) fail("[{}] argument 'shapeInfo' is null", call);
  shape::validate(info, call);
  return std::make_unique<NDArray>(buffer, info);
}

std::unique_ptr<NDArray> share(void* dataBuffer, const void* shapeInfo, const char* call) {
  const auto* info = static_cast<const LongType*>(shapeInfo);
  if (info == nullptr) fail("[{}] argument 'shapeInfo' is null", call);
  shape::validate(info, call);
  auto* handle = static_cast<InteropDataBuffer*>(dataBuffer);
  if (handle == nullptr || handle->getDataBuffer() == nullptr) {
    if (!shape::isEmpty(info))
      fail<std::runtime_error>("[{}] argument 'dataBuffer' is null, but the array is not empty", call);
    return std::make_unique<NDArray>(info, true, LaunchContext::defaultContext());
  }
  const size_t size = DataTypeUtils::sizeOf(ArrayOptions::dataType(info));
  if (handle->offset() % size != 0)
    fail("[{}] argument 'dataBuffer': its offset of {} bytes is not a multiple of the element size of {} bytes", call,
         handle->offset(), size);
  return std::make_unique<NDArray>(handle->getDataBuffer(), ShapeDescriptor(info), LaunchContext::defaultContext(),
                                   static_cast<LongType>(handle->offset() / size));
}

}  // namespace

Context::Context(int nodeId, VariableSpace* variableSpace) : Context(nodeId, variableSpace, false) {}

Context::Context(int nodeId, VariableSpace* variableSpace, bool isInplace) : _variableSpace(variableSpace) {
  _nodeId = nodeId;
  _inplace = isInplace;
  if (variableSpace != nullptr && variableSpace->launchContext() != nullptr)
    attachWorkspace(variableSpace->launchContext()->getWorkspace());
}

Context::Context(ContextPrototype* prototype, VariableSpace* variableSpace) : _variableSpace(variableSpace) {
  if (prototype != nullptr) ContextPrototype::operator=(*prototype);
  // A call within the call of a context that was given arrays: its inputs have names in the space of that context.
  if (variableSpace != nullptr && prototype != nullptr && _inputs.empty())
    if (auto* outer = dynamic_cast<Context*>(prototype);
        outer != nullptr && outer->_ownSpace != nullptr && &outer->_ownSpace->space == variableSpace)
      _inputs = *outer->inputs();
  if (variableSpace != nullptr && variableSpace->launchContext() != nullptr)
    attachWorkspace(variableSpace->launchContext()->getWorkspace());
}

Context::~Context() = default;

void Context::setInputArray(int index, NDArray* array, bool removable) {
  put(_inputArrays, _ownedInputs, index, array, removable && array != nullptr, "setInputArray");
  updateOwnSpace();
}

void Context::setOutputArray(int index, NDArray* array, bool removable) {
  put(_outputArrays, _ownedOutputs, index, array, removable && array != nullptr, "setOutputArray");
  updateOwnSpace();
}

void Context::setInputArray(int index, void* buffer, const void* shapeInfo, void*, const void*) {
  put(_inputArrays, _ownedInputs, index, wrap(buffer, shapeInfo, "setInputArray"), "setInputArray");
  updateOwnSpace();
}

void Context::setOutputArray(int index, void* buffer, const void* shapeInfo, void*, const void*) {
  requireNoStrings(shapeInfo, "setOutputArray");
  put(_outputArrays, _ownedOutputs, index, wrap(buffer, shapeInfo, "setOutputArray"), "setOutputArray");
  updateOwnSpace();
}

void Context::setInputArray(int index, void* dataBuffer, const void* shapeInfo, const void*) {
  put(_inputArrays, _ownedInputs, index, share(dataBuffer, shapeInfo, "setInputArray"), "setInputArray");
  updateOwnSpace();
}

void Context::setOutputArray(int index, void* dataBuffer, const void* shapeInfo, const void*) {
  put(_outputArrays, _ownedOutputs, index, share(dataBuffer, shapeInfo, "setOutputArray"), "setOutputArray");
  updateOwnSpace();
}

bool Context::isFastPath() const {
  const bool inputs = !_inputArrays.empty(), outputs = !_outputArrays.empty();
  return (inputs && (outputs || _inplace)) || ((inputs || outputs) && !_forbidFastPath);
}

void Context::clearArrays() {
  _ownSpace.reset();
  _inputArrays.clear();
  _outputArrays.clear();
  _ownedInputs.clear();
  _ownedOutputs.clear();
  _madeOutputs.clear();
}

bool Context::isMadeOutput(int index) const {
  const NDArray* output = optionalOutput(index);
  const auto at = static_cast<size_t>(index);
  return output != nullptr && at < _madeOutputs.size() && _madeOutputs[at] == output;
}

void Context::keepMadeOutput(int index, std::unique_ptr<NDArray> array) {
  const NDArray* made = array.get();
  put(_outputArrays, _ownedOutputs, index, std::move(array), "keepMadeOutput");
  const auto at = static_cast<size_t>(index);
  if (at >= _madeOutputs.size()) _madeOutputs.resize(at + 1, nullptr);
  _madeOutputs[at] = made;
  updateOwnSpace();
}

void Context::clearFastPath() {
  clearArrays();
  _tArgs.clear();
  _iArgs.clear();
  if (!_longArgs.isInitial()) _longArgs.edit().clear();
  _bArgs.clear();
  _dArgs.clear();
  clearNamedArguments();
}

void Context::reset() {
  clearPrototype();
  clearArrays();
  clearNamedArguments();
  _variableSpace = nullptr;
  _workspace = nullptr;
  _executionMode = samediff::MODE_UNDEFINED;
  _helpersAllowed = true;
  _shapeFunctionOverride = _forbidFastPath = _takesPushedOutputs = false;
  _preparedFor = nullptr;
  forgetKept();
  endRepetition();
  // What was made from values may be large.
  if (!_keptByInference) _kept.reset();
  _branch = 0;
  _outerTime = _innerTime = 0;
}

void Context::rememberCall(const OperationKey& op, const ops::OpDescriptor& descriptor, const ShapeList& inputs,
                           const ShapeList& outputs) {
  if (_lastOperation == op) {
    if (_lastCall == nullptr) _lastCall = std::make_unique<RepeatedCall>();
    _lastCall->remember(*this, op, descriptor, inputs, outputs);
  }
  _lastOperation = op;
}

void Context::setArgument(const std::string& name, ops::ArgumentValue value) {
  _namedVersion++;
  for (auto& [given, old] : _namedArguments)
    if (given == name) {
      old = std::move(value);
      return;
    }
  _namedArguments.emplace_back(name, std::move(value));
}

void Context::setTArguments(const double* values, int count) {
  if (count < 0 || (values == nullptr && count > 0)) fail("[setTArguments] the pointer to {} values is null", count);
  _tArgs.assign(values, values + count);
}

void Context::setIArguments(const LongType* values, int count) {
  if (count < 0 || (values == nullptr && count > 0)) fail("[setIArguments] the pointer to {} values is null", count);
  _iArgs.clear();
  if (!_longArgs.isInitial()) _longArgs.edit().clear();
  appendInts(values, static_cast<size_t>(count));
}

void Context::setBArguments(const bool* values, int count) {
  if (count < 0 || (values == nullptr && count > 0)) fail("[setBArguments] the pointer to {} values is null", count);
  _bArgs.assign(values, values + count);
}

void Context::setDArguments(const DataType* values, int count) {
  if (count < 0 || (values == nullptr && count > 0)) fail("[setDArguments] the pointer to {} values is null", count);
  _dArgs.assign(values, values + count);
}

void Context::missingInput(int index) const {
  const std::string* op = ops::RunningOp::current();
  fail("[{}] input {} is missing: {} given", op == nullptr ? "context" : *op, index, width());
}

NDArray* Context::optionalVariableArray(int index) const {
  if (!_inputArrays.empty() || static_cast<size_t>(index) >= _inputs.size()) return nullptr;
  const auto& [node, output] = _inputs[static_cast<size_t>(index)];
  if (_variableSpace == nullptr || !_variableSpace->hasVariable(node, output)) return nullptr;
  Variable* variable = _variableSpace->getVariable(node, output);
  return variable->hasNDArray() ? variable->getNDArray() : nullptr;
}

NDArray* Context::variableArray(int index) const {
  if (!_inputArrays.empty()) missingInput(index);
  return variable(index)->getNDArray();
}

Variable* Context::variable(int index) const {
  const VariableSpace* space = getVariableSpace();
  const bool isOwn = space != nullptr && space != _variableSpace && _inputs.empty();
  const auto& names = isOwn ? _ownSpace->inputs : _inputs;
  if (index < 0 || static_cast<size_t>(index) >= names.size()) missingInput(index);
  const auto& [node, output] = names[static_cast<size_t>(index)];
  return variable(node, output);
}

Variable* Context::variable(int node, int index) const {
  const VariableSpace* space = getVariableSpace();
  if (space == nullptr || !space->hasVariable(node, index))
    fail<std::runtime_error>("[context] variable ({}, {}) does not exist", node, index);
  return space->getVariable(node, index);
}

Variable* Context::variable(std::initializer_list<int> pair) const {
  if (pair.size() != 2) fail("[context] a variable is named by 2 numbers, not {}", pair.size());
  return variable(*pair.begin(), *(pair.begin() + 1));
}

namespace {

VariableSpace& required(VariableSpace* space, int node) {
  if (space == nullptr) fail<std::runtime_error>("[context] node {} has no variable space", node);
  return *space;
}

/// Whether the space itself has the variable: calls write to no variable of a space behind a proxy.
bool owns(const VariableSpace& space, int node, int index) { return space.VariableSpace::hasVariable(node, index); }

/// The variable to which a call writes.
Variable* ownVariable(VariableSpace& space, int node, int index) {
  if (!owns(space, node, index)) {
    const bool hides = space.hasVariable(node, index);
    const char* name = hides ? space.getVariable(node, index)->getName()->c_str() : nullptr;
    space.putVariable(node, index, new Variable(nullptr, name, node, index));
  }
  return space.getVariable(node, index);
}

}  // namespace

Variable* Context::ensureVariable(int index) {
  return ownVariable(required(getVariableSpace(), _nodeId), _nodeId, index);
}

bool Context::isValueAvailable(int index) const {
  const VariableSpace* space = getVariableSpace();
  if (space == nullptr || !owns(*space, _nodeId, index)) return false;
  const Variable* variable = space->getVariable(_nodeId, index);
  return variable->hasNDArray() || variable->hasNDArrayList();
}

void Context::pushNDArrayToVariableSpace(int node, int index, NDArray* array, bool removable) {
  Variable* variable = ownVariable(required(getVariableSpace(), _nodeId), node, index);
  const bool isOwned = variable->hasNDArray() && variable->isRemovable();
  const bool isThere = variable->hasNDArray() && variable->getNDArray() == array;
  if (isOwned && !isThere) delete variable->getNDArray();
  variable->setNDArray(array);
  variable->markRemovable(removable);
  if (_variableSpace != nullptr) return;
  const auto isIn = [array](const Arrays& arrays) {
    return std::find(arrays.begin(), arrays.end(), array) != arrays.end();
  };
  // Arrays of the call belong to others, unless the operation has put them there itself.
  if (!(isOwned && isThere) && (isIn(_inputArrays) || isIn(_outputArrays))) variable->markRemovable(false);
  if (node >= 0) return;
  // The operation reads its input from the variable from now on.
  const auto at = static_cast<size_t>(-(node + 1));
  if (at < _inputArrays.size()) _inputArrays[at] = _ownSpace->shownInputs[at] = array;
}

void Context::pushNDArrayToVariableSpace(std::pair<int, int>& pair, NDArray* array, bool removable) {
  pushNDArrayToVariableSpace(pair.first, pair.second, array, removable);
}

void Context::pushNDArrayListToVariableSpace(int node, int index, NDArrayList* list, bool track) {
  VariableSpace& space = required(getVariableSpace(), _nodeId);
  if (_variableSpace == nullptr && node == _nodeId)
    fail<std::runtime_error>("[context] output {} is a list, but node {} has no variable space to return it in", index,
                             node);
  ownVariable(space, node, index)->setNDArrayList(list);
  if (track) trackList(list);
}

void Context::pushNDArrayListToVariableSpace(std::pair<int, int>& pair, NDArrayList* list, bool track) {
  pushNDArrayListToVariableSpace(pair.first, pair.second, list, track);
}

void Context::trackList(NDArrayList* list) { required(getVariableSpace(), _nodeId).trackList(list); }

Stash* Context::getStash() const { return required(getVariableSpace(), _nodeId).getStash(); }

int Context::getBranch() const {
  FlowPath* flow = _variableSpace == nullptr ? nullptr : _variableSpace->flowPath();
  return flow == nullptr ? _branch : flow->branch(_nodeId);
}

void Context::setBranch(int branch) {
  _branch = branch;
  FlowPath* flow = _variableSpace == nullptr ? nullptr : _variableSpace->flowPath();
  if (flow != nullptr) flow->markBranch(_nodeId, branch);
}

}  // namespace sd::graph
