// Pictures as SVG files.
#include <fmt/format.h>

#include "graph/Draw.h"
#include "graph/DrawLayout.h"
#include "graph/NodeText.h"

namespace sd::graph {
namespace {

using namespace drawing;

/// Text for XML.
std::string escaped(const std::string& text) {
  std::string result;
  for (const char c : legible(text)) {
    if (c == '&')
      result += "&amp;";
    else if (c == '<')
      result += "&lt;";
    else if (c == '>')
      result += "&gt;";
    else
      result += c;
  }
  return result;
}

const char* classOf(BoxKind kind) {
  switch (kind) {
    case BoxKind::Placeholder:
      return "input";
    case BoxKind::Variable:
      return "variable";
    case BoxKind::Constant:
      return "constant";
    case BoxKind::Outside:
      return "outside";
    case BoxKind::Logic:
      return "logic";
    case BoxKind::Frame:
      return "frame";
    default:
      return "operation";
  }
}

constexpr const char* STYLE =
    "text { font-family: 'DejaVu Sans Mono', Menlo, Consolas, monospace; fill: #1b2733; text-anchor: middle; }\n"
    ".title { font-size: 13px; font-weight: bold; }\n"
    ".text { font-size: 11px; }\n"
    ".label { font-size: 10px; fill: #55606b; text-anchor: start; }\n"
    ".heading { text-anchor: start; }\n"
    "rect { fill: #ffffff; stroke: #44546a; stroke-width: 1; }\n"
    ".input rect { fill: #d9f0dd; stroke: #2e7d4f; }\n"
    ".variable rect { fill: #dbe9f8; stroke: #3a6ea5; }\n"
    ".constant rect { fill: #eeeeee; stroke: #777777; }\n"
    ".logic rect { fill: #fdf0cc; stroke: #9a7400; }\n"
    ".outside rect { fill: #ffffff; stroke: #777777; stroke-dasharray: 4 3; }\n"
    ".frame > rect { fill: #f6f8fa; stroke: #8a96a3; }\n"
    ".result > rect { stroke-width: 3; }\n"
    "path { fill: none; stroke: #6b7785; stroke-width: 1.2; marker-end: url(#arrow); }\n"
    ".control { stroke-dasharray: 5 3; }\n"
    "marker path { fill: #6b7785; stroke: none; marker-end: none; }\n";

class SvgWriter {
 public:
  std::string text = "";

  void write(const Layout& layout, double left, double top) {
    for (const PlacedLine& line : layout.lines) path(line, left, top);
    for (const PlacedBox& box : layout.boxes) write(box, left + box.x, top + box.y);
  }

 private:
  void path(const PlacedLine& line, double left, double top) {
    const auto at = [&](size_t i) { return Point{left + line.points[i].x, top + line.points[i].y}; };
    std::string steps = fmt::format("M{:.1f},{:.1f}", at(0).x, at(0).y);
    for (size_t i = 1; i + 1 < line.points.size(); i += 2) {
      const Point a = at(i);
      Point b = at(i + 1);
      if (i + 2 == line.points.size()) b.y -= 2;  // the arrow ends at the box
      const double middle = (a.y + b.y) / 2;
      steps +=
          fmt::format(" V{:.1f} C{:.1f},{:.1f} {:.1f},{:.1f} {:.1f},{:.1f}", a.y, a.x, middle, b.x, middle, b.x, b.y);
    }
    text += fmt::format("<path{} d=\"{}\"/>\n", line.isControl ? " class=\"control\"" : "", steps);
  }

  void words(const char* style, double x, double y, const std::string& content) {
    if (!content.empty())
      text += fmt::format("<text class=\"{}\" x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n", style, x, y, escaped(content));
  }

  void write(const PlacedBox& placed, double x, double y) {
    const Box& box = placed.box;
    text += fmt::format("<g class=\"{}{}\">\n", classOf(box.kind), box.isResult ? " result" : "");
    const bool round = box.kind == BoxKind::Placeholder || box.kind == BoxKind::Outside;
    text += fmt::format("<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" rx=\"{}\"/>\n", x, y,
                        placed.width, placed.height,
                        round                           ? 14
                        : box.kind == BoxKind::Constant ? 0
                                                        : 5);
    if (placed.inner != nullptr) {
      words("title heading", x + PADDING, y + PADDING + TITLE_SIZE - 2, box.title);
      write(*placed.inner, x, y + PADDING + TITLE_LINE);
    } else {
      double line = y + PADDING + TITLE_SIZE - 1;
      const double middle = x + placed.width / 2;
      words("title", middle, line, box.title);
      line += TITLE_LINE - TITLE_SIZE + TEXT_SIZE;
      if (!box.subtitle.empty()) {
        words("text", middle, line, box.subtitle);
        line += TEXT_LINE;
      }
      for (const std::string& detail : box.details) {
        words("text", middle, line, detail);
        line += TEXT_LINE;
      }
    }
    text += "</g>\n";
    for (size_t k = 0; k < box.outputs.size(); k++)
      words("label", x + placed.outputs[k] + 4, y + placed.height + LABEL_SIZE + 1, box.outputs[k]);
  }
};

}  // namespace

std::string svgOf(const Graph& graph, const DrawingOptions& options) {
  const Layout layout = layOut(pictureOf(graph, shapesOf(graph, options)));
  SvgWriter writer;
  writer.text = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:.0f}\" height=\"{1:.0f}\" viewBox=\"0 0 {0:.0f} "
      "{1:.0f}\">\n",
      layout.width, layout.height);
  writer.text += fmt::format("<title>{}</title>\n<style>\n{}</style>\n",
                             escaped(graph.origin().empty() ? "graph" : graph.origin()), STYLE);
  writer.text +=
      "<defs><marker id=\"arrow\" viewBox=\"0 0 8 8\" refX=\"7\" refY=\"4\" markerWidth=\"7\" markerHeight=\"7\" "
      "orient=\"auto\"><path d=\"M0,0 L8,4 L0,8 z\"/></marker></defs>\n";
  writer.text +=
      fmt::format("<rect width=\"{:.0f}\" height=\"{:.0f}\" style=\"stroke: none\"/>\n", layout.width, layout.height);
  writer.write(layout, 0, 0);
  return writer.text + "</svg>\n";
}

}  // namespace sd::graph
