// Stored graphs, found by number.
#ifndef NDFORGE_GRAPH_GRAPHHOLDER_H
#define NDFORGE_GRAPH_GRAPHHOLDER_H

#include <exceptions/graph_execution_exception.h>
#include <exceptions/graph_exists_exception.h>
#include <exceptions/no_results_exception.h>
#include <exceptions/unknown_graph_exception.h>
#include <graph/Graph.h>
#include <graph/generated/request_generated.h>
#include <graph/generated/result_generated.h>
#include <system/common.h>

#include <memory>

namespace sd::graph {

/// Owns the graphs. All functions may be called from several threads at once. Each number has a lock, which many may
/// hold for reading or one for writing: copies and executions hold it for reading, everything that changes the entry
/// holds it for writing. A thread that holds the lock may take it again in the same way, and for reading while it
/// writes.
class SD_LIB_EXPORT GraphHolder {
 public:
  /// The holder of the process. Others are independent of it.
  static GraphHolder& getInstance();
  GraphHolder();
  GraphHolder(const GraphHolder&) = delete;
  GraphHolder& operator=(const GraphHolder&) = delete;
  ~GraphHolder();

  /// Takes ownership. @throws sd::graph_exists_exception when the number is in use, std::invalid_argument for nullptr;
  /// the graph is then still the caller's
  void registerGraph(LongType graphId, Graph* graph);
  /// As registerGraph(), except that a graph that has the number is deleted when nobody uses it any more.
  void replaceGraph(LongType graphId, Graph* graph);
  /// Forgets the graph without deleting it. Does nothing when there is none.
  void forgetGraph(LongType graphId);
  /// Forgets the graph and deletes it as soon as no copy needs its variables. Does nothing when there is none.
  void dropGraph(LongType graphId);
  void dropGraphAny(LongType graphId) { dropGraph(graphId); }
  bool hasGraph(LongType graphId) const;
  bool hasGraphAny(LongType graphId) const { return hasGraph(graphId); }

  /// A copy that the caller deletes. It reads the variables of the stored graph and changes none of them: what it
  /// computes are variables of its own. The variables live as long as the copy does, even if the graph is dropped.
  /// @throws sd::unknown_graph_exception
  Graph* cloneGraph(LongType graphId);
  /// The stored graph itself, which may be dropped by another thread. @throws sd::unknown_graph_exception
  Graph* pullGraph(LongType graphId);

  /// Executes a copy of the graph with the variables of the request, which may be null, and writes the results.
  /// @throws sd::unknown_graph_exception, sd::no_results_exception when the graph returns nothing,
  /// sd::graph_execution_exception when it fails, and what operations throw
  flatbuffers::Offset<FlatResult> execute(LongType graphId, flatbuffers::FlatBufferBuilder& builder,
                                          const FlatInferenceRequest* request);

  /// Waits until nobody writes. A number has a lock whether there is a graph or not.
  void lockRead(LongType graphId);
  /// Waits until nobody reads or writes. @throws std::runtime_error when this thread holds the lock for reading, as it
  /// would wait for itself
  void lockWrite(LongType graphId);
  /// @throws std::runtime_error when this thread does not hold the lock
  void unlockRead(LongType graphId);
  void unlockWrite(LongType graphId);

 private:
  struct Entries;
  struct Fork;

  std::unique_ptr<Entries> _entries;
};

}  // namespace sd::graph

#endif
