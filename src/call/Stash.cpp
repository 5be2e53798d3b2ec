#include <graph/Stash.h>

#include "system/Error.h"

namespace sd::graph {

Stash::~Stash() { clear(); }

void Stash::storeArray(int nodeId, const char* name, NDArray* array) {
  const KeyPair key(nodeId, name);
  if (array == nullptr) fail("[Stash::storeArray] the array '{}' of node {} is null", key.name(), nodeId);
  _owned.edit().insert(array);
  _stash[key] = array;
}

bool Stash::checkStash(int nodeId, const char* name) const { return _stash.count(KeyPair(nodeId, name)) != 0; }

NDArray* Stash::extractArray(int nodeId, const char* name) const {
  const auto found = _stash.find(KeyPair(nodeId, name));
  return found == _stash.end() ? nullptr : found->second;
}

void Stash::clear() {
  for (NDArray* array : _owned.get()) delete array;
  _owned.reset();
  _stash.clear();
}

}  // namespace sd::graph
