// Where the boxes and lines of a picture are: layers from top to bottom, without overlaps.
#ifndef NDFORGE_SRC_GRAPH_DRAWLAYOUT_H
#define NDFORGE_SRC_GRAPH_DRAWLAYOUT_H

#include <memory>
#include <vector>

#include "graph/Draw.h"

namespace sd::graph {

struct Point {
  double x = 0, y = 0;
};

struct PlacedBox {
  Box box;
  double x = 0, y = 0, width = 0, height = 0;  ///< of its frame
  std::vector<double> outputs;                 ///< where lines leave it, from x; labels are to the right of that
  std::shared_ptr<const struct Layout> inner;  ///< of frames
};

/// A line goes straight down between the points 2k and 2k + 1, and bends between 2k + 1 and 2k + 2.
struct PlacedLine {
  std::vector<Point> points;
  bool isControl = false;
};

struct Layout {
  std::vector<PlacedBox> boxes;
  std::vector<PlacedLine> lines;
  double width = 0, height = 0;
};

/// Sizes of text, in pixels. The font has characters of fixed width.
namespace drawing {
inline constexpr double TITLE_SIZE = 13, TEXT_SIZE = 11, LABEL_SIZE = 10;
/// Of a character, as a share of the size of the font. Common fonts have 0.55 to 0.61.
inline constexpr double ADVANCE = 0.62;
inline constexpr double PADDING = 8, TITLE_LINE = 17, TEXT_LINE = 14, LABEL_LINE = 15;
}  // namespace drawing

/// Lines over many layers, and back to earlier ones, end at boxes that stand for where they come from.
Layout layOut(const Picture& picture);

}  // namespace sd::graph

#endif
