// Makes the segments of a plan.
#ifndef NDFORGE_SRC_GRAPH_PLANCOMPILER_H
#define NDFORGE_SRC_GRAPH_PLANCOMPILER_H

#include <array/ShapeList.h>
#include <graph/Operation.h>

#include <unordered_map>

#include "graph/PlanParts.h"
#include "graph/StepOrder.h"

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
  /// The values that steps of this segment write into its arena, or into the caller's arrays, with these steps.
  std::unordered_map<ValueId, size_t> _planned;
  struct View {
    ValueId of;
    int64_t offset;  // in bytes
    bool whole;
  };
  std::unordered_map<ValueId, View> _views;  // values that are no steps' results but parts of other values
  std::unordered_map<ValueId, View> _parts;  // results of steps that lie in the result of a concat
  std::unordered_map<ValueId, std::vector<ValueId>> _waits;  // views that are read when these values are there
  struct Joined {
    ValueId value;
    size_t first;     // the first step that writes a part of it
    int buffer = -1;  // its memory
  };
  std::vector<Joined> _joined;

  // ---- steps

  bool isReady(const OpenNode& node) const;
  void addStep(NodeId id);
  bool prepare(const OpenNode& node, Step& step, ShapeList& results);
  void publish(const OpenNode& node, Step& step, const ShapeList& results);
  void call(const OpenNode& node, Step& step);
  const LongType* shapeOf(ValueId value) const;
  std::vector<const LongType*> inputShapes(const OpenNode& node) const;
  bool isDirectResult(ValueId value) const;
  void noteResult(ValueId value, const LongType* shapeInfo);

  // ---- variables that get new values: PlanUpdates.cpp

  /// Steps that run after others because they write over variables that the others read.
  std::vector<std::pair<NodeId, NodeId>> _updateOrder;
  std::unordered_map<NodeId, size_t> _stepOf;
  /// The steps that run after everything else.
  struct LastSteps {
    std::vector<char> isLast;                      // by step
    std::unordered_map<ValueId, size_t> updaters;  // the steps that may write over variables, by variable
  };
  void chooseUpdates();
  void requireUpdatesFit() const;
  LastSteps updatingSteps() const;
  size_t updaterOf(const Result& result) const;
  bool readsCalls(const OpenNode& node) const;
  void addBetween(std::vector<char>& isLast) const;
  void removeRead(std::vector<char>& isLast) const;
  bool mayBeLast(const Step& step, const std::vector<char>& isLast) const;
  template <typename F>
  void eachRead(const std::vector<char>& isLast, F&& see) const;
  std::vector<StepEdge> readersFirst(const LastSteps& last) const;
  size_t stepInCircle(const LastSteps& last, const std::vector<StepEdge>& order) const;
  void setUpdates(const LastSteps& last, const std::vector<StepEdge>& order);
  void orderUpdates(Steps& steps) const;

  // ---- contracts of classes of operations: PlanContracts.cpp

  std::unique_ptr<Operation> contractOf(const Step& step) const;
  bool givesViews(const Step& step) const;
  void keepViewed(std::vector<char>& needed) const;
  void orderDestroyers(Steps& steps) const;

  // ---- views: PlanMemory.cpp

  bool addViews(const OpenNode& node, Context& block, const ShapeList& results);
  bool addLateViews(const OpenNode& node, const ShapeList& results);
  bool isWorthViewing(const OpenNode& node, ValueId source, const ShapeList& results) const;
  bool joinParts(const OpenNode& node, Context& block, const LongType* result);
  View rootOf(ValueId value) const;
  void insertOpenings();
  void removeOpenings();
  void setJoining(bool isJoining);

  // ---- memory: PlanMemory.cpp

  /// The buffers of values.
  struct Buffers {
    Steps steps;
    std::unordered_map<ValueId, int> of;
    std::vector<char> needed;  // by value: whether nodes after this segment read it
  };
  /// An order of the steps, and their memory.
  struct Arrangement {
    Buffers buffers;
    StepOrder order;
    MemoryPlan memory;
  };
  void placeValues();
  Arrangement arrange();
  Arrangement arrangeBest();
  void addBuffers(Buffers& buffers);
  void addSteps(Buffers& buffers);
  void addWaits(Buffers& buffers, int step, ValueId input);
  int bufferOf(Buffers& buffers, ValueId value);
  void placeArrays(const Buffers& buffers, const MemoryPlan& memory);
  void placeArray(ValueId value, Known& known, const Buffers& buffers, const MemoryPlan& memory);
  ValueId viewedInput(const Step& step, ValueId output) const;
  void connect(Step& step);
  void setArray(std::vector<NDArray*>& list, size_t index, ValueId value);
};

}  // namespace sd::graph

#endif
