// The bytes of graph files.
#ifndef NDFORGE_SRC_GRAPH_GRAPHFILE_H
#define NDFORGE_SRC_GRAPH_GRAPHFILE_H

#include <graph/generated/forward.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

namespace sd::graph {

struct FileBytes {
  std::unique_ptr<uint8_t[]> data;
  size_t size = 0;
};

/// @throws std::runtime_error, which names the file, when it cannot be read or is larger than `most`
FileBytes readFile(const std::string& file, size_t most);
/// Completely or not at all. @throws std::runtime_error, which names the file
void writeFile(const std::string& file, const uint8_t* bytes, size_t size);

/// The graph in these bytes, whose address is a multiple of 8. It is safe to read afterwards, and reading all of it
/// takes time and memory in proportion to its size. What it says may still be nonsense. @throws std::runtime_error
const FlatGraph& verifiedGraph(const uint8_t* bytes, size_t size, const std::string& origin);

/// "[graph] model.fb: ", or "[graph] " without an origin.
std::string fileText(const std::string& origin);

}  // namespace sd::graph

#endif
