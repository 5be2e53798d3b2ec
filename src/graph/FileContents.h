// How much there is to read in a graph file.
#ifndef NDFORGE_SRC_GRAPH_FILECONTENTS_H
#define NDFORGE_SRC_GRAPH_FILECONTENTS_H

#include <cstddef>
#include <cstdint>

namespace sd::graph {

/// Whether whoever reads the whole graph, and everything in it as often as something refers to it, reads at most `most`
/// bytes. In FlatBuffers many tables may refer to one text or array, so that a file of some megabytes can stand for
/// terabytes, and verifying it can take hours. Nothing is expected of the bytes: parts that leave the file do not
/// count.
bool readsAtMost(uint64_t most, const uint8_t* bytes, size_t size);

}  // namespace sd::graph

#endif
