#include <graph/VariableProxy.h>

#include <algorithm>

#include "system/Error.h"

namespace sd::graph {

namespace {

std::vector<Variable*> joined(const std::vector<Variable*>& own, const std::vector<Variable*>& others) {
  std::vector<Variable*> all = own;
  all.insert(all.end(), others.begin(), others.end());
  return all;
}

}  // namespace

VariableProxy::VariableProxy(VariableSpace* reference) : _reference(reference) {
  if (reference == nullptr) fail("[VariableProxy] the reference is null");
}

VariableProxy& VariableProxy::operator=(const VariableProxy& other) {
  VariableSpace::operator=(other);
  return *this;
}

VariableSpace* VariableProxy::clone() const { return new VariableProxy(*this); }

bool VariableProxy::hasVariable(int id) const { return VariableSpace::hasVariable(id) || _reference->hasVariable(id); }
bool VariableProxy::hasVariable(int id, int idx) const {
  return VariableSpace::hasVariable(id, idx) || _reference->hasVariable(id, idx);
}
bool VariableProxy::hasVariable(const std::pair<int, int>& pair) const { return hasVariable(pair.first, pair.second); }
bool VariableProxy::hasVariable(const std::string* name) const {
  return VariableSpace::hasVariable(name) || _reference->hasVariable(name);
}

Variable* VariableProxy::getVariable(int id) const {
  return VariableSpace::hasVariable(id) ? VariableSpace::getVariable(id) : _reference->getVariable(id);
}
Variable* VariableProxy::getVariable(int id, int idx) const {
  return VariableSpace::hasVariable(id, idx) ? VariableSpace::getVariable(id, idx) : _reference->getVariable(id, idx);
}
Variable* VariableProxy::getVariable(const std::pair<int, int>& pair) const {
  return getVariable(pair.first, pair.second);
}
Variable* VariableProxy::getVariable(const std::string* name) const {
  return VariableSpace::hasVariable(name) ? VariableSpace::getVariable(name) : _reference->getVariable(name);
}

bool VariableProxy::hasExternalVariable(int id) const { return hasExternalVariable({id, 0}); }
bool VariableProxy::hasExternalVariable(const std::pair<int, int>& pair) const {
  return VariableSpace::hasVariable(pair.first, pair.second) ? VariableSpace::hasExternalVariable(pair)
                                                             : _reference->hasExternalVariable(pair);
}
bool VariableProxy::hasExternalVariable(const std::string* name) const {
  return VariableSpace::hasVariable(name) ? VariableSpace::hasExternalVariable(name)
                                          : _reference->hasExternalVariable(name);
}

int VariableProxy::nextExternalId() const {
  return std::min(VariableSpace::nextExternalId(), _reference->nextExternalId());
}

std::vector<Variable*> VariableProxy::getVariables() const {
  return joined(VariableSpace::getVariables(), _reference->getVariables());
}

std::vector<Variable*>* VariableProxy::getExternalVariables() {
  _allExternal = joined(*VariableSpace::getExternalVariables(), *_reference->getExternalVariables());
  return &_allExternal;
}

std::vector<Variable*>& VariableProxy::getPlaceholders() {
  _allPlaceholders = joined(VariableSpace::getPlaceholders(), _reference->getPlaceholders());
  return _allPlaceholders;
}

int VariableProxy::numberOfPlaceholders() const {
  return VariableSpace::numberOfPlaceholders() + _reference->numberOfPlaceholders();
}
int VariableProxy::externalEntries() const { return VariableSpace::externalEntries() + _reference->externalEntries(); }
int VariableProxy::internalEntries() const { return VariableSpace::internalEntries() + _reference->internalEntries(); }
int VariableProxy::totalEntries() const { return VariableSpace::totalEntries() + _reference->totalEntries(); }
LongType VariableProxy::externalMemory() const {
  return VariableSpace::externalMemory() + _reference->externalMemory();
}
LongType VariableProxy::internalMemory() const {
  return VariableSpace::internalMemory() + _reference->internalMemory();
}
LongType VariableProxy::totalMemory() const { return VariableSpace::totalMemory() + _reference->totalMemory(); }

}  // namespace sd::graph
