// Executes a graph node by node on a variable space, with the rules of control flow.
#ifndef NDFORGE_SRC_GRAPH_INTERPRETER_H
#define NDFORGE_SRC_GRAPH_INTERPRETER_H

#include <graph/Graph.h>
#include <graph/VariableSpace.h>

#include <atomic>
#include <memory>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace sd::graph {

class KeptValues;

/// Limits of an execution, and a way to end it.
struct RunLimits {
  /// Steps that a graph with loops may take beyond one for each node.
  LongType steps = 10000;
  /// Iterations of one While.
  LongType iterations = 10000000;
  const std::atomic<bool>* cancelled = nullptr;
};

/// Nodes run in the order of layers. Every value is a variable (node, output) of the space afterwards. Contexts, and
/// with them the memory of results, are kept from one execution to the next.
class GraphInterpreter {
 public:
  GraphInterpreter(Graph& graph, VariableSpace& variables);
  ~GraphInterpreter();
  GraphInterpreter(const GraphInterpreter&) = delete;
  GraphInterpreter& operator=(const GraphInterpreter&) = delete;

  bool serves(const Graph& graph, const VariableSpace& variables) const {
    return &graph == &_graph && &variables == &_variables && graph.version() == _version;
  }
  /// The first status that is not OK ends the execution; failure() says why. @throws what operations throw, with a
  /// message that names the node
  Status run(const RunLimits& limits = {});
  const std::string& failure() const { return _failure; }
  /// Runs one node, and the scopes that it names, whatever the state of its inputs.
  Status runAlone(Node& node, const RunLimits& limits = {});

 private:
  struct Call;
  class Run;

  Graph& _graph;
  VariableSpace& _variables;
  size_t _version;
  std::unordered_map<const Node*, std::unique_ptr<Call>> _calls;
  std::vector<std::vector<Call*>> _layerCalls;                           // those of the nodes of each layer
  Call* _next = nullptr;                                                 // of the node that runs next, probably
  size_t _run = 0;                                                       // counts executions
  std::unordered_map<int, int> _readers;                                 // how many inputs name a number
  std::unordered_map<LongType, std::unordered_set<const Node*>> _loops;  // the nodes of each frame
  std::unordered_map<std::pair<int, int>, const NDArray*> _targets;      // arrays that copyTo() has made
  bool _hasFrames = false;                                               // whether a loop of frames is there
  RunLimits _limits;
  FlowPath* _flow = nullptr;
  bool _ownsFlow = false;  // nobody else sees the path
  std::string _failure;
  bool _timed = false;
  LongType _preparation = 0, _execution = 0;  // times of the last operation

  Status runLayers();
  Status runNode(Node& node);
  void record(Node& node, LongType start);
  Call& callFor(const Node& node);
  Call& callOf(Node& node);
  void listCalls();
  void markActive(const Node& node, bool isActive);
  void findLoops();
  bool isSkipped(const Node& node) const;
  /// Sets `rewindTo` when a loop goes on with an earlier layer.
  Status step(Node& node, int& rewindTo);
  Status runEmbedded(Node& node);

  // ---- operations: InterpreterOperations.cpp

  Status runOperation(Node& node);
  /// Types and shapes of the results, from the inputs in the context; empty when inference does not say it.
  std::vector<ops::PartialShape> resultsOf(const Node& node, Context& block) const;
  bool takeGivenOutputs(const Node& node, Call& call);
  /// Whether the first input, as memory, may become the result. Marks in place change no value that anybody reads.
  bool mayWorkInPlace(const Node& node) const;
  bool fitsInput(const Node& node, Call& call) const;
  Status runThroughVariables(Node& node, Call& call);
  void publish(Node& node, Call& call);
  void checkNumbers(const Node& node) const;

  // ---- logic nodes: LogicNodes.cpp, LogicLoops.cpp

  Status runLogic(Node& node);
  Status runSwitch(Node& node);
  Status runMerge(Node& node);
  Status runWhile(Node& node);
  Status runConditional(Node& node);
  Status runUnwind(Node& node);
  Status keepValues(Node& node, const std::vector<std::pair<int, int>>& names, KeptValues& kept);
  void publishKept(const Node& node, KeptValues& kept, size_t first);
  /// Gives away the first `count` values at most.
  Status runReturn(Node& node, size_t count);
  Status passThrough(Node& node);
  void copyInputs(Node& node, size_t count);
  Status runNodes(const std::vector<Node*>& nodes, size_t count);
  Status condition(Node& node, const Scope& scope, bool& holds);

  // ---- variables: InterpreterVariables.cpp

  Variable& variableOf(const Node& node, size_t input) const;
  Variable* writtenVariable(Call& call, const Node& node, size_t input);
  void share(const Node& node, int index, const Variable& source);
  void copyToTargets(Node& node);
  void copyTo(const std::pair<int, int>& place, const NDArray& array);
  Variable& ensure(const Node& node, int index);
  /// Whether the space itself has the variable: nothing is written to a space behind a proxy.
  bool owns(int id, int index) const { return _variables.VariableSpace::hasVariable(id, index); }
  Status fail(const Node& node, Status status, const std::string& why);
  void checkCancelled(const Node& node) const;
};

/// An array with the elements of `array`: the buffer is shared.
std::unique_ptr<NDArray> sharedArray(const NDArray& array);

}  // namespace sd::graph

#endif
