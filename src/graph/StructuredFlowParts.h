// The parts of a graph while its branches and loops become conditions and loops with scopes.
#ifndef NDFORGE_SRC_GRAPH_STRUCTUREDFLOWPARTS_H
#define NDFORGE_SRC_GRAPH_STRUCTUREDFLOWPARTS_H

#include <graph/Graph.h>

#include <map>
#include <memory>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

namespace sd::graph::structured {

using Name = std::pair<int, int>;
using Ids = std::vector<int>;

/// The graph does not have the form that is looked for.
struct NoMatch {};

inline void require(bool holds) {
  if (!holds) throw NoMatch();
}

/// A copy of the nodes of a graph, in which scopes take the place of branches and loops.
class Structure {
 public:
  Structure(const Graph& graph, const std::vector<Name>& results);
  std::unique_ptr<Graph> build();

 private:
  /// Which branch is taken, by condition: for the values to be there.
  using Branches = std::map<Name, int>;
  struct Loop {
    Ids merges, switches, ends;
    Name condition{0, -1};
  };

  const Graph& _graph;
  std::unordered_map<int, std::unique_ptr<Node>> _nodes;
  Ids _top;  // the nodes outside of scopes
  std::unordered_map<int, std::vector<std::unique_ptr<Node>>> _scopes;
  std::unordered_set<int> _results;
  std::map<Name, Name> _renamed;  // what readers of a value read instead, in the end
  int _nextId = 1;

  Node& node(int id) const { return *_nodes.at(id); }
  bool isLoopMerge(const Node& node) const;
  void addReads(const Node& node, std::vector<Name>& names, std::unordered_set<int>& made) const;
  std::vector<Name> readsOf(const Node& node) const;
  bool isMovable(const Node& node) const;
  Name resolved(Name name) const;

  // ---- making nodes

  int addIdentity(const Node& like, const Name& input);
  int openScope() { return _nextId++; }
  void addTest(int scope, const Name& condition);
  void addReturn(int scope, int target, const std::vector<Name>& values);
  template <typename Belongs>
  Ids closure(const std::vector<Name>& roots, Belongs&& belongs) const;
  void addClones(int scope, const Ids& ids);

  // ---- loops: StructuredLoops.cpp

  void convertLoops();
  std::map<LongType, Ids> frames() const;
  bool convertLoop(LongType frame, const Ids& merges);
  Loop describe(const Ids& merges, const std::unordered_set<int>& members,
                const std::unordered_map<int, Ids>& readers) const;

  // ---- conditions: StructuredConditions.cpp

  void sort(Ids& region) const;
  void convertConditions(Ids& region, const std::vector<Name>& roots);
  void convertGroup(Ids& region, const Ids& merges, const Name& condition, std::unordered_map<int, Branches>& branches);
};

/// The nodes on which values depend, as far as they belong to something.
template <typename Belongs>
Ids Structure::closure(const std::vector<Name>& roots, Belongs&& belongs) const {
  Ids ids;
  std::unordered_set<int> seen;
  std::vector<Name> wanted = roots;
  while (!wanted.empty()) {
    const Name name = resolved(wanted.back());
    wanted.pop_back();
    if (_nodes.count(name.first) == 0 || !belongs(name) || !seen.insert(name.first).second) continue;
    ids.push_back(name.first);
    const std::vector<Name> reads = readsOf(node(name.first));
    wanted.insert(wanted.end(), reads.begin(), reads.end());
  }
  return ids;
}

}  // namespace sd::graph::structured

#endif
