// The passes over graphs: each makes a graph that computes the same with less work.
#ifndef NDFORGE_SRC_GRAPH_PASSES_PASS_H
#define NDFORGE_SRC_GRAPH_PASSES_PASS_H

#include <span>

#include "graph/OpenGraph.h"

namespace sd::graph {

struct Pass {
  const char* name;
  const char* text;  ///< what it does, a sentence
  /// Returns how many nodes were removed, replaced or joined. Leaves nodes in order and readers indexed.
  int (*run)(OpenGraph& graph);
  /// Whether it may add numbers in another order, so that results differ by rounding. All others keep every bit.
  bool reordersSums = false;
};

/// All passes in the order in which they run.
std::span<const Pass> allPasses();

// One file each.
int foldConstants(OpenGraph& graph);
int mergeEqualNodes(OpenGraph& graph);
int removeIdentities(OpenGraph& graph);
int joinChains(OpenGraph& graph);
int chooseLayouts(OpenGraph& graph);
int absorbTransposes(OpenGraph& graph);
int foldNormalizations(OpenGraph& graph);
int joinBiases(OpenGraph& graph);
int reduceStrength(OpenGraph& graph);
int addToSums(OpenGraph& graph);
int removeDeadNodes(OpenGraph& graph);
int fuseElements(OpenGraph& graph);

}  // namespace sd::graph

#endif
