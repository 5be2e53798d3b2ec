// Results of operations that are parts of the memory of an input, and inputs that are parts of a result.
#ifndef NDFORGE_SRC_GRAPH_VALUEVIEWS_H
#define NDFORGE_SRC_GRAPH_VALUEVIEWS_H

#include <graph/Context.h>

#include <optional>
#include <vector>

#include "graph/OpenGraph.h"

namespace sd::graph {

/// Whether the elements lie in c order without gaps; not of empty arrays.
bool isDense(const LongType* shapeInfo);

/// The outputs of a node are parts of one input: each is one run of its elements, in the same order.
struct InputParts {
  size_t input = 0;
  std::vector<LongType> offsets;  ///< of the first elements, one for each output
  bool whole = false;             ///< the only output has all elements
};
/// Of a call whose arguments are read; all arrays are dense. Nothing when an output is no such part.
std::optional<InputParts> partsOfInput(const OpenNode& node, Context& block, const std::vector<const LongType*>& inputs,
                                       const std::vector<const LongType*>& outputs);

/// Where the inputs of a concat or stack lie in its output, if they lie there one after another: the offsets of their
/// first elements. All arrays are dense.
std::optional<std::vector<LongType>> partsOfOutput(const OpenNode& node, Context& block,
                                                   const std::vector<const LongType*>& inputs, const LongType* output);

}  // namespace sd::graph

#endif
