// Executes graphs, and reads them from files.
#ifndef NDFORGE_GRAPH_GRAPHEXECUTIONER_H
#define NDFORGE_GRAPH_GRAPHEXECUTIONER_H

#include <graph/ExecutionResult.h>
#include <graph/Graph.h>
#include <graph/Node.h>
#include <graph/RandomGenerator.h>
#include <graph/ResultWrapper.h>
#include <graph/SessionLocalStorage.h>
#include <graph/Variable.h>
#include <graph/VariableProxy.h>
#include <graph/VariableSpace.h>
#include <graph/VariablesSet.h>
#include <graph/generated/request_generated.h>
#include <graph/generated/result_generated.h>
#include <system/common.h>

#include <cstdint>

namespace sd::graph {

class ResultWrapper;

/// Every value of the graph is in the variable space afterwards: output k of node n is variable (n, k). For repeated
/// executions of a graph of which only results matter, a Session is faster.
class SD_LIB_EXPORT GraphExecutioner {
 public:
  /// Runs the nodes in the order of layers on the given variables, or on the graph's own. Returns the first status that
  /// is not OK, KERNEL_FAILURE for a loop that does not end. Memory of results is kept for the next execution.
  /// @throws sd::unresolved_input_exception, sd::graph_exception, and what operations throw; messages name the node
  static Status execute(Graph* graph, VariableSpace* variableSpace = nullptr);
  /// Runs one node.
  static Status executeFlatNode(Graph* graph, Node* node, VariableSpace* variableSpace);
  /// Why this thread's last execution returned a status that is not OK.
  static const std::string& failureMessage();

  /// Replaces variables by those of the request, executes, and writes the results. The graph's variables do not change.
  static flatbuffers::Offset<FlatResult> execute(Graph* graph, flatbuffers::FlatBufferBuilder& builder,
                                                 const FlatInferenceRequest* request);
  /// Executes the graph at this address, a FlatGraph. The caller deletes the result; nullptr when the execution fails.
  static ResultWrapper* executeFlatBuffer(Pointer pointer);

  /// The graph of a file, which the caller deletes. @throws std::runtime_error when there is no such file or it holds
  /// no valid graph
  static Graph* importFromFlatBuffers(const char* filename);
  /// The graph at this address, whose size nobody can check: it must be a valid FlatGraph.
  static Graph* importFromFlatPointer(Pointer pointer);
  /// Other formats are not read. Always nullptr.
  static Graph* importFromTensorFlow(const char* filename);
};

/// Bytes of a file; -1 when there is none.
SD_LIB_EXPORT long getFileSize(const char* filename);
/// The bytes of a file, which the caller deletes with delete[]. @throws std::runtime_error when it cannot be read
SD_LIB_EXPORT uint8_t* readFlatBuffers(const char* filename);

}  // namespace sd::graph

#endif
