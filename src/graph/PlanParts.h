// What plans are made of: steps, and segments of steps with their memory.
#ifndef NDFORGE_SRC_GRAPH_PLANPARTS_H
#define NDFORGE_SRC_GRAPH_PLANPARTS_H

#include <algorithm>

#include "graph/MemoryPlan.h"
#include "graph/Plan.h"
#include "graph/StepScheduler.h"

namespace sd::graph {

/// The bytes from the first to behind the last element.
std::pair<const char*, const char*> extent(const NDArray& array);

struct Plan::Step {
  enum class Kind : unsigned char {
    Prepared,  ///< runs on arrays of known shapes
    Call,      ///< a whole call, which makes arrays for results whose shapes are not known before
    Control,
    Nothing,  ///< a place in the order: before the first and after the last part of an array that is made in parts
    Publish,  ///< everything is computed but what is written over variables: the results are handed out
  };
  Kind kind = Kind::Prepared;
  bool updates = false;      ///< runs after Publish
  bool isRandom = false;     ///< draws random numbers
  bool zeroOutputs = false;  ///< the operation reads its outputs
  NodeId node = -1;          ///< may be -1 of Nothing, is -1 of Publish
  ops::DeclarableOp* op = nullptr;
  std::unique_ptr<Context> block;
  LongType* maskSeed = nullptr;     ///< the argument that seeds a mask
  LongType givenSeed = 0;           ///< what the node says that it is
  std::unique_ptr<NDArray> scalar;  ///< the second operand of an operation that has it as an argument
  std::unique_ptr<ControlStep> control;
  std::vector<ValueId> found;  ///< the outputs whose shapes it finds

  bool computes() const { return kind != Kind::Nothing && kind != Kind::Publish; }
};

/// What a compiler knows of a value.
struct Plan::Known {
  const LongType* shapeInfo = nullptr;
  NDArray* array = nullptr;  ///< nullptr for values that are bound before or during each run
  /// The bound value of whose memory the array is a part, or -1, and where in it.
  ValueId boundTo = -1;
  int64_t boundOffset = 0;
};

struct Plan::Segment {
  Segment* before = nullptr;
  std::vector<Step> steps;
  std::unordered_map<ValueId, Known> known;
  std::vector<std::unique_ptr<NDArray>> arrays;
  std::unique_ptr<NDArray> arena;
  /// Arrays that lie in the memory of values that are bound before the segment runs.
  struct BoundView {
    ValueId of;
    int64_t offset;
    DataBuffer* buffer;
    size_t length;
  };
  std::vector<BoundView> boundViews;
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
  std::vector<double> nanoseconds;                   ///< of the steps in the first run
  std::vector<ValueId> found;                        ///< the values whose shapes its steps find
  std::vector<NodeId> rest;                          ///< the nodes that come after it
  std::vector<std::pair<ValueId, NDArray**>> slots;  ///< those of Plan::_slots that are in its steps
  struct Next {
    std::vector<const LongType*> shapes;  ///< of `found`
    std::unique_ptr<Segment> segment;
  };
  std::vector<Next> next;  ///< the last one was used last

  /// Removes the steps that do nothing, once no step is scheduled any more.
  void dropPlaces() {
    std::erase_if(steps, [](const Step& step) { return step.kind == Step::Kind::Nothing; });
  }

  /// Without those that do nothing.
  size_t countSteps() const {
    return static_cast<size_t>(
        std::count_if(steps.begin(), steps.end(), [](const Step& step) { return step.computes(); }));
  }

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
