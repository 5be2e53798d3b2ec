// What passes ask of convolutions.
#ifndef NDFORGE_SRC_GRAPH_PASSES_CONVOLUTIONS_H
#define NDFORGE_SRC_GRAPH_PASSES_CONVOLUTIONS_H

#include <ops/declarable/headers/convo.h>

#include "graph/passes/Rewrite.h"

namespace sd::graph {

/// What matters of the arguments of a convolution.
struct Layouts {
  bool channelsLast;
  ops::WeightLayout weights;
};

/// Nothing for other nodes than convolutions, and when their arguments are not known.
std::optional<Layouts> layoutsOf(const OpenGraph& graph, const OpenNode& node);
/// The convolution that writes a value, if nothing else reads it; else nullptr.
const OpenNode* convolutionOf(const OpenGraph& graph, ValueId value);
/// -1: none.
ValueId biasOf(const OpenNode& convolution);

}  // namespace sd::graph

#endif
