// The gradient of what a scope computes, as nodes of a new scope.
#ifndef NDFORGE_SRC_GRAPH_SCOPEGRADIENT_H
#define NDFORGE_SRC_GRAPH_SCOPEGRADIENT_H

#include <functional>
#include <map>
#include <memory>
#include <vector>

#include "graph/ControlChanges.h"
#include "graph/ScopeGraph.h"

namespace sd::graph {

/// A scope of a loop or a condition, opened as a graph of its own. The values of the loop or condition that the scope
/// reads, its states, are placeholders there, and so are values from outside.
class ScopeGradient {
 public:
  using Name = std::pair<int, int>;

  /// `states`: what is known of the values of the control node that the scope reads. `kept`: values of the scope that
  /// somebody reads although it does not return them.
  ScopeGradient(OpenGraph& outer, NodeId control, int scope, const std::vector<ops::PartialShape>& states,
                const std::vector<Name>& kept, ControlChanges& changes);

  OpenGraph& open() const { return *_open; }
  ValueId state(size_t e) const { return _states[e]; }
  /// The values that the scope gives to output e of the control node, by e. Others are not in it.
  const std::map<size_t, ValueId>& results() const { return _results; }
  ValueId kept(size_t k) const { return _kept[k]; }
  /// Whether a Return ends the scope.
  bool returns() const { return _scope.returns; }
  const Node* last() const { return _last; }
  /// What it reads from outside: its value here and there.
  const std::vector<std::pair<ValueId, ValueId>>& outside() const { return _outside; }
  /// A value from outside, which it may not read yet.
  ValueId take(ValueId outerValue);

  /// For each value, whether it depends on one of these.
  std::vector<char> dependents(const std::vector<ValueId>& parameters);
  /// For each value, whether one of these depends on it.
  std::vector<char> sources(const std::vector<ValueId>& values) const;

  struct Head {
    ValueId value, gradient;
  };
  /// The gradients of the parameters, -1 where there is none.
  std::vector<ValueId> pullBack(std::vector<Head> heads, const std::vector<ValueId>& parameters);
  ValueId zerosLike(ValueId value);
  ValueId add(ValueId a, ValueId b);

  /// Makes a new scope, whose Return gives `values` to the node `target`. `keep` gets the values that are not computed
  /// in it, and says how they are called there.
  void write(int scope, const std::vector<ValueId>& values, int target, const std::function<Name(ValueId)>& keep);
  /// Numbers that are taken here are taken outside too.
  void end() { _outer.skipNumbers(_open->nextNumbers()); }

 private:
  OpenGraph& _outer;
  int _control;
  ControlChanges& _changes;
  ScopeGraph _scope;
  const Node* _last = nullptr;
  std::unique_ptr<OpenGraph> _open;
  NodeId _first = 0;  // of the new nodes
  std::vector<ValueId> _states, _kept;
  std::map<size_t, ValueId> _results;
  std::vector<std::pair<ValueId, ValueId>> _outside;

  bool isComputedAgain(const OpenNode& node) const;
  void noteConstant(ValueId value);
};

}  // namespace sd::graph

#endif
