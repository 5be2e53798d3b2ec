#include "call/OwnSpace.h"

#include <algorithm>

namespace sd::graph {
namespace {

using Arrays = std::vector<NDArray*>;
using Name = std::pair<int, int>;

Name inputName(size_t index) { return {-static_cast<int>(index) - 1, 0}; }

Variable& variableAt(VariableSpace& space, const Name& name) {
  if (!space.hasVariable(name)) {
    auto* variable = new Variable(nullptr, nullptr, name.first, name.second);
    variable->markRemovable(false);
    space.putVariable(name, variable);
  }
  return *space.getVariable(name);
}

/// Another array was put there than `shown`.
bool isPushed(const Variable& variable, const NDArray* shown) {
  return variable.hasNDArray() && variable.getNDArray() != shown;
}

void show(Variable& variable, NDArray* array) {
  // The arrays of the call are not removable.
  if (variable.hasNDArray() && variable.isRemovable() && variable.getNDArray() != array) delete variable.getNDArray();
  variable.setNDArray(array);
  variable.markRemovable(false);
}

}  // namespace

void Context::OwnSpace::update(const Arrays& inputArrays, const Arrays& outputArrays, int nodeId, bool keepPushed) {
  const auto drop = [this](const Name& name) {
    if (space.hasVariable(name)) space.dropVariable(name);
  };
  for (size_t k = inputArrays.size(); k < shownInputs.size(); k++) drop(inputName(k));
  shownInputs.resize(std::min(shownInputs.size(), inputArrays.size()));
  inputs.resize(inputArrays.size());
  for (size_t k = 0; k < inputArrays.size(); k++) {
    const bool isNew = k == shownInputs.size();
    if (!isNew && shownInputs[k] == inputArrays[k]) continue;
    if (isNew) shownInputs.push_back(nullptr);
    inputs[k] = inputName(k);
    show(variableAt(space, inputName(k)), inputArrays[k]);
    shownInputs[k] = inputArrays[k];
  }

  const size_t known = node == nodeId ? std::min(shownOutputs.size(), outputArrays.size()) : 0;
  for (size_t k = known; k < shownOutputs.size(); k++) drop({node, static_cast<int>(k)});
  shownOutputs.resize(known);
  node = nodeId;
  for (size_t k = 0; k < outputArrays.size(); k++) {
    const bool isNew = k == shownOutputs.size();
    if (!isNew && keepPushed && shownOutputs[k] == outputArrays[k]) continue;
    if (isNew) shownOutputs.push_back(nullptr);
    Variable& variable = variableAt(space, {node, static_cast<int>(k)});
    if (!keepPushed || !isPushed(variable, shownOutputs[k])) show(variable, outputArrays[k]);
    shownOutputs[k] = outputArrays[k];
  }
}

// ---- the context's side

VariableSpace* Context::getVariableSpace() const {
  if (_variableSpace != nullptr) return _variableSpace;
  if (_preparedFor == nullptr && _inputArrays.empty() && _outputArrays.empty()) return nullptr;
  if (_ownSpace == nullptr) _ownSpace = std::make_unique<OwnSpace>();
  fillOwnSpace();
  return &_ownSpace->space;
}

std::vector<std::pair<int, int>>* Context::inputs() {
  // Nobody has listed inputs: they are arrays.
  if (_variableSpace == nullptr && _inputs.empty() && !_inputArrays.empty() && getVariableSpace() != nullptr)
    return &_ownSpace->inputs;
  return &_inputs;
}

void Context::fillOwnSpace() const {
  const bool isRunning = _preparedFor != nullptr || _takesPushedOutputs;
  _ownSpace->update(_inputArrays, _outputArrays, _nodeId, isRunning);
}

NDArray* Context::findPushedOutput(int index) const {
  const OwnSpace& own = *_ownSpace;
  if (_variableSpace != nullptr || own.node != _nodeId || !own.space.hasVariable(_nodeId, index)) return nullptr;
  const Variable& variable = *own.space.getVariable(_nodeId, index);
  const auto at = static_cast<size_t>(index);
  const NDArray* shown = at < own.shownOutputs.size() ? own.shownOutputs[at] : nullptr;
  if (!isPushed(variable, shown) || variable.getNDArray() == optionalOutput(index)) return nullptr;
  return variable.getNDArray();
}

std::unique_ptr<NDArray> Context::takePushedOutput(int index) {
  NDArray* array = pushedOutput(index);
  if (array == nullptr) return nullptr;
  Variable& variable = *_ownSpace->space.getVariable(_nodeId, index);
  const bool isOwned = variable.isRemovable() && !variable.isReadOnly();
  std::unique_ptr<NDArray> taken = isOwned ? std::unique_ptr<NDArray>(array) : std::make_unique<NDArray>(*array);
  variable.setNDArray(nullptr);
  return taken;
}

}  // namespace sd::graph
