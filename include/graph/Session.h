// Runs a graph many times: it is optimised and compiled once for each combination of input shapes.
#ifndef NDFORGE_GRAPH_SESSION_H
#define NDFORGE_GRAPH_SESSION_H

#include <array/NDArray.h>
#include <system/common.h>

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace sd::graph {

class Graph;
class GraphProfile;
class SessionCore;

struct SessionOptions {
  /// Names or numbers of the results: "logits", "7", "7:1" for output 1 of node 7. Empty: what the graph's output mode
  /// says.
  std::vector<std::string> results = {};
  /// Variables that get new values in each run: {{"w", "w_new"}, …}, a variable and what is written to it when
  /// everything else has been computed. All nodes, and results that name the variable, read its old value. Without
  /// `results`, nodes that compute new values are no results.
  std::vector<std::pair<std::string, std::string>> updates = {};
  /// Passes that are left out, by name (see Session::passes()); "all" leaves out every one.
  std::vector<std::string> withoutPasses = {};
  /// Results share memory when they are not needed at the same time, and may be written over inputs that are not needed
  /// any more.
  bool reuseMemory = true;
  bool inPlace = true;
  /// Independent nodes may run side by side when they take long enough. Results do not depend on it.
  bool sideBySide = true;
  /// How many compiled plans are kept for other shapes.
  size_t plans = 8;
  /// The iterations after which a loop is taken for endless.
  LongType mostIterations = 10000000;
};

/// An array for an input, which is named by its name or its number.
struct Feed {
  Feed(const char* name_, const NDArray& array_) : name(name_), array(&array_) {}
  Feed(const std::string& name_, const NDArray& array_) : name(name_), array(&array_) {}
  Feed(int number, const NDArray& array_) : name(std::to_string(number)), array(&array_) {}

  std::string name;
  const NDArray* array;  ///< not owned
};

struct RunOptions {
  /// Set by another thread to end the run: it throws sd::graph_execution_exception.
  const std::atomic<bool>* cancelled = nullptr;
  /// Gets the time and the memory of each node, which then run one after another.
  GraphProfile* profile = nullptr;
  /// Of the random numbers of this run: equal seeds give equal numbers, whatever was drawn before. 0: each node goes on
  /// with its own generator. Masks of dropout follow from this and from their own seeds, also in their gradients.
  /// Graphs that run node by node ignore it, and so do other operations with a seed of their own.
  uint64_t seed = 0;
};

/// What a pass did.
struct PassReport {
  std::string name, text;
  int changes = 0;  ///< nodes that it removed, replaced or joined
  int nodesBefore = 0, nodesAfter = 0;
};

/// A graph for repeated runs. Only results are computed and kept: there are no variables for the values in between, as
/// GraphExecutioner leaves them. Inputs are the placeholders. Variables are read in each run, so a change of their
/// elements counts; constants (VariableType CONSTANT) may be folded when a plan is compiled. Inputs and variables are
/// never written, whatever nodes are marked to work in place, but for the variables of SessionOptions::updates.
///
/// The graph and its variables must outlive the session and must not get or lose nodes. Several threads may run a
/// session at once: each gets a plan with memory of its own. A session with updates runs them one after another.
///
/// A run that throws, or is cancelled, has changed no variable: updates begin when nothing is left that can fail. Only
/// when memory runs out in the updates themselves may some variables be new and others old.
class SD_LIB_EXPORT Session {
 public:
  /// @throws std::invalid_argument for unknown results and passes, and for updates of what is no variable with an
  /// array; sd::graph_exception for cycles; sd::unresolved_input_exception
  explicit Session(const Graph& graph, const SessionOptions& options = {});
  /// Owns the graph.
  explicit Session(std::unique_ptr<Graph> graph, const SessionOptions& options = {});
  ~Session();
  Session(Session&&) noexcept;
  Session& operator=(Session&&) noexcept;

  /// The names of the placeholders, or their numbers where they have no names, in the order of positional inputs.
  const std::vector<std::string>& inputs() const { return _inputs; }
  /// The names of the results. One name stands for all outputs of a node.
  const std::vector<std::string>& results() const { return _results; }

  /// New arrays with the results. @throws std::invalid_argument for unknown or missing inputs, sd::graph_exception and
  /// what operations throw; messages name the node
  std::vector<NDArray> run(const std::vector<Feed>& feeds, const RunOptions& options = {});
  /// Writes the results into these arrays; inputs in the order of inputs(). A second run with equal shapes allocates
  /// nothing.
  void run(const std::vector<const NDArray*>& inputs, const std::vector<NDArray*>& results,
           const RunOptions& options = {});
  /// The arrays in the order of inputs(), null where none is given. @throws std::invalid_argument for unknown inputs
  std::vector<const NDArray*> inOrder(const std::vector<Feed>& feeds) const;
  /// Compiles the plan for inputs of these shapes, of which no values are read.
  void compile(const std::vector<Feed>& feeds);

  /// What the passes did for the plan that was compiled last, what it consists of, and how much memory it takes.
  std::vector<PassReport> passReports() const;
  std::string text() const;
  /// The graph after the passes, of the plan that was compiled last; nullptr when there is none. The session must
  /// outlive it.
  std::unique_ptr<Graph> optimised() const;
  /// Bytes that the values of the last plan take, and what they would take if no memory was shared.
  LongType peakBytes() const;
  LongType totalBytes() const;

  /// The names of all passes, in their order.
  static std::vector<std::string> passes();

 private:
  std::unique_ptr<SessionCore> _core;
  std::vector<std::string> _inputs, _results;
};

}  // namespace sd::graph

#endif
