// What -o of `ndforge graph run` names: results of a graph, and the files that they go to.
#ifndef NDFORGE_SRC_CLI_GRAPHRESULTS_H
#define NDFORGE_SRC_CLI_GRAPHRESULTS_H

#include <graph/Graph.h>

#include <string>
#include <vector>

namespace sd::cli {

/// "z=z.npy": the result z goes to the file z.npy. Without a name it is the next result of the graph.
struct Target {
  std::string name, file;

  explicit Target(const std::string& text);
};

/// The names of the results of the graph, one for each output.
std::vector<std::string> resultsOf(const graph::Graph& graph);

/// The names of the results for the targets, one for each; those without a name get the next ones. `file` is that of
/// the graph. @throws UsageError for names that the graph does not have, and when no result is left
std::vector<std::string> resultsFor(const std::vector<Target>& targets, const graph::Graph& graph,
                                    const std::string& file);

/// What a session calls these results. A number alone, or a name without the index of an output, would mean every
/// output.
std::vector<std::string> firstOutputs(const graph::Graph& graph, std::vector<std::string> names);

}  // namespace sd::cli

#endif
