// Scopes that are put together piece by piece, and logic operations that run them.
#ifndef NDFORGE_GRAPH_GRAPHSTATE_H
#define NDFORGE_GRAPH_GRAPHSTATE_H

#include <graph/ArgumentsList.h>
#include <graph/Graph.h>
#include <graph/Scope.h>
#include <graph/VariableSpace.h>
#include <ops/declarable/DeclarableOp.h>
#include <system/common.h>

#include <memory>
#include <string>
#include <vector>

namespace sd::graph {

/// A loop or a condition whose scopes are filled by calls. The values of the loop are the variables (0, 0), (0, 1), …:
/// nodes of a scope read them under these names, and defineReturn() sets them. Nodes have other numbers than 0.
///
///     GraphState state(1);                                    // while (x < limit) x = x + step
///     state.registerScope(10);
///     state.attachOpToScope(10, 1, less, {{0, 0}, {0, 1}});
///     state.registerScope(20);
///     state.attachOpToScope(20, 2, add, {{0, 0}, {0, 2}});
///     state.defineReturn(20, 3, {{2, 0}, {0, 1}, {0, 2}});
///     state.execute(logic::While, {&x, &limit, &step}, {10, 20}, {&x});
///
/// Not thread-safe.
class SD_LIB_EXPORT GraphState {
 public:
  explicit GraphState(LongType id);
  GraphState(const GraphState&) = delete;
  GraphState& operator=(const GraphState&) = delete;
  ~GraphState();

  LongType id() const { return _id; }

  /// KERNEL_FAILURE for a number that a scope has already, and for 0.
  Status registerScope(int scopeId);
  bool hasScope(int scopeId) const { return _graph->hasScope(scopeId); }
  /// Deletes the scope with its nodes, and makes pointers to scopes and nodes invalid. KERNEL_FAILURE for an unknown
  /// one.
  Status forgetScope(int scopeId);
  /// nullptr when there is no such scope.
  Scope* getScope(int scopeId) const { return hasScope(scopeId) ? _graph->scopeById(scopeId) : nullptr; }

  /// Adds a node to a scope; nodes run in the order in which they are added. KERNEL_FAILURE for an unknown scope,
  /// BAD_INPUT for a null operation.
  Status attachOpToScope(int scopeId, int nodeId, ops::DeclarableOp* op, ArgumentsList inputs);
  /// Does nothing. Always OK.
  Status attachOpToScope(int scopeId, LongType opNum, int type, ArgumentsList inputs);
  /// Ends a scope: input e becomes the value (0, e). KERNEL_FAILURE for an unknown scope.
  Status defineReturn(int scopeId, int nodeId, ArgumentsList inputs);

  /// The scopes. Executions do not add to it.
  Graph* graph() { return _graph.get(); }
  /// Variables that nodes of the scopes may read, besides the values. Executions do not add to it.
  VariableSpace* variableSpace() const { return _graph->getVariableSpace(); }

  /// Runs a logic operation (sd::logic) on copies of the inputs and copies its values to the outputs, which have their
  /// shapes and types. Scopes: condition and body of a While; condition, false and true of a Conditional; a Switch has
  /// none and the inputs (data, condition), or the scope of the condition and the input data. Only that output of a
  /// Switch is written whose branch is taken.
  /// KERNEL_FAILURE for unknown scopes, and when a loop does not end; BAD_INPUT for unknown operations and for outputs
  /// that do not fit; otherwise the first status of a node that is not OK. failureMessage() says why.
  /// @throws what operations throw
  Status execute(LongType logicOp, const std::vector<NDArray*>& inputs, const std::vector<int>& scopes,
                 const std::vector<NDArray*>& outputs);
  /// Why the last execution returned a status that is not OK.
  const std::string& failureMessage() const { return _failure; }

 private:
  LongType _id;
  std::unique_ptr<Graph> _graph = std::make_unique<Graph>();
  std::string _failure;

  Status failed(Status status, const std::string& message);
  Status copyOutputs(const VariableSpace& variables, const std::vector<NDArray*>& outputs, int onlyOutput);
};

}  // namespace sd::graph

#endif
