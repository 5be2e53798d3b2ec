#include "graph/GraphFile.h"

#include <flatbuffers/flatbuffers.h>
#include <graph/Graph.h>
#include <graph/generated/graph_generated.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "graph/FileContents.h"
#include "graph/GraphReader.h"
#include "system/Error.h"
#include "system/OutputFile.h"

namespace sd::graph {
namespace {

// What nested tables and their number may be at most. The schema itself has four levels.
constexpr flatbuffers::uoffset_t DEPTH = 64, TABLES = 10000000;

}  // namespace

std::string fileText(const std::string& origin) { return origin.empty() ? "[graph] " : "[graph] " + origin + ": "; }

FileBytes readFile(const std::string& file, size_t most) {
  if (file.empty()) fail("[graph] the name of the file is empty");
  // Opening a pipe would wait for its writer.
  std::error_code unknown;
  const auto kind = std::filesystem::status(file, unknown).type();
  if (kind == std::filesystem::file_type::directory) fail("{}this is a folder, not a file", fileText(file));
  if (!unknown && kind != std::filesystem::file_type::regular && kind != std::filesystem::file_type::not_found)
    fail("{}this is no regular file", fileText(file));
  errno = 0;
  std::ifstream stream(file, std::ios::binary | std::ios::ate);
  if (!stream) fail("{}File not found, or it cannot be read: {}", fileText(file), std::strerror(errno));
  const auto end = static_cast<std::streamoff>(stream.tellg());
  if (end < 0) fail("{}the size of the file is not known; is it a file?", fileText(file));
  FileBytes bytes;
  bytes.size = static_cast<size_t>(end);
  if (bytes.size > most)
    fail("{}the file has {} bytes; FlatBuffers are limited to {}", fileText(file), bytes.size, most);
  bytes.data = std::make_unique_for_overwrite<uint8_t[]>(bytes.size);
  stream.seekg(0);
  if (!stream.read(reinterpret_cast<char*>(bytes.data.get()), end))
    fail("{}the file cannot be read: {}", fileText(file), std::strerror(errno));
  return bytes;
}

void writeFile(const std::string& file, const uint8_t* bytes, size_t size) {
  OutputFile output("graph", file);
  output.write(bytes, size);
  output.commit();
}

const FlatGraph& verifiedGraph(const uint8_t* bytes, size_t size, const std::string& origin) {
  if (size >= FLATBUFFERS_MAX_BUFFER_SIZE)
    fail("{}{} bytes; FlatBuffers are limited to {}", fileText(origin), size, FLATBUFFERS_MAX_BUFFER_SIZE - 1);
  // A graph that shares nothing counts twice at most; writers may share texts and lists.
  if (!readsAtMost(16 * uint64_t{size} + (1 << 16), bytes, size))
    fail("{}the tables share contents so often that they stand for much more than the {} bytes of the file",
         fileText(origin), size);
  flatbuffers::Verifier verifier(bytes, size, DEPTH, TABLES);
  if (!VerifyFlatGraphBuffer(verifier)) fail("{}this is no graph file, or it is damaged", fileText(origin));
  return *GetFlatGraph(bytes);
}

void Graph::save(const std::string& file) const {
  flatbuffers::FlatBufferBuilder builder;
  builder.Finish(asFlatGraph(builder));
  writeFile(file, builder.GetBufferPointer(), builder.GetSize());
}

std::unique_ptr<Graph> Graph::load(const std::string& file) {
  const FileBytes bytes = readFile(file, FLATBUFFERS_MAX_BUFFER_SIZE - 1);
  return load(bytes.data.get(), bytes.size, file);
}

std::unique_ptr<Graph> Graph::load(const void* bytes, size_t size, const std::string& origin) {
  if (bytes == nullptr) fail("{}the bytes are null", fileText(origin));
  const auto* data = static_cast<const uint8_t*>(bytes);
  std::unique_ptr<uint8_t[]> aligned;
  if (reinterpret_cast<uintptr_t>(data) % 8 != 0) {
    aligned = std::make_unique_for_overwrite<uint8_t[]>(size);
    std::memcpy(aligned.get(), data, size);
    data = aligned.get();
  }
  const FlatGraph& flat = verifiedGraph(data, size, origin);
  auto graph = std::make_unique<Graph>();
  graph->setOrigin(origin);
  readGraph(flat, *graph);
  return graph;
}

}  // namespace sd::graph
