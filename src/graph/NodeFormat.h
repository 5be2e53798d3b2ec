// What the reader and the writer of nodes agree on.
#ifndef NDFORGE_SRC_GRAPH_NODEFORMAT_H
#define NDFORGE_SRC_GRAPH_NODEFORMAT_H

#include <graph/Node.h>
#include <graph/generated/forward.h>

namespace sd::graph {

/// The property of nodes that work in place although their operation does not by default, and the other way round.
inline constexpr const char* IN_PLACE = "ndforge:inplace";

/// Whether there is a logic operation of this number.
bool isLogicNumber(LongType number);
/// Whether a node of this kind works in place unless it is told otherwise.
bool worksInPlace(const Node& node);

/// @throws std::runtime_error for nodes that cannot be in a file
flatbuffers::Offset<FlatNode> writeNode(flatbuffers::FlatBufferBuilder& builder, const Node& node);

}  // namespace sd::graph

#endif
