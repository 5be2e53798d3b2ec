// Measures graphs.
#ifndef NDFORGE_GRAPH_PROFILING_GRAPHPROFILINGHELPER_H
#define NDFORGE_GRAPH_PROFILING_GRAPHPROFILINGHELPER_H

#include <graph/Graph.h>
#include <graph/profiling/GraphProfile.h>
#include <system/common.h>

namespace sd::graph {

class SD_LIB_EXPORT GraphProfilingHelper {
 public:
  /// Executes the graph `iterations` times to warm up and as many times measured, on a copy of its variables. Returns
  /// the merged profile, which the caller deletes.
  /// @throws std::invalid_argument for nullptr and for less than one iteration, sd::graph_execution_exception when an
  /// execution fails, and what operations throw
  static GraphProfile* profile(Graph* graph, int iterations);
};

}  // namespace sd::graph

#endif
