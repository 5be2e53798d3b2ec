// What plans are made of: steps, and segments of steps with their memory.
#ifndef NDFORGE_SRC_GRAPH_PLANPARTS_H
#define NDFORGE_SRC_GRAPH_PLANPARTS_H

#include "graph/MemoryPlan.h"
#include "graph/Plan.h"
#include "graph/StepScheduler.h"

namespace sd::graph {

struct Plan::Step {
  enum class Kind : unsigned char {
    Prepared,  ///< runs on arrays of known shapes
    Call,      ///< a whole call, which makes arrays for results whose shapes are not known before
    Control,
  };
  Kind kind = Kind::Prepared;
  bool zeroOutputs = false;  ///< the operation reads its outputs
  NodeId node = -1;
  ops::DeclarableOp* op = nullptr;
  std::unique_ptr<Context> block;
  std::unique_ptr<NDArray> scalar;  ///< the second operand of an operation that has it as an argument
  std::unique_ptr<ControlStep> control;
  std::vector<ValueId> found;  ///< the outputs whose shapes it finds
};

/// What a compiler knows of a value.
struct Plan::Known {
  const LongType* shapeInfo = nullptr;
  NDArray* array = nullptr;  ///< nullptr for values that are bound before or during each run
};

struct Plan::Segment {
  Segment* before = nullptr;
  std::vector<Step> steps;
  std::unordered_map<ValueId, Known> known;
  std::vector<std::unique_ptr<NDArray>> arrays;
  std::unique_ptr<NDArray> arena;
  int64_t totalBytes = 0;
  /// The steps as the planner of memory knows them, until the first run decides whether some run side by side.
  struct Layout {
    Steps steps;
    std::vector<int> order;
    MemoryPlan memory;
  };
  std::unique_ptr<Layout> layout;
  std::unique_ptr<StepScheduler> scheduler;  ///< nullptr: one step after another
  int threads = 1;
  std::vector<double> nanoseconds;  ///< of the steps in the first run
  std::vector<ValueId> found;       ///< the values whose shapes its steps find
  std::vector<NodeId> rest;         ///< the nodes that come after it
  struct Next {
    std::vector<const LongType*> shapes;  ///< of `found`
    std::unique_ptr<Segment> segment;
  };
  std::vector<Next> next;

  const Known* find(ValueId value) const {
    for (const Segment* at = this; at != nullptr; at = at->before) {
      const auto found_ = at->known.find(value);
      if (found_ != at->known.end()) return &found_->second;
    }
    return nullptr;
  }
};

}  // namespace sd::graph

#endif
