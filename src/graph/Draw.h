// A graph as boxes and lines: what DOT and SVG show.
#ifndef NDFORGE_SRC_GRAPH_DRAW_H
#define NDFORGE_SRC_GRAPH_DRAW_H

#include <graph/GraphDrawing.h>

#include <memory>
#include <string>
#include <vector>

namespace sd::graph {

struct Picture;

/// Outside: stands in a frame for a value that comes from outside of it. Frame: a scope or an embedded graph.
enum class BoxKind { Operation, Logic, Placeholder, Variable, Constant, Outside, Frame };

struct Box {
  BoxKind kind = BoxKind::Operation;
  std::string title, subtitle;
  std::vector<std::string> details;
  /// Types and shapes of the outputs; empty texts when unknown.
  std::vector<std::string> outputs = {""};
  bool isResult = false;
  std::shared_ptr<const Picture> inner;  ///< of frames
};

struct Line {
  int from, output, to;
  bool isControl = false;  ///< of a frame to the node that runs it
};

struct Picture {
  std::vector<Box> boxes;
  std::vector<Line> lines;
};

Picture pictureOf(const Graph& graph, const ValueShapes& shapes);

}  // namespace sd::graph

#endif
