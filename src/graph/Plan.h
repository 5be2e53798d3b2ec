// A graph compiled for given types and shapes: steps with everything resolved, and the memory of their results.
#ifndef NDFORGE_SRC_GRAPH_PLAN_H
#define NDFORGE_SRC_GRAPH_PLAN_H

#include <array/NDArray.h>
#include <graph/Context.h>

#include <atomic>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

#include "graph/OpenGraph.h"

namespace sd::graph {

class GraphProfile;

/// Limits of a run, and a way to end it.
struct RunControl {
  const std::atomic<bool>* cancelled = nullptr;
  LongType iterations = 10000000;   ///< of one loop
  GraphProfile* profile = nullptr;  ///< gets the time of each step; these then run one after another
  uint64_t seed = 0;                ///< of random numbers; 0: those of each node's context
  /// Of masks that gradients draw again: the same in loops, branches and their gradients. 0: the arguments alone count.
  uint64_t maskSeed = 0;
};

/// A seed that follows from another one and a number; not 0.
uint64_t mixedSeed(uint64_t seed, LongType number);

/// How plans are made.
struct PlanSettings {
  bool reuseMemory = true;  ///< otherwise every value has memory of its own
  bool inPlace = true;
  bool views = true;
  bool reorder = true;
  bool sideBySide = true;  ///< independent steps in several threads, when they are long enough
  uint64_t seed = 0;       ///< of the random numbers of each node that has no seed; 0: from the clock
  std::vector<std::string> withoutPasses = {};  ///< of the graphs of loops and conditions
  /// How many variables get new values: the last results of the graph are the new values, then the variables.
  size_t updates = 0;
};

/// Says that a new value does not fit a variable, if it does not. @throws std::invalid_argument
void requireFit(const Graph& graph, const std::pair<int, int>& variable, const LongType* present,
                const LongType* fresh);

/// What a node does that is no operation: it runs plans of its own.
class ControlStep {
 public:
  virtual ~ControlStep() = default;
  /// The arrays stay the step's and may be others after the next run.
  virtual void run(const std::vector<NDArray*>& inputs, std::vector<NDArray*>& outputs, const RunControl& control) = 0;
};

/// Runs the steps of a graph. A step whose results have shapes that depend on values ends a segment of the plan: what
/// comes after it is compiled when the shapes are found, and kept for the last 16 combinations of shapes.
/// One thread at a time may run a plan; others may ask what it consists of.
class Plan {
 public:
  Plan(std::unique_ptr<OpenGraph> graph, const PlanSettings& settings);
  ~Plan();
  Plan(const Plan&) = delete;
  Plan& operator=(const Plan&) = delete;

  /// The values that a run gets from outside, constants apart.
  const std::vector<std::pair<int, int>>& inputs() const { return _inputs; }
  size_t results() const { return _asked; }
  /// `inputs` have the shapes for which the plan was compiled. `results`: arrays that are written, or null where the
  /// plan's own will do; afterwards result(k) is the array that has the values, until the next run.
  void run(NDArray* const* inputs, NDArray* const* results, const RunControl& control);
  NDArray* result(size_t k) const { return _resultArrays[k]; }
  /// The shape of a result that steps write straight into the array that is given for it; nullptr for others.
  const LongType* directShape(size_t k) const { return _results[k].direct ? _results[k].shapeInfo : nullptr; }
  /// The results as arrays of the caller's own: those that the plan made for them are handed over, others are copied.
  std::vector<NDArray> takeResults();

  /// Bytes of the arenas of all segments that were compiled, and what their values take without sharing memory.
  int64_t arenaBytes() const;
  int64_t totalBytes() const;
  size_t steps() const;
  /// Steps in their order, and the memory of their results.
  std::string text() const;
  const OpenGraph& graph() const { return *_graph; }

 private:
  struct Step;
  struct Segment;
  struct Known;
  class Compiler;

  std::unique_ptr<OpenGraph> _graph;
  PlanSettings _settings;
  std::vector<std::pair<int, int>> _inputs;
  std::vector<ValueId> _inputValues;
  /// Where the address of a value stands that may be another one in each run.
  std::vector<std::vector<NDArray**>> _slots;
  std::vector<NDArray*> _bound;  // by value
  struct Result {
    ValueId value = -1;
    bool direct = false;                  ///< a step writes the array of the caller
    const LongType* shapeInfo = nullptr;  ///< of direct results
    std::unique_ptr<NDArray> own;
    ValueId variable = -1;  ///< gets the value at the end of a run
    bool inPlace = false;   ///< a step writes it over the variable
  };
  std::vector<Result> _results;  // those that are asked for, then new values of variables
  size_t _asked = 0;
  std::vector<int> _resultOf;  // by value: the first result that is it, or -1; the same value once more is a copy
  std::vector<NDArray*> _resultArrays;
  /// The memory of an array of the caller.
  struct Extent {
    const char *first, *end;
    int result;  ///< -1: an input
  };
  std::vector<Extent> _extents;
  std::vector<char> _isShared;            // by result
  std::vector<const void*> _apartBefore;  // addresses of arrays of which the last run found that they lie apart
  std::vector<char> _isUpdated;           // by input
  NDArray* const* _given = nullptr;       // the arrays for the results of this run
  bool _arePublished = false;
  std::unique_ptr<Segment> _first;
  mutable std::mutex _mutex;  ///< held while lists of segments change, and by those who look at them during a run

  void bind(ValueId value, NDArray* array);
  void findShared(NDArray* const* results);
  void bindResults(NDArray* const* results);
  void bindViews(Segment& segment);
  void runSteps(Segment& segment, const RunControl& control);
  void runStep(Step& step, const RunControl& control);
  void runTimed(Segment& segment, const RunControl& control);
  static bool dependsOnThreads(const Segment& segment);
  void schedule(Segment& segment);
  void requireApart(NDArray* const* results);
  void publish(const Segment& segment);
  void copyResults(NDArray* const* results, const Segment& last);
  bool waitsForUpdates(size_t result) const {
    return _given != nullptr && _given[result] != nullptr && _isShared[result] != 0;
  }
  NDArray& keepCopy(Result& result, const NDArray& array);
  void update();
  Segment& next(Segment& segment);
  void disconnect(Segment& segment);
  NDArray* arrayOf(ValueId value, const Segment& segment) const;
};

}  // namespace sd::graph

#endif
