// What runs a graph for sessions and for the scopes of loops.
#ifndef NDFORGE_SRC_GRAPH_SESSIONCORE_H
#define NDFORGE_SRC_GRAPH_SESSIONCORE_H

#include <graph/Session.h>

#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "graph/Interpreter.h"
#include "graph/Plan.h"

namespace sd::graph {

using ValueName = std::pair<int, int>;

/// A variable and the value that is written to it at the end of a run.
struct Update {
  ValueName variable, value;
};

class SessionCore {
 public:
  /// `results`: an index of -1 means every output.
  SessionCore(const Graph& graph, std::vector<ValueName> results, const SessionOptions& options,
              std::vector<Update> updates = {});
  SessionCore(std::unique_ptr<Graph> graph, std::vector<ValueName> results, const SessionOptions& options,
              std::vector<Update> updates = {});
  ~SessionCore();

  const Graph& graph() const { return _graph; }
  const SessionOptions& options() const { return _options; }
  /// The placeholders.
  const std::vector<ValueName>& inputs() const { return _inputs; }
  const std::vector<Update>& updates() const { return _updates; }
  /// Held by a run of a session that updates variables; an empty lock for others.
  std::unique_lock<std::mutex> lockUpdates() {
    return _updates.empty() ? std::unique_lock<std::mutex>() : std::unique_lock(_updating);
  }

  /// An execution: a plan or an interpreter that one thread uses.
  class Engine {
   public:
    virtual ~Engine() = default;
    /// `feeds` in the order of inputs(), null for those that are not fed. `results`: as of Plan::run.
    virtual void run(NDArray* const* feeds, NDArray* const* results, size_t count, const RunControl& control) = 0;
    virtual size_t results() const = 0;
    virtual NDArray* result(size_t k) const = 0;
    /// The results as arrays of the caller's own.
    virtual std::vector<NDArray> takeResults();
    virtual const Plan* plan() const { return nullptr; }
    /// As of Plan.
    virtual const LongType* directShape(size_t) const { return nullptr; }
  };

  /// The engine of a run: its results stay until the lease ends.
  class Lease {
   public:
    Lease() = default;
    Lease(SessionCore& core, size_t entry, std::unique_ptr<Engine> engine)
        : _core(&core), _entry(entry), _engine(std::move(engine)) {}
    Lease(Lease&&) = default;
    Lease& operator=(Lease&& other) {
      end();
      _core = other._core;
      _entry = other._entry;
      _engine = std::move(other._engine);
      return *this;
    }
    ~Lease() { end(); }
    Engine* operator->() const { return _engine.get(); }
    void end() {
      if (_engine != nullptr) _core->giveBack(_entry, std::move(_engine));
    }

   private:
    SessionCore* _core = nullptr;
    size_t _entry = 0;
    std::unique_ptr<Engine> _engine;
  };

  /// The engine for feeds of these shapes.
  Lease engineFor(NDArray* const* feeds);
  const std::vector<PassReport>& passReports() const { return _reports; }
  /// Of the plan that was compiled last; nullptr when there is none.
  const Plan* lastPlan() const { return _lastPlan; }
  /// Held while the last plan is looked at.
  std::mutex& mutex() const { return _mutex; }

 private:
  struct Entry {
    size_t id = 0;
    std::vector<const LongType*> shapes;  ///< of feeds and variables
    std::vector<std::unique_ptr<Engine>> idle;
    size_t used = 0;
  };

  std::unique_ptr<Graph> _own;
  const Graph& _graph;
  SessionOptions _options;
  std::vector<ValueName> _inputs, _results;
  std::vector<const Variable*> _variables;  ///< those on whose shapes plans depend
  std::vector<Update> _updates;
  std::mutex _updating;
  std::unique_ptr<Graph> _structured;  ///< with conditions and loops instead of branches and frames
  const Graph* _plannable = nullptr;   ///< the graph that plans run; nullptr: there is none
  mutable std::mutex _mutex;
  std::vector<Entry> _entries;
  size_t _clock = 0, _nextEntry = 0;
  std::vector<PassReport> _reports;
  const Plan* _lastPlan = nullptr;

  void prepare();
  /// @throws std::invalid_argument for arrays that a placeholder does not take
  void checkFeeds(NDArray* const* feeds) const;
  std::vector<ValueName> plannedValues() const;
  std::unique_ptr<Engine> makeEngine(NDArray* const* feeds);
  void giveBack(size_t entry, std::unique_ptr<Engine> engine);
};

}  // namespace sd::graph

#endif
