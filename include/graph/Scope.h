// A part of a graph that loops and conditions run.
#ifndef NDFORGE_GRAPH_SCOPE_H
#define NDFORGE_GRAPH_SCOPE_H

#include <graph/Node.h>
#include <system/common.h>

#include <memory>
#include <string>
#include <vector>

namespace sd::graph {

/// The nodes of a scope, in the order in which they run. The scope owns them unless it is told to forget them.
class SD_LIB_EXPORT Scope {
 public:
  explicit Scope(int id, const char* name = nullptr) : _id(id), _name(name == nullptr ? "" : name) {}
  ~Scope() {
    for (Node* node : _nodes) delete node;
  }
  Scope(const Scope&) = delete;
  Scope& operator=(const Scope&) = delete;

  /// The scope owns the node from then on.
  void push_back(Node* node) { _nodes.push_back(node); }
  std::vector<Node*>* nodes() { return &_nodes; }
  const std::vector<Node*>& nodes() const { return _nodes; }
  int size() const { return static_cast<int>(_nodes.size()); }
  int id() const { return _id; }
  std::string* name() { return &_name; }
  const std::string& name() const { return _name; }
  /// Leaves the nodes to someone else.
  void forgetNodes() { _nodes.clear(); }
  /// A scope with clones of the nodes, which the caller deletes.
  Scope* clone() const {
    auto copy = std::make_unique<Scope>(_id, _name.c_str());
    for (const Node* node : _nodes) copy->push_back(node->clone());
    return copy.release();
  }

 private:
  int _id;
  std::string _name;
  std::vector<Node*> _nodes;
};

}  // namespace sd::graph

#endif
