// What the subcommands of `ndforge graph` have in common: a graph from a file, and its inputs.
#ifndef NDFORGE_SRC_CLI_GRAPHFILE_H
#define NDFORGE_SRC_CLI_GRAPHFILE_H

#include <array/NDArray.h>
#include <graph/Graph.h>
#include <graph/GraphDrawing.h>
#include <graph/Session.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "cli/Array.h"

namespace CLI {
class App;
}

namespace sd::cli {

struct GraphOptions {
  std::string file, weights;
  std::vector<std::string> inputs, shapes, without;
  int threads = 0;

  /// What a command takes besides files: patterns for several files, or shapes of inputs that are made up.
  enum class Inputs { Patterns, Shapes };

  void addFile(CLI::App& command);
  void addInputs(CLI::App& command, Inputs kind);
  void addPasses(CLI::App& command);

  /// The graph, with the weights. Sets the number of threads. @throws UsageError for unknown passes, which are looked
  /// for before the file is read, and what Graph::load and Graph::loadWeights throw
  std::unique_ptr<graph::Graph> load() const;
};

/// An input of a graph: a placeholder.
struct GraphInput {
  std::string name;
  std::pair<int, int> value;           ///< the numbers of the placeholder and of its output
  DataType dtype = DataType::INHERIT;  ///< INHERIT: any
  std::vector<LongType> dims;          ///< -1: any size
  bool hasDims = false;
  Array array;                    ///< what the command line gives, or nothing
  std::shared_ptr<NDArray> view;  ///< of the same elements
};

class GraphInputs {
 public:
  /// The inputs without arrays.
  GraphInputs(const graph::Graph& graph, std::string file);
  /// With what the command line gives.
  GraphInputs(const graph::Graph& graph, const GraphOptions& options);

  /// Gives arrays: values of -i and of --shape. @throws UsageError and DataError for those that do not fit
  void give(const std::vector<std::string>& files, const std::vector<std::string>& shapes = {});
  /// The name of the input, or "", and the file in a value of -i. @throws UsageError for an unknown name
  std::pair<std::string, std::string> split(const std::string& text) const;

  /// Gives the inputs without arrays made-up ones of the shapes that the graph states.
  /// @throws UsageError for an input whose shape is not known
  void fill();
  /// @throws UsageError that names the inputs that have no arrays
  void requireAll() const;
  /// The arrays that are there.
  std::vector<graph::Feed> feeds() const;
  /// The shapes that the command line gives.
  graph::DrawingOptions drawing() const;
  const std::vector<GraphInput>& all() const { return _inputs; }
  /// "x float32 [32, 784]", for messages and headings; inputs without arrays are left out.
  std::string text() const;

 private:
  std::string _file;
  std::vector<GraphInput> _inputs;

  static void give(GraphInput& input, Array array);
  GraphInput& next(const std::string& what);
  /// The place of the input of this name; the number of inputs when there is none.
  size_t indexOf(const std::string& name) const;
  size_t requireName(const std::string& name) const;
  GraphInput& named(const std::string& name) { return _inputs[requireName(name)]; }
  void giveArchive(const std::string& file);
  void giveFile(const std::string& text);
  void giveShape(const std::string& text);
};

/// "; did you mean 'x'?", or a list of the names when none is near.
std::string nearNames(const std::string& name, const std::vector<std::string>& names, const char* what);

void addGraphRun(CLI::App& app);
void addGraphShow(CLI::App& app);
void addGraphBench(CLI::App& app);

}  // namespace sd::cli

#endif
