// Makes the segments of a plan.
#ifndef NDFORGE_SRC_GRAPH_PLANCOMPILER_H
#define NDFORGE_SRC_GRAPH_PLANCOMPILER_H

#include <unordered_set>

#include "graph/PlanParts.h"

namespace sd::graph {

class Plan::Compiler {
 public:
  Compiler(Plan& plan, Segment& segment) : _plan(plan), _segment(segment), _graph(*plan._graph) {}

  /// Fills the segment with steps for those of the nodes whose inputs have known shapes.
  void compile(const std::vector<NodeId>& nodes);

 private:
  Plan& _plan;
  Segment& _segment;
  const OpenGraph& _graph;
  std::unordered_set<ValueId> _planned;         // the values that steps of this segment write into its arena
  std::unordered_map<ValueId, ValueId> _views;  // of values that are other values in another shape

  bool isReady(const OpenNode& node) const;
  void addStep(NodeId id);
  bool prepare(const OpenNode& node, Step& step);
  bool addView(const OpenNode& node);
  void call(const OpenNode& node, Step& step);
  void placeValues();
  ValueId viewedInput(const Step& step, ValueId output) const;
  void connect(Step& step);
  void setArray(std::vector<NDArray*>& list, size_t index, ValueId value);
  const LongType* shapeOf(ValueId value) const;
  bool isDirectResult(ValueId value) const;
  void noteResult(ValueId value, const LongType* shapeInfo);
};

}  // namespace sd::graph

#endif
