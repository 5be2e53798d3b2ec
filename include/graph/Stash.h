// Arrays that an operation keeps from one call to the next.
#ifndef NDFORGE_GRAPH_STASH_H
#define NDFORGE_GRAPH_STASH_H

#include <array/NDArray.h>
#include <system/common.h>
#include <types/boxed.h>

#include <functional>
#include <string>
#include <unordered_map>
#include <unordered_set>

namespace sd::graph {

/// The key of a stored array: a node and a name.
class KeyPair {
 public:
  /// nullptr means the empty name.
  KeyPair(int node = 0, const char* name = nullptr) : _node(node), _name(name == nullptr ? "" : name) {}

  int key() const { return _node; }
  const std::string& name() const { return _name; }

  bool operator==(const KeyPair& other) const { return _node == other._node && _name == other._name; }
  bool operator<(const KeyPair& other) const {
    return _node != other._node ? _node < other._node : _name < other._name;
  }

 private:
  int _node;
  std::string _name;
};

}  // namespace sd::graph

template <>
struct std::hash<sd::graph::KeyPair> {
  size_t operator()(const sd::graph::KeyPair& key) const noexcept {
    return std::hash<std::string>()(key.name()) * 31 + static_cast<size_t>(key.key());
  }
};

namespace sd::graph {

/// The stash owns the arrays. Several threads must not use one stash at once when one of them stores or clears.
class SD_LIB_EXPORT Stash {
 public:
  Stash() = default;
  Stash(const Stash&) = delete;
  Stash& operator=(const Stash&) = delete;
  ~Stash();

  /// If the key is in use, its earlier array stays alive until clear().
  /// @throws std::runtime_error for a null array
  void storeArray(int nodeId, const char* name, NDArray* array);
  bool checkStash(int nodeId, const char* name) const;
  /// The array, which the stash still owns; nullptr when there is none.
  NDArray* extractArray(int nodeId, const char* name) const;
  /// Deletes all arrays that were ever stored.
  void clear();

 private:
  std::unordered_map<KeyPair, NDArray*> _stash;
  detail::Boxed<std::unordered_set<NDArray*>> _owned;
};

}  // namespace sd::graph

#endif
