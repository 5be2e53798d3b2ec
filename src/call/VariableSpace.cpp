#include <graph/VariableSpace.h>

#include <algorithm>
#include <limits>

#include "system/Error.h"

namespace sd::graph {

namespace {

void requireVariable(const char* method, const Variable* variable) {
  if (variable == nullptr) fail("[VariableSpace::{}] the variable is null", method);
}

LongType bytesOf(const Variable& variable) {
  return variable.hasNDArray() ? static_cast<LongType>(variable.getNDArray()->memoryFootprint()) : 0;
}

bool isUnnamed(const std::string* name) { return name == nullptr || name->empty(); }

}  // namespace

VariableSpace::VariableSpace() = default;

VariableSpace::VariableSpace(const VariableSpace& other) { copyVariables(other); }

VariableSpace& VariableSpace::operator=(const VariableSpace& other) {
  if (this == &other) return *this;
  VariableSpace copy(other);
  _owned.swap(copy._owned);
  _variables.swap(copy._variables);
  _named.swap(copy._named);
  _handles.swap(copy._handles);
  _names.swap(copy._names);
  _external.swap(copy._external);
  _placeholders.swap(copy._placeholders);
  _lowest = copy._lowest;
  return *this;
}

VariableSpace::~VariableSpace() = default;

void VariableSpace::copyVariables(const VariableSpace& other) {
  for (size_t i = 0; i < other._handles.size(); i++) {
    std::unique_ptr<Variable> copy(other._handles[i]->clone());
    add(other._names[i], copy.get());
    copy.release();
  }
  _lowest = other._lowest;
}

VariableSpace* VariableSpace::clone() const { return new VariableSpace(*this); }

VariableSpace* VariableSpace::cloneAs(DataType type) const {
  auto result = std::make_unique<VariableSpace>();
  for (size_t i = 0; i < _handles.size(); i++) {
    std::unique_ptr<Variable> copy(_handles[i]->cloneAs(type));
    result->add(_names[i], copy.get());
    copy.release();
  }
  result->_lowest = _lowest;
  return result.release();
}

// ---- lookup

Variable* VariableSpace::find(const Name& name) const {
  const auto found = _variables.find(name);
  return found == _variables.end() ? nullptr : found->second;
}

Variable* VariableSpace::find(const std::string* name) const {
  if (isUnnamed(name)) return nullptr;
  const auto found = _named.find(*name);
  return found == _named.end() ? nullptr : found->second;
}

bool VariableSpace::hasVariable(int id) const { return find(nameOf(id, 0)) != nullptr; }
bool VariableSpace::hasVariable(int id, int idx) const { return find(nameOf(id, idx)) != nullptr; }
bool VariableSpace::hasVariable(const std::pair<int, int>& pair) const { return hasVariable(pair.first, pair.second); }
bool VariableSpace::hasVariable(const std::string* name) const { return find(name) != nullptr; }

Variable* VariableSpace::getVariable(int id) const {
  Variable* variable = find(nameOf(id, 0));
  if (variable == nullptr) fail<std::out_of_range>("[VariableSpace::getVariable] there is no variable {}", id);
  return variable;
}

Variable* VariableSpace::getVariable(int id, int idx) const {
  if (id < 0) return VariableSpace::getVariable(id);
  Variable* variable = find(nameOf(id, idx));
  if (variable == nullptr)
    fail<std::runtime_error>("[VariableSpace::getVariable] there is no variable ({}, {})", id, idx);
  return variable;
}

Variable* VariableSpace::getVariable(const std::pair<int, int>& pair) const {
  return getVariable(pair.first, pair.second);
}

Variable* VariableSpace::getVariable(const std::string* name) const {
  Variable* variable = find(name);
  if (variable == nullptr)
    fail<std::out_of_range>("[VariableSpace::getVariable] there is no variable '{}'", name == nullptr ? "" : *name);
  return variable;
}

bool VariableSpace::hasExternalVariable(int id) const { return hasExternalVariable({id, 0}); }

bool VariableSpace::hasExternalVariable(const std::pair<int, int>& pair) const {
  const Variable* variable = find(nameOf(pair.first, pair.second));
  return variable != nullptr && (pair.first < 0 || variable->isExternal());
}

bool VariableSpace::hasExternalVariable(const std::string* name) const {
  const Variable* variable = find(name);
  return variable != nullptr && (variable->id() < 0 || variable->isExternal());
}

// ---- insertion

void VariableSpace::own(Variable* variable) {
  const auto [place, isNew] = _owned.try_emplace(variable);
  if (isNew) place->second.reset(variable);
}

void VariableSpace::add(const Name& name, Variable* variable) {
  own(variable);
  _variables[name] = variable;
  _handles.push_back(variable);
  _names.push_back(name);
  if (!variable->getName()->empty()) _named[*variable->getName()] = variable;
  if (name.first < 0) _external.push_back(variable);
  if (variable->isPlaceholder()) _placeholders.push_back(variable);
  _lowest = std::min(_lowest, name.first);
}

Variable* VariableSpace::put(const Name& name, int idx, Variable* variable) {
  requireVariable("putVariable", variable);
  Variable* present = find(name);
  if (present == nullptr) {
    add(name, variable);
    variable->setId(name.first, idx);
    return variable;
  }
  if (present == variable) return present;
  own(variable);
  if (present->getName()->empty() && !variable->getName()->empty()) {
    present->setName(variable->getName());
    _named[*variable->getName()] = present;
  }
  if (present->hasNDArray() || present->hasNDArrayList()) return present;
  if (variable->hasNDArray()) {
    present->setNDArray(variable->getNDArray());
    present->markReadOnly(variable->isReadOnly());
    present->markRemovable(variable->isRemovable());
    variable->markRemovable(false);
  } else if (variable->hasNDArrayList()) {
    present->setNDArrayList(variable->getNDArrayList());
  }
  return present;
}

void VariableSpace::putVariable(int id, Variable* variable) {
  requireVariable("putVariable", variable);
  put(nameOf(id, 0), id < 0 ? variable->index() : 0, variable);
}

void VariableSpace::putVariable(int id, int idx, Variable* variable) { put(nameOf(id, idx), idx, variable); }

void VariableSpace::putVariable(const std::pair<int, int>& pair, Variable* variable) {
  put(nameOf(pair.first, pair.second), pair.second, variable);
}

void VariableSpace::putVariable(int id, NDArray* array) { putVariable(id, 0, array); }

Variable* VariableSpace::putVariable(int id, int idx, NDArray* array) {
  return put(nameOf(id, idx), idx, std::make_unique<Variable>(array, nullptr, id, idx).release());
}

Variable* VariableSpace::putVariable(const std::pair<int, int>& pair, NDArray* array) {
  return putVariable(pair.first, pair.second, array);
}

void VariableSpace::putVariable(int id, int idx, NDArray& array) {
  auto variable = std::make_unique<Variable>(&array, nullptr, id, idx);
  variable->markRemovable(false);
  put(nameOf(id, idx), idx, variable.release());
}

void VariableSpace::putOutputVariable(Variable* variable) {
  requireVariable("putOutputVariable", variable);
  if (variable->id() == 0)
    putVariable(nextExternalId(), variable);
  else
    putVariable(variable->id(), variable->index(), variable);
}

int VariableSpace::nextExternalId() const {
  if (_lowest == std::numeric_limits<int>::min())
    fail<std::runtime_error>("[VariableSpace] all negative numbers are in use");
  return _lowest - 1;
}

void VariableSpace::replaceVariable(Variable* variable) {
  requireVariable("replaceVariable", variable);
  const Variable* old = find(variable->getName());
  Name name = nameOf(variable->id(), variable->index());
  int idx = variable->index();
  if (old == nullptr) {
    old = find(name);
  } else if (old != variable) {
    name = nameOf(old->id(), old->index());
    idx = old->index();
  }
  if (old == variable) return;
  if (old != nullptr) dropVariable(name);
  put(name, idx, variable);
}

void VariableSpace::injectVariable(const std::pair<int, int>& pair, Variable* variable) {
  requireVariable("injectVariable", variable);
  const Name name = nameOf(pair.first, pair.second);
  if (find(name) == variable) return;
  forget(name);
  add(name, variable);
}

void VariableSpace::forget(const Name& name) {
  const auto found = _variables.find(name);
  if (found == _variables.end()) return;
  Variable* variable = found->second;
  _variables.erase(found);
  const auto position = std::find(_names.begin(), _names.end(), name) - _names.begin();
  _names.erase(_names.begin() + position);
  _handles.erase(_handles.begin() + position);
  // A variable with several numbers can still be found under the others, and by its name.
  if (std::find(_handles.begin(), _handles.end(), variable) != _handles.end()) return;
  std::erase(_external, variable);
  std::erase(_placeholders, variable);
  std::erase_if(_named, [variable](const auto& named) { return named.second == variable; });
}

void VariableSpace::dropVariable(int id, int idx) {
  Variable* variable = find(nameOf(id, idx));
  if (variable == nullptr) return;
  forget(nameOf(id, idx));
  if (std::find(_handles.begin(), _handles.end(), variable) == _handles.end()) _owned.erase(variable);
}

void VariableSpace::dropVariable(const std::pair<int, int>& pair) { dropVariable(pair.first, pair.second); }

void VariableSpace::trackList(NDArrayList* list) {
  const auto tracked = [list](const auto& other) { return other.get() == list; };
  if (std::none_of(_lists.begin(), _lists.end(), tracked)) _lists.emplace_back(list);
}

// ---- all variables

std::vector<Variable*> VariableSpace::getVariables() const { return _handles; }
std::vector<Variable*>* VariableSpace::getExternalVariables() { return &_external; }
std::vector<Variable*>& VariableSpace::getPlaceholders() { return _placeholders; }
int VariableSpace::numberOfPlaceholders() const { return static_cast<int>(_placeholders.size()); }

int VariableSpace::externalEntries() const { return static_cast<int>(_external.size()); }
int VariableSpace::totalEntries() const { return static_cast<int>(_handles.size()); }
int VariableSpace::internalEntries() const { return VariableSpace::totalEntries() - VariableSpace::externalEntries(); }

LongType VariableSpace::externalMemory() const {
  LongType bytes = 0;
  for (const Variable* variable : _external) bytes += bytesOf(*variable);
  return bytes;
}

LongType VariableSpace::totalMemory() const {
  LongType bytes = 0;
  for (const Variable* variable : _handles) bytes += bytesOf(*variable);
  return bytes;
}

LongType VariableSpace::internalMemory() const {
  return VariableSpace::totalMemory() - VariableSpace::externalMemory();
}

}  // namespace sd::graph
