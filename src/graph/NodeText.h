// Words for what a graph consists of: operations, arguments, names, types and shapes.
#ifndef NDFORGE_SRC_GRAPH_NODETEXT_H
#define NDFORGE_SRC_GRAPH_NODETEXT_H

#include <graph/Graph.h>
#include <ops/declarable/PartialShape.h>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sd::graph {

/// The arguments that differ from the defaults: "kernel = [2, 2]". Arguments of operations that do not state theirs are
/// the positional lists: "integers = [2, 2]".
std::vector<std::string> argumentTexts(const Node& node);

/// The name of a variable or node, or else its number; output 1 of node 7 is "7:1".
std::string valueText(const Graph& graph, const std::pair<int, int>& value);

/// "float32 [2, ?]"; empty when nothing is known.
std::string shapeText(const ops::PartialShape& shape);

/// The text as UTF-8 that every reader takes: blanks stand for control characters, U+FFFD for bytes that are no
/// characters.
std::string legible(std::string_view text);

/// "1 node", "2 nodes".
std::string counted(size_t count, const char* what);

/// The text with the middle left out when it has more than `most` characters.
std::string abridged(const std::string& text, size_t most);

/// How many columns the text takes in a font of fixed width.
size_t columnsOf(const std::string& text);

}  // namespace sd::graph

#endif
