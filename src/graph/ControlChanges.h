// What gradients through loops and conditions change in a graph, apart from the nodes that they add outside of scopes.
#ifndef NDFORGE_SRC_GRAPH_CONTROLCHANGES_H
#define NDFORGE_SRC_GRAPH_CONTROLCHANGES_H

#include <graph/Gradients.h>

#include <map>
#include <memory>
#include <unordered_set>
#include <utility>
#include <vector>

#include "graph/OpenGraph.h"

namespace sd::graph {

/// Changes are collected first and made at the end, when nothing can fail any more.
class ControlChanges {
 public:
  using Name = std::pair<int, int>;

  explicit ControlChanges(LoopValues loops = LoopValues::Keep) : _loops(loops) {}

  LoopValues loops() const { return _loops; }

  // ---- scopes

  void addScope(int id);
  /// The node leaves its former layer and gets this scope.
  void addNode(int scope, std::unique_ptr<Node> node);
  /// A Return at the end of a scope, which gives these values to a node.
  void addReturn(int scope, int number, const std::vector<Name>& values, int target);
  /// What the nodes in the new scopes of a control node read, that is, neither make nor get from `owner`.
  std::vector<Name> readsOf(const std::vector<int>& scopes, int owner) const;
  /// Nodes in the new scopes that a node runs read other values instead.
  void rename(const Node& node, const std::map<Name, Name>& names);

  // ---- nodes that are there already

  /// A loop keeps this value. @returns which of those that it keeps it is
  size_t keep(const Node& loop, const Name& value);
  /// A scope ends with this Return instead of its own, or has one.
  void setReturn(int scope, std::unique_ptr<Node> node) { _returns[scope] = std::move(node); }

  void addConstant(const Name& name, const NDArray& array) {
    _constants.emplace_back(name, std::make_unique<NDArray>(array));
  }

  // ---- to make the changes; each can be made in several graphs

  /// `added`: the nodes that will be added outside of scopes; scopes that they do not run are left out.
  void addScopes(Graph& graph, const std::vector<const Node*>& added) const;
  /// Changes the nodes that are there already. Those of scopes that were left out do not count.
  void changeNodes(Graph& graph) const;

 private:
  LoopValues _loops;
  std::vector<int> _scopes;  // in the order of addition
  std::map<int, std::vector<std::unique_ptr<Node>>> _nodes;
  std::map<int, std::vector<Name>> _kept;
  std::map<int, std::unique_ptr<Node>> _returns;
  std::vector<std::pair<Name, std::unique_ptr<NDArray>>> _constants;

  /// New scopes that a node runs, and those that nodes in them run.
  void findScopes(const Node& node, std::unordered_set<int>& scopes) const;
};

}  // namespace sd::graph

#endif
