// Removes nodes whose results nobody reads.
#include "graph/passes/Pass.h"

namespace sd::graph {

int removeDeadNodes(OpenGraph& graph) {
  const int removed = graph.removeUnread();
  if (removed > 0) graph.sort();
  return removed;
}

}  // namespace sd::graph
