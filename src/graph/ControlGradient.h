// What the gradients of all kinds of control nodes share.
#ifndef NDFORGE_SRC_GRAPH_CONTROLGRADIENT_H
#define NDFORGE_SRC_GRAPH_CONTROLGRADIENT_H

#include <functional>
#include <utility>
#include <vector>

#include "graph/ControlChanges.h"
#include "graph/OpenGraph.h"

namespace sd::graph {

/// The gradient of one control node, as a further node of its graph.
class ControlGradient {
 public:
  using Name = std::pair<int, int>;
  using Pairs = std::vector<std::pair<ValueId, ValueId>>;
  using IsDependent = std::function<bool(ValueId)>;

  /// `isDependent`: whether a parameter influences a value of the graph.
  ControlGradient(OpenGraph& graph, NodeId id, const IsDependent& isDependent, ControlChanges& changes);
  virtual ~ControlGradient() = default;
  ControlGradient(const ControlGradient&) = delete;
  ControlGradient& operator=(const ControlGradient&) = delete;

  /// Adds the node. `gradients`: of the outputs, -1 where there is none. @returns values with gradients that are to be
  /// added to them
  virtual Pairs add(const std::vector<ValueId>& gradients) = 0;

 protected:
  OpenGraph& _graph;
  const NodeId _id;
  const Node& _node;
  const std::vector<ValueId> _inputs;  // those that the node lists
  const IsDependent& _isDependent;
  ControlChanges& _changes;

  /// Whether a gradient of the value is wanted.
  bool wants(ValueId value) const;
  /// The values of the graph that new scopes read.
  std::vector<ValueId> readValues(const std::vector<int>& scopes, int owner) const;
  ValueId zerosLike(ValueId value) { return _graph.node(_graph.addCall("zeros_as", {value})).outputs[0]; }
};

}  // namespace sd::graph

#endif
